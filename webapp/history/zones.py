"""A club that says where it is: its plays move to the days of its time zone, and the sums by day, month and year with
them.

Nobody's score or place in time changes. Each play bears the day it is counted on, so that whatever happens to it
meanwhile takes it off where it stands.
"""

from __future__ import annotations

import json
from typing import Any

from webapp import clubs, days
from webapp.database import Database, pack
from webapp.history import chores, plays
from webapp.history.tallies import Tallies

AT_ONCE = 10  # plays that are moved in one transaction
SHORT = 200  # plays that nobody waits for; of more the rest goes on in the background (`webapp.history.work`)


def settle(db: Database, club_id: int, zone: str, guessed: bool = False) -> bool:
    """The club is in that zone; False if there is none such, or a guess comes too late."""
    if not days.is_zone(zone):
        return False
    with db.atomic(club_id):
        known = clubs.zone_of(db, club_id)
        if guessed and known:
            return False
        clubs.set_zone(db, club_id, zone)
        [plays] = db.execute("SELECT count(*) FROM kept_plays WHERE club_id = ?", [club_id]).fetchone()
        about: dict[str, Any] | None = {"club": club_id, "after": 0}
        chore = db.insert("chores", kind="zone", club_id=club_id, about=pack(about), total=plays)
    if plays <= SHORT:
        while about is not None:
            about = chores.taken(db, chore, club_id, about, go_on)
    return True


def go_on(db: Database, about: dict[str, Any]) -> dict[str, Any] | None:
    """Move the next plays that stand on another day in the club's zone; None when there are no more."""
    club_id, after = about["club"], about["after"]
    with db.atomic(club_id):
        zone = clubs.zone_of(db, club_id)
        rows = db.execute(
            "SELECT id, played_at, day FROM kept_plays WHERE club_id = ? AND id > ? ORDER BY id LIMIT ?",
            [club_id, after, AT_ONCE * 20],
        ).fetchall()
        moving = [(play_id, day) for play_id, at, stands in rows if (day := days.day_of(at, zone)) != stands]
        tallies = Tallies()
        for play_id, day in moving[:AT_ONCE]:
            move(db, play_id, day, tallies)
        tallies.write(db)
    if not rows:
        return None
    last = moving[AT_ONCE - 1][0] if len(moving) > AT_ONCE else rows[-1][0]
    return {**about, "after": last, "done": about.get("done", 0) + sum(play_id <= last for play_id, _, _ in rows)}


def move(db: Database, play_id: int, day: str, tallies: Tallies) -> None:
    play = plays.by_id(db, play_id, json.loads)
    assert play is not None, "it was read in this transaction"
    if play.deleted_at is None:
        tallies.subtract(plays.counted(db, play))
    db.execute("UPDATE kept_plays SET day = ? WHERE id = ?", [day, play_id])
    if play.deleted_at is None:
        moved = plays.by_id(db, play_id, json.loads)
        assert moved is not None
        tallies.add(plays.counted(db, moved))
