"""The best feeding is really the best: against trying out everything, written again from the cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.core import score
from tests.scorer.towns import PIECES, points, record, result

Place = tuple[int, int]
MOST_HUNGRY = 9  # the number of subsets to try doubles with each
BASE_FEEDERS = ("Fa", "Gr", "Or", "Gh")


def subsets(things: list[Any], most: int) -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(combinations(things, size) for size in range(min(most, len(things)) + 1))


def touch(one: Place, other: Place) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def connected(places: set[Place]) -> list[set[Place]]:
    found: list[set[Place]] = []
    for place in places:
        near = [group for group in found if any(touch(place, other) for other in group)]
        found = [group for group in found if group not in near] + [{place}.union(*near)]
    return found


def options(town: dict[Place, str], hungry: set[Place], coins: int) -> Iterator[tuple[set[Place], int]]:
    """Everything the owner may feed, and the coins it takes."""
    at = {piece: [place for place, standing in town.items() if standing == piece] for piece in town.values()}
    if farms := at.get("farm"):
        yield from ((set(fed), 0) for fed in subsets(sorted(hungry), 4 * len(farms)))
    elif granaries := at.get("granary"):
        yield {h for h in hungry for g in granaries if max(abs(h[0] - g[0]), abs(h[1] - g[1])) == 1}, 0
    elif orchards := at.get("orchard"):
        yield {h for h in hungry for o in orchards if h[0] == o[0] or h[1] == o[1]}, 0
    elif houses := at.get("greenhouse"):
        yield from ((set().union(*fed), 0) for fed in subsets(connected(hungry), len(houses)))
    elif barns := at.get("tithe_barn"):
        given_ = {h for h in hungry if any(touch(h, barn) for barn in barns)}
        for fed in subsets(sorted(hungry - given_), 2 * coins):
            yield given_ | set(fed), (len(fed) + 1) // 2
    elif "root_cellar" in at:
        lines = [{h for h in hungry if h[axis] == number} for axis in (0, 1) for number in range(4)]
        yield from ((set().union(*chosen), len(chosen)) for chosen in subsets(lines, coins))
    else:
        yield set(), 0


def worth(town: dict[Place, str], monument: str, fed: set[Place], coins: int) -> int:
    """All points that may depend on who is fed."""
    total = coins * (2 if monument == "estival_festival" else 1)
    cottages = {place: 1 for place, piece in town.items() if piece == "cottage"}
    for place, piece in town.items():
        if piece == "monument" and monument == "barrett_castle":
            cottages[place] = 2
            total += 5 if place in fed else 0
        elif piece == "monument" and monument == "eraflage_vineyard":
            total += 9 if place in fed else 0
        elif piece == "cottage" and (place in fed or monument == "grand_mausoleum_of_the_rodina"):
            total += 3
    for place, piece in town.items():
        beside = sum(number for other, number in cottages.items() if other in fed and touch(place, other))
        total += sum(number for other, number in cottages.items() if other in fed) if piece == "chapel" else 0
        total += 4 if (piece == "temple" and beside >= 2) or (piece == "parsonage" and beside >= 1) else 0
    return total


DEPENDENT = {"cottage", "chapel", "temple", "parsonage", "coins"}


def check(entered: dict[str, Any], monument: str, coins: int = 0) -> None:
    """The scorer's total is that of the best option, as far as it depends on feeding."""
    rows = entered["players"][0]["grid"]
    town = {(r, c): piece for r, row in enumerate(rows) for c, piece in enumerate(row) if piece != "empty"}
    fed_monument = monument in {"barrett_castle", "eraflage_vineyard"}
    hungry = {p for p, piece in town.items() if piece == "cottage" or (piece == "monument" and fed_monument)}
    best = max(worth(town, monument, fed, coins - spent) for fed, spent in options(town, hungry, coins))
    found = score(entered)
    assert found["ok"], found["problems"]
    lines = {line["rule"]: line["points"] for line in found["players"][0]["lines"]}
    ours = sum(number for rule, number in lines.items() if rule in DEPENDENT)
    if "monument" in lines and monument == "barrett_castle":
        ours += lines["monument"]
    if "monument" in lines and monument == "eraflage_vineyard":
        [(row, column)] = [place for place, piece in town.items() if piece == "monument"]
        line = {piece for (r, c), piece in town.items() if (r == row) != (c == column)}
        ours += lines["monument"] + 2 * len(line)
    assert ours == best


@st.composite
def boards(draw: st.DrawFn, feeders: tuple[str, ...], oranges: tuple[str, ...], most: int) -> list[str]:
    """16 marks: mostly Cottages, what feeds them and what watches them."""
    red, orange = draw(st.sampled_from(feeders)), draw(st.sampled_from(oranges))
    marks = draw(
        st.lists(st.sampled_from([".", "Co", "Co", "Co", red, orange, orange, "Ta"]), min_size=16, max_size=16)
    )
    cottages = [index for index, mark in enumerate(marks) if mark == "Co"]
    for index in cottages[most - 1 :]:  # the last hungry one may be the monument
        marks[index] = "."
    return marks


