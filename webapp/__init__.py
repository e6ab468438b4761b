"""Provide the pages, the command line and the clubs' histories; `scorer` computes the results.

Nothing heavy is imported here, since the command line imports this package and `tidemark score` must start at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Return the application; `config` overrides the TIDEMARK_ variables of the environment."""
    from webapp.app import build

    return build(config or {})
