"""Pier 18: characters, patrons, plan, the ladder, and piers entered card by card."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.core import score
from scorer.games.pier_18 import GAME
from scorer.games.pier_18.assembly import Card, assemble

PIERS = st.lists(st.text("SPLF..", min_size=2, max_size=2), min_size=6, max_size=14)
RULES = ("flower_sellers", "poets", "lovers", "fishers")


def table(*piers: list[str], patrons: tuple[int, ...] = (), plans: tuple[Any, ...] = (), **switches: Any) -> Any:
    """A record of piers; short ones are made long enough with empty sections at the sea."""
    count = max(2, len(piers))
    rows = [[*pier, *[".."] * (6 - len(pier))] for pier in (*piers, [])[:count]]
    counts = patrons or ((4, 0) if count == 2 else (3, 0, 0))
    goals = plans or ({"achieved": False},) * count
    players = [
        {"name": name, "rows": pier, "patrons": count, "plan": goal}
        for name, pier, count, goal in zip(("Ann", "Bob", "Cid"), rows, counts, goals, strict=False)
    ]
    return {"game": "pier_18", "table": switches, "players": players}


def lines(record: Any, player: int = 0) -> dict[str, int]:
    result = score(record)
    assert result["ok"], result["problems"]
    return {line["rule"]: line["points"] for line in result["players"][player]["lines"]}


@pytest.mark.parametrize(
    ("pier", "points"),
    [
        (["S."], 0),  # alone
        (["P.", "S.", "P.", "F."], 3),  # one above, two below
        (["S.", "S.", "P.", "P."], 3),  # two sellers, two others
        (["SP"], 0),  # across the pier
        (["S.", ".P"], 0),  # diagonally
        (["S.", "..", "P."], 0),  # over a gap
        (["PS", "SP"], 2),  # one group on each side
        (["S.", "P.", "..", "S.", "P.", "P."], 3),  # two groups of a side
        ([".S", ".L", ".L"], 2),  # lovers are others too
    ],
)
def test_a_group_with_a_seller_earns_its_other_symbols(pier: list[str], points: int) -> None:
    assert lines(table(pier))["flower_sellers"] == points


@pytest.mark.parametrize(("pier", "points"), [(["P."], 0), (["PP"], 1), (["PP", "P."], 1), (["PP", "..", "PP"], 2)])
def test_every_two_poets_of_both_sides_earn_one(pier: list[str], points: int) -> None:
    assert lines(table(pier))["poets"] == points


@pytest.mark.parametrize(
    ("pier", "points"),
    [
        (["..", "..", "L."], 2),
        (["L."], 2),  # the shore is empty
        (["..", "..", "..", "..", "..", "L."], 2),  # so is the sea
        (["L.", "..", "P."], 0),
        (["P.", "..", "L."], 0),
        (["L.", "..", "..", "P."], 2),
        (["L.", "L."], 0),  # lovers spoil one another
        (["L.", "..", "..", "L."], 4),
        (["LP", ".F", ".S"], 2),  # the other side is not looked at
    ],
)
def test_lovers_earn_two_with_two_empty_spaces_above_and_below(pier: list[str], points: int) -> None:
    assert lines(table(pier))["lovers"] == points


def test_a_table_may_agree_that_lovers_look_across_the_pier() -> None:
    assert lines(table(["LP", ".F"], lovers_across="must_be_empty"))["lovers"] == 0
    assert lines(table(["L.", ".F"], lovers_across="must_be_empty"))["lovers"] == 2
    assert lines(table(["LP"], lovers_across="ignore"))["lovers"] == 2


@pytest.mark.parametrize(("pier", "points"), [(["F."], 1), (["FF"], 1), (["FF", "F."], 2), ([".F", "F.", ".F"], 2)])
def test_fishers_of_the_fuller_side_count(pier: list[str], points: int) -> None:
    assert lines(table(pier))["fishers"] == points


def by_definition(rows: list[str]) -> dict[str, int]:
    """The scoring once more, side by side as text."""
    sides = ["".join(row[side] for row in rows) for side in (0, 1)]
    both = "".join(sides)
    found = {
        "flower_sellers": sum(len(g) - 1 for side in sides for g in side.split(".") if "S" in g),
        "poets": both.count("P") // 2,
        "lovers": sum(2 for side in sides for _ in re.finditer(r"(?<=\.\.)L(?=\.\.)", f"..{side}..")),
        "fishers": max(side.count("F") for side in sides),
    }
    return {rule: points for rule, points in found.items() if "SPLF"[RULES.index(rule)] in both}


@given(PIERS)
def test_characters_earn_what_the_definition_says(rows: list[str]) -> None:
    assert {rule: points for rule, points in lines(table(rows)).items() if rule in RULES} == by_definition(rows)


@given(PIERS)
def test_it_does_not_matter_from_which_end_or_side_a_pier_is_entered(rows: list[str]) -> None:
    earned = lines(table(rows))
    assert lines(table(rows[::-1])) == earned
    assert lines(table([row[::-1] for row in rows])) == earned
    assert lines(table([*rows, "..", ".."])) == earned


@pytest.mark.parametrize(
    ("plan", "switches", "points"),
    [
        ({"achieved": True}, {}, 4),
        ({"achieved": False}, {}, 0),
        ({"achieved": True, "points": 6}, {}, 6),
        ({"achieved": True}, {"plan_points": 5}, 5),
        ({"achieved": True, "points": 0}, {"plan_points": 5}, 0),
        ({"achieved": False, "points": 6}, {}, 0),
    ],
)
def test_a_plan_pays_if_its_goal_is_achieved(plan: Any, switches: Any, points: int) -> None:
    assert lines(table([], plans=(plan, {"achieved": False}), **switches))["plan"] == points


def test_absent_characters_and_patrons_get_no_line() -> None:
    assert lines(table([], patrons=(0, 4))) == {"plan": 0}


def test_lines_name_their_spaces() -> None:
    found = score(table(["SF", "PF", "..", "LL", "..", "..", "F."]))["players"][0]["lines"]
    assert {line["rule"]: line["cells"] for line in found if line["cells"]} == {
        "flower_sellers": ["A1", "A2"],
        "poets": ["A2"],
        "lovers": ["A4", "B4"],
        "fishers": ["B1", "B2"],
    }


# -- ties -------------------------------------------------------------------------------------------------------------


def dates(*days: str | None) -> tuple[Any, ...]:
    return tuple({"achieved": False} if date is None else {"achieved": False, "date": date} for date in days)


def verdict(record: Any) -> tuple[list[str], str | None, list[Any]]:
    result = score(record)
    assert result["ok"], result["problems"]
    return result["winners"], result["decided_by"], result["needs"]


def test_more_symbols_win_a_tie_whether_they_score_or_not() -> None:
    assert verdict(table(["P."], ["P.", "..", "S."], patrons=(2, 2))) == (["Bob"], "symbols", [])


def test_the_earliest_date_of_the_year_wins_the_next_one() -> None:
    assert verdict(table([], [], patrons=(2, 2), plans=dates("12-31", "02-29"))) == (["Bob"], "plan_date", [])


def test_two_plans_with_one_date_are_asked_again_and_not_shared() -> None:
    record = table([], [], patrons=(2, 2), plans=dates("05-01", "05-01"))
    where = ["/players/0/plan/date", "/players/1/plan/date"]
    again = [{"input": "plan_date", "players": ["Ann", "Bob"], "where": where}]
    assert verdict(record) == (["Ann", "Bob"], None, again)
    [problem] = score(record)["problems"]
    assert (problem["code"], problem["level"]) == ("duplicate_plan_date", "warning")
    record["players"][1]["plan"]["date"] = "05-11"
    assert verdict(record) == (["Ann"], "plan_date", [])
    assert score(record)["problems"] == []


def test_who_is_earlier_is_enough_to_settle_a_tie() -> None:
    record = table([], [], patrons=(2, 2), plan_order=["bob", "Ann"])
    assert verdict(record) == (["Bob"], "plan_date", [])
    assert GAME.dump(GAME.load(record))["table"]["plan_order"] == ["Bob", "Ann"]
    # Of three, one was not compared: it matters only if she is tied for the victory.
    assert verdict(table([], [], [], patrons=(1, 1, 1), plan_order=["Bob", "Ann"]))[2][0]["players"] == ["Cid"]
    assert verdict(table([], [], ["F."], patrons=(2, 1, 0), plan_order=["Bob", "Ann"])) == (["Ann"], "points", [])


def test_known_dates_and_the_order_of_the_plans_agree() -> None:
    plans = dates("06-14", "02-28")
    assert verdict(table([], [], patrons=(2, 2), plans=plans, plan_order=["Bob", "Ann"])) == (["Bob"], "plan_date", [])
    [fault] = score(table([], [], patrons=(2, 2), plans=plans, plan_order=["Ann", "Bob"]))["problems"]
    assert (fault["code"], fault["where"]) == ("plan_order", "/table/plan_order")
    for order in (["Zoe"], ["Ann", "Ann"]):
        [fault] = score(table([], [], plan_order=order))["problems"]
        assert fault["code"] == "plan_order"


def test_a_day_with_the_name_of_its_month_is_read_and_two_numbers_are_asked_about() -> None:
    named = table([], [], patrons=(2, 2), plans=dates("2 March", "14 June"))
    assert verdict(named) == (["Ann"], "plan_date", [])
    [fault] = score(table([], [], plans=dates("3/2", None)))["problems"]
    assert (fault["code"], fault["message"]) == (
        "bad_date",
        "We’re not sure what “3/2” means. For 3 February, enter 02-03.",
    )


def test_one_date_on_two_plans_is_asked_again_only_if_it_matters() -> None:
    record = table(["P."], [], patrons=(2, 2), plans=dates("05-01", "05-01"))
    assert verdict(record) == (["Ann"], "symbols", [])


def test_a_date_that_a_typed_player_has_too_is_asked_again() -> None:
    record = table([], [], patrons=(2, 2), plans=dates("05-01", None))
    record["players"][1] = {"name": "Bob", "typed": {"poets": 2}, "symbols": 0, "plan_date": "05-01"}
    [need] = verdict(record)[2]
    assert need["players"] == ["Ann"]


def test_what_the_plan_card_prints_counts_where_nothing_else_was_entered() -> None:
    card = {"name": "Poets on both sides", "points": 5, "date": "03-02"}
    plan = {"achieved": True, "card": card}
    record = table([], [], plans=(plan, {"achieved": False}), plan_points=6)
    [line] = [line for line in score(record)["players"][0]["lines"] if line["rule"] == "plan"]
    assert (line["points"], line["why"]) == (5, "“Poets on both sides” achieved: 5")
    assert lines(table([], [], plans=({**plan, "points": 7}, {"achieved": False})))["plan"] == 7
    assert lines(table([], [], plans=({**plan, "card": {}}, {"achieved": False}), plan_points=6))["plan"] == 6
    tied = table([], [], patrons=(2, 2), plans=({"achieved": False, "card": card}, *dates("03-01")))
    assert verdict(tied) == (["Bob"], "plan_date", [])


def test_dates_are_asked_only_of_those_still_tied_for_the_victory() -> None:
    record = table(["P."], [], ["P."], patrons=(1, 1, 1), plans=dates(None, None, "03-01"))
    need = {"input": "plan_date", "players": ["Ann"], "where": ["/players/0/plan/date"]}
    assert verdict(record) == (["Ann", "Cid"], None, [need])
    assert verdict(table(["PP"], [], [], patrons=(1, 1, 1))) == (["Ann"], "points", [])


def test_typed_players_are_asked_at_their_own_fields() -> None:
    record = table([], [])
    record["players"][0] |= {"patrons": 2}
    record["players"][1] = {"name": "Bob", "typed": {"lovers": 2}}
    [need] = verdict(record)[2]
    assert need == {"input": "symbols", "players": ["Bob"], "where": ["/players/1/symbols"]}
    record["players"][1]["symbols"] = 0
    [need] = verdict(record)[2]
    assert need["where"] == ["/players/0/plan/date", "/players/1/plan_date"]
    record["players"][1]["plan_date"] = "01-02"
    record["players"][0]["plan"]["date"] = "01-01"
    assert verdict(record) == (["Ann"], "plan_date", [])


# -- card by card -----------------------------------------------------------------------------------------------------


def test_a_card_covers_the_sea_end_of_the_one_before() -> None:
    cards = [Card(("S.", "P.", "F.")), Card(("L.", "..", ".F"), 2), Card((".P", "..", ".."), 1)]
    assert assemble(cards) == ("S.", "L.", "..", ".P", "..", "..")


@given(st.lists(st.tuples(st.lists(st.text("SPLF.", min_size=2, max_size=2), min_size=3, max_size=3), st.integers(0, 2))
       , min_size=6, max_size=6))  # fmt: skip
def test_a_pier_of_cards_scores_as_its_visible_sections(drawn: list[tuple[list[str], int]]) -> None:
    cards = [Card(tuple(sections), covers if index else 0) for index, (sections, covers) in enumerate(drawn)]
    by_cards = table([], sections_per_card=3)
    by_cards["players"][1] = {"name": "Bob", "typed": {}}
    by_rows = table([], sections_per_card=3)
    by_rows["players"][1] = {"name": "Bob", "typed": {}}
    del by_cards["players"][0]["rows"]
    by_cards["players"][0]["cards"] = [{"sections": list(card.sections), "covers": card.covers} for card in cards]
    by_rows["players"][0]["rows"] = list(assemble(cards))
    assert score(by_cards) == score(by_rows)
    assert score(by_cards)["ok"]
