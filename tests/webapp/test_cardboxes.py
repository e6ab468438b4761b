"""Card boxes of clubs: kept from the table, picked again, shared as files, and each club's own."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from scorer.games.tenby import GAME as TENBY
from scorer.games.tiny_towns import GAME as TINY_TOWNS
from tests.webapp.conftest import Device
from webapp import clubs
from webapp.cli import command as cli
from webapp.cli.terminal import USAGE_ERROR
from webapp.database import Database
from webapp.table import cardboxes

pytestmark = pytest.mark.either

GULLS: dict[str, Any] = {
    "name": "Gull house",
    "deck": "terrace",
    "base": "terrace",
    "edges": ["sea", "terrace"],
    "score": {"type": "per", "target": "seagull", "points": 2, "range": "gold"},
}
RIVAL = {**GULLS, "score": {**GULLS["score"], "points": 3}}
TINY_TOWNS_BOX: dict[str, Any] = {"format": "tidemark-cards", "version": 1, "game": "tiny_towns"}
PIER = {"name": "Long pier", "deck": "pier", "base": "pier", "edges": ["pier", "pier"]}


def boxed(*cards: Any, **others: Any) -> dict[str, Any]:
    return {"format": "tidemark-cards", "version": 1, "game": "tenby", "town_cards": list(cards), **others}


def cards_of(db: Database, club: int) -> list[Any]:
    cards: list[Any] = cardboxes.box_of(db, club, TENBY)["town_cards"]
    return cards


def lay_table(device: Device, *names: str) -> str:
    """A Tenby table with these players; its address."""
    device.get("/")
    answer = device.post("/tables", {"game": "tenby"})
    where = answer.headers["Location"].removesuffix("/setup")
    device.get(f"{where}/setup")
    for name in names:
        device.post(f"{where}/setup", {"new": name})
    return where


def put(path: str, value: Any) -> dict[str, str]:
    return {"put": json.dumps([path, value])}


def test_a_card_described_at_one_table_is_picked_at_the_next(member: Device, db: Database, club: int) -> None:
    where = lay_table(member, "Ann")
    member.post(f"{where}/seats/0", put("streets/-", [GULLS]))
    member.post(f"{where}/seats/0", {"keep": '["town_cards", "streets/0/0"]'})
    assert cards_of(db, club) == [GULLS]
    again = lay_table(member, "Ann")
    assert "Gull house" in member.get(f"{again}/seats/0")
    member.post(f"{again}/seats/0", {"pick": '["streets/-/-", "town_cards", "Gull house"]'})
    state = db.row("SELECT state FROM seats JOIN tables ON id = table_id WHERE key = ?", again.split("/")[-1])
    assert state and json.loads(state["state"]) == {"streets": [[GULLS]]}


def test_what_is_not_sound_stays_out_of_the_box(member: Device, db: Database, club: int) -> None:
    where = lay_table(member, "Ann")
    nameless = {key: value for key, value in GULLS.items() if key != "name"}
    member.post(f"{where}/seats/0", put("streets/-", [nameless, {**GULLS, "deck": "castle"}]))
    for button in ('["town_cards", "streets/0/0"]', '["town_cards", "streets/0/1"]', '["castles", "x"]', "[", "[1, 2]"):
        assert member.post(f"{where}/seats/0", {"keep": button}).status_code == 303
    assert cards_of(db, club) == []


def test_an_accolade_is_kept_without_what_belongs_to_one_evening(member: Device, db: Database, club: int) -> None:
    where = lay_table(member, "Ann", "Bob")
    member.post(f"{where}/setup", {"accolades/mode": "ebb_flow"})
    member.post(f"{where}/setup", put("accolades/cards/-", {"name": "Manager", "target": "business", "holder": "Ann"}))
    member.post(f"{where}/setup", {"keep": '["accolades", "accolades/cards/0"]'})
    box = cardboxes.box_of(db, club, TENBY)
    assert box["accolades"] == [{"name": "Manager", "target": "business"}]


def test_the_next_table_remembers_the_mode_and_not_the_cards(member: Device) -> None:
    where = lay_table(member, "Ann", "Bob")
    member.post(f"{where}/setup", {"accolades/mode": "open_sea"})
    member.post(f"{where}/setup", put("accolades/cards/-", {"name": "Manager", "target": "business"}))
    page = member.get(f"{lay_table(member)}/setup")
    assert re.search(r'value="open_sea"\s+checked', page)
    assert "Manager" not in page


def test_a_box_travels_as_a_file(member: Device, owner: Device, db: Database, club: int) -> None:
    cardboxes.take_in(db, club, TENBY, boxed(GULLS))
    member.get("/cards/tenby")
    sent = member.client.get("/cards/tenby/file")
    assert json.loads(sent.data)["town_cards"] == [GULLS]
    assert "attachment" in sent.headers["Content-Disposition"]
    theirs = io.BytesIO(json.dumps(boxed(RIVAL, PIER)).encode())
    answer = member.post("/cards/tenby/file", {"box": (theirs, "box.json")}, content_type="multipart/form-data")
    page = answer.get_data(as_text=True)
    assert "1 new" in page and "1 to check" in page and "score" in page
    assert cards_of(db, club) == [GULLS, PIER]
    member.post("/cards/tenby/put", {"card": json.dumps(["town_cards", RIVAL])})
    assert RIVAL in cards_of(db, club)
    member.post("/cards/tenby/remove", {"card": '["town_cards", "gull HOUSE"]'})
    assert cards_of(db, club) == [PIER]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 1}', b"[" * 9999, b"\xff"])
def test_a_file_that_is_no_box_changes_nothing(member: Device, db: Database, club: int, content: bytes) -> None:
    member.get("/cards/tenby")
    sent = {"box": (io.BytesIO(content), "box.json")}
    answer = member.post("/cards/tenby/file", sent, content_type="multipart/form-data")
    assert answer.status_code == 200 and 'class="error' in answer.get_data(as_text=True)
    assert cards_of(db, club) == []


def test_only_the_club_sees_its_box_and_only_members_change_it(
    member: Device, viewer: Device, stranger: Device, db: Database, club: int
) -> None:
    cardboxes.take_in(db, club, TENBY, boxed(GULLS))
    stranger.get("/cards/tenby", 404)
    stranger.get("/cards/tenby/file", 404)
    assert "Gull house" in viewer.get("/cards/tenby")
    viewer.get("/club")
    for path in ("file", "put", "remove"):
        assert viewer.post(f"/cards/tenby/{path}").status_code == 403
    member.get("/cards/copenhagen", 404)
    member.get("/cards/chess", 404)


def test_boxes_of_clubs_are_apart(db: Database, club: int) -> None:
    cardboxes.take_in(db, club, TENBY, boxed(GULLS))
    assert cards_of(db, clubs.create(db, "Friday")) == []


def test_the_command_line_carries_a_box_from_club_to_club(
    app: Any, db: Database, club: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = clubs.create(db, "Friday")
    cardboxes.take_in(db, club, TENBY, boxed(GULLS))
    cardboxes.take_in(db, other, TENBY, boxed(RIVAL))
    path = ["--db", app.config["DATABASE"]]
    assert cli.main(["cards", "export", "tenby", *path]) == 0
    file = tmp_path / "box.json"
    file.write_text(capsys.readouterr().out)
    into = ["cards", "import", "tenby", str(file), *path, "--club", str(other)]
    assert cli.main(into) == 1
    assert "Gull house differs in score" in capsys.readouterr().err
    assert cards_of(db, other) == [RIVAL]
    assert cli.main([*into, "--theirs"]) == 0
    assert cards_of(db, other) == [GULLS]


@pytest.mark.parametrize(
    "wrong",
    [
        ["cards", "export", "chess"],
        ["cards", "export", "tenby", "--db", "nowhere.db"],
        ["cards", "import", "tenby", "nowhere.json"],
    ],
)
def test_the_command_line_says_what_is_not_there(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(wrong) == USAGE_ERROR
    assert capsys.readouterr().err.startswith("tidemark: ")


def tiny_towns(device: Device, *names: str) -> str:
    """A Tiny Towns table with these players; its address."""
    device.get("/")
    where = device.post("/tables", {"game": "tiny_towns"}).headers["Location"].removesuffix("/setup")
    for name in names:
        device.get(f"{where}/setup")
        device.post(f"{where}/setup", {"new": name})
    return where


def test_a_card_of_no_list_is_named_once_and_picked_by_a_tap(member: Device, db: Database, club: int) -> None:
    where = tiny_towns(member, "Ann")
    other = {"mode": "standard", "cards/yellow": "other_yellow"}
    member.post(f"{where}/setup", other)
    member.post(f"{where}/setup", {**other, "card_names/yellow": "Cobbler"})
    assert "Save in card box" in member.get(f"{where}/setup")
    member.post(f"{where}/setup", {"keep": '["yellow", "card_names/yellow"]'})
    assert cardboxes.box_of(db, club, TINY_TOWNS)["yellow"] == [{"name": "Cobbler"}]
    assert "in the card box" in member.get(f"{where}/setup")
    member.post(f"{where}/setup", {"cards/yellow": "theater", "card_names/yellow": ""})
    button = '["cards/yellow", "other_yellow", "card_names/yellow", "Cobbler"]'
    assert f"value='{button}'" in member.get(f"{where}/setup")
    member.post(f"{where}/setup", {"put": button})
    row = db.row("SELECT setup FROM tables WHERE key = ?", where.split("/")[-1])
    assert row is not None
    setup = json.loads(row["setup"])
    assert (setup["cards"]["yellow"], setup["card_names"]) == ("other_yellow", {"yellow": "Cobbler"})


def test_a_monument_of_no_list_is_named_once_and_picked_by_a_tap(member: Device, db: Database, club: int) -> None:
    seat = f"{tiny_towns(member, 'Ann')}/seats/0"
    member.get(seat)
    member.post(seat, {"grid/0/0": "monument"})
    member.post(seat, {"grid/0/0": "monument", "monument": "other_monument"})
    assert "Name of the monument" in member.get(seat)
    member.post(seat, {"grid/0/0": "monument", "monument": "other_monument", "monument_name": "Larkstone"})
    member.get(seat)
    member.post(seat, {"keep": '["monuments", "monument_name"]'})
    assert cardboxes.box_of(db, club, TINY_TOWNS)["monuments"] == [{"name": "Larkstone"}]
    again = f"{tiny_towns(member, 'Ann')}/seats/0"
    member.get(again)
    member.post(again, {"grid/0/0": "monument"})
    member.post(again, {"grid/0/0": "monument", "monument": "other_monument"})
    button = '["monument_name", "Larkstone"]'
    assert f"value='{button}'" in member.get(again)
    member.post(again, {"put": button})
    state = db.row("SELECT state FROM seats JOIN tables ON id = table_id WHERE key = ?", again.split("/")[-3])
    assert state and json.loads(state["state"])["monument_name"] == "Larkstone"


def test_what_is_in_the_box_can_be_renamed_and_removed(member: Device, viewer: Device, db: Database, club: int) -> None:
    cards = [{"name": "Apothecary"}, {"name": "Cobbler"}]
    cardboxes.take_in(db, club, TINY_TOWNS, {**TINY_TOWNS_BOX, "yellow": cards})
    page = member.get("/cards/tiny_towns")
    assert "Yellow cards" in page and "Cobbler" in page
    member.post("/cards/tiny_towns/rename", {"card": '["yellow", "Cobbler"]', "to": "Shoemaker"})
    assert [card["name"] for card in cardboxes.box_of(db, club, TINY_TOWNS)["yellow"]] == ["Apothecary", "Shoemaker"]
    refused = member.post("/cards/tiny_towns/rename", {"card": '["yellow", "Shoemaker"]', "to": "apothecary"})
    assert "The card box already has" in refused.get_data(as_text=True)
    for wrong in ('["yellow", "Nobody"]', '["castles", "x"]', "[", '["yellow"]'):
        assert member.post("/cards/tiny_towns/rename", {"card": wrong, "to": "x"}).status_code == 303
    member.post("/cards/tiny_towns/remove", {"card": '["yellow", "Shoemaker"]'})
    assert [card["name"] for card in cardboxes.box_of(db, club, TINY_TOWNS)["yellow"]] == ["Apothecary"]
    viewer.get("/club")
    assert viewer.post("/cards/tiny_towns/rename").status_code == 403


def test_a_card_of_another_game_keeps_all_else_when_renamed(member: Device, db: Database, club: int) -> None:
    cardboxes.take_in(db, club, TENBY, boxed(GULLS))
    member.get("/cards/tenby")
    member.post("/cards/tenby/rename", {"card": '["town_cards", "Gull house"]', "to": "House of gulls"})
    assert cards_of(db, club) == [{**GULLS, "name": "House of gulls"}]
