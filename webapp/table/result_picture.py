"""The picture of a result that can be shared: what stands on it, and who draws it without holding up anybody.

The boards are read from the same pages that show them, so that a game says in one place how its board is drawn.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import Any

from flask import Response, abort, current_app, render_template, request
from jinja2.utils import LRUCache

from scorer.report import verdict
from scorer.result import seats_without_points
from webapp import avatars, i18n, template_filters
from webapp.avatars import Avatar
from webapp.database import pack
from webapp.picture import Board, Card, Placed, Player, Square, drawn_card, rows_of

MOST_KEPT = 48  # pictures, some 60 kB each
MOST_WAITING = 5  # for the one that is being drawn
USE = re.compile(r"#([\w-]+)$")


class Studio:
    """Draws one picture at a time, and keeps those asked for last."""

    def __init__(self) -> None:
        self.kept = LRUCache(MOST_KEPT)
        self.turn = threading.Lock()
        self.waiting = threading.BoundedSemaphore(1 + MOST_WAITING)

    def picture(self, key: bytes, card: Card, shape: str) -> bytes | None:
        """The picture, None while too many others wait for theirs."""
        content: bytes | None = self.kept.get(key)
        if content is not None or not self.waiting.acquire(blocking=False):
            return content
        try:
            with self.turn:
                content = self.kept[key] = self.kept.get(key) or drawn_card(card, shape)
        finally:
            self.waiting.release()
        return content


def answer(shown: dict[str, Any], worn: Sequence[Avatar], beside: str, shape: str) -> Response:
    """The picture of a result page's values, for those who may see the page; `beside` stands next to the title."""
    if not shown["result"]["ok"]:
        abort(404)
    studio: Studio = current_app.extensions["studio"]
    told = [shown["record"], shown["result"], [[look.colour, look.token] for look in worn]]
    art = current_app.static_url_path  # another one when any drawing is
    key = hashlib.sha256(pack([*told, beside, shape, art, i18n.language_tag()]).encode(errors="replace")).digest()
    response = Response(mimetype="image/png")
    response.headers["Cache-Control"] = "private, no-cache"  # asked for each time: a right may have ended
    response.set_etag(key.hex())
    response.make_conditional(request)
    if response.status_code == 304:
        return response
    content = studio.picture(key, card(shown, worn, beside), shape)
    if content is None:
        return Response(status=503, headers={"Retry-After": "2"})
    response.set_data(content)
    return response


def card(shown: dict[str, Any], worn: Sequence[Avatar], beside: str) -> Card:
    """Return what stands on the picture, in the reader's language."""
    result, unknown = shown["result"], seats_without_points(shown["record"], shown["result"])
    seats = sorted(range(len(result["players"])), key=lambda seat: result["players"][seat]["rank"])
    players = tuple(_player(shown, seat, worn[seat], seat in unknown) for seat in seats)
    return Card(
        shown["game"].id,
        str(i18n.translate(shown["game"].name)),
        beside,
        str(i18n.translate(verdict(shown["game"], result, unknown))),
        players,
    )


def _player(shown: dict[str, Any], seat: int, look: Avatar, unknown: bool) -> Player:
    player = shown["result"]["players"][seat]
    place = "?" if seat in shown["unplaced"] else str(i18n.translate(template_filters.ordinal(player["rank"])))
    total = "?" if unknown else template_filters.score(player)
    stands_for = str(i18n.translate(avatars.drawing(look)[1].name))
    return Player(player["name"], stands_for, place, total, player["winner"], look, board_of(shown, seat))


def board_of(shown: dict[str, Any], seat: int) -> Board:
    """The player's board, as the page would draw it."""
    page = render_template("result/_bare.html", seat=seat, player=shown["result"]["players"][seat], **shown)
    reader = Squares()
    reader.feed(page)
    return rows_of(reader.found)


class Squares(HTMLParser):
    """Finds the squares of a board in its page: each with the row it stands in and what lies on it."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, int]] = []  # the elements that we are in, with a number for each
        self.count = 0
        self.box = (1.0, 1.0)  # of the drawing that we are in
        self.found: list[tuple[int, Square]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        kinds = given.get("class", "").split()
        if "data-cell" in given:
            self.found.append((self.open[-1][1] if self.open else 0, Square(given["data-cell"], ())))
        elif "face" in kinds and "hidden" not in given and not self._holds():
            self._hold(*(Placed(kind.removeprefix("tone-")) for kind in kinds if kind.startswith("tone-")))
        elif tag == "svg" and "scene" in kinds:
            wide, high = given["viewbox"].split()[2:]
            self.box = (float(wide), float(high))
        elif tag == "use" and self.box != (1.0, 1.0):
            self._hold(*self._used(given))
        if tag not in {"br", "img", "input", "use", "path", "rect", "circle", "meta", "link", "hr"}:
            self.count += 1
            self.open.append((tag, self.count))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if self.open and self.open[-1][0] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag == "svg":
            self.box = (1.0, 1.0)
        while self.open:
            if self.open.pop()[0] == tag:
                return

    def _holds(self) -> bool:
        return bool(self.found and self.found[-1][1].holds)

    def _hold(self, *more: Placed) -> None:
        if self.found:
            row, square = self.found[-1]
            self.found[-1] = (row, square._replace(holds=square.holds + more))

    def _used(self, given: dict[str, str]) -> Iterator[Placed]:
        name = USE.search(given.get("href", ""))
        if name:
            wide, high = self.box
            left, top = float(given.get("x", 0)) / wide, float(given.get("y", 0)) / high
            size = (float(given.get("width", wide)) / wide, float(given.get("height", high)) / high)
            yield Placed(name[1], left, top, *size, given.get("transform", "").startswith("matrix(-1"))
