"""Files of other programs that wait for answers: who is who in them."""

from __future__ import annotations

import json
from dataclasses import asdict

from webapp.database import Database, ago, new_key, now, pack
from webapp.exchange.foreign import Foreign, ForeignPlay, ForeignScore

KEPT_DAYS = 1


def keep(db: Database, club_id: int, foreign: Foreign) -> str:
    """Keep what was read of the file for a day; the key to come back to it. An older one of the club goes."""
    key = new_key()
    row = {
        "key": key,
        "club_id": club_id,
        "kind": foreign.source,
        "content": pack(asdict(foreign)),
        "created_at": now(),
    }
    with db.atomic():
        db.execute("DELETE FROM uploads WHERE club_id = ? OR created_at < ?", [club_id, ago(days=KEPT_DAYS)])
        db["uploads"].insert(row)
    return key


def find(db: Database, club_id: int, key: str) -> Foreign | None:
    row = db.row("SELECT content FROM uploads WHERE key = ? AND club_id = ?", key, club_id)
    if row is None:
        return None
    told = json.loads(row["content"])
    plays = [
        ForeignPlay(**{**play, "scores": [ForeignScore(**score) for score in play["scores"]]}) for play in told["plays"]
    ]
    titles = {ref: (title, number) for ref, (title, number) in told["games"].items()}
    return Foreign(told["source"], plays, titles, told["players"], told["unreadable"])


def forget(db: Database, key: str) -> None:
    with db.atomic():
        db.execute("DELETE FROM uploads WHERE key = ?", [key])
