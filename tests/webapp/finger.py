"""Touch a page with real touch events in Chrome, so that it scrolls and zooms as on a phone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from playwright.sync_api import Locator, Page

from tests.webapp.conftest import until

Point = tuple[float, float]
STEPS = 12  # moves of a stroke between two points
# Where a finger lands is known once a frame has been drawn; nothing, if an answer has brought it anew by then.
CENTRED = """(one) => new Promise((done) => {
  one.scrollIntoView({ block: "center" });
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const { left, top, width, height } = one.getBoundingClientRect();
    done(one.isConnected && width ? [left + width / 2, top + height / 2] : null);
  }));
})"""


class Finger:
    """Touch one page. Points are positions in the window."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.wire = page.context.new_cdp_session(page)

    def touch(self, kind: str, *points: Point) -> None:
        there = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": there})

    def draw(self, *points: Point, steps: int = STEPS, lift: bool = True) -> None:
        """Touch the first point, move over the others, and lift."""
        self.touch("touchStart", points[0])
        for (x, y), (to_x, to_y) in pairwise(points):
            for step in range(1, steps + 1):
                self.touch("touchMove", (x + (to_x - x) * step / steps, y + (to_y - y) * step / steps))
        if lift:
            self.touch("touchEnd")

    def over(self, *cells: str, steps: int = STEPS) -> None:
        """Draw one stroke over these squares."""
        self.draw(*(middle(self.page.locator(f"[data-cell={cell}]")) for cell in cells), steps=steps)

    def tap(self, found: Locator) -> None:
        self.touch("touchStart", until(lambda: found.evaluate(CENTRED)))
        self.touch("touchEnd")

    def pinch(self, at: Point, apart: Iterable[float]) -> None:
        """Put two fingers around a point, and move them to these distances."""
        x, y = at
        first, *rest = apart
        self.touch("touchStart", (x - first / 2, y))
        self.touch("touchStart", (x - first / 2, y), (x + first / 2, y))
        for far in rest:
            self.touch("touchMove", (x - far / 2, y), (x + far / 2, y))
        self.touch("touchEnd")


def middle(found: Locator) -> Point:
    box = until(found.bounding_box)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
