"""The reveal: everybody sees the result come about at the same moment; when it began, and whether it is over.

The server says how long ago it began, and each page plays its beats from there. A phone that is alone at its table
plays them for itself, once.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from scorer.contract import Json
from scorer.result import Result, gaps, is_final, unplaced
from webapp.database import Database
from webapp.table.beats import Beat, script
from webapp.table.tables import Table, touch


@dataclass(frozen=True, slots=True)
class Show:
    """The reveal while it runs: phones go by the ms since it began, as their clocks differ."""

    beats: tuple[Beat, ...]
    length: int
    full: int  # points that fill a gauge
    elapsed: int
    unknown: frozenset[int]  # seats whose score nobody knows
    alone: bool  # nobody else watches


def show(table: Table, record: Json, result: Result) -> Show | None:
    """The reveal if it is to be seen now."""
    alone = table.phones < 2 and table.revealed_at is None
    if not result["ok"] or table.skipped or table.hides_results:
        return None
    is_edited = table.play_id is not None and table.saved_at is None
    if alone and (is_edited or result["needs"]):  # nothing new, or questions come first
        return None
    unknown = gaps(record, result) | {seat for seat, one in enumerate(result["players"]) if not is_final(one)}
    told = script(table.game, result, unknown, unplaced(record, result))
    elapsed = 0 if table.revealed_at is None else max(0, moment() - table.revealed_at)
    return Show(told.beats, told.length, told.full, elapsed, unknown, alone) if elapsed < told.length else None


def lift(db: Database, table: Table) -> None:
    """Raise the curtain."""
    if table.revealed_at is None:
        _begin(db, table)


def again(db: Database, table: Table) -> None:
    """Show it once more, to everybody."""
    if table.revealed_at is not None:
        _begin(db, table)


def _begin(db: Database, table: Table) -> None:
    db.execute("UPDATE tables SET revealed_at = ?, skipped = 0 WHERE id = ?", [moment(), table.id])
    touch(db, table)


def skip(db: Database, table: Table) -> None:
    """Straight to the result, on every screen."""
    if table.revealed_at is not None and not table.skipped:
        db.execute("UPDATE tables SET skipped = 1 WHERE id = ?", [table.id])
        touch(db, table)


def moment() -> int:
    return time.time_ns() // 1_000_000
