"""Unknown is a value: what is certain while facts are open, and that nothing is told that an answer could change."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any, cast

import pytest

import scorer
from scorer import games
from scorer.contract import UNKNOWN
from scorer.core import score, score_as
from scorer.report import open_facts, verdict
from scorer.result import Result, certain_places
from scorer.sentences import as_it_is
from tests.compare.records import Box, at, made, places
from tests.scorer.tenby_tables import per, terrace

Json = Any
BOX = Box(Path(scorer.__file__).parent / "games")
# Words that "unknown" could be itself, and the one fact of which nobody's memory is an answer.
WORDS = {"name", "holder", "target", "deck", "type", "label", "master_builder_turns", "expansions", "villager_cards"}


def hidden(record: Json, chance: random.Random) -> Json:
    """The record with one to four of its facts unknown, as far as it can still be read."""
    record, wanted = copy.deepcopy(record), chance.choice([1, 1, 2, 4])
    facts = [path for path in places(record) if len(path) > 1 and not WORDS.intersection(path)]
    for path in chance.sample(facts, min(len(facts), 3 * wanted)):
        try:
            holder = at(record, path[:-1])
            before, holder[path[-1]] = holder[path[-1]], UNKNOWN
            if isinstance(before, str) and {"grid", "rows"}.intersection(path[-2:]):
                holder[path[-1]] = with_unknown_square(before, chance)
        except (KeyError, IndexError, TypeError):
            continue  # inside something that is unknown already
        if not score(record, reasons=False)["ok"]:
            holder[path[-1]] = before
        else:
            wanted -= 1
        if not wanted:
            break
    return record


def with_unknown_square(row: str, chance: random.Random) -> str:
    place = chance.randrange(len(row))
    return f"{row[:place]}?{row[place + 1 :]}"


def ends(player: Json) -> tuple[float, float]:
    low, high = player.get("range", [player["total"]] * 2)
    return (-1e9 if low is None else low, 1e9 if high is None else high)


def check(record: Json, chance: random.Random) -> bool:
    """Return whether facts of a legal table could be hidden; if so, what is said of it then must be true."""
    true = score(record)
    if not true["ok"]:
        return False
    record = hidden(record, chance)
    told = score(record)
    for real, seen in zip(true["players"], told["players"], strict=True):
        (least, most), (low, high) = ends(real), ends(seen)
        assert low <= least and most <= high, (record, seen)
        assert seen["total"] == sum(line["points"] for line in seen["lines"])
        assert ("range" in seen) is (seen.get("final") is False)
    if told["decided_by"]:
        assert (told["winners"], bool(true["decided_by"])) == (true["winners"], True), record
    elif told["winners"]:
        assert set(true["winners"]) <= set(told["winners"]), record
    is_open = any("range" in player for player in told["players"])
    assert told["needs"] or not is_open, record
    return is_open


@pytest.mark.parametrize("game", games.ids())
def test_what_is_told_of_a_table_with_open_facts_is_true_once_they_are_known(game: str) -> None:
    chance = random.Random(f"unknown {game}")
    opened = sum(check(made(game, BOX, chance), chance) for _ in range(30))
    assert opened


def tenby(*cards: Json, rival: int = 1) -> Json:
    return {
        "game": "tenby",
        "table": {},
        "players": [{"name": "Ann", "streets": [list(cards)]}, {"name": "Bob", "typed": {"card": rival}}],
    }


GULLS = terrace(features={"seagull": UNKNOWN})


@pytest.mark.parametrize(
    ("cards", "range_", "points"),
    [
        # A card shows at most 3 seagulls (rulebook p. 20 onwards).
        ((GULLS, terrace(score=per("seagull", 3))), [0, 9], 0),
        ((GULLS, terrace(score=per("seagull", 3)), terrace(features={"seagull": 2})), [6, 15], 6),
        # Of buildings the rulebook names no maximum; different colours there are five of.
        ((terrace(buildings=UNKNOWN), terrace(score=per("red", 2))), [0, None], 0),
        (
            (terrace(buildings=UNKNOWN), terrace(buildings=["red"], score=per("unique_colours", 2))),
            [0, 10],
            0,
        ),
        ((terrace(subtype=UNKNOWN), terrace(score=per("home", 4))), [0, 4], 0),
        ((terrace(icons={"landmark": UNKNOWN}), terrace(score=per("landmark", 5))), [0, 5], 0),
    ],
)
def test_an_open_count_of_a_card_is_bounded_by_what_a_card_can_show(
    cards: tuple[Json, ...], range_: list[int | None], points: int
) -> None:
    result = score(tenby(*cards))
    ann = result["players"][0]
    assert (ann["final"], ann["range"], ann["total"]) == (False, range_, points)
    [line] = ann["lines"]
    assert line["open"] is True and "Still to count" in line["why"]
    assert [need["players"] for need in result["needs"]] == [["Ann"]]


def test_a_fact_that_nothing_looks_at_is_not_asked_for() -> None:
    result = score(tenby(GULLS, terrace(score=per("bench", 3))))
    assert result["needs"] == [] and result["winners"] == ["Bob"]
    assert all("range" not in player for player in result["players"])


def test_an_open_count_says_what_is_missing_and_where_the_answer_goes() -> None:
    [need] = score(tenby(GULLS, terrace(score=per("seagull", 3))))["needs"]
    assert need["label"] == "Seagulls on card 1.1"
    assert need["where"] == ["/players/0/streets/0/0/features/seagull"]


BRIDGE = {
    "coins": 10,
    "chapel_steps": 0,
    "gate_steps": 0,
    "cards": {"0": 2},
    "unused_tiles": 0,
    "summary": {"buildings": 10},
}


def test_empty_spaces_of_an_unknown_price_leave_at_most_so_much() -> None:
    """Bob has more buildings and £5 for them; Ann's two empty spaces cost what nobody has read off the board."""
    bob = {**BRIDGE, "name": "Bob", "summary": {"buildings": 12}}
    table = {"chapel_order": ["Ann", "Bob"], "empty_costs": {"2": UNKNOWN}}
    result = score({"game": "old_london_bridge", "table": table, "players": [{**BRIDGE, "name": "Ann"}, bob]})
    ann = result["players"][0]
    assert (ann["total"], ann["range"]) == (10, [None, 10])
    assert (result["winners"], result["decided_by"]) == (["Bob"], "points")
    assert [need["where"] for need in result["needs"]] == [["/table/empty_costs/2"]]


