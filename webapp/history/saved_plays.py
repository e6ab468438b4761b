"""Read saved games: the record with today's names of players, and the decision."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from scorer.contract import Json
from scorer.record_names import with_names
from scorer.result import Result
from webapp.database import Database, pack
from webapp.history.decision import Decision, ScoredLine, SeatScore
from webapp.history.outcome import Outcome, outcome

BATCH = 500  # games that are read together
Row = dict[str, Any]


@dataclass(frozen=True)
class Version:
    """Hold one version of a saved game: its record, its decision (the saved scores) and its players."""

    version: int
    saved_at: str
    record: Json
    decision: Decision
    player_ids: tuple[int, ...]
    source: str

    @cached_property
    def outcome(self) -> Outcome:
        """Return the result that pages show: by today's rules if they agree with the saved decision, otherwise as
        saved."""
        return outcome(self.record, self.decision, self.source)

    @property
    def result(self) -> Result:
        return self.outcome.result

    @property
    def names(self) -> list[str]:
        return [player["name"] for player in self.record["players"]]


@dataclass(frozen=True)
class Play(Version):
    """Hold the current version of a saved game, and its time, place, notes and other facts."""

    id: int
    key: str
    club_id: int
    game: str
    played_at: str
    day: str  # in the club's time zone
    variant: str
    notes: str
    place: str
    minutes: int | None
    source_id: str
    origin: str
    deleted_at: str | None


OWN = (
    "id",
    "key",
    "club_id",
    "game",
    "played_at",
    "day",
    "variant",
    "notes",
    "place",
    "minutes",
    "source_id",
    "origin",
)
OF_VERSION = "version, saved_at, basis, rules_version, decided_by, record, name_places"
COLUMNS = ", ".join((*OWN, "deleted_at", "source", OF_VERSION))
Seat = tuple[int, str, SeatScore]  # player, name and score


def find(db: Database, key: str) -> Play | None:
    """Return the game with this key, deleted or not, or None."""
    return _one(db, "key = ?", key)


def by_id(db: Database, play_id: int) -> Play | None:
    return _one(db, "id = ?", play_id)


def _one(db: Database, which: str, value: Any) -> Play | None:
    return next(iter(of_rows(db, db.query(f"SELECT {COLUMNS} FROM all_plays WHERE {which}", [value]))), None)


def by_ids(db: Database, ids: Sequence[int]) -> list[Play]:
    """Return the games with these ids, in the order of their ids."""
    sql = f"SELECT {COLUMNS} FROM all_plays WHERE id IN (SELECT value FROM numbers_in(?)) ORDER BY id"
    return of_rows(db, db.query(sql, [pack(list(ids))]))


def each(db: Database, club_id: int, deleted: bool = False) -> Iterator[Play]:
    """Yield the club's games in batches, in the order in which they were saved; `deleted` includes deleted ones."""
    last, which = 0, "" if deleted else "AND deleted_at IS NULL"
    sql = f"SELECT {COLUMNS} FROM all_plays WHERE club_id = ? {which} AND id > ? ORDER BY id LIMIT ?"
    while found := of_rows(db, db.query(sql, [club_id, last, BATCH])):
        yield from found
        last = found[-1].id


def of_rows(db: Database, rows: Iterator[Row]) -> list[Play]:
    """Return the games in these database rows, which have the columns `COLUMNS`."""
    found = list(rows)
    seats = _seats(db, [row["id"] for row in found]) if found else {}
    return [
        Play(
            **_version(row, seats.get(row["id"], []), row["source"]),
            **{name: row[name] for name in (*OWN, "deleted_at")},
        )
        for row in found
    ]


def versions(db: Database, play_ids: Sequence[int]) -> dict[int, list[Version]]:
    """Return the earlier versions of these games, oldest first, by the id of the game."""
    ids = pack(list(play_ids))
    seats: dict[tuple[int, int], list[Seat]] = {}
    for play_id, version, lines, *row in db.execute(
        """SELECT play_id, version, lines, player_id, name, total, rank, winner, final
        FROM version_scores JOIN players ON players.id = player_id
        WHERE play_id IN (SELECT value FROM numbers_in(?)) ORDER BY play_id, version, seat""",
        [ids],
    ):
        seats.setdefault((play_id, version), []).append(_seat(row, [tuple(line) for line in json.loads(lines)]))
    found: dict[int, list[Version]] = {}
    for row in db.query(
        f"""SELECT play_id, {", ".join(f"play_versions.{name}" for name in OF_VERSION.split(", "))}, source
        FROM play_versions JOIN all_plays ON id = play_id
        WHERE play_id IN (SELECT value FROM numbers_in(?)) ORDER BY play_id, play_versions.version""",
        [ids],
    ):
        values = _version(row, seats.get((row["play_id"], row["version"]), []), row["source"])
        found.setdefault(row["play_id"], []).append(Version(**values))
    return found


def _version(row: Row, seats: Sequence[Seat], source: str) -> dict[str, Any]:
    scores = tuple(score for _, _, score in seats)
    return {
        "version": row["version"],
        "saved_at": row["saved_at"],
        "record": with_names(json.loads(row["record"]), json.loads(row["name_places"]), [name for _, name, _ in seats]),
        "decision": Decision(scores, row["decided_by"], row["rules_version"], row["basis"]),
        "player_ids": tuple(player_id for player_id, _, _ in seats),
        "source": source,
    }


def _seats(db: Database, ids: Sequence[int]) -> dict[int, list[Seat]]:
    """Return the player, name and score of each seat, by the id of the game."""
    wanted = pack(list(ids))
    lines: dict[tuple[int, int], list[ScoredLine]] = {}
    for play_id, seat, rule, item, points in db.execute(
        """SELECT play_id, seat, rule, item, points FROM all_lines
        WHERE play_id IN (SELECT value FROM numbers_in(?)) ORDER BY play_id, seat, position""",
        [wanted],
    ):
        lines.setdefault((play_id, seat), []).append((rule, item, points))
    rows = db.execute(
        """SELECT play_id, seat, player_id, name, total, rank, winner, final
        FROM all_scores JOIN players ON players.id = player_id
        WHERE play_id IN (SELECT value FROM numbers_in(?)) ORDER BY play_id, seat""",
        [wanted],
    ).fetchall()
    return {
        play_id: [_seat(row, lines.get((play_id, seat), [])) for _, seat, *row in group]
        for play_id, group in groupby(rows, key=lambda row: row[0])
    }


def _seat(row: Sequence[Any], lines: Sequence[ScoredLine]) -> Seat:
    player_id, name, total, rank, winner, final = row
    return player_id, name, SeatScore(total, rank, None if winner is None else bool(winner), tuple(lines), bool(final))


def key_of(db: Database, play_id: int) -> str:
    [key] = db.execute("SELECT key FROM all_plays WHERE id = ?", [play_id]).fetchone()
    return str(key)


def headline(db: Database, play_id: int | None) -> dict[str, Any] | None:
    """Return key, time and version of the game with this id, or None if there is none."""
    return db.row("SELECT key, played_at, version FROM all_plays WHERE id = ?", play_id) if play_id else None


def saved_from(db: Database, table_key: str) -> Play | None:
    """Return the game that was saved from the table with the key `table_key`, or None."""
    return _one(db, "table_key = ?", table_key)
