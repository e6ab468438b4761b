"""Old London Bridge: what was only counted on a bridge is possible, against all the real bridges there are."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from scorer.core import score
from scorer.games.old_london_bridge.state import summary_of
from scorer.games.old_london_bridge.summary import COUNTED, Summary
from scorer.games.old_london_bridge.summary_checks import contradictions

LETTERS = "CGIEUP"
FACTS = ("buildings", *(f"types/{letter}" for letter in LETTERS), *COUNTED)
Seen = tuple[int, ...]  # the facts of a bridge, in the order of FACTS


def real(rows: list[list[bool]]) -> list[list[int]]:
    """Numbers for the rows between gardens: True stands for one of 30 or lower; they descend in every row."""
    low, high = iter(range(30, 0, -1)), iter(range(60, 30, -1))
    return [[next(low if is_low else high) for is_low in sorted(row)] for row in rows]


def bridges(length: int, kinds: str) -> Iterator[tuple[str, ...]]:
    """Bridges of these types in every order that matters, with every number of low numbers."""
    numbered = length - kinds.count("P")
    for gaps in itertools.combinations(range(length), kinds.count("P")):
        for low in range(numbered + 1):
            letters, lows = iter(kinds.replace("P", "")), iter([True] * low + [False] * (numbered - low))
            rows: list[list[bool]] = [[]]
            for space in range(length):
                if space in gaps:
                    rows.append([])
                else:
                    rows[-1].append(next(lows))
            numbers = [[f"{next(letters)}{number}" for number in row] for row in real(rows)]
            yield tuple(itertools.chain(numbers[0], *(["P", *row] for row in numbers[1:])))


@functools.cache
def seen(length: int) -> frozenset[Seen]:
    """The facts of all bridges of a length, whatever their types."""
    found = set()
    for kinds in itertools.combinations_with_replacement(LETTERS, length):
        for bridge in bridges(length, "".join(kinds)):
            counted = summary_of(bridge)
            found.add(tuple(counted.fact(fact) or 0 for fact in FACTS))
    return frozenset(found)


def summary(known: dict[str, int]) -> Summary:
    types = tuple((fact[-1], value) for fact, value in known.items() if fact.startswith("types/"))
    plain: dict[str, Any] = {fact: value for fact, value in known.items() if not fact.startswith("types/")}
    return Summary(types=types or None, **plain)


def is_possible(known: dict[str, int]) -> bool:
    return not list(contradictions(summary(known)))


def fits(bridge: Seen, known: dict[str, int]) -> bool:
    return all(bridge[FACTS.index(fact)] == value for fact, value in known.items())


@pytest.mark.parametrize("length", range(1, 6))
def test_a_summary_is_possible_if_and_only_if_there_is_such_a_bridge(length: int) -> None:
    dice = random.Random(length)
    everything = sorted(seen(length))
    for _ in range(1500):
        known = {"buildings": length}
        like = dice.choice(everything)
        for fact in dice.sample(FACTS[1:], dice.randrange(1, 6)):
            value = like[FACTS.index(fact)]
            known[fact] = value if dice.random() < 0.7 else dice.randrange(length + 1)
        assert is_possible(known) is any(fits(bridge, known) for bridge in everything), known


@pytest.mark.parametrize("length", range(1, 6))
def test_what_follows_is_what_all_such_bridges_share(length: int) -> None:
    dice = random.Random(length)
    everything = sorted(seen(length))
    for _ in range(700):
        like = dice.choice(everything)
        known = {"buildings": length} | {fact: like[FACTS.index(fact)] for fact in dice.sample(FACTS[1:], 4)}
        shared = [bridge for bridge in everything if fits(bridge, known)]
        for number, fact in enumerate(FACTS):
            values = {bridge[number] for bridge in shared}
            follows = summary(known).fact(fact)
            assert follows is None or values == {follows}, (known, fact)
            # Of a type only the least and the most are looked at, which is all that the faces ask for.
            assert follows is not None or len(values) > 1, (known, fact)


def rows_of(gardens: int, numbers: int) -> set[int]:
    """Return how long the longest row can be: brute force over where the gardens stand."""
    places = itertools.combinations(range(gardens + numbers), gardens)
    return {
        max(map(len, "".join("P" if n in at else "n" for n in range(gardens + numbers)).split("P"))) for at in places
    }


@pytest.mark.parametrize("gardens", range(13))
def test_the_longest_row_of_a_full_bridge_by_its_gardens(gardens: int) -> None:
    possible = {n for n in range(13) if is_possible({"buildings": 12, "types/P": gardens, "longest": n})}
    assert possible == rows_of(gardens, 12 - gardens)


@pytest.mark.parametrize("known", ["", "C", "CP", "CGI", "CGIEP", "GIEUP", "CGIEUP"])
def test_sets_of_a_full_bridge_by_the_types_that_were_counted(known: str) -> None:
    """Against all 6188 mixtures of twelve buildings."""
    makes: dict[tuple[int, ...], set[int]] = {}
    for kinds in itertools.combinations_with_replacement(LETTERS, 12):
        counts = [kinds.count(letter) for letter in LETTERS]
        makes.setdefault(tuple(counts[LETTERS.index(letter)] for letter in known), set()).add(min(counts))
    for counted, possible in makes.items():
        types = {f"types/{letter}": count for letter, count in zip(known, counted, strict=True)}
        assert {n for n in range(4) if is_possible({"buildings": 12, "sets": n, **types})} == possible, types


# -- as players are told ---------------------------------------------------------------------------------------------


def table(*summaries: dict[str, Any], **faces: str) -> Any:
    plain = {"coins": 10, "chapel_steps": 0, "gate_steps": 0, "cards": {}}
    names = ["Ann", "Bob", "Cid", "Dee"][: len(summaries)]
    players = [{"name": name, **plain, "summary": one} for name, one in zip(names, summaries, strict=True)]
    return {"game": "old_london_bridge", "table": {"chapel_order": names, "scoring": faces}, "players": players}


FULL = {"buildings": 12}


def told(entered: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what is wrong with Ann's summary, beside a full bridge of Bob's."""
    result = score(table(entered, FULL))
    return [(problem["where"], problem["message"]) for problem in result["problems"] if problem["level"] == "error"]


