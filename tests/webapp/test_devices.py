"""Devices are rows: what is ended is ended in every copy of a cookie, and nobody honest is lost on the way there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.webapp.conftest import Device, Laid, heard, listen
from tests.webapp.test_counted_work import counted
from tests.webapp.test_rooms import mark_of
from webapp import clubs
from webapp.clubs import Sessions, devices, user_agents
from webapp.database import Database, ago
from webapp.table import events

pytestmark = pytest.mark.either

ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36"


def copy_of(device: Device, name: str = "tidemark", **options: Any) -> Device:
    """Another browser with the same cookie."""
    cookie = device.client.get_cookie(name)
    assert cookie is not None
    made = Device(device.client.application.test_client())
    made.client.set_cookie(name, cookie.value, **options)
    return made


def rows(db: Database, club: int) -> dict[str, int]:
    """The numbers of the devices in the club, by role."""
    return {device.role: device.id for device in devices.listed(db, club)}


# -- ending ---


def test_leaving_ends_every_copy_of_the_cookie(member: Device) -> None:
    copy = copy_of(member)
    copy.get("/club")
    member.post("/club/leave")
    for one in (member, copy):
        one.get("/club", 404)
        one.get("/plays", 404)


@pytest.mark.parametrize("role", ["viewer", "member"])
def test_an_owner_takes_one_device_out_and_no_other(
    owner: Device, device: Callable[[str], Device], db: Database, club: int, role: str
) -> None:
    lost, other = device(role), device(role)
    first = min(one.id for one in devices.listed(db, club) if one.role == role)
    links = clubs.links(db, club)
    owner.get("/club")
    owner.post(f"/club/devices/{first}/remove")
    lost.get("/club", 404)
    other.get("/club")
    assert clubs.links(db, club) == links
    lost.get(f"/join/{links[role]}")  # it may be asked in again, but its old cookie stays out
    lost.get("/club")


def test_a_copy_stays_out_when_the_device_comes_back(member: Device, db: Database, club: int) -> None:
    copy = copy_of(member)
    member.post("/club/leave")
    member.get(f"/join/{clubs.links(db, club)['member']}")
    member.get("/club")
    copy.get("/club", 404)


def test_a_copy_gains_nothing_when_the_device_gets_a_stronger_right(member: Device, db: Database, club: int) -> None:
    copy = copy_of(member)
    member.get(f"/join/{clubs.links(db, club)['owner']}")
    assert "Replace link" in member.get("/club")
    copy.get("/club", 404)
    assert len(devices.listed(db, club)) == 1


def test_renewing_a_link_ends_the_rows_that_came_by_it(owner: Device, member: Device, db: Database, club: int) -> None:
    owner.get("/club")
    owner.post("/club/renew/member")
    assert rows(db, club).keys() == {"owner"}
    member.get("/club", 404)
    owner.post("/club/renew/owner")
    owner.get("/club")


def test_nobody_slips_in_by_a_link_that_is_renewed_meanwhile(db: Database, club: int) -> None:
    invitation = clubs.find_invitation(db, clubs.links(db, club)["member"])
    assert invitation is not None
    clubs.renew(db, club, "member")
    assert devices.add_device(db, invitation, "phone", "") is None


def test_only_owners_take_devices_out_and_name_others(
    member: Device, viewer: Device, owner: Device, db: Database, club: int
) -> None:
    number = rows(db, club)
    for one in (member, viewer):
        one.get("/club")
        assert one.post(f"/club/devices/{number['owner']}/remove").status_code == 403
        assert one.post(f"/club/devices/{number['owner']}/name", {"name": "Mine"}).status_code == 403
        assert "Remove device" not in one.page
    viewer.post(f"/club/devices/{number['viewer']}/name", {"name": "Eye"})
    assert "<strong>Eye" in owner.get("/club") and "<strong>Eye" not in member.get("/club")


def test_another_clubs_owner_ends_nothing_here(owner: Device, member: Device, db: Database, club: int) -> None:
    other = Device(owner.client.application.test_client())
    other.get(f"/join/{clubs.links(db, clubs.create(db, 'Sunday'))['owner']}")
    other.get("/club")
    for number in rows(db, club).values():
        assert other.post(f"/club/devices/{number}/remove").status_code == 404
        assert other.post(f"/club/devices/{number}/name", {"name": "Ours"}).status_code == 404
    member.get("/club")


def test_a_device_that_is_put_out_loses_its_seat_and_the_table(
    laid: Laid, owner: Device, db: Database, club: int
) -> None:
    copy = copy_of(laid.member)
    laid.member.get(f"{laid.path}/seats")
    laid.member.post(f"{laid.path}/seats/1/play")
    owner.get("/club")
    owner.post(f"/club/devices/{rows(db, club)['member']}/remove")
    for one in (laid.member, copy):
        one.get(f"{laid.path}/seats", 404)
        one.get(f"{laid.path}/seats/1", 404)
    assert laid.table().seats[1].holder is None and laid.table().phones == 0
    owner.get(f"{laid.path}/seats")


def test_a_guest_is_removed_and_the_link_replaced(laid: Laid, owner: Device, device: Callable[[str], Device]) -> None:
    guest, other = device(""), device("")
    guest.client.environ_base["HTTP_USER_AGENT"] = ANDROID
    laid.seat(guest, 1)
    laid.seat(other, 2)
    link = laid.link()
    page = owner.get("/club")
    assert "<strong>Bob</strong>" in page and "Guest in Tiny Towns: Ann, Bob, Cid" in page
    address = f"/club/guests/{laid.room.key}/{mark_of(guest)}/remove"
    assert address in page
    assert owner.post(address).status_code == 303
    assert owner.post(address).status_code == 404
    guest.get(f"{laid.path}/seats", 404)
    other.get(f"{laid.path}/seats")
    assert laid.link() != link and laid.table().seats[1].holder is None


def test_names_of_devices_at_tables_stand_on_no_page(laid: Laid, owner: Device, stranger: Device, db: Database) -> None:
    laid.seat(stranger, 1)
    page = owner.get("/club")
    secret = [row["device"] for row in db.query("SELECT device FROM phones")]
    keys = [row["key"] for row in db.query("SELECT key FROM devices")]
    assert len(secret) == 2 and len(keys) == 2
    assert not any(name in page for name in (*secret, *keys))


# -- streams ---


def listening(device: Device, path: str) -> events.Listener:
    """Open a stream of news at the table, of which something has been heard."""
    stream = listen(device, f"{path}/events")
    heard(stream)
    return stream


@pytest.mark.parametrize("way", ["leave", "remove", "renew"])
def test_open_streams_end_with_the_right_to_them(laid: Laid, viewer: Device, owner: Device, way: str) -> None:
    copy = copy_of(viewer)
    streams = [listening(viewer, laid.path), listening(copy, laid.path)]
    viewer.get("/club")
    owner.get("/club")
    started = time.monotonic()
    match way:
        case "leave":
            viewer.post("/club/leave")
        case "remove":
            owner.post(f"/club/devices/{rows(laid.db, 1)['viewer']}/remove")
        case "renew":
            owner.post("/club/renew/viewer")
    laid.tap(laid.member, 1, **{"grid/0/0": "cottage"})
    assert all(stream.is_over for stream in streams)
    assert time.monotonic() - started < events.HEARTBEAT_S / 2
    viewer.get(f"{laid.path}/events", 404)


def test_a_right_that_ends_elsewhere_ends_streams_by_the_next_heartbeat(
    laid: Laid, viewer: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the row is ended by another process."""
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.0)
    stream, others = listening(viewer, laid.path), listening(laid.member, laid.path)
    number = rows(laid.db, 1)["viewer"]
    with laid.db.atomic():
        laid.db.execute("UPDATE devices SET ended_at = '2026-01-01' WHERE id = ?", [number])
    assert heard(stream) == b"" and stream.is_over
    assert heard(others) and not others.is_over


