"""The companion of Tiny Towns: one tap a turn, and its count where a tie asks for it."""

from __future__ import annotations

import re

from tests.webapp.conftest import Device, lay_towns


def test_one_tap_a_turn_and_the_next_player_lights_up(member: Device) -> None:
    path = lay_towns(member)
    assert "Still playing? Master Builder" in member.get(f"{path}/setup")
    assert "Tap whoever has the hammer first" in member.get(f"{path}/companion")
    for seat in (1, 2, 0, 1):
        member.post(f"{path}/companion", {"put": f'["turns/-", {seat}]'})
    page = member.get(f"{path}/companion")
    assert re.findall(r'class="primary" aria-current="true">([^<]+)<', page) == ["Turn of Cid"]
    assert "4 turns so far" in page
    member.post(f"{path}/companion", {"put": '["completed/2", 4]'})
    page = member.get(f"{path}/companion")
    assert re.findall(r'aria-current="true">([^<]+)<', page) == ["Turn of Ann"] and "place 1 in completing" in page
    member.post(f"{path}/companion", {"drop": "turns/3"})
    assert "3 turns so far" in member.get(f"{path}/companion")


def test_a_tie_is_asked_about_with_what_was_counted(member: Device) -> None:
    path = lay_towns(member)
    for seat in (1, 2, 0, 1):
        member.post(f"{path}/companion", {"put": f'["turns/-", {seat}]'})
    for seat in range(3):
        member.post(f"{path}/seats/{seat}", {"grid/0/0": "cottage"})
    page = member.get(f"{path}/result")
    counted = re.findall(r'name="(/players/[0-9]/master_builder_turns)" value="([0-9]*)"', page)
    assert [value for _, value in counted] == ["1", "2", "1"]
    member.post(f"{path}/answers", dict(counted))
    assert "share the victory" in member.get(f"{path}/result")
