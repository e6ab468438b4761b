"""A room for the whole evening: from game to game, several tables, who finds back, and when it ends."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from scorer import games
from tests.webapp.conftest import Device, Laid, lay_towns
from webapp.database import Database, ago
from webapp.table import phones, rooms, tables

Phones = Callable[[str], Device]


def play_to_the_end(laid: Laid) -> None:
    laid.enter_all()
    laid.host.post(f"{laid.path}/reveal")
    laid.host.get(f"{laid.path}/result")
    assert laid.host.post(f"{laid.path}/save").location == laid.around


def next_game(laid: Laid, game: str = "tiny_towns", after: str | None = None) -> Laid:
    """The host goes on; the next table."""
    key = laid.path.removeprefix("/tables/") if after is None else after
    answer = laid.host.post(f"{laid.around}/next", {"game": game, "after": key})
    assert answer.location.endswith("/setup")
    return Laid(laid.host, laid.db, answer.location.removesuffix("/setup"))


def news(device: Device, path: str) -> dict[str, object]:
    answer = device.client.get(f"{path}/events")
    assert answer.status_code == 200
    found: dict[str, object] = json.loads(answer.data)
    return found


def test_the_next_game_takes_everybody_along_to_the_same_seats(laid: Laid, device: Phones) -> None:
    bob, cid = device(""), device("")
    laid.seat(bob, 1)
    laid.seat(cid, 2)
    link, code, around = laid.link(), laid.room.code, laid.around
    play_to_the_end(laid)
    assert not news(bob, laid.path)["next"]
    second = next_game(laid)
    assert (second.link(), second.room.code, second.around) == (link, code, around)
    assert news(bob, laid.path)["next"]
    assert [seat.name for seat in second.table().seats] == ["Ann", "Bob", "Cid"]
    assert bob.client.get(f"{around}/here").location == f"{second.path}/seats/1"
    assert second.tap(bob, 1, **{"grid/0/0": "farm"}) == 200
    assert second.tap(cid, 1, **{"grid/0/0": "well"}) == 403
    assert second.cell(1) == "farm" and laid.cell(1) == "cottage"
    assert "Tiny Towns" in cid.get(f"{laid.path}/result")  # the game before can still be looked at


def test_every_card_of_a_game_has_its_drawing(laid: Laid, stranger: Device) -> None:
    play_to_the_end(laid)
    for page in (laid.host.get(laid.around), laid.host.get("/"), stranger.get("/")):
        cards = re.findall(r'<(button|li)[^>]* class="game">(.*?)</\1>', page, re.DOTALL)
        assert len(cards) == len(games.names())
        assert all('<svg class="scene"' in card for _, card in cards)


def test_going_on_twice_goes_on_once(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    play_to_the_end(laid)
    next_game(laid)
    again = laid.host.post(f"{laid.around}/next", {"game": "tenby", "after": laid.path.removeprefix("/tables/")})
    assert again.location == f"{laid.around}/here"
    assert len(tables.keys_in(laid.db, laid.room)) == 1


def test_another_game_is_chosen_and_everybody_goes_along(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    other = next_game(laid, "pier_18")
    assert other.table().game.id == "pier_18"
    assert [seat.name for seat in other.table().seats] == ["Ann", "Bob", "Cid"]
    assert stranger.client.get(f"{laid.path}/seats").location == f"{laid.around}/here"  # nobody had begun there
    assert laid.path not in laid.host.get("/")


def test_what_was_entered_before_another_game_was_chosen_is_kept(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.tap(stranger, 1, **{"grid/0/0": "cottage"})
    other = next_game(laid, "copenhagen")
    assert laid.cell(1) == "cottage"
    assert f"{laid.path}/seats/1" in stranger.get(other.around)
    assert laid.tap(stranger, 1, **{"grid/0/0": "farm"}) == 200


def test_more_people_than_the_next_game_has_seats_for_still_come_along(laid: Laid, device: Phones) -> None:
    for name in ("Dee", "Eve"):
        laid.host.get(f"{laid.path}/setup")
        laid.host.post(f"{laid.path}/setup", {"add": name})
    eve = device("")
    laid.seat(eve, 4)
    other = next_game(laid, "pier_18")
    assert len(other.table().seats) == 3
    assert eve.client.get(f"{laid.around}/here").location == f"{other.path}/seats"


def test_a_late_comer_gets_a_seat_in_the_next_game(laid: Laid, device: Phones) -> None:
    bob, dee = device(""), device("")
    laid.seat(bob, 1)
    dee.get(laid.link())
    dee.post(laid.link())
    dee.get(laid.around)
    dee.post(f"{laid.around}/me", {"name": "Dee"})
    assert "Dee" in bob.get(laid.around)
    second = next_game(laid)
    assert [seat.name for seat in second.table().seats] == ["Ann", "Bob", "Cid", "Dee"]
    assert second.tap(dee, 3, **{"grid/0/0": "farm"}) == 200


@pytest.mark.parametrize("name", ["", "\u202eDee", "x" * 41])
def test_a_name_that_cannot_be_one_gets_no_seat(laid: Laid, stranger: Device, name: str) -> None:
    stranger.get(laid.link())
    stranger.post(laid.link())
    stranger.get(laid.around)
    stranger.post(f"{laid.around}/me", {"name": name})
    assert len(next_game(laid).table().seats) == 3


def test_a_late_comer_sits_down_at_the_game_that_has_begun(laid: Laid, stranger: Device) -> None:
    laid.tap(laid.host, 2, **{"grid/0/0": "cottage"})
    laid.seat(stranger, 2)
    assert laid.tap(stranger, 2, **{"grid/0/1": "farm"}) == 200 and laid.cell(2) == "cottage"


# -- two tables side by side ---


@pytest.fixture
def beside(laid: Laid, device: Phones) -> tuple[Laid, Device, Device]:
    """A second table in the room, and a phone at each."""
    bob, dee = device(""), device("")
    laid.seat(bob, 1)
    answer = laid.host.post(f"{laid.around}/beside", {"game": "tiny_towns"})
    other = Laid(laid.host, laid.db, answer.location.removesuffix("/setup"))
    laid.host.get(f"{other.path}/setup")
    for name in ("Dee", "Eve", "Fay"):
        laid.host.post(f"{other.path}/setup", {"add": name})
    dee.get(laid.link())
    dee.post(laid.link(), {"seat": f"0@{other.path.removeprefix('/tables/')}"})
    assert other.tap(dee, 0, **{"grid/0/0": "cottage"}) == 200
    return other, bob, dee


def test_who_is_at_another_table_sees_nothing_of_what_is_revealed(
    laid: Laid, beside: tuple[Laid, Device, Device]
) -> None:
    other, bob, dee = beside
    laid.enter_all()
    heard = news(dee, other.path), news(dee, laid.around)
    laid.host.get(f"{laid.path}/result")
    laid.host.post(f"{laid.path}/reveal")
    assert "data-stage" in bob.get(f"{laid.path}/result")
    page = dee.get(f"{laid.path}/result")
    assert "podium" not in page and "data-stage" not in page
    dee.get(f"{laid.path}/result/wide.png", 404)
    assert news(dee, other.path) == heard[0]
    assert {**news(dee, laid.around), "version": 0} == {**heard[1], "version": 0}
    laid.host.get(f"{laid.path}/result")
    laid.host.post(f"{laid.path}/save")
    assert "Bob" in dee.get(laid.around)  # tonight's results are for the whole room


def test_the_next_game_takes_only_the_phones_of_its_own_table(laid: Laid, beside: tuple[Laid, Device, Device]) -> None:
    other, bob, dee = beside
    play_to_the_end(laid)
    second = next_game(laid)
    assert bob.client.get(f"{laid.around}/here").location == f"{second.path}/seats/1"
    assert dee.client.get(f"{laid.around}/here").location == f"{other.path}/seats/0"


def test_a_table_of_another_room_is_not_gone_on_from(laid: Laid, owner: Device) -> None:
    path = lay_towns(owner)
    owner.post(f"{path}/open")
    key = path.removeprefix("/tables/")
    next_game(laid, after=key)
    table = tables.find(laid.db, key)
    assert table is not None and table.next_id is None and table.saved_at is None


# -- between games ---


def test_tonights_games_and_the_tally_are_shown_between_games(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    play_to_the_end(laid)
    page = stranger.get(laid.around)
    assert "Tonight’s first game" in page and "/plays/" not in page and "Tonight so far" not in page
    second = next_game(laid)
    play_to_the_end(second)
    page = stranger.get(laid.around)
    assert page.index("Tonight so far") < page.index("Tonight’s games")
    assert "/plays/" in laid.host.get(laid.around)


def test_a_game_that_is_deleted_counts_no_more(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    play_to_the_end(laid)
    [key] = [row["key"] for row in laid.db.query("SELECT key FROM plays")]
    laid.host.get(f"/plays/{key}")
    laid.host.post(f"/plays/{key}/delete")
    assert "Tonight’s first game" not in stranger.get(laid.around)


# -- finding back, and the end ---


def test_a_phone_that_closed_its_tab_finds_back(laid: Laid, device: Phones) -> None:
    bob, passer_by = device(""), device("")
    laid.seat(bob, 1)
    assert "’s table" in bob.get("/") and f"{laid.around}/here" in bob.page
    assert f"{laid.path}/seats/1" in bob.client.get(f"{laid.around}/here").location
    assert "/rooms/" not in passer_by.get("/")
    passer_by.get(f"{laid.around}/here", 404)
    laid.host.get(laid.around)
    laid.host.post(f"{laid.around}/name", {"name": "Beach hut"})
    assert "Back to Beach hut" in bob.get("/")
    laid.host.post(f"{laid.around}/end")
    assert "/rooms/" not in bob.get("/")


def test_a_screen_takes_its_place_back_without_a_code(laid: Laid, stranger: Device) -> None:
    assert 'name="tv"' in stranger.get("/tv")
    stranger.post("/join", {"code": laid.room.code, "tv": "1"})
    [waiting] = phones.at_the_door(laid.db, laid.room)
    laid.host.get(laid.around)
    laid.host.post(f"{laid.around}/door/{waiting['sign']}", {"let": "in"})
    assert stranger.client.get("/tv").location == f"/tables/{laid.room.code}/tv"
    assert "Ann" in stranger.get("/tv")
    play_to_the_end(laid)
    assert "Tonight’s first game" in stranger.get("/tv")
    next_game(laid)
    assert "Tonight’s first game" not in stranger.get("/tv") and "Ann" in stranger.page


def left_alone(db: Database, hours: int) -> None:
    with db.atomic():
        db.execute("UPDATE rooms SET tapped_at = ?", [ago(hours / 24)])


@pytest.mark.parametrize(("hours", "over"), [(11, False), (13, True)])
def test_a_room_ends_twelve_hours_after_its_last_tap(laid: Laid, stranger: Device, hours: int, over: bool) -> None:
    laid.seat(stranger, 1)
    laid.tap(stranger, 1, **{"grid/0/0": "cottage"})
    link = laid.link()
    left_alone(laid.db, hours)
    stranger.get(f"{laid.path}/seats", 404 if over else 200)
    stranger.get(link, 404 if over else 200)
    assert ("/rooms/" in stranger.get("/")) is not over
    assert (laid.table().room is None) is over
    assert laid.cell(1) == "cottage"
    laid.host.get(f"{laid.path}/seats/1")


def test_rooms_left_alone_are_swept_and_what_was_entered_stays(laid: Laid) -> None:
    laid.tap(laid.host, 1, **{"grid/0/0": "cottage"})
    left_alone(laid.db, 13)
    rooms.end_those_left_alone(laid.db)
    assert laid.db.row("SELECT 1 FROM rooms") is None and laid.db.row("SELECT 1 FROM phones") is None
    assert laid.cell(1) == "cottage"


def test_a_tap_keeps_the_room(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    left_alone(laid.db, 11)
    laid.tap(stranger, 1, **{"grid/0/0": "cottage"})
    row = laid.db.row("SELECT tapped_at FROM rooms")
    assert row is not None and row["tapped_at"] == laid.table().updated_at


def test_the_host_sends_a_phone_away_with_one_tap(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    page = laid.host.get(laid.around)
    [action] = {part.split('"')[0] for part in page.split('action="')[1:] if "/away/" in part.split('"')[0]}
    laid.host.post(action)
    stranger.get(f"{laid.path}/seats", 404)
    assert laid.table().seats[1].holder is None
