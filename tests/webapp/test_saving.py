"""Tell what saves itself at the reveal, what waits for a member, and what is asked before it is saved twice."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.webapp.conftest import Device, lay_towns
from webapp.database import Database, ago


def enter(device: Device, path: str, go: tuple[str, ...] = ("1", "2", "result")) -> Any:
    """Enter no, one and two cottages on one phone, and go on from each board by that button."""
    for number, button in enumerate(go):
        device.get(f"{path}/seats/{number}")
        fields = {f"grid/0/{column}": "cottage" for column in range(number)}
        answer = device.post(f"{path}/seats/{number}", {**fields, "go": button})
    return answer


def count(db: Database) -> int:
    row = db.row("SELECT count(*) AS n FROM plays")
    assert row is not None
    return int(row["n"])


def test_on_one_phone_who_won_reveals_and_saves(member: Device, db: Database) -> None:
    path = lay_towns(member)
    assert path in enter_two(member, path)
    assert enter(member, path).location == f"{path}/result"
    page = member.get(f"{path}/result")
    assert "data-stage" in page and "podium" in page and "Saved" in page and "/plays/" in page
    assert "You are editing" not in page
    assert count(db) == 1 and path not in member.get("/")
    member.get(f"{path}/seats/0")  # it leads to the result, where the game can be edited
    assert count(db) == 1


def enter_two(member: Device, path: str) -> str:
    """Two boards of three; the home page then."""
    enter(member, path, ("1", "2"))
    return member.get("/")


@pytest.mark.parametrize("reason", ["practice", "a board that was passed over"])
def test_what_does_not_save_itself_waits_for_a_member(member: Device, db: Database, reason: str) -> None:
    path = lay_towns(member)
    if reason == "practice":
        member.get(f"{path}/setup")
        member.post(f"{path}/setup", {"come": "practice 1", "practice": "1"})
        assert re.search(r'name="practice" value="1"\s+checked', member.get(f"{path}/setup"))
    enter(member, path, ("1", "2", "result") if reason == "practice" else ("", "2", "result"))
    assert count(db) == 0 and path in member.get("/")
    assert "Save game" in member.get(f"{path}/result")
    assert "/plays/" in member.post(f"{path}/save").location and count(db) == 1


def test_practice_is_taken_back(member: Device, db: Database) -> None:
    path = lay_towns(member)
    member.get(f"{path}/setup")
    for fields in ({"come": "practice 1", "practice": "1"}, {"add": "Dee"}, {"come": "practice 1"}):
        member.post(f"{path}/setup", fields)
    row = db.row("SELECT practice FROM tables")
    assert row == {"practice": 0}


@pytest.mark.parametrize(("answer", "games"), [("same", 1), ("two", 2)])
def test_a_game_like_one_of_the_last_six_hours_is_asked_about(
    member: Device, db: Database, answer: str, games: int
) -> None:
    enter(member, lay_towns(member))
    path = lay_towns(member)
    enter(member, path)
    assert count(db) == 1
    page = member.get(f"{path}/result")
    assert "You saved a game with this result" in page and "Save game" not in page
    member.post(f"{path}/save")  # without an answer
    assert count(db) == 1 and path in member.get("/")
    member.get(f"{path}/result")
    assert "/plays/" in member.post(f"{path}/save", {answer: "1"}).location
    assert count(db) == games and path not in member.get("/")


def test_a_game_like_one_of_yesterday_is_saved(member: Device, db: Database) -> None:
    enter(member, lay_towns(member))
    with db.atomic():
        db.execute("UPDATE all_plays SET saved_at = ?", [ago(7 / 24)])
    enter(member, lay_towns(member))
    assert count(db) == 2


def test_every_unfinished_game_stays_on_the_home_page_until_it_is_discarded(member: Device) -> None:
    paths = [lay_towns(member) for _ in range(8)]
    for path in paths:
        enter(member, path, ("1",))
    page = member.get("/")
    assert all(path in page for path in paths)
    member.get(f"{paths[3]}/result")
    member.post(f"{paths[3]}/clear")
    page = member.get("/")
    assert [path for path in paths if path not in page] == [paths[3]]
