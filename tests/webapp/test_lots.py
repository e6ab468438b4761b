"""Tell who begins, teams, and a time that runs: the same on all screens."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.webapp.conftest import Device, Laid, lay_towns
from webapp.database import Database
from webapp.table import lots, reveal, tables

pytestmark = pytest.mark.either


def news(device: Device, path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(device.client.get(f"{path}/events").data)
    return found


def test_one_tap_draws_who_begins_and_every_phone_shows_the_same(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    assert news(stranger, laid.path)["lots"] == "0 0"
    laid.member.get(f"{laid.path}/seats")
    laid.member.post(f"{laid.path}/lot")
    said = {re.search(r"(\w+) begins\.", device.get(f"{laid.path}/seats")) for device in (laid.member, stranger)}
    names = {found.group(1) for found in said if found}
    assert len(names) == 1 and names <= {"Ann", "Bob", "Cid"}
    at = news(stranger, laid.path)["lots"].split()[0]
    assert f'data-fell="{at}"' in stranger.get(f"{laid.path}/seats/1")


def test_the_lot_falls_on_everybody_and_teams_are_as_equal_as_can_be(laid: Laid) -> None:
    drawn, teams = set(), set()
    for _ in range(60):
        lots.draw(laid.db, laid.table(), teams=False)
        lot = laid.table().lot
        drawn.add(json.dumps(lot["groups"]))
        lots.draw(laid.db, laid.table(), teams=True)
        lot = laid.table().lot
        assert sorted(map(len, lot["groups"])) == [1, 2]
        assert sorted(number for group in lot["groups"] for number in group) == [0, 1, 2]
        teams.add(json.dumps(lot["groups"]))
    assert len(drawn) == 3 and len(teams) == 3


def test_who_was_drawn_is_forgotten_when_the_seats_change(laid: Laid) -> None:
    lots.draw(laid.db, laid.table(), teams=False)
    laid.member.get(f"{laid.path}/setup")
    laid.member.post(f"{laid.path}/setup", {"up": "1"})
    assert laid.table().lot is None


def test_a_time_runs_on_every_screen_until_it_is_stopped(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.member.get(f"{laid.path}/seats")
    before = reveal.moment()
    laid.member.post(f"{laid.path}/timer", {"minutes": "2"})
    ends = int(news(stranger, laid.path)["lots"].split()[1])
    assert before + 120_000 <= ends <= reveal.moment() + 120_000
    assert f'data-ends="{ends}"' in stranger.get(f"{laid.path}/seats/1")
    laid.member.get(f"{laid.path}/seats")
    laid.member.post(f"{laid.path}/timer")
    assert "data-ends" not in stranger.get(f"{laid.path}/seats/1")


@pytest.mark.parametrize("minutes", ["4", "-1", "1e9", "9" * 40, "", "x"])
def test_only_times_that_are_offered_run(laid: Laid, minutes: str) -> None:
    laid.member.get(f"{laid.path}/seats")
    assert laid.member.post(f"{laid.path}/timer", {"minutes": minutes}).status_code == 303
    assert laid.table().timer is None


def test_a_table_without_anybody_draws_nothing(member: Device, db: Database) -> None:
    member.get("/")
    path = str(member.post("/tables", {"game": "tenby"}).location).removesuffix("/setup")
    member.get(f"{path}/setup")
    member.post(f"{path}/lot")
    table = tables.find(db, path.removeprefix("/tables/"))
    assert table is not None and table.lot is None


def test_on_one_phone_lots_are_drawn_as_well(member: Device) -> None:
    path = lay_towns(member)
    member.get(f"{path}/seats")
    member.post(f"{path}/lot")
    assert " begins." in member.get(f"{path}/seats")
