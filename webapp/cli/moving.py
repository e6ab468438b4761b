"""`tidemark move`: everything to another database, with a bar."""

from __future__ import annotations

import argparse
import os
from typing import Any

from scorer.sentences import in_a_row, say, say_count
from webapp.cli.exchange import interruptible
from webapp.cli.terminal import FAILED, USAGE_ERROR, Bar, complain, help_text, out, spoken


def add(commands: Any) -> None:
    """Its options, as in `tidemark move --help`."""
    words = say("take everything to another database, compare it there, and leave this one as it is")
    move = commands.add_parser("move", help=help_text(words), description=spoken(words))
    move.add_argument("source", metavar=spoken(say("FROM")), help=help_text(say("a SQLite file, or postgresql://…")))
    there = say("where to: another of these, which must be empty (default: what TIDEMARK_DATABASE names)")
    move.add_argument("target", metavar=spoken(say("TO")), nargs="?", help=help_text(there))
    move.set_defaults(run=run_move)


def run_move(options: argparse.Namespace) -> int:
    from webapp import moving
    from webapp.cli.opening import convert
    from webapp.database import engine_of, named

    target = options.target or os.environ.get("TIDEMARK_DATABASE")
    if not target:
        complain(say("say where to, or set TIDEMARK_DATABASE to it."))
        return USAGE_ERROR
    if engine_of(options.source).exists(options.source):
        convert(options.source)
    bar = Bar()
    try:
        with interruptible():
            moved = moving.move(options.source, target, bar)
    except KeyboardInterrupt:
        bar.clear()
        complain(say("stopped. Say the same again: it begins anew, or says that everything is there."))
        return FAILED
    finally:
        bar.clear()
    what = say_count("{n} game", "{n} games", moved.plays)
    whose = say_count("{n} club", "{n} clubs", moved.clubs)
    names = {"file": named(target), "source": named(options.source)}
    if moved.was_there:
        out(say("{file} holds all of {source} already: {whose}, {what}.", whose=whose, what=what, **names))
    else:
        out(say("{file} holds all of {source}, and was compared: {whose}, {what}.", whose=whose, what=what, **names))
    if moved.miscounted:
        tables = in_a_row(moved.miscounted)
        out(
            say(
                "Something had been counted wrongly before ({tables}). “tidemark recount” puts it right.", tables=tables
            )
        )
    out(
        say(
            "{source} is as it was. Set TIDEMARK_DATABASE to the new one, and start the server.", source=names["source"]
        )
    )
    return 0
