"""What is begun and goes on in steps, a row each: what it is about and how far it has come (`work` takes the steps)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from webapp.database import Database, pack

Step = Callable[[Database, dict[str, Any]], dict[str, Any] | None]  # what is left to do after it


def of_club(db: Database, club_id: int, kind: str) -> dict[int, dict[str, Any]]:
    """By number, what those of that kind are about, the first first."""
    rows = db.execute("SELECT id, about FROM chores WHERE club_id = ? AND kind = ? ORDER BY id", [club_id, kind])
    return {number: json.loads(about) for number, about in rows.fetchall()}


def taken(db: Database, number: int, club_id: int | None, about: dict[str, Any], step: Step) -> dict[str, Any] | None:
    """Take the next step, unless others have changed or ended what was begun; what is left to do, None if nothing is.

    Step and note are one transaction: whoever is named in it may be gone by the next one.
    """
    with db.atomic(club_id):
        row = db.execute("SELECT about FROM chores WHERE id = ?", [number]).fetchone()
        stands = json.loads(row[0]) if row else None
        if stands != about:
            return stands
        return noted(db, number, club_id, about, step(db, about))


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
