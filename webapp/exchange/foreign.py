"""Plays from other programs: names, dates and totals, matched once with our games and players and then remembered.

Nothing in such a file is trusted or worked out: what is not a plain whole number is no score. A play is known again by
the id its program gave it, so that importing a file twice changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from scorer import games
from scorer.contract import Game, Json, Line, Sheet
from scorer.names import cleaned, folded
from scorer.ranking import Ranking
from scorer.reading import MAX_NAME, TOTAL, TOTAL_LABEL
from scorer.result import Result, scored
from scorer.sentences import Sentence, say
from webapp.database import Database
from webapp.history import LONGEST_GAME, LONGEST_NOTES, YEARS, NewPlay, plays
from webapp.table import forms

NOBODY = "?"  # a name that was left blank
MOST_PLAYERS = 12
Matches = dict[tuple[str, str], str]


class Refused(ValueError):
    """The file cannot be taken in; the message says why."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class ForeignScore:
    player: str  # their reference
    total: int | None
    winner: bool


@dataclass(frozen=True, slots=True)
class ForeignPlay:
    id: str
    game: str  # their reference
    played_at: str
    scores: list[ForeignScore]
    minutes: int | None = None
    place: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A file: its plays, and the games (name and BGG number) and players they refer to."""

    source: str
    plays: list[ForeignPlay]
    games: Mapping[str, tuple[str, int | None]]
    players: Mapping[str, str]
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an import did."""

    added: int
    known: int = 0  # there already
    left_out: int = 0  # of games that are not ours
    unreadable: int = 0  # without a date or whole numbers


def whole(value: Any) -> int | None:
    """A whole number, if it plainly is one."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < 10_000 else None
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if re.fullmatch(r"[-+]?[0-9]{1,4}", text) else None


def moment(value: Any) -> str | None:
    """A day or a time as we keep it; times without a zone are taken for UTC."""
    text = value.strip() if isinstance(value, str) else ""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:]{5,8}(\.[0-9]+)?(Z|[+-][0-9:]{5})?)?", text):
        return None
    try:
        at = datetime.fromisoformat(text)
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return at.strftime("%Y-%m-%dT%H:%M:%SZ") if at.year in YEARS else None


def name(text: str) -> str:
    """A name as we write names."""
    tidy = cleaned(cleaned(text)[:MAX_NAME])
    return tidy if folded(tidy) else NOBODY


def matches(db: Database, club_id: int, foreign: Foreign, bgg: Mapping[str, int]) -> Matches:
    """Who is who and what is what: as remembered, else by number, else by name. "" is a game that is not ours."""
    remembered = {
        (row["kind"], row["theirs"]): row["ours"]
        for row in db.query(
            "SELECT kind, theirs, ours FROM matches WHERE club_id = ? AND source = ?", [club_id, foreign.source]
        )
    }
    ours = {game.id: game for game in games.everything()}
    by_name = {word: game.id for game in ours.values() for word in (game.name.casefold(), game.id)}
    by_number = {number: game for game, number in bgg.items() if game in ours}
    people = {folded(row["name"]): row["name"] for row in _people(db, club_id)}
    found: Matches = {}
    for ref, (title, number) in foreign.games.items():
        guess = by_number.get(number or 0) or by_name.get(title.casefold().strip(), "")
        found["game", ref] = remembered.get(("game", ref), guess)
    for ref, written in foreign.players.items():
        tidy = name(written)
        found["player", ref] = remembered.get(("player", ref), people.get(folded(tidy), tidy))
    return found


def _people(db: Database, club_id: int) -> Iterator[dict[str, Any]]:
    return db.query("SELECT name FROM players WHERE club_id = ?", [club_id])


def remember(db: Database, club_id: int, foreign: Foreign, found: Matches) -> None:
    db.conn.executemany(
        "INSERT INTO matches VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ours = excluded.ours",
        [(club_id, foreign.source, kind, theirs, ours) for (kind, theirs), ours in found.items()],
    )


def take_in(db: Database, club_id: int, foreign: Foreign, found: Matches) -> Outcome:
    """Save what is new, by these matches, which are remembered."""
    known = left_out = unreadable = 0
    new: dict[str, NewPlay] = {}
    with db.atomic():
        remember(db, club_id, foreign, found)
        here = set(
            db.execute(
                "SELECT source_id FROM kept_plays WHERE club_id = ?1 AND source = ?2 "
                "UNION SELECT key FROM kept_plays WHERE club_id = ?1",
                [club_id, foreign.source],
            ).fetchall()
        )
        for play in foreign.plays:
            game = games.find(found.get(("game", play.game), ""))
            if game is None:
                left_out += 1
            elif (play.id,) in here or play.id in new:
                known += 1
            else:
                ours = as_ours(game, play, found, foreign.source)
                if ours is None:
                    unreadable += 1
                else:
                    new[play.id] = ours
        plays.save_all(db, club_id, new.values())
    return Outcome(len(new), known, left_out, unreadable + foreign.unreadable)


def as_ours(game: Game, play: ForeignPlay, found: Matches, source: str) -> NewPlay | None:
    """The play as one of ours; None if two of its players are one of ours, or if there are none or far too many."""
    names = [name(found.get(("player", score.player), score.player)) for score in play.scores]
    if not 1 <= len(names) <= MOST_PLAYERS or len(set(map(folded, names))) < len(names):
        return None
    players: Json = [{"name": one, "typed": {}} for one in names]
    record = {"game": game.id, "table": forms.defaults(game.inputs), "players": players}
    scores = [(one, score.total or 0, score.winner) for one, score in zip(names, play.scores, strict=True)]
    return NewPlay(
        record,
        result_of(game, scores, source),
        played_at=play.played_at,
        notes=play.notes[:LONGEST_NOTES],
        place=" ".join(play.place.split())[:MAX_NAME],
        minutes=play.minutes if play.minutes and 0 < play.minutes <= LONGEST_GAME else None,
        source=source,
        source_id=play.id[:64],
    )


def result_of(game: Game, scores: Sequence[tuple[str, int, bool]], source: str) -> Result:
    """A result that takes their word for who won. Without a word, most points win. No rules of ours have scored it."""
    names_winners = any(winner for _, _, winner in scores)
    best = max(total for _, total, _ in scores)
    won = [winner if names_winners else total == best for _, total, winner in scores]
    order = [(not winner, -total) for winner, (_, total, _) in zip(won, scores, strict=True)]
    ranks = (1 if winner else 1 + sum(other < mine for other in order) for winner, mine in zip(won, order, strict=True))
    winners = (player for (player, _, _), winner in zip(scores, won, strict=True) if winner)
    ranking = Ranking(tuple(ranks), tuple(winners), "shared" if sum(won) > 1 else "points", ())
    sheets = [
        Sheet(player, (Line(TOTAL, TOTAL_LABEL, total, say("as {source} tells", source=source)),))
        for player, total, _ in scores
    ]
    return {**scored(game, sheets, ranking, ()), "rules_version": ""}
