"""Provide a database for every test, devices with roles, and a browser the size of a phone."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright
from werkzeug.test import TestResponse

from scorer import games
from scorer.contract import Json
from tests.webapp import engines, made_once, slow, values_only
from tests.webapp.engines import copied, place
from tests.webapp.plays import club as club_of
from tests.webapp.plays import database
from webapp import clubs, create_app
from webapp.cli import demo
from webapp.database import Database, connect
from webapp.front import STREAM, Front, listening
from webapp.table import Room, events, forms, reveal, seats, tables

PHONE = {"width": 390, "height": 844}
BARS = ".bar, .outcome, .palette"
UNSTUCK = "bars => { for (const bar of document.querySelectorAll(bars)) bar.style.position = 'static' }"
SEASON = 160  # games
SMALL_PHONE = {"width": 320, "height": 568}
PATIENCE = 45_000  # ms until what was to come is missing, on the busiest of machines
READ_BY = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CONTRAST = {"type": "rule", "values": ["color-contrast"]}
# Each process of a browser has to start, and no page here needs to be kept from another.
FEW_PROCESSES = [
    *("--in-process-gpu", "--renderer-process-limit=1", "--disable-site-isolation-trials"),
    *("--disable-extensions", "--disable-background-networking"),
]
# Beside each page Chromium loads two of its own, for what would drop from a bar of addresses that nobody sees, and
# starts a process for the next page. The rest is what Playwright does without: only the last such list counts.
WITHOUT = ",".join(
    [
        *("SpareRendererForSitePerProcess", "IsolateOrigins", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
        *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
        *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
        *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints"),
        *("NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
    ]
)


@pytest.fixture(autouse=True, scope="session")
def engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run PostgreSQL during the tests, if it is to store the databases."""
    engines.on_server = request.config.getoption("--engine") == "postgres"
    if not engines.on_server:
        engines.fresh_file()  # before a test has patched anything
    yield
    engines.stop()


@pytest.fixture(autouse=True, scope="session")
def lateness(request: pytest.FixtureRequest) -> Iterator[None]:
    """Delay parts of all pages, if that is asked for."""
    slowly = slow.pages(span) if (span := request.config.getoption("--slow-pages")) else None
    yield
    if slowly:
        slowly.undo()


@pytest.fixture(autouse=True, scope="session")
def sparing() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        made_once.install(patch)
        values_only.install(patch)
        yield


@pytest.fixture(autouse=True)
def cleared(request: pytest.FixtureRequest) -> Iterator[None]:
    """Delete a test's databases from the server."""
    folder = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    yield
    if folder is not None and engines.on_server:
        engines.clear(folder)


@pytest.fixture(scope="session")
def season(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of a club with a season of games, to be copied."""
    path = tmp_path_factory.mktemp("season") / "club.db"
    with database(path) as db:
        demo.seed(db, SEASON)
    return place(path)


@pytest.fixture(scope="module")
def harbour(season: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, int]]:
    """Yield the club with a season of games and its id, for the tests of a module."""
    with database(copied(season, tmp_path_factory.mktemp("harbour") / "club.db")) as db:
        yield db, club_of(db)


@pytest.fixture
def address() -> Iterator[str]:
    """Yield the address of an empty database on the server."""
    with engines.empty() as found:
        yield found


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app({"DATABASE": place(tmp_path / "test.db"), "TESTING": True, "SECRET_KEY": "for the tests"})
    yield made
    made.extensions["connections"].close()


@pytest.fixture
def db(app: Flask) -> Iterator[Database]:
    """Yield another connection to the app's database."""
    connection = connect(app.config["DATABASE"])
    yield connection
    connection.close()


@pytest.fixture
def club(db: Database) -> int:
    return clubs.create(db, "Thursday")


@dataclass
class Device:
    """Act as a device with its cookies that presses buttons on the page opened last."""

    client: FlaskClient
    page: str = ""

    def get(self, path: str, status: int = 200) -> str:
        """Open a page. An invitation is accepted by its button."""
        answer = self.client.get(path, follow_redirects=True)
        assert answer.status_code == status, f"{path} answered {answer.status_code}"
        self.page = answer.get_data(as_text=True)
        if f'action="{path}" class="invited"' in self.page and path.startswith("/join/"):
            self.page = self.post(path, follow_redirects=True).get_data(as_text=True)
        return self.page

    def post(self, path: str, data: dict[str, Any] | None = None, **kwargs: Any) -> TestResponse:
        """Post with the CSRF token of the page opened last."""
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.page)
        return self.client.post(path, data={**(data or {}), "csrf_token": token.group(1) if token else ""}, **kwargs)


@pytest.fixture
def device(app: Flask, db: Database, club: int) -> Callable[[str], Device]:
    """Return a function that makes a device with a role, or "" for a stranger."""

    def make(role: str) -> Device:
        made = Device(app.test_client())
        if role:
            made.get(f"/join/{clubs.links(db, club)[role]}")
            made.get("/club")
        return made

    return make


