"""The reasons on a sheet are true and plain English, for one thing as for many."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from scorer.core import score
from scorer.sentences import listed
from tests.scorer.towns import record, result, why


def test_a_list_reads_as_people_say_it() -> None:
    assert [listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"])] == ["A", "A and B", "A, B and C"]


FULL_BUT = "Sh Sh Sh Sh / Sh Sh Sh Sh / Sh Sh Sh Sh / Sh Sh"
TOWNS = [
    ("Mo Co", "monument", {"monument": "archive_of_the_second_age"}, "1 building type: Cottage"),
    ("Mo Co We", "monument", {"monument": "archive_of_the_second_age"}, "2 building types: Cottage and Well"),
    (
        "Mo",
        "monument",
        {"monument": "shrine_of_the_elder_tree", "shrine_count": 1},
        "1 building in the town when it was built, including itself",
    ),
    ("We We", "well", {}, "Cottages beside A1 and B1: 0 each"),
    ("Ch Ch", "chapel", {}, "There is no fed Cottage"),
    ("Th", "theater", {}, "A1 has no other building type in its row and column: 0"),
    ("Co Co . Co / Co Gh Gh Gh", "greenhouse", {}, "B2, C2 and D2 feed A1+B1+A2 and D1"),
    ("FH", "feast_hall", {"right_feast_halls": 1}, "1 built: 2. The player on the right has 1"),
    ("FH FH", "feast_hall", {"right_feast_halls": 1}, "2 built: 3 each. The player on the right has 1"),
    ("FH FH", "feast_hall", {"right_feast_halls": 2}, "2 built: 2 each. The player on the right has 2"),
    (f"{FULL_BUT} Sh", "empty", {}, "1 empty square: −1"),
    (FULL_BUT, "empty", {}, "2 empty squares: −1 each"),
]


@pytest.mark.parametrize(("town", "rule", "facts", "expected"), TOWNS)
def test_why_a_town_scores(town: str, rule: str, facts: dict[str, Any], expected: str) -> None:
    assert why(town, rule, **facts) == expected


def test_one_feast_hall_is_no_each() -> None:
    [player] = result("FH", mode="solo")["players"]
    assert player["lines"][0]["why"] == "1 built: 2. There is no player on the right"


PIERS = [
    (["F.", "FF", ".F"], "fishers", "2 on the left, 2 on the right. Only one side scores"),
    (["F.", "F.", ".F"], "fishers", "2 on the left, 1 on the right. The side with more of them scores"),
    (["P."], "poets", "1 poet. Pairs: 0"),
    (["L."], "lovers", "A1 has only empty spaces within 2 spaces: 2"),
    (
        ["LL", "..", "P."],
        "lovers",
        "B1 has only empty spaces within 2 spaces: 2. A1 has a character within 2 spaces: 0",
    ),
    (["LL"], "lovers", "A1 and B1 have only empty spaces within 2 spaces: 2 each"),
]


@pytest.mark.parametrize(("rows", "rule", "expected"), PIERS)
def test_why_a_pier_scores(rows: list[str], rule: str, expected: str) -> None:
    assert reasons(piers(rows))[rule] == expected


def piers(rows: list[str], **plan: int) -> dict[str, Any]:
    """A table of two whose first pier begins with these sections."""
    bare = {"rows": [".."] * 6, "patrons": 2, "plan": {"achieved": False}}
    rows = rows + [".."] * (6 - len(rows))
    ann = {**bare, "name": "Ann", "rows": rows, "plan": {"achieved": bool(plan), **plan}}
    return {"game": "pier_18", "table": {}, "players": [ann, {**bare, "name": "Bob"}]}


def reasons(entered: dict[str, Any], key: Literal["why", "cite"] = "why") -> dict[str, str]:
    """Return what the first player's lines say, by rule."""
    return {line["rule"]: line[key] for line in score(entered)["players"][0]["lines"]}


def test_only_the_usual_points_of_a_plan_are_those_of_board_game_arena() -> None:
    assert "Board Game Arena" in reasons(piers([], points=4), "cite")["plan"]
    assert "Board Game Arena" not in reasons(piers([], points=3), "cite")["plan"]


