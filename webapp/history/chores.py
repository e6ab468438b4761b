"""What is begun and goes on in steps, a row each: what it is about and how far it has come (`work` takes the steps)."""

from __future__ import annotations

import json
from typing import Any

from webapp.database import Database, pack


def of_club(db: Database, club_id: int, kind: str) -> dict[int, dict[str, Any]]:
    """By number, what those of that kind are about, the first first."""
    rows = db.execute("SELECT id, about FROM chores WHERE club_id = ? AND kind = ? ORDER BY id", [club_id, kind])
    return {number: json.loads(about) for number, about in rows.fetchall()}


def noted(
    db: Database, number: int, club_id: int | None, before: dict[str, Any], after: dict[str, Any] | None
) -> dict[str, Any] | None:
    """After a step, what is left to do; None if nothing is. What others have changed stays as they left it."""
    with db.atomic(club_id):
        row = db.execute("SELECT about, done FROM chores WHERE id = ?", [number]).fetchone()
        if row is None:
            return None
        about: dict[str, Any] = json.loads(row[0])
        if about != before:
            return about
        if after is None:
            db.execute("DELETE FROM chores WHERE id = ?", [number])
        else:
            done = after.get("done", row[1])
            db.execute("UPDATE chores SET about = ?, done = ? WHERE id = ?", [pack(after), done, number])
    return after
