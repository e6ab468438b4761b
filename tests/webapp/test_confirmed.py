"""The button "Yes, that is right" beside a question."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.webapp.conftest import Device, lay_towns
from webapp.database import Database
from webapp.history import listing, saved_plays
from webapp.table import tables

TERRACE = {"deck": "terrace", "base": "terrace", "edges": ["terrace", "terrace"]}
ODD = {**TERRACE, "deck": "pier", "base": "pier", "edges": ["pier", "pier"], "subtype": "home"}
WINDOWS = {f"grid/8/{column}": "W" for column in range(5)}
RIGHT = "Yes, that is right"


def setup_of(db: Database, path: str) -> dict[str, Any]:
    table = tables.find(db, path.split("/")[2])
    assert table is not None
    return table.setup


def without_marks(confirmed: list[str]) -> list[str]:
    """The questions by place and code; a mark of what was asked follows."""
    return [question.rpartition(":")[0] for question in confirmed]


def full_towns(member: Device) -> str:
    """Three towns of sixteen buildings with different totals."""
    path = lay_towns(member)
    pieces = ["cottage", "well", "farm", "tavern"]
    for seat in range(3):
        member.post(
            f"{path}/seats/{seat}",
            {f"grid/{row}/{column}": pieces[column if row >= seat else 0] for row in range(4) for column in range(4)},
        )
    return path


def test_a_question_of_the_result_is_confirmed_once_and_stays_so(member: Device, db: Database, club: int) -> None:
    path = full_towns(member)
    page = member.get(f"{path}/result")
    questions = re.findall(r'name="question" value="([^"]+)"', page)
    assert questions == [f"/players/{seat}/grid:sixteen_buildings" for seat in range(3)]
    for question in (questions[0], questions[2], "/players/0/grid:made_up"):
        member.post(f"{path}/confirm", {"question": question})
    confirmed = setup_of(db, path)["confirmed"]
    assert without_marks(confirmed) == [questions[0], questions[2]]
    assert re.findall(r'name="question" value="([^"]+)"', member.get(f"{path}/result")) == [questions[1]]
    member.post(f"{path}/save")
    [saved] = listing.recent(db, club)
    play = saved_plays.find(db, saved.key)
    assert play is not None and play.record["table"]["confirmed"] == confirmed
    assert [problem["where"] for problem in play.result["problems"]] == ["/players/1/grid"]
    assert RIGHT not in member.get(f"/plays/{saved.key}")


def test_a_confirmed_question_moves_with_its_player(member: Device, db: Database) -> None:
    path = full_towns(member)
    member.get(f"{path}/result")
    member.post(f"{path}/confirm", {"question": "/players/0/grid:sixteen_buildings"})
    member.post(f"{path}/setup", {"order": "2,0,1"})
    assert without_marks(setup_of(db, path)["confirmed"]) == ["/players/1/grid:sixteen_buildings"]
    assert member.get(f"{path}/result").count(RIGHT) == 2
    member.post(f"{path}/setup", {"remove": "1"})
    assert setup_of(db, path)["confirmed"] == []


def test_a_question_at_a_board_is_confirmed_there(member: Device, db: Database) -> None:
    member.get("/")
    path = str(member.post("/tables", {"game": "tenby"}).location).removesuffix("/setup")
    member.post(f"{path}/setup", {"new": "Ann"})
    member.post(f"{path}/seats/0", {"put": json.dumps(["streets", [[ODD]]])})
    page = member.get(f"{path}/seats/0")
    [question] = re.findall(r'name="confirm" value="([^"]+)"', page)
    assert question.startswith("/players/0/streets/0/0/")
    member.post(f"{path}/seats/0", {"confirm": "/players/1/streets:x"})
    assert "confirmed" not in setup_of(db, path)
    member.post(f"{path}/seats/0", {"confirm": question})
    assert without_marks(setup_of(db, path)["confirmed"]) == [question]
    assert RIGHT not in member.get(f"{path}/seats/0")


def test_what_has_changed_since_is_asked_again(member: Device, db: Database) -> None:
    path = full_towns(member)
    member.get(f"{path}/result")
    member.post(f"{path}/confirm", {"question": "/players/0/grid:sixteen_buildings"})
    assert member.get(f"{path}/result").count(RIGHT) == 2
    member.post(f"{path}/seats/0", {"grid/0/0": "well"})
    assert member.get(f"{path}/result").count(RIGHT) == 3
    member.post(f"{path}/confirm", {"question": "/players/0/grid:sixteen_buildings"})
    assert member.get(f"{path}/result").count(RIGHT) == 2
    assert without_marks(setup_of(db, path)["confirmed"]) == ["/players/0/grid:sixteen_buildings"]


def houses(member: Device) -> str:
    """Two houses of Copenhagen, of which no tiles can form Ann's; the address of their table."""
    member.get("/")
    path = str(member.post("/tables", {"game": "copenhagen"}).location).removesuffix("/setup")
    for name in ("Ann", "Bob"):
        member.post(f"{path}/setup", {"add": name})
    member.post(f"{path}/seats/0", WINDOWS)
    member.post(f"{path}/seats/1", {"grid/8/0": "B", **{f"grid/8/{column}": "W" for column in range(1, 5)}})
    return path


def test_a_house_that_no_tiles_form_is_asked_about_on_its_board(member: Device, db: Database) -> None:
    path = houses(member)
    assert "No set of tiles can make this house." in member.get(f"{path}/seats/0")
    assert "No set of tiles can make this house" not in member.get(f"{path}/seats/1")
    assert 'name="end"' not in member.get(f"{path}/facts")  # nobody has 12, so the card ended it
    member.post(f"{path}/seats/0", {**WINDOWS, "confirm": "/players/0/grid:not_buildable"})
    assert without_marks(setup_of(db, path)["confirmed"]) == ["/players/0/grid:not_buildable"]
    assert "No set of tiles can make this house" not in member.get(f"{path}/seats/0")


def test_a_phone_alone_is_asked_before_the_reveal_and_never_after(member: Device) -> None:
    path = houses(member)
    page = member.get(f"{path}/result")
    assert "Check this first:" in page and "No set of tiles can make this house" in page
    assert "wins" not in page
    assert "wins on points" in member.get(f"{path}/result?checked=1")  # Ann: 2 points for a floor of windows
    member.post(f"{path}/confirm", {"question": "/players/0/grid:not_buildable"})
    page = member.get(f"{path}/result")
    assert "Check this" not in page and "No tiles" not in page and "wins on points" in page


def test_everybody_is_asked_about_a_house_before_the_reveal(member: Device, stranger: Device, db: Database) -> None:
    path = houses(member)
    member.post(f"{path}/open")
    table = tables.find(db, path.split("/")[2])
    assert table is not None and table.room is not None
    link = f"/at/{table.room.link}"
    stranger.get(link)
    stranger.post(link, {"seat": "0"})
    assert "Check this first:" in member.get(f"{path}/result")
    assert "No set of tiles can make this house" in stranger.get(f"{path}/result")
    [question] = re.findall(r'name="question" value="([^"]+)"', member.get(f"{path}/result"))
    member.post(f"{path}/confirm", {"question": question})
    assert "Check this first:" not in member.get(f"{path}/result")