def listen(device: Device, path: str) -> events.Listener:
    """Open a stream of news at this path, as our server does for a phone."""
    found: list[events.Listener] = []
    asked = {"headers": {"Accept": "text/event-stream"}, "environ_overrides": {STREAM: found.append}}
    answer = device.client.get(path, **asked)
    assert answer.mimetype == "text/event-stream"
    return found[0]


def heard(listener: events.Listener) -> bytes:
    """Return what the stream sends now."""
    if time.monotonic() >= listener.beat:
        listener.look()
    return listener.say()


@pytest.fixture
def owner(device: Callable[[str], Device]) -> Device:
    return device("owner")


@pytest.fixture
def member(device: Callable[[str], Device]) -> Device:
    return device("member")


@pytest.fixture
def viewer(device: Callable[[str], Device]) -> Device:
    return device("viewer")


@pytest.fixture
def stranger(device: Callable[[str], Device]) -> Device:
    return device("")


@pytest.fixture
def site(app: Flask) -> Iterator[str]:
    """Yield the address of the app, served on this machine."""
    door = listening("127.0.0.1", 0)
    front = Front(app)
    thread = threading.Thread(target=front.run, args=[door])
    thread.start()
    yield f"http://127.0.0.1:{door.getsockname()[1]}"
    front.stop()
    thread.join()


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Debian's Chromium; as root, in CI, it runs only without its sandbox.
        launched = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--disable-gpu", *FEW_PROCESSES, f"--disable-features={WITHOUT}"],
        )
        expect.set_options(timeout=PATIENCE)
        if times := request.config.getoption("--slow-phones"):
            slow.phones(launched, times)
        yield launched
        launched.close()


