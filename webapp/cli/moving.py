"""Run `tidemark move`: copy everything to another database, with a progress bar."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scorer.sentences import in_a_row, say, say_count
from webapp.cli.exchange import interruptible
from webapp.cli.terminal import FAILED, USAGE_ERROR, Bar, complain, help_text, localized, out

if TYPE_CHECKING:
    from webapp.moving import MoveResult


def add(commands: Any) -> None:
    """Add the subcommand `tidemark move` and its options."""
    words = say("copy the database to another one")
    move = commands.add_parser("move", help=help_text(words), description=localized(words))
    move.add_argument("source", metavar=localized(say("FROM")), help=help_text(say("a SQLite file, or postgresql://…")))
    there = say("an empty database (default: TIDEMARK_DATABASE)")
    move.add_argument("target", metavar=localized(say("TO")), nargs="?", help=help_text(there))
    move.set_defaults(run=run_move)


def run_move(options: argparse.Namespace) -> int:
    from webapp import moving
    from webapp.cli.open_database import convert
    from webapp.database import engine_of, named

    target = options.target or os.environ.get("TIDEMARK_DATABASE")
    if not target:
        complain(say("name the new database."))
        return USAGE_ERROR
    if engine_of(options.source).exists(options.source):
        convert(options.source)
    bar = Bar()
    try:
        with interruptible():
            moved = moving.move(options.source, target, bar)
    except KeyboardInterrupt:
        bar.clear()
        complain(say("stopped. To start over, run the command again."))
        return FAILED
    finally:
        bar.clear()
    report(moved, {"file": named(target), "source": named(options.source)})
    return 0


def report(moved: MoveResult, names: Mapping[str, str]) -> None:
    """Print what was moved and what to do next. `names` holds the names of both databases."""
    what = say_count("{n} game", "{n} games", moved.plays)
    whose = say_count("{n} club", "{n} clubs", moved.clubs)
    if moved.was_there:
        out(say("{file} already has all data from {source}: {whose}, {what}.", whose=whose, what=what, **names))
    else:
        out(
            say(
                "All data from {source} is now in {file}: {whose}, {what}.",
                whose=whose,
                what=what,
                **names,
            )
        )
    if moved.miscounted:
        tables = in_a_row(moved.miscounted)
        out(
            say(
                "Some statistics were already wrong ({tables}). Run “tidemark recount”.",
                tables=tables,
            )
        )
    out(
        say(
            "{source} has not changed. Set TIDEMARK_DATABASE to the new database.",
            source=names["source"],
        )
    )