TOWN = {"name": "Ann", "grid": [["warehouse", "empty", "empty", "empty"], *[["empty"] * 4 for _ in range(3)]]}
CARDS = dict(zip(("red", "grey", "orange", "green", "yellow", "black"), (
    "farm", "well", "chapel", "tavern", "theater", "warehouse"), strict=True))  # fmt: skip


def test_every_answer_is_tried_where_a_game_knows_no_shorter_way() -> None:
    """Cubes on a Warehouse cost 1 each, of which it holds 3, and 15 squares are empty; Bob has 1 point."""
    ann = {**TOWN, "warehouse_cubes": {"A1": UNKNOWN}}
    result = score(
        {"game": "tiny_towns", "table": {"cards": CARDS}, "players": [ann, {"name": "Bob", "typed": {"well": 1}}]}
    )
    assert result["players"][0]["range"] == [-18, -15]
    assert result["players"][0]["total"] == -18
    assert result["winners"] == ["Bob"]
    assert [need["where"] for need in result["needs"]] == [["/players/0/warehouse_cubes/A1"]]


def test_too_many_answers_leave_lines_within_what_the_rules_allow() -> None:
    """A town's lines are open then. What Bob typed stays what it is, and so does the house of somebody else."""
    ann = {**TOWN, "grid": [[UNKNOWN] * 4 for _ in range(4)]}
    result = score(
        {"game": "tiny_towns", "table": {"cards": CARDS}, "players": [ann, {"name": "Bob", "typed": {"well": 1}}]}
    )
    assert result["ok"] and result["winners"] == []
    assert [ends(player) for player in result["players"]] == [(-1e9, 1e9), (1, 1)]


def test_of_a_house_that_nobody_remembers_the_most_is_known() -> None:
    """Nine floors and five columns of windows are 38 points; Bob's lowest floor, with brickwork, is 1."""
    houses = {"Ann": UNKNOWN, "Bob": ["....."] * 8 + ["WWWWB"]}
    players = [{"name": name, "grid": grid} for name, grid in houses.items()]
    result = score({"game": "copenhagen", "table": {}, "players": players})
    assert [player.get("range") for player in result["players"]] == [[0, 38], None]
    assert [player["total"] for player in result["players"]] == [0, 1]
    assert len(result["needs"][0]["where"]) == 45
    assert all("empty_spaces" not in str(rung) for rung in result["players"][0]["tiebreaks"])


@pytest.mark.parametrize("floor", ["WWWW?", "wwww?", ["W", "W", "W", "W", UNKNOWN]])
def test_a_space_of_a_house_may_be_unknown(floor: Json) -> None:
    """Empty it brings nothing, with brickwork the floor brings 1 point, with a window 2."""
    players = [{"name": "Ann", "grid": ["....."] * 8 + [floor]}, {"name": "Bob", "typed": {"total": 3}}]
    result = score({"game": "copenhagen", "table": {}, "players": players})
    assert (result["players"][0]["range"], result["winners"]) == ([0, 2], ["Bob"])
    assert [need["where"] for need in result["needs"]] == [["/players/0/grid/8/4"]]


