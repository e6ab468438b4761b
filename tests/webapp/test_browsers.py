"""The walks in WebKit, the browser of every iPhone, and in Firefox: games, and phones at one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp import drivers
from tests.webapp.canned import Canned, plain, size_of
from tests.webapp.drivers import Visitor, Wire
from tests.webapp.plays import draft, towns
from webapp import clubs
from webapp.database import Database
from webapp.history import plays
from webapp.table import tables

pytestmark = pytest.mark.either

KINDS = ("webkit", "firefox")
SEEN = "return [...document.querySelectorAll(arguments[0])].filter((one) => one.getClientRects().length).length"
Open = Callable[[str], Visitor]


@pytest.fixture(scope="module")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Callable[[], Wire]]]:
    with ExitStack() as stack:
        yield {
            "webkit": stack.enter_context(drivers.webkit(tmp_path_factory.mktemp("webkit"))),
            "firefox": stack.enter_context(drivers.firefox(tmp_path_factory.mktemp("firefox"))),
        }


@pytest.fixture
def open_phone(browsers: dict[str, Callable[[], Wire]], site: str) -> Open:
    def enter(kind: str) -> Visitor:
        wire = browsers[kind]()
        wire.resize(390, 844)  # or as narrow as its window gets
        return Visitor(wire, site)

    return enter


@pytest.fixture
def at_the_club(open_phone: Open, db: Database, club: int) -> Open:
    def enter(kind: str) -> Visitor:
        phone = open_phone(kind)
        phone.go(f"/join/{clubs.links(db, club)['member']}")
        phone.follow("main form button.primary")
        return phone

    return enter


def begin(phone: Visitor, game: str, *names: str) -> None:
    phone.follow("main a, main button", game)
    for name in names:
        phone.type("#new", name)
        phone.tap("button", "Add", exact=True)
        phone.sees(".seats .name", name)
    phone.follow("main a, main button", "Enter the scores")


def paint(phone: Visitor, piece: str, *cells: str) -> None:
    phone.find("[data-cell][tabindex]")
    phone.tap(".palette label", piece)
    for cell in cells:
        phone.tap(f"[data-cell={cell}]")


def total(phone: Visitor, points: str) -> None:
    phone.until(
        lambda: phone.wire.run("return document.querySelector('.total output').innerText") == points, f"{points} points"
    )


def save(phone: Visitor) -> None:
    phone.follow("main a, main button", "Show result")
    phone.tap("[data-stage] button", "Skip to the result")
    phone.sees("main", "Saved")


def tiny_towns(phone: Visitor) -> None:
    begin(phone, "Tiny Towns", "Ann", "Bob")
    paint(phone, "Cottage", "A1", "B1", "C1")
    paint(phone, "Farm", "D1")
    paint(phone, "Well", "B2")
    total(phone, "\N{MINUS SIGN}1")  # 9 for the cottages, 1 for the well, 11 empty squares
    phone.follow("main a, main button", "Next: Bob")
    paint(phone, "Tavern", "A1", "B1")
    paint(phone, "Tavern", "A1")  # a second tap takes it away
    total(phone, "\N{MINUS SIGN}13")  # 2 for the tavern, 15 empty squares
    save(phone)


def old_london_bridge(phone: Visitor) -> None:
    begin(phone, "Old London Bridge", "Ann", "Bob")
    phone.tap("button", "Enter each building")
    for kind, number in (("Chapel", "56"), ("Bridge gate", "44")):
        phone.tap("[data-kinds] button", kind)
        phone.tap(".keypad button", number, exact=True)
    phone.sees(".spaces .number", "G44")
    phone.tap("main label, main a, main button", "Enter points instead")
    phone.find('[name="typed/bridge"]')


def tenby(phone: Visitor) -> None:
    begin(phone, "Tenby", "Ann", "Bob")
    phone.tap("#new-street button", "Left end terrace (sea)")
    phone.tap("#next-0 button", "Right end terrace (sea)")
    phone.sees(".street h2", "Completed")
    phone.tap("#opened .tiles button", "Printed number")
    phone.tap("#opened .chips button", "4", exact=True)
    total(phone, "4")


@pytest.mark.usefixtures("lasting")
def test_games_of_numbers_of_cards_and_of_boards_are_entered(at_the_club: Open) -> None:
    phone = at_the_club("webkit")
    for walk in (old_london_bridge, tenby, tiny_towns):
        phone.go("/")
        walk(phone)


@pytest.mark.usefixtures("lasting")
def test_two_phones_play_to_the_reveal(at_the_club: Open, open_phone: Open, db: Database) -> None:
    host, guest = (enter(kind) for enter, kind in zip((at_the_club, open_phone), KINDS, strict=True))
    begin(host, "Tiny Towns", "Ann", "Bob")
    paint(host, "Well", "A1")
    host.follow("main a, main button", "Invite other phones")
    host.follow("main a, main button", "Invite other phones")
    host.find(".qr")
    [key] = db.execute("SELECT key FROM tables").fetchone()
    table = tables.find(db, key)
    assert table is not None and table.room is not None
    guest.go(f"/at/{table.room.link}")
    guest.follow("main button", "Bob")
    paint(guest, "Cottage", "A1", "B1")
    guest.follow("button", "Done")
    host.find('[data-place="1"] .is-done')  # it hears of it by itself
    host.follow("main a, main button", "Go to the reveal")
    host.follow("main a, main button", "Reveal the result")
    for phone in (host, guest):
        phone.find("[data-stage] .lit")  # a line is told, and its squares light up
        assert phone.wire.run(SEEN, ".podium") == 0
    host.tap("[data-stage] button", "Skip to the result")
    for phone in (host, guest):  # the host's button is for everybody
        phone.find(".podium")
    host.follow("main button", "Repeat the reveal")
    for phone in (host, guest):
        phone.find("[data-stage] .racer")
        assert phone.wire.run(SEEN, ".podium") == 0
    guest.tap("[data-stage] button", "Skip to the result")
    guest.find(".podium")
    host.tap("[data-stage] button", "Skip to the result")
    host.sees("main", "Saved")


@pytest.mark.parametrize("kind", KINDS)
def test_a_photographed_table_is_looked_over(
    at_the_club: Open, app: Flask, db: Database, club: int, tmp_path: Path, kind: str
) -> None:
    plays.save_all(db, club, [draft(towns({"Ann": 2, "Bob": 1}))])
    readers = Canned()
    app.extensions["photos"] = readers
    file = tmp_path / "table.jpg"
    file.write_bytes(plain(3000, 2000))
    phone = at_the_club(kind)
    phone.send(".camera input", str(file))  # made small by the phone, sent, and read
    phone.tap("[data-give='+Ann']")
    phone.sees(".so-far", "Ann −11")  # a Cottage fed by the Farm is worth 3, 14 squares are empty
    phone.tap("[data-cell=B1].spot")
    phone.tap("[data-choosing] [data-value]", "Chapel")
    phone.sees(".so-far", "Ann −14")  # nobody feeds the Cottage
    phone.tap("[data-undo]")
    phone.sees(".so-far", "Ann −11")
    assert size_of(readers.photos[0]) == (2600, 1733)
