"""Plays from other programs: names, dates and totals, matched once with our games and players and then remembered.

Nothing in such a file is trusted. What is no whole number, nor a sum of some, is no score; somebody without one has no
line on the score pad, and so no total that anybody would count. Unless the file says who won, nobody has won a game in
which a score is missing. A play is known again by the id its program gave it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from scorer import games
from scorer.contract import Game, Json, Line, Sheet
from scorer.names import cleaned, folded
from scorer.ranking import Ranking
from scorer.reading import MAX_NAME, TOTAL, TOTAL_LABEL
from scorer.result import Result, scored
from scorer.sentences import say
from webapp import clubs, days
from webapp.database import Database
from webapp.exchange.outcome import OTHER_GAME, Item
from webapp.history import LONGEST_GAME, LONGEST_NOTES, TOLD, YEARS, NewPlay, decision_of
from webapp.table import forms, paths

NOBODY = "?"  # a name that was left blank
MOST_PLAYERS = 12
MOST_POINTS = 10_000
# 20, -3, +5, 20.0 and 20,0. Three noughts behind a point may be thousands or nothing, so they are not read.
WHOLE = re.compile(r"([-+]?) ?([0-9]{1,4})([.,](0{1,2}|0{4,9})?)?")
SUM = re.compile(r"[-+]? ?[0-9]{1,4}( ?[-+*×] ?[0-9]{1,4})*")
# The space that some languages write between thousands; a plain one could stand between two scores.
THOUSANDS = re.compile(r"(?<=[0-9])[\u00a0\u2007\u2009\u202f](?=[0-9]{3}(?![0-9]))")
MINUS = dict.fromkeys(map(ord, "−‐‑‒–﹣－"), "-")  # as typesetters and other keyboards write it
WIDE = str.maketrans("０１２３４５６７８９＋．，", "0123456789+.,")  # as East Asian keyboards write them
Matches = dict[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class ForeignScore:
    player: str  # their reference
    total: int | None
    winner: bool
    rank: int | None = None
    is_sum: bool = False
    unread: str = ""  # what stands there instead of a score


@dataclass(frozen=True, slots=True)
class ForeignPlay:
    id: str
    game: str  # their reference
    played_at: str
    scores: list[ForeignScore]
    minutes: int | None = None
    place: str = ""
    notes: str = ""
    ways: tuple[str, ...] = ()  # boards and expansions, in their words
    by_the_clock: bool = False  # the file does not say in which time zone: it was the club's clock


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A play that cannot come in, whichever game it is of."""

    reason: str
    example: str
    game: str = ""


@dataclass(slots=True)
class Digest:
    """What has to be asked about a file: its games (name and BGG number) and players, and who plays what."""

    source: str
    plays: int = 0
    games: dict[str, tuple[str, int | None]] = field(default_factory=dict)
    players: dict[str, str] = field(default_factory=dict)
    of_game: dict[str, int] = field(default_factory=dict)
    seated: dict[str, list[str]] = field(default_factory=dict)  # by game the references of its players


class Pages(Protocol):
    """Yields the plays of a file, however often it is asked to."""

    def __call__(self) -> Iterator[ForeignPlay | LeftOut]: ...


