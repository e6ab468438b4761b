"""Tell how pages lie: nothing is too wide or too short, cut off, broken, too small to tap, or over something else.

Every page is opened once and then made narrower and wider; what it holds does not change with the window. axe looks at
one page of each template, for each game where the template is about a table, in both schemes of colours.
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from flask import template_rendered
from playwright.sync_api import Browser, Page

from tests.webapp.conftest import BARS, CONTRAST, READ_BY, UNSTUCK, hand_over, violations
from tests.webapp.engines import place
from tests.webapp.staged import Scene, Stage
from webapp import create_app
from webapp.database import connect
from webapp.front import Front, listening

pytestmark = pytest.mark.either

MEASURE = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")
# Width in px, size of text in per cent, and the longest word that has to stay whole. Every page is tried with the first
# and, in turns, with two of the others: most templates have several pages here.
NARROWEST = (320, 200, 10)
OTHERS = (
    ((320, 100, 10), (1280, 100, 14)),
    ((390, 100, 12), (820, 100, 14)),
    ((320, 100, 10), (2560, 100, 14)),
)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

Faults = dict[str, list[str]]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stage, str]]:
    """All pages, and the address where they are served."""
    file = tmp_path_factory.mktemp("stage") / "test.db"
    app = create_app({"DATABASE": place(file), "TESTING": True, "SECRET_KEY": "for the tests", "DEBUG": True})
    db = connect(app.config["DATABASE"])
    door = listening("127.0.0.1", 0)
    front = Front(app)
    thread = threading.Thread(target=front.run, args=[door])
    thread.start()
    yield Stage(app, db), f"http://127.0.0.1:{door.getsockname()[1]}"
    front.stop()
    thread.join()
    db.close()


@pytest.fixture(scope="module")
def faults(stage: tuple[Stage, str], browser: Browser) -> Faults:
    """Return what is wrong, by kind: one visit to every page."""
    staged, site = stage
    wanted = os.environ.get("PAGES", "")  # to look at some only: PAGES=result
    scenes = [scene for scene in staged.scenes() if wanted in f"{scene} {scene.path}"]
    found: Faults = defaultdict(list)
    shown: set[str] = set()
    template_rendered.connect(lambda _, template, **_more: shown.add(template.name), staged.app, weak=False)
    looked_at: set[tuple[str, ...]] = set()
    options: Any = {"viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce", "service_workers": "block"}
    context = browser.new_context(**options)
    page = context.new_page()
    for number, scene in enumerate(scenes):
        shown.clear()
        enter(page, staged, site, scene)
        kind_of_page = (scene.game, *sorted(shown))
        for width, size, longest in (NARROWEST, *OTHERS[number % 3]):
            lay_out(page, width, size)
            for fault in page.evaluate("longest => window.faults(longest)", longest):
                kind, _, what = fault.partition(": ")
                found[kind].append(f"{scene}, {width} px{f' at {size} %' if size > 100 else ''}: {what}")
        if kind_of_page in looked_at:
            continue
        looked_at.add(kind_of_page)
        lay_out(page, 390, 100)
        page.evaluate(UNSTUCK, BARS)  # what a bar covers can be scrolled free
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            rules: Any = READ_BY if scheme == "light" else CONTRAST
            found[f"axe {scheme}"] += [f"{scene}: {fault}" for fault in violations(page, rules)]
    context.close()
    return found


def enter(page: Page, staged: Stage, site: str, scene: Scene) -> None:
    hand_over(staged.devices[scene.who], page.context, site)
    page.emulate_media(color_scheme="light")
    page.goto(site + scene.path)
    page.evaluate("document.fonts.ready")
    page.evaluate(MEASURE)


def lay_out(page: Page, width: int, size: int) -> None:
    page.set_viewport_size({"width": width, "height": 844 if width < 1000 else width * 9 // 16})
    page.evaluate("size => document.documentElement.style.fontSize = size", f"{size}%")


@pytest.mark.parametrize(
    "kind", ["wide", "short", "cut off", "broken", "small", "over each other", "text on text", "axe light", "axe dark"]
)
def test_every_page_lies_well(faults: Faults, kind: str) -> None:
    assert not faults[kind], "\n".join(faults[kind])
