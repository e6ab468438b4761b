"""Two names of one person are made one: play by play, everything that was one's becomes the other's.

After each step every play belongs to one of the two with all that is counted of it. Plays that are saved meanwhile
under the old name are met in their turn; one in which both sit stays as it is.
"""

from __future__ import annotations

import json
from itertools import product
from typing import Any

from webapp.database import Database, pack
from webapp.history import at_tables, chores, kept, plays
from webapp.history.careers import Moment
from webapp.history.replay import tell_or_put_off
from webapp.history.scores import put_on, take_off
from webapp.history.tallies import Tallies

FEW = 2  # plays in one transaction

# Seats of the one at whose table the other did not sit.
APART = """kept_seats AS seat WHERE seat.player_id = ?1 AND NOT EXISTS (
    SELECT 1 FROM kept_seats AS other
    WHERE other.play_id = seat.play_id AND other.version = seat.version AND other.player_id = ?2)"""


def have_sat_together(db: Database, person: int, other: int) -> bool:
    """Whether both sat at one table: in the same version of a play, whatever became of it."""
    row = db.execute(
        """SELECT 1 FROM kept_seats AS one JOIN kept_seats AS other USING (play_id, version)
        WHERE one.player_id = ? AND other.player_id = ? LIMIT 1""",
        [person, other],
    ).fetchone()
    return row is not None


def becomes(db: Database, club_id: int, player_id: int) -> int:
    """Who the player is when all merges are done that have begun."""
    into = {about["person"]: about["other"] for about in chores.of_club(db, club_id, "merge").values()}
    for _ in into:
        player_id = into.get(player_id, player_id)
    return player_id


def may_be_one(db: Database, club_id: int, person: int, other: int) -> bool:
    """Whether the person may become the other: neither of them is on the way to somebody else, nor did they ever meet.

    Who is on the way to the person comes along.
    """
    begun = chores.of_club(db, club_id, "merge").values()
    if other == person or person in {about["person"] for about in begun}:
        return False
    becoming = {who: [who, *(about["person"] for about in begun if about["other"] == who)] for who in (person, other)}
    return not any(have_sat_together(db, one, two) for one, two in product(becoming[person], becoming[other]))


def are_becoming(db: Database, club_id: int) -> set[int]:
    """Everybody in a merge that is not done, who becomes somebody or whom somebody becomes."""
    begun = chores.of_club(db, club_id, "merge").values()
    return {number for about in begun for number in (about["person"], about["other"])}


def lead_on(db: Database, club_id: int, person: int, other: int) -> None:
    """In the caller's transaction: who is on the way to the person is now on the way to the other."""
    for number, about in chores.of_club(db, club_id, "merge").items():
        if about["other"] == person:
            db.execute("UPDATE chores SET about = ? WHERE id = ?", [pack({**about, "other": other}), number])


def go_on(db: Database, about: dict[str, Any]) -> dict[str, Any] | None:
    """Some plays of `person` become those of `other`; None when there are no more."""
    person, other = about["person"], about["other"]
    club_id = db.club_of("players", id=person)
    with db.atomic(club_id):
        if db.club_of("players", id=other) != club_id:
            return None  # nobody is left to become, or the number was given once more before numbers went on
        ids = db.execute(
            f"SELECT DISTINCT seat.play_id FROM {APART} AND seat.play_id > ?3 ORDER BY seat.play_id LIMIT ?4",
            [person, other, about.get("after", 0), FEW],
        ).fetchall()
        if ids:
            _hand_over(db, [play_id for (play_id,) in ids], person, other)
            return {**about, "after": ids[-1][0], "done": about.get("done", 0) + len(ids)}
        if db.execute(f"SELECT 1 FROM {APART} LIMIT 1", [person, other]).fetchone():
            return {**about, "after": 0}  # an older play was corrected meanwhile
        if not db.execute("SELECT 1 FROM kept_seats WHERE player_id = ? LIMIT 1", [person]).fetchone():
            _take_off_the_list(db, person, other)
    return None


def _take_off_the_list(db: Database, person: int, other: int) -> None:
    """Nothing is left of the name; tables that were laid under it while games were handed over follow."""
    names = db.execute("SELECT id, club_id, name FROM players WHERE id IN (?, ?)", [person, other]).fetchall()
    called = {number: (club_id, name) for number, club_id, name in names}
    if len(called) == 2:
        club_id, name = called[person]
        at_tables.follow(db, club_id, name, called[other][1])
    db.execute("DELETE FROM players WHERE id = ?", [person])


def _hand_over(db: Database, ids: list[int], person: int, other: int) -> None:
    tallies = Tallies()
    since: dict[tuple[int, str], Moment] = {}
    for play_id in ids:
        before = kept.by_id(db, play_id, json.loads)
        assert before is not None, "it has seats"
        if before.deleted_at is None:
            take_off(db, plays.counted(db, before), tallies)
        db.execute(
            f"UPDATE kept_seats SET player_id = ?2 WHERE player_id = ?1 AND play_id = ?3 AND version IN "
            f"(SELECT seat.version FROM {APART} AND seat.play_id = ?3)",
            [person, other, play_id],
        )
        after = kept.by_id(db, play_id, json.loads)
        if after is not None and after.deleted_at is None:
            put_on(db, [plays.counted(db, after)], tallies)
            key, moment = (after.club_id, after.game), (after.played_at, after.id)
            since[key] = min(since.get(key, moment), moment)
    tallies.write(db)
    for (club_id, game), moment in since.items():
        tell_or_put_off(db, club_id, game, moment)
