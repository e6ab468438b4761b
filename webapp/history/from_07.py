"""Convert what Tidemark 0.7 stored of a saved game: a record, and a result with its sentences.

This is used for databases and exports of 0.7, which can still be imported.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from scorer import games
from scorer.contract import Json
from scorer.core import CONFIRMED, question_names, score_as
from scorer.result import Result, can_be_saved, is_decided
from webapp.database import pack
from webapp.history.decision import OLD_RULES, RULES, TOLD, Decision, SeatScore, decision_of

Numbers = tuple[Any, ...]


def record_from_07(record: Json, result: Json) -> Json:
    """Return a record of 0.7 in today's form, which marks confirmed questions differently. Questions that are among the
    problems of `result` lose their mark."""
    return confirmed_again(record, {f"{one['where']}:{one['code']}" for one in result["problems"]})


def confirmed_again(record: Json, except_for: frozenset[str] | set[str] = frozenset()) -> Json:
    """Return the record with the marks of its confirmed questions in today's form. Marks of questions in `except_for`,
    such as "/players/0/bridge:fewer_than_12_buildings", are dropped."""
    table = record.get("table")
    if not isinstance(table, dict) or not isinstance(table.get(CONFIRMED), list):
        return record
    game, marks = games.find(record.get("game", "")), []
    for mark in table[CONFIRMED]:
        where, _, rest = str(mark).partition(":")
        code, _, digest = rest.partition(":")
        if f"{where}:{code}" not in except_for:
            marks.append(question_names(game, record, where, code)[1] if digest and game is not None else mark)
    return {**record, "table": {**table, CONFIRMED: marks}}


def decision_from_07(record: Json, result: Json, source: str) -> Decision:
    """Return the decision (totals, ranks, winners, points) that a result of 0.7 holds.

    `source` is the program that the game came from, or "". A line gets an item, such as a card, if today's rules give
    the same line.
    """
    game, version = games.find(record.get("game", "")), result["rules_version"]
    is_import = bool(source) and version == ""
    today = score_as(game, record_from_07(record, result)) if game is not None and not is_import else None
    if today is not None and can_be_saved(today):
        decision = replace(decision_of(record, today), rules_version=version, basis=RULES)
        if numbers_of(decision) == numbers(record, result):
            return decision
    items = _items(today)
    unknown, unranked = _open_seats(record, result)
    seats = tuple(
        SeatScore(
            None if seat in unknown else player["total"],
            None if seat in unranked else player["rank"],
            player["winner"] if is_decided(result) else None,
            tuple(
                (line["rule"], items.get((line["rule"], line["label"]), ""), line["points"]) for line in player["lines"]
            ),
            final=seat not in unknown,
        )
        for seat, player in enumerate(result["players"])
    )
    return Decision(seats, result["decided_by"], version, TOLD if is_import else OLD_RULES)


def reading_from_07(packed: str) -> str:
    """Return a photo's reading that 0.7 stored as today's JSON, with codes of its problems in place of sentences."""
    reading = json.loads(packed)
    said = reading.pop("said", [])
    values = [one[-1] if isinstance(one[-1], dict) else {} for one in said] or [{}] * len(reading["problems"])
    reading["problems"] = [
        {"code": one["code"], "values": named} for one, named in zip(reading["problems"], values, strict=True)
    ]
    return pack(reading)


def _items(today: Result | None) -> dict[tuple[str, str], str]:
    """Return the item (such as a card) of each score line in `today`, by the line's rule and label."""
    lines = [line for player in today["players"] for line in player["lines"]] if today is not None else []
    return {(line["rule"], str(line["label"])): str(line["item"]) for line in lines}


def _open_seats(record: Json, result: Json) -> tuple[set[int], set[int]]:
    """Return the seats whose total is unknown, and the seats whose rank is unknown."""
    players = zip(record["players"], result["players"], strict=True)
    unknown = {seat for seat, (entered, player) in enumerate(players) if "typed" in entered and not player["lines"]}
    tied = {seat for seat, player in enumerate(result["players"]) if player["winner"] and not is_decided(result)}
    return unknown, (unknown - set(result.get("told", ()))) | tied


def numbers(record: Json, result: Json) -> Numbers:
    """Return what a result of 0.7 settled, to compare it with a decision: what decided, and each player's numbers.
    These are total, rank, whether the player won, and the points of each line."""
    unknown, unranked = _open_seats(record, result)
    return result["decided_by"], [
        (
            None if seat in unknown else player["total"],
            None if seat in unranked else player["rank"],
            player["winner"] if is_decided(result) else None,
            [(line["rule"], line["points"]) for line in player["lines"]],
        )
        for seat, player in enumerate(result["players"])
    ]


def numbers_of(decision: Decision) -> Numbers:
    """Return the numbers of a decision in the form of `numbers`, for comparison."""
    return decision.decided_by, [
        (seat.total, seat.rank, seat.winner, [(rule, points) for rule, _, points in seat.lines])
        for seat in decision.seats
    ]
