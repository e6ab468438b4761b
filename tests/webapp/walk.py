"""Visit all pages: every view, every game at several stages, refused requests, and addresses without a page."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from webapp.database import connect

NAMES = ("Ζωή", "Ёж", "Ωß")  # no letter of a name is one that an English sentence could have
PHOTO = Path(__file__).parent.parent / "vision" / "photos" / "00.jpg"
PRESSES = 60  # buttons of a page that are tried
GAMES = ("tiny_towns", "old_london_bridge", "copenhagen", "tenby", "pier_18")


@dataclass(frozen=True, slots=True)
class Page:
    """Hold an answer and how the walk reached it."""

    name: str
    status: int
    kind: str  # "text/html"
    text: str


@dataclass
class Form(HTMLParser):
    """Hold the fields of the page's form `entry` as a browser would post them, and its buttons."""

    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    options: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Form:
        form = cls()
        HTMLParser.__init__(form)
        form.inside, form.chosen = "", False
        form.feed(text)
        form.fields = [pair for pair in form.fields if pair[0] not in {"version", "come"}]  # on whatever stands there
        return form

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        name = given.get("name", "")
        if tag == "select" and name:
            self.inside, self.chosen = name, False
            self.options[name] = []
            self.fields.append((name, ""))
        elif tag == "option" and self.inside:
            self.options[self.inside].append(given.get("value", ""))
            if "selected" in given or not self.chosen:
                self.fields[-1] = (self.inside, given.get("value", ""))
            self.chosen = self.chosen or "selected" in given
        elif tag == "button" and name and "disabled" not in given:
            self.buttons.append((name, given.get("value", "")))
        elif tag in {"input", "textarea"} and name and given.get("form") != "none":
            if given.get("type") in {"radio", "checkbox"}:
                self.options.setdefault(name, []).append(given.get("value", "y"))
                if "checked" in given:
                    self.fields.append((name, given.get("value", "y")))
            elif given.get("type") != "file":
                self.fields.append((name, given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.inside = ""


@dataclass
class Hand:
    """Act as a device. Each answer that it gets is a page of the walk."""

    client: FlaskClient
    pages: list[Page]
    who: str
    below: str = ""  # the path that the app lies below; the walk itself knows nothing of it
    page: str = ""

    def get(self, path: str) -> str:
        answer = self.client.get(self.below + path, follow_redirects=True)
        self.page = self._text(answer) if (answer.mimetype or "").startswith("text/") else ""
        self._saw(f"{self.who} GET {path}", answer)
        return self.page

    def post(self, path: str, data: Any = None, **kwargs: Any) -> str:
        """Post with the token of the page opened last, and follow redirects. Return the final address."""
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.page)
        pairs = dict(data or {})
        pairs["csrf_token"] = token[1] if token else ""
        answer = self.client.post(self.below + path, data=pairs, **kwargs)
        short = {name: value for name, value in pairs.items() if name in {"put", "open", "go", "drop", "add", "new"}}
        self._saw(f"{self.who} POST {path} {json.dumps(short, ensure_ascii=False)}", answer)
        if answer.mimetype == "text/html" and answer.status_code < 300:
            self.page = self._text(answer)
        location = answer.location or ""
        assert not location.startswith("/") or location.startswith(f"{self.below}/"), location
        return location.removeprefix(self.below)

    def _text(self, answer: Any) -> str:
        text: str = answer.get_data(as_text=True)
        return text.replace(f"{self.below}/", "/") if self.below else text

    def _saw(self, name: str, answer: Any) -> None:
        if answer.status_code not in {301, 302, 303, 308}:
            text = answer.get_data(as_text=True) if answer.mimetype not in {"image/jpeg", "image/png"} else ""
            self.pages.append(Page(name, answer.status_code, answer.mimetype, text))


def walk(app: Flask, plays: int = 3, below: str = "", without: Collection[str] = ()) -> Iterator[Page]:
    """Yield every page. `plays` games of each title are visited in the first club.

    `below` is the path that the app is mounted at. The steps named in `without` are left out.
    """
    with closing(connect(app.config["DATABASE"])) as db:
        tokens: dict[str, str] = dict(db.execute("SELECT role, token FROM links WHERE club_id = 1").fetchall())
        keys: dict[str, list[str]] = {game: [] for game in GAMES}
        for game, key in db.execute("SELECT game, key FROM plays ORDER BY id"):
            keys[game].append(key)
    pages: list[Page] = []

    def hand(role: str) -> Hand:
        made = Hand(app.test_client(), pages, role or "stranger", below)
        if role:
            made.get(f"/join/{tokens[role]}")
            made.post(f"/join/{tokens[role]}")
        return made

    for step in (outside, around, history, exchange, tables, phones, photos, refusals):
        if step.__name__ in without:
            continue
        step(hand, {game: found[:plays] for game, found in keys.items()})
        yield from pages
        pages.clear()


def outside(hand: Any, keys: Mapping[str, list[str]]) -> None:
    stranger = hand("")
    for path in (
        "/",
        "/join",
        "/join?code=ABCDEF",
        "/offline",
        "/manifest.webmanifest",
        "/nowhere",
        "/plays",
        "/rooms/x/tv",
    ):
        stranger.get(path)


def around(hand: Any, keys: Mapping[str, list[str]]) -> None:
    for role in ("viewer", "member", "owner"):
        who = hand(role)
        for path in (
            "/",
            "/club",
            "/plays",
            "/players",
            "/data",
            "/stats",
            "/stats/how",
            "/stats/achievements",
            "/cards/tenby",
        ):
            who.get(path)


def history(hand: Any, keys: Mapping[str, list[str]]) -> None:
    owner = hand("owner")
    owner.get("/stats")
    for year in sorted(set(re.findall(r'href="(/stats/years/\d+)"', owner.page))):
        owner.get(year)
    for game in GAMES:
        owner.get(f"/stats/games/{game}")
        links = re.findall(r'class="chip"(?: aria-current="true")? href="([^"]+)"', owner.page)
        for link in dict.fromkeys(links[:12]):
            owner.get(link.replace("&amp;", "&"))
    for number in range(1, 5):
        owner.get(f"/players/{number}")
        owner.get(f"/players/{number}/against/{number + 1}")
    owner.get("/plays?words=evening")
    owner.get("/plays?players=9")
    owner.get("/plays?game=copenhagen&players=2")
    for found in keys.values():
        for key in found:
            owner.get(f"/plays/{key}")
            owner.get(f"/plays/{key}/sheet")
    key = next(found[0] for found in keys.values() if found)
    owner.get(f"/plays/{key}")
    owner.post(f"/plays/{key}/notes", {"notes": "!", "place": "Ö", "minutes": "75", "day": "2024-02-29"})
    owner.post(f"/plays/{key}/delete")
    owner.get(f"/plays/{key}")
    owner.post(f"/plays/{key}/restore")
    owner.get(f"/plays/{key}")
    owner.get("/players/1")
    for name in ("Ζωή", "Ω" * 41, "Äß"):
        owner.post("/players/1/name", {"name": name})
        owner.get("/players/1")
    owner.post("/players/1/merge", {"into": "2"})
    owner.get("/players/1")


CSV = """play,date,game,player,points,place,winner,lines,at,minutes,notes
1,2026-01-31,Tiny Towns,Ζωή,28,1,1,,,45,
1,2026-01-31,Tiny Towns,Ёж,24,2,0,,,45,
2,2026-01-31,Chess,Ёж,24,2,0,,,45,
"""
BOX = {"format": "tidemark card box", "game": "tenby", "version": 1, "town_cards": [{"name": "Æ", "deck": "castle"}]}


def exchange(hand: Any, keys: Mapping[str, list[str]]) -> None:
    owner = hand("owner")

    def bring(content: str, name: str = "x", path: str = "/data", field: str = "file") -> str:
        owner.get(path)
        sent = {field: (io.BytesIO(content.encode()), name)}
        target = "/data/import" if field == "file" else f"{path}/file"
        return str(owner.post(target, sent, content_type="multipart/form-data"))

    owner.get("/data")
    example = owner.client.get(f"{owner.below}/data/example.csv").get_data(as_text=True)
    for name, other in zip(("Ann", "Bob", "Cid", "At home", "Pier 18"), (*NAMES, "Ö", "Ø"), strict=True):
        example = example.replace(name, other)
    whole = owner.client.get(f"{owner.below}/data/export/json").get_data(as_text=True)
    stats = owner.client.get(f"{owner.below}/data/export/bgstats").get_data(as_text=True)
    for name, content in {"a.csv": example, "b.json": whole, "c.bgsplay": stats}.items():
        where = bring(content, name)
        if where:
            owner.get(where)
            owner.post(where, dict(Form.of(owner.page).fields))
    spoiled = (
        whole.replace('"total"', '"totals"'),
        whole.replace('"game"', '"games"'),
        whole.replace("2026-", "20x6-"),
    )
    for content in ("", "{", "{}", "a,b\n1,2\n", CSV, '{"tidemark": 99}', "[" * 10**5, *spoiled):
        bring(content)
    owner.get("/data/rescore")
    owner.get("/data/rescore?after=9")
    for content in ("{", json.dumps(BOX), "{}"):
        bring(content, path="/cards/tenby", field="box")


def tables(hand: Any, keys: Mapping[str, list[str]]) -> None:
    for game in GAMES:
        host = hand("owner")
        host.get("/")
        laid = host.post("/tables", {"game": game}).removesuffix("/setup")
        host.get(f"{laid}/setup")
        for _ in range(8):  # whoever played last
            host.post(f"{laid}/setup", {"remove": "0"})
        host.post(f"{laid}/setup", {"go": "start"})
        for name in (*NAMES, NAMES[0], "x" * 41, *(f"Þ{number}" for number in range(8))):
            host.post(f"{laid}/setup", {"new": name})
        host.get(f"{laid}/setup")
        for number in range(8, 1, -1):
            host.post(f"{laid}/setup", {"remove": str(number)})
        press(host, f"{laid}/setup", f"{laid}/setup")
        disturb(host, f"{laid}/setup", f"{laid}/setup")
        for page in ("seats/0", "facts", "result", "companion", "seats"):
            host.get(f"{laid}/{page}")
        press(host, f"{laid}/companion", f"{laid}/companion")
        press(host, f"{laid}/seats/0", f"{laid}/seats/0")
        disturb(host, f"{laid}/seats/0", f"{laid}/seats/0")
        host.post(f"{laid}/seats/1", {"put": '["typed", {}]'})
        host.get(f"{laid}/seats/1")
        disturb(host, f"{laid}/seats/1", f"{laid}/seats/1")
        disturb(host, f"{laid}/facts", f"{laid}/facts")
        host.get(f"{laid}/result")
        host.get("/")
        host.post(f"{laid}/clear")
        for key in keys[game]:
            host.get(f"/plays/{key}")
            corrected = host.post(f"/plays/{key}/edit").removesuffix("/seats/0")
            at_the_table(host, corrected)
            host.get(f"{corrected}/result")
            host.post(f"{corrected}/save")
            host.get(f"/plays/{key}")
            host.get(f"/plays/{key}/versions/1")
        for key in keys[game][:1]:
            host.get(f"/plays/{key}")
            again = host.post(f"/plays/{key}/again")
            host.get(again)


def at_the_table(host: Hand, table: str) -> None:
    for page in ("setup", "seats/0", "seats/1", "facts", "companion", "result"):
        host.get(f"{table}/{page}")
    for page in ("setup", "seats/0"):
        press(host, f"{table}/{page}", f"{table}/{page}")
    answers = Form.of(host.get(f"{table}/result")).fields
    if any(name.startswith("/") for name, _ in answers):
        host.post(f"{table}/answers", {name: "5" for name, _ in answers if name.startswith("/")})
        host.get(f"{table}/result")


def press(host: Hand, show: str, path: str) -> None:
    """Press each button of the form that opens or adds something, and visit what then opens."""
    form = Form.of(host.get(show))
    done = 0
    for name, value in dict.fromkeys(form.buttons):
        if name in {"open", "pick"} and done < PRESSES:
            done += 1
            host.post(path, {**dict(form.fields), name: value}, headers={"X-Tidemark": "part"})
            inner = Form.of(host.page)
            for deeper, what in dict.fromkeys(inner.buttons):
                if deeper in {"open"} and (deeper, what) not in form.buttons and done < PRESSES:
                    done += 1
                    host.post(path, {**dict(inner.fields), deeper: what}, headers={"X-Tidemark": "part"})
    for name, value in dict.fromkeys(form.buttons):
        if name == "put" and done < PRESSES and "typed" not in value:
            done += 1
            host.post(path, {**dict(form.fields), name: value}, headers={"X-Tidemark": "part"})
    host.get(show)


def disturb(host: Hand, show: str, path: str) -> None:
    """Post other values in all fields: the last choices, the first, and text instead of numbers."""
    for turn in range(3):
        form = Form.of(host.get(show))
        changed = dict(form.fields)
        for name in [*changed, *form.options]:
            if name in {"csrf_token", "version", "player", "new", "change"} or name.startswith("palette"):
                continue
            choices = form.options.get(name)
            if choices:
                changed[name] = choices[-1 if turn == 0 else len(choices) // 2 if turn == 1 else 0]
            else:
                changed[name] = ("99", "?", "3")[turn]
        host.post(path, changed, headers={"X-Tidemark": "part"})
    host.get(show)


def phones(hand: Any, keys: Mapping[str, list[str]]) -> None:
    host, guest, screen = hand("member"), hand(""), hand("")
    host.get("/")
    laid = host.post("/tables", {"game": "tiny_towns"}).removesuffix("/setup")
    for _ in range(8):
        host.post(f"{laid}/setup", {"remove": "0"})
    for name in NAMES:
        host.post(f"{laid}/setup", {"add": name})
    host.get(f"{laid}/seats")
    host.post(f"{laid}/open")
    host.get(f"{laid}/seats")
    links = re.findall(r'href="(?:http://localhost)?(/at/[^"]+)"', host.page)
    [code] = re.findall(r'<strong class="code">(\w{6})</strong>', host.page)
    for link in dict.fromkeys(links):
        hand("").get(link)
    guest.get(links[0])
    guest.post(links[0], {"seat": "1"})
    guest.get(f"{laid}/seats/1")
    hand("").get(links[0])
    screen.get("/join")
    screen.post("/join", {"code": code})
    screen.get("/join/waiting")
    host.get(f"{laid}/seats")
    for way in re.findall(r'action="([^"]+/accept/[^"]+)"', host.page):
        host.post(way)
    tv = hand("")
    [address] = re.findall(r'data-address="http://localhost([^"]+)"', tv.get("/tv"))
    for who in (hand(""), host):
        who.get(address)
    host.post(address, {"room": re.findall(r'name="room" value="([^"]+)"', host.page)[0]})
    tv.get("/tv")
    for number in (0, 2):
        host.get(f"{laid}/seats/{number}")
        host.post(f"{laid}/seats/{number}", {f"grid/0/{number}": "cottage"})
    host.get(f"{laid}/result")
    part = {"headers": {"X-Tidemark": "part"}}
    guest.get(f"{laid}/seats/1")
    guest.post(f"{laid}/seats/1", {"version": "1", "grid/0/0": "cottage"}, **part)
    guest.get(f"{laid}/seats/2")
    guest.post(f"{laid}/seats/2", {"version": "1", "grid/0/0": "farm"}, **part)
    guest.get(f"{laid}/seats/2")
    guest.post(f"{laid}/seats/2/settle", {"keep": "mine", "version": "2"})
    for who, page in ((host, "seats/1?moved="), (guest, "seats"), (guest, "result"), (host, "result"), (host, "facts")):
        who.get(f"{laid}/{page}")
    answers = [name for name, _ in Form.of(host.get(f"{laid}/result")).fields if name.startswith("/")]
    host.post(f"{laid}/answers", {name: str(number) for number, name in enumerate(answers)})
    host.get(f"{laid}/result")
    host.post(f"{laid}/reveal")
    for who in (host, guest):
        who.get(f"{laid}/result")
    tv.get("/tv")
    guest.get(f"{laid}/events")
    host.post(f"{laid}/save")
    guest.get(f"{laid}/result")


def photos(hand: Any, keys: Mapping[str, list[str]]) -> None:
    host = hand("owner")
    host.get("/")
    laid = host.post("/tables", {"game": "tiny_towns"}).removesuffix("/setup")
    host.get(f"{laid}/seats/0/photo")
    for content in (b"", PHOTO.read_bytes()):
        sent = {"photo": (io.BytesIO(content), "board.jpg")}
        where = host.post(f"{laid}/seats/0/photo", sent, content_type="multipart/form-data")
    key = re.search(r"/photos/([^/]+)/0.jpg", host.get(where))
    assert key is not None
    host.post(f"/photos/{key[1]}/corners", {"corners": "[[1,1],[9,1],[9,9],[1,9]]"})
    host.get(where)
    host.post(where, {"go": "0", "keep": "1"})
    host.get(f"{laid}/seats/0")
    host.get("/photo/tiny_towns")
    host.get(f"{laid}/photo")
    sent = {"photo": (io.BytesIO(PHOTO.read_bytes()), "table.jpg")}
    where = host.post("/photo/tiny_towns", sent, content_type="multipart/form-data")
    page = host.get(where)
    found = re.search(r'name="whose/([^"]+)"', page)
    assert found is not None
    host.post(where, {"go": "result"})
    host.get(f"{where}?asked=1")
    host.post(where, {f"whose/{found[1]}": "nobody"})
    host.post(where, {"new": NAMES[0], "add": found[1]})
    host.get(where)


def refusals(hand: Any, keys: Mapping[str, list[str]]) -> None:
    viewer, stranger = hand("viewer"), hand("")
    viewer.get("/club")
    viewer.post("/tables", {"game": "tiny_towns"})
    viewer.page = ""
    viewer.post("/club/leave")
    stranger.get("/join")
    for attempt in range(25):
        stranger.post("/join", {"code": f"AB{attempt:04}"})