def test_a_space_of_a_pier_may_be_unknown() -> None:
    """One fisher on a side brings 1 point. A second one, or a flower seller beside the first, brings another."""
    players = [
        {"name": "Ann", "rows": ["F.", "?.", *[".."] * 4], "patrons": 2, "plan": {"achieved": False}},
        {"name": "Bob", "typed": {"total": 3}},
    ]
    result = score({"game": "pier_18", "table": {}, "players": players})
    assert (result["players"][0]["range"], result["winners"]) == ([3, 4], [])
    assert [need["where"] for need in result["needs"]] == [["/players/0/rows/1/0"]]


@pytest.mark.parametrize(
    ("group", "target", "most"), [("features", "seagull", 9), ("icons", "landmark", 3), ("features", "town", None)]
)
def test_all_that_a_card_shows_of_one_kind_may_be_unknown(group: str, target: str, most: int | None) -> None:
    """3 points for each: a card shows 3 seagulls at most and is one landmark at most. A town icon is no feature."""
    result = score(tenby(terrace(**{group: UNKNOWN}), terrace(score=per(target, 3))))
    assert result["players"][0].get("range") == (None if most is None else [0, most])
    wheres = [need["where"] for need in result["needs"]]
    assert wheres == ([] if most is None else [[f"/players/0/streets/0/0/{group}/{target}"]])


def test_all_prices_of_empty_spaces_may_be_unknown() -> None:
    table = {"chapel_order": ["Ann", "Bob"], "empty_costs": UNKNOWN}
    bob = {**BRIDGE, "name": "Bob", "summary": {"buildings": 12}}
    result = score({"game": "old_london_bridge", "table": table, "players": [{**BRIDGE, "name": "Ann"}, bob]})
    assert (result["players"][0]["range"], result["winners"]) == ([None, 10], ["Bob"])
    assert [need["where"] for need in result["needs"]] == [["/table/empty_costs/2"]]


@pytest.mark.parametrize(
    ("game", "place", "code"),
    [
        ("old_london_bridge", "/players/0/cards/shoe size", "bad_number"),
        ("old_london_bridge", "/table/empty_costs/shoe size", "bad_number"),
        ("tenby", "/table/accolades/cards/0/amounts/Cid", "unknown_field"),
    ],
)
def test_nothing_is_unknown_that_does_not_exist(game: str, place: str, code: str) -> None:
    records = {
        "old_london_bridge": {
            "table": {"chapel_order": ["Ann", "Bob"], "empty_costs": {"2": 3}},
            "players": [{**BRIDGE, "name": name, "cards": {"0": 2}} for name in ("Ann", "Bob")],
        },
        "tenby": {
            "table": {"accolades": {"mode": "open_sea", "cards": [{"name": "Goal", "amounts": {"Ann": 1, "Bob": 2}}]}},
            "players": [{"name": name, "typed": {"card": 3}} for name in ("Ann", "Bob")],
        },
    }
    record = {"game": game, **records[game]}
    assert score(record)["ok"]
    *way, last = place.split("/")[1:]
    at(record, [int(step) if step.isdecimal() else step for step in way])[last] = UNKNOWN
    assert [(fault["code"], fault["where"]) for fault in score(record)["problems"] if fault["level"] == "error"] == [
        (code, place)
    ]


def test_a_typed_line_may_be_unknown() -> None:
    """Patrons bring at most 6 points with three players (one a round); nothing on a pier takes points away."""
    players = [{"name": "Ann", "typed": {"poets": 20, "patrons": UNKNOWN}}, {"name": "Bob", "typed": {"total": 7}}]
    result = score({"game": "pier_18", "table": {}, "players": players})
    low, high = result["players"][0]["range"]
    assert low == 20 and high is not None and high > 20
    assert (result["winners"], result["decided_by"]) == (["Ann"], "points")
    players[1]["typed"] = {"total": UNKNOWN}
    result = score({"game": "pier_18", "table": {}, "players": players})
    assert (result["winners"], result["players"][1]["range"]) == ([], [0, None])


@pytest.mark.parametrize("game", games.ids())
def test_a_record_with_open_facts_survives_loading(game: str) -> None:
    found = games.find(game)
    assert found is not None
    chance = random.Random(f"open {game}")
    for _ in range(10):
        record = hidden(made(game, BOX, chance), chance)
        result = score_as(found, record)
        try:
            again = found.dump(found.load(record))
        except ValueError:
            continue  # its answers have to be tried: what was entered is kept as it is
        assert score_as(found, again)["players"] == result["players"]