def test_a_guest_who_is_sent_away_hears_nothing_more(laid: Laid, owner: Device, stranger: Device) -> None:
    laid.seat(stranger, 1)
    stream = listening(stranger, laid.path)
    owner.get("/club")
    owner.post(f"/club/guests/{laid.room.key}/{mark_of(stranger)}/remove")
    assert stream.is_over


# -- the page ---


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (ANDROID, "Phone, Chrome on Android"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1",
            "Phone, Safari on iOS",
        ),
        (
            "Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) CriOS/120 Mobile/15E148 Safari/604.1",
            "Tablet, Chrome on iPadOS",
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0", "Computer, Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/120.0 Safari/537.36 Edg/120.0",
            "Computer, Edge on Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 12; SM-T870) SamsungBrowser/23.0 Chrome/115 Safari/537.36",
            "Tablet, Samsung Internet on Android",
        ),
        ("Mozilla/5.0 (Linux; Android 9; BRAVIA 4K) Chrome/100 Safari/537.36", "TV, Chrome on Android"),
        ("curl/8.0", "A device"),
        ("<script>", "A device"),
    ],
    ids=lambda text: text[-24:],
)
def test_a_device_is_called_by_what_it_seems_to_be(agent: str, words: str) -> None:
    assert str(user_agents.in_words(user_agents.kind_of(agent))) == words


