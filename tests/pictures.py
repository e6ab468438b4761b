"""Makes the picture of the README, `make pictures`: pages of a demo club on two phones, side by side."""

from __future__ import annotations

import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.conftest import ROOT
from tests.webapp.visitor import serving
from webapp import clubs
from webapp.cli import main
from webapp.database import connect

PICTURE = ROOT / "docs" / "pages.png"
WIDE, HIGH, EDGE = 390, 844, 24  # pixels of a phone, and of the ground around it
GROUND = "#d8dfe2"
GAME = "tiny_towns"
COLOURS = 256


def make() -> None:
    """Paint the picture anew."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = Path(folder) / "tidemark.db"
        main(["demo", "--db", str(database)])
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDE, "height": HIGH}, locale="en")
        page.set_default_timeout(120_000)
        with serving(database) as server:
            page.goto(f"{server.address}/try")
            phones = [taken(page)]
            page.goto(f"{server.address}/join/{invitation(database)}")
            page.locator("main form.invited button").click()
            page.goto(f"{server.address}/plays?game={GAME}")
            page.goto(server.address + str(page.locator("main .rows a").first.get_attribute("href")))
            phones.append(taken(page))
        browser.close()
    side_by_side(phones).quantize(COLOURS).save(PICTURE, optimize=True)


def invitation(database: Path) -> str:
    """Return what the link of an owner ends in."""
    db = connect(str(database))
    try:
        club_id = clubs.first_club(db)
        assert club_id is not None
        return str(clubs.links(db, club_id)["owner"])
    finally:
        db.close()


def taken(page: Page) -> Image.Image:
    """Return how the page looks on a phone, once it stands still."""
    page.wait_for_load_state("networkidle")
    return Image.open(BytesIO(page.screenshot(animations="disabled")))


def side_by_side(phones: list[Image.Image]) -> Image.Image:
    """Return one picture of several phones."""
    picture = Image.new("RGB", (EDGE + len(phones) * (WIDE + EDGE), HIGH + 2 * EDGE), GROUND)
    for place, phone in enumerate(phones):
        picture.paste(phone, (EDGE + place * (WIDE + EDGE), EDGE))
    return picture


if __name__ == "__main__":
    make()