def text(marks: list[str]) -> str:
    return " / ".join(" ".join(marks[start : start + 4]) for start in range(0, 16, 4))


@settings(max_examples=400)
@given(
    boards(BASE_FEEDERS, ("Te", "Te", "Ch"), MOST_HUNGRY),
    st.sampled_from(["", "barrett_castle", "barrett_castle", "grand_mausoleum_of_the_rodina", "fort_ironweed"]),
    st.integers(0, 15),
)
def test_the_best_feeding_is_the_best_of_all(marks: list[str], monument: str, where: int) -> None:
    if monument:
        marks[where] = "Mo"
    check(record({"grid": text(marks), **({"monument": monument} if monument else {})}), monument)


@settings(max_examples=300)
@given(
    boards(("RC", "TB", "TB", "Fa", "Gh"), ("Te", "Pa", "Ch"), MOST_HUNGRY),
    st.sampled_from(["", "barrett_castle", "eraflage_vineyard", "estival_festival", "grand_mausoleum_of_the_rodina"]),
    st.integers(0, 15),
    st.integers(0, 4),
)
def test_coins_are_spent_on_food_exactly_where_they_pay(
    marks: list[str], monument: str, where: int, coins: int
) -> None:
    if monument:
        marks[where] = "Mo"
    facts = {"monument": monument} if monument else {}
    check(record({"grid": text(marks), "coins": coins, **facts}, expansions=["fortune"]), monument, coins)


LARGE = [
    "Co Co Co Co / Co Te Te Co / Co Te Fa Co / Co Co Co Co",
    "Co Co Te Co / Te Co Co Co / Co Co Fa Te / Co Te Co Co",
    "Co Te Co Te / Te Co Te Co / Co Te Co Fa / Fa Co Te Co",
    "Co Co Te Co / Co Co Co Te / Te Co Fa Fa / Co Te Co Co",
    "Mo Te Co Co / Te Co Te Co / Co Te Co Te / Fa Co Te Co",
    "Co Te Co . / Te Gh Te Co / Co Te . Co / . Co Te Gh",
    "Co Co Co Co / Co Co Co Co / Co Co Co Co / Co Te Co Fa",
]


@pytest.mark.parametrize("town", LARGE)
def test_crowded_towns_are_fed_best(town: str) -> None:
    monument = "barrett_castle" if "Mo" in town else ""
    entered = record({"grid": town, **({"monument": monument} if monument else {})})
    check(entered, monument)


# -- by hand -----------------------------------------------------------------------------------------------------------


def test_the_largest_group_is_not_always_the_best() -> None:
    town = "Co Fo Gh Te / Co Co Te Co / Co Fo Co Co / Co Co Te Co"
    assert points(town, "cottage") == 12 and points(town, "temple") == 8


def test_two_temples_leave_the_castle_unfed() -> None:
    town = "Co Te Co . / . . . Mo / Co Te Co . / Fa"
    assert points(town, "monument", monument="barrett_castle") == 0
    assert points(town, "temple", monument="barrett_castle") == 8


def test_more_greenhouses_than_groups() -> None:
    assert points("Co Co . Gh / . . Gh Gh", "cottage") == 6


def test_sixteen_greenhouses_have_nobody_to_feed() -> None:
    found = result("Gh Gh Gh Gh / Gh Gh Gh Gh / Gh Gh Gh Gh / Gh Gh Gh Gh")
    assert found["players"][0]["total"] == 0
    assert found["players"][0]["lines"][0]["why"] == "There is nothing to feed"
    assert [p["code"] for p in found["problems"]] == ["sixteen_buildings"]


def test_a_castle_joins_two_cottages_into_one_group() -> None:
    assert points("Co Mo Co . / . . . Gh", "cottage", monument="barrett_castle") == 6


def test_an_orchard_feeds_row_and_column_past_anything() -> None:
    assert points("Or Ta Ta Co / Ta Co / Ta / Co", "cottage") == 6


def test_a_granary_feeds_corners_of_its_surroundings_but_not_beyond() -> None:
    assert points("Co Co Co Co / Co Gr Co Co / Co Co Co Co / Co", "cottage") == 24


def test_a_farm_feeds_four_and_two_farms_eight() -> None:
    cottages = "Co Co Co Co / Co Co Co Co / Co"
    assert points(f"{cottages} Fa", "cottage") == 12
    assert points(f"{cottages} Fa Fa", "cottage") == 24


def test_every_mark_is_a_piece() -> None:
    assert len(PIECES) == len(set(PIECES.values()))
