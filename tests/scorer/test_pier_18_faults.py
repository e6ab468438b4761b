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
    ("/players/0/plan/date", "14 June", "bad_date", "/players/0/plan/date"),
    ("/players/0/rows/2", "X.", "unknown_symbol", "/players/0/rows/2"),
    ("/players/0/rows/2", "s.", "unknown_symbol", "/players/0/rows/2"),
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


@pytest.mark.parametrize("field", ["rows", "patrons", "plan"])
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
    record["players"][1] = {"name": "Bob", "typed": {"patrons": 9}}
    assert score(record)["ok"]
    record["players"][0]["patrons"] = 5
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
