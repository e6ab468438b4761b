"""Run all checks of the doctor: first the database, then the computer."""

from __future__ import annotations

from collections.abc import Mapping

from webapp.doctor import history, machine
from webapp.doctor_check import Finding


def examine(database: str, port: int, environment: Mapping[str, str]) -> list[Finding]:
    """Return the findings of all checks. Nothing is changed. `port` is that of the server; `environment` has the
    environment variables."""
    return [*history.checks(database), *machine.checks(environment, database, port)]
