"""Read plays of other programs: names, dates and totals, with games and players matched to ours and remembered.

Nothing in such a file is trusted. A score must be a whole number or a sum of whole numbers; otherwise the player has no
total. If the file names no winner, a game with a missing score has none. A play is recognised by the id that the other
program gave it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from scorer import games
from scorer.contract import Json
from scorer.names import cleaned, folded
from scorer.record import MAX_NAME
from webapp import clubs
from webapp.database import Database
from webapp.history import YEARS

NOBODY = "?"  # replaces a blank name
MOST_PLAYERS = 12
MOST_POINTS = 10_000
# 20, -3, +5, 20.0 and 20,0. 1.000 can mean one or a thousand, so it is not read.
WHOLE = re.compile(r"([-+]?) ?([0-9]{1,4})([.,](0{1,2}|0{4,9})?)?")
SUM = re.compile(r"[-+]? ?[0-9]{1,4}( ?[-+*×] ?[0-9]{1,4})*")
# The space or apostrophe that some languages write between thousands; a plain space could separate two scores. A point
# or comma counts only if the other one follows.
THOUSANDS = re.compile(
    r"(?<=[0-9])[\u00a0\u2007\u2009\u202f'’](?=[0-9]{3}(?![0-9]))|(?<=[0-9])\.(?=[0-9]{3},[0-9])|(?<=[0-9]),(?=[0-9]{3}\.[0-9])"
)
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
    unread: str = ""  # the text, if it is not a score
    lines: tuple[tuple[str, str, int], ...] = ()  # rule, label and points, if the file has them


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
    origin: str = ""  # JSON of what else the file says
    by_the_clock: bool = False  # the file gives no time zone, so the club's counts


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Represent a play that is not imported, with the reason and a text to recognise it by."""

    reason: str
    example: str
    game: str = ""


@dataclass(slots=True)
class Digest:
    """Hold what people are asked about before an import: the file's games and players, by the file's references. A game
    has a title and a BoardGameGeek number."""

    source: str
    plays: int = 0
    games: dict[str, tuple[str, int | None]] = field(default_factory=dict)
    players: dict[str, str] = field(default_factory=dict)
    of_game: dict[str, int] = field(default_factory=dict)
    seated: dict[str, list[str]] = field(default_factory=dict)  # by game the references of its players
    table: Json = None  # of a text table: its layout, and what the preview shows

    @classmethod
    def from_json(cls, kept: Json) -> Digest:
        return cls(**{**kept, "games": {ref: (title, number) for ref, (title, number) in kept["games"].items()}})


def whole(value: Any) -> int | None:
    """Return the whole number that a value plainly is (20, 20.0, "20.0", "20,0", "+5", "−3"), or None."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < MOST_POINTS else None
    found = WHOLE.fullmatch(_plain(value).translate(WIDE))
    return int(found[1] + found[2]) if found else None


def _plain(value: Any) -> str:
    """Return a text with ordinary minus signs and spaces; "" if the value is no text or too long."""
    if not isinstance(value, str) or len(value) > 100:
        return ""
    return " ".join(THOUSANDS.sub("", value.translate(MINUS)).split())


def summed(value: Any) -> int | None:
    """Return the value of a sum such as "87+77" of whole numbers, products and differences, or None."""
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


def score(
    player: str, written: Any, winner: bool, rank: Any, lines: tuple[tuple[str, str, int], ...] = ()
) -> ForeignScore:
    """Return what a file says about one player of a play. `written` is the score in the file, which is kept as text if
    it can't be read. `rank` is the rank there; a `lines` entry is rule, label and points."""
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
        lines,
    )


def moment(value: Any) -> str | None:
    """Return the day or time in `value` as a time in UTC, or None if it is neither. Times without a zone are taken as
    UTC."""
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
    """Return whether a time has a time zone."""
    return bool(re.search(r"(Z|[+-][0-9:]{5})$", value.strip()[10:]))


def name(text: str) -> str:
    """Return the text as a player's name, or `NOBODY` if it has no letters or digits."""
    tidy = cleaned(cleaned(text[: 4 * MAX_NAME])[:MAX_NAME])
    return tidy if folded(tidy) else NOBODY


def matches(db: Database, club_id: int, digest: Digest, bgg: Mapping[str, int]) -> Matches:
    """Return which game or player of ours each one in the file is: as remembered, else as guessed. The keys are ("game"
    or "player", its reference in the file). A game is guessed by BoardGameGeek number (`bgg` has ours) or by name;
    one that we don't have is ""."""
    remembered = clubs.matches.of_source(db, club_id, digest.source)
    ours = {game.id: game for game in games.all_games()}
    by_name = {word: game.id for game in ours.values() for word in (game.name.casefold(), game.id)}
    by_number = {number: game for game, number in bgg.items() if game in ours}
    names = db.execute("SELECT name FROM players WHERE club_id = ?", [club_id]).fetchall()
    people = {folded(one): one for (one,) in names}
    found: Matches = {}
    for ref, (title, number) in digest.games.items():
        guess = by_number.get(number or 0) or by_name.get(title.casefold().strip(), "")
        found["game", ref] = remembered.get(("game", ref), guess)
    for ref, written in digest.players.items():
        tidy = name(written)
        found["player", ref] = remembered.get(("player", ref), people.get(folded(tidy), tidy))
    return found


def remember(db: Database, club_id: int, source: str, found: Matches) -> None:
    clubs.matches.remember(db, club_id, [(source, kind, theirs[:100], ours) for (kind, theirs), ours in found.items()])