def bridges(names: str, built: int = 12, **facts: int) -> dict[str, Any]:
    """Players with as many buildings each; the chapel track has them by their names."""
    hand = {"0": 2 if len(names) == 2 else 1}
    plain = {"coins": 10, "chapel_steps": 0, "gate_steps": 0, "cards": hand, "unused_tiles": 0}
    players = [{**plain, "name": name, "summary": {"buildings": built}, **facts} for name in names]
    table = {"chapel_order": sorted(names), "empty_costs": {"5+": 15}}
    return {"game": "old_london_bridge", "table": table, "players": players}


@pytest.mark.parametrize(
    ("names", "rank", "tie"),
    [
        ("AB", "1st", "Tied with B, ahead on the chapel track"),
        ("ABCD", "1st", "Tied with B, C and D, ahead on the chapel track"),
        ("DABC", "4th", "Tied with A, B and C, behind on the chapel track. No prize for this rank with 4 players"),
        ("CABD", "3rd", "Tied. Behind A and B and ahead of D on the chapel track"),
    ],
)
def test_why_a_bridge_takes_its_place(names: str, rank: str, tie: str) -> None:
    assert reasons(bridges(names))["bridge"] == f"{rank}. 12 buildings, including parks. {tie}"


@pytest.mark.parametrize(
    ("swaps", "expected"),
    [
        (0, "7; no coin was paid to swap resources"),
        (1, "7, less 2 for the 1 coin paid to swap resources"),
        (3, "7, less 2 for each of the 3 coins paid to swap resources"),
    ],
)
def test_why_hollow_hill_pays_less(swaps: int, expected: str) -> None:
    town = {"grid": "Mo", "monument": "hollow_hill", "hollow_hill_swaps": swaps, "coins": 0}
    assert reasons(record(town, expansions=["fortune"]))["monument"] == expected


def test_a_question_about_one_thing_asks_for_one() -> None:
    asked = [problem["message"] for problem in score(bridges("AB", 1, gate_steps=1, unused_tiles=1))["problems"]]
    assert "Bonus spaces reached: 0. Can there be 1 unused bonus tile?" in asked
    assert "This bridge has 1 building after 12 turns. Were buildings replaced on all other turns?" in asked


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (("Ann", "Bob", "Cid"), "1, tied with Bob and Cid: 10 ÷ 3, 1 left over"),
        (("Ann", "Bob", "Cid", "Dee"), "1, tied with Bob, Cid and Dee: 10 ÷ 4, 2 left over"),
    ],
)
def test_why_an_accolade_is_shared(players: tuple[str, ...], expected: str) -> None:
    card = {"deck": "terrace", "base": "terrace", "edges": ["terrace", "terrace"], "features": {"bench": 1}}
    entered = {
        "game": "tenby",
        "table": {"accolades": {"mode": "open_sea", "cards": [{"name": "Rest", "target": "bench"}]}},
        "players": [{"name": name, "streets": [[card]]} for name in players],
    }
    assert reasons(entered)["accolade"] == expected


CARD = {"deck": "terrace", "base": "terrace", "edges": ["terrace", "terrace"]}
MESSAGES = [
    (
        {
            "game": "tenby",
            "table": {
                "accolades": {
                    "mode": "ebb_flow",
                    "cards": [{"name": name, "target": "bench", "holder": "Ann", "revealed": True} for name in "ab"],
                }
            },
            "players": [{"name": "Ann", "streets": [[CARD]]}],
        },
        "With this many players, this mode needs 1 accolade card. You entered 2.",
    ),
    (
        record({"grid": "Mo", "monument": "shrine_of_the_elder_tree", "shrine_count": 2}),
        "The Shrine counts itself, and the town has 1 building. Enter 1.",
    ),
    (
        record({"grid": "Mo", "monument": "the_starloom", "starloom_place": 7}),
        "Enter a number from 1 to 6.",
    ),
]


@pytest.mark.parametrize(("entered", "expected"), MESSAGES)
def test_what_a_problem_says(entered: dict[str, Any], expected: str) -> None:
    assert [problem["message"] for problem in score(entered)["problems"]] == [expected]


def test_a_castle_that_could_as_well_be_fed_does_not_claim_that_others_bring_more() -> None:
    """Three Cottages and their Temple bring 13, and so do the castle and its two."""
    reason = why("Co Co . Gh / Co Te . . / . . . Te / . . Te Mo", "monument", monument="barrett_castle")
    assert reason == "It is not fed; feeding other buildings scores at least as much"
