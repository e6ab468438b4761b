"""Check whether the clock can be believed, by the latest time that the database has seen.

A clock that is earlier, or far ahead, is doubted. The doubt ends when the clock has run steadily for a day, when it is
right again, or when the server owner says that it is right (`tidemark clock --right`). During a doubt and for a month
after it nothing is deleted for its age, since wrong stamps look old. Whatever deletes old rows asks `may_forget` first.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from scorer.sentences import NOTHING, Sentence, say
from webapp.clock import FORM, Doubt, clock, read
from webapp.database import Database, pack

OLDEST = datetime(2026, 1, 1, tzinfo=UTC)  # there was no Tidemark before
SLACK = timedelta(hours=1)  # clocks are often corrected by minutes
LEAP = timedelta(days=14)  # half of the time that deleted games can be restored
STEADY = timedelta(days=1)
REST = timedelta(days=30)
# We check every hour. After a longer pause the clock may have been set.
STEP = timedelta(hours=2)

NAME = "clock"
WHAT_WAS_SEEN = """SELECT max(seen) FROM (
    SELECT max(created_at) AS seen FROM clubs UNION ALL SELECT max(created_at) FROM players
    UNION ALL SELECT max(updated_at) FROM tables) AS moments"""


def may_forget(db: Database) -> bool:
    """Check the clock, and return whether anything may be deleted today because it is old."""
    if check(db) is not None:
        return False
    rest = read(_kept(db).get("rest", ""))
    return rest is None or clock.wall() >= rest


def check(db: Database) -> Doubt | None:
    """Compare the clock with the latest time in the database, store the outcome, and return the doubt, if any."""
    with db.atomic(0):
        stored, wall = _kept(db), clock.wall()
        seen = read(stored["seen"]) or OLDEST
        steady = _steady(stored, wall)
        found = _doubt(seen, wall, steady)
        if found:
            _keep(db, {**stored, "last": wall.strftime(FORM), "steady": str(int(steady.total_seconds()))})
        else:
            _believed(db, stored, wall if steady >= STEADY else max(seen, wall))
    clock.suspect(found)
    return found


def current_doubt(db: Database) -> Doubt | None:
    """Return the doubt that `check` would return, without storing anything."""
    stored, wall = _kept(db), clock.wall()
    return _doubt(read(stored["seen"]) or OLDEST, wall, _steady(stored, wall))


def _doubt(seen: datetime, wall: datetime, steady: timedelta) -> Doubt | None:
    doubted = wall < seen - SLACK or (wall > seen + LEAP and seen != OLDEST)
    return Doubt(wall, seen + steady) if doubted and steady < STEADY else None


def believe(db: Database) -> None:
    """End the doubt, because the server owner says that the clock is right."""
    with db.atomic(0):
        _believed(db, _kept(db), clock.wall())
    clock.suspect(None)


def _believed(db: Database, stored: dict[str, str], seen: datetime) -> None:
    """Store `seen` as the latest time. If this ends a doubt, which `stored` shows, nothing is deleted for its age for a
    month."""
    rest = (clock.wall() + REST).strftime(FORM) if "last" in stored else stored.get("rest", "")
    _keep(db, {"seen": seen.strftime(FORM), "rest": rest})


def _keep(db: Database, row: dict[str, str]) -> None:
    db.upsert("settings", ("name",), name=NAME, value=pack(row))


def _kept(db: Database) -> dict[str, str]:
    """Return what the last check stored, as texts by name. "seen" is the latest time; before the first check, it is the
    latest stamp of clubs, players and tables. Until "rest", if set, nothing is deleted. A doubt adds "last" and
    "steady"."""
    row = db.row("SELECT value FROM settings WHERE name = ?", NAME)
    if row is not None:
        stored: dict[str, str] = json.loads(row["value"])
        return stored
    [latest] = db.execute(WHAT_WAS_SEEN).fetchone()
    return {"seen": latest or OLDEST.strftime(FORM)}


def _steady(stored: dict[str, str], wall: datetime) -> timedelta:
    """Return how long the clock has run without a jump, by the checks in `stored` and its present time `wall`."""
    last = read(stored.get("last", ""))
    if last is None or not -SLACK <= wall - last <= LEAP:
        return timedelta(0)
    before, passed = timedelta(seconds=int(stored.get("steady", 0))), wall - last
    return before + max(passed, timedelta(0)) if passed <= STEP else before


def in_words(doubt: Doubt | None) -> Sentence:
    """Return the doubt as a sentence for the server owner."""
    if doubt is None:
        return NOTHING
    said, likely = doubt.said.strftime("%Y-%m-%d %H:%M"), doubt.likely.strftime("%Y-%m-%d %H:%M")
    return say(
        "The clock says {said} UTC, but earlier it said {likely}. Set it, or run “tidemark clock --right”.",
        said=said,
        likely=likely,
    )
