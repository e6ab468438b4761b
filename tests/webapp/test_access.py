"""Clubs let in whom they invited, and nobody else learns a thing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp.conftest import Device, heard
from tests.webapp.engines import place
from webapp import clubs, create_app
from webapp.clubs import Limit
from webapp.database import Database
from webapp.database import attempts as in_memory
from webapp.views import club as club_view
from webapp.views import home

pytestmark = pytest.mark.either


def lay_table(device: Device) -> str:
    """A table of Tiny Towns with one player; its address."""
    device.get("/")
    return device.post("/tables", {"game": "tiny_towns"}).location.removesuffix("/setup")


def test_a_stranger_sees_only_that_an_invitation_is_needed(stranger: Device, owner: Device) -> None:
    table = lay_table(owner)
    assert "invitation" in stranger.get("/")
    assert "Thursday" not in stranger.page
    for path in ("/club", "/plays", f"{table}/setup", f"{table}/seats/0", f"{table}/result", "/plays/guess"):
        stranger.get(path, 404)


def test_the_points_in_the_picture_of_the_first_page_add_up(stranger: Device) -> None:
    [slip] = re.findall(r'<div class="slip">(.*?)</div>', stranger.get("/"), re.DOTALL)
    *lines, total = [int(points.replace("\N{MINUS SIGN}", "-")) for points in re.findall(r"<b>([^<]+)</b>", slip)]
    assert len(lines) > 1 and sum(lines) == total


def test_an_invitation_lets_a_device_in_for_good(device: Callable[[str], Device]) -> None:
    assert "Which game did you play?" in device("member").get("/")
    assert "You can only look." in device("viewer").get("/")


@pytest.mark.parametrize("token", ["", "x", "a" * 22, "../club", "%00", "ä" * 30])
def test_a_guessed_invitation_opens_nothing(stranger: Device, token: str) -> None:
    stranger.get(f"/join/{token}", 404)


def test_viewers_look_and_change_nothing(viewer: Device, owner: Device) -> None:
    table = lay_table(owner)
    viewer.get("/club")
    assert viewer.post("/tables", {"game": "tiny_towns"}).status_code == 403
    assert viewer.post(f"{table}/seats/0", {}).status_code == 403
    assert viewer.post("/club/renew/member").status_code == 403
    assert "Replace link" not in viewer.get("/club")


def test_members_cannot_renew_or_rename(member: Device) -> None:
    member.get("/club")
    assert member.post("/club/renew/member").status_code == 403
    assert member.post("/club/name", {"name": "Ours now"}).status_code == 403
    assert "owner" not in member.page.split("This device")[0].lower()


def test_renewing_a_link_shuts_out_who_came_by_it(
    owner: Device, member: Device, viewer: Device, db: Database, club: int
) -> None:
    old = clubs.links(db, club)["member"]
    owner.get("/club")
    owner.post("/club/renew/member")
    member.get("/club", 404)
    viewer.get("/club")
    owner.get("/club")
    member.get(f"/join/{old}", 404)
    member.get(f"/join/{clubs.links(db, club)['member']}")
    member.get("/club")


def test_an_owner_who_renews_the_owners_link_stays_in(owner: Device, device: Callable[[str], Device]) -> None:
    other = device("owner")
    owner.get("/club")
    owner.post("/club/renew/owner")
    assert "Replace link" in owner.get("/club")
    other.get("/club", 404)


def test_a_weaker_link_takes_no_right_away(owner: Device, db: Database, club: int) -> None:
    owner.get(f"/join/{clubs.links(db, club)['viewer']}")
    assert "Replace link" in owner.get("/club")


def test_two_clubs_stay_apart(owner: Device, db: Database) -> None:
    table = lay_table(owner)
    other = clubs.create(db, "Sunday")
    visitor = Device(owner.client.application.test_client())
    visitor.get(f"/join/{clubs.links(db, other)['owner']}")
    visitor.get(f"{table}/setup", 404)
    assert "Thursday" not in visitor.get("/club")


def test_a_device_in_two_clubs_switches_between_them(owner: Device, db: Database) -> None:
    other = clubs.create(db, "Sunday")
    owner.get(f"/join/{clubs.links(db, other)['viewer']}")
    assert "Sunday" in owner.get("/club") and "Thursday" in owner.page
    owner.post("/club/switch", {"club": "1"})
    assert "<h1>Thursday" in owner.get("/club")
    owner.post("/club/leave")
    assert "Sunday" in owner.get("/") and "Thursday" not in owner.page


def test_a_device_that_leaves_its_club_stays_in_a_room(owner: Device, db: Database) -> None:
    """Its id in rooms is kept as long as a room knows it, and no longer."""

    def phone_id() -> str | None:
        with owner.client.session_transaction() as session:
            found: str | None = session.get("device")
            return found

    table = lay_table(owner)
    owner.get(f"{table}/setup")
    owner.post(f"{table}/open")
    known = phone_id()
    assert known and db.row("SELECT 1 FROM phones WHERE device = ?", known)
    owner.get("/club")
    owner.post("/club/leave")
    assert phone_id() == known


def test_a_cookie_with_another_signature_is_worth_nothing(app: Flask, owner: Device) -> None:
    cookie = owner.client.get_cookie("tidemark")
    assert cookie is not None
    stranger = Device(app.test_client())
    stranger.client.set_cookie("tidemark", cookie.value[:-4] + "AAAA")
    stranger.get("/club", 404)


def test_cookies_are_kept_from_scripts_and_sent_over_https_only_where_there_is_https(
    device: Callable[[str], Device], db: Database, club: int
) -> None:
    plain = device("").client.get(f"/join/{clubs.links(db, club)['member']}").headers["Set-Cookie"]
    assert "HttpOnly" in plain and "SameSite=Lax" in plain and "Secure" not in plain
    link = f"https://localhost/join/{clubs.links(db, club)['member']}"
    secure = device("").client.get(link)
    assert "Secure" in secure.headers["Set-Cookie"]
    assert "max-age" in secure.headers["Strict-Transport-Security"]


def test_every_form_needs_its_token(owner: Device) -> None:
    for path in ("/tables", "/club/renew/member", "/club/name", "/club/leave", "/club/switch", "/club/found"):
        assert owner.client.post(path, data={"game": "tiny_towns"}).status_code == 400


def test_every_answer_carries_the_security_headers(stranger: Device) -> None:
    style = (stranger.client.application.static_url_path or "") + "/app.css"
    for path in ("/", "/nowhere", style, "/api/v1/games"):
        with stranger.client.get(path) as answer:
            headers = answer.headers
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_a_host_that_is_not_ours_is_refused(app: Flask) -> None:
    app.config["TRUSTED_HOSTS"] = ["localhost", "tide.example"]
    client = app.test_client()
    assert client.get("/", headers={"Host": "tide.example"}).status_code == 200
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400


def test_a_name_full_of_markup_is_shown_as_it_is(owner: Device) -> None:
    owner.get("/club")
    owner.post("/club/name", {"name": "<script>alert(1)</script>"})
    page = owner.get("/club")
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page


def test_clubs_are_founded_from_the_web_only_where_the_operator_allows_it(app: Flask, stranger: Device) -> None:
    assert "Create the club" not in stranger.get("/")
    app.config["SIGNUP"] = "open"
    assert "Create the club" in stranger.get("/")
    assert stranger.post("/club/found", {"name": "Sunday"}, follow_redirects=True).status_code == 200
    assert "<h1>Sunday" in stranger.get("/club")


def test_founding_is_closed_by_default(stranger: Device, app: Flask) -> None:
    app.config["WTF_CSRF_ENABLED"] = False
    assert stranger.post("/club/found", {"name": "Sunday"}).status_code == 404


def test_joining_and_founding_are_limited_by_address(
    app: Flask, stranger: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "joining", Limit("links", 3, 60))
    assert [stranger.client.get("/join/guess").status_code for _ in range(4)] == [404, 404, 404, 429]
    app.config["SIGNUP"] = "open"
    monkeypatch.setattr(club_view, "founding", Limit("clubs", 1, 60))
    stranger.get("/")
    assert [stranger.post("/club/found", {"name": "A"}).status_code for _ in range(2)] == [303, 429]


def test_a_limit_forgets_after_its_time() -> None:
    moment = 0.0
    limit, attempts = Limit("one", 2, 10), in_memory.Attempts(clock=lambda: moment)
    assert [attempts.allow(limit, who) for who in ("here", "here", "elsewhere", "here")] == [True, True, True, False]
    assert attempts.allow(Limit("other", 2, 10), "here"), "another limit counts for itself"
    moment = 11.0
    assert attempts.allow(limit, "here")


def test_two_apps_in_one_process_share_neither_limits_nor_news(app: Flask, tmp_path: Path) -> None:
    other = create_app({"DATABASE": place(tmp_path / "other.db"), "TESTING": True, "SECRET_KEY": "for the tests"})
    for _ in range(home.joining.attempts):
        assert app.test_client().get("/join/guess").status_code == 404
    assert app.test_client().get("/join/guess").status_code == 429
    assert other.test_client().get("/join/guess").status_code == 404
    here, there = app.extensions["feed"], other.extensions["feed"]
    listener = here.listen("t", lambda: (1, b"here"), None)
    assert here.listens("t") and not there.listens("t")
    there.publish("t", (2, b"there"))
    assert heard(listener).endswith(b"id: 1\ndata: here\n\n")
    listener.close()


def test_the_key_that_signs_cookies_outlives_a_restart(app: Flask, owner: Device) -> None:
    first, second = (create_app({"DATABASE": app.config["DATABASE"]}) for _ in range(2))
    assert first.config["SECRET_KEY"] == second.config["SECRET_KEY"] and len(first.config["SECRET_KEY"]) == 64