SUMMARY = "/players/0/summary"


@pytest.mark.parametrize(
    ("entered", "where", "message"),
    [
        (
            {"types": {"P": 12}, "longest": 3},
            "longest",
            "The longest sequence of descending numbers can’t be 3. On this bridge (buildings: 12, parks: 12), it "
            "must be 0.",
        ),
        (
            {"types": {"P": 0}, "longest": 5},
            "longest",
            "The longest sequence of descending numbers can’t be 5. On this bridge (buildings: 12, parks: 0), it "
            "must be 12.",
        ),
        (
            {"types": {"P": 3}, "longest": 2},
            "longest",
            "The longest sequence of descending numbers can’t be 2. On this bridge (buildings: 12, parks: 3), it "
            "must be 3 to 9.",
        ),
        (
            {"longest": 13},
            "longest",
            "The longest sequence of descending numbers can’t be 13. On this bridge (buildings: 12), it must be 0 "
            "to 12.",
        ),
        (
            {"types": {"P": 12}, "low30": 1},
            "low30",
            "This bridge has only parks, so it has no numbers of 30 or lower. You entered 1.",
        ),
        (
            {"types": {"P": 4}, "low30": 9},
            "low30",
            "This bridge (buildings: 12, parks: 4) can have 0 to 8 numbers of 30 or lower. You entered 9.",
        ),
        (
            {"longest": 2, "low30": 9},
            "low30",
            "This bridge (buildings: 12, parks: 4 to 10) can have 0 to 8 numbers of 30 or lower. You entered 9.",
        ),
        (
            {"types": {"C": 1, "G": 3}, "sets": 2},
            "sets",
            "This bridge (buildings: 12, chapels: 1, bridge gates: 3) can have 0 to 1 complete sets. You entered 2.",
        ),
        (
            {"types": {"C": 2, "G": 2, "I": 2, "E": 2, "U": 2}, "sets": 1},
            "sets",
            "This bridge (buildings: 12, chapels: 2, bridge gates: 2, inns: 2, emporia: 2, guilds: 2) must have 2 "
            "complete sets. You entered 1.",
        ),
        (
            {"buildings": 11, "sets": 2},
            "sets",
            "This bridge (buildings: 11) can have 0 to 1 complete sets. You entered 2.",
        ),
        (
            {"buildings": 11, "types": {"C": 12}},
            "types",
            "The building types add up to 12, but you entered 11 buildings in all.",
        ),
        (
            {"types": dict.fromkeys("CGIEUP", 1)},
            "types",
            "The building types add up to 6, but you entered 12 buildings in all.",
        ),
        ({"buildings": 0}, "buildings", "Enter at least 1 building. Players build every turn, so no bridge is empty."),
    ],
)
def test_what_no_bridge_can_show_is_refused_and_the_range_named(
    entered: dict[str, Any], where: str, message: str
) -> None:
    assert told({**FULL, **entered}) == [(f"{SUMMARY}/{where}", message)]


