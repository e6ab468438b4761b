"""Reads the JSON export of BG Stats, and its `.bgsplay` files, which have the same form.

Once for what its numbers stand for, and once more for the plays, one after the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from scorer.contract import Json
from scorer.sentences import say
from webapp.database import pack
from webapp.exchange import foreign, pull
from webapp.exchange.files import Moved, Open
from webapp.exchange.foreign import Digest, ForeignPlay, ForeignScore, LeftOut, has_zone, moment, whole
from webapp.exchange.refusal import Refused

SOURCE = "BG Stats"
OURS = "Tidemark"  # stands for "no place" in files of ours
ANONYMOUS = "Anonymous"
BOARDS_APART = "\N{FULLWIDTH SOLIDUS}"
MOST = 50_000  # games, players, places
MOST_SEATED = 200_000


@dataclass(slots=True)
class Names:
    """What the numbers of a file stand for: games with their BGG numbers and references, people, places."""

    games: dict[str, tuple[str, int | None, str]] = field(default_factory=dict)
    people: dict[str, tuple[str, str]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def take(self, kind: str, one: Json) -> None:
        if kind == "games":
            reference = _text(one, "uuid") or _text(one, "name")
            self.games[_ref(one, "id")] = (_text(one, "name"), whole_number(one.get("bggId")), reference)
        elif kind == "players":
            written = _text(one, "name") or ANONYMOUS
            self.people[_ref(one, "id")] = (written, _text(one, "uuid") or written)
        elif kind == "locations":
            self.places[_ref(one, "id")] = _text(one, "name")
        if max(len(self.games), len(self.people), len(self.places)) > MOST:
            raise Refused(say("The file names more than {most} games, players or places.", most=MOST))


class File:
    """A file of BG Stats."""

    def __init__(self, opened: Open) -> None:
        self.opened = opened
        self.names = Names()

    def survey(self, moved: Moved) -> Digest:
        """Read it through; what has to be asked about it."""
        digest = Digest(SOURCE)
        numbers: dict[str, set[str]] = {}  # by the number of a game those of its players
        counts: dict[str, int] = {}
        seated = 0
        with self.opened() as file:
            for kind, one in pull.members(file, moved):
                if not isinstance(one, dict):
                    continue
                if kind != "plays":
                    self.names.take(kind, one)
                    continue
                digest.plays += 1
                game = _ref(one, "gameRefId")
                counts[game] = counts.get(game, 0) + 1
                there = {_ref(score, "playerRefId") for score in objects(one, "playerScores")}
                if seated < MOST_SEATED and len(counts) <= MOST:
                    seated += len(there - numbers.setdefault(game, set()))
                    numbers[game] |= there
        for game, count in counts.items():
            title, number, ref = self.names.games.get(game, ("", None, ""))
            digest.games[ref] = (title, number)
            digest.of_game[ref] = digest.of_game.get(ref, 0) + count
            people = (self.names.people.get(one, (ANONYMOUS, "")) for one in numbers.get(game, ()))
            for written, player in people:
                digest.players[player] = written
                digest.seated.setdefault(ref, []).append(player)
        return digest

    def plays(self, moved: Moved) -> Iterator[ForeignPlay | LeftOut]:
        with self.opened() as file:
            for kind, one in pull.members(file, moved):
                if kind == "plays" and isinstance(one, dict):
                    yield play(one, self.names)


def play(one: Json, names: Names) -> ForeignPlay | LeftOut:
    """A play, if it tells when, what and by whom; ignored ones, and those in teams, do not come in."""
    _, _, game = names.games.get(_ref(one, "gameRefId"), ("", None, ""))
    at = moment(one.get("playDate"))
    scores = [_score(score, names) for score in objects(one, "playerScores")]
    reasons = (
        ("no_game", not game),
        ("no_date", at is None),
        ("ignored", one.get("ignored") is True),
        ("teams", one.get("usesTeams") is True),
        ("nobody", not scores),
    )
    for reason, applies in reasons:
        if applies:
            return LeftOut(reason, _text(one, "playDate", 10) or "?", game)
    assert at is not None
    place = names.places.get(_ref(one, "locationRefId"), "")
    expansions = (names.games.get(_ref(part, "gameRefId"), ("",))[0] for part in objects(one, "expansionPlays"))
    boards = _text(one, "board", 500).split(BOARDS_APART)
    return ForeignPlay(
        _text(one, "uuid", 64) or hashlib.sha256(pack(one).encode()).hexdigest()[:32],
        game,
        at,
        scores,
        whole(one.get("durationMin")),
        "" if place == OURS else place,
        _text(one, "comments", 2000),
        tuple(way.strip() for way in (*boards, *expansions) if way.strip()),
        not has_zone(str(one["playDate"])),
    )


def _score(score: Json, names: Names) -> ForeignScore:
    player = names.people.get(_ref(score, "playerRefId"), (ANONYMOUS, ""))[1]
    won = score.get("winner")
    return foreign.score(player, score.get("score"), won is True or whole(won) == 1, score.get("rank"))


def objects(value: Json, key: str) -> list[Json]:
    found = value.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _ref(one: Json, key: str) -> str:
    """Return the number that stands for something, without the ".0" that some programs add."""
    number = one.get(key)
    return str(int(number) if isinstance(number, float) and number.is_integer() else number)[:40]


def _text(value: Json, key: str, longest: int = 100) -> str:
    found = value.get(key)
    return found[:longest].replace("\0", "") if isinstance(found, str) else ""


def whole_number(value: Json) -> int | None:
    """A BGG number."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else None