def test_the_clubs_page_lists_devices_for_its_owner(
    owner: Device, member: Device, device: Callable[[str], Device], db: Database, club: int
) -> None:
    phone = device("")
    phone.client.environ_base["HTTP_USER_AGENT"] = ANDROID
    phone.get(f"/join/{clubs.links(db, club)['viewer']}")
    page = re.sub(r"\s+", " ", owner.get("/club"))
    assert page.count("Remove device") == 2 and page.count("Leave this club") == 1
    assert re.search(r"<strong>Phone, Chrome on Android</strong>.{0,80}Viewer since", page)
    assert re.search(r"Member since .{9,12}\. Last seen \d{1,2} \w{3} \d\d:\d\d\.", page)
    assert "Android" not in member.get("/club")


@pytest.mark.parametrize("name", ["Ada’s phone", "<b>x</b>", "", "x" * 41, "a\u202eb", "  tidy  "])
def test_a_device_is_named_as_people_are(owner: Device, db: Database, club: int, name: str) -> None:
    number = rows(db, club)["owner"]
    owner.get("/club")
    owner.post(f"/club/devices/{number}/name", {"name": name})
    [device] = devices.listed(db, club)
    assert device.name == {"Ada’s phone": name, "<b>x</b>": name, "  tidy  ": "tidy"}.get(name, "")
    assert "<b>x</b>" not in owner.get("/club")


# -- what it costs ---


