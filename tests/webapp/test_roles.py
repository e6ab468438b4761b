"""Every address as every role: who gets where, what nobody else can change, and that the club's names leak nowhere.

The addresses come from the app itself: a new one fails here until it is said what it needs.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorer import games
from tests.webapp.conftest import Device, lay_towns
from tests.webapp.engines import place
from tests.webapp.plays import draft, towns
from tests.webapp.test_cardboxes import GULLS
from webapp import clubs, create_app
from webapp.database import Database, connect
from webapp.history import plays, stored
from webapp.table import cardboxes, phones, tables

# What an address needs: "" nothing, a place in the club (of the thing it names, or the one looked at), or a right at
# the table. "another's" is a seat that somebody else holds, which only the host touches; "nobody" has what is guessed.
NEEDS = {
    "api.describe": "",
    "api.list_games": "",
    "api.read_photo": "",
    "api.score_record": "",
    "cards.export": "viewer",
    "cards.put": "member",
    "cards.remove": "member",
    "cards.rename": "member",
    "cards.show": "viewer",
    "cards.take_in": "member",
    "club.call": "owner",
    "club.found": "nobody",
    "club.leave": "viewer",
    "club.remove": "owner",
    "club.rename": "owner",
    "club.renew": "owner",
    "club.send_away": "owner",
    "club.settle_zone": "owner",
    "club.show": "viewer",
    "club.switch": "viewer",
    "club.zones": "owner",
    "companion.change": "host",
    "companion.show": "host",
    "data.bring": "owner",
    "data.changes": "owner",
    "data.example": "viewer",
    "data.export": "member",
    "data.halt": "member",
    "data.person": "member",
    "data.sending": "member",
    "data.settle": "owner",
    "data.status": "owner",
    "data.stop": "owner",
    "data.score_again": "owner",
    "data.show": "viewer",
    "data.sqlite": "owner",
    "data.take_in": "owner",
    "ending.end": "owner",
    "ending.show": "owner",
    "evening.call_me": "enter",
    "evening.door": "host",
    "evening.end": "host",
    "evening.go_on": "host",
    "evening.hand_over": "enter",
    "evening.here": "watch",
    "evening.lay_beside": "host",
    "evening.leave": "watch",
    "evening.news": "watch",
    "evening.rename": "host",
    "evening.send_away": "host",
    "evening.set_pin": "host",
    "evening.show": "watch",
    "evening.take": "member",
    "example.change": "",
    "example.show": "",
    "health.metrics": "",
    "health.show": "",
    "health.ready": "",
    "home.enter": "nobody",
    "home.join": "nobody",
    "home.show": "",
    "join.accept": "nobody",
    "join.ask": "",
    "join.knock": "",
    "join.link": "nobody",
    "join.seat": "nobody",
    "join.sit_there": "nobody",
    "join.wait": "",
    "phones.claim": "enter",
    "phones.come": "watch",
    "phones.free": "another's",
    "phones.draw": "host",
    "phones.hand": "host",
    "phones.news": "watch",
    "phones.open_up": "host",
    "phones.seats": "watch",
    "phones.time": "host",
    "photo.begin": "nobody",
    "photo.change": "enter",
    "photo.corners": "nobody",
    "photo.look_over": "enter",
    "photo.of_game": "nobody",
    "photo.picture": "nobody",
    "photo.shoot": "another's",
    "photo.shoot_table": "host",
    "photo.take_away": "nobody",
    "photo.upload": "another's",
    "photo.upload_table": "host",
    "play.again": "member",
    "play.bgsplay": "viewer",
    "play.bgstats": "viewer",
    "play.delete": "member",
    "play.deleted": "member",
    "play.edit": "member",
    "play.listing": "viewer",
    "play.note": "member",
    "play.picture": "viewer",
    "play.restore": "member",
    "play.settle": "member",
    "play.sheet": "viewer",
    "play.show": "viewer",
    "play.version": "viewer",
    "players.against": "viewer",
    "players.forget": "owner",
    "players.listing": "viewer",
    "players.look": "member",
    "players.merge": "owner",
    "players.more": "viewer",
    "players.remove": "member",
    "players.rename": "member",
    "players.show": "viewer",
    "players.wear": "member",
    "result.again": "host",
    "result.answer": "host",
    "result.confirm": "host",
    "result.lift": "host",
    "result.picture": "watch",
    "result.save": "host",
    "result.show": "watch",
    "result.skip": "host",
    "setup.change": "host",
    "setup.clear": "host",
    "setup.lay": "member",
    "setup.look": "host",
    "setup.show": "host",
    "setup.wear": "host",
    "shell.manifest": "",
    "shell.offline": "",
    "shell.worker": "",
    "stats.boards_of": "viewer",
    "stats.cards_of": "viewer",
    "stats.company": "viewer",
    "stats.earned": "viewer",
    "stats.game": "viewer",
    "stats.how": "viewer",
    "stats.picture": "viewer",
    "stats.show": "viewer",
    "stats.year": "viewer",
    "table.boards": "another's",
    "table.change": "another's",
    "table.change_facts": "host",
    "table.empty": "another's",
    "table.facts": "host",
    "table.settle": "another's",
    "table.show": "another's",
    "tv.find": "",
    "tv.show": "",
}
IN_CLUB, AT_TABLE = ("viewer", "member", "owner"), ("watch", "enter", "host")

# Of each role: its place in the club, its right at the open table, and its place in another club.
ROLES = {
    "stranger": ("", "", ""),
    "guest who watches": ("", "watch", ""),
    "guest who enters": ("", "enter", ""),
    "guest who hosts": ("", "host", ""),
    "viewer": ("viewer", "watch", ""),
    "viewer who hosts": ("viewer", "host", ""),
    "member": ("member", "enter", ""),
    "owner": ("owner", "host", ""),
    "owner of another club": ("", "", "owner"),
    "owner of another club who hosts": ("", "host", "owner"),
}
OF_THE_CLUB = ("Zanzibar", "Quillfeather", "Ravenna", "Marmalade Lane", "Whispered", "Gull house", "Edwina’s phone")
AT_THE_TABLE = ("Annabel", "Bobbie")


@dataclass
class House:
    """A club with a history and an open table, and a device in the role that is tried."""

    app: Flask
    db: Database
    club: int
    table: str
    play: str
    device: Device

    def address(self, rule: Rule) -> str:
        """Where the rule leads, at the things of the club."""
        endpoint = rule.endpoint
        table = tables.find(self.db, self.table)
        assert table is not None
        number = {"players": 1, "club": 1, "play": 1}.get(endpoint.partition(".")[0], 0)
        values: dict[str, Any] = {
            "key": self.key(endpoint, table),
            "name": "2026" if endpoint in {"stats.year", "stats.picture"} else "tenby",
            "number": number,
            "other": 2,
            "role": "viewer",
            "mark": "0" * 16,
            "token": "guessed",
            "code": table.code,
            "kind": "json",
            "photo_key": "guessed",
            "ticket": "guessed",
            "person_id": 1,
            "sign": "ABC",
            "shape": "wide",
        }
        built = rule.build({name: values[name] for name in rule.arguments})
        assert built is not None
        return built[1]

    def key(self, endpoint: str, table: tables.Table) -> str:
        """That of the game, the room or the table, whichever the address means."""
        assert table.room is not None
        return {"play": self.play, "evening": table.room.key}.get(endpoint.partition(".")[0], self.table)

    def kept(self) -> dict[str, list[Any]]:
        """All that the club has, but for when somebody was seen."""
        of_club = {
            "clubs": "id = ?", "links": "club_id = ?", "players": "club_id = ?", "remembered": "club_id = ?",
            "box_cards": "club_id = ?", "all_plays": "club_id = ?", "tables": "club_id = ?", "audit_log": "club_id = ?",
            "devices": "club_id = ?", "room_links": "room_id IN (SELECT id FROM rooms WHERE club_id = ?)",
            "seats": "table_id IN (SELECT id FROM tables WHERE club_id = ?)",
            "rooms": "club_id = ?",
            "phones": "room_id IN (SELECT id FROM rooms WHERE club_id = ?) AND role <> 'knock'",
        }  # fmt: skip
        rows: dict[str, list[Any]] = {}
        for name, where in of_club.items():
            found = self.db.query(f"SELECT * FROM {name} WHERE {where}", [self.club])
            rows[name] = [{key: value for key, value in row.items() if key != "seen_at"} for row in found]
        return rows


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Callable[[str], House]]:
    path = tmp_path / "house.db"
    app = create_app(
        {"DATABASE": place(path), "TESTING": True, "WTF_CSRF_ENABLED": False, "SECRET_KEY": "for the tests of roles"}
    )
    db = connect(app.config["DATABASE"])
    club, other = clubs.found(db, "Zanzibar"), clubs.found(db, "Elsewhere")

    def joined(role: str, club_id: int, device: Device | None = None) -> Device:
        made = device or Device(app.test_client())
        made.client.post(f"/join/{clubs.links(db, club_id)[role]}")
        return made

    def build(role: str) -> House:
        place, right, elsewhere = ROLES[role]
        keeper = joined("member", club)
        keeper.post("/club/devices/1/name", {"name": "Edwina’s phone"})
        new = draft(towns({"Quillfeather": 4, "Ravenna": 2}), place="Marmalade Lane", notes="Whispered")
        [number] = plays.save_all(db, club, [new])
        tenby = games.find("tenby")
        assert tenby is not None
        cardboxes.describe(db, club, tenby, "town_cards", GULLS)
        key = tables.lay(db, club, tenby, {}, list(AT_THE_TABLE))
        keeper.post(f"/tables/{key}/open")
        keeper.post(f"/tables/{key}/seats/0/claim")
        keeper.post(f"/plays/{stored.key_of(db, number)}/notes", {"day": "2026-01-02", "notes": "Whispered"})
        device = Device(app.test_client())
        if place:
            joined(place, club, device)
        if elsewhere:
            joined(elsewhere, other, device)
        table = tables.find(db, key)
        assert table is not None and table.room is not None
        if right and (not place or role == "viewer who hosts"):
            device.client.post(f"/at/{phones.links(db, table.room)[right]}")
        return House(app, db, club, key, stored.key_of(db, number), device)

    yield build
    db.close()


def rules(app: Flask, method: str) -> list[Rule]:
    """Those who leave come last."""
    found = [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ()) and rule.endpoint != "static"]
    return sorted(found, key=lambda rule: (rule.endpoint.endswith(".leave"), rule.endpoint))


def gets_in(role: str, endpoint: str) -> bool:
    place, right, elsewhere = ROLES[role]
    needed = NEEDS[endpoint]
    if needed in IN_CLUB:
        has = place if names_something(endpoint) else max(place, elsewhere, key=lambda one: ("", *IN_CLUB).index(one))
        return has in IN_CLUB and IN_CLUB.index(has) >= IN_CLUB.index(needed)
    if needed == "another's":
        return right == "host"
    if needed in AT_TABLE:
        return right in AT_TABLE and AT_TABLE.index(right) >= AT_TABLE.index(needed)
    return needed == ""


def names_something(endpoint: str) -> bool:
    """Whether the address says which club it means, by a game, a person, a device or a table of it."""
    if endpoint in {"play.listing", "play.deleted", "players.listing"}:
        return False
    return endpoint.startswith(("play.", "players.", "phones.", "evening.")) or endpoint in {
        "club.call", "club.remove", "club.send_away", "data.status", "data.take_in", "data.person",
    }  # fmt: skip


def refused(answer: TestResponse) -> bool:
    if answer.request.path.endswith("/here"):  # leads those who may to where they belong
        return answer.status_code == 404
    return answer.status_code in {403, 404} or (answer.status_code == 303 and answer.location.endswith("/seats"))


def leaks(answer: TestResponse, secrets: list[str]) -> list[str]:
    said = answer.get_data().decode("utf-8", "replace") + str(answer.headers)
    return [secret for secret in secrets if secret in said]


def test_every_address_is_in_the_table(house: Callable[[str], House]) -> None:
    known = {rule.endpoint for rule in house("stranger").app.url_map.iter_rules()} - {"static"}
    assert known == set(NEEDS)


@pytest.mark.parametrize("role", ROLES)
def test_who_may_look_at_what_and_what_is_told_there(house: Callable[[str], House], role: str) -> None:
    here = house(role)
    place, right, _ = ROLES[role]
    table = tables.find(here.db, here.table)
    assert table is not None and table.room is not None
    links, ways = clubs.links(here.db, here.club), phones.links(here.db, table.room)
    secrets = [row["device"] for row in here.db.query("SELECT device FROM phones")]
    secrets += [row["key"] for row in here.db.query("SELECT key FROM devices")]
    secrets += [links[one] for one in IN_CLUB if IN_CLUB.index(one) > (IN_CLUB.index(place) if place else -1)]
    secrets += [*OF_THE_CLUB] * (not place) + [*AT_THE_TABLE] * (not place and not right)
    secrets += [*ways.values()] * (right != "host")
    wrong: list[tuple[str, int | str]] = []
    for rule in rules(here.app, "GET"):
        here.app.extensions["attempts"].forget()
        answer = here.device.client.get(here.address(rule))
        lets_in = not refused(answer) or unanswered(rule.endpoint, answer)
        if lets_in != gets_in(role, rule.endpoint) and not unanswered(rule.endpoint, answer):
            wrong.append((rule.endpoint, answer.status_code))
        wrong += [(rule.endpoint, secret) for secret in leaks(answer, secrets)]
    stream = here.device.client.get(
        f"/tables/{here.table}/events", headers={"Accept": "text/event-stream"}, buffered=False
    )
    if stream.status_code == 200:
        lines = stream.iter_encoded()
        heard = (next(lines) + next(lines)).decode()
        wrong += [("a stream", secret) for secret in secrets if secret in heard]
    stream.close()
    assert wrong == []


def unanswered(endpoint: str, answer: TestResponse) -> bool:
    """What a member may look at, but is not there: no earlier version, no year, no photo of a Tenby street."""
    return answer.status_code == 404 and endpoint in {
        "play.version", "result.picture", "stats.year", "stats.picture", "data.sending", "photo.shoot",
        "photo.shoot_table", "photo.look_over", "companion.show", "data.status",
    }  # fmt: skip


DATA: dict[str, Any] = {
    "name": "Ours now", "notes": "Ours", "day": "2025-01-01", "place": "Here", "add": "Nobody", "into": "2",
    "grid/0/0": "cottage", "zone": "Europe/Rome", "game": "tiny_towns", "let": "in", "seat": "0", "card": '["a", "b"]',
}  # fmt: skip


@pytest.mark.parametrize("role", ROLES)
def test_who_may_not_change_something_changes_nothing(house: Callable[[str], House], role: str) -> None:
    here = house(role)
    wrong: list[tuple[str, int | str]] = []
    for rule in rules(here.app, "POST"):
        if gets_in(role, rule.endpoint):
            continue
        here.app.extensions["attempts"].forget()
        before = here.kept()
        files = {"file": (io.BytesIO(b"{}"), "x.json"), "box": (io.BytesIO(b"{}"), "x.json")}
        answer = here.device.client.post(here.address(rule), data={**DATA, **files}, content_type="multipart/form-data")
        if answer.status_code not in {400, 403, 404}:
            wrong.append((rule.endpoint, answer.status_code))
        if here.kept() != before:
            wrong.append((rule.endpoint, "something has changed"))
        wrong += [(rule.endpoint, secret) for secret in leaks(answer, [*OF_THE_CLUB] * (not ROLES[role][0]))]
    assert wrong == []


# -- a guest who was made the host ---


@pytest.mark.parametrize("role", ["guest who hosts", "owner of another club who hosts"])
def test_a_guest_who_hosts_cannot_ask_whether_the_club_knows_a_name(house: Callable[[str], House], role: str) -> None:
    """A name that the club writes in its own way stays as it was typed."""
    here = house(role)
    page = here.device.client.post(
        f"/tables/{here.table}/setup", data={"add": "QUILLFEATHER"}, headers={"X-Tidemark": "part"}
    ).get_data(as_text=True)
    assert "QUILLFEATHER" in page and "Quillfeather" not in page


@pytest.mark.parametrize("role", ["guest who hosts", "owner of another club who hosts", "viewer who hosts"])
def test_who_only_hosts_puts_nothing_into_the_clubs_card_box(house: Callable[[str], House], role: str) -> None:
    here = house(role)
    before = here.kept()["box_cards"]
    path = f"/tables/{here.table}/seats/0"
    here.device.client.post(path, data={"put": '["streets/0/0", {"name": "Mine", "kind": "x"}]'})
    here.device.client.post(path, data={"keep": '["town_cards", "streets/0/0"]'}, headers={"X-Tidemark": "part"})
    assert here.kept()["box_cards"] == before


def test_a_guest_who_hosts_and_saves_sees_the_result_and_no_way_into_the_history(
    member: Device, stranger: Device, db: Database
) -> None:
    path = lay_towns(member)
    member.post(f"{path}/open")
    table = tables.find(db, path.removeprefix("/tables/"))
    assert table is not None and table.room is not None
    link = f"/at/{phones.links(db, table.room)['host']}"
    stranger.get(link)
    stranger.post(link)
    for number in range(3):
        fields = {f"grid/0/{column}": "cottage" for column in range(number)}
        assert stranger.post(f"{path}/seats/{number}", fields).status_code == 303
    stranger.post(f"{path}/reveal")
    for _ in range(2):
        stranger.get(f"{path}/seats")
        saved = stranger.post(f"{path}/save?shared")
        assert saved.location.endswith("/result") or saved.location.startswith("/rooms/")
        stranger.get(saved.location)
        page = stranger.get(f"{path}/result")
        assert "Cid" in page and "/plays/" not in page
    [key] = [row["key"] for row in db.query("SELECT key FROM plays")]
    stranger.get(f"/plays/{key}", 404)
    member.get(f"/plays/{key}")
