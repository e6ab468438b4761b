"""Who may come to a table, by which way, and how far guessing leads."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from scorer.contract import Game
from tests.conftest import GAMES
from tests.webapp.conftest import Device, Laid
from tests.webapp.test_cardboxes import GULLS
from webapp.database import Database
from webapp.table import cardboxes, phones, tables
from webapp.views import join


def test_whoever_has_the_link_sits_down_and_enters(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    assert laid.tap(stranger, 1, **{"grid/0/0": "cottage"}) == 200
    assert laid.cell(1) == "cottage"


def test_a_guest_enters_only_the_claimed_seat_and_learns_nothing_of_the_club(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    assert laid.tap(stranger, 0, **{"grid/0/0": "cottage"}) == 403
    for path in ("setup", "facts"):
        stranger.get(f"{laid.path}/{path}", 403)
    stranger.get(f"{laid.path}/seats")
    for action in ("open", "clear", "reveal", "save", "answers", "facts", "setup", "hand/1", "seats/0/free"):
        assert stranger.post(f"{laid.path}/{action}").status_code == 403, action
    for action in ("next", "beside", "name", "end", "door/ABC", "away/0000"):
        assert stranger.post(f"{laid.around}/{action}").status_code == 403, action
    stranger.get("/club", 404)
    stranger.get("/plays", 404)
    for path in (f"{laid.path}/seats", f"{laid.path}/seats/1", f"{laid.path}/result", "/"):
        assert "Thursday" not in stranger.get(path).replace("Thursday’s table", "")  # the club, not the day
    stranger.get(f"{laid.path}/seats")
    assert stranger.post(f"{laid.around}/take").status_code == 403


def test_a_link_looked_at_by_a_messenger_lets_nobody_in(laid: Laid, stranger: Device) -> None:
    for right in phones.RIGHTS:
        stranger.get(laid.link(right))
    stranger.get(f"{laid.path}/seats", 404)
    assert laid.table().phones == 1


def test_who_may_watch_may_not_enter(laid: Laid, stranger: Device) -> None:
    stranger.get(laid.link("watch"))
    stranger.post(laid.link("watch"), {"seat": "1"})
    assert "Ann" in stranger.get(f"{laid.path}/seats")
    stranger.get(laid.around)
    assert stranger.post(f"{laid.path}/seats/1/claim").status_code == 403
    assert laid.tap(stranger, 1, **{"grid/0/0": "cottage"}) == 403


def test_a_seat_is_claimed_once(laid: Laid, device: Callable[[str], Device]) -> None:
    first, second = device(""), device("")
    laid.seat(first, 1)
    second.get(laid.link())
    second.post(laid.link(), {"seat": "1"})
    assert laid.tap(second, 1, **{"grid/0/0": "cottage"}) == 403
    assert laid.tap(first, 1, **{"grid/0/0": "cottage"}) == 200
    laid.host.post(f"{laid.path}/seats/1/free")
    assert laid.tap(first, 1, **{"grid/0/0": "farm"}) == 403
    assert second.post(f"{laid.path}/seats/1/claim").location.endswith("/seats/1")
    assert laid.cell(1) == "cottage"


@pytest.mark.parametrize("typed", ["{code}", " {lower} ", "{half} {rest}"])
def test_the_code_knocks_and_the_host_lets_in(laid: Laid, stranger: Device, typed: str) -> None:
    code = laid.table().code or ""
    stranger.get("/join")
    stranger.post("/join", {"code": typed.format(code=code, lower=code.lower(), half=code[:3], rest=code[3:])})
    sign = re.search(r'class="code sign">(\w+)<', stranger.get("/join/waiting"))
    assert sign
    stranger.get(f"{laid.path}/seats", 404)
    assert sign.group(1) in laid.host.get(f"{laid.path}/seats")
    laid.host.post(f"{laid.around}/door/{sign.group(1)}", {"let": "in"})
    assert "I am Bob" in stranger.get("/join/waiting")


def test_a_wrong_code_looks_like_a_right_one(laid: Laid, device: Callable[[str], Device]) -> None:
    pages = []
    for code in (laid.table().code, "333333"):
        guest = device("")
        guest.get("/join")
        assert guest.post("/join", {"code": code}).location == "/join/waiting"
        page = guest.get("/join/waiting")
        pages.append(re.sub(r"[A-Z0-9]{6}\b|sign\">\w+", "", page))
    assert pages[0] == pages[1]


def test_a_phone_sent_away_stays_outside(laid: Laid, stranger: Device) -> None:
    stranger.get("/join")
    stranger.post("/join", {"code": laid.table().code})
    (waiting,) = phones.at_the_door(laid.db, laid.room)
    laid.host.get(f"{laid.path}/seats")
    laid.host.post(f"{laid.around}/door/{waiting['sign']}")
    stranger.get(f"{laid.path}/seats", 404)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_guest_can_enter_every_game_without_a_look_into_the_clubs_card_box(
    member: Device, stranger: Device, db: Database, club: int, game: Game
) -> None:
    if game.cardbox is not None:
        cardboxes.describe(db, club, game, "town_cards", GULLS)
    key = tables.lay(db, club, game, {}, ["Ann", "Bob"])
    member.get(f"/tables/{key}/seats")
    member.post(f"/tables/{key}/open")
    laid = Laid(member, db, f"/tables/{key}")
    laid.seat(stranger, 1)
    assert "Gull house" not in stranger.get(f"{laid.path}/seats/1")
    for button in ({"pick": "Gull house"}, {"keep": json.dumps(["town_cards", "streets/0/0"])}, {"open": "streets/0"}):
        assert laid.tap(stranger, 1, **button) == 200
        assert "Gull house" not in stranger.get(f"{laid.path}/seats/1")


# -- guessing (docs/live.md tells the same arithmetic in words) ---

TABLES, YEAR_S = 1000, 365 * 24 * 3600


def test_a_year_of_guessing_succeeds_less_than_once_in_a_million() -> None:
    links = (join.by_link.attempts / join.by_link.seconds) * YEAR_S * TABLES * len(phones.RIGHTS) / 2**128
    assert links < 1e-6
    tries = (join.CODES_PER_ADDRESS / join.CODE_SECONDS) * YEAR_S
    codes = len(phones.ALPHABET) ** phones.CODE_LENGTH
    assert codes == 64_000_000
    # A code that is hit by chance is only a knock at somebody's door, and that is rare as well.
    assert tries * TABLES / codes < 3
    assert len(set(phones.ALPHABET)) == len(phones.ALPHABET)
    assert not set("0OQ1IL2Z5SG8BUEA") & set(phones.ALPHABET)


def test_the_right_code_alone_gives_no_right(laid: Laid, stranger: Device) -> None:
    """So the chance to get in by guessing codes is that of being let in, whatever the rate."""
    stranger.get("/join")
    stranger.post("/join", {"code": laid.table().code})
    for path in ("seats", "seats/1", "result", "events"):
        stranger.get(f"{laid.path}/{path}", 404)
    assert "Ann" not in stranger.get(f"/tables/{laid.table().code}/tv")


def test_an_address_tries_only_so_many_codes(stranger: Device) -> None:
    stranger.get("/join")
    answers = [stranger.post("/join", {"code": f"{n:06}"}).status_code for n in range(join.CODES_PER_ADDRESS + 1)]
    assert answers == [303] * join.CODES_PER_ADDRESS + [429]


def test_a_code_is_tried_only_so_often_from_anywhere(stranger: Device) -> None:
    stranger.get("/join")
    answers = [
        stranger.post("/join", {"code": "333333"}, environ_base={"REMOTE_ADDR": f"10.0.0.{n}"}).status_code
        for n in range(join.CODES_PER_CODE + 1)
    ]
    assert answers == [303] * join.CODES_PER_CODE + [429]


def test_a_house_with_many_new_addresses_counts_as_one(stranger: Device) -> None:
    stranger.get("/join")
    for n in range(join.CODES_PER_ADDRESS + 1):
        answer = stranger.post("/join", {"code": f"{n:06}"}, environ_base={"REMOTE_ADDR": f"2001:db8::{n:x}"})
    assert answer.status_code == 429


# -- the television ---


def test_the_television_knocks_and_then_shows_the_table(laid: Laid, stranger: Device) -> None:
    path = f"/tables/{laid.table().code}/tv"
    assert "Ann" not in stranger.get(path)
    stranger.post("/join", {"code": laid.table().code, "tv": "1"})
    (waiting,) = phones.at_the_door(laid.db, laid.room)
    laid.host.get(f"{laid.path}/seats")
    laid.host.post(f"{laid.around}/door/{waiting['sign']}", {"let": "in"})
    assert "Ann" in stranger.get("/join/waiting")
    assert laid.link() not in stranger.page  # who watches is not given the link to enter
    laid.enter_all()
    assert "podium" not in stranger.get(path)
    laid.host.post(f"{laid.path}/reveal")
    assert "data-stage" in stranger.get(path)
    stranger.get("/tables/333333/tv")
    assert "Ann" not in stranger.page


def test_viewers_of_the_club_only_watch(laid: Laid, viewer: Device) -> None:
    viewer.get(f"{laid.path}/seats")
    viewer.get(laid.around)
    assert viewer.post(f"{laid.path}/seats/1/claim").status_code == 403
    viewer.get(f"{laid.path}/seats/1", 403)
