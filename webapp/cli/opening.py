"""Opens the database that a command is about, and finds the club in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scorer.sentences import say
from webapp import clubs, timekeeper
from webapp.cli.terminal import Unusable
from webapp.database import Database, connect
from webapp.history import recount
from webapp.schema import migrations


@contextmanager
def opened(path: str, new: bool = False) -> Iterator[Database]:
    """The database with its schema up to date. Only some commands may make a new one."""
    if not new and not Path(path).exists():
        raise Unusable(say("there is no database {file}. Name it with --db.", file=path))
    db = connect(path)
    try:
        migrations.steps.apply(db)
        timekeeper.look(db)
        recount.if_due(db)
        yield db
    finally:
        db.close()


def club_of(db: Database, number: int | None) -> int:
    """The club of that number, or else the first."""
    found = number if number is not None else clubs.first_club(db)
    if found is None or not clubs.name_of(db, found):
        raise Unusable(say("there is no such club."))
    return found
