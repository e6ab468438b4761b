"""From an empty table to a saved game, by plain requests."""

from __future__ import annotations

import html
import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from scorer.contract import ChoiceInput, Game, Section
from scorer.core import score
from tests.conftest import EXAMPLES, GAMES, Example
from tests.scorer.tenby_tables import counted
from tests.webapp.conftest import Device, lay_towns
from webapp.database import Database
from webapp.history import listing, saved_plays
from webapp.history import plays as history
from webapp.table import forms, seats, tables

pytestmark = pytest.mark.either

PAGES = ["setup", "seats/0", "result"]


def lay(device: Device, db: Database, club: int, example: Example) -> str:
    """The example's table, with everything on it entered and counted; its address."""
    record = counted(example.record) if example.game.id == "tenby" else example.record
    names = [player["name"] for player in record["players"]]
    key = tables.add(db, club, example.game, record.get("table", {}), names)
    table = tables.find(db, key)
    assert table is not None
    for seat, player in zip(table.seats, record["players"], strict=True):
        state = {field: value for field, value in player.items() if field != "name"}
        seats.keep(db, table, seat.number, state)
    device.get("/club")
    return f"/tables/{key}"


def one_of_each() -> list[Example]:
    return [next(e for e in EXAMPLES if e.game is game and score(e.record)["needs"] == []) for game in GAMES]


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_every_page_of_every_game_opens_and_the_result_is_the_scorers(
    owner: Device, db: Database, club: int, example: Example
) -> None:
    address = lay(owner, db, club, example)
    seats = [f"seats/{number}" for number in range(len(example.record["players"]))]
    for page in {*PAGES, *seats, "facts"}:
        owner.get(f"{address}/{page}")
    page = owner.get(f"{address}/result?checked=1")
    for player in score(example.record)["players"]:
        total = str(player["total"]).replace("-", "\N{MINUS SIGN}")
        assert f": {total}</h2>" in page


@pytest.mark.parametrize("example", one_of_each(), ids=str)
def test_a_game_is_saved_once_however_often_it_is_asked_for(
    owner: Device, db: Database, club: int, example: Example
) -> None:
    address = lay(owner, db, club, example)
    first = owner.post(f"{address}/save")
    second = owner.post(f"{address}/save")
    assert first.location == second.location and first.location.startswith("/plays/")
    [play] = listing.recent(db, club)
    saved = saved_plays.find(db, play.key)
    assert saved is not None
    assert saved.result == json.loads(json.dumps(score(saved.record)))
    assert [p["total"] for p in saved.result["players"]] == [p["total"] for p in score(example.record)["players"]]
    owner.get(first.location)
    assert first.location in owner.get(f"{address}/result")


def test_two_phones_that_save_at_once_save_once(owner: Device, member: Device, db: Database, club: int) -> None:
    address = lay(owner, db, club, one_of_each()[0])
    member.get("/club")
    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(lambda device: device.post(f"{address}/save"), [owner, member]))
    assert len(listing.recent(db, club)) == 1
    assert all(answer.status_code in {303, 404} for answer in answers)


def saved_game(owner: Device, db: Database, club: int) -> str:
    address = lay(owner, db, club, one_of_each()[0])
    location = owner.post(f"{address}/save").location
    owner.get(location)
    return str(location)


def test_a_correction_keeps_the_old_version(owner: Device, db: Database, club: int) -> None:
    play = saved_game(owner, db, club)
    table = owner.post(f"{play}/edit").location.removesuffix("/seats/0")
    owner.get(f"{table}/seats/0")
    owner.post(f"{table}/seats/0", {"put": json.dumps(["typed", {"total": 9}])})
    assert owner.post(f"{table}/save").location == play
    after = saved_plays.find(db, play.split("/")[-1])
    assert after is not None and after.version == 2
    assert after.result["players"][0]["total"] == 9
    assert "Version 1" in owner.get(play)
    assert owner.get(f"{play}/versions/1")
    owner.get(f"{play}/versions/2", 404)
    assert len(listing.recent(db, club)) == 1


