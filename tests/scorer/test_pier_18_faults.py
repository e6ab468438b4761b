"""Pier 18: what is refused, with all faults at once."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.core import score

PATRONS = {2: [4, 0], 3: [1, 1, 1]}


def good(count: int = 2) -> Any:
    names = ["Ann", "Bob", "Cid"][:count]
    players = [
        {"name": name, "rows": ["S.", "PF", "..", "L.", "..", ".."], "patrons": patrons, "plan": {"achieved": False}}
        for name, patrons in zip(names, PATRONS[count], strict=True)
    ]
    return {"game": "pier_18", "table": {}, "players": players}


def cards(*overlaps: int, sections: int = 2) -> list[Any]:
    return [{"sections": ["S."] * sections, "covers": covers} for covers in overlaps]


def by_cards(laid: list[Any]) -> Any:
    record = good()
    del record["players"][0]["rows"]
    record["players"][0]["cards"] = laid
    record["players"][1]["rows"].append("..")
    return record


def faults(record: Any) -> list[tuple[str, str]]:
    result = score(record)
    assert not result["ok"]
    return [(problem["code"], problem["where"]) for problem in result["problems"]]


def put(record: Any, where: str, value: Any) -> None:
    *path, last = where.removeprefix("/").split("/")
    for step in path:
        record = record[int(step)] if isinstance(record, list) else record[step]
    record[int(last) if isinstance(record, list) else last] = value


CHANGED = [
    ("/players/0/patrons", 3, "patron_total", "/players/1/patrons"),
    ("/players/0/patrons", 5, "patron_total", "/players/1/patrons"),
    ("/players/0/patrons", -1, "bad_number", "/players/0/patrons"),
    ("/players/0/patrons", "four", "bad_number", "/players/0/patrons"),
    ("/players/0/plan/points", -4, "bad_number", "/players/0/plan/points"),
    ("/players/0/plan/points", 4.5, "bad_number", "/players/0/plan/points"),
    ("/table/plan_points", -1, "bad_number", "/table/plan_points"),
    ("/players/0/plan/achieved", "yes", "unreadable", "/players/0/plan/achieved"),
    ("/players/0/plan", {}, "missing_field", "/players/0/plan/achieved"),
    ("/players/0/plan/date", "02-30", "bad_date", "/players/0/plan/date"),
    ("/players/0/plan/date", "13-01", "bad_date", "/players/0/plan/date"),
    ("/players/0/plan/date", "6-14", "bad_date", "/players/0/plan/date"),
    ("/players/0/plan/date", "14 of 6", "bad_date", "/players/0/plan/date"),
    ("/players/0/rows/2", "X.", "unknown_symbol", "/players/0/rows/2"),
    ("/players/0/rows/2", "x.", "unknown_symbol", "/players/0/rows/2"),
    ("/players/0/rows/2", "S", "row_width", "/players/0/rows/2"),
    ("/players/0/rows/2", "S.P", "row_width", "/players/0/rows/2"),
    ("/players/0/rows/2", "", "row_width", "/players/0/rows/2"),
    ("/players/0/rows/2", 7, "unreadable", "/players/0/rows/2"),
    ("/players/0/rows", [".."] * 5, "pier_length", "/players/0/rows"),
    ("/players/0/rows", [], "pier_length", "/players/0/rows"),
    ("/players/0/rows", "S.", "unreadable", "/players/0/rows"),
    ("/players/0/cards", [], "unknown_field", "/players/0/rows"),
    ("/players/0/hat", 1, "unknown_field", "/players/0/hat"),
    ("/players/1/name", "Ann", "duplicate_name", "/players/1/name"),
    ("/table/sections_per_card", 0, "card_sections", "/table/sections_per_card"),
    ("/table/sections_per_card", -2, "card_sections", "/table/sections_per_card"),
    ("/table/sections_per_card", "three", "bad_number", "/table/sections_per_card"),
    ("/table/lovers_across", "perhaps", "unknown_option", "/table/lovers_across"),
]


@pytest.mark.parametrize(("where", "value", "code", "reported"), CHANGED, ids=[f"{w} {v}" for w, v, _, _ in CHANGED])
def test_one_change_is_refused_where_it_was_made(where: str, value: Any, code: str, reported: str) -> None:
    record = good()
    put(record, where, value)
    found = faults(record)
    assert (code, reported) in found
    assert {name for name, _ in found} <= {code} | ({"pier_length"} if where == "/players/0/cards" else set())


@pytest.mark.parametrize("field", ["rows", "plan"])
def test_a_missing_field_is_asked_for(field: str) -> None:
    record = good()
    del record["players"][0][field]
    assert ("missing_field", f"/players/0/{field}") in faults(record)
    assert {code for code, _ in faults(record)} == {"missing_field"}


@pytest.mark.parametrize("count", [1, 4])
def test_the_game_is_for_two_or_three(count: int) -> None:
    record = good()
    record["players"] = [{**record["players"][0], "name": f"P{number}"} for number in range(count)]
    assert faults(record) == [("player_count", "/players")]


@pytest.mark.parametrize(
    ("players", "sections", "length", "legal"),
    [
        (2, None, 5, False),
        (2, None, 6, True),
        (2, None, 40, True),
        (3, None, 4, False),
        (3, None, 5, True),
        (2, 3, 7, False),
        (2, 3, 8, True),
        (2, 3, 18, True),
        (2, 3, 19, False),
        (3, 2, 5, False),
        (3, 2, 6, True),
        (3, 2, 10, True),
        (3, 2, 11, False),
        (2, 1, 6, True),
        (2, 1, 7, False),
    ],
)
def test_a_pier_shows_at_least_one_section_of_each_card(
    players: int, sections: int | None, length: int, legal: bool
) -> None:
    record = good(players)
    if sections is not None:
        record["table"]["sections_per_card"] = sections
    for player in record["players"]:
        player["rows"] = [".."] * length
    assert score(record)["ok"] is legal
    if not legal:
        assert faults(record) == [("pier_length", f"/players/{index}/rows") for index in range(players)]


def test_three_players_share_three_patrons() -> None:
    record = good(3)
    assert score(record)["ok"]
    record["players"][0]["patrons"] = 2
    assert faults(record) == [("patron_total", "/players/2/patrons")]


def test_beside_a_typed_player_only_too_many_patrons_are_a_fault() -> None:
    record = good()
    record["players"][1] = {"name": "Bob", "typed": {"poets": 9}}
    assert score(record)["ok"]
    record["players"][0]["patrons"] = 5
    assert faults(record) == [("patron_total", "/players/0/patrons")]


def test_typed_patrons_are_a_point_each_and_one_a_round() -> None:
    """Two players have four rounds."""
    record = good()
    record["players"] = [{"name": "Ann", "typed": {"patrons": 3}}, {"name": "Bob", "typed": {"patrons": 1}}]
    assert score(record)["ok"]
    record["players"][1]["typed"]["patrons"] = 2
    assert faults(record) == [("patron_total", "/players/1/typed/patrons")]
    record["players"][1]["typed"]["patrons"] = 5
    assert ("bad_number", "/players/1/typed/patrons") in faults(record)
    record = good()
    record["players"][1] = {"name": "Bob", "typed": {"patrons": 4}}
    record["players"][0]["patrons"] = 1
    assert faults(record) == [("patron_total", "/players/0/patrons")]


@pytest.mark.parametrize(
    ("laid", "found"),
    [
        (cards(0, 1, 1, 0, 1), [("pier_length", "/players/0/cards")]),
        (cards(0, 2, 1, 0, 1, 0), [("overlap_range", "/players/0/cards/1/covers")]),
        (cards(0, -1, 1, 0, 1, 0), [("overlap_range", "/players/0/cards/1/covers")]),
        (cards(1, 1, 1, 0, 1, 0), [("overlap_range", "/players/0/cards/0/covers")]),
        (cards(0, 1, 1, 0, 1) + cards(0, sections=3), [("card_sections", "/players/0/cards/5/sections")]),
        (cards(0, 1, 1, 0, 1) + cards(0, sections=0), [("card_sections", "/players/0/cards/5/sections")]),
        ([*cards(0, 1, 1, 0, 1), {"sections": ["S.", "Q"]}], [
            ("row_width", "/players/0/cards/5/sections/1"),
            ("unknown_symbol", "/players/0/cards/5/sections/1"),
        ]),
        ([*cards(0, 1, 1, 0, 1), {"covers": 0}], [("missing_field", "/players/0/cards/5/sections")]),
        ([*cards(0, 1, 1, 0, 1), {"sections": ["..", ".."], "covers": "half"}], [
            ("bad_number", "/players/0/cards/5/covers")
        ]),
    ],
)  # fmt: skip
def test_cards_overlap_but_leave_a_section_on_show(laid: list[Any], found: list[tuple[str, str]]) -> None:
    assert faults(by_cards(laid)) == found


def test_cards_have_the_number_of_sections_the_table_says() -> None:
    record = by_cards(cards(0, 1, 1, 0, 1, 0))
    assert score(record)["ok"]
    record["table"]["sections_per_card"] = 3
    record["players"][1]["rows"] = [".."] * 8
    assert faults(record) == [("card_sections", f"/players/0/cards/{index}/sections") for index in range(6)]


def test_all_cards_of_a_game_have_the_same_number_of_sections_whoever_laid_them() -> None:
    """The odd one out is reported, wherever it lies."""
    record = by_cards(cards(0, 1, 1, 0, 1, 0))
    record["players"][1] |= {"cards": cards(0, 1, 1, 0, 1, 0, sections=3)}
    del record["players"][1]["rows"]
    assert faults(record) == [("card_sections", f"/players/1/cards/{index}/sections") for index in range(6)]
    record["players"][1]["cards"] = [*cards(0, 1, 1, 0, 1), *cards(0, sections=3)]
    assert faults(record) == [("card_sections", "/players/1/cards/5/sections")]
    record["players"][0]["cards"], record["players"][1]["cards"] = (
        record["players"][1]["cards"],
        record["players"][0]["cards"],
    )
    assert faults(record) == [("card_sections", "/players/0/cards/5/sections")]


@pytest.mark.parametrize(
    ("length", "found"),
    [(6, ("warning", "short_pier")), (7, None), (12, None), (13, ("error", "pier_length"))],
)
def test_the_cards_of_one_player_tell_how_long_the_piers_of_others_can_be(
    length: int, found: tuple[str, str] | None
) -> None:
    record = by_cards(cards(0, 1, 1, 0, 1, 0))
    record["players"][1]["rows"] = [".."] * length
    problems = score(record)["problems"]
    assert [(problem["level"], problem["code"]) for problem in problems] == ([found] if found else [])


@pytest.mark.parametrize(("players", "length", "asked"), [(2, 36, False), (2, 37, True), (3, 37, True)])
def test_a_pier_longer_than_six_cards_can_be_is_asked_about(players: int, length: int, asked: bool) -> None:
    record = good(players)
    record["players"][0]["rows"] = [".."] * length
    result = score(record)
    assert result["ok"]
    found = [(problem["level"], problem["code"], problem["where"]) for problem in result["problems"]]
    assert found == ([("warning", "long_pier", "/players/0/rows")] if asked else [])


def test_a_plan_card_is_a_card_like_the_others() -> None:
    record = by_cards(cards(0, 1, 1, 0, 1, 0))
    record["players"][1]["plan"]["card"] = {"name": "Many poets", "sections": ["S.", ".P", "X."]}
    assert faults(record) == [
        ("card_sections", "/players/1/plan/card/sections"),
        ("unknown_symbol", "/players/1/plan/card/sections/2"),
    ]
    record["players"][1]["plan"]["card"] = {"points": -1, "date": "02-30", "sections": [], "colour": "blue"}
    assert faults(record) == [
        ("unknown_field", "/players/1/plan/card/colour"),
        ("bad_number", "/players/1/plan/card/points"),
        ("bad_date", "/players/1/plan/card/date"),
        ("card_sections", "/players/1/plan/card/sections"),
    ]


# -- patrons that follow from those of the others --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entered", "counted"),
    [
        ((3, None), (3, 1)),
        ((None, 0), (4, 0)),
        ((1, 1, None), (1, 1, 1)),
        ((None, 3, None), (0, 3, 0)),  # there are only three
        ((None, None), None),
        ((None, 1, None), None),
    ],
)
def test_the_last_players_patrons_follow_from_the_others(
    entered: tuple[int | None, ...], counted: tuple[int, ...] | None
) -> None:
    record = good(len(entered))
    for player, patrons in zip(record["players"], entered, strict=True):
        player["patrons"] = patrons
        if patrons is None:
            del player["patrons"]
    if counted is None:
        missing = [("missing_field", f"/players/{n}/patrons") for n, patrons in enumerate(entered) if patrons is None]
        assert faults(record) == missing
        return
    result = score(record)
    assert result["ok"]
    lines = [{line["rule"]: line["points"] for line in player["lines"]} for player in result["players"]]
    assert tuple(line.get("patrons", 0) for line in lines) == counted


def test_patrons_of_a_typed_player_count_for_what_is_left() -> None:
    record = good(3)
    record["players"][0] = {"name": "Ann", "typed": {"patrons": 1}}
    del record["players"][2]["patrons"]
    assert [line["points"] for line in score(record)["players"][2]["lines"] if line["rule"] == "patrons"] == [1]
    record["players"][0]["typed"] = {"poets": 1}
    assert faults(record) == [("missing_field", "/players/2/patrons")]


def test_more_patrons_than_rounds_leave_none_to_ask_for() -> None:
    record = good()
    record["players"][0]["patrons"] = 5
    del record["players"][1]["patrons"]
    assert faults(record) == [("patron_total", "/players/1/patrons")]


def test_all_faults_are_told_at_once() -> None:
    record = good()
    ann, bob = record["players"]
    record["table"]["sections_per_card"] = 0
    ann |= {"rows": ["X.", "S"], "patrons": 1, "plan": {"achieved": True, "points": -1, "date": "00-00"}}
    bob |= {"patrons": 1, "hat": "tall"}
    assert {code for code, _ in faults(record)} == {
        "unknown_symbol",
        "row_width",
        "pier_length",
        "patron_total",
        "bad_number",
        "bad_date",
        "card_sections",
        "unknown_field",
    }
