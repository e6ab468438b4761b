"""Tidemark below a path of its address, such as https://home.example/tidemark, behind both kinds of proxy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urljoin, urlsplit

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.conftest import ROOT
from tests.documents import blocks
from tests.webapp import walk
from tests.webapp.conftest import come_in, follow, paint, seat_players, until
from tests.webapp.engines import place
from tests.webapp.test_server import free_port, wait_for
from tests.webapp.visitor import Visitor
from webapp import clubs, create_app, settings
from webapp.cli import demo
from webapp.clubs import quotas
from webapp.database import Database, connect
from webapp.front import Front, listening
from webapp.operator_errors import BadSetting

pytestmark = pytest.mark.either

PATH = "/tidemark"
# `handle_path` removes the path, `handle` passes it on. Everything outside of it belongs to another program.
CADDYFILE = """{
	admin off
	auto_https off
}
http://127.0.0.1:%(public)d {
%(shown)s
	handle {
		respond "another program" 410
	}
}
"""
# What may hold something that begins with a slash and is no address: where in a record a value stands.
NO_ADDRESS = {"name", "value", "id", "for", "form", "data-where", "aria-describedby", "aria-labelledby", "d"}


@pytest.fixture
def public() -> str:
    """The address that people use."""
    return f"http://127.0.0.1:{free_port()}{PATH}"


@pytest.fixture
def app(tmp_path: Path, public: str) -> Iterator[Flask]:
    config = {"DATABASE": place(tmp_path / "test.db"), "SECRET_KEY": "for the tests", "PROXY": 1}
    made = create_app({**config, "PUBLIC_URL": f"{public}/", "TESTING": True})
    yield made
    made.extensions["connections"].close()


@pytest.fixture
def site(request: pytest.FixtureRequest, app: Flask, public: str, tmp_path: Path) -> Iterator[str]:
    """The public address, with Caddy in front."""
    door = listening("127.0.0.1", 0)
    front = Front(app, app.extensions["proxies"])
    thread = threading.Thread(target=front.run, args=[door])
    thread.start()
    kind = getattr(request, "param", "handle")
    [shown] = blocks(ROOT / "docs" / "servers" / "path.md", "caddyfile")
    shown = shown.replace("127.0.0.1:8000", f"127.0.0.1:{door.getsockname()[1]}").replace("handle_path", kind)
    written = CADDYFILE % {"public": urlsplit(public).port, "shown": shown}
    (tmp_path / "Caddyfile").write_text(written, encoding="utf-8")
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with (tmp_path / "caddy").open("w") as said:
        caddy = subprocess.Popen(
            ["caddy", "run", "--config", tmp_path / "Caddyfile", "--adapter", "caddyfile"],
            env=os.environ | home,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    try:
        yield wait_for(public, caddy)
    finally:
        caddy.kill()  # asked to end, it would wait for the phones' streams to close
        caddy.wait(60)
        front.stop()
        thread.join()


class Addresses(HTMLParser):
    """Every address that a page names, whatever the attribute."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value and name not in NO_ADDRESS and re.match(r"/\S*$|http://127|http://localhost", value):
                self.found.append(value)
                if (tag, name) == ("a", "href"):
                    self.links.append(value)


def escaping(page: str) -> list[str]:
    """The page's addresses on this host that lie outside of the path."""
    return [one for one in Addresses(page).found if not f"{urlsplit(one).path}/".startswith(f"{PATH}/")]


# -- what is accepted ---


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("https://home.example/tidemark", True),
        ("https://home.example/a/b-2/", True),
        ("https://home.example/", True),
        ("https://home.example//a", False),
        ("https://home.example/a/../b", False),
        ("https://home.example/a;b", False),
        ("https://home.example/a b", False),
    ],
)
def test_which_paths_an_address_may_have(text: str, fine: bool) -> None:
    if fine:
        assert settings.of({"TIDEMARK_PUBLIC_URL": text}) == {"PUBLIC_URL": text}
    else:
        with pytest.raises(BadSetting, match=re.escape("https://home.example/tidemark")):
            settings.of({"TIDEMARK_PUBLIC_URL": text})


@pytest.mark.parametrize("path", ["plays", "static/x", "api", "join"])
def test_a_path_that_is_one_of_our_own_pages_is_refused(tmp_path: Path, path: str) -> None:
    """Nobody could tell whether a proxy has taken it off."""
    with pytest.raises(BadSetting, match=f"begin with /{path.partition('/')[0]}, which Tidemark uses"):
        create_app({"DATABASE": place(tmp_path / "t.db"), "PUBLIC_URL": f"https://home.example/{path}"})


# -- what it answers ---


def test_both_kinds_of_addresses_are_answered_with_the_public_one(app: Flask) -> None:
    client = app.test_client()
    for path in ("/", f"{PATH}/"):
        page = client.get(path).get_data(as_text=True)
        assert f'href="{PATH}/manifest.webmanifest"' in page and escaping(page) == []
    answer = client.get(f"{PATH}?code=A")
    assert (answer.status_code, answer.headers["Location"]) == (308, f"{PATH}/?code=A")
    assert client.get(f"{PATH}more").status_code == 404
    for path in ("/healthz", "/readyz"):  # asked by machines beside it, which know no path
        assert client.get(path).status_code == 200


@pytest.mark.parametrize(("scheme", "name"), [("http", "tidemark"), ("https", "__Secure-tidemark")])
def test_the_cookie_stays_below_the_path(app: Flask, db: Database, club: int, scheme: str, name: str) -> None:
    """A browser takes `__Host-` only for all paths of a host."""
    client, base = app.test_client(), f"{scheme}://localhost"
    invitation = f"{PATH}/join/{clubs.links(db, club)['member']}"
    page = client.get(invitation, base_url=base).get_data(as_text=True)
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token
    referrer = {"Referer": f"{base}{invitation}"}
    answer = client.post(invitation, base_url=base, data={"csrf_token": token[1]}, headers=referrer)
    assert answer.headers["Location"] == f"{PATH}/"
    [cookie] = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith(f"{name}=") and f"; Path={PATH};" in f"{cookie};"


