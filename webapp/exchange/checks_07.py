"""Check records and results of Tidemark 0.7 before they are imported; `checks` does this for today's files."""

from __future__ import annotations

from collections.abc import Collection

from scorer import games
from scorer.contract import Game, Json
from scorer.core import judge, load
from scorer.record import MAX_NAME, TOTAL, mapping
from scorer.report import totals
from scorer.result import Result
from webapp.exchange.checks import (
    LONGEST_TEXT,
    LONGEST_WORD,
    MOST_LINES,
    POINTS,
    Where,
    is_text,
    is_whole,
    is_word,
    list_of,
    name_of,
    no_game,
    text_of,
)
from webapp.exchange.display_check import can_be_shown
from webapp.exchange.foreign import MOST_PLAYERS
from webapp.exchange.import_errors import refused
from webapp.history import decision_from_07

# The fields of a result in files of Tidemark 0.7, and of its players and lines.
RESULT = {"game", "ok", "problems", "needs", "players", "winners", "decided_by", "rules_version"}
RESULT |= {"rating", "told", "said"}
PLAYER = {"name": str, "total": int, "rank": int, "winner": bool, "lines": list, "tiebreaks": list}
LINE = {"rule": str, "label": str, "points": int, "why": str, "cells": list, "cite": str}


def check_result(record: Json, result: Json, where: Where) -> bool:
    """Raise Refused if a record and a result of 0.7 are invalid or don't fit together; `where` names the play in the
    message. If today's rules are said to have scored the game, they must give the same scores. Return whether
    `load`, which corrects misspelled values, would leave the record unchanged."""
    game = games.find(result["game"]) if isinstance(result, dict) and isinstance(result.get("game"), str) else None
    if game is None or not isinstance(record, dict) or record.get("game") != game.id:
        raise no_game(mapping(record).get("game"), refused("field", where=where, field="record"))
    names = [name_of(player, where) for player in list_of(record, "players", MOST_PLAYERS)]
    players = [_player(player, where) for player in list_of(result, "players", MOST_PLAYERS)]
    fits = (
        names == [player["name"] for player in players]
        and 0 < len(set(names)) == len(names)
        and _is_result(result, players)
        and isinstance(record.get("table", {}), dict)
    )
    if not fits or len(text_of(result, "rules_version", where)) > MAX_NAME:
        raise refused("field", where=where, field="result")
    return _judge(game, record, result, where)


def _is_result(result: Json, players: list[Json]) -> bool:
    won = [player["name"] for player in players if player["winner"]]
    decided = result.get("decided_by")
    return (
        result.get("winners") == won != []
        and result.get("ok") is True
        and _are_dicts(result.get("needs"), {"input", "label", "players", "where"})
        and set(result) <= RESULT
        and (is_word(decided) or (decided is None and result["needs"] != []))
        and is_text(result.get("rating", ""))
        and isinstance(result.get("said", {}), dict)
        and _are_seats(result.get("told", []), len(players))
        and _are_dicts(result.get("problems"), {"code", "message", "where", "level"})
        and all(is_word(one.get("code")) and is_text(one.get("where")) for one in result["problems"])
        and _are_ranks([player["rank"] for player in players], [player["winner"] for player in players])
    )


def _are_seats(value: Json, seats: int) -> bool:
    return (
        isinstance(value, list) and len(value) <= seats and all(is_whole(seat) and 0 <= seat < seats for seat in value)
    )


def _are_ranks(ranks: list[int], won: list[bool]) -> bool:
    """Return whether some player has rank 1, and every winner has it; `ranks` and `won` (whether a player won) are by
    seat."""
    return (
        1 in ranks
        and max(ranks) <= MOST_PLAYERS
        and all(rank == 1 for rank, winner in zip(ranks, won, strict=True) if winner)
    )


def _are_dicts(values: Json, fields: Collection[str]) -> bool:
    """Return whether `values` is a list of objects that are not empty and have no fields but these."""
    return isinstance(values, list) and all(isinstance(one, dict) and one and set(one) <= set(fields) for one in values)


def _judge(game: Game, record: Json, result: Json, where: Where) -> bool:
    """Raise Refused if today's rules scored the game but give other numbers, or if no page could show it. `where` names
    the play in the message. Return whether `load`, which corrects misspelled values, leaves the record unchanged."""
    loaded = load(game, record)
    today = judge(game, loaded)
    # Earlier versions may have accepted what is refused today; nobody's history is lost because of that.
    agrees = today["ok"] and _what_counts(today) == _what_counts(result)
    if today["ok"] and not agrees and result["rules_version"] == game.version:
        raise refused("field", where=where, field="total")
    known = {*game.rules, TOTAL}
    if today["ok"] and not all(line["rule"] in known for player in result["players"] for line in player["lines"]):
        raise refused("field", where=where, field="lines")
    if not agrees and (loaded.state is None or not can_be_shown(game, loaded, decision_from_07(record, result, ""))):
        raise refused("field", where=where, field="record")
    return bool(loaded.record == record)


def _what_counts(result: Result) -> Json:
    """Return those parts of a result that are compared: points, ranks, winners and what decided (`decided_by`). Lines
    are left out, as their wording may have changed since 0.7."""
    players = [(totals(player["lines"]), player["rank"], player["winner"]) for player in result["players"]]
    return players, result["decided_by"]


def _player(player: Json, where: Where) -> Json:
    if not _is_shaped(player, PLAYER):
        raise refused("field", where=where, field="players")
    if not all(_is_line(line) for line in list_of(player, "lines", MOST_LINES)):
        raise refused("field", where=where, field="lines")
    if player["total"] != sum(line["points"] for line in player["lines"]) or not 1 <= player["rank"] <= MOST_PLAYERS:
        raise refused("field", where=where, field="total")
    if not _are_dicts(player["tiebreaks"], {"rule", "value", "why"}):
        raise refused("field", where=where, field="tiebreaks")
    return player


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
    """Return whether the value has exactly these fields, each of its type."""
    return (
        isinstance(value, dict)
        and set(value) == set(fields)
        and all(type(value[key]) is kind for key, kind in fields.items())
    )
