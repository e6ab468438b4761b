"""Check our own files before they are imported: each value is one that a form would accept, or the file is refused.

Games that today's rules have scored are scored again. The others must have the shape of a result, and every page must
be able to show them. `checks_07` checks results of 0.7.
"""

from __future__ import annotations

from typing import TypeGuard

from scorer import games
from scorer.contract import Game, Json
from scorer.core import judge, load
from scorer.names import has_control
from scorer.record import MAX_NAME, mapping
from webapp.exchange.display_check import can_be_shown
from webapp.exchange.foreign import MOST_PLAYERS, moment
from webapp.exchange.import_errors import Refused, refused
from webapp.history import OLD_RULES, RULES, TOLD, Decision, SeatScore, decision_of

MOST_LINES = 500
LONGEST_TEXT = 2000
LONGEST_WORD = 60  # characters of an id
POINTS = 100_000
Where = int | str  # the number of a game in the file, or the name of another part of it


def no_game(name: Json, otherwise: Refused) -> Refused:
    """Return the error to raise for a game that was not found: that the game called `name` is not installed. If it is
    installed, or the name is invalid, return the error `otherwise`."""
    if isinstance(name, str) and games.ID.fullmatch(name) and games.find(name) is None:
        return refused("not_installed", game=name)
    return otherwise


def check_decision(value: Json, where: Where) -> bool:
    """Raise Refused if the record and scores in `value` are invalid or don't fit together. `where` names the play in
    the message. If today's rules are said to have scored the game, they must give the same scores. Return whether
    `load`, which corrects misspelled values, would leave the record unchanged."""
    record = value.get("record")
    game = games.find(record["game"]) if isinstance(record, dict) and isinstance(record.get("game"), str) else None
    if game is None:
        raise no_game(mapping(record).get("game"), refused("field", where=where, field="record"))
    names = [name_of(player, where) for player in list_of(record, "players", MOST_PLAYERS)]
    seats = list_of(value, "scores", MOST_PLAYERS)
    for seat in seats:
        _check_seat(seat, where)
    decided_by = value.get("decided_by")
    fits = (
        len(names) == len(seats) == len(set(names)) > 0
        and isinstance(record.get("table", {}), dict)
        and (decided_by is None or is_word(decided_by))
        and value.get("basis") in (RULES, OLD_RULES, TOLD)
    )
    text_of(value, "rules_version", where, MAX_NAME)
    if not fits:
        raise refused("field", where=where, field="scores")
    return _judge_decision(game, record, decision_in(value), where)


def decision_in(value: Json) -> Decision:
    """Return the decision in a file that was checked."""
    seats = tuple(
        SeatScore(
            seat.get("total"),
            seat.get("rank"),
            seat.get("winner"),
            tuple((rule, item, points) for rule, item, points in seat.get("lines", ())),
            seat["final"],
        )
        for seat in value["scores"]
    )
    return Decision(seats, value.get("decided_by"), value["rules_version"], value["basis"])


def _check_seat(seat: Json, where: Where) -> None:
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
        raise refused("field", where=where, field="lines")
    total, rank, winner, final = (seat.get(key) for key in ("total", "rank", "winner", "final"))
    points = sum(line[2] for line in lines)
    if not (
        (total is None or (is_whole(total) and total == points))
        and (rank is None or (is_whole(rank) and 1 <= rank <= MOST_PLAYERS))
        and (winner is None or isinstance(winner, bool))
        and isinstance(final, bool)
    ):
        raise refused("field", where=where, field="total")


def _judge_decision(game: Game, record: Json, decision: Decision, where: Where) -> bool:
    """Raise Refused if today's rules scored the game but give other numbers, or if no page could show it. `where` names
    the play in the message. Return whether `load`, which corrects misspelled values, leaves the record unchanged."""
    loaded = load(game, record)
    today = judge(game, loaded)
    if today["ok"] and decision_of(record, today).agrees_with(decision):
        return bool(loaded.record == record)  # every page shows what today's rules give
    if today["ok"] and decision.basis == RULES and decision.rules_version == game.version:
        raise refused("field", where=where, field="total")
    if loaded.state is None or not can_be_shown(game, loaded, decision):
        raise refused("field", where=where, field="record")
    return bool(loaded.record == record)


def list_of(value: Json, key: str, most: int) -> list[Json]:
    found = value.get(key, []) if isinstance(value, dict) else None
    if not isinstance(found, list) or len(found) > most:
        raise refused("unreadable")
    return found


def text_of(value: Json, key: str, where: Where, longest: int = 100) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    if not isinstance(found, str) or len(found) > longest or "\0" in found:
        raise refused("field", where=where, field=key)
    return found


def name_of(value: Json, where: Where) -> str:
    found = text_of(value, "name", where, MAX_NAME)
    if not found.strip() or has_control(found):  # looser than forms: earlier versions accepted more
        raise refused("field", where=where, field="name")
    return found


def key_of(value: Json, where: Where) -> str:
    found = text_of(value, "key", where, 40)
    if not found or not all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in found):
        raise refused("field", where=where, field="key")
    return found


def time_of(value: Json, key: str, where: Where) -> str:
    found = text_of(value, key, where, 30)
    if moment(found) != found:
        raise refused("field", where=where, field=key)
    return found


def is_whole(value: Json) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: Json) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and "\0" not in value


def is_word(value: Json) -> TypeGuard[str]:
    """Return whether the value is a short printable text, as the id of a rule must be."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_WORD and value.isprintable()


def is_version(value: Json) -> TypeGuard[int]:
    return is_whole(value) and 0 < value < 10_000
