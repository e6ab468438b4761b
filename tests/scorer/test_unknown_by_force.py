"""Open facts by brute force: every answer is put in, and the ends of each line are the least and the most of them."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import scorer
from scorer import games, spans
from scorer.completions import Outcome
from scorer.contract import UNKNOWN, Game, Problem, Sheet
from scorer.core import load, outcome_of
from scorer.spans import Span
from tests.compare.records import Box, at, made

Json = Any
Place = tuple[Any, ...]
Answers = Mapping[Place, Sequence[Json]]
BOX = Box(Path(scorer.__file__).parent / "games")


def with_value(record: Json, place: Place, value: Json) -> Json:
    """The record with a value there; a text holds a letter at each of its places."""
    record = copy.deepcopy(record)
    holder = at(record, place[:-1])
    if isinstance(holder, str):
        letter = "?" if value == UNKNOWN else value
        at(record, place[:-2])[place[-2]] = f"{holder[: place[-1]]}{letter}{holder[place[-1] + 1 :]}"
    else:
        holder[place[-1]] = value
    return record


def filled_in(game: Game, record: Json, answers: Answers) -> Iterator[Outcome | list[Problem]]:
    """Yield the outcome of every table, or what the rules have against it."""
    for values in product(*answers.values()):
        filled = record
        for place, value in zip(answers, values, strict=True):
            filled = with_value(filled, place, value)
        yield outcome_of(game, load(game, filled))


def ends_of_lines(sheet: Sheet) -> dict[Place, Span]:
    """Return the ends of each line, by its rule, its item and its number among those that have both."""
    found: dict[Place, Span] = {}
    for line in sheet.lines:
        number = sum((rule, item) == (line.rule, line.item) for rule, item, _ in found)
        found[line.rule, line.item, number] = line.span or (line.points, line.points)
    return found


def check(record: Json, answers: Answers, is_tried: bool = True) -> bool:
    """Return whether the points hang on the answers; if any is legal, what is told must be exactly what they agree on.

    Unless every answer is tried, totals are the sums of lines, which may not be least together, and the most of some
    counts is unlimited. An answer that needs a fact of its own, such as the cubes on a Warehouse, leaves more open.
    """
    game = games.find(record["game"])
    assert game is not None
    found = [*filled_in(game, record, answers)]
    outcomes = [outcome for outcome in found if isinstance(outcome, Outcome)]
    if any(fault.code == "missing_field" for faults in found if not isinstance(faults, Outcome) for fault in faults):
        return False
    for place in answers:
        record = with_value(record, place, UNKNOWN)
    told = outcome_of(game, load(game, record))
    if not outcomes:
        assert not (is_tried and isinstance(told, Outcome)), record
        return False
    assert isinstance(told, Outcome), (record, told)
    for seat, sheet in enumerate(told.sheets):
        sheets = [outcome.sheets[seat] for outcome in outcomes]
        seen, possible = ends_of_lines(sheet), [ends_of_lines(one) for one in sheets]
        for key in {*seen, *(key for one in possible for key in one)}:
            low, high = seen.get(key, (0, 0))
            wanted = spans.union(one.get(key, (0, 0)) for one in possible)
            assert (low, wanted[1] if high is None and not is_tried else high) == wanted, (record, key, low, high)
        real = spans.union(one.range for one in sheets)
        assert spans.union([real, sheet.range]) == sheet.range, (record, sheet)
        assert sheet.range == real or not is_tried, (record, sheet)
    verdicts = {(outcome.ranking.winners, bool(outcome.ranking.decided_by)) for outcome in outcomes}
    if told.ranking.decided_by:
        assert verdicts == {(told.ranking.winners, True)}, record
    elif is_tried and len(verdicts) == 1 and outcomes[0].ranking.decided_by:
        assert told.ranking.winners == outcomes[0].ranking.winners, record
    return any(not sheet.is_final for sheet in told.sheets)


def squares(record: Json, chance: random.Random, board: str, letters: Sequence[str], number: int) -> Answers:
    """Pick squares of the players' boards, each with everything that may be there."""
    seats = [seat for seat, player in enumerate(record["players"]) if board in player]
    places = [
        ("players", seat, board, row, column)
        for seat in seats
        for row, squares in enumerate(record["players"][seat][board])
        for column in range(len(squares))
    ]
    return {place: letters for place in chance.sample(places, min(number, len(places)))}


@pytest.mark.parametrize(
    ("game", "board", "letters", "number"),
    [("copenhagen", "grid", ".WB", 3), ("pier_18", "rows", ".SPLF", 2), ("tiny_towns", "grid", (), 1)],
)
def test_unknown_squares(game: str, board: str, letters: Sequence[str], number: int) -> None:
    chance, hang = random.Random(f"squares {game}"), 0
    for _ in range(25):
        record = made(game, BOX, chance)
        cards = record["table"].get("cards", {})
        pieces = letters or ("empty", "cottage", "monument", *cards.values())
        answers = squares(record, chance, board, pieces, chance.randint(1, number))
        hang += bool(answers) and check(record, answers)
    assert hang


# Of each fact more values than any tile or rival tells apart; what nothing limits can bring more than these do.
COUNTS: Mapping[Place, Sequence[Json]] = {
    ("gate_steps",): range(16),
    ("chapel_steps",): range(16),
    ("last_coin_space",): (0, 1, 2, 3, 5),
    ("unused_tiles",): range(8),
    ("cards", "1"): range(12),
    ("cards", "2"): range(12),
    ("summary", "buildings"): range(1, 13),
    ("summary", "types", "C"): range(13),
    ("summary", "types", "G"): range(13),
    ("summary", "types", "I"): range(13),
    ("summary", "longest"): range(13),
    ("summary", "low30"): range(13),
    ("summary", "sets"): range(3),
}


def test_unknown_counts_of_old_london_bridge() -> None:
    """Prizes and what each tile pays; steps, cards and tiles have no end, so only their least points are certain."""
    chance, hang = random.Random("counts"), 0
    for _ in range(50):
        record = made("old_london_bridge", BOX, chance)
        places = [
            ("players", seat, *fact)
            for seat, player in enumerate(record["players"])
            for fact in COUNTS
            if holds(player, fact)
        ]
        chosen = chance.sample(places, min(len(places), chance.randint(1, 2)))
        hang += bool(chosen) and check(record, {place: COUNTS[place[2:]] for place in chosen}, is_tried=False)
    assert hang


def holds(player: Json, fact: Place) -> bool:
    """Tell whether that was counted. Without a step to a bonus space there is no bonus tile, counted or not."""
    if fact == ("unused_tiles",) and player.get("gate_steps", 3) < 3:
        return False
    try:
        return at(player, fact) is not None
    except KeyError:
        return False
