"""The subcommands of `tidemark` that look after a history: demo, recount, rescore, backup, restore, export, import."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webapp.database import Database

FAILED = 1
KIND_HELP = "json (everything), players or lines (CSV), bgstats; by default what the file's name ends in says"


def add(commands: Any) -> None:
    """Their options, as in `tidemark COMMAND --help`."""

    def command(name: str, run: Callable[[argparse.Namespace], int], words: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = commands.add_parser(name, help=words, description=words)
        database = os.environ.get("TIDEMARK_DATABASE", "tidemark.db")
        parser.add_argument("--db", default=database, help=f"the SQLite file (default: {database})")
        parser.set_defaults(run=run)
        return parser

    demo = command("demo", run_demo, "found a club with some seasons of games, to look around in")
    demo.add_argument("--games", type=int, default=60, help="how many (default: 60)")
    recount = command("recount", run_recount, "count all statistics anew and put right what was wrong")
    recount.add_argument("--check", action="store_true", help="only say what is wrong")
    rescore = command("rescore", run_rescore, "show which saved games today's rules would score differently")
    rescore.add_argument("--apply", action="store_true", help="save the new results; the old ones are kept as versions")
    rescore.add_argument("--all", action="store_true", help="also games that were scored by today's rules")
    backup = command("backup", run_backup, "copy the database while it is in use, and check the copy")
    backup.add_argument("file", type=Path)
    restore = command("restore", run_restore, "put a checked copy in the place of the database")
    restore.add_argument("file", type=Path)
    restore.add_argument("--replace", action="store_true", help="even if there is a database, which is set aside")
    export = command("export", run_export, "write out a club's history")
    export.add_argument("file", nargs="?", default="-", help="where to (default: standard output)")
    export.add_argument("--as", dest="kind", choices=("json", "players", "lines", "bgstats"), help=KIND_HELP)
    export.add_argument("--excel", action="store_true", help="CSV with the mark that tells Excel it is UTF-8")
    export.add_argument("--club", type=int, help="its number (default: the first club)")
    importing = command("import", run_import, "read in a history: our JSON or CSV, BG Stats JSON or .bgsplay")
    importing.add_argument("file", help="a file, or - for standard input")
    importing.add_argument("--club", type=int, help="its number (default: the first club)")


@contextmanager
def opened(path: str, new: bool = False) -> Iterator[Database]:
    """The database with its schema up to date. Only some commands may make a new one."""
    from webapp.database import connect
    from webapp.history import recount
    from webapp.schema import migrations

    if not new and not Path(path).exists():
        raise SystemExit(f"tidemark: there is no database {path}. Name it with --db.")
    db = connect(path)
    try:
        migrations.steps.apply(db)
        recount.if_due(db)
        yield db
    finally:
        db.close()


def club_of(db: Database, options: argparse.Namespace) -> int:
    from webapp import clubs

    found = options.club if options.club is not None else clubs.first_club(db)
    if found is None or not clubs.name_of(db, found):
        raise SystemExit("tidemark: there is no such club.")
    return int(found)


def run_demo(options: argparse.Namespace) -> int:
    from webapp import clubs
    from webapp.cli import demo

    with opened(options.db, new=True) as db:
        club_id = demo.seed(db, options.games)
        print(f"{clubs.name_of(db, club_id)} has {options.games} games in {options.db}.")
        print(f"Its owner's invitation ends in /join/{clubs.links(db, club_id)['owner']}")
    return 0


def run_recount(options: argparse.Namespace) -> int:
    from webapp.history.recount import recount

    with opened(options.db) as db:
        wrong = recount(db, repair=not options.check)
    if not wrong:
        print("Everything had been counted right.")
        return 0
    print(f"{'Wrong' if options.check else 'Put right'}: {', '.join(wrong)}")
    return FAILED if options.check else 0


def run_rescore(options: argparse.Namespace) -> int:
    from webapp.history import rescore

    with opened(options.db) as db:
        club_ids = [club_id for (club_id,) in db.execute("SELECT id FROM clubs").fetchall()]
        found = [change for club_id in club_ids for change in rescore.outdated(db, club_id, options.all)]
        for change in found:
            print(rescore.as_text(change))
        if options.apply:
            rescore.apply(db, [change.play_id for change in found])
            for club_id in club_ids:
                rescore.settle(db, club_id)
    print(f"{len(found)} games {'are scored anew' if options.apply else 'would change'}.")
    return 0


def run_backup(options: argparse.Namespace) -> int:
    from webapp import backup

    try:
        plays = backup.backup(options.db, options.file)
    except backup.BackupError as fault:
        print(f"tidemark: {fault}", file=sys.stderr)
        return FAILED
    print(f"{options.file} holds {plays} games and was checked.")
    return 0


def run_restore(options: argparse.Namespace) -> int:
    from webapp import backup

    try:
        aside = backup.restore(options.file, options.db, options.replace)
    except backup.BackupError as fault:
        print(f"tidemark: {fault}", file=sys.stderr)
        return FAILED
    print(f"{options.db} is restored." + (f" The database before it is now {aside}." if aside else ""))
    return 0


def run_export(options: argparse.Namespace) -> int:
    from webapp.exchange import writing

    with opened(options.db) as db:
        kind = options.kind or writing.kind_of(options.file)
        chunks = writing.write(db, club_of(db, options), kind, options.excel)
        if options.file == "-":
            for chunk in chunks:
                sys.stdout.buffer.write(chunk.encode())
        else:
            with open(options.file, "w", encoding="utf-8", newline="") as out:
                out.writelines(chunks)
    return 0


def run_import(options: argparse.Namespace) -> int:
    from webapp import clubs
    from webapp.exchange import reading

    try:
        content = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    except OSError as fault:
        print(f"tidemark: cannot read {options.file}: {fault.strerror}", file=sys.stderr)
        return FAILED
    with opened(options.db, new=True) as db:
        try:
            club_id = club_of(db, options) if clubs.first_club(db) else clubs.found(db, "Imported club")
            told = reading.take_in(db, club_id, content)
        except reading.Refused as fault:
            print(f"tidemark: {fault}", file=sys.stderr)
            return FAILED
    print(f"{told.added} games added, {told.known} were here already.")
    if told.left_out or told.unreadable:
        print(f"{told.left_out} of other games and {told.unreadable} without a date or whole scores were left out.")
    return 0
