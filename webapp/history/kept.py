"""Saved games as they are kept, read: here, and nowhere else, the names are put back into their places.

A file of before names were kept apart has plays whose texts still hold them, until `naming_anew` has gone through
all of them. Such a play has no rows in `kept_seats`; it is read as if it had.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.contract import Json
from scorer.result import Result, revived
from webapp import clubs
from webapp.database import Database
from webapp.history.naming import hidden, told

BATCH = 500  # plays that are read, or counted, together
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Play:
    """A saved game."""

    id: int
    key: str
    club_id: int
    game: str
    played_at: str
    day: str  # at the club, which may be another than in UTC
    saved_at: str
    version: int
    record: Json
    result: Result
    notes: str
    place: str
    minutes: int | None
    source: str
    deleted_at: str | None


COLUMNS = ", ".join(Play.__dataclass_fields__)


def with_names(db: Database, rows: Sequence[Row]) -> list[Row]:
    """Rows with `id`, `version`, `record` and `result` of plays or of earlier versions, as people read them."""
    seats = _seats(db, [row["id"] for row in rows])
    found = []
    for row in rows:
        names = seats.get((row["id"], row["version"]))
        if names is None:
            record, result, names = as_before(db, row)
        else:
            record, result = row["record"], row["result"]
        found.append({**row, "record": told(record, names), "result": told(result, names)})
    return found


def _seats(db: Database, ids: Sequence[int]) -> dict[tuple[int, int], list[str]]:
    """By play and version the names, by seat."""
    found: dict[tuple[int, int], list[str]] = {}
    for play_id, version, name in db.execute(
        f"""SELECT play_id, version, name FROM kept_seats JOIN players ON players.id = player_id
        WHERE play_id IN ({", ".join("?" * len(ids))}) ORDER BY play_id, version, seat""",
        list(ids),
    ).fetchall():
        found.setdefault((play_id, version), []).append(name)
    return found


def as_before(db: Database, row: Row) -> tuple[str, str, list[str]]:
    """A text of before names were kept apart: with the names hidden, and how those who sat there are called now."""
    record, result = json.loads(row["record"]), json.loads(row["result"])
    written = [player["name"] for player in result["players"]]
    now: dict[str, str] = dict(
        db.execute(
            """SELECT former_names.name, players.name FROM former_names JOIN players ON players.id = player_id
            WHERE former_names.club_id = (SELECT club_id FROM kept_plays WHERE id = ?)""",
            [row["id"]],
        ).fetchall()
    )
    return *hidden(record, result), [now.get(name, name) for name in written]


def unpacked(result: str) -> Result:
    """A result as it was packed, with its texts as sentences again."""
    return revived(json.loads(result))


def play_of(row: Row, read: Callable[[str], Result] = unpacked) -> Play:
    """A row with names, unpacked; `json.loads` reads it faster where nobody is told of reasons."""
    plain = {name: row[name] for name in Play.__dataclass_fields__ if name not in {"record", "result"}}
    return Play(**plain, record=json.loads(row["record"]), result=read(row["result"]))


def find(db: Database, key: str) -> Play | None:
    return _one(db, "key = ?", key)


def by_id(db: Database, play_id: int, read: Callable[[str], Result] = unpacked) -> Play | None:
    return _one(db, "id = ?", play_id, read)


def _one(db: Database, which: str, value: Any, read: Callable[[str], Result] = unpacked) -> Play | None:
    row = db.row(f"SELECT {COLUMNS} FROM kept_plays WHERE {which}", value)
    return play_of(with_names(db, [row])[0], read) if row else None


def each(db: Database, club_id: int, deleted: bool = True, columns: str = COLUMNS) -> Iterator[Row]:
    """The club's plays as rows with names, in the order they came, some hundred in memory at a time."""
    last = 0
    which = "" if deleted else "AND deleted_at IS NULL"
    while rows := list(
        db.query(
            f"SELECT {columns} FROM kept_plays WHERE club_id = ? {which} AND id > ? ORDER BY id LIMIT ?",
            [club_id, last, BATCH],
        )
    ):
        yield from with_names(db, rows)
        last = rows[-1]["id"]


def versions(db: Database, play_id: int) -> list[Row]:
    """The earlier versions with names, the latest first."""
    rows = list(
        db.query(
            """SELECT play_id AS id, version, saved_at, record, result, rules_version FROM play_versions
            WHERE play_id = ? ORDER BY version DESC""",
            [play_id],
        )
    )
    return with_names(db, rows) if rows else []


def key_of(db: Database, play_id: int) -> str:
    [key] = db.execute("SELECT key FROM kept_plays WHERE id = ?", [play_id]).fetchone()
    return str(key)


def headline(db: Database, play_id: int | None) -> dict[str, Any] | None:
    """What a page says of a game beside it: its key, its day and which version of it stands."""
    return db.row("SELECT key, played_at, version FROM kept_plays WHERE id = ?", play_id) if play_id else None


def saved_from(db: Database, table_key: str) -> str | None:
    """The key of the game that was saved from this table."""
    row = db.row("SELECT key FROM kept_plays WHERE table_key = ?", table_key)
    return row["key"] if row else None


def seat(db: Database, play_id: int, version: int, player_ids: Sequence[int]) -> None:
    """Who sat where in this version of a play."""
    db.executemany(
        "INSERT INTO kept_seats VALUES (?, ?, ?, ?)",
        [(play_id, version, number, player_id) for number, player_id in enumerate(player_ids)],
    )


def seated(people: clubs.People, result: Result) -> tuple[int, ...]:
    """Who they are that sat there."""
    people.look_up([player["name"] for player in result["players"]])
    return tuple(people.id_of(player["name"]) for player in result["players"])
