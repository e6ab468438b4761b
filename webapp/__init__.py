"""The pages and the command line: forms in, `scorer` results out, and the clubs' histories in SQLite.

Nothing heavy is imported here, because the command line passes through and `tidemark score` has to start at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The application; `config` overrides what the TIDEMARK_ variables of the environment say."""
    from webapp.app import build

    return build(config or {})
