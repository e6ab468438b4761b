"""Nobody waits for one phone: a host who is gone, a seat left unfinished, a second device, and a door with a PIN."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.webapp.conftest import Device, Laid
from webapp.database import ago
from webapp.table import phones, presence, rooms
from webapp.views import join

Phones = Callable[[str], Device]


def news(device: Device, path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(device.client.get(f"{path}/events").data)
    return found


# -- the host is gone ---


class Time:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(app: Flask) -> Time:
    clock = Time()
    app.extensions["presence"] = presence.Presence(clock)
    return clock


def test_everybody_is_told_when_the_host_is_gone_and_when_it_is_back(laid: Laid, stranger: Device, time: Time) -> None:
    laid.seat(stranger, 1)
    laid.host.get(laid.around)
    time.now += presence.GONE_S - 1
    assert news(stranger, laid.path)["away"] is False
    time.now += 1
    assert news(stranger, laid.path)["away"] is True
    laid.host.get(laid.around)
    assert news(stranger, laid.path)["away"] is False


def test_any_phone_that_enters_can_become_the_host_once_the_hosts_is_gone_for_two_minutes(
    laid: Laid, stranger: Device, time: Time
) -> None:
    laid.seat(stranger, 1)

    def is_told() -> bool:
        board = stranger.get(f"{laid.path}/seats/1")
        assert "Take over as host" in board
        return "data-away hidden" not in board

    stranger.get(laid.around)
    assert stranger.post(f"{laid.around}/take").status_code == 403  # the host is there
    assert not is_told()
    time.now += presence.GONE_S
    assert news(stranger, laid.path)["away"] is True and is_told()
    assert "Become the host" in stranger.get(laid.around)
    assert stranger.post(f"{laid.around}/take").status_code == 303
    stranger.get(f"{laid.path}/setup")
    laid.host.get(f"{laid.path}/setup", 403)
    assert news(stranger, laid.path)["away"] is False


def test_a_guest_who_took_over_brings_the_game_to_its_end(laid: Laid, stranger: Device, time: Time) -> None:
    laid.enter_all()
    laid.seat(stranger, 1)
    time.now += presence.GONE_S
    stranger.get(laid.around)
    stranger.post(f"{laid.around}/take")
    stranger.get(f"{laid.path}/result")
    stranger.post(f"{laid.path}/reveal")
    assert "Cid" in stranger.get(f"{laid.path}/result")
    stranger.post(f"{laid.path}/save", {"shared": "1"})
    assert laid.table().saved_at is not None


def test_who_only_watches_never_hosts(laid: Laid, stranger: Device, time: Time) -> None:
    stranger.get(laid.link("watch"))
    stranger.post(laid.link("watch"))
    laid.host.get(laid.around)
    time.now += 500
    stranger.get(laid.around)
    assert stranger.post(f"{laid.around}/take").status_code == 403
    assert "Take over as host" not in stranger.get(f"{laid.path}/result")


# -- a seat that was left ---


def test_a_seat_left_unfinished_is_shown_and_finished_by_another_phone(laid: Laid, device: Phones) -> None:
    bob, cid = device(""), device("")
    laid.seat(bob, 1)
    laid.seat(cid, 2)
    laid.tap(bob, 1, **{"grid/0/0": "cottage"})
    bob.get(laid.around)
    bob.post(f"{laid.around}/leave")
    assert news(cid, laid.path)["seats"][1]["is"] == "left"
    assert "Finish for Bob" in cid.get(f"{laid.path}/seats")
    cid.post(f"{laid.path}/seats/1/claim")
    assert news(cid, laid.path)["seats"][1]["is"] == "begun"
    assert laid.tap(cid, 1, **{"grid/0/0": "cottage", "grid/0/1": "farm"}) == 200
    assert laid.tap(cid, 2, **{"grid/0/0": "well"}) == 200  # and its own as before


def test_a_seat_that_is_done_or_was_not_begun_is_not_left_unfinished(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.host.get(f"{laid.path}/seats")
    laid.host.post(f"{laid.path}/seats/1/free")
    assert news(laid.host, laid.path)["seats"][1]["is"] == "free"
    laid.tap(laid.host, 0, **{"grid/0/0": "cottage"})
    assert news(laid.host, laid.path)["seats"][0]["is"] == "begun"  # the host enters it, on no seat of its own


# -- a second device ---


def code_of(page: str) -> str:
    found = re.search(r'class="code">(\w{4}) (\w{4}) (\w{4})<', page)
    assert found
    return "".join(found.groups())


def test_a_second_device_takes_over_the_seat_by_the_code_of_the_first(laid: Laid, device: Phones) -> None:
    bob, tablet, late = device(""), device(""), device("")
    laid.seat(bob, 1)
    bob.get(f"{laid.path}/seats")
    code = code_of(bob.post(f"{laid.around}/pass").text)
    tablet.get("/join")
    answer = tablet.post("/join", {"code": f"{code[:4].lower()} {code[4:8]} {code[8:]}"})
    assert answer.location == f"/seat/{code}"
    assert "Go on here as Bob?" in tablet.get(answer.location)
    assert laid.tap(bob, 1, **{"grid/0/0": "cottage"}) == 200  # looking at it takes nothing
    late.get(f"/seat/{code}")
    assert tablet.post(f"/seat/{code}").location == f"{laid.path}/seats/1"
    assert laid.tap(tablet, 1, **{"grid/0/0": "cottage", "grid/0/1": "farm"}) == 200
    assert laid.tap(bob, 1, **{"grid/0/0": "well"}) == 403
    assert late.post(f"/seat/{code}").status_code == 404  # once


def test_a_hosts_code_hands_over_its_seat_and_not_its_room(laid: Laid, stranger: Device) -> None:
    laid.host.get(f"{laid.path}/seats")
    laid.host.post(f"{laid.path}/seats/0/claim")
    code = code_of(laid.host.post(f"{laid.around}/pass").text)
    stranger.get(f"/seat/{code}")
    stranger.post(f"/seat/{code}")
    assert laid.tap(stranger, 0, **{"grid/0/0": "cottage"}) == 200
    stranger.get(f"{laid.path}/setup", 403)
    laid.host.get(f"{laid.path}/setup")


@pytest.mark.parametrize("ends", ["time", "another code", "sent away", "the room"])
def test_a_code_ends(laid: Laid, device: Phones, ends: str) -> None:
    bob, tablet = device(""), device("")
    laid.seat(bob, 1)
    bob.get(laid.around)
    code = code_of(bob.post(f"{laid.around}/pass").text)
    around = laid.around
    if ends == "time":
        with laid.db.atomic():
            laid.db.execute("UPDATE passes SET made_at = ?", [ago(11 / (24 * 60))])
    elif ends == "another code":
        bob.post(f"{around}/pass")
    elif ends == "sent away":
        bob.post(f"{around}/leave")
    else:
        laid.host.get(around)
        laid.host.post(f"{around}/end")
    tablet.get(f"/seat/{code}", 404)


# -- in by PIN ---


def with_pin(laid: Laid) -> str:
    laid.host.get(laid.around)
    laid.host.post(f"{laid.around}/pin", {"open": "1"})
    pin = laid.room.pin
    assert pin is not None and re.fullmatch(r"\d{4}", pin) and pin in laid.host.get(laid.around)
    return pin


def try_pin(laid: Laid, who: Device, pin: str, number: int = 0) -> bool:
    """Whether the phone is in."""
    who.get("/join")
    at = {"REMOTE_ADDR": f"10.0.0.{number}"}
    assert who.post("/join", {"code": laid.room.code, "pin": pin}, environ_base=at).location == "/join/waiting"
    return who.client.get("/join/waiting").status_code == 303


def test_by_default_no_pin_lets_anybody_in(laid: Laid, stranger: Device) -> None:
    assert laid.room.pin is None
    assert not any(try_pin(laid, stranger, pin) for pin in ("", "0000", "None"))


def test_who_knows_code_and_pin_is_in_at_once_and_the_host_sees_how(laid: Laid, device: Phones) -> None:
    pin = with_pin(laid)
    friend, other = device(""), device("")
    assert not try_pin(laid, other, "")  # the code alone knocks
    assert [len(phones.at_the_door(laid.db, laid.room))] == [1]
    assert try_pin(laid, friend, pin)
    friend.get(f"{laid.path}/setup", 403)
    friend.get(f"{laid.path}/seats")
    assert friend.post(f"{laid.path}/seats/1/claim").location.endswith("/seats/1")
    assert "by the PIN" in laid.host.get(laid.around)
    marks = set(re.findall(r'action="([^"]+/away/\w+)"', laid.host.page))
    for mark in marks:
        laid.host.post(mark)
    friend.get(f"{laid.path}/seats", 404)


def test_a_wrong_pin_looks_like_none_and_after_ten_the_door_only_knocks(laid: Laid, device: Phones) -> None:
    pin = with_pin(laid)
    wrong = f"{(int(pin) + 1) % 10000:04}"
    for number in range(rooms.MOST_MISSES):
        assert not try_pin(laid, device(""), wrong, number)
    assert laid.room.pin is None and "only knocks again" in laid.host.get(laid.around)
    assert not try_pin(laid, device(""), pin, 99)
    assert try_pin(laid, device(""), with_pin(laid), 100)


def test_the_right_goes_with_the_room(laid: Laid, stranger: Device) -> None:
    assert try_pin(laid, stranger, with_pin(laid))
    around = laid.around
    laid.host.get(around)
    laid.host.post(f"{around}/end")
    stranger.get(f"{laid.path}/seats", 404)


# -- what guessing leads to (docs/live.md tells the same in words) ---

ROOMS, YEAR_S = 1000, 365 * 24 * 3600


def test_guessing_pins_and_passes_leads_nowhere() -> None:
    tries = join.CODES_PER_ADDRESS / join.CODE_SECONDS * YEAR_S
    codes, pins = len(rooms.ALPHABET) ** rooms.CODE_LENGTH, 10**rooms.PIN_LENGTH
    assert 2.7e-4 < tries * ROOMS / codes / pins < 2.8e-4  # a free seat somewhere, if every room had a PIN
    assert rooms.MOST_MISSES / pins == 1e-3  # of who knows the code, in a whole evening
    assert tries * ROOMS / len(rooms.ALPHABET) ** phones.PASS_LENGTH < 1e-6


# -- a page that waits ---


def test_a_seat_that_is_freed_is_free_on_the_page_that_asks_who_you_are(laid: Laid, device: Phones) -> None:
    bob, late = device(""), device("")
    laid.seat(bob, 1)
    link = laid.link()
    assert "Bob (taken)" in late.get(link)
    for _ in range(join.by_link.attempts + 5):  # looking again and again is no guessing
        assert late.client.get(link).status_code == 200
    laid.host.get(f"{laid.path}/seats")
    laid.host.post(f"{laid.path}/seats/1/free")
    assert "(taken)" not in late.get(link)


def test_every_free_seat_has_its_button_on_waiting_phones(laid: Laid, device: Phones) -> None:
    bob, late = device(""), device("")
    laid.seat(bob, 1)
    late.get(laid.link())
    late.post(laid.link())
    assert f'action="{laid.path}/seats/1/claim"' in late.get(f"{laid.path}/seats")  # hidden until it is free
