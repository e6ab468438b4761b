"""Test the editor of a game in a real browser, with its script and styles.

Playwright drives Chromium. Tidemark needs neither, so the test is skipped if one is missing.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scorer.sentences import Sentence, say
from webapp.checking.rendered_pages import Site, new_table
from webapp.front import Front, listening

NO_BROWSER = say("Not tested in a browser. Install Playwright and Chromium for that.")

if TYPE_CHECKING:
    from playwright.sync_api import Page

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_MS = 20_000
LOCAL = "127.0.0.1"


def check(site: Site) -> tuple[Sentence, ...]:
    """Test the editor in a window as small as a phone; if there is no browser, return why it was not tested."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        return (NO_BROWSER,)
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        except Error:
            return (NO_BROWSER,)
        with serving(site) as address:
            page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
            page.set_default_timeout(PATIENCE_MS)
            try:
                _try_editor(site, page, address)
            except Error as fault:
                place = site.report.source.field()
                site.report.note(place, say("In a browser: {fault}.", fault=str(fault).partition("\n")[0].rstrip(".")))
        browser.close()
    return ()


def _try_editor(site: Site, page: Page, address: str) -> None:
    """Open the editor of an empty table, press its first square, and note errors of its script and layout."""
    errors: list[str] = []
    page.on("pageerror", lambda fault: errors.append(str(fault)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    page.goto(address + site.invitation)
    page.click("main form button.primary")
    page.goto(f"{address}{new_table(site)}/seats/0")
    page.wait_for_load_state()
    square = page.locator(".editor [data-cell]").first
    if square.count():
        square.click()
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    note = site.report.note
    script = site.report.source.folder / "page" / "script.js"
    place = site.report.source.at(script) if script.is_file() else site.report.source.field()
    for line in dict.fromkeys(errors):
        note(place, say("In a browser: {fault}.", fault=line.partition("\n")[0].rstrip(".")))
    if wide > shown:
        note(place, say("The editor is too wide: {wide} px on a screen of {shown} px.", wide=wide, shown=shown))


@contextmanager
def serving(site: Site) -> Iterator[str]:
    """Serve the app on this computer, and yield its address."""
    door = listening(LOCAL, 0)
    front = Front(site.app)
    thread = threading.Thread(target=front.run, args=[door])
    thread.start()
    try:
        yield f"http://{LOCAL}:{door.getsockname()[1]}"
    finally:
        front.stop()
        thread.join()
