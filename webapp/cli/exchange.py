"""Run `tidemark export` and `tidemark import`, with a progress bar. Ctrl-C stops them and leaves nothing behind."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.sentences import say, say_count
from webapp.cli.terminal import FAILED, Bar, Unusable, cannot_read, complain, localized, out

if TYPE_CHECKING:
    from webapp.database import Database
    from webapp.exchange import Import
    from webapp.jobs import Job

STOPPED = say("Import cancelled. Nothing was added.")
FAILED_HERE = say("import failed; “tidemark doctor” says why")


@contextmanager
def interruptible() -> Iterator[None]:
    """Let the signal SIGTERM interrupt the work as Ctrl-C does."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run_export(options: argparse.Namespace) -> int:
    from webapp.cli.open_database import club_of, opened

    bar = Bar()
    with opened(options.db) as db, interruptible():
        chunks = export_chunks(db, club_of(db, options.club), options, bar)
        try:
            if options.file == "-":
                for chunk in chunks:
                    sys.stdout.buffer.write(chunk.encode())
            else:
                write_file(Path(options.file), chunks)
        except OSError as fault:
            complain(cannot_read(options.file, fault))
            return FAILED
        except KeyboardInterrupt:
            bar.clear()
            complain(say("export cancelled; no file was written"))
            return FAILED
    bar.clear()
    return 0


def export_chunks(db: Database, club_id: int, options: argparse.Namespace, bar: Bar) -> Iterator[str]:
    from webapp.clubs import People
    from webapp.exchange import export_files

    if options.player:
        people = People(db, club_id)
        name = people.spelling(options.player)
        found = db.row("SELECT id FROM players WHERE club_id = ? AND name = ?", club_id, name)
        if found is None:
            raise Unusable(say("this club has no player {name}.", name=options.player))
        return export_files.person(db, found["id"], name, lambda done: bar("writing", done, 0))
    kind = options.kind or export_files.kind_of(options.file)
    total = export_files.plays_of(db, club_id, kind)
    return export_files.write(db, club_id, kind, options.excel, lambda done: bar("writing", done, total))


def write_file(file: Path, chunks: Iterator[str]) -> None:
    """Write the chunks to a file that only its owner may read. If writing fails, an old file stays unchanged."""
    from webapp import private_files

    unfinished = file.with_name(f".{file.name}.part")
    try:
        with private_files.open_to_write(unfinished) as to:
            to.writelines(chunks)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def run_import(options: argparse.Namespace) -> int:
    try:
        with local_copy(options.file) as file:
            return import_file(options, file)
    except OSError as fault:
        complain(cannot_read(options.file, fault))
        return FAILED


@contextmanager
def local_copy(file: str) -> Iterator[Path]:
    """Yield the path of the file to import. Standard input is copied to a temporary file, as it is read twice."""
    if file != "-":
        with open(file, "rb"):
            yield Path(file)
        return
    with tempfile.TemporaryDirectory() as folder:
        with open(Path(folder) / "import", "w+b") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        yield Path(copy.name)


def import_file(options: argparse.Namespace, file: Path) -> int:
    from webapp import clubs, jobs
    from webapp.cli.open_database import club_of, opened
    from webapp.exchange import Refused, imports
    from webapp.history import job_steps

    bar = Bar()
    with opened(options.db, new=True) as db, interruptible():
        founded = clubs.first_club(db) is None
        club_id = clubs.create(db, "Imported club") if founded else club_of(db, options.club)
        key = imports.begin(db, club_id)
        refusal: str = STOPPED  # unless something else happens
        try:
            one = start_import(db, key, file, bar, options.dates)
            if one is not None and one.state == "done":
                refusal = one.refusal
            elif one is not None:
                refusal = FAILED_HERE
        except Refused as fault:
            refusal, one = fault.message, None
        except KeyboardInterrupt:
            imports.stop(db, key)
            one = finish(db, key, bar)
        bar.clear()
        if one is None or refusal:
            complain(refusal)
            if founded:
                clubs.remove(db, club_id)
            return FAILED
        print_outcome(db, one, options.theirs)
        jobs.finish(db, job_steps.STEPS)
    return 0


def start_import(db: Database, key: str, file: Path, bar: Bar, dates: str) -> Import | None:
    from webapp.exchange import files, imports

    with file.open("rb") as content:
        size = files.keep(db, imports.job_of(db, key), content)
    one = imports.inspect(db, key, size, {"dates": dates})
    if one.state == "asking":
        imports.answer(db, one, imports.guessed(db, one))
    return finish(db, key, bar)


def finish(db: Database, key: str, bar: Bar) -> Import | None:
    """Run the import `key` to its end, or wait while the server runs it. Return it, or None if it was cancelled."""
    from webapp.exchange import imports

    def report(job: Job) -> None:
        one = imports.Import(job)
        bar(one.state, job.done, job.total or 0)

    return imports.finish(db, key, report=report)


def print_outcome(db: Database, one: Import, theirs: bool) -> None:
    """Print how many games were added, skipped and fixed, and where games in the file differ from ours. With `theirs`,
    replace ours by those in the file."""
    from webapp.exchange import import_report

    result = one.result()
    added = say_count("{n} game added", "{n} games added", result.added)
    known = say_count("{n} was already here", "{n} were already here", result.known)
    out(added)
    out(known)
    if result.others:
        out(say_count("{n} skipped: not a game of Tidemark", "{n} skipped: not games of Tidemark", result.others))
        print_example(result.examples[import_report.OTHER_GAME])
    for heading, words in ((say("Skipped"), import_report.REASONS), (say("Fixed"), import_report.CHANGES)):
        for why, count, example in result.counted(words):
            games = say_count("{n} game {why}", "{n} games {why}", count, why=why)
            print(f"{localized(heading)}: {localized(games)}")
            print_example(example)
    print_corrections(db, one, theirs)


def print_example(example: str) -> None:
    print("  " + localized(say("For example: {example}", example=example)))


def print_corrections(db: Database, one: Import, theirs: bool) -> None:
    from webapp.exchange import corrections, differences

    found = corrections.of_import(db, one.job, 10**9)
    for play in found:
        print(f"{play.game} {play.played_at[:10]} {play.key}")
        for field, ours, other in play.differences:
            label = differences.FIELDS.get(field, field)
            out(say("{field}: “{ours}” here, “{theirs}” in the file", field=label, ours=ours, theirs=other))
    if found:
        shown = [play.play_id for play in found]
        corrections.resolve(db, one.job, shown, shown if theirs else [])
        if theirs:
            out(say_count("{n} game replaced.", "{n} games replaced.", len(found)))
        else:
            out(say("Your games were kept. To replace them, use --theirs."))
