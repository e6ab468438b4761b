"""The numbers of our games at BoardGameGeek: `bgg.toml`, and whatever the operator has added."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files

from flask import current_app, has_app_context


@functools.cache
def printed_numbers() -> dict[str, int]:
    return tomllib.loads((files("webapp.exchange") / "bgg.toml").read_text(encoding="utf-8"))


def bgg_ids() -> dict[str, int]:
    added = current_app.config.get("BGG") if has_app_context() else None
    return {**printed_numbers(), **(added if isinstance(added, dict) else {})}
