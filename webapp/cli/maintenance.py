"""Define the subcommands for server owners: doctor, clock and link."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from scorer.sentences import say, say_count
from webapp.cli.history import add_club, command
from webapp.cli.terminal import FAILED, help_text, localized, out


def add(commands: Any) -> None:
    """Add the commands for server owners, such as `tidemark doctor`, with their options."""
    doctor = command(commands, "doctor", run_doctor, say("check the installation"))
    doctor.add_argument("--json", action="store_true", help=help_text(say("print JSON")))
    doctor.add_argument("--port", type=int, default=8000, help=help_text(say("the server’s port (default: 8000)")))
    watch = command(commands, "clock", run_clock, say("check the computer’s clock"))
    right = say("trust the clock from now on")
    watch.add_argument("--right", action="store_true", help=help_text(right))
    link = command(commands, "link", run_link, say("print an invitation to a club"))
    add_club(link)
    whom = say("the role to invite as (default: owner)")
    link.add_argument("--role", choices=("owner", "member", "viewer"), default="owner", help=help_text(whom))
    link.add_argument("--port", type=int, default=8000, help=help_text(say("the server’s port (default: 8000)")))


def run_doctor(options: argparse.Namespace) -> int:
    from webapp import doctor

    findings = doctor.examine(options.db, options.port, os.environ)
    level = doctor.worst(findings)
    if options.json:
        print(json.dumps({"level": level, "findings": [one.to_json() for one in findings]}, ensure_ascii=False))
        return level
    words = {doctor.FINE: say("OK"), doctor.WARNING: say("warning"), doctor.FAULT: say("error")}
    for one in sorted((one for one in findings if one.said), key=lambda one: -one.level):
        print(f"{localized(words[one.level])}: {localized(one.said)}")
        if one.do:
            print(f"    {localized(one.do)}")
    sound = sum(one.level == doctor.FINE for one in findings)
    out(say_count("{n} check found nothing wrong.", "{n} checks found nothing wrong.", sound))
    return level


def run_clock(options: argparse.Namespace) -> int:
    from webapp import clock_check
    from webapp.cli.open_database import opened
    from webapp.clock import clock, now

    with opened(options.db) as db:
        if options.right:
            clock_check.believe(db)
        doubt = clock.doubt
    out(clock_check.in_words(doubt) if doubt else say("The clock is right: {now}.", now=now()))
    return FAILED if doubt else 0


def run_link(options: argparse.Namespace) -> int:
    from webapp import settings
    from webapp.cli.open_database import club_of, opened
    from webapp.server import lan_address, show_invitation

    with opened(options.db) as db:
        club_id = club_of(db, options.club)
        address = settings.of(os.environ).get("PUBLIC_URL") or f"http://{lan_address()}:{options.port}"
        show_invitation(db, club_id, options.role, address.rstrip("/"))
    return 0
