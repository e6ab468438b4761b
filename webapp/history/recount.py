"""Counts everything again from the saved plays, says what had been counted differently, and puts it right."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from webapp import clubs, days
from webapp.database import Database
from webapp.history.careers import BEGINNING
from webapp.history.replay import replay
from webapp.history.scores import BATCH, put_on, seated
from webapp.history.sums import TALLIES
from webapp.history.tallies import CountedPlay, Tallies, summary

# Raised when a definition is added, so that the next start counts what is already there.
DEFINITIONS = "3"

KEYS = {
    "kept_scores": "play_id, seat",
    "kept_lines": "play_id, seat, position",
    "earned": "play_id, seat, achievement",
    "tally_earned": "club_id, achievement, player_id",
    "remarks": "rowid",
    "kept_plays": "id",
    **{table: ", ".join(keys) for table, (keys, _) in TALLIES.items()},
}
COLUMNS = {
    "kept_plays": "id, day, player_count, variant, margin, comeback, comeback_rule, decided_by",
    "remarks": "rowid, notes, place, club",
}


class Untouched(Exception):
    """Ends the transaction of a check, so that nothing stays changed."""


def recount(db: Database, repair: bool = True) -> list[str]:
    """The tables that had been counted wrongly, put right unless it is only a check."""
    wrong: list[str] = []
    try:
        with db.atomic():
            before = fingerprints(db)
            count_anew(db)
            after = fingerprints(db)
            wrong = [table for table in KEYS if before[table] != after[table]]
            if not repair:
                raise Untouched
            db.execute(
                "INSERT INTO settings VALUES ('definitions', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                [DEFINITIONS],
            )
    except Untouched:
        pass
    return wrong


def if_due(db: Database) -> None:
    """Count anew if what is in the file was counted by other definitions."""
    row = db.row("SELECT value FROM settings WHERE name = 'definitions'")
    if row is None or row["value"] != DEFINITIONS:
        recount(db)


def fingerprints(db: Database) -> dict[str, str]:
    """All that is counted, each table brought down to a few letters."""
    return {table: fingerprint(db, table) for table in KEYS}


def fingerprint(db: Database, table: str) -> str:
    digest = hashlib.sha256()
    for row in db.execute(f"SELECT {COLUMNS.get(table, '*')} FROM {table} ORDER BY {KEYS[table]}"):
        digest.update(repr(tuple(row)).encode())
    return digest.hexdigest()


def count_anew(db: Database) -> None:
    for table in ("kept_lines", "earned", "kept_scores", *TALLIES, "tally_earned", "remarks"):
        db.execute(f"DELETE FROM {table}")
    tallies = Tallies()
    for plays in batches(db):
        put_on(db, plays, tallies)
    tallies.write(db)
    for club_id, game in db.execute("SELECT DISTINCT club_id, game FROM kept_plays").fetchall():
        replay(db, club_id, game, BEGINNING)


def batches(db: Database) -> Iterator[list[CountedPlay]]:
    """All plays as they count, some hundred at a time; what lists know of a play is put right on the way."""
    people: dict[int, clubs.People] = {}
    zones: dict[int, str] = {}
    last = 0
    while True:
        rows = list(db.query("SELECT * FROM kept_plays WHERE id > ? ORDER BY id LIMIT ?", [last, BATCH]))
        if not rows:
            return
        last = rows[-1]["id"]
        plays = []
        for row in rows:
            record, result = json.loads(row["record"]), json.loads(row["result"])
            club_id = row["club_id"]
            if club_id not in zones:
                zones[club_id] = clubs.zone_of(db, club_id)
            known = {**summary(record, result), "day": days.day_of(row["played_at"], zones[club_id])}
            refresh(db, row, known)
            if row["deleted_at"] is None:
                player_ids = seated(people.setdefault(club_id, clubs.People(db, club_id)), result)
                whose = (row["id"], club_id, row["game"], row["played_at"], known["day"], row["place"], row["minutes"])
                plays.append(CountedPlay(*whose, known["variant"], record, result, player_ids))
        yield plays


def refresh(db: Database, row: dict[str, Any], known: dict[str, Any]) -> None:
    """Put right what lists know of a play."""
    if any(row[column] != value for column, value in known.items()):
        sets = ", ".join(f"{column} = ?" for column in known)
        db.execute(f"UPDATE kept_plays SET {sets} WHERE id = ?", [*known.values(), row["id"]])
