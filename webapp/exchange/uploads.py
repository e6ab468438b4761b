"""Files of other programs that wait for answers: who is who in them."""

from __future__ import annotations

import json
from dataclasses import asdict

from webapp.database import Database, ago, new_key, now, pack
from webapp.exchange.foreign import Foreign, ForeignPlay, ForeignScore

UPLOAD_DAYS = 1


def keep(db: Database, club_id: int, foreign: Foreign) -> str:
    """Keep what was read of the file for a day; the key to come back to it. An older one of the club goes."""
    key = new_key()
    row = (key, club_id, foreign.source, pack(asdict(foreign)), now())
    with db.atomic():
        db.execute("DELETE FROM uploads WHERE club_id = ? OR created_at < ?", [club_id, ago(days=UPLOAD_DAYS)])
        db.execute("INSERT INTO uploads (key, club_id, kind, content, created_at) VALUES (?, ?, ?, ?, ?)", row)
    return key


def find(db: Database, club_id: int, key: str) -> Foreign | None:
    row = db.row("SELECT content FROM uploads WHERE key = ? AND club_id = ?", key, club_id)
    if row is None:
        return None
    kept = json.loads(row["content"])
    plays = [
        ForeignPlay(**{**play, "scores": [ForeignScore(**score) for score in play["scores"]]}) for play in kept["plays"]
    ]
    titles = {ref: (title, number) for ref, (title, number) in kept["games"].items()}
    return Foreign(kept["source"], plays, titles, kept["players"], kept["unreadable"])


def forget(db: Database, key: str) -> None:
    with db.atomic():
        db.execute("DELETE FROM uploads WHERE key = ?", [key])
