"""What a file of ours must hold to be taken in: sound records, results and plain values, or a refusal in words."""

from __future__ import annotations

from typing import TypeGuard, get_origin, get_type_hints

from scorer import games
from scorer.contract import Game, Json
from scorer.core import score_as
from scorer.names import has_control
from scorer.reading import MAX_NAME
from scorer.report import totals
from scorer.result import PlayerResult, Result, ResultLine
from scorer.sentences import Value, say
from webapp.exchange.foreign import MOST_PLAYERS, Refused, moment

MOST_LINES = 500
LONGEST_TEXT = 2000
POINTS = 100_000


def shape(of: type) -> dict[str, type]:
    """The fields of a part of a result, with what `json.loads` makes of each."""
    return {name: get_origin(kind) or kind for name, kind in get_type_hints(of).items()}


RESULT, PLAYER, LINE = set(shape(Result)), shape(PlayerResult), shape(ResultLine)
# The fields of the file that a refusal speaks of.
WORDS = {
    "name": say("name"),
    "created_at": say("created at"),
    "game": say("game"),
    "kind": say("kind"),
    "source": say("source"),
    "theirs": say("theirs"),
    "ours": say("ours"),
    "notes": say("notes"),
    "place": say("place"),
    "source_id": say("source id"),
    "rules_version": say("rules version"),
    "key": say("key"),
    "played_at": say("played at"),
    "saved_at": say("saved at"),
    "deleted_at": say("deleted at"),
}


def sound(record: Json, result: Json, where: Value) -> tuple[Json, Result]:
    """A record and a result that fit together. What today's rules scored is not taken on trust, but scored again."""
    game = games.find(result.get("game")) if isinstance(result, dict) and isinstance(result.get("game"), str) else None
    if game is None or not isinstance(record, dict) or record.get("game") != game.id:
        raise Refused(say("{where} is of no game that we know.", where=where))
    names = [name_of(player, where) for player in list_of(record, "players", MOST_PLAYERS)]
    players = [_player(player, where) for player in list_of(result, "players", MOST_PLAYERS)]
    won = [player["name"] for player in players if player["winner"]]
    fits = (
        names == [player["name"] for player in players]
        and 0 < len(set(names)) == len(names)
        and result.get("winners") == won != []
        and result.get("ok") is True
        and _are_needs(result.get("needs"))
        and set(result) <= RESULT
        and isinstance(result.get("decided_by"), type(None) if result["needs"] else str)
        and isinstance(result.get("rating", ""), str)
        and isinstance(result.get("said", {}), dict)
        and all(
            isinstance(one, dict) and isinstance(one.get("message"), str) for one in list_of(result, "problems", 500)
        )
    )
    if not fits or len(text_of(result, "rules_version", where)) > MAX_NAME:
        raise Refused(say("{where} has a result that does not fit its record.", where=where))
    if result["rules_version"] == game.version and not _gives(game, record, result):
        raise Refused(say("{where} has points that the rules do not give.", where=where))
    return record, result


def _gives(game: Game, record: Json, result: Result) -> bool:
    """Whether the rules give these points and this winner. How they are told may have been worded otherwise once."""
    today = score_as(game, record)
    # What is refused today, such as a name or a total that no table can show, may have been taken once: nobody's
    # history is lost because we have learned to ask more.
    return not today["ok"] or _what_counts(today) == _what_counts(result)


def _what_counts(result: Result) -> Json:
    players = [(totals(player["lines"]), player["rank"], player["winner"]) for player in result["players"]]
    return players, result["decided_by"]


def _player(player: Json, where: Value) -> Json:
    if not _is_shaped(player, PLAYER):
        raise Refused(say("{where} has a player without a score pad.", where=where))
    if not all(_is_line(line) for line in list_of(player, "lines", MOST_LINES)):
        raise Refused(say("{where} has a line that is none.", where=where))
    if player["total"] != sum(line["points"] for line in player["lines"]) or not 1 <= player["rank"] <= MOST_PLAYERS:
        raise Refused(say("{where} has a total that is not the sum of its lines.", where=where))
    if not all(isinstance(one, dict) and isinstance(one.get("rule"), str) for one in player["tiebreaks"]):
        raise Refused(say("{where} has a tie-break that is none.", where=where))
    return player


def _are_needs(needs: Json) -> bool:
    """Whether these are questions, of which a game that was saved as shared may have a few."""
    return isinstance(needs, list) and all(
        isinstance(need, dict)
        and set(need) <= {"input", "label", "players", "where"}
        and isinstance(need.get("input"), str)
        and isinstance(need.get("label", ""), str)
        and all(isinstance(need.get(key), list) for key in ("players", "where"))
        and len(need["players"]) == len(need["where"]) <= MOST_PLAYERS
        and all(isinstance(text, str) for text in (*need["players"], *need["where"]))
        for need in needs[:MOST_PLAYERS]
    )


def _is_line(line: Json) -> bool:
    return (
        _is_shaped(line, LINE)
        and abs(line["points"]) <= POINTS
        and all(isinstance(cell, str) for cell in line["cells"])
        and max(map(len, (line["why"], line["label"]))) <= LONGEST_TEXT
    )


def _is_shaped(value: Json, fields: dict[str, type]) -> bool:
    """Whether the value has these fields and no others, each of its type."""
    return (
        isinstance(value, dict)
        and set(value) == set(fields)
        and all(type(value[key]) is kind for key, kind in fields.items())
    )


def list_of(value: Json, key: str, most: int) -> list[Json]:
    found = value.get(key, []) if isinstance(value, dict) else None
    if not isinstance(found, list) or len(found) > most:
        raise Refused(say("{list} should be a list of at most {most}.", list=key, most=most))
    return found


def text_of(value: Json, key: str, where: Value, longest: int = 100) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    if not isinstance(found, str) or len(found) > longest or "\0" in found:
        raise Refused(say("{where} has no {field} that could be kept.", where=where, field=WORDS[key]))
    return found


def name_of(value: Json, where: Value) -> str:
    found = text_of(value, "name", where, MAX_NAME)
    if not found.strip() or has_control(found):  # what was taken once is taken back
        raise Refused(say("{where} has a name that cannot be written.", where=where))
    return found


def key_of(value: Json, where: Value) -> str:
    found = text_of(value, "key", where, 40)
    if not found or not all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in found):
        raise Refused(say("{where} has no key.", where=where))
    return found


def time_of(value: Json, key: str, where: Value) -> str:
    found = text_of(value, key, where, 30)
    if moment(found) != found:
        raise Refused(say("{where} has no {field} in UTC, as in 2026-01-31T20:00:00Z.", where=where, field=WORDS[key]))
    return found


def is_whole(value: Json) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def is_version(value: Json) -> TypeGuard[int]:
    return is_whole(value) and 0 < value < 10_000