@pytest.mark.sqlite
def test_looking_writes_once_an_hour_at_most(
    app: Flask, member: Device, db: Database, club: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = []
    for minutes in (0, 0, 50, 70, 0, -3 * 24 * 60):
        if minutes:
            with db.atomic():
                db.execute("UPDATE devices SET seen_at = ?", [ago(minutes / (24 * 60))])
        with counted(app, monkeypatch) as work:
            member.get("/plays")
        writes.append(any(text.startswith("UPDATE devices") for text in work.statements))
        assert len(work.statements) <= 20
    assert writes == [False, False, False, True, False, True]


def test_who_reads_does_not_wait_for_somebody_who_writes(app: Flask, member: Device, db: Database) -> None:
    with db.atomic():
        db.execute("UPDATE devices SET seen_at = '2026-01-01T00:00:00Z'")
    client = member.client
    with db.atomic():
        db.execute("UPDATE clubs SET name = name")
        from threading import Thread

        answers: list[int] = []
        reader = Thread(target=lambda: answers.append(client.get("/plays").status_code))
        reader.start()
        reader.join(60)
        assert answers == [200]


# -- names and ages of cookies ---


@pytest.mark.parametrize("role", ["owner", "king"])
def test_a_cookie_from_before_there_were_rows_opens_nothing_and_is_in_nobodys_way(
    app: Flask, db: Database, club: int, role: str
) -> None:
    signed = Sessions().get_signing_serializer(app)
    assert signed is not None
    old = Device(app.test_client())
    carried = {"_permanent": True, "clubs": {str(club): [role, 1]}, "club": club, "csrf_token": "c" * 40}
    old.client.set_cookie("tidemark", str(signed.dumps(carried)))
    old.get("/")
    old.get("/club", 404)
    assert devices.listed(db, club) == []
    old.get(f"/join/{clubs.links(db, club)['member']}")
    old.get("/club")
    assert [one.role for one in devices.listed(db, club)] == ["member"]


HTTPS = "https://localhost"


def test_over_https_the_cookie_is_the_hosts_own(app: Flask, db: Database, club: int) -> None:
    phone = app.test_client()
    answer = phone.get(f"/join/{clubs.links(db, club)['member']}", base_url=HTTPS)
    [made] = answer.headers.getlist("Set-Cookie")
    assert made.startswith("__Host-tidemark=") and "Secure" in made and "Path=/" in made and "Domain" not in made
    assert "HttpOnly" in made and "SameSite=Lax" in made


def test_over_https_a_cookie_of_the_plain_name_moves(member: Device) -> None:
    phone = copy_of(member)
    answer = phone.client.get("/club", base_url=HTTPS)
    assert answer.status_code == 200
    assert [cookie.partition("=")[0] for cookie in answer.headers.getlist("Set-Cookie")] == ["__Host-tidemark"]
    phone.client.delete_cookie("tidemark")
    assert phone.client.get("/club", base_url=HTTPS).status_code == 200
    member.get("/club")  # the same house without HTTPS still lets it in


def test_a_plain_page_takes_no_hosts_own_cookie(app: Flask, member: Device) -> None:
    cookie = member.client.get_cookie("tidemark")
    assert cookie is not None
    other = Device(app.test_client())
    other.client.set_cookie("__Host-tidemark", cookie.value)
    other.get("/club", 404)


def test_files_for_everybody_bear_no_cookie(app: Flask, member: Device) -> None:
    phone = copy_of(member)
    with phone.client.get(f"{app.static_url_path}/app.css", base_url=HTTPS) as answer:
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("days", [-2, 40, -3000, 3000])
def test_a_clock_that_leaps_signs_nobody_out(
    member: Device, stranger: Device, laid: Laid, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    """Both ways: a cookie signed by the right clock and read by the wrong one, and the other way round."""
    laid.seat(stranger, 1)
    real = time.time

    def leapt() -> float:
        return real() + days * 24 * 3600

    monkeypatch.setattr("itsdangerous.timed.time.time", leapt)
    for path in ("/", "/club", "/plays"):
        member.get(path)
    stranger.get(f"{laid.path}/seats/1")
    assert laid.tap(stranger, 1, **{"grid/0/0": "cottage"}) == 200
    monkeypatch.setattr("itsdangerous.timed.time.time", real)
    for path in ("/", "/club", "/plays"):
        member.get(path)
    assert laid.tap(stranger, 1, **{"grid/0/0": "farm"}) == 200


def test_browsers_are_told_how_long_and_not_until_when(member: Device) -> None:
    """Until when would be long ago if the clock stands in 1970."""
    [prolonged] = member.client.get("/").headers.getlist("Set-Cookie")
    assert f"Max-Age={400 * 24 * 3600}" in prolonged and "expires" not in prolonged.lower()


# -- invitations ---


def test_opening_an_invitation_changes_nothing(app: Flask, db: Database, club: int) -> None:
    """Also for those who open links before people do: messengers, and browsers that look ahead."""
    link = f"/join/{clubs.links(db, club)['owner']}"
    visitor = Device(app.test_client())
    for _ in range(2):
        assert "Join Thursday as an owner" in visitor.client.get(link).get_data(as_text=True)
    visitor.get("/club", 404)
    assert devices.listed(db, club) == []
    visitor.page = visitor.client.get(link).get_data(as_text=True)
    assert visitor.client.post(link).status_code == 400, "the button's token is needed"
    assert visitor.post(link).location == "/"
    visitor.get("/club")


LOOKING_AHEAD = [
    {"Sec-Purpose": "prefetch"},
    {"Sec-Purpose": "prefetch;prerender"},
    {"Purpose": "prefetch"},
    {"X-Moz": "prefetch"},
]


@pytest.mark.parametrize("purpose", LOOKING_AHEAD, ids=str)
def test_who_only_looks_gets_nothing(
    laid: Laid, stranger: Device, db: Database, club: int, purpose: dict[str, str]
) -> None:
    ways = [f"/join/{token}" for token in clubs.links(db, club).values()]
    ways.append(laid.link())
    for way in ways:
        for answer in (stranger.client.head(way), stranger.client.get(way, headers=purpose)):
            assert answer.status_code in {204, 503}
            assert answer.get_data() == b"" and "Set-Cookie" not in answer.headers


def test_no_page_tells_the_next_by_which_link_it_was_reached(
    laid: Laid, stranger: Device, db: Database, club: int
) -> None:
    ways = [f"/join/{token}" for token in clubs.links(db, club).values()]
    ways += [laid.link(), "/tv/guessed", "/join/guessed"]
    for way in ways:
        assert stranger.client.get(way).headers.getlist("Referrer-Policy") == ["strict-origin"], way
    assert stranger.client.get("/").headers.getlist("Referrer-Policy") == ["same-origin"]


@pytest.mark.parametrize(
    ("headers", "looks_at"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, "Thursday"),
        ({"Sec-Fetch-Site": "same-site"}, "Thursday"),
        ({"Referer": "http://evil.example/"}, "Thursday"),
        ({"Sec-Fetch-Site": "none"}, "Sunday"),
        ({"Sec-Fetch-Site": "same-origin"}, "Sunday"),
        ({}, "Sunday"),
    ],
    ids=str,
)
def test_a_club_that_another_site_led_to_is_not_the_one_looked_at(
    member: Device, db: Database, headers: dict[str, str], looks_at: str
) -> None:
    link = f"/join/{clubs.links(db, clubs.create(db, 'Sunday'))['owner']}"
    member.page = member.client.get(link, headers=headers).get_data(as_text=True)
    foreign = looks_at == "Thursday"
    assert ('name="elsewhere"' in member.page) == foreign == ("You are also still in Thursday" in member.page)
    answer = member.post(link, {"elsewhere": "1"} if foreign else {})
    assert answer.location == ("/club" if foreign else "/")
    page = member.get("/club")
    assert f"<h1>{looks_at}" in page and "Thursday" in page and "Sunday" in page


def test_another_site_does_not_choose_the_club_by_a_link_to_a_table(laid: Laid, db: Database) -> None:
    other = clubs.create(db, "Sunday")
    laid.member.get(f"/join/{clubs.links(db, other)['member']}")
    assert "<h1>Sunday" in laid.member.get("/club")
    answer = laid.member.client.get(laid.around, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert "<h1>Sunday" in laid.member.get("/club")
    laid.member.get(f"{laid.path}/seats")
    assert "<h1>Thursday" in laid.member.get("/club")


def test_who_is_in_already_is_led_to_the_club(member: Device, db: Database, club: int) -> None:
    for role in ("viewer", "member"):
        assert member.client.get(f"/join/{clubs.links(db, club)[role]}").location == "/"
    assert "as an owner" in member.client.get(f"/join/{clubs.links(db, club)['owner']}").get_data(as_text=True)
