"""The companion of Tiny Towns: one tap a turn, and its count where a tie asks for it."""

from __future__ import annotations

import html
import json
import re

import pytest

from tests.webapp.conftest import Device, lay_towns

pytestmark = pytest.mark.either


def tap(device: Device, path: str, name: str, did: str) -> str:
    """Tap the button of the companion's page that notes this event; the page that then comes."""
    page = device.get(f"{path}/companion")
    put = ["events/-", {"name": name, "did": did}]
    offered = [json.loads(html.unescape(value)) for value in re.findall(r"name=\"put\" value='([^']+)'", page)]
    assert put in offered, put
    device.post(f"{path}/companion", {"put": json.dumps(put)})
    return device.get(f"{path}/companion")


def test_one_tap_a_turn_and_the_next_player_is_named(member: Device) -> None:
    path = lay_towns(member)
    assert "Still playing? Master Builder" in member.get(f"{path}/setup")
    assert "Who starts with the hammer?" in member.get(f"{path}/companion")
    tap(member, path, "Bob", "begins")
    tap(member, path, "Bob", "wood")
    assert "Ann is Master Builder" in tap(member, path, "Cid", "glass")
    page = tap(member, path, "Ann", "completed")
    assert "Bob is Master Builder" in page and "0 turns. Number 1 to complete a town" in page
    member.post(f"{path}/setup", {"down": "0"})  # Bob, Ann, Cid
    page = member.get(f"{path}/companion")
    assert re.findall(r"<dt>(\w+)</dt><dd>(\d turns?)", page)[:3] == [
        ("Bob", "1 turn"),
        ("Ann", "0 turns"),
        ("Cid", "1 turn"),
    ]
    [last] = re.findall(r'name="drop" value="([^"]+)"', page)
    member.post(f"{path}/companion", {"drop": last})
    assert "to complete a town" not in member.get(f"{path}/companion")


def test_a_tie_is_asked_about_with_what_was_counted(member: Device) -> None:
    path = lay_towns(member)
    for name, did in (("Bob", "begins"), ("Bob", "wood"), ("Cid", "wood"), ("Ann", "wood"), ("Bob", "wood")):
        tap(member, path, name, did)
    for seat in range(3):
        member.post(f"{path}/seats/{seat}", {"grid/0/0": "cottage"})
    page = member.get(f"{path}/result")
    counted = re.findall(r'name="(/players/[0-9]/master_builder_turns)" value="([0-9]*)"', page)
    assert [value for _, value in counted] == ["1", "2", "1"]
    member.post(f"{path}/answers", dict(counted))
    assert "win together" in member.get(f"{path}/result")
