"""Test that every page answers without an internal error, whatever an address, form, header, cookie or record holds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import quote_from_bytes, urlencode

import pytest
from flask import Flask
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorer.core import score
from tests.conftest import EXAMPLES, Example
from tests.webapp.conftest import Device, Laid
from tests.webapp.engines import Snapshot, SnapshotOfTables, snapshot
from vision.reading import Board, Look, Reading, Square
from webapp import clubs
from webapp.database import Database
from webapp.exchange import imports
from webapp.history import plays, saved_plays
from webapp.table import photos, seats, tables

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
NOT_HERE = {"/club/guests/<key>/<mark>/remove"}  # nobody has come to the table but its host
odd_values = pytest.mark.parametrize("odd", ODD.values(), ids=list(ODD))


def rules(app: Flask) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if rule.endpoint != "static"]


def addresses(app: Flask, known: Callable[[str], dict[str, str]], odd: bytes) -> Iterator[tuple[str, str, str]]:
    """Every address there is, by its rule: as it should be, and with something odd in each of its places."""
    for rule in rules(app):
        names = re.findall(r"<(?:[^<>]*:)?(\w+)>", rule.rule)
        there = {name: known(rule.rule).get(name, "1") for name in names}
        odds = [{**there, name: quote_from_bytes(odd, safe="")} for name in names]
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            for places in (there, *odds):
                path = rule.rule
                for name, value in places.items():
                    path = re.sub(rf"<(?:[^<>]*:)?{name}>", quote_from_bytes(value.encode(), safe="%"), path)
                yield rule.rule, method, path


NAMES = ("after", "players", "player", "game", "since", "until", "way", "words", "code", "name", "version", "number")
WORDS = (
    "grid/0/0",
    "put",
    "change",
    "notes",
    "place",
    "day",
    "minutes",
    "add",
    "role",
    "typed/total",
    "zone",
    "corners",
)
NUMBERS = ("seat", "version", "club", "into", "board", "go", "up", "down", "order", "remove", "after", "play", "play.1")
FIELDS = (*NAMES, *WORDS, *NUMBERS)


def ask(device: Device, method: str, path: str, odd: bytes, fields: Sequence[str] = FIELDS) -> TestResponse:
    text = quote_from_bytes(odd, safe="")
    query = "&".join(f"{name}={text}" for name in NAMES)
    if method == "GET":
        headers = {"If-None-Match": '"' + odd.decode("latin-1").replace("\r\n", "") + '"', "Last-Event-ID": MANY_DIGITS}
        return device.client.get(f"{path}?{query}", headers=headers)
    token = re.search(r'name="csrf_token" value="([^"]+)"', device.page)
    body = "&".join([*(f"{name}={text}" for name in fields), urlencode({"csrf_token": token[1] if token else ""})])
    kind = "application/x-www-form-urlencoded"
    return device.client.open(path, method=method, data=body, content_type=kind, headers={"X-Tidemark": "part"})


@pytest.fixture
def strict(app: Flask) -> Flask:
    """A page that fails shows it here, as it does not where people are."""
    app.config["PROPAGATE_EXCEPTIONS"] = True
    return app


def save_one(db: Database, club: int) -> str:
    example = next(one for one in EXAMPLES if one.game.id == "tiny_towns")
    return saved_plays.key_of(db, plays.save(db, club, example.record, score(example.record)))


class Blind:
    """In the place of the processes that read photos: it takes the bytes and finds nothing on them."""

    def look(self, source: bytes | Callable[[], bytes], *_: object, **__: object) -> Look:
        if callable(source):
            source()
        return Look(Reading(), None, ())

    def read(self, source: bytes | Callable[[], bytes], *_: object, **__: object) -> dict[str, Any]:
        return self.look(source).reading.to_json()


@dataclass
class Scene:
    """A club with a table, a saved game and photos of both; whatever is done to it, it can be had again as it was."""

    db: Database
    kept: Snapshot | SnapshotOfTables
    known: dict[str, dict[str, str]]  # by how the address begins, what stands in its places

    def of(self, rule: str) -> dict[str, str]:
        return {
            name: value
            for start, places in self.known.items()
            if rule.startswith(start)
            for name, value in places.items()
        }


@pytest.fixture
def scene(strict: Flask, laid: Laid, db: Database, club: int) -> Scene:
    strict.extensions["photos"] = Blind()
    strict.extensions["attempts"].allow = lambda *_: True  # limits would hide what comes behind them
    play, table = save_one(db, club), laid.path.removeprefix("/tables/")
    square = Square("cottage", 0.9)
    board = Board(((0, 0), (9, 0), (9, 9), (0, 9)), 0.9, ((square,) * 4,) * 4)
    photo = photos.store(db, laid.table(), Look(Reading("a.jpg", (9, 9), [board]), b"jpeg", (b"jpeg",)), seat=0)
    sample = {"key": "s", "club_id": club, "game": "tiny_towns", "boards": "[]", "jpeg": b"jpeg"}
    db.insert("samples", **sample, created_at="2026-11-20T20:00:00Z", permitted_at="2026-11-20T21:00:00Z")
    places = {
        "": {"game_id": "tiny_towns", "number": "0", "kind": "json", "name": "tiny_towns", "game": "tiny_towns"},
        "/plays": {"key": play, "number": "1"},
        "/players": {"number": "1", "other": "2"},
        "/club": {"number": "1", "role": "viewer", "key": laid.room.key},
        "/rooms": {"key": laid.room.key},
        "/tables": {"key": table, "code": laid.room.code},
        "/photos": {"photo_key": photo},
        "/photo/": {"name": "tiny_towns"},
        "/join": {"token": clubs.links(db, club)["member"]},
        "/at": {"token": laid.room.link},
        "/stats": {"year": "2026"},
        "/data": {"person_id": "1", "key": imports.begin(db, club), "sample_key": "s"},
    }
    return Scene(db, snapshot(db), places)


# An owner comes to all pages; a database can refuse only what comes that far, and letters that are none.
NO_LETTERS = {"nul", "half a letter", "many digits"}
VISITS = [
    *(
        pytest.param("owner", odd, id=f"owner-{name}", marks=[] if name in NO_LETTERS else pytest.mark.either)
        for name, odd in ODD.items()
    ),
    *(
        pytest.param(role, ODD[name], id=f"{role}-{name}", marks=pytest.mark.either)
        for role, name in (("", "nul"), ("", "no utf-8"), ("", "many digits"), ("viewer", "nul"), ("member", "nul"))
    ),
]


@pytest.mark.parametrize(("role", "odd"), VISITS)
def test_every_page_bears_every_value(
    strict: Flask, device: Callable[[str], Device], scene: Scene, role: str, odd: bytes
) -> None:
    """Also those that end something: after every one that changes anything, all is put back as it was."""
    guest = device(role)
    scene.kept = snapshot(scene.db)  # with the device in it
    cookies = dict(guest.client._cookies or {})
    found = set()
    for rule, method, path in addresses(strict, scene.of, odd):
        answer = ask(guest, method, path, odd)
        answer.close()
        if answer.status_code != 404:
            found.add(rule)
        assert answer.status_code < 500 or answer.status_code == 503, f"{method} {path[:200]}: {answer.status_code}"
        if method != "GET":
            scene.kept.put_back()
            guest.client._cookies = dict(cookies)
    if role == "owner":
        ending = re.compile("/photos/|/(photo|delete|leave|end|forget|remove)$|/(join|at|renew)/<")
        missed = {rule.rule for rule in rules(strict) if ending.search(rule.rule)} - found
        assert missed <= NOT_HERE, "the walk has nothing there that it could change"


class Asked(ImmutableMultiDict[str, str]):
    """The fields of a form, and the names of all that a page has asked a form for."""

    names: ClassVar[set[str]] = set()

    def __contains__(self, key: object) -> bool:
        self.names.add(str(key))
        return super().__contains__(key)

    def __getitem__(self, key: str) -> str:
        self.names.add(key)
        return super().__getitem__(key)

    def getlist(self, key: str, *how: Any, **more: Any) -> Any:
        self.names.add(key)
        return super().getlist(key, *how, **more)

    def __iter__(self) -> Iterator[str]:
        self.names.update(NUMBERS, {"put"})
        return super().__iter__()

    def items(self, multi: bool = False) -> Any:
        self.names.update(NUMBERS, {"put"})
        return super().items(multi)


# Only 30 digits come as far as the database: Python refuses to read more than 4,300.
@pytest.mark.parametrize(
    "digits", [DIGITS, pytest.param(MANY_DIGITS, marks=pytest.mark.either)], ids=["thirty", "many"]
)
def test_every_form_bears_every_number(
    strict: Flask, owner: Device, scene: Scene, digits: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One field at a time: among many the first that is refused would hide the others. None that a page ignores."""
    monkeypatch.setattr(strict.request_class, "parameter_storage_class", Asked)
    scene.kept = snapshot(scene.db)
    cookies = dict(owner.client._cookies or {})
    steps = [json.dumps([f"grid/{where}{digits}", "cottage"]) for where in ("", "^", "0/")]
    posts = {path for _, method, path in addresses(strict, scene.of, b"1") if method == "POST"}
    sent = 0
    for path in sorted(posts):
        Asked.names.clear()
        for field, value in (("", ""), *((name, digits) for name in NUMBERS), *(("put", step) for step in steps)):
            if field and field not in Asked.names:
                continue
            token = re.search(r'name="csrf_token" value="([^"]+)"', owner.page)
            assert token is not None
            answer = owner.client.post(path, data={field: value, "csrf_token": token[1]})
            assert answer.status_code < 500, f"{path} {field}"
            sent += bool(field)
            scene.kept.put_back()
            owner.client._cookies = dict(cookies)
    assert sent > 40