def test_what_decided_is_open_while_an_answer_can_change_it() -> None:
    """Cid's 6 points win by his third symbol if Bob's plan paid 4 on top of 2 fishers, and by points if it did not."""
    bob = {"name": "Bob", "rows": [*["F."] * 2, *[".."] * 4], "patrons": 0, "plan": {"achieved": UNKNOWN}}
    rows = [*["F."] * 2, "..", "S.", "..", ".."]
    cid = {"name": "Cid", "rows": rows, "patrons": 4, "plan": {"achieved": False}}
    result = score({"game": "pier_18", "table": {}, "players": [bob, cid]})
    assert [(player["total"], player.get("range")) for player in result["players"]] == [(2, [2, 6]), (6, None)]
    assert (result["winners"], result["decided_by"]) == (["Cid"], None)
    assert certain_places(result) == [None, 1]
    assert str(verdict(games.find("pier_18"), result)).startswith("Cid wins either way")


def test_the_date_of_a_plan_may_be_unknown() -> None:
    """Two fishers, two patrons and a plan of 4 each: the date decides, and Ann's is asked for."""
    rows = [*["F."] * 2, *[".."] * 4]
    plans = {"Ann": UNKNOWN, "Bob": "06-14"}
    players = [
        {"name": name, "rows": rows, "patrons": 2, "plan": {"achieved": True, "date": date}}
        for name, date in plans.items()
    ]
    result = score({"game": "pier_18", "table": {}, "players": players})
    assert [(player["total"], player.get("range")) for player in result["players"]] == [(8, None)] * 2
    assert (result["winners"], result["decided_by"]) == (["Ann", "Bob"], None)
    assert [need["where"] for need in result["needs"]] == [["/players/0/plan/date"]]


def test_an_answer_that_is_refused_for_another_unknown_fact_stays_possible() -> None:
    """As a secret card of Ebb & Flow this one has a holder, whom nobody remembers: what it pays is open."""
    manager = {"name": "Manager", "mode": UNKNOWN, "holder": UNKNOWN, "revealed": True, "amounts": {"Ann": 5, "Bob": 0}}
    others = [{"name": f"Goal {n}", "active": False, "amounts": {"Ann": 5, "Bob": 0}} for n in range(3)]
    players = [{"name": name, "typed": {"card": 12}} for name in ("Ann", "Bob")]
    table = {"accolades": {"mode": "high_tide", "cards": [manager, *others]}}
    result = score({"game": "tenby", "table": table, "players": players})
    assert [player["final"] for player in result["players"]] == [False, False]
    assert (result["winners"], result["decided_by"]) == ([], None)


def test_what_only_one_tried_answer_would_break_is_no_fault() -> None:
    """A card shows at most 3 benches. What the higher tier pays is unknown; only less than 3 would be wrong."""
    tiers = [{"at_least": 6, "incomplete": 2, "complete": UNKNOWN}, {"at_least": 3, "incomplete": 2, "complete": 3}]
    record = tenby(terrace(features={"bench": 9, "seagull": 1}))
    record["players"][0]["residents"] = [{"name": "Keeper", "type": "single", "target": "seagull", "tiers": tiers}]
    problems = [(problem["code"], problem["where"]) for problem in score(record)["problems"]]
    assert problems == [("feature_over_max", "/players/0/streets/0/0/features/bench")]


def test_an_unknown_square_may_hold_the_building_of_an_unknown_card() -> None:
    """Two inns in one row pay nothing; with a cottage in that square, or nothing, the other inn pays 3."""
    grid = [["inn", UNKNOWN, "empty", "empty"], *[["empty"] * 4 for _ in range(3)]]
    record = {
        "game": "tiny_towns",
        "table": {"mode": "standard", "cards": {**CARDS, "green": UNKNOWN}},
        "players": [{"name": "Ann", "grid": grid}, {"name": "Bob", "typed": {"cottage": 3}}],
    }
    low, high = ends(score(record)["players"][0])
    assert low <= -14 and high >= -11  # two inns and 14 empty squares; one inn, a cottage that is not fed, and 14


def test_a_tie_that_nobody_settled_has_no_places() -> None:
    """Both have 12 points; the master builder would know more."""
    players = [{"name": name, "typed": {"cottage": 12}} for name in ("Ann", "Bob")]
    result = score({"game": "tiny_towns", "table": {"mode": "standard", "cards": CARDS}, "players": players})
    assert (result["winners"], result["decided_by"]) == (["Ann", "Bob"], None)
    assert certain_places(result) == [None, None]


@pytest.mark.parametrize(("open_now", "last"), [(3, "C (Ann)"), (4, "1 more"), (6, "3 more")])
def test_three_open_facts_are_named_and_the_others_counted(open_now: int, last: str) -> None:
    needs = [{"input": "x", "label": as_it_is(label), "players": ["Ann"]} for label in "ABCDEF"[:open_now]]
    found = str(open_facts(None, cast(Result, {"needs": needs})))
    assert found.startswith("A (Ann), B (Ann)") and found.endswith(last)