def test_a_deleted_game_can_be_put_back(owner: Device, viewer: Device, db: Database, club: int) -> None:
    play = saved_game(owner, db, club)
    owner.post(f"{play}/delete")
    assert listing.recent(db, club) == []
    assert "Restore game" in owner.get(play)
    viewer.get("/club")
    assert viewer.post(f"{play}/restore").status_code == 403
    owner.post(f"{play}/restore")
    assert len(listing.recent(db, club)) == 1


def test_what_was_deleted_long_ago_is_purged(owner: Device, db: Database, club: int) -> None:
    play = saved_game(owner, db, club)
    owner.post(f"{play}/delete")
    history.purge(db)
    owner.get(play)
    with db.atomic():
        db.execute("UPDATE all_plays SET deleted_at = '2020-01-01T00:00:00Z'")
    history.purge(db)
    owner.get(play, 404)


def test_playing_again_seats_the_same_people(owner: Device, db: Database, club: int) -> None:
    play = saved_game(owner, db, club)
    before = saved_plays.find(db, play.split("/")[-1])
    assert before is not None
    table = tables.find(db, owner.post(f"{play}/again").location.split("/")[2])
    assert table is not None
    assert [seat.name for seat in table.seats] == [player["name"] for player in before.record["players"]]
    assert [seat.state for seat in table.seats] == [None] * len(table.seats)


def test_an_unfinished_table_cannot_be_saved(owner: Device, db: Database, club: int) -> None:
    key = tables.add(db, club, GAMES[0], {}, ["Ann", "Bob"])
    owner.get("/club")
    assert owner.post(f"/tables/{key}/save").location.endswith("/result")
    assert listing.recent(db, club) == []


def test_home_lists_every_game_that_somebody_has_begun(owner: Device) -> None:
    begun = [lay_towns(owner) for _ in range(7)]
    for path in begun:
        owner.get(f"{path}/seats/1")
        owner.post(f"{path}/seats/1", {"grid/0/0": "cottage"})
    for _ in range(6):  # laid and left again
        lay_towns(owner)
    home = owner.get("/")
    assert re.findall(r'href="(/tables/[^"]+)/boards"', home) == begun[::-1]
    assert "Tiny Towns: Ann" in owner.get(f"{begun[0]}/boards")


def test_notes_for_the_whole_table_are_a_game_begun(owner: Device, db: Database, club: int) -> None:
    bridge = next(game for game in GAMES if game.id == "old_london_bridge")
    key = tables.add(db, club, bridge, forms.defaults(bridge.inputs), ["Ann", "Bob"])
    assert "Unfinished games" not in owner.get("/")
    table = tables.find(db, key)
    assert table is not None
    tables.keep_setup(db, table, {**table.setup, "chapel_order": ["Bob", "Ann"]})
    assert f'href="/tables/{key}/boards"' in owner.get("/")


def test_players_sit_move_and_leave(owner: Device, db: Database) -> None:
    owner.get("/")
    address = owner.post("/tables", {"game": GAMES[0].id}).location
    for name in ("Ann", "Bob", "Cid"):
        owner.post(address, {"new": name})
    owner.post(address, {"up": "2"})
    owner.post(address, {"remove": "0"})
    assert names(db, address) == ["Cid", "Bob"]
    owner.post(address, {"order": "1,0"})
    assert names(db, address) == ["Bob", "Cid"]
    owner.post(address, {"order": "0,0"})
    owner.post(address, {"up": "9", "down": "x", "remove": "-1"})
    assert names(db, address) == ["Bob", "Cid"]


def names(db: Database, address: str) -> list[str]:
    table = tables.find(db, address.split("/")[2])
    assert table is not None
    return [seat.name for seat in table.seats]


@pytest.mark.parametrize(
    ("name", "words"), [("Ann", "the same name"), ("x" * 41, "1 to 40"), ("a\x00b", "1 to 40"), ("a\nb", "1 to 40")]
)
def test_a_name_that_cannot_sit_down_is_told_why(owner: Device, db: Database, name: str, words: str) -> None:
    owner.get("/")
    address = owner.post("/tables", {"game": GAMES[0].id}).location
    owner.post(address, {"new": "Ann"})
    answer = owner.post(address, {"new": name})
    assert words in answer.get_data(as_text=True)
    assert names(db, address) == ["Ann"]


