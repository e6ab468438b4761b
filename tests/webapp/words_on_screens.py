"""Count the words on the wordiest screens: `python -m tests.webapp.words_on_screens`.

The screens belong to a club of 30 games, at a width of 390 px. Options of menus count, closed parts do not.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.webapp.conftest import Device
from tests.webapp.engines import place
from tests.webapp.plays import club as club_of
from tests.webapp.plays import database
from tests.webapp.staged import lay
from webapp import clubs, create_app
from webapp.cli import demo
from webapp.front import Front, listening

GAMES = 30

# Words that hold a letter or a digit, of every text that has a place on the page, be it further down.
COUNT = r"""() => {
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const shown = parent => {
    const place = parent.closest("select") ?? parent;
    const { width, height } = place.getBoundingClientRect();
    return width > 2 && height > 2 && place.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
  };
  let words = 0;
  while (walker.nextNode()) {
    if (!shown(walker.currentNode.parentElement)) continue;
    words += walker.currentNode.data.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length;
  }
  return words;
}"""


@contextmanager
def screens(folder: Path) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Serve the club. Yield its address, the cookie of an owner's phone, and the path of every screen."""
    file = folder / "words.db"
    with database(file) as db:
        demo.seed(db, GAMES)
        club = club_of(db)
        links = clubs.links(db, club)
        played = {
            row["game"]: row["key"]
            for row in db.query("SELECT game, key FROM plays WHERE club_id = ? ORDER BY played_at", [club])
        }
        [[player]] = [list(row.values()) for row in db.query("SELECT min(id) FROM players WHERE club_id = ?", [club])]
    app = create_app({"DATABASE": place(file), "TESTING": True, "SECRET_KEY": "for the words"})
    owner = Device(app.test_client())
    owner.get(f"/join/{links['owner']}")
    tables = {game: lay(owner, game) for game in ("tenby", "tiny_towns", "old_london_bridge")}
    for table in tables.values():
        for name in ("Ada", "Björn"):
            owner.post(f"{table}/setup", {"new": name})
    opened = tables["tiny_towns"]
    owner.get(f"{opened}/seats")
    room = str(owner.post(f"{opened}/open").location)
    cookie = owner.client.get_cookie("tidemark")
    assert cookie is not None
    door = listening("127.0.0.1", 0)
    front = Front(app)
    thread = threading.Thread(target=front.run, args=[door])
    thread.start()
    try:
        yield (
            f"http://127.0.0.1:{door.getsockname()[1]}",
            cookie.value,
            {
                "How we count": "/stats/how",
                "Statistics of Tiny Towns": "/stats/games/tiny_towns",
                "Player": f"/players/{player}",
                "Time zone": "/club/zone",
                "Saved game of Tenby": f"/plays/{played['tenby']}",
                "Achievements": "/stats/achievements",
                "Statistics of Tenby": "/stats/games/tenby",
                "Statistics": "/stats",
                "Saved games": "/plays",
                "Statistics of Copenhagen": "/stats/games/copenhagen",
                "Room": room,
                "Year": "/stats/years/2026",
                "Saved game of Copenhagen": f"/plays/{played['copenhagen']}",
                "Club": "/club",
                "Set-up of Tenby": f"{tables['tenby']}/setup",
                "Your data": "/data",
                "Phones of a game": f"{opened}/seats",
                "Set-up of Tiny Towns": f"{opened}/setup",
                "Try it": "/try",
                "Set-up of Old London Bridge": f"{tables['old_london_bridge']}/setup",
            },
        )
    finally:
        front.stop()
        thread.join()
        app.extensions["connections"].close()


def counted(browser: Browser, folder: Path) -> dict[str, int]:
    """Return the number of words on each screen."""
    with screens(folder) as (site, cookie, paths):
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
        context.add_cookies([{"name": "tidemark", "value": cookie, "url": site}])
        page = context.new_page()
        found = {}
        for name, path in paths.items():
            answer = page.goto(path if "://" in path else site + path)
            assert answer is not None and answer.ok, f"{name}: {path}"
            found[name] = page.evaluate(COUNT)
        context.close()
    return found


def table(words: dict[str, int]) -> str:
    """Return the counts, one per line, the wordiest first."""
    lines = [f"{number:6,}  {name}" for name, number in sorted(words.items(), key=lambda item: -item[1])]
    return "\n".join([*lines, f"{sum(words.values()):6,}  all"])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        print(table(counted(browser, Path(folder))))
        browser.close()


if __name__ == "__main__":
    main()
