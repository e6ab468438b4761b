"""A forgotten name in what people wrote themselves: notes and places of games, and names of devices.

A name is looked for as it is written, capitals and all: "Will" is somebody, "will" is not. Games come by the index of
words, some in each transaction; those in the bin, which no index knows, come last.
"""

from __future__ import annotations

import json
import re
from typing import Any

from scorer.reading import MAX_NAME
from webapp.database import Database, pack
from webapp.history import chores, plays, wording

FEW = 5  # games in one transaction
AT_ONCE = 10  # steps that are taken before the answer


def begin(db: Database, club_id: int, name: str, word: str) -> None:
    """In the caller's transaction: the word is to take the name's place. Devices have it at once."""
    for table in ("devices", "deeds"):
        rows = db.execute(f"SELECT id, name FROM {table} WHERE club_id = ? AND name <> ''", [club_id]).fetchall()
        for number, called in rows:
            if (instead := without(called, name, word)) != called:
                db.execute(f"UPDATE {table} SET name = ? WHERE id = ?", [instead[:MAX_NAME], number])
    about = {"club": club_id, "name": name, "word": word}
    db.insert("chores", kind="words", club_id=club_id, about=pack(about))


def what_is_short(db: Database, club_id: int) -> None:
    """Carry out what was begun, if nobody has to wait long for it; what is left goes on in the background."""
    for number, begun in chores.of_club(db, club_id, "words").items():
        about: dict[str, Any] | None = begun
        for _ in range(AT_ONCE):
            about = chores.taken(db, number, club_id, about, go_on) if about is not None else None


def go_on(db: Database, about: dict[str, Any]) -> dict[str, Any] | None:
    """The next games; None when there are no more."""
    with db.atomic(about["club"]):
        first = next(iter(wording.words_of(about["name"])), "")
        rows = db.execute(
            """SELECT played_at, play_id FROM kept_words
            WHERE club_id = ? AND word = ? AND (played_at, play_id) > (?, ?) ORDER BY 1, 2 LIMIT ?""",
            [about["club"], first, *about.get("after", ["", 0]), FEW],
        ).fetchall()
        if rows:
            for _, play_id in rows:
                _change(db, play_id, about)
            return {**about, "after": list(rows[-1])}
        binned = db.execute(
            "SELECT id FROM kept_plays WHERE club_id = ? AND deleted_at IS NOT NULL AND id > ? ORDER BY id LIMIT ?",
            [about["club"], about.get("binned", 0), FEW],
        ).fetchall()
        for (play_id,) in binned:
            _change(db, play_id, about)
        return {**about, "binned": binned[-1][0]} if binned else None


def _change(db: Database, play_id: int, about: dict[str, Any]) -> None:
    play = plays.by_id(db, play_id, json.loads)
    if play is None:
        return
    notes, place = (without(text, about["name"], about["word"]) for text in (play.notes, play.place))
    if (notes, place) != (play.notes, play.place):
        longest = plays.LONGEST_NOTES
        plays.describe(db, play, notes[:longest], place[:MAX_NAME].strip(), play.minutes, play.played_at)


def without(text: str, name: str, word: str) -> str:
    """The text with the word wherever the name stands as a word of its own."""
    spelt = r"\s+".join(map(re.escape, name.split()))
    return re.sub(rf"(?<!\w){spelt}(?!\w)", lambda _: word, text)
