"""Reads the JSON export of BG Stats, and its `.bgsplay` files, which have the same form."""

from __future__ import annotations

from typing import Any

from scorer.contract import Json
from scorer.sentences import say
from webapp.exchange.foreign import Foreign, ForeignPlay, ForeignScore, Refused, moment, whole

SOURCE = "BG Stats"
MOST_PLAYS = 100_000
ANONYMOUS = "Anonymous"


def is_one(value: Json) -> bool:
    return isinstance(value, dict) and isinstance(value.get("plays"), list) and isinstance(value.get("games"), list)


def read(value: Json) -> Foreign:
    if len(value["plays"]) > MOST_PLAYS:
        raise Refused(say("That is more than {most} plays: export them in parts.", most=MOST_PLAYS))
    titles = {
        str(one.get("id")): (
            _text(one, "name"),
            whole_number(one.get("bggId")),
            _text(one, "uuid") or _text(one, "name"),
        )
        for one in _objects(value, "games")
    }
    people = {
        str(one.get("id")): (_text(one, "name") or ANONYMOUS, _text(one, "uuid") or _text(one, "name"))
        for one in _objects(value, "players")
    }
    places = {str(one.get("id")): _text(one, "name") for one in _objects(value, "locations")}
    plays = [play for one in _objects(value, "plays") if (play := _play(one, titles, people, places)) is not None]
    used_games = {play.game for play in plays}
    used_people = {score.player for play in plays for score in play.scores}
    return Foreign(
        SOURCE,
        plays,
        {ref: (title, number) for title, number, ref in titles.values() if ref in used_games},
        {ref: name for name, ref in people.values() if ref in used_people},
        len(value["plays"]) - len(plays),
    )


def _play(one: Json, titles: Any, people: Any, places: Any) -> ForeignPlay | None:
    """A play that is complete enough to be one; ignored ones, and those in teams, are not."""
    title = titles.get(str(one.get("gameRefId")))
    at, uuid = moment(one.get("playDate")), _text(one, "uuid")
    scores = [
        ForeignScore(people[ref][1], whole(score.get("score")), score.get("winner") is True)
        for score in _objects(one, "playerScores")
        if (ref := str(score.get("playerRefId"))) in people
    ]
    complete = scores and all(score.total is not None for score in scores)
    if (
        title is None
        or at is None
        or not uuid
        or not complete
        or one.get("ignored") is True
        or one.get("usesTeams") is True
    ):
        return None
    place = places.get(str(one.get("locationRefId")), "")
    return ForeignPlay(uuid, title[2], at, scores, whole(one.get("durationMin")), place, _text(one, "comments", 2000))


def _objects(value: Json, key: str) -> list[Json]:
    found = value.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _text(value: Json, key: str, longest: int = 100) -> str:
    found = value.get(key)
    return found[:longest] if isinstance(found, str) else ""


def whole_number(value: Json) -> int | None:
    """A BGG number."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else None
