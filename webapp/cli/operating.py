"""The subcommands of `tidemark` for whoever keeps the machine: clock."""

from __future__ import annotations

import argparse
from typing import Any

from scorer.sentences import say
from webapp.cli.history import command
from webapp.cli.terminal import FAILED, help_text, out


def add(commands: Any) -> None:
    """Their options, as in `tidemark COMMAND --help`."""
    watch = command(commands, "clock", run_clock, say("say whether this computer’s clock can be believed"))
    right = say("it is right: go on by it, whatever was seen before")
    watch.add_argument("--right", action="store_true", help=help_text(right))


def run_clock(options: argparse.Namespace) -> int:
    from webapp import timekeeper
    from webapp.cli.opening import opened
    from webapp.clock import clock, now

    with opened(options.db) as db:
        if options.right:
            timekeeper.believe(db)
        doubt = clock.doubt
    out(timekeeper.in_words(doubt) if doubt else say("The clock is believed: it is {now}.", now=now()))
    return FAILED if doubt else 0
