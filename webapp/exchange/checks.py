"""What a file of ours must hold to be taken in: what a form would have let through, or a refusal in words.

Today's rules score every record again that says it was scored by them. What older rules have scored, or nobody's, must
have the shape of a result, and every page must be able to show it: that is tried.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeGuard

from scorer import games
from scorer.contract import UNKNOWN, Game, Json
from scorer.core import judge, load
from scorer.names import has_control
from scorer.reading import MAX_NAME, TOTAL
from scorer.report import totals
from scorer.result import Result
from scorer.sentences import Value, say
from webapp.exchange.foreign import MOST_PLAYERS, moment
from webapp.exchange.refusal import Refused
from webapp.exchange.showing import can_be_shown
from webapp.history import OLD_RULES, RULES, TOLD, Decision, SeatScore, decision_from_07, decision_of

MOST_LINES = 500
LONGEST_TEXT = 2000
LONGEST_WORD = 60  # of what has an id
POINTS = 100_000


# The fields of a result in files of Tidemark 0.7, and of its players and lines.
RESULT = {"game", "ok", "problems", "needs", "players", "winners", "decided_by", "rules_version"}
RESULT |= {"rating", "told", "said"}
PLAYER = {"name": str, "total": int, "rank": int, "winner": bool, "lines": list, "tiebreaks": list}
LINE = {"rule": str, "label": str, "points": int, "why": str, "cells": list, "cite": str}
# The fields of the file that a refusal speaks of.
WORDS = {
    "name": say("name"),
    "created_at": say("created at"),
    "colour": say("colour"),
    "token": say("token"),
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


def sound(record: Json, result: Json, where: Value, again: bool = True) -> tuple[Json, Result]:
    """A record and a result that fit together; unless it has been done before, also scored again and shown."""
    game = games.find(result.get("game")) if isinstance(result, dict) and isinstance(result.get("game"), str) else None
    if game is None or not isinstance(record, dict) or record.get("game") != game.id:
        raise Refused(say("{where} is of no game that we know.", where=where))
    names = [name_of(player, where) for player in list_of(record, "players", MOST_PLAYERS)]
    players = [_player(player, where) for player in list_of(result, "players", MOST_PLAYERS)]
    fits = (
        names == [player["name"] for player in players]
        and 0 < len(set(names)) == len(names)
        and _is_result(result, players)
        and isinstance(record.get("table", {}), dict)
    )
    if not fits or len(text_of(result, "rules_version", where)) > MAX_NAME:
        raise Refused(say("{where} has a result that does not fit its record.", where=where))
    if again:
        _judge(game, record, result, where)
    return record, result


def sound_decision(value: Json, where: Value, again: bool = True) -> tuple[Json, Decision]:
    """Return a record and a decision that fit together; unless it was done before, also scored again and shown."""
    record = value.get("record")
    game = games.find(record["game"]) if isinstance(record, dict) and isinstance(record.get("game"), str) else None
    if game is None:
        raise Refused(say("{where} is of no game that we know.", where=where))
    names = [name_of(player, where) for player in list_of(record, "players", MOST_PLAYERS)]
    seats = [_seat(seat, where) for seat in list_of(value, "scores", MOST_PLAYERS)]
    decided_by, basis = value.get("decided_by"), value.get("basis")
    fits = (
        len(names) == len(seats) == len(set(names)) > 0
        and isinstance(record.get("table", {}), dict)
        and (decided_by is None or is_word(decided_by))
        and basis in (RULES, OLD_RULES, TOLD)
    )
    version = text_of(value, "rules_version", where, MAX_NAME)
    if not fits:
        raise Refused(say("{where} has scores that do not fit its record.", where=where))
    decision = Decision(tuple(seats), decided_by, version, str(basis))
    if again:
        _judge_decision(game, record, decision, where)
    return record, decision


def _seat(seat: Json, where: Value) -> SeatScore:
    lines = list_of(seat, "lines", MOST_LINES)
    if not all(
        isinstance(line, list)
        and len(line) == 3
        and is_word(line[0])
        and is_text(line[1])
        and is_whole(line[2])
        and abs(line[2]) <= POINTS
        for line in lines
    ):
        raise Refused(say("{where} has a line that is none.", where=where))
    total, rank, winner, final = (seat.get(key) for key in ("total", "rank", "winner", "final"))
    points = sum(line[2] for line in lines)
    if not (
        (total is None or (is_whole(total) and total == points))
        and (rank is None or (is_whole(rank) and 1 <= rank <= MOST_PLAYERS))
        and (winner is None or isinstance(winner, bool))
        and isinstance(final, bool)
    ):
        raise Refused(say("{where} has a total that is not the sum of its lines.", where=where))
    return SeatScore(total, rank, winner, tuple((rule, item, points) for rule, item, points in lines), final)


def _judge_decision(game: Game, record: Json, decision: Decision, where: Value) -> None:
    """Refuse what today's rules score otherwise than the file says that they did, and what no page could show."""
    loaded = load(game, record)
    today = judge(game, loaded)
    is_todays = today["ok"] and decision.basis == RULES and decision.rules_version == game.version
    if is_todays and not decision_of(record, today).agrees_with(decision):
        raise Refused(say("{where} has points that the rules do not give.", where=where))
    if loaded.state is None or not can_be_shown(game, loaded, decision, is_todays):
        raise Refused(say("{where} has a record that no page could show.", where=where))


