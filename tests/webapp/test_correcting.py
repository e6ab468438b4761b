"""A saved game that is corrected says so, and what is asked of those who type their lines."""

from __future__ import annotations

import re

from tests.webapp.conftest import Device, lay_towns
from webapp.database import Database


def saved(member: Device) -> str:
    """A saved game of three towns; its address."""
    path = lay_towns(member)
    for number in range(3):
        member.post(f"{path}/seats/{number}", {f"grid/0/{column}": "tavern" for column in range(number)})
    member.get(f"{path}/result")
    return str(member.post(f"{path}/save").location)


def test_every_page_of_an_edit_says_so(member: Device) -> None:
    play = saved(member)
    for _ in range(2):
        member.get(play)
        table = str(member.post(f"{play}/edit").location).removesuffix("/seats/0")
        for page in ("seats/0", "setup", "result"):
            text = " ".join(re.sub(r"<[^>]+>", " ", member.get(f"{table}/{page}")).split())
            assert "You are editing the game of" in text
            assert "The old version is kept." in text
        assert f'href="{play}"' in member.page
        member.post(f"{table}/seats/0", {"grid/0/0": "well"})
        member.get(f"{table}/result")
        member.post(f"{table}/save")


def test_a_new_table_says_nothing_of_versions(member: Device) -> None:
    path = lay_towns(member)
    for page in ("seats/0", "setup"):
        assert "You are editing" not in member.get(f"{path}/{page}")


def typed_fields(page: str) -> list[str]:
    return re.findall(r'name="typed/(\w+)"', page)


def test_only_lines_of_cards_in_play_are_asked_for(member: Device) -> None:
    path = lay_towns(member)
    member.post(f"{path}/seats/0", {"put": '["typed", {}]'})
    asked = typed_fields(member.get(f"{path}/seats/0"))
    assert asked[0] == "total"
    assert len(asked) == 10  # the total, cottages, six cards, monument, empty squares
    assert {"farm", "well", "chapel", "tavern", "theater", "factory"} < set(asked)


def test_where_nobody_said_which_cards_lie_there_the_set_up_is_offered(member: Device, db: Database) -> None:
    path = lay_towns(member)
    with db.atomic():
        db.execute("UPDATE tables SET setup = '{}'")
    member.post(f"{path}/seats/0", {"put": '["typed", {}]'})
    page = member.get(f"{path}/seats/0")
    assert typed_fields(page) == ["total", "cottage", "monument", "empty"]
    assert f'href="{path}/setup"' in page
    member.post(f"{path}/seats/0", {"typed/cottage": "3", "put": '["typed/tavern", 5]'})
    assert "tavern" in typed_fields(member.get(f"{path}/seats/0"))  # what was begun stays