def test_a_table_is_full_when_the_game_is(owner: Device, db: Database) -> None:
    owner.get("/")
    address = owner.post("/tables", {"game": GAMES[0].id}).location
    most = GAMES[0].players[-1]
    for number in range(most):
        owner.post(address, {"new": f"P{number}"})
    assert f"at most {most} players" in owner.post(address, {"new": "One more"}).get_data(as_text=True)
    assert len(names(db, address)) == most


def test_boards_move_with_their_players(owner: Device, db: Database, club: int) -> None:
    address = lay(owner, db, club, one_of_each()[0])
    before = tables.find(db, address.split("/")[-1])
    owner.post(f"{address}/setup", {"down": "0"})
    after = tables.find(db, address.split("/")[-1])
    assert before is not None and after is not None
    assert {s.name: s.state for s in after.seats} == {s.name: s.state for s in before.seats}
    assert after.seats[0].name == before.seats[1].name


@pytest.mark.parametrize(
    ("game", "tap", "told"),
    [("copenhagen", '["first", ["Ann"]]', "Cards to start with"), ("tenby", '["rounds", 1]', "Round 2 of 10")],
)
def test_a_companion_goes_on_with_a_tap_and_back(owner: Device, game: str, tap: str, told: str) -> None:
    owner.get("/")
    where = owner.post("/tables", {"game": game}).location.removesuffix("/setup")
    for name in ("Ann", "Bob"):
        owner.post(f"{where}/setup", {"add": name})
    page = owner.get(f"{where}/companion")
    offered = [json.loads(html.unescape(value)) for value in re.findall(r"name=\"put\" value='([^']+)'", page)]
    assert told not in page and json.loads(tap) in offered
    owner.post(f"{where}/companion", {"put": tap})
    page = owner.get(f"{where}/companion")
    assert told in page
    [path] = re.findall(r'name="drop" value="([^"]+)"', page)
    owner.post(f"{where}/companion", {"drop": path})
    assert told not in owner.get(f"{where}/companion")


def test_expert_tiles_are_not_chosen_for_the_next_table(owner: Device, db: Database, club: int) -> None:
    tables.remember(db, club, "old_london_bridge", {"scoring": {"inn": "most_inns"}, "empty_costs": {"2": 3}})  # as 0.7
    owner.get("/")
    laid = tables.find(db, owner.post("/tables", {"game": "old_london_bridge"}).location.split("/")[2])
    assert laid is not None and laid.setup == {"empty_costs": {"2": 3}}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_last_choices_are_remembered(owner: Device, db: Database, club: int, game: Any) -> None:
    choice = next(
        (
            i
            for i in game.inputs
            if i.section is Section.SETUP and isinstance(i, ChoiceInput) and len(i.choices) > 1 and not i.this_game_only
        ),
        None,
    )
    if choice is None:
        pytest.fail(f"{game.id} has nothing to choose") if game.id == "tiny_towns" else None
        return
    owner.get("/")
    address = owner.post("/tables", {"game": game.id}).location
    owner.post(address, {choice.name: choice.choices[1].value})
    again = tables.find(db, owner.post("/tables", {"game": game.id}).location.split("/")[2])
    assert again is not None and choice.choices[1].value in json.dumps(again.setup)
    assert tables.recall(db, club, game.id) == again.setup


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_strange_posts_never_break_a_page(owner: Device, db: Database, club: int, game: Any) -> None:
    key = tables.add(db, club, game, {}, ["Ann", "Bob"])
    owner.get("/club")
    strange = [
        {"put": json.dumps(["grid", "x" * 1000]), "drop": "grid/0/0/0"},
        {"put": json.dumps(["typed", [1, 2]])},
        {"put": json.dumps(["name", {"a": 1}])},
        {"put": json.dumps(["streets/-", None]), "go": "nowhere"},
        {"put": json.dumps(["a/b/c", [[[[]]]]])},
        {"put": "[" * 10_000, "go": "99"},
        {"put": json.dumps(["cards", 7])},
        {"put": json.dumps(["bridge", ["C99", None, {}]])},
        {"put": json.dumps(["rows", [".", 5, "SPLF" * 50]])},
    ]
    for number, fields in enumerate(strange):
        for room in (f"seats/{number % 2}", "facts", "setup"):
            assert owner.post(f"/tables/{key}/{room}", fields).status_code in {200, 303}
            for page in ("seats/0", "seats/1", "facts", "setup", "result"):
                owner.get(f"/tables/{key}/{page}")


