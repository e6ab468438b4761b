"""Saved games for whoever wants many of them: all of a club, some hundred in memory at a time, or those of some ids."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from scorer.contract import Json
from scorer.result import Result
from webapp.database import Database, pack
from webapp.history import achievements, kept, plays
from webapp.history.kept import Play
from webapp.history.sums import increments
from webapp.history.tallies import CountedPlay, summary, variant_of

BATCH = 200  # plays in memory


@dataclass(frozen=True, slots=True)
class Archived:
    """A game with all that is kept of it. Its texts are plain; its earlier versions come oldest first."""

    play: Play
    source_id: str
    variant: str
    versions: tuple[dict[str, Any], ...]


def each(db: Database, club_id: int, deleted: bool = False) -> Iterator[Archived]:
    """The club's games, in the order they came."""
    last, which = 0, "" if deleted else "AND deleted_at IS NULL"
    sql = f"SELECT * FROM kept_plays WHERE club_id = ? AND id > ? {which} ORDER BY id LIMIT ?"
    while rows := list(db.query(sql, [club_id, last, BATCH])):
        yield from _archived(db, rows)
        last = rows[-1]["id"]


@dataclass(frozen=True, slots=True)
class Scored:
    """One player's outcome in a game that counts, with what lists say of the game. Nothing is unpacked for it."""

    play_id: int
    key: str
    source: str
    source_id: str
    game: str
    played_at: str
    variant: str
    place: str
    minutes: int | None
    notes: str
    seat: int
    name: str
    total: int | None
    rank: int | None
    winner: int


def outcomes(db: Database, club_id: int) -> Iterator[list[Scored]]:
    """Of every game that is not deleted the outcomes by seat, in the order the games came."""
    last = 0
    while ids := [
        row[0]
        for row in db.execute(
            "SELECT id FROM kept_plays WHERE club_id = ? AND id > ? AND deleted_at IS NULL ORDER BY id LIMIT ?",
            [club_id, last, BATCH],
        ).fetchall()
    ]:
        last = ids[-1]
        rows = db.execute(
            """SELECT play.id, play.key, source, source_id, play.game, play.played_at, play.variant, place, minutes,
                notes, seat, players.name, total, rank, winner
            FROM numbers_in(?) AS wanted JOIN kept_plays AS play ON play.id = wanted.value
            JOIN kept_scores ON play_id = play.id JOIN players ON players.id = player_id ORDER BY play.id, seat""",
            [pack(ids)],
        ).fetchall()
        for _, scores in groupby(rows, key=lambda row: row[0]):
            yield [Scored(*row) for row in scores]


def of_player(db: Database, player_id: int) -> Iterator[Archived]:
    """The games that somebody sat at, from the first on."""
    ids = [row[0] for row in db.execute("SELECT play_id FROM kept_scores WHERE player_id = ?", [player_id])]
    for at in range(0, len(ids), BATCH):
        yield from by_ids(db, ids[at : at + BATCH])


def by_ids(db: Database, ids: Sequence[int]) -> Iterator[Archived]:
    marks = ", ".join("?" * len(ids))
    yield from _archived(db, list(db.query(f"SELECT * FROM kept_plays WHERE id IN ({marks}) ORDER BY id", list(ids))))


def known(db: Database, club_id: int, ids: Collection[str], sources: Sequence[str]) -> dict[str, int]:
    """Which of these ids the club's games have, as keys of their own or as given by one of these programs."""
    marks, programs = ", ".join("?" * len(ids)), ", ".join("?" * len(sources))
    sought = list(ids)
    by_source = db.execute(
        f"""SELECT source_id, id FROM kept_plays
        WHERE club_id = ? AND source <> '' AND source IN ({programs}) AND source_id IN ({marks})""",
        [club_id, *sources, *sought],
    ).fetchall()
    by_key = db.execute(
        f"SELECT key, id FROM kept_plays WHERE key IN ({marks}) AND club_id = ?", [*sought, club_id]
    ).fetchall()
    return dict([*by_source, *by_key])


def taken_keys(db: Database, keys: Collection[str]) -> set[str]:
    """Which of these keys some game of any club has."""
    marks = ", ".join("?" * len(keys))
    return {key for (key,) in db.execute(f"SELECT key FROM kept_plays WHERE key IN ({marks})", list(keys)).fetchall()}


def ids(db: Database, club_id: int) -> Iterator[tuple[int, str, str, str]]:
    """Of every game its number, key, source and the id that its source gave it."""
    yield from db.execute("SELECT id, key, source, source_id FROM kept_plays WHERE club_id = ?", [club_id])


def count(db: Database, club_id: int) -> int:
    [number] = db.execute("SELECT count(*) FROM kept_plays WHERE club_id = ?", [club_id]).fetchone()
    return int(number)


def forget(db: Database, club_id: int, play_ids: Sequence[int]) -> None:
    """Take games out as if they had never come, in the caller's transaction: of an import that was stopped.

    Between them may be numbers of games that other clubs have saved meanwhile.
    """
    for play_id in play_ids:
        plays.unbring(db, club_id, play_id)


def _archived(db: Database, rows: list[dict[str, Any]]) -> Iterator[Archived]:
    if not rows:
        return
    rows = kept.with_names(db, rows)
    changed = [row["id"] for row in rows if row["version"] > 1]
    versions = _versions(db, changed) if changed else {}
    for row in rows:
        play = kept.play_of(row, json.loads)
        yield Archived(play, row["source_id"], row["variant"], tuple(versions.get(row["id"], ())))


def _versions(db: Database, play_ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    for play_id in play_ids:
        found[play_id] = [
            {
                **{name: old[name] for name in ("version", "saved_at")},
                **{name: json.loads(old[name]) for name in ("record", "result")},
                "rules_version": old["rules_version"],
            }
            for old in reversed(kept.versions(db, play_id))
        ]
    return found


def counted(record: Json, result: Result) -> int:
    """How much a game would add to what is counted; raises what counting raises, of a game of unknown shape."""
    ids = tuple(range(len(result["players"])))
    whose = (0, 0, result["game"], "2000-01-01T00:00:00Z", "2000-01-01", "", None)
    play = CountedPlay(*whose, variant_of(record), record, result, ids)
    return len(summary(record, result)) + len(list(increments(play))) + len(list(achievements.on_sheets(play)))