def _is_result(result: Json, players: list[Json]) -> bool:
    won = [player["name"] for player in players if player["winner"]]
    names = [player["name"] for player in players]
    decided = result.get("decided_by")
    return (
        result.get("winners") == won != []
        and result.get("ok") is True
        and _are_needs(result.get("needs"), names)
        and set(result) <= RESULT
        and (is_word(decided) or (decided is None and result["needs"] != []))
        and is_text(result.get("rating", ""))
        and isinstance(result.get("said", {}), dict)
        and _are_seats(result.get("told", []), len(players))
        and _are_problems(result.get("problems"), len(players))
        and _are_ranks([player["rank"] for player in players], [player["winner"] for player in players])
    )


def _are_seats(told: Json, seats: int) -> bool:
    return isinstance(told, list) and len(told) <= seats and all(is_whole(seat) and 0 <= seat < seats for seat in told)


def _are_ranks(ranks: list[int], won: list[bool]) -> bool:
    """Whether somebody stands first, and everybody who won does."""
    return (
        1 in ranks
        and max(ranks) <= MOST_PLAYERS
        and all(rank == 1 for rank, winner in zip(ranks, won, strict=True) if winner)
    )


def _are_problems(problems: Json, seats: int) -> bool:
    """Warnings, as results carry them: what they concern is the table or somebody who sits there."""
    return (
        isinstance(problems, list)
        and len(problems) <= LONGEST_TEXT
        and all(
            isinstance(one, dict)
            and set(one) == {"code", "message", "where", "level"}
            and is_word(one["code"])
            and is_text(one["message"])
            and is_text(one["where"])
            and one["level"] in ("warning", "error")
            and is_place(one["where"], seats)
            for one in problems
        )
    )


def is_place(where: str, seats: int) -> bool:
    """Whether this JSON Pointer leads to the whole, the table or one of the players."""
    steps = where.split("/")
    if steps[:2] != ["", "players"]:
        return where == "" or where.startswith("/")
    return len(steps) == 2 or (
        steps[2].isascii() and steps[2].isdecimal() and len(steps[2]) < 3 and int(steps[2]) < seats
    )


def _judge(game: Game, record: Json, result: Json, where: Value) -> None:
    """What today's rules say of the record, and whether the pages can show it."""
    loaded = load(game, record)
    today = judge(game, loaded)
    # What is refused today, such as a name or a total that no table can show, may have been taken once: nobody's
    # history is lost because we have learned to ask more.
    is_todays = today["ok"] and result["rules_version"] == game.version
    if is_todays and _what_counts(today) != _what_counts(result):
        raise Refused(say("{where} has points that the rules do not give.", where=where))
    known = {*game.rules, TOTAL}
    if today["ok"] and not all(line["rule"] in known for player in result["players"] for line in player["lines"]):
        raise Refused(say("{where} has a line that is none.", where=where))
    if loaded.state is None or not can_be_shown(game, loaded, decision_from_07(record, result, ""), is_todays):
        raise Refused(say("{where} has a record that no page could show.", where=where))


def _what_counts(result: Result) -> Json:
    """Points, places and what decided. How they are told may have been worded otherwise once."""
    players = [(totals(player["lines"]), player["rank"], player["winner"]) for player in result["players"]]
    return players, result["decided_by"]


def _player(player: Json, where: Value) -> Json:
    if not _is_shaped(player, PLAYER):
        raise Refused(say("{where} has a player without a score pad.", where=where))
    if not all(_is_line(line) for line in list_of(player, "lines", MOST_LINES)):
        raise Refused(say("{where} has a line that is none.", where=where))
    if player["total"] != sum(line["points"] for line in player["lines"]) or not 1 <= player["rank"] <= MOST_PLAYERS:
        raise Refused(say("{where} has a total that is not the sum of its lines.", where=where))
    if not all(_is_rung(one) for one in list_of(player, "tiebreaks", 20)):
        raise Refused(say("{where} has a tie-break that is none.", where=where))
    return player


def _is_rung(rung: Json) -> bool:
    return (
        isinstance(rung, dict)
        and {"rule", "value"} <= set(rung) <= {"rule", "value", "why"}
        and is_word(rung["rule"])
        and is_text(rung.get("why", ""))
        and (
            rung["value"] == UNKNOWN
            or is_text(rung["value"])
            or (is_whole(rung["value"]) and abs(rung["value"]) <= POINTS)
        )
    )


def _are_needs(needs: Json, names: Collection[str]) -> bool:
    """Whether these are questions, of which a game that was saved as shared may have a few."""
    return (
        isinstance(needs, list)
        and len(needs) <= 50
        and all(
            isinstance(need, dict)
            and set(need) <= {"input", "label", "players", "where"}
            and is_word(need.get("input"))
            and is_text(need.get("label", ""))
            and all(isinstance(need.get(key), list) for key in ("players", "where"))
            and len(need["players"]) == len(need["where"]) <= 50
            and all(isinstance(player, str) and player in names for player in need["players"])
            and all(is_text(place) and is_place(place, len(names)) for place in need["where"])
            for need in needs
        )
    )


def _is_line(line: Json) -> bool:
    return (
        _is_shaped(line, LINE)
        and is_word(line["rule"])
        and abs(line["points"]) <= POINTS
        and len(line["cells"]) <= LONGEST_TEXT
        and all(isinstance(cell, str) and len(cell) <= LONGEST_WORD and is_text(cell) for cell in line["cells"])
        and all(is_text(line[field]) for field in ("why", "label", "cite"))
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


def is_text(value: Json) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and "\0" not in value


def is_word(value: Json) -> TypeGuard[str]:
    """Whether this is an id, such as every rule has."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_WORD and value.isprintable()


def is_version(value: Json) -> TypeGuard[int]:
    return is_whole(value) and 0 < value < 10_000