def test_all_types_imply_the_buildings() -> None:
    types = {"C": 3, "G": 2, "I": 2, "E": 2, "U": 2, "P": 1}
    result = score(table({"types": types}, FULL))
    assert result["ok"]
    assert result["players"][0]["lines"][4]["why"].startswith("1st. 12 buildings")
    assert told({"types": {**types, "P": 9}}) == [
        (f"{SUMMARY}/types", "The building types add up to 20, but a bridge holds 1 to 12 buildings."),
    ]


@pytest.mark.parametrize(
    ("faces", "entered", "fact", "message"),
    [
        (
            {"gate": "most_gates"},
            {"types": {"C": 2}},
            "types/G",
            "Count the bridge gates on this bridge. The scoring tile “Most bridge gates” needs them.",
        ),
        ({"chapel": "most_chapels"}, {"types": {"C": 2}}, "", ""),
        ({"gate": "most_gates"}, {"types": {"C": 5, "U": 7}}, "", ""),  # nothing is left for gates
        ({"gate": "most_gates"}, {"types": {"C": 2, "I": 2, "E": 2, "U": 2, "P": 2}}, "", ""),
        (
            {"bridge": "sets_of_six"},
            {"types": {"C": 2, "G": 2, "I": 2, "E": 2}},
            "sets",
            "Count the complete sets of all six types, or count the guilds and parks. The scoring tile “Sets of "
            "all six types” needs this.",
        ),
        ({"bridge": "sets_of_six"}, {"types": {"C": 0}}, "", ""),
        ({"bridge": "longest_sequence"}, {"types": {"P": 0}}, "", ""),
        ({"bridge": "numbers_up_to_30"}, {"types": {"P": 12}}, "", ""),
        (
            {"bridge": "longest_sequence"},
            {"types": {"P": 1}},
            "longest",
            "Count the longest sequence of descending numbers. The scoring tile “Longest sequence” needs it.",
        ),
        (
            {"bridge": "numbers_up_to_30"},
            {},
            "low30",
            "Count the numbers of 30 or lower. The scoring tile “Numbers up to 30” needs them.",
        ),
    ],
)
def test_a_count_is_asked_for_only_if_a_tile_needs_it_and_it_does_not_follow(
    faces: dict[str, str], entered: dict[str, Any], fact: str, message: str
) -> None:
    bob = {"buildings": 12, "types": {**dict.fromkeys("CGI", 3), "E": 2, "U": 1, "P": 0}, "low30": 3}
    found = score(table({**FULL, **entered}, bob, **faces))["problems"]
    wanted = [("missing_field", f"{SUMMARY}/{fact}", message)] if fact else []
    assert [(problem["code"], problem["where"], problem["message"]) for problem in found] == wanted


# -- beside one another ----------------------------------------------------------------------------------------------


def questions(*summaries: dict[str, Any]) -> list[tuple[str, str, str]]:
    result = score(table(*summaries))
    assert result["ok"], result["problems"]
    return [(problem["code"], problem["where"], problem["message"]) for problem in result["problems"]]


def test_bridges_that_need_more_tiles_than_there_are_are_asked_about() -> None:
    one_row, rows_of_one = {**FULL, "longest": 12}, {**FULL, "longest": 1}
    assert questions(one_row, rows_of_one, rows_of_one, one_row) == []  # six parks each
    message = "These bridges need at least 18 parks, but the game has only 12. Count them again."
    assert questions(*[rows_of_one] * 3) == [("too_few_tiles", "/players/2/summary", message)]
    no_gates = {**FULL, "types": {"C": 0, "G": 0, "I": 0, "E": 0}}
    message = "These bridges need at least 36 guilds and parks, but the game has only 24. Count them again."
    assert questions(*[no_gates] * 3) == [("too_few_tiles", "/players/2/summary", message)]


def test_numbers_above_30_are_no_more_than_there_are() -> None:
    assert questions(*[{**FULL, "low30": 2}] * 4) == []  # eight low ones, and ten of the others can be parks
    message = "These bridges need at least 32 numbers above 30, but the game has only 30. Count them again."
    found = questions(*[{**FULL, "low30": 1}] * 4)
    assert found == [("too_many_high_numbers", "/players/3/summary", message)]


def test_a_letter_too_many_beside_one_that_cannot_be_read_is_told_and_no_more() -> None:
    types = {"C": 1, "G": 2, "I": 1, "E": 1, "U": "x", "P": 1, "Q": 3}
    record = {
        "game": "old_london_bridge",
        "table": {"chapel_order": ["Ann", "Bob"]},
        "players": [{"name": name, "coins": 1, "summary": {"buildings": 9, "types": types}} for name in ("Ann", "Bob")],
    }
    assert {"bad_number", "bad_building"} <= {problem["code"] for problem in score(record)["problems"]}