def test_a_seat_nobody_sits_on_is_not_there(owner: Device, db: Database, club: int) -> None:
    key = tables.add(db, club, GAMES[0], {}, ["Ann"])
    owner.get(f"/tables/{key}/seats/1", 404)
    owner.get("/club")
    assert owner.post(f"/tables/{key}/seats/7", {}).status_code == 404


def test_an_unknown_game_is_not_laid(owner: Device) -> None:
    owner.get("/")
    assert owner.post("/tables", {"game": "chess"}).status_code == 404


def test_a_cleared_table_is_gone(owner: Device, db: Database, club: int) -> None:
    key = tables.add(db, club, GAMES[0], {}, ["Ann"])
    owner.get("/club")
    owner.post(f"/tables/{key}/clear")
    owner.get(f"/tables/{key}/setup", 404)


def test_a_table_left_alone_for_a_month_is_cleared(db: Database, club: int) -> None:
    old, fresh = (tables.add(db, club, GAMES[0], {}, ["Ann"]) for _ in range(2))
    with db.atomic():
        db.execute("UPDATE tables SET updated_at = '2020-01-01T00:00:00Z' WHERE key = ?", [old])
    tables.clear_forgotten(db)
    assert tables.find(db, old) is None and tables.find(db, fresh) is not None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_one_tap_and_one_number_are_enough(owner: Device, db: Database, game: Game) -> None:
    owner.get("/")
    address = owner.post("/tables", {"game": game.id}).location.removesuffix("/setup")
    for name in ("Ann", "Bob"):
        owner.post(f"{address}/setup", {"new": name})
    page = owner.get(f"{address}/seats/0")
    assert """name="put" value='["typed", {}]'""" in page
    owner.post(f"{address}/seats/0", {"put": '["typed", {}]'})
    page = owner.get(f"{address}/seats/0")
    fields = re.findall(r'name="typed/(\w+)"', page)
    assert fields[0] == "total" and len(fields) > 1 and "Only the total" in page
    owner.post(f"{address}/seats/0", {"typed/total": "34"})
    page = owner.get(f"{address}/seats/0")
    assert re.findall(r'name="typed/(\w+)"', page) == ["total"]
    assert "depend on other players" not in page, "a typed total is final"
    assert re.search(r"<output[^>]*>34</output>", page)
    owner.post(f"{address}/seats/0", {"typed/total": "", f"typed/{fields[1]}": "4"})
    owner.post(f"{address}/seats/0", {f"typed/{fields[1]}": "4"})
    fields = re.findall(r'name="typed/(\w+)"', owner.get(f"{address}/seats/0"))
    assert "total" not in fields and len(fields) > 1


def test_of_two_versions_each_shows_how_tall_its_tower_is(member: Device) -> None:
    member.get("/")
    where = member.post("/tables", {"game": "tiny_towns"}).headers["Location"].removesuffix("/setup")
    member.get(f"{where}/setup")
    member.post(f"{where}/setup", {"new": "Ann", "expansions": "villagers"})
    member.post(
        f"{where}/setup", {"expansions": "villagers", "cards/grey": "folly_tower", "cards/yellow": "blacksmith"}
    )
    seat = f"{where}/seats/0"
    member.get(seat)
    town = {"grid/0/0": "folly_tower", "grid/0/1": "blacksmith"}
    member.post(seat, town)
    member.post(seat, {**town, "folly_tower_height": "4", "blacksmith_cubes/B1": ["1", "0"]})
    member.post(seat, {**town, "folly_tower_height": "7", "blacksmith_cubes/B1": "0", "version": "1"})
    page = member.get(seat)
    assert "which one is right?" in page
    assert re.findall(r'<span class="carried">([^<]+)</span>', page) == [
        "4",
        "■",
        "7",
        "■",
    ]
    member.post(f"{seat}/settle", {"keep": "mine", "version": re.findall(r'name="version" value="(\d+)"', page)[0]})
    page = member.get(seat)
    assert re.search(r'id="folly_tower_height"[^>]*value="7"', page)
    assert re.search(r'id="blacksmith_cubes/B1"', page)
    assert re.search(r'id="blacksmith_cubes/B1"[^>]*checked', page)
