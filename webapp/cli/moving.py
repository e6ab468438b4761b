"""Run `tidemark move`: copy everything to another database, with a progress bar."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scorer.sentences import say, say_count
from webapp.cli.exchange import interruptible
from webapp.cli.history import A_DATABASE
from webapp.cli.terminal import FAILED, Bar, complain, help_text, localized, out

if TYPE_CHECKING:
    from webapp.moving import MoveResult


def add(commands: Any) -> None:
    """Add the subcommand `tidemark move` and its options."""
    words, named = say("copy the database to another one"), os.environ.get("TIDEMARK_DATABASE")
    move = commands.add_parser("move", help=help_text(words), description=localized(words))
    move.add_argument("source", metavar=localized(say("FROM")), help=help_text(A_DATABASE))
    there = say("an empty database (default: TIDEMARK_DATABASE)")
    optional: dict[str, Any] = {"nargs": "?", "default": named} if named else {}
    move.add_argument("target", metavar=localized(say("TO")), help=help_text(there), **optional)
    move.set_defaults(run=run_move)


def run_move(options: argparse.Namespace) -> int:
    from webapp import moving
    from webapp.cli.open_database import convert
    from webapp.database import engine_of, named

    target = options.target
    if engine_of(options.source).exists(options.source):
        convert(options.source)
    bar = Bar()
    try:
        with interruptible():
            moved = moving.move(options.source, target, bar)
    except KeyboardInterrupt:
        bar.clear()
        complain(say("stopped"))
        return FAILED
    finally:
        bar.clear()
    report(moved, {"file": named(target), "source": named(options.source)})
    return 0


def report(moved: MoveResult, names: Mapping[str, str]) -> None:
    """Print what was moved and what to do next. `names` has the names of the old database ("source") and the new
    ("file")."""
    what = say_count("{n} game", "{n} games", moved.plays)
    whose = say_count("{n} club", "{n} clubs", moved.clubs)
    out(say("All data from {source} is in {file}: {whose}, {what}.", whose=whose, what=what, **names))
    out(say("{source} has not changed. Set TIDEMARK_DATABASE to the new database.", source=names["source"]))
