"""Move everything to another database, a file or a server, and compare it there.

Either all data arrive and are the same, or nothing does: after a stop the move begins again. The old database is only
read, at one moment, while nobody else uses it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass

from scorer.sentences import Sentence, as_it_is, in_a_row, say
from webapp import clubs
from webapp.database import Database, copying, engine_of, files
from webapp.exchange import export_files
from webapp.operator_errors import Refusal
from webapp.schema import migrations, upgrade

Tell = Callable[[str, int, int], None]  # stage, progress and total
Tables = Mapping[str, tuple[int, str]]  # number and digest of rows


class MoveError(Refusal):
    """Signal that the data could not be moved; the message says why."""


@dataclass(frozen=True, slots=True)
class MoveResult:
    """Hold the number of clubs and games in the new database, and whether it had all data before the move."""

    clubs: int
    plays: int
    was_there: bool


def move(source: str, target: str, tell: Tell) -> MoveResult:
    """Move everything from the database at `source` to the one at `target`; `tell` shows progress.

    Tables computed from other tables are copied even if they are wrong.
    """
    for address in (source, target):
        engine_of(address).check_address(address)
    if not engine_of(source).exists(source):
        raise MoveError(files.missing(engine_of(source).named(source)))
    try:
        with ExitStack() as stack:
            for address in dict.fromkeys((source, target)):
                stack.enter_context(engine_of(address).alone(address))
            old = stack.enter_context(closing(engine_of(source).to_read(source)))
            stack.enter_context(old.snapshot())
            _refuse_what_is_not_current(old, source)
            was_there = _take(old, target, tell)
            with closing(engine_of(target).connect(target)) as new:
                return _moved(new, was_there)
    except (*engine_of(source).ERRORS, *engine_of(target).ERRORS) as fault:
        whose = next(address for address in (target, source) if isinstance(fault, engine_of(address).ERRORS))
        raise MoveError(engine_of(whose).refusal_of(whose, fault)) from fault


def _refuse_what_is_not_current(db: Database, address: str) -> None:
    if not upgrade.is_current(db):
        name = engine_of(address).named(address)
        raise MoveError(files.of_steps(name, db.steps_taken(), migrations.steps) or files.of_07(name))


def _take(old: Database, target: str, tell: Tell) -> bool:
    """Copy everything to the target and compare it; return True if the target already had all data."""
    engine = engine_of(target)
    tables = copying.tables(migrations.steps)
    if not engine.is_free(target):
        with closing(engine.to_read(target)) as there, there.snapshot():
            _refuse_what_differs(old, there, target, tell)
            return True
    with engine.arriving(target, migrations.steps) as new:
        passed = copying.copy(old, new, tables, _Counting("copying", copying.count(old, tables), tell))
        difference = _difference(old, new, passed, tell)
        if difference:
            raise MoveError(say("We deleted the copy, because it differs: {what}.", what=difference))
    return False


def _refuse_what_differs(old: Database, there: Database, target: str, tell: Tell) -> None:
    """Raise MoveError unless the target has the same data already, as after a move that stopped at its last step."""
    tables = copying.tables(migrations.steps)
    name = engine_of(target).named(target)
    if upgrade.is_current(there) and copying.count(old, tables) == copying.count(there, tables):
        held = copying.digests(old, tables, _Counting("comparing", copying.count(old, tables), tell))
        if not _difference(old, there, held, tell):
            return
    raise MoveError(files.not_empty(name))


class _Counting:
    """Add up rows that were copied or compared, and show their number in the progress bar."""

    def __init__(self, what: str, total: int, tell: Tell) -> None:
        self.what, self.total, self.tell = what, total, tell
        self.done = 0

    def __call__(self, more: int) -> None:
        self.done += more
        self.tell(self.what, self.done, self.total)


def _difference(old: Database, new: Database, passed: Tables, tell: Tell) -> Sentence | None:
    """Return what differs in the new database: the names of tables, or else of the first club; None if nothing does.

    `passed` has the count and checksum of each old table. Clubs are compared by their exports.
    """
    rows = sum(count for count, _ in passed.values())
    held = copying.digests(new, tuple(passed), _Counting("comparing", rows, tell))
    different = [table for table in passed if held[table] != passed[table]]
    if different:
        return in_a_row(different)
    numbers = [club_id for (club_id,) in old.execute("SELECT id FROM clubs ORDER BY id").fetchall()]
    for number, club_id in enumerate(numbers, start=1):
        if _export(old, club_id) != _export(new, club_id):
            return as_it_is(clubs.name_of(old, club_id))
        tell("comparing", number, len(numbers))
    return None


def _export(db: Database, club_id: int) -> str:
    digest = hashlib.sha256()
    for piece in export_files.write(db, club_id, "json"):
        digest.update(piece.replace("\\u0000", copying.NO_NUL).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _moved(db: Database, was_there: bool) -> MoveResult:
    [number] = db.execute("SELECT count(*) FROM clubs").fetchone()
    [plays] = db.execute("SELECT count(*) FROM all_plays").fetchone()
    return MoveResult(number, plays, was_there)
