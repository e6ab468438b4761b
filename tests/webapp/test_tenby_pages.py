"""Tenby's own pages hold whatever somebody puts into a form, and remember what is entered on them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.webapp.conftest import Device
from tests.webapp.test_cardboxes import GULLS, lay_table, put

ODD: list[Any] = [None, 5, "sea", [], {}, [[]], [{}], [[{}]], {"0": 1}, [None, "x"], -1]
PLACES = [
    "streets",
    "streets/0",
    "streets/0/0",
    "streets/0/0/edges",
    "streets/0/0/features",
    "streets/0/0/buildings",
    "streets/0/0/score",
    "streets/0/0/score/target",
    "residents",
    "residents/0",
    "residents/0/tiers",
    "residents/0/tiers/0",
]
TABLE_PLACES = ["accolades", "accolades/mode", "accolades/cards", "accolades/cards/0", "accolades/cards/0/target"]
RESIDENT = {"name": "Bob", "type": "single", "target": "bin", "tiers": [{"at_least": 1}]}


@pytest.mark.parametrize("place", PLACES)
def test_a_town_that_no_button_makes_is_shown_all_the_same(member: Device, place: str) -> None:
    where = lay_table(member, "Ann")
    for odd in ODD:
        member.post(f"{where}/seats/0", {"put": json.dumps(["streets", [[GULLS]], "residents", [RESIDENT]])})
        member.post(f"{where}/seats/0", put(place, odd))
        for opened in ("", "?open=streets/0/0", "?open=residents/0", "?open=nowhere"):
            member.get(f"{where}/seats/0{opened}")
        member.get(f"{where}/result")


@pytest.mark.parametrize("place", TABLE_PLACES)
def test_accolades_that_no_button_makes_are_shown_all_the_same(member: Device, place: str) -> None:
    where = lay_table(member, "Ann", "Bob")
    for odd in ODD:
        cards = {"mode": "ebb_flow", "cards": [{"name": "Manager", "target": "business"}]}
        member.post(f"{where}/setup", put("accolades", cards))
        member.post(f"{where}/setup", put(place, odd))
        member.get(f"{where}/setup")
        member.get(f"{where}/seats/1")


def test_nothing_is_missing_in_the_part_that_is_being_filled_in(member: Device) -> None:
    where = lay_table(member, "Ann")
    unfinished = {key: value for key, value in GULLS.items() if key != "score"} | {"score": {"type": "per"}}
    member.post(f"{where}/seats/0", put("streets/-", [unfinished]))
    assert "Enter “points”" in member.get(f"{where}/seats/0")
    assert "Enter “points”" not in member.get(f"{where}/seats/0?open=streets/0/0")


def test_only_pairs_of_edges_that_fit_are_offered(member: Device) -> None:
    where = lay_table(member, "Ann")
    member.post(f"{where}/seats/0", put("streets/-", [GULLS]))
    page = member.get(f"{where}/seats/0")
    laid = re.findall(r"""'\["streets/0/-", (.*?)\]'""", page)
    edges = [json.loads(card)["edges"] for card in laid]
    assert edges and all(left == "terrace" for left, _ in edges)
    assert "streets/0/^0" not in page  # the sea is on its left
