"""Twice as much from a stranger costs twice the steps: counted, not timed. Regular expressions, which count as one step
however long they take, are held to a time that a quadratic one would miss a hundredfold."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from scorer import names
from scorer.cardbox import CardBox
from scorer.jsontext import NotJson, read_json
from scorer.names import cleaned, folded, is_writable, tidied
from tests.conftest import GAMES
from tests.webapp.conftest import Device, Laid

pytestmark = pytest.mark.either

FEW = 1_000


def steps(action: Callable[[], Any]) -> int:
    """Return how many functions are called, ours and the language's."""
    called = 0

    def note(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return called


def grows_no_faster(make: Callable[[int], Callable[[], Any]], few: int = FEW) -> None:
    make(few)()  # what is remembered is remembered now
    before, after = steps(make(few)), steps(make(2 * few))
    assert after < 2.2 * before + 5_000, f"{before} steps, then {after}"


FORMS: dict[str, Callable[[int], list[tuple[str, str]]]] = {
    "unknown fields": lambda number: [(f"x{n}", "1") for n in range(number)],
    "one field again and again": lambda number: [("grid/0/0", "cottage")] * number,
    "fields of a board": lambda number: [(f"grid/{n}/{n}", "cottage") for n in range(number)],
    "a long value": lambda number: [("grid/0/0", "x" * 10 * number)],
    "a path without end": lambda number: [("/".join(["grid"] * number), "1")],
    "a put without end": lambda number: [("put", json.dumps(["grid/0/0", "cottage"] * number))],
}


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_a_tap_with_twice_the_fields(laid: Laid, form: Callable[[int], list[tuple[str, str]]]) -> None:
    laid.member.get(f"{laid.path}/seats/0")
    kind = "application/x-www-form-urlencoded"
    token = [("csrf_token", laid.member.page.split('name="csrf_token" value="', 1)[1].split('"', 1)[0])]

    def make(number: int) -> Callable[[], Any]:
        body = urlencode([*token, *form(number)])
        return lambda: laid.member.client.post(f"{laid.path}/seats/0", data=body, content_type=kind)

    grows_no_faster(make)


@pytest.mark.parametrize("path", ["/plays", "/stats", "/", "/join"])
def test_an_address_with_twice_the_questions(viewer: Device, path: str) -> None:
    def make(number: int) -> Callable[[], Any]:
        query = "&".join(f"words={n}&x{n}=1" for n in range(number))
        return lambda: viewer.client.get(f"{path}?{query}")

    grows_no_faster(make)


def test_twice_the_cookies(stranger: Device) -> None:
    def make(number: int) -> Callable[[], Any]:
        cookies = "; ".join(f"c{n}=1" for n in range(number))
        return lambda: stranger.client.get("/", environ_overrides={"HTTP_COOKIE": cookies})

    grows_no_faster(make)


BOXES = [(game.id, game.cardbox) for game in GAMES if game.cardbox is not None]


@pytest.mark.parametrize(("game", "box"), BOXES, ids=[name for name, _ in BOXES])
def test_twice_the_cards(game: str, box: CardBox) -> None:
    empty = box.empty()

    def make(number: int) -> Callable[[], Any]:
        theirs = {**empty, **{kind: [{"name": f"n{n}"} for n in range(number)] for kind in box.kinds}}
        return lambda: box.merge(empty, theirs, ())

    grows_no_faster(make)


LONG = 30_000
TEXTS = [
    *(
        "a",
        " ",
        "\u0301",
        "\u200d",
        "\u0915\u094d\u200d",
        "\U0001f3f4\U000e0067",
        "\U0001f468\u200d",
        "\u4e00\ufe00",
        "ß",
    ),
    *("\ufe0f", "\u200c", "\U000e0020", "a\u0301", "\xad", "\u1820\u180b", "\ud800"),
]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_name_without_end(text: str) -> None:
    for read in (folded, tidied, cleaned, is_writable, names.has_control):
        started = time.perf_counter()
        read(text * LONG)
        assert time.perf_counter() - started < 5, read.__name__


BROKEN = ['"' + "\\" * LONG, '"' * LONG, "{" * LONG, "[" * LONG, '{"a":1,' * 5_000, '{"a":1,"a":' * 5_000, "1" * LONG]
BROKEN += ['{"a":"' + '\\"' * LONG + '","a":1}', '{"a":1,"a":"' + "x" * LONG, '{"a":1, "a"' + " " * LONG + ":1}"]


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:12])
def test_a_text_that_is_no_json(text: str) -> None:
    started = time.perf_counter()
    with pytest.raises(NotJson):
        read_json(text)
    assert time.perf_counter() - started < 5