def whole(value: Any) -> int | None:
    """Return the whole number that a value plainly is, or None: 20, 20.0, "20.0", "20,0", "+5", "−3"."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < MOST_POINTS else None
    found = WHOLE.fullmatch(_plain(value).translate(WIDE))
    return int(found[1] + found[2]) if found else None


def _plain(value: Any) -> str:
    """Return a short text with its signs and spaces as we write them, or nothing."""
    if not isinstance(value, str) or len(value) > 100:
        return ""
    return " ".join(THOUSANDS.sub("", value.translate(MINUS)).split())


def summed(value: Any) -> int | None:
    """What "87+77" comes to: whole numbers added, taken off or multiplied, and nothing else."""
    text = _plain(value)
    if not SUM.fullmatch(text):
        return None
    total = 0
    for sign, product in re.findall(r"([-+]?)([0-9*×]+)", text.replace(" ", "")):
        points = 1
        for factor in re.split("[*×]", product):
            points *= int(factor)
        total += -points if sign == "-" else points
    return total if abs(total) < MOST_POINTS else None


def score(player: str, written: Any, winner: bool, rank: Any) -> ForeignScore:
    """Return what a file says of one player. A score that is there but cannot be read is kept as it was written."""
    total, place = whole(written), whole(rank)
    added = summed(written) if total is None else None
    unread = "" if written is None or total is not None or added is not None else str(written)[:100]
    return ForeignScore(
        player,
        added if total is None else total,
        winner,
        place if place is not None and 1 <= place <= 100 else None,
        added is not None,
        "".join(letter if letter.isprintable() else " " for letter in unread).strip()[:20],
    )


def moment(value: Any) -> str | None:
    """A day or a time as we keep it; times without a zone as if they were UTC."""
    text = value.strip() if isinstance(value, str) and len(value) <= 100 else ""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:]{5,8}(\.[0-9]+)?(Z|[+-][0-9:]{5})?)?", text):
        return None
    try:
        at = datetime.fromisoformat(text)
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return at.strftime("%Y-%m-%dT%H:%M:%SZ") if at.year in YEARS else None


def has_zone(value: str) -> bool:
    """Whether a time says where it was so late."""
    return bool(re.search(r"(Z|[+-][0-9:]{5})$", value.strip()[10:]))


def name(text: str) -> str:
    """A name as we write names."""
    tidy = cleaned(cleaned(text[: 4 * MAX_NAME])[:MAX_NAME])
    return tidy if folded(tidy) else NOBODY


def matches(db: Database, club_id: int, digest: Digest, bgg: Mapping[str, int]) -> Matches:
    """Who is who and what is what: as remembered, else by number, else by name. "" is a game that is not ours."""
    remembered = clubs.matches.of_source(db, club_id, digest.source)
    ours = {game.id: game for game in games.everything()}
    by_name = {word: game.id for game in ours.values() for word in (game.name.casefold(), game.id)}
    by_number = {number: game for game, number in bgg.items() if game in ours}
    people = {folded(row["name"]): row["name"] for row in _people(db, club_id)}
    found: Matches = {}
    for ref, (title, number) in digest.games.items():
        guess = by_number.get(number or 0) or by_name.get(title.casefold().strip(), "")
        found["game", ref] = remembered.get(("game", ref), guess)
    for ref, written in digest.players.items():
        tidy = name(written)
        found["player", ref] = remembered.get(("player", ref), people.get(folded(tidy), tidy))
    return found


def _people(db: Database, club_id: int) -> Iterator[dict[str, Any]]:
    return db.query("SELECT name FROM players WHERE club_id = ?", [club_id])


def remember(db: Database, club_id: int, source: str, found: Matches) -> None:
    clubs.matches.remember(db, club_id, [(source, kind, theirs[:100], ours) for (kind, theirs), ours in found.items()])


def items(
    source: str, digest: Digest, plays: Iterator[ForeignPlay | LeftOut], found: Matches, zone: str = ""
) -> Iterator[Item]:
    """The plays as ours by these matches, or why they are left out."""
    for play in plays:
        game = games.find(found.get(("game", play.game), ""))
        title = digest.games.get(play.game, ("", None))[0]
        if game is None:
            yield Item(None, title[:100] or "?", reason=OTHER_GAME)
        elif isinstance(play, LeftOut):
            yield Item(None, f"{title[:100]}, {play.example}", reason=play.reason)
        else:
            at = days.by_the_clock(play.played_at, zone) if play.by_the_clock else play.played_at
            yield item(game, replace(play, played_at=at), found, digest, source)


def item(game: Game, play: ForeignPlay, found: Matches, digest: Digest, source: str) -> Item:
    names, numbered = seated(play, found, digest.players)
    example = f"{play.played_at[:10]} {game.name}: {', '.join(names)}"[:200]
    if not 1 <= len(names) <= MOST_PLAYERS:
        return Item(None, example, reason="too_many" if names else "nobody")
    new = as_ours(game, play, names, source)
    unread = [f"{one} “{score.unread}”" for one, score in zip(names, play.scores, strict=True) if score.unread]
    mended = {
        code: described
        for code, applies, described in (
            ("sums", any(score.is_sum for score in play.scores), example),
            ("gaps", any(score.total is None and not score.unread for score in play.scores), example),
            ("unread", bool(unread), f"{play.played_at[:10]} {game.name}: {', '.join(unread)}"[:200]),
            ("open", not any(seat.winner for seat in new.decision.seats), example),
            ("guests", numbered, example),
        )
        if applies
    }
    return Item(new, example, (play.id,), mended=mended)


def seated(play: ForeignPlay, found: Matches, written: Mapping[str, str]) -> tuple[list[str], bool]:
    """What everybody at the table is called here, and whether some had to be numbered to be told apart."""
    names: list[str] = []
    numbered = False
    for score in play.scores:
        called = name(found.get(("player", score.player), written.get(score.player, score.player)))
        taken = set(map(folded, names))
        if folded(called) in taken:
            called = name(written.get(score.player, score.player))
        if folded(called) in taken:
            numbered = True
            count = 2
            while folded(f"{called[: MAX_NAME - 4]} {count}") in taken:
                count += 1
            called = f"{called[: MAX_NAME - 4]} {count}"
        names.append(called)
    return names, numbered


def as_ours(game: Game, play: ForeignPlay, names: Sequence[str], source: str) -> NewPlay:
    """The play as one of ours, of which nothing but the totals is known, and not always these."""
    players: Json = [
        {"name": one, "typed": {} if score.total is None else {TOTAL: score.total}}
        for one, score in zip(names, play.scores, strict=True)
    ]
    record = {"game": game.id, "table": table_of(game, play.ways), "players": players}
    return NewPlay(
        record,
        decision_of(record, result_of(game, names, play.scores, source), TOLD),
        played_at=play.played_at,
        notes=play.notes[:LONGEST_NOTES],
        place=" ".join(play.place.split())[:MAX_NAME],
        minutes=play.minutes if play.minutes and 0 < play.minutes <= LONGEST_GAME else None,
        source=source,
        source_id=play.id[:64],
    )


def table_of(game: Game, ways: Sequence[str]) -> Json:
    """The table as the game is first laid, with the boards and expansions that we have a name for."""
    table = forms.defaults(game.inputs)
    known = {
        folded(str(choice.label)): (asked, choice.value)
        for asked in game.inputs
        if asked.name in game.variants
        for choice in asked.choices
    }
    for way in ways:
        words = way.casefold().removeprefix(game.name.casefold()).strip(" :\N{EN DASH}\N{EM DASH}-")
        asked, value = known.get(folded(words), (None, None))
        if asked is None:
            continue
        if asked.kind == "choices":
            held = paths.get(table, paths.steps(asked.name))
            value = sorted({*(held if isinstance(held, list) else []), value})
        table = paths.put(table, paths.steps(asked.name), value)
    return table


def result_of(game: Game, names: Sequence[str], scores: Sequence[ForeignScore], source: str) -> Result:
    """A result that takes their word for who won and in which place. Without a word, most points win.

    Without a word and with a score missing nobody does.
    """
    told = any(score.winner for score in scores)
    ranked = not told and all(score.rank for score in scores) and any(score.rank == 1 for score in scores)
    won = [
        score.winner if told else score.rank == 1 if ranked else wins
        for score, wins in zip(scores, _best(scores), strict=True)
    ]
    order = [(not winner, *place) for winner, place in zip(won, places(scores), strict=True)]
    ranks = (1 if winner else 1 + sum(other < mine for other in order) for winner, mine in zip(won, order, strict=True))
    winners = tuple(one for one, winner in zip(names, won, strict=True) if winner)
    decided_by = ("shared" if len(winners) > 1 else "points") if winners else None
    ranking = Ranking(tuple(ranks), winners, decided_by, ())
    word = say("as {source} tells", source=source)
    sheets = [
        Sheet(one, () if score.total is None else (Line(TOTAL, TOTAL_LABEL, score.total, word),))
        for one, score in zip(names, scores, strict=True)
    ]
    result: Result = {**scored(game, sheets, ranking, ()), "rules_version": ""}
    if any(score.total is None for score in scores):
        result["told"] = _told(scores, won, ranked)
    return result


def _best(scores: Sequence[ForeignScore]) -> list[bool]:
    """Return for each seat whether it has the most points: nobody, unless all scores are known; always who is alone."""
    totals = [score.total for score in scores if score.total is not None]
    known = len(totals) == len(scores)
    return [len(scores) == 1 or (known and score.total == max(totals)) for score in scores]


def _told(scores: Sequence[ForeignScore], won: Sequence[bool], ranked: bool) -> list[int]:
    """The seats whose places follow from what was told, without any points."""
    if not any(won):
        return []
    if ranked or all(score.rank for score in scores):
        return list(range(len(scores)))
    if not any(score.winner for score in scores):
        return []
    alone = len(scores) - sum(won) == 1  # the one who did not win stands behind the others
    return [seat for seat, winner in enumerate(won) if winner or alone]


def places(scores: Sequence[ForeignScore]) -> list[tuple[int, int]]:
    """What puts those behind the winners in order: points, or the ranks that were told where points are missing."""
    if all(score.total is not None for score in scores) or not all(score.rank for score in scores):
        return [(score.total is None, -(score.total or 0)) for score in scores]
    return [(0, score.rank or 0) for score in scores]
