"""Works out anew what hangs on the order of plays: the careers of a game's players, and what they earn by them.

A new play goes on from the latest one. A play that is put into the past, changed or taken out has everything after it
told again, a slice at a time: what is short at once, the rest in the background (`webapp.history.work`). Until which
moment the careers are right stands in `retellings`; a play that is saved meanwhile behind that moment waits for its
turn, one before it moves the moment back. So every slice may be the last before the machine stops, and whoever goes on
begins where it ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from webapp.database import Database, pack
from webapp.history import achievements, careers
from webapp.history.careers import Career, Moment, Score

SLICE = 60  # plays that are told again in one transaction

Told = tuple[Score, Career]  # a player's outcome in a play, and her career after it as it is kept


@dataclass(frozen=True, slots=True)
class Retelling:
    """Careers of a club's game that are being worked out anew: how many plays of how many are done."""

    club_id: int
    game: str
    since: Moment
    done: int
    total: int | None


def tell_again(db: Database, club_id: int, game: str, since: Moment) -> None:
    """In the caller's transaction: careers in that game are right up to that moment only, or further if that is short.

    If they are being told again already, whoever is at it goes on from the earlier moment. Behind that moment careers
    go on from what is kept for the time being, and are told once more in their turn.
    """
    under_way, one = _of_game(db, club_id, game), Retelling(club_id, game, since, 0, None)
    if under_way is None or since < under_way.since:
        tell_slice(db, one)
    else:
        _tell(db, one, _end_of_slice(db, one))


def tell_or_put_off(db: Database, club_id: int, game: str, since: Moment) -> None:
    """In the caller's transaction: told again at once if that is short, and else altogether in the background."""
    under_way, one = _of_game(db, club_id, game), Retelling(club_id, game, since, 0, None)
    if under_way is None and _end_of_slice(db, one) is None:
        tell_slice(db, one)
    elif under_way is None or since < under_way.since:
        _keep(db, one)


def under_way(db: Database, club_id: int) -> list[Retelling]:
    """The games of the club whose careers are being worked out anew."""
    rows = db.execute(
        "SELECT club_id, game, played_at, play_id, done, total FROM retellings WHERE club_id = ?", [club_id]
    ).fetchall()
    return [_retelling(row) for row in rows]


def go_on(db: Database) -> bool:
    """One slice of whatever is being told again, in a transaction of its own; False if there is nothing."""
    sql = "SELECT club_id, game, played_at, play_id, done, total FROM retellings"
    row = db.execute(f"{sql} ORDER BY club_id, game LIMIT 1").fetchone()
    if row is None:
        return False
    total = _ahead(db, _retelling(row)) if row[-1] is None else row[-1]  # counted without keeping anybody waiting
    with db.atomic(row[0]):
        row = db.execute(f"{sql} WHERE club_id = ? AND game = ?", row[:2]).fetchone()
        if row is not None:
            one = _retelling(row)
            tell_slice(db, Retelling(one.club_id, one.game, one.since, one.done, one.total or total))
    return True


def tell_slice(db: Database, one: Retelling) -> None:
    """Some plays from where the careers are right; the moment moves on behind them, or all is done."""
    until = _end_of_slice(db, one)
    plays = _tell(db, one, until)
    if until is None:
        db.execute("DELETE FROM retellings WHERE club_id = ? AND game = ?", [one.club_id, one.game])
    else:
        _keep(db, Retelling(one.club_id, one.game, until, one.done + plays, one.total))


def _tell(db: Database, one: Retelling, until: Moment | None) -> int:
    """Work out the careers of these plays; how many plays they are."""
    known: dict[int, Career] = {}
    kept: list[tuple[Any, ...]] = []
    earned: list[tuple[Any, ...]] = []
    plays: list[int] = []
    for told in _played(db, one, until):
        scores = [score for score, _ in told]
        plays.append(scores[0].play_id)
        before = [
            known.get(score.player_id) or careers.find(db, score.player_id, one.game, one.since) or Career()
            for score in scores
        ]
        after = careers.advance(before, scores)
        for (score, stood), old, new in zip(told, before, after, strict=True):
            known[score.player_id] = new
            if new != stood:
                rating = (new.rating.skill, new.rating.doubt)
                kept.append((new.nth, new.streak, new.longest, new.best, *rating, score.play_id, score.seat))
            whose = (score.player_id, one.club_id, one.game, score.played_at)
            earned += [(score.play_id, score.seat, name, *whose) for name in achievements.of_career(old, new, score)]
    db.executemany(
        """UPDATE kept_scores SET nth = ?, streak = ?, longest = ?, best = ?, skill = ?, doubt = ?
        WHERE play_id = ? AND seat = ?""",
        kept,
    )
    _award(db, plays, earned)
    return len(plays)


