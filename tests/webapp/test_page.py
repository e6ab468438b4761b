"""Tests of what surrounds the content of pages: the club, rooms, background work and the saved game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.webapp.conftest import Device, Laid
from tests.webapp.plays import draft, towns
from webapp import clubs, jobs
from webapp.database import Database
from webapp.history import plays, saved_plays

pytestmark = pytest.mark.either

AT_WORK = "Updating skill and streaks."
WITH_FIGURES = ("/stats", "/stats/achievements", "/stats/games/tiny_towns", "/players/1", "/players/1/against/2")


@pytest.fixture
def saved(db: Database, club: int) -> str:
    """The address of a saved game."""
    [play_id] = plays.save_all(db, club, [draft(towns({"Ann": 3, "Bob": 2}))])
    return f"/plays/{saved_plays.key_of(db, play_id)}"


@pytest.mark.parametrize("role", ["viewer", "member", "owner"])
@pytest.mark.usefixtures("saved")
def test_pages_with_figures_say_what_is_still_worked_out(
    device: Callable[[str], Device], db: Database, club: int, role: str
) -> None:
    who = device(role)
    assert [path for path in WITH_FIGURES if AT_WORK in who.get(path)] == []
    elsewhere = clubs.create(db, "Friday")
    jobs.add(db, "standings", elsewhere, {"game": "tiny_towns"}, total=70)
    assert [path for path in WITH_FIGURES if AT_WORK in who.get(path)] == [], "another club's work is not told"
    jobs.add(db, "standings", club, {"game": "tiny_towns"}, total=70)
    for path in WITH_FIGURES:
        page = who.get(path)
        assert AT_WORK in page, path
        assert "0 of 70 games are done." in page, path


@pytest.mark.parametrize(("role", "guessed"), [("viewer", False), ("member", True), ("owner", True)])
def test_the_first_device_that_may_says_where_the_club_is(
    device: Callable[[str], Device], db: Database, club: int, role: str, guessed: bool
) -> None:
    who = device(role)
    assert ("data-guess" in who.get("/")) == guessed
    db.execute("UPDATE clubs SET zone = 'Europe/Copenhagen' WHERE id = ?", [club])
    assert "data-guess" not in who.get("/")


def test_the_front_page_leads_back_to_the_room(laid: Laid, stranger: Device, viewer: Device) -> None:
    laid.seat(stranger, 1)
    for who, leads in ((laid.member, True), (stranger, True), (viewer, False)):
        assert (f'href="{laid.around}/here"' in who.get("/")) == leads


def test_every_page_of_a_saved_game_that_is_edited_says_so(member: Device, saved: str) -> None:
    member.get(saved)
    seat = str(member.post(f"{saved}/edit").location)
    table = seat.removesuffix("/seats/0")
    for path in (seat, f"{table}/setup", f"{table}/facts", f"{table}/result"):
        page = member.get(path)
        assert "The old version is kept" in page, path
        assert f'href="{saved}"' in page, path


def test_a_new_game_is_no_edited_one(laid: Laid) -> None:
    for path in ("seats/0", "setup", "facts"):
        assert "The old version is kept" not in laid.member.get(f"{laid.path}/{path}")


def test_the_lot_and_the_time_are_on_every_screen_of_the_room(laid: Laid, stranger: Device) -> None:
    laid.seat(stranger, 1)
    laid.member.get(f"{laid.path}/seats")
    laid.member.post(f"{laid.path}/lot")
    laid.member.post(f"{laid.path}/timer", {"minutes": "5"})
    screens = [
        (laid.member, laid.around),
        (laid.member, f"{laid.path}/seats/0"),
        (laid.member, f"{laid.around}/tv"),
        (stranger, f"{laid.path}/seats/1"),
    ]
    for who, path in screens:
        page = who.get(path)
        assert " begins." in page, path
        assert "data-ends=" in page, path
        assert "5 minutes" in page, path


def test_an_address_that_is_none_is_told_while_the_database_fails(member: Device, db: Database) -> None:
    assert 'href="/plays"' in member.get("/nowhere", 404)
    db.execute("ALTER TABLE devices RENAME TO elsewhere")
    page = member.get("/nowhere", 404)
    assert "Page not found" in page
    assert 'href="/plays"' not in page
