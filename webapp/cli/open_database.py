"""Open the database of a command, and find its club."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scorer.sentences import say
from webapp import clock_check, clubs, conversion, jobs, private_files
from webapp.cli.terminal import Bar, Unusable, complain
from webapp.database import Database, engine_of, files, local_files, named, used
from webapp.history import job_steps, rebuild
from webapp.schema import upgrade


@contextmanager
def opened(path: str, new: bool = False) -> Iterator[Database]:
    """Yield the database with an up-to-date schema. If there is none, create it with `new`, else raise Unusable."""
    if not new and not engine_of(path).exists(path):
        raise Unusable(files.missing(named(path)))
    upgrade.check_path(path)
    convert(path)
    with used(path):
        db = upgrade.opened(path)
        try:
            narrow(path)
            clock_check.check(db)
            rebuild.update_labels(db)
            bar = Bar()
            jobs.finish(db, job_steps.STEPS, lambda job: bar("begun", job.done, job.total or job.done))
            bar.clear()
            yield db
        finally:
            db.close()


def convert(path: str) -> None:
    """Convert a database of Tidemark 0.7 if needed, and print what was done."""
    bar = Bar()

    def report(done: int, total: int) -> None:
        if not done:
            for sentence in conversion.before():
                complain(sentence)
        bar("converting", done, total)

    try:
        converted = conversion.convert_if_needed(path, report)
    finally:
        bar.clear()
    for sentence in conversion.in_words(converted) if converted else ():
        complain(sentence)


def narrow(path: str) -> None:
    """Make the database's files readable only by their owner. Print a warning if others could read them."""
    narrowed = private_files.restrict_all(local_files(path))
    if narrowed:
        complain(private_files.in_words(narrowed))


def club_of(db: Database, name: str | None) -> int:
    """Return the id of the club with this name, else with this number; with None, of the first club. Raise Unusable if
    there is no such club."""
    if name is None:
        found = clubs.first_club(db)
    else:
        row = db.row("SELECT id FROM clubs WHERE name = ? ORDER BY id", name)
        is_number = name.isascii() and name.isdecimal() and len(name) < 10
        found = row["id"] if row else int(name) if is_number else None
    if found is None or not clubs.name_of(db, found):
        raise Unusable(say("there is no such club."))
    return found