@pytest.mark.either
@pytest.mark.parametrize("where", ["seats/0", "facts", "setup", "companion"])
@pytest.mark.parametrize("put", [["y" * 101, 1], ["y", [0] * 6_000], ["y", [[0] * 70] * 70], ["y/-", [0] * 90] * 60])
def test_nobody_can_put_so_much_on_a_table_that_it_does_not_open(
    strict: Flask, laid: Laid, where: str, put: list[Any]
) -> None:
    for path in (where, "seats/1"):
        laid.member.post(f"{laid.path}/{path}", {"put": json.dumps(put)})
    for path in ("seats/0", "facts", "setup", "companion", "result", "seats"):
        laid.member.get(f"{laid.path}/{path}")


@pytest.mark.either
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
ONE_OF_EACH = [
    pytest.param(example, id=str(example), marks=[] if game == "tiny_towns" else pytest.mark.either)
    for game, example in FIRST.items()
]
VALUES: tuple[Any, ...] = (0.5, 1e308, -1, True, None, "\ud800", "a\0", [], {}, [[]], {"\ud800": "\ud800"}, 10**30)


@pytest.mark.parametrize("example", ONE_OF_EACH)
def test_a_table_bears_every_value_where_another_belongs(
    strict: Flask, member: Device, db: Database, club: int, example: Example
) -> None:
    """As an older program or a file may have left it there."""
    record = example.record
    key = tables.add(db, club, example.game, record.get("table", {}), [player["name"] for player in record["players"]])
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


@pytest.mark.either
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