def first_wrong(db: Database, club_id: int, game: str) -> tuple[str, Moment] | None:
    """From when on careers, or what they earned, are not what they should be, and in which table; None if they are.

    What is being told again is left out.
    """
    under_way = _of_game(db, club_id, game)
    until = under_way.since if under_way else None
    known: dict[int, Career] = {}
    names = pack(sorted(achievements.CAREER))
    for told in _played(db, Retelling(club_id, game, careers.BEGINNING, 0, None), until):
        scores = [score for score, _ in told]
        moment = (scores[0].played_at, scores[0].play_id)
        before = [known.get(score.player_id) or Career() for score in scores]
        after = careers.advance(before, scores)
        if after != [stood for _, stood in told]:
            return "kept_scores", moment
        should = {
            (score.seat, name)
            for score, old, new in zip(scores, before, after, strict=True)
            for name in achievements.of_career(old, new, score)
        }
        stands = db.execute(
            """SELECT seat, achievement FROM earned
            WHERE play_id = ? AND achievement IN (SELECT value FROM words_in(?))""",
            [moment[1], names],
        )
        if should != set(stands):
            return "earned", moment
        known.update((score.player_id, new) for score, new in zip(scores, after, strict=True))
    return None


def _award(db: Database, plays: Sequence[int], earned: Sequence[tuple[Any, ...]]) -> None:
    """What these plays earned by careers, put right."""
    stood = db.execute(
        """SELECT earned.* FROM numbers_in(?) AS play JOIN earned ON play_id = play.value
        WHERE achievement IN (SELECT value FROM words_in(?))""",
        [pack(list(plays)), pack(sorted(achievements.CAREER))],
    ).fetchall()
    gone, new = set(stood) - set(earned), set(earned) - set(stood)
    db.executemany(
        "DELETE FROM earned WHERE play_id = ? AND seat = ? AND achievement = ?", sorted(row[:3] for row in gone)
    )
    achievements.write(db, sorted(new))


def _end_of_slice(db: Database, one: Retelling) -> Moment | None:
    """The first moment that is left for later; None if nothing is."""
    row = db.execute(
        """SELECT played_at, play_id FROM kept_scores
        WHERE club_id = ? AND game = ? AND (played_at, play_id) >= (?, ?)
        GROUP BY played_at, play_id ORDER BY played_at, play_id LIMIT 1 OFFSET ?""",
        [one.club_id, one.game, *one.since, SLICE],
    ).fetchone()
    return (row[0], row[1]) if row else None


def _played(db: Database, one: Retelling, until: Moment | None) -> Iterator[list[Told]]:
    """The scores of each play of the slice, in order, with the careers as they are kept."""
    rows = db.execute(
        """SELECT play_id, seat, player_id, played_at, total, rank, winner, nth, streak, longest, best, skill, doubt
        FROM kept_scores WHERE club_id = ? AND game = ? AND (played_at, play_id) >= (?, ?)
        AND (played_at, play_id) < (?, ?) ORDER BY played_at, play_id, seat""",
        [one.club_id, one.game, *one.since, *(until or careers.NOW)],
    ).fetchall()
    for _, scores in groupby(rows, key=lambda row: row[0]):
        yield [
            (Score(play_id, seat, player_id, played_at, total, rank, bool(winner)), careers.career_of(career))
            for play_id, seat, player_id, played_at, total, rank, winner, *career in scores
        ]


def _ahead(db: Database, one: Retelling) -> int:
    """How many plays there are to tell again."""
    [plays] = db.execute(
        """SELECT count(DISTINCT play_id) FROM kept_scores
        WHERE club_id = ? AND game = ? AND (played_at, play_id) >= (?, ?)""",
        [one.club_id, one.game, *one.since],
    ).fetchone()
    return one.done + int(plays)


def _of_game(db: Database, club_id: int, game: str) -> Retelling | None:
    return next((one for one in under_way(db, club_id) if one.game == game), None)


def _retelling(row: Sequence[Any]) -> Retelling:
    return Retelling(row[0], row[1], (row[2], row[3]), row[4], row[5])


def _keep(db: Database, one: Retelling) -> None:
    db.upsert(
        "retellings",
        ("club_id", "game"),
        club_id=one.club_id,
        game=one.game,
        played_at=one.since[0],
        play_id=one.since[1],
        done=one.done,
        total=one.total,
    )
