"""Players renamed, and two names that are one person made one. Records, results and versions take the new name."""

from __future__ import annotations

import json
import re
from typing import Any

from scorer.contract import Json
from scorer.core import score
from webapp.database import Database, pack
from webapp.history import chronicle
from webapp.history import plays as history
from webapp.history.counting import Tallies
from webapp.history.plays import Play
from webapp.statistics.player import Person

SENTENCES = frozenset({"why", "message"})


def rename(db: Database, person: Person, name: str) -> bool:
    """Give the player another name, also in all saved games; False if somebody else has it."""
    with db.atomic():
        if db.row("SELECT 1 FROM players WHERE club_id = ? AND name = ? AND id <> ?", person.club_id, name, person.id):
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
        plays = played_by(db, person)
        rewrite(db, person, other.name)
        for play in plays:  # as they stood, under the old name
            history.take_off(db, play, tallies)
        db.execute("DELETE FROM players WHERE id = ?", [person.id])
        db.execute(
            "UPDATE matches SET ours = ? WHERE club_id = ? AND kind = 'player' AND ours = ?",
            [other.name, person.club_id, person.name],
        )
        for play in plays:
            changed = history.by_id(db, play.id)
            assert changed is not None
            history.put_on(db, [history.counted(db, changed)], tallies)
        tallies.write(db)
        for game in {play.game for play in plays}:
            since = min((play.played_at, play.id) for play in plays if play.game == game)
            chronicle.replay(db, person.club_id, game, since)
    return True


def played_by(db: Database, person: Person) -> list[Play]:
    """The player's games, those that are deleted aside."""
    ids = db.execute("SELECT DISTINCT play_id FROM kept_scores WHERE player_id = ?", [person.id]).fetchall()
    found = (history.by_id(db, play_id) for (play_id,) in ids)
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
        result = pack(renamed_result(json.loads(row["result"]), person.name, name))
        if row["version"]:
            where, values = (
                "play_versions SET record = ?, result = ? WHERE play_id = ? AND version = ?",
                [row["version"]],
            )
        else:
            where, values = "kept_plays SET record = ?, result = ? WHERE id = ?", []
        db.execute(f"UPDATE {where}", [record, result, row["id"], *values])


def renamed_record(record: Json, old: str, new: str) -> Json:
    """The record with the new name for the player, and for the table if the table speaks of players.

    A table may hold the same word in another sense (a player may be called "standard"): then the record is no longer
    legal with all of them replaced, and only the player's own name is.
    """
    players = [{**player, "name": new} if player["name"] == old else player for player in record["players"]]
    told = {**record, "players": players}
    table = replaced(record.get("table", {}), old, new)
    if table != record.get("table", {}) and score({**told, "table": table})["ok"]:
        return {**told, "table": table}
    return told


def renamed_result(result: Json, old: str, new: str) -> Json:
    """The result with the new name, also as a whole word in the sentences: "Ann" stays in "Anniversary"."""
    word = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")

    def told(value: Json, key: str = "") -> Json:
        if isinstance(value, dict):
            return {inner: told(one, inner) for inner, one in value.items()}
        if isinstance(value, list):
            return [told(one, key) for one in value]
        if isinstance(value, str) and key in SENTENCES:
            return word.sub(lambda _: new, value)
        return new if value == old and key in {"name", "winners"} else value

    return told(result)


def replaced(value: Json, old: str, new: str) -> Json:
    if isinstance(value, dict):
        return {new if key == old else key: replaced(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [replaced(inner, old, new) for inner in value]
    return new if value == old else value
