"""The whole examination, in the order in which one would ask."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from webapp.doctor import history, machine
from webapp.doctor.finding import Finding


def examine(database: str, port: int, environment: Mapping[str, str]) -> list[Finding]:
    """Everything that was looked at. Nothing is changed."""
    path = Path(database)
    return [*history.look_at(path), *machine.look_at(environment, path, port)]
