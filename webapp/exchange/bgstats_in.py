"""Read the JSON export of BG Stats and its `.bgsplay` files, which have the same format.

A file is read twice: first for the games and players that its numbers refer to, then for its plays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scorer.contract import Json
from scorer.sentences import say
from webapp.database import pack
from webapp.exchange import foreign, json_stream, origin
from webapp.exchange.files import Open, ReadProgress
from webapp.exchange.foreign import Digest, ForeignPlay, ForeignScore, LeftOut, has_zone, moment, whole
from webapp.exchange.import_errors import Refused

SOURCE = "BG Stats"
NO_PLACE = "Tidemark"  # means "no place" in our own exports
ANONYMOUS = "Anonymous"
BOARDS_APART = "\N{FULLWIDTH SOLIDUS}"
MOST = 50_000  # games, players or places
KINDS = ("games", "players", "locations")
# Fields of a play and of a score that we don't use, and hand back when the play is exported.
OF_PLAY = (
    *("entryDate", "modificationDate", "rounds", "rating", "scoringSetting", "manualWinner", "board", "bggId"),
    *("usesTeams", "bggLastSync", "importPlayId", "nemestatsId", "playImages", "metaData", "scoresheet"),
)
OF_SCORE = (
    *("score", "winner", "rank", "startPlayer", "newPlayer", "seatOrder", "role", "team", "teamRole"),
    *("startPosition", "metaData"),
)
MOST_SEATED = 200_000


@dataclass(slots=True)
class Names:
    """Hold the games, people and places of a file, by the numbers with which its plays refer to them.

    A game has its name, its BoardGameGeek number and its UUID or name.
    """

    games: dict[str, tuple[str, int | None, str]] = field(default_factory=dict)
    people: dict[str, tuple[str, str]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    uuids: dict[tuple[str, str], str] = field(default_factory=dict)  # by kind and number
    anonymous: set[str] = field(default_factory=set)

    def take(self, kind: str, one: Json) -> None:
        if kind == "games":
            reference = _text(one, "uuid") or _text(one, "name")
            self.games[_ref(one, "id")] = (_text(one, "name"), whole_number(one.get("bggId")), reference)
        elif kind == "players":
            written = _text(one, "name") or ANONYMOUS
            self.people[_ref(one, "id")] = (written, _text(one, "uuid") or written)
        elif kind == "locations":
            self.places[_ref(one, "id")] = _text(one, "name")
        if kind in KINDS and (uuid := _text(one, "uuid", 64)):
            self.uuids[kind, _ref(one, "id")] = uuid
        if kind == "players" and one.get("isAnonymous") is True:
            self.anonymous.add(_ref(one, "id"))
        if max(len(self.games), len(self.people), len(self.places)) > MOST:
            raise Refused(say("The file has more than {most} games, players or places. Split it.", most=MOST))


class File:
    """Read a file of BG Stats."""

    def __init__(self, opened: Open) -> None:
        self.opened = opened
        self.names = Names()

    def survey(self, on_read: ReadProgress) -> Digest:
        """Read the whole file; return the games and players in it, which people are asked to match with ours. `on_read`
        is called after each piece of the file, with the number of bytes read so far."""
        digest = Digest(SOURCE)
        numbers: dict[str, set[str]] = {}  # by game, the numbers of its players
        counts: dict[str, int] = {}
        seated = 0
        with self.opened() as file:
            for kind, one in json_stream.members(file, on_read):
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

    def plays(self, on_read: ReadProgress) -> Iterator[ForeignPlay | LeftOut]:
        with self.opened() as file:
            for kind, one in json_stream.members(file, on_read):
                if kind == "plays" and isinstance(one, dict):
                    yield play(one, self.names)


def play(one: Json, names: Names) -> ForeignPlay | LeftOut:
    """Return a play of the file as a ForeignPlay, or a LeftOut with the reason why it can't be imported. `one` is its
    JSON; `names` has the games, people and places that it refers to by numbers."""
    _, _, game = names.games.get(_ref(one, "gameRefId"), ("", None, ""))
    at = moment(one.get("playDate"))
    scores = objects(one, "playerScores")
    if one.get("usesTeams") in (True, 1):
        scores = [_of_team(score, scores) for score in scores]
    reasons = (
        ("no_game", not game),
        ("no_date", at is None),
        ("ignored", one.get("ignored") is True),
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
        [_score(score, names) for score in scores],
        whole(one.get("durationMin")),
        "" if place == NO_PLACE else place,
        _text(one, "comments", 2000),
        tuple(way.strip() for way in (*boards, *expansions) if way.strip()),
        _origin(one, names),
        not has_zone(str(one["playDate"])),
    )


def _origin(one: Json, names: Names) -> str:
    """Return as JSON what else the file says about the play `one`, or "" if that is too long. UUIDs from `names`
    replace the numbers, which are valid only within the file."""
    game, place = _ref(one, "gameRefId"), _ref(one, "locationRefId")
    title, number, _ = names.games[game]
    told = {
        "play": _plain(one, OF_PLAY),
        "scores": [_origin_of_score(score, names) for score in objects(one, "playerScores")],
        "expansions": [_expansion(part, names) for part in objects(one, "expansionPlays")],
        "game": {"uuid": names.uuids.get(("games", game), ""), "name": title, "bggId": number or 0},
        "place": {"uuid": names.uuids.get(("locations", place), "")},
    }
    packed = pack(told)
    return packed if len(packed) <= origin.LONGEST else ""


def _origin_of_score(score: Json, names: Names) -> Json:
    player = _ref(score, "playerRefId")
    uuid, is_anonymous = names.uuids.get(("players", player), ""), player in names.anonymous
    return {**_plain(score, OF_SCORE), "uuid": uuid, "isAnonymous": is_anonymous}


def _expansion(part: Json, names: Names) -> Json:
    game = _ref(part, "gameRefId")
    title, number, _ = names.games.get(game, ("", None, ""))
    play = whole_number(part.get("bggId")) or 0
    return {"uuid": names.uuids.get(("games", game), ""), "name": title, "bggId": number or 0, "play": play}


def _plain(one: Json, names: Sequence[str]) -> Json:
    """Return those fields of `one` that are named in `names` and hold a string, a number or a boolean."""
    return {name: one[name] for name in names if origin.is_plain(one.get(name))}


def _of_team(score: Json, every: Sequence[Json]) -> Json:
    """Return `score`, what the file says of a player, with the points and the win of the player's team. The file may
    give them for one member only; `every` has the scores of all players."""
    team = score.get("team")
    members = [score, *(one for one in every if team and one.get("team") == team)]
    written = next((one["score"] for one in members if one.get("score") not in (None, "")), None)
    return {**score, "score": written, "winner": any(map(_has_won, members))}


def _has_won(score: Json) -> bool:
    won = score.get("winner")
    return won is True or whole(won) == 1


def _score(score: Json, names: Names) -> ForeignScore:
    player = names.people.get(_ref(score, "playerRefId"), (ANONYMOUS, ""))[1]
    return foreign.score(player, score.get("score"), _has_won(score), score.get("rank"))


def objects(value: Json, key: str) -> list[Json]:
    found = value.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _ref(one: Json, key: str) -> str:
    """Return the number in the field `key` of `one` as text, without the ".0" that some programs add."""
    number = one.get(key)
    return str(int(number) if isinstance(number, float) and number.is_integer() else number)[:40]


def _text(value: Json, key: str, longest: int = 100) -> str:
    found = value.get(key)
    return found[:longest].replace("\0", "") if isinstance(found, str) else ""


def whole_number(value: Json) -> int | None:
    """Return a BoardGameGeek number, or None if the value can't be one."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else None
