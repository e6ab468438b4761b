"""The words that search looks through: notes and places.

Rows are numbered by when the game was played, so that the latest hits are found first and the next page goes on from
the last one, however many there are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from webapp.database import Database

IDS = 2**28  # more plays than one file will hold


def number(played_at: str, play_id: int) -> int:
    """The number of a row: later games have higher ones."""
    return int(datetime.fromisoformat(played_at).timestamp()) * IDS + play_id


def play_id(rowid: int) -> int:
    return rowid % IDS


def add(db: Database, play_ids: Sequence[int]) -> None:
    found = rows(db, play_ids)
    if found:
        db.conn.executemany("INSERT INTO remarks (rowid, notes, place, club) VALUES (?, ?, ?, ?)", found)


def rows(db: Database, play_ids: Sequence[int]) -> list[tuple[int, str, str, str]]:
    """The rows of these plays, of those that have words."""
    marks = ", ".join("?" * len(play_ids))
    found = db.execute(
        f"""SELECT id, played_at, notes, place, club_id FROM kept_plays
        WHERE id IN ({marks}) AND (notes <> '' OR place <> '')""",
        list(play_ids),
    ).fetchall()
    return [
        (number(played_at, found_id), notes, place, f"club{club_id}")
        for found_id, played_at, notes, place, club_id in found
    ]


def kept(db: Database, play_ids: Sequence[int]) -> list[tuple[int, str, str, str]]:
    """The rows that are there."""
    marks = ", ".join("?" * len(play_ids))
    found = db.execute(f"SELECT id, played_at FROM kept_plays WHERE id IN ({marks})", list(play_ids)).fetchall()
    numbers = [number(played_at, found_id) for found_id, played_at in found]
    marks = ", ".join("?" * len(numbers))
    return db.execute(f"SELECT rowid, notes, place, club FROM remarks WHERE rowid IN ({marks})", numbers).fetchall()


def remove(db: Database, play_id: int, played_at: str) -> None:
    db.execute("DELETE FROM remarks WHERE rowid = ?", [number(played_at, play_id)])


def question(club_id: int, text: str) -> str:
    """What was typed, as a question to the index: all of its words, each from its beginning; "" without any."""
    words = re.findall(r"\w+", text)[:8]
    if not words:
        return ""
    sought = " AND ".join(f'"{word}"*' for word in words)
    return f"{{notes place}} : ({sought}) AND club : club{club_id}"
