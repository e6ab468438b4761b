"""Whatever stands in an address, a form, a header, a cookie or a record: every page answers, and none with a fault."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote_from_bytes, urlencode

import pytest
from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorer.core import score
from tests.conftest import EXAMPLES, Example
from tests.webapp.conftest import Device, Laid
from webapp.database import Database
from webapp.history import plays
from webapp.table import seats, tables

ROLES = ("", "owner")  # whoever may less comes to a part of the same pages
DIGITS, MANY_DIGITS = "9" * 30, "7" * 5_000
ODD = {
    "many digits": MANY_DIGITS.encode(),
    "thirty digits": DIGITS.encode(),
    "nul": b"a\0b",
    "half a letter": b"\xed\xa0\x80",
    "overlong": b"\xc0\xaf\xe0\x80\xaf",
    "no utf-8": b"\xff\xfe",
    "digits of another script": "٣".encode(),
    "quotes": b"'\"<>{}%",
    "a line break": b"a\r\nb",
    "a long word": b"x" * 4_000,
    "a list": b"[1]",
}
odd_values = pytest.mark.parametrize("odd", ODD.values(), ids=list(ODD))


def rules(app: Flask) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if rule.endpoint != "static"]


def addresses(app: Flask, known: dict[str, str], odd: bytes) -> Iterator[tuple[str, str]]:
    """Every address there is, once as it should be and once with something odd in each of its places."""
    for rule in rules(app):
        places = re.findall(r"<(?:(\w+)(?:\([^)]*\))?:)?(\w+)>", rule.rule)
        plain = re.sub(r"<[^>]+>", lambda place: known.get(place[0].strip("<>").split(":")[-1], "1"), rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield method, plain
            for _, name in places:
                strange = re.sub(rf"<(?:[^<>]*:)?{name}>", lambda _: quote_from_bytes(odd, safe=""), rule.rule, count=1)
                yield (
                    method,
                    re.sub(r"<[^>]+>", lambda place: known.get(place[0].strip("<>").split(":")[-1], "1"), strange),
                )


NAMES = ("after", "players", "player", "game", "since", "until", "way", "words", "code", "name", "version", "number")
FIELDS = (*NAMES, "grid/0/0", "put", "change", "seat", "notes", "place", "day", "minutes", "add", "role", "typed/total")


def ask(device: Device, method: str, path: str, odd: bytes) -> TestResponse:
    text = quote_from_bytes(odd, safe="")
    query = "&".join(f"{name}={text}" for name in NAMES)
    if method == "GET":
        headers = {"If-None-Match": '"' + odd.decode("latin-1").replace("\r\n", "") + '"', "Last-Event-ID": MANY_DIGITS}
        return device.client.get(f"{path}?{query}", headers=headers)
    token = re.search(r'name="csrf_token" value="([^"]+)"', device.page)
    body = "&".join([*(f"{name}={text}" for name in FIELDS), urlencode({"csrf_token": token[1] if token else ""})])
    kind = "application/x-www-form-urlencoded"
    return device.client.open(path, method=method, data=body, content_type=kind, headers={"X-Tidemark": "part"})


@pytest.fixture
def strict(app: Flask) -> Flask:
    """A page that fails shows it here, as it does not where people are."""
    app.config["PROPAGATE_EXCEPTIONS"] = True
    return app


def save_one(db: Database, club: int) -> str:
    example = next(one for one in EXAMPLES if one.game.id == "tiny_towns")
    return plays.key_of(db, plays.save(db, club, example.record, score(example.record)))


@odd_values
@pytest.mark.parametrize("role", ROLES)
def test_every_page_bears_every_value(
    strict: Flask, device: Callable[[str], Device], laid: Laid, db: Database, club: int, role: str, odd: bytes
) -> None:
    play = save_one(db, club)
    known = {"game_id": "tiny_towns", "number": "0", "kind": "json", "name": "tiny_towns", "game": "tiny_towns"}
    guest = device(role)
    asked = list(addresses(strict, known, odd))
    table = laid.path.removeprefix("/tables/")
    for method, path in asked:
        if re.search(r"/(delete|leave|renew|photo)", path):
            continue  # these would end the walk, or start processes
        key = play if path.startswith("/plays/1") else table
        path = path.replace("/plays/1", f"/plays/{key}").replace("/tables/1", f"/tables/{key}")
        answer = ask(guest, method, path, odd)
        answer.close()
        assert answer.status_code < 500 or answer.status_code == 503, f"{method} {path[:200]}: {answer.status_code}"


@odd_values
def test_every_header_and_cookie_bears_every_value(strict: Flask, owner: Device, odd: bytes) -> None:
    text = odd.decode("latin-1").replace("\r\n", "")
    names = (
        *(
            "Accept",
            "Accept-Language",
            "Cookie",
            "Host",
            "If-None-Match",
            "If-Modified-Since",
            "Last-Event-ID",
            "Range",
        ),
        *(
            "Referer",
            "Origin",
            "X-Forwarded-For",
            "Content-Type",
            "User-Agent",
            "X-Tidemark",
            "If-Range",
            "Authorization",
        ),
    )
    for name in names:
        for path in ("/", "/club", "/stats", "/plays"):
            environ = {f"HTTP_{name.upper().replace('-', '_')}": text, "CONTENT_TYPE": text}
            answer = owner.client.get(path, environ_overrides=environ)
            assert answer.status_code < 500, f"{name} at {path}"
    for cookie in (text.replace(";", ""), f"eyJh.{text[:50]}.x", "." + "A" * 3000):
        answer = strict.test_client().get("/", environ_overrides={"HTTP_COOKIE": f"tidemark={cookie}"})
        assert answer.status_code < 500


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in inner:
        yield from leaves(child, (*path, key))


def with_value(record: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copied = dict(record) if isinstance(record, dict) else list(record)
    copied[path[0]] = with_value(copied[path[0]], path[1:], value)
    return copied


FIRST = {example.game.id: example for example in reversed(EXAMPLES)}
VALUES: tuple[Any, ...] = (0.5, 1e308, -1, True, None, "\ud800", "a\0", [], {}, [[]], {"\ud800": "\ud800"}, 10**30)


@pytest.mark.parametrize("example", FIRST.values(), ids=str)
def test_a_table_bears_every_value_where_another_belongs(
    strict: Flask, member: Device, db: Database, club: int, example: Example
) -> None:
    """As an older program or a file may have left it there."""
    record = example.record
    key = tables.lay(db, club, example.game, record.get("table", {}), [player["name"] for player in record["players"]])
    state = {name: value for name, value in record["players"][0].items() if name != "name"}
    for place in leaves(state):
        if not place or len(place) > 3 or (len(place) > 1 and place[-1] in (1, 2, 4, 5, 6)):
            continue
        for value in VALUES:
            table = tables.find(db, key)
            assert table is not None
            try:
                text = json.dumps(with_value(state, place, value))
                seats.keep(db, table, 0, json.loads(text))
            except (UnicodeEncodeError, ValueError):
                continue  # what cannot be kept is nowhere
            for path in (f"/tables/{key}/seats/0", f"/tables/{key}/result"):
                assert member.client.get(path).status_code < 500, f"{value!r} at {place}"


@pytest.mark.parametrize("example", FIRST.values(), ids=str)
def test_the_api_bears_every_value(app: Flask, example: Example) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = True
    app.extensions["attempts"].allow = lambda *_: True
    for place in leaves(example.record):
        if not place:
            continue
        for value in VALUES:
            body = json.dumps(with_value(example.record, place, value))
            answer = app.test_client().post("/api/v1/score", data=body)
            assert answer.status_code in (200, 422)
            json.loads(answer.get_data(as_text=True))
