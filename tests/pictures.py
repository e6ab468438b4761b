"""Make the screenshots of the documentation in Chromium: `make pictures`.

The animated picture in the README shows a game from the first tap to the result. All others are still.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.conftest import ROOT
from tests.documents import PICTURES
from tests.webapp.conftest import follow, paint, seat_players
from tests.webapp.visitor import serving
from webapp import clubs
from webapp.cli import main
from webapp.database import connect

MOVING = PICTURES / "game.webp"
PHOTO = ROOT / "tests" / "vision" / "photos" / "07.jpg"
PUBLIC = "http://scores.example"
PHONE, TV = (390, 844), (1280, 720)
COLOURS, QUALITY = 192, 60
SHORT, LONG, LAST = 500, 1200, 4000  # milliseconds of a frame
SHRUNK = 0.8
TALL = 2400  # pixels of a window in which no bar covers anything
GAMES = ("tiny_towns", "tenby", "old_london_bridge", "pier_18", "copenhagen")
ANN = {
    "Cottage": "A1 C1 B2 A3 C4",
    "Well": "B1 B3",
    "Farm": "C2",
    "Chapel": "A2",
    "Tavern": "D1 D2 B4",
    "Theater": "C3",
}
BOB = {"Cottage": "A1 A2 B3", "Farm": "B2", "Well": "C1", "Tavern": "D1 D2 D3", "Chapel": "C3"}


@dataclass
class Studio:
    """Hold a server, phones that have joined its club, and the frames of the animated picture."""

    browser: Browser
    invitation: str
    frames: list[tuple[Image.Image, int]] = field(default_factory=list)

    def phone(self, size: tuple[int, int] = PHONE) -> Page:
        """Return a page the size of a phone or TV that is in no club."""
        page = self.browser.new_page(viewport={"width": size[0], "height": size[1]}, locale="en")
        page.set_default_timeout(60_000)
        return page

    def member(self) -> Page:
        """Return a phone that has joined the club."""
        page = self.phone()
        page.goto(self.invitation)
        follow(page, "main form.invited button")
        return page

    def frame(self, page: Page, shown: int = SHORT) -> None:
        """Add what the page shows to the animated picture, for so many ms."""
        self.frames.append((seen(page), shown))


def make() -> None:
    """Make all pictures again."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        with opened(Path(folder) / "new.db") as studio:
            play(studio)
            invite(studio)
        demo = Path(folder) / "demo.db"
        main(["demo", "--db", str(demo)])
        with opened(demo) as studio:
            look_back(studio)


@contextmanager
def opened(database: Path) -> Iterator[Studio]:
    """Serve a database at a public address that only this browser knows."""
    with serving(database, environment={"TIDEMARK_PUBLIC_URL": PUBLIC}) as site, sync_playwright() as playwright:
        rule = f"--host-resolver-rules=MAP {urlsplit(PUBLIC).netloc} {urlsplit(site.address).netloc}"
        options = ["--no-sandbox", rule, f"--unsafely-treat-insecure-origin-as-secure={PUBLIC}"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=options)
        yield Studio(browser, f"{PUBLIC}/join/{invitation(database)}")
        browser.close()


def play(studio: Studio) -> None:
    """Play a game from the first tap to the result, for the animated picture."""
    page = studio.member()
    keep(page, "home")
    studio.frame(page, LONG)
    follow(page, '.game:has-text("Tiny Towns")')
    seat_players(page, "Ann", "Bob")
    studio.frame(page, LONG)
    follow(page, "text=Enter the scores")
    enter(page, ANN, lambda: studio.frame(page))
    keep(page, "board")
    follow(page, "text=Next: Bob")
    enter(page, BOB)
    studio.frame(page, LONG)
    follow(page, "text=Show result")
    while page.locator("text=Skip to the result").is_visible():
        studio.frame(page)
        page.wait_for_timeout(SHORT)
    page.wait_for_timeout(LONG)
    page.evaluate("scrollTo(0, 0)")
    studio.frame(page, LAST)
    keep(page, "tiny_towns", "section.why")
    save_moving(studio.frames)


