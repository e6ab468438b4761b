"""The people who play: looked up, renamed, and two names that are one person made one.

Records, results and versions take the new name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from scorer.names import folded
from webapp.database import Database, pack
from webapp.history import plays
from webapp.history.plays import Play
from webapp.history.renaming import renamed_record, renamed_result
from webapp.history.replay import replay
from webapp.history.scores import put_on, take_off
from webapp.history.tallies import Tallies


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    club_id: int
    name: str


def find(db: Database, player_id: int) -> Person | None:
    row = db.row("SELECT id, club_id, name FROM players WHERE id = ?", player_id)
    return Person(**row) if row else None


def seated(db: Database, play_id: int) -> list[tuple[str, int]]:
    """Who played, by seat."""
    return db.execute(
        """SELECT name, players.id FROM kept_scores JOIN players ON players.id = player_id
        WHERE play_id = ? ORDER BY seat""",
        [play_id],
    ).fetchall()


def rename(db: Database, person: Person, name: str) -> bool:
    """Give the player another name, also in all saved games; False if somebody else has it."""
    with db.atomic():
        others = db.query("SELECT name FROM players WHERE club_id = ? AND id <> ?", [person.club_id, person.id])
        if folded(name) in {folded(other["name"]) for other in others}:
            return False
        rewrite(db, person, name)
        db.execute("UPDATE players SET name = ? WHERE id = ?", [name, person.id])
    return True


def merge(db: Database, person: Person, other: Person) -> bool:
    """Everything the person played was played by the other; False if they ever sat at one table."""
    if person.club_id != other.club_id or person.id == other.id:
        return False
    tallies = Tallies()
    with db.atomic():
        if any(other.name in names_of(row["record"]) for row in records_with(db, person)):
            return False
        played = played_by(db, person)
        rewrite(db, person, other.name)
        for play in played:  # as they stood, under the old name
            take_off(db, plays.counted(db, play), tallies)
        db.execute("DELETE FROM players WHERE id = ?", [person.id])
        db.execute(
            "UPDATE matches SET ours = ? WHERE club_id = ? AND kind = 'player' AND ours = ?",
            [other.name, person.club_id, person.name],
        )
        for play in played:
            changed = plays.by_id(db, play.id)
            assert changed is not None
            put_on(db, [plays.counted(db, changed)], tallies)
        tallies.write(db)
        for game in {play.game for play in played}:
            since = min((play.played_at, play.id) for play in played if play.game == game)
            replay(db, person.club_id, game, since)
    return True


def played_by(db: Database, person: Person) -> list[Play]:
    """The player's games, those that are deleted aside."""
    ids = db.execute("SELECT DISTINCT play_id FROM kept_scores WHERE player_id = ?", [person.id]).fetchall()
    found = (plays.by_id(db, play_id) for (play_id,) in ids)
    return [play for play in found if play is not None]


def records_with(db: Database, person: Person) -> list[dict[str, Any]]:
    """The records in which the name may stand, also of games that are deleted, and of earlier versions."""
    return list(
        db.query(
            """SELECT id, 0 AS version, record, result FROM kept_plays WHERE club_id = ?1
                AND (deleted_at IS NOT NULL OR id IN (SELECT play_id FROM kept_scores WHERE player_id = ?2))
            UNION ALL
            SELECT play_id, play_versions.version, play_versions.record, play_versions.result
            FROM play_versions JOIN kept_plays ON kept_plays.id = play_id WHERE club_id = ?1""",
            [person.club_id, person.id],
        )
    )


def names_of(packed: str) -> list[str]:
    return [player["name"] for player in json.loads(packed)["players"]]


def rewrite(db: Database, person: Person, name: str) -> None:
    """Put the new name into everything that is saved."""
    for row in records_with(db, person):
        if person.name not in names_of(row["record"]):
            continue
        record = pack(renamed_record(json.loads(row["record"]), person.name, name))
        result = pack(renamed_result(plays.unpacked(row["result"]), person.name, name))
        if row["version"]:
            where, values = (
                "play_versions SET record = ?, result = ? WHERE play_id = ? AND version = ?",
                [row["version"]],
            )
        else:
            where, values = "kept_plays SET record = ?, result = ? WHERE id = ?", []
        db.execute(f"UPDATE {where}", [record, result, row["id"], *values])