def test_files_for_the_home_screen_and_for_programs_name_the_path(app: Flask) -> None:
    client = app.test_client()
    manifest = client.get(f"{PATH}/manifest.webmanifest").get_json(force=True)
    assert {manifest[name] for name in ("id", "scope", "start_url")} == {f"{PATH}/"}
    assert all(one["src"].startswith(f"{PATH}/static/") for one in manifest["icons"])
    assert [one["url"] for one in manifest["shortcuts"]] == [f"{PATH}/join"]
    worker = client.get(f"{PATH}/sw.js").get_data(as_text=True)
    [files] = re.findall(r"const FILES = (\[.*?\]);", worker)
    assert all(one.startswith(f"{PATH}/static/") for one in json.loads(files))
    assert f'const OFFLINE = "{PATH}/offline"' in worker and f'const VERSION = "{PATH}/static/' in worker
    assert client.get(f"{PATH}/api/v1/openapi.json").get_json()["servers"] == [{"url": f"{PATH}/api/v1"}]


def test_no_address_of_any_page_escapes_the_path(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "PRESSES", 6)
    with closing(connect(app.config["DATABASE"])) as db:
        demo.seed(db, 10)
    escaped, pages = set[tuple[str, str]](), 0
    try:
        for page in walk.walk(app, 1, PATH):
            pages += 1
            assert page.status < 500, page.name
            if page.kind == "text/html":
                escaped |= {(page.name, address) for address in escaping(page.text)}
    finally:
        if "photos" in app.extensions:
            app.extensions["photos"].close()
    assert pages > 150 and escaped == set()


# -- behind Caddy ---


@pytest.mark.parametrize("site", ["handle", "handle_path"], indirect=True)
def test_every_link_leads_to_a_page_behind_caddy(site: str, app: Flask, public: str) -> None:
    """From the invitation on, whatever a member can open without sending anything."""
    with closing(connect(app.config["DATABASE"])) as db:
        demo.seed(db, 6)
        first = clubs.first_club(db)
        assert first is not None
        invitation = f"{public}/join/{clubs.links(db, first)['owner']}"
    visitor = Visitor(public.removesuffix(PATH))
    visitor.come_in(invitation)
    assert visitor.at == f"{PATH}/club" or visitor.at == f"{PATH}/"
    assert {one.path for one in visitor.cookies} == {PATH}
    seen, wanted = set[str](), [f"{PATH}/"]
    while wanted and len(seen) < 150:
        address = wanted.pop(0)
        if address in seen:
            continue
        seen.add(address)
        try:
            page = visitor.open(address)
        except HTTPError as fault:
            raise AssertionError(f"{address}: {fault}") from fault
        if page.lstrip().startswith("<!doctype html>"):
            assert escaping(page) == [], address
            inside = [urlsplit(urljoin(public, link)) for link in Addresses(page).links]
            kinds = {re.sub(r"\d+|[\w-]{12}", "#", one): one for one in seen}
            wanted += [
                one.path
                for one in inside
                if one.netloc == urlsplit(public).netloc
                and not one.path.endswith("/bgstats")  # leads to another app
                and re.sub(r"\d+|[\w-]{12}", "#", one.path) not in kinds
            ]
    assert len(seen) > 20, seen


@pytest.mark.parametrize("site", ["handle_path"], indirect=True)
def test_a_game_is_played_and_seen_on_two_phones_below_a_path(
    phone: Callable[..., Page], db: Database, club: int, public: str
) -> None:
    page, asked = phone(service_workers="allow"), list[str]()
    come_in(page, f"{public}/join/{clubs.links(db, club)['member']}")
    page.on("request", lambda request: asked.append(request.url))
    scope = page.evaluate("navigator.serviceWorker.ready.then((found) => found.scope)")
    assert scope == f"{public}/"
    follow(page, '.game:has-text("Tiny Towns")')
    seat_players(page, "Ann", "Bob")
    follow(page, 'button:has-text("Invite other phones")')
    follow(page, 'button:has-text("Invite other phones")')
    page.wait_for_selector(".qr")
    link = page.get_attribute(".ways a.address", "href") or ""
    assert link.startswith(f"{public}/at/")

    other = phone()
    other.on("request", lambda request: asked.append(request.url))
    other.goto(link)
    follow(other, 'button:has-text("Bob")')
    other.wait_for_selector("[data-board]")
    paint(other, "Tavern", "A1")
    until(lambda: any(one.endswith("/events") for one in asked))
    expect(page.locator('[data-place="1"] .is-begun')).to_be_visible(timeout=15_000)  # heard by the stream
    assert all(one.startswith((f"{public}/", "data:", "blob:")) for one in asked), asked
    assert len(asked) > 20


def test_fields_of_a_form_that_could_not_be_saved_are_sent_below_the_path(
    app: Flask, db: Database, club: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise quotas.Full(quotas.full_of_plays())

    app.config["WTF_CSRF_ENABLED"] = False
    client = app.test_client()
    client.post(f"{PATH}/join/{clubs.links(db, club)['member']}")
    monkeypatch.setitem(app.view_functions, "setup.create", full)
    answer = client.post(f"{PATH}/tables?x=1", data={"game": "tiny_towns"})
    assert answer.status_code == 507
    assert f'action="{PATH}/tables?x=1"' in answer.get_data(as_text=True)