def invite(studio: Studio) -> None:
    """Open a room with a second phone and a TV, and have a photo read."""
    host = studio.member()
    follow(host, '.game:has-text("Tiny Towns")')
    follow(host, 'button:has-text("Invite other phones")')
    follow(host, 'button:has-text("Invite other phones")')
    host.wait_for_selector(".qr")
    keep(host, "room")
    bob = studio.phone()
    bob.goto(host.get_attribute(".ways a.address", "href") or "")
    follow(bob, 'button:has-text("Bob")')
    enter(bob, BOB)
    follow(host, 'button:has-text("Play as Ann")')
    enter(host, ANN)
    tv = studio.phone(TV)
    tv.goto(f"{PUBLIC}/tv")
    host.goto(tv.get_attribute(".qr", "data-address") or "")
    follow(host, 'button:has-text("Show")')
    tv.wait_for_selector(".tv .places")
    keep(tv, "tv")
    page = studio.member()
    page.locator(".camera input").first.set_input_files(PHOTO)
    page.wait_for_url("**/photos")
    keep(page, "photo")


def look_back(studio: Studio) -> None:
    """Visit saved games, statistics and the club."""
    page = studio.member()
    for name, path in (("games", "/plays"), ("statistics", "/stats/games/tiny_towns"), ("club", "/club")):
        page.goto(PUBLIC + path)
        keep(page, name)
    for game in GAMES[1:]:
        page.goto(f"{PUBLIC}/plays?game={game}")
        page.goto(PUBLIC + str(page.locator("main .rows a").first.get_attribute("href")))
        keep(page, game, "section.why")


def enter(page: Page, town: dict[str, str], then: Callable[[], None] = lambda: None) -> None:
    """Enter a town piece by piece."""
    for piece, cells in town.items():
        paint(page, piece, *cells.split())
        then()


def invitation(database: Path) -> str:
    """Return the token of the owner's link."""
    db = connect(str(database))
    try:
        club_id = clubs.first_club(db)
        assert club_id is not None
        return str(clubs.links(db, club_id)["owner"])
    finally:
        db.close()


def seen(page: Page, part: Locator | None = None, shrunk: float = SHRUNK) -> Image.Image:
    """Return a reduced screenshot of a page, or of a part of it."""
    full = Image.open(BytesIO((part or page).screenshot())).convert("RGB")
    full = full.crop((0, 0, full.width, min(full.height, PHONE[1])))
    return full.resize((round(full.width * shrunk), round(full.height * shrunk)), Image.Resampling.LANCZOS)


def keep(page: Page, name: str, part: str = "") -> None:
    """Save a screenshot of a page, or of the first such part, in few colours once it has loaded."""
    page.wait_for_load_state("load")
    page.wait_for_timeout(LONG)
    if part:
        page.set_viewport_size({"width": PHONE[0], "height": TALL})
    picture = seen(page, page.locator(part).first if part else None, SHRUNK if name != "tv" else 0.5)
    picture.quantize(COLOURS).save(PICTURES / f"{name}.png", optimize=True)


def save_moving(frames: Sequence[tuple[Image.Image, int]]) -> None:
    """Save the animated picture. Equal frames in a row become one longer frame."""
    pictures: list[Image.Image] = []
    times: list[int] = []
    for picture, shown in frames:
        if pictures and picture.tobytes() == pictures[-1].tobytes():
            times[-1] += shown
        else:
            pictures.append(picture)
            times.append(shown)
    pictures[0].save(
        MOVING,
        save_all=True,
        append_images=pictures[1:],
        duration=times,
        loop=0,
        quality=QUALITY,
        method=6,
        minimize_size=True,
    )


if __name__ == "__main__":
    make()
