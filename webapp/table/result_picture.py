"""Make the picture of a result for sharing.

The boards are read from the same HTML that pages show, so that each game defines the drawing of its board only once.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder

from flask import Response, abort, current_app, render_template, request
from jinja2.utils import LRUCache

from scorer.report import verdict
from scorer.result import seats_without_points
from webapp import avatars, i18n, template_filters
from webapp.avatars import Avatar
from webapp.database import pack
from webapp.picture import Board, Card, Placed, Player, Square, drawn_card, rows_of

MOST_KEPT = 48  # pictures, some 60 kB each
MOST_WAITING = 5  # requests that may wait while a picture is drawn


class Studio:
    """Draw one picture at a time, and keep in memory the 48 pictures that were asked for last."""

    def __init__(self) -> None:
        self.kept = LRUCache(MOST_KEPT)
        self.turn = threading.Lock()
        self.waiting = threading.BoundedSemaphore(1 + MOST_WAITING)

    def picture(self, key: bytes, card: Card, shape: str) -> bytes | None:
        """Return the picture of `card`, drawn now or stored by `key`. `shape` is "wide" or "tall". Return None if too
        many requests are waiting."""
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
    """Return a response with the picture of a result, for which `shown` has the values of `result_page.shown`. `worn`
    are the players' avatars by seat, `beside` is a text next to the title, such as the day. `shape` is "wide" or
    "tall"."""
    if not shown["result"]["ok"]:
        abort(404)
    studio: Studio = current_app.extensions["studio"]
    told = [shown["record"], shown["result"], [[avatar.colour, avatar.token] for avatar in worn]]
    art = current_app.static_url_path  # it changes with any drawing
    key = hashlib.sha256(pack([*told, beside, shape, art, i18n.language_tag()]).encode(errors="replace")).digest()
    response = Response(mimetype="image/png")
    response.headers["Cache-Control"] = "private, no-cache"  # checked each time, because rights may have ended
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
    """Return what the picture shows, in the reader's language. The arguments are as in `answer`."""
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


def _player(shown: dict[str, Any], seat: int, avatar: Avatar, unknown: bool) -> Player:
    player = shown["result"]["players"][seat]
    place = "?" if seat in shown["unplaced"] else str(i18n.translate(template_filters.ordinal(player["rank"])))
    total = "?" if unknown else template_filters.score(player)
    stands_for = str(i18n.translate(avatars.drawing(avatar)[1].name))
    return Player(player["name"], stands_for, place, total, player["winner"], avatar, board_of(shown, seat))


def board_of(shown: dict[str, Any], seat: int) -> Board:
    """Return the board of the player in `seat` as the page would draw it; `shown` is as in `answer`."""
    page = Tree()
    page.feed(render_template("result/_only_board.html", seat=seat, player=shown["result"]["players"][seat], **shown))
    rows = enumerate(page.builder.close().iter())
    return rows_of([(row, square) for row, element in rows for square in squares_in(element)])


class Tree(HTMLParser):
    """Parse a page into a tree of elements."""

    ALONE = frozenset({"br", "circle", "hr", "img", "input", "link", "meta", "path", "rect", "use"})  # hold nothing

    def __init__(self) -> None:
        super().__init__()
        self.builder = TreeBuilder()
        self.builder.start("page", {})

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.builder.start(tag, {name: value or "" for name, value in attributes})
        if tag in self.ALONE:
            self.builder.end(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.ALONE:
            self.builder.end(tag)


def squares_in(row: Element) -> Iterator[Square]:
    """Yield the squares directly inside an element, each with the parts of its drawing or else its piece's colour."""
    for square in row.iterfind("*[@data-cell]"):
        scenes = [one for one in square.iter("svg") if "scene" in one.get("class", "").split()]
        parts = [placed(use, scene) for scene in scenes for use in scene.iter("use") if "#" in use.get("href", "")]
        faces = (one.get("class", "").split() for one in square.iter() if one.get("hidden") is None)
        face = next((names for names in faces if "face" in names), ())
        tones = [Placed(name.removeprefix("tone-")) for name in face if name.startswith("tone-")]
        yield Square(square.get("data-cell", ""), tuple(parts or tones))


def placed(use: Element, scene: Element) -> Placed:
    """Return the part of a square's drawing that `use` shows, with its position and size as shares of `scene`."""
    wide, high = map(float, scene.get("viewbox", "").split()[2:])
    left, top = float(use.get("x", 0)) / wide, float(use.get("y", 0)) / high
    size = (float(use.get("width", wide)) / wide, float(use.get("height", high)) / high)
    name = use.get("href", "").rpartition("#")[2]
    return Placed(name, left, top, *size, use.get("transform", "").startswith("matrix(-1"))
