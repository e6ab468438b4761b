"""Define the subcommands that work on a history: demo, recount, rescore, backup, restore, export, import."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from scorer.sentences import Sentence, in_a_row, say, say_count
from webapp.cli.exchange import run_export, run_import
from webapp.cli.terminal import FAILED, Bar, help_text, localized, out

FILE = "tidemark.db"
A_FILE = say("a file, or - for standard input or output")
A_DATABASE = say("SQLite file or PostgreSQL address")
Run = Callable[[argparse.Namespace], int]


def add(commands: Any) -> None:
    """Add the commands for histories, such as `tidemark backup`, with their options."""
    demo = command(commands, "demo", run_demo, say("create a demo club"))
    demo.add_argument("--games", type=int, default=60, help=help_text(say("number of games (default: 60)")))
    recount = command(commands, "recount", run_recount, say("check and fix all statistics"))
    recount.add_argument("--check", action="store_true", help=help_text(say("only check")))
    rescore = command(commands, "rescore", run_rescore, say("show games that score differently today"))
    rescore.add_argument(
        "--apply",
        action="store_true",
        help=help_text(say("save the new results; the old ones are kept")),
    )
    rescore.add_argument(
        "--all", action="store_true", help=help_text(say("check all games, even if the rules have not changed"))
    )
    backup = command(commands, "backup", run_backup, say("make and check a backup"))
    backup.add_argument("file", type=Path)
    restore = command(commands, "restore", run_restore, say("restore a backup"))
    restore.add_argument("file", type=Path)
    restore.add_argument(
        "--replace", action="store_true", help=help_text(say("replace the database; the old one is renamed and kept"))
    )
    _add_exchange(commands)


def _add_exchange(commands: Any) -> None:
    export = command(commands, "export", run_export, say("export a club’s games"))
    export.add_argument("file", nargs="?", default="-", help=help_text(A_FILE))
    kinds = say("the format (default: by the file’s ending)")
    export.add_argument("--as", dest="kind", choices=("json", "players", "lines", "bgstats"), help=help_text(kinds))
    export.add_argument("--excel", action="store_true", help=help_text(say("CSV for Excel")))
    importing = command(commands, "import", run_import, say("import games from Tidemark or BG Stats"))
    importing.add_argument("file", help=help_text(A_FILE))
    importing.add_argument(
        "--theirs",
        action="store_true",
        help=help_text(say("replace games that differ; yours are kept")),
    )
    importing.add_argument(
        "--dates",
        choices=("day", "month"),
        default="",
        help=help_text(say("what comes first in 3/4/2026: day or month")),
    )
    export.add_argument("--player", help=help_text(say("only this person’s data")))
    add_club(export)
    add_club(importing)


def add_club(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--club", metavar="NAME", help=help_text(say("the club’s name or number (default: the first)"))
    )


def command(commands: Any, name: str, run: Run, words: Sentence) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help_text(words), description=localized(words))
    add_database(parser)
    parser.set_defaults(run=run)
    return parser


def add_database(command: argparse.ArgumentParser) -> None:
    """Add the option `--db`. Its help leaves out the default address, which may contain a password."""
    named = os.environ.get("TIDEMARK_DATABASE")
    about = say("{database} (default: {file})", database=A_DATABASE, file="TIDEMARK_DATABASE" if named else FILE)
    command.add_argument("--db", default=named or FILE, help=help_text(about))


def run_demo(options: argparse.Namespace) -> int:
    from webapp import clubs
    from webapp.cli import demo
    from webapp.cli.open_database import opened
    from webapp.database import named

    with opened(options.db, new=True) as db:
        club_id = demo.seed(db, options.games)
        club, link = clubs.name_of(db, club_id), clubs.links(db, club_id)["owner"]
    out(
        say_count(
            "{club} has {n} game in {file}.",
            "{club} has {n} games in {file}.",
            options.games,
            club=club,
            file=named(options.db),
        )
    )
    out(say("To join as owner, open {path} on your server", path=f"/join/{link}"))
    return 0


def run_recount(options: argparse.Namespace) -> int:
    from webapp import jobs
    from webapp.cli.open_database import opened
    from webapp.history import job_steps, rebuild

    with opened(options.db) as db:
        bar = Bar()
        run = rebuild.check if options.check else rebuild.rebuild
        jobs.try_again(db)
        jobs.finish(db, job_steps.STEPS)
        wrong = in_a_row(run(db, report=partial(bar, "counting")))
        bar.clear()
    if not wrong:
        out(say("All statistics are right."))
        return 0
    out(
        say("Wrong statistics: {tables}", tables=wrong)
        if options.check
        else say("Fixed statistics: {tables}", tables=wrong)
    )
    return FAILED if options.check else 0


def run_rescore(options: argparse.Namespace) -> int:
    from webapp.cli.open_database import opened
    from webapp.clubs import audit_log
    from webapp.history import rescore

    with opened(options.db) as db:
        club_ids = [club_id for (club_id,) in db.execute("SELECT id FROM clubs").fetchall()]
        found = [rescoring for club_id in club_ids for rescoring in rescore.outdated(db, club_id, options.all)]
        for rescoring in found:
            print(f"{rescoring.game} {rescoring.played_at[:10]} {rescoring.key}")
            for sentence in rescore.in_words(rescoring):
                print(f"  {localized(sentence)}")
        if options.apply:
            with db.atomic():
                rescore.apply(db, [rescoring.play_id for rescoring in found])
                for club_id in club_ids:
                    rescore.mark_current(db, club_id)
                for rescoring in found:
                    audit_log.note_of_game(db, rescoring.play_id, "rescored")
    if options.apply:
        out(say_count("{n} game was rescored.", "{n} games were rescored.", len(found)))
    else:
        out(say_count("{n} game would change.", "{n} games would change.", len(found)))
    return 0


def run_backup(options: argparse.Namespace) -> int:
    from webapp import backup

    plays = backup.backup(options.db, options.file)
    file = str(options.file)
    out(
        say_count(
            "Backup made and checked: {file}, {n} game.",
            "Backup made and checked: {file}, {n} games.",
            plays,
            file=file,
        )
    )
    return 0


def run_restore(options: argparse.Namespace) -> int:
    from webapp import backup, conversion
    from webapp.cli.open_database import convert
    from webapp.database import named

    aside = backup.restore(options.file, options.db, options.replace)
    out(say("{file} is restored.", file=named(options.db)))
    if aside:
        out(conversion.old_one(str(aside)))
    convert(options.db)
    return 0
