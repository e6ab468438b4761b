"""Read many saved games: all of a club in batches, or those with certain ids."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from webapp.database import Database, pack
from webapp.history import saved_plays
from webapp.history.saved_plays import Play, Version

BATCH = 200  # games in memory


@dataclass(frozen=True, slots=True)
class Archived:
    """Hold a game with its earlier versions, oldest first."""

    play: Play
    versions: tuple[Version, ...]


def each(db: Database, club_id: int, deleted: bool = False) -> Iterator[Archived]:
    """Yield the club's games in the order in which they were saved; `deleted` includes the deleted ones."""
    last, which = 0, "" if deleted else "AND deleted_at IS NULL"
    sql = f"SELECT id FROM all_plays WHERE club_id = ? AND id > ? {which} ORDER BY id LIMIT ?"
    while ids := [row[0] for row in db.execute(sql, [club_id, last, BATCH]).fetchall()]:
        yield from by_ids(db, ids)
        last = ids[-1]


def of_player(db: Database, player_id: int) -> Iterator[Archived]:
    """Yield the games of a player in the order in which they were saved, without deleted games."""
    rows = db.execute(
        """SELECT play_id FROM all_scores JOIN all_plays ON id = play_id
        WHERE player_id = ? AND deleted_at IS NULL ORDER BY play_id""",
        [player_id],
    )
    ids = [row[0] for row in rows.fetchall()]
    for at in range(0, len(ids), BATCH):
        yield from by_ids(db, ids[at : at + BATCH])


def by_ids(db: Database, ids: Sequence[int]) -> Iterator[Archived]:
    plays = saved_plays.by_ids(db, ids)
    versions = saved_plays.versions(db, [play.id for play in plays if play.version > 1])
    for play in plays:
        yield Archived(play, tuple(versions.get(play.id, ())))


@dataclass(frozen=True, slots=True)
class Scored:
    """Hold one player's score in a game with what lists show of the game. No record is parsed for it."""

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
    winner: int | None
    final: int


def outcomes(db: Database, club_id: int) -> Iterator[list[Scored]]:
    """Yield a list of the players' scores for each game that is not deleted, in the order of saving."""
    last = 0
    while ids := [
        row[0]
        for row in db.execute(
            "SELECT id FROM all_plays WHERE club_id = ? AND id > ? AND deleted_at IS NULL ORDER BY id LIMIT ?",
            [club_id, last, BATCH],
        ).fetchall()
    ]:
        last = ids[-1]
        rows = db.execute(
            """SELECT play.id, play.key, source, source_id, play.game, play.played_at, play.variant, place, minutes,
                notes, seat, players.name, total, rank, winner, final
            FROM numbers_in(?) AS wanted JOIN all_plays AS play ON play.id = wanted.value
            JOIN all_scores ON play_id = play.id JOIN players ON players.id = player_id ORDER BY play.id, seat""",
            [pack(ids)],
        ).fetchall()
        for _, scores in groupby(rows, key=lambda row: row[0]):
            yield [Scored(*row) for row in scores]


def known(db: Database, club_id: int, ids: Collection[str], sources: Sequence[str]) -> dict[str, int]:
    """Return the database ids of those games of the club that are among `ids`, by the given id. A given id is the key
    of a game, or what one of the programs `sources` called it."""
    marks, programs = ", ".join("?" * len(ids)), ", ".join("?" * len(sources))
    sought = list(ids)
    by_source = db.execute(
        f"""SELECT source_id, id FROM all_plays
        WHERE club_id = ? AND source <> '' AND source IN ({programs}) AND source_id IN ({marks})""",
        [club_id, *sources, *sought],
    ).fetchall()
    # With the club among the conditions, SQLite would look through all of its games instead.
    by_key = db.execute(f"SELECT key, id, club_id FROM all_plays WHERE key IN ({marks})", sought).fetchall()
    return dict([*by_source, *((key, play_id) for key, play_id, its_club in by_key if its_club == club_id)])


def taken_keys(db: Database, keys: Collection[str]) -> set[str]:
    """Return those of the `keys` that belong to saved games, in any club."""
    marks = ", ".join("?" * len(keys))
    return {key for (key,) in db.execute(f"SELECT key FROM all_plays WHERE key IN ({marks})", list(keys)).fetchall()}


def ids(db: Database, club_id: int) -> Iterator[tuple[int, str, str, str]]:
    """Yield database id, key, source and source id of each game of the club. The source is the program that the game
    came from; the source id is what that program calls it."""
    yield from db.execute("SELECT id, key, source, source_id FROM all_plays WHERE club_id = ?", [club_id])


def count(db: Database, club_id: int) -> int:
    [number] = db.execute("SELECT count(*) FROM all_plays WHERE club_id = ?", [club_id]).fetchone()
    return int(number)


def open_plays(db: Database, club_id: int) -> int:
    """Return how many games have a score that is still to count."""
    [count] = db.execute(
        """SELECT count(*) FROM (SELECT DISTINCT play_id FROM all_scores WHERE final = 0) AS still_open
        CROSS JOIN all_plays WHERE all_plays.id = still_open.play_id AND club_id = ? AND deleted_at IS NULL""",
        [club_id],
    ).fetchone()
    return int(count)