@pytest.fixture
def phone(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens pages on a new phone. Errors on a page fail the test.

    The phones ask for reduced motion, so that tests do not wait for a reveal, and block the service worker, whose
    installation costs as much as opening two pages. A test can ask for either.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_one(**options: Any) -> Page:
        usual = {"viewport": PHONE, "has_touch": True, "reduced_motion": "reduce", "service_workers": "block"}
        context = browser.new_context(**{**usual, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not faults, faults


@pytest.fixture
def at_the_club(phone: Callable[..., Page], app: Flask, site: str, db: Database, club: int) -> Callable[..., Page]:
    """Return a function that opens the club's home page, or another address, on a member's phone."""

    def enter(path: str = "/", role: str = "member", **options: Any) -> Page:
        page, device = phone(**options), Device(app.test_client())
        device.get(f"/join/{clubs.links(db, club)[role]}")
        hand_over(device, page.context, site)
        page.goto(site + path)
        return page

    return enter


def hand_over(device: Device, context: BrowserContext, site: str) -> None:
    """Give the browser the cookie of the device, so that it is that device."""
    cookie = device.client.get_cookie("tidemark")
    context.clear_cookies()
    if cookie is not None:
        context.add_cookies([{"name": "tidemark", "value": cookie.value, "url": site}])


@pytest.fixture
def at_table(at_the_club: Callable[..., Page], db: Database, club: int) -> Callable[..., Page]:
    """A member's phone at a new table of these players: on its first board, or on another of its pages."""

    def enter(game: str, *names: str, page: str = "seats/0", setup: Json | None = None, **options: Any) -> Page:
        found = games.find(game)
        assert found is not None
        key = tables.add(db, club, found, forms.defaults(found.inputs) | (setup or {}), names)
        opened = at_the_club(f"/tables/{key}/{page}", **options)
        if options.get("java_script_enabled", True):
            opened.wait_for_selector("html.js")
        return opened

    return enter


def come_in(page: Page, invitation: str) -> None:
    page.goto(invitation)
    follow(page, "main form button.primary")  # whatever its language


def answered(page: Page) -> Any:
    """Wait until the server has answered what the block sends."""
    return page.expect_response(lambda answer: answer.request.method == "POST")


def follow(page: Page, what: str) -> None:
    """Tap what leads to another page, and wait until its scripts have begun."""
    try:
        with page.expect_navigation():
            page.click(what)
    except Error as fault:
        if "ERR_ABORTED" not in str(fault):
            raise
        page.wait_for_load_state()  # news had begun to load the page anew, and the tap took its place


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a reveal last until it is skipped."""
    monkeypatch.setattr(reveal, "LINE", 60_000)
    monkeypatch.setattr(reveal, "LONGEST_MS", 1_200_000)


def assert_accessible(page: Page, dark: bool = False) -> None:
    """Check that axe finds no fault and nothing overflows to the side; with `dark`, also in dark colours.

    Bars that stay in view may cover something, which can be scrolled free.
    """
    page.wait_for_load_state()
    page.evaluate(UNSTUCK, BARS)
    found = violations(page, READ_BY)
    assert not found, found
    if dark:
        page.emulate_media(color_scheme="dark")
        found = violations(page, CONTRAST)
        page.emulate_media(color_scheme="light")
    page.evaluate("bars => { for (const bar of document.querySelectorAll(bars)) bar.style.position = '' }", BARS)
    assert not found, found
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= shown, f"{page.url} is {wide} px wide on a screen of {shown}"


def violations(page: Page, rules: Any) -> list[str]:
    """Return what axe finds on the page by these rules. What is well is not asked for: to tell it takes longest."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], "runOnly": rules, "preload": False}
    found = page.evaluate("options => axe.run(document, options).then(result => result.violations)", options)
    return [f"{one['id']}: {'; '.join(node['html'][:90] for node in one['nodes'][:3])}" for one in found]


def come_back(page: Page) -> None:
    """Reload the page after everything has been sent. Otherwise the queue would send it and reload again."""
    until(lambda: page.evaluate("!localStorage.getItem('unsent changes')"))
    page.reload()


def seat_players(page: Page, *names: str) -> None:
    """Add these players on the setup page, in this order."""
    for name in names:
        page.fill("#new", name)
        page.click('button:text-is("Add")')
        page.wait_for_selector(f'.seats .name >> text="{name}"')


def seat_without_script(page: Page, *names: str) -> None:
    for name in names:
        page.fill("#new", name)
        follow(page, 'button:text-is("Add")')


def until(look: Callable[[], Any]) -> Any:
    """Wait until `look` returns something true, and return it."""
    ends = time.monotonic() + PATIENCE / 1000
    while not (seen := look()):
        assert time.monotonic() < ends, "it never came"
        time.sleep(0.05)
    return seen


def lay_towns(device: Device) -> str:
    """Create a table of Tiny Towns with Ann, Bob and Cid. Return its address."""
    device.get("/")
    path = str(device.post("/tables", {"game": "tiny_towns"}).location).removesuffix("/setup")
    for name in ("Ann", "Bob", "Cid"):
        device.post(f"{path}/setup", {"add": name})
    return path


@dataclass
class Laid:
    """Hold a table of three players in a room, and the member's phone that opened it."""

    member: Device
    db: Database
    path: str

    def table(self) -> tables.Table:
        table = tables.find(self.db, self.path.removeprefix("/tables/"))
        assert table is not None
        return table

    @property
    def room(self) -> Room:
        room = self.table().room
        assert room is not None
        return room

    @property
    def around(self) -> str:
        """Return the room's address."""
        return f"/rooms/{self.room.key}"

    def link(self) -> str:
        return f"/at/{self.room.link}"

    def seat(self, guest: Device, number: int) -> None:
        """Let the guest join and play as this player."""
        guest.get(self.link())
        assert guest.post(self.link(), {"seat": str(number)}).location.endswith(f"/seats/{number}")

    def join(self, guest: Device) -> None:
        """Let the guest join without a player."""
        guest.get(self.link())
        assert guest.post(self.link()).location == self.around

    def play_as(self, device: Device, number: int) -> None:
        """Let a phone in the room play as this player."""
        device.get(self.around)
        assert device.post(f"{self.path}/seats/{number}/play").location.endswith(f"/seats/{number}")

    def tap(self, device: Device, number: int, **fields: str) -> int:
        """Enter fields as the page's script would. Return the status of the answer."""
        return device.post(f"{self.path}/seats/{number}", fields, headers={"X-Tidemark": "part"}).status_code

    def cell(self, number: int) -> str | None:
        """Return the piece on A1 of this seat's town."""
        state = self.table().seats[number].state
        return state["grid"][0][0] if state else None

    def enter_all(self, done: bool = False) -> None:
        """Enter three towns with no, one and two cottages; with `done`, mark them as done."""
        for number in range(3):
            grid = [["cottage"] * number + ["empty"] * (4 - number), *[["empty"] * 4] * 3]
            with self.db.atomic():
                seats.keep(self.db, self.table(), number, {"grid": grid})
                if done:
                    self.db.execute("UPDATE seats SET done = 1 WHERE table_id = ?", [self.table().id])


@pytest.fixture
def laid(member: Device, db: Database) -> Laid:
    path = lay_towns(member)
    member.post(f"{path}/open")
    return Laid(member, db, path)


def paint(page: Page, piece: str, *cells: str) -> None:
    """Choose a piece from the palette and tap these squares."""
    page.wait_for_selector("[data-cell][tabindex]")
    page.click(f'.palette label:has-text("{piece}")')
    for cell in cells:
        page.click(f"[data-cell={cell}]")


def total(page: Page, points: str) -> None:
    """Check the current points of the player whose board is shown."""
    expect(page.locator(".total output")).to_have_text(points)
