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
from tests.webapp.conftest import Device, heard, listen
from tests.webapp.engines import place
from tests.webapp.plays import draft, towns
from tests.webapp.test_cardboxes import GULLS
from webapp import clubs, create_app
from webapp.database import Database, connect
from webapp.history import plays, saved_plays
from webapp.table import cardboxes, tables

pytestmark = pytest.mark.either

# What an address needs: "" nothing, a place in the club (of the thing it names, or the one looked at), or a right in
# the room. "another's" is a board that another phone plays, which nobody touches; "nobody" has what is guessed.
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
    "cards.import_box": "member",
    "club.rename_device": "owner",
    "club.create": "nobody",
    "club.leave": "viewer",
    "club.remove": "owner",
    "club.rename": "owner",
    "club.renew": "owner",
    "club.remove_guest": "owner",
    "club.settle_zone": "owner",
    "club.show": "viewer",
    "club.switch": "viewer",
    "club.zones": "owner",
    "companion.change": "play",
    "companion.show": "play",
    "data.begin_import": "owner",
    "rescore.show": "owner",
    "data.example": "viewer",
    "data.export": "member",
    "data.stop_export": "member",
    "data.person": "member",
    "data.sending": "member",
    "data.settle": "owner",
    "data.status": "owner",
    "data.stop": "owner",
    "rescore.save": "owner",
    "data.show": "viewer",
    "data.sqlite": "owner",
    "data.answer_questions": "owner",
    "delete_club.delete": "owner",
    "delete_club.show": "owner",
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
    "join.ask_by_code": "",
    "join.link": "nobody",
    "join.wait": "",
    "photo.begin": "nobody",
    "review.change": "play",
    "review.corners": "nobody",
    "review.show": "play",
    "photo.look_at_seat": "another's",
    "photo.look_at_table": "play",
    "photo.look_for_game": "nobody",
    "photo.of_game": "nobody",
    "review.picture": "nobody",
    "photo.shoot": "another's",
    "photo.shoot_table": "play",
    "review.remove": "nobody",
    "photo.upload": "another's",
    "photo.upload_table": "play",
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
    "players.avatar": "member",
    "players.merge": "owner",
    "players.game_details": "viewer",
    "players.remove": "member",
    "players.rename": "member",
    "players.show": "viewer",
    "players.change_avatar": "member",
    "players.promote_guest": "member",
    "result.answer": "play",
    "result.confirm": "play",
    "result.reveal_result": "play",
    "result.picture": "watch",
    "result.predict": "play",
    "result.replay": "play",
    "result.save": "at table, member",
    "result.show": "watch",
    "samples.answer": "nobody",
    "samples.delete": "nobody",
    "samples.listing": "member",
    "samples.picture": "nobody",
    "room.accept": "play",
    "room.answer": "play",
    "room.change": "play",
    "room.draw": "play",
    "room.here": "watch",
    "room.leave": "watch",
    "room.name": "play",
    "room.news": "watch",
    "room.news_of_table": "watch",
    "room.open_up": "at table, member",
    "room.play_as": "play",
    "room.remove": "play",
    "room.show": "watch",
    "room.show_of": "watch",
    "room.take": "play",
    "room.time": "play",
    "setup.change": "play",
    "setup.discard": "at table, member",
    "setup.create": "member",
    "setup.avatar": "another's",
    "setup.show": "play",
    "setup.change_avatar": "another's",
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
    "table.boards": "play",
    "table.change": "another's",
    "table.change_facts": "play",
    "table.empty": "another's",
    "table.facts": "play",
    "table.settle": "another's",
    "table.show": "another's",
    "tv.find": "",
    "tv.pair": "play",
    "tv.scanned": "",
    "tv.show": "watch",
}
IN_CLUB, AT_TABLE = ("viewer", "member", "owner"), ("watch", "play", "at table, member")

# Of each role: its place in the club, its right in the open room, and its place in another club.
ROLES = {
    "stranger": ("", "", ""),
    "TV": ("", "watch", ""),
    "guest": ("", "play", ""),
    "viewer": ("viewer", "watch", ""),
    "viewer who joined": ("viewer", "play", ""),
    "member": ("member", "at table, member", ""),
    "owner": ("owner", "at table, member", ""),
    "owner of another club": ("", "", "owner"),
    "owner of another club who joined": ("", "play", "owner"),
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
        """Return where the rule leads, at the things of the club."""
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
            "code": table.room.code if table.room else "",
            "kind": "json",
            "photo_key": "guessed",
            "sample_key": "guessed",
            "ticket": "guessed",
            "person_id": 1,
            "sign": "ABC",
            "shape": "wide",
            "how": "again",
        }
        built = rule.build({name: values[name] for name in rule.arguments})
        assert built is not None
        return built[1]

    def key(self, endpoint: str, table: tables.Table) -> str:
        """That of the game, the room or the table, whichever the address means."""
        assert table.room is not None
        return self.play if endpoint.startswith("play.") else table.room.key if in_room(endpoint) else self.table

    def kept(self) -> dict[str, list[Any]]:
        """All that the club has, but for when somebody was seen."""
        of_club = {
            "clubs": "id = ?", "links": "club_id = ?", "players": "club_id = ?", "remembered": "club_id = ?",
            "box_cards": "club_id = ?", "all_plays": "club_id = ?", "tables": "club_id = ?", "audit_log": "club_id = ?",
            "devices": "club_id = ?", "acts": "room_id IN (SELECT id FROM rooms WHERE club_id = ?)",
            "seats": "table_id IN (SELECT id FROM tables WHERE club_id = ?)",
            "rooms": "club_id = ?",
            "phones": "room_id IN (SELECT id FROM rooms WHERE club_id = ?) AND role <> 'asking'",
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
    club, other = clubs.create(db, "Zanzibar"), clubs.create(db, "Elsewhere")

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
        key = tables.add(db, club, tenby, {}, list(AT_THE_TABLE))
        keeper.post(f"/tables/{key}/open")
        keeper.post(f"/tables/{key}/seats/0/play")
        keeper.post(f"/plays/{saved_plays.key_of(db, number)}/notes", {"day": "2026-01-02", "notes": "Whispered"})
        device = Device(app.test_client())
        if place:
            joined(place, club, device)
        if elsewhere:
            joined(elsewhere, other, device)
        table = tables.find(db, key)
        assert table is not None and table.room is not None
        if right == "play":
            device.client.post(f"/at/{table.room.link}")
        elif right == "watch" and not place:
            page = device.client.get("/tv").get_data(as_text=True)
            keeper.post(page.partition('data-address="http://localhost')[2].partition('"')[0], {"room": table.room.key})
            device.client.get("/tv")
        return House(app, db, club, key, saved_plays.key_of(db, number), device)

    yield build
    db.close()


def rules(app: Flask, method: str) -> list[Rule]:
    """Those who leave come last."""
    found = [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ()) and rule.endpoint != "static"]
    return sorted(found, key=lambda rule: (rule.endpoint.endswith(".leave"), rule.endpoint))


def in_room(endpoint: str) -> bool:
    """Return whether the key in the address is that of a room."""
    of_table = {"room.show_of", "room.open_up", "room.news_of_table", "room.play_as", "room.draw", "room.time"}
    return endpoint == "tv.show" or (endpoint.startswith("room.") and endpoint not in of_table)


def gets_in(role: str, endpoint: str) -> bool:
    place, right, elsewhere = ROLES[role]
    needed = NEEDS[endpoint]
    if needed in IN_CLUB:
        has = place if names_something(endpoint) else max(place, elsewhere, key=lambda one: ("", *IN_CLUB).index(one))
        return has in IN_CLUB and IN_CLUB.index(has) >= IN_CLUB.index(needed)
    if needed == "another's":
        return False
    if needed in AT_TABLE:
        return right in AT_TABLE and AT_TABLE.index(right) >= AT_TABLE.index(needed)
    return needed == ""


def names_something(endpoint: str) -> bool:
    """Return whether the address says which club it means, by a game, a person, a device or a table of it."""
    if endpoint in {"play.listing", "play.deleted", "players.listing"}:
        return False
    return endpoint.startswith(("play.", "players.", "room.")) or endpoint in {
        "club.rename_device", "club.remove", "club.remove_guest", "data.status", "data.answer_questions", "data.person",
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
    links = clubs.links(here.db, here.club)
    secrets = [row["device"] for row in here.db.query("SELECT device FROM phones")]
    secrets += [row["key"] for row in here.db.query("SELECT key FROM devices")]
    secrets += [links[one] for one in IN_CLUB if IN_CLUB.index(one) > (IN_CLUB.index(place) if place else -1)]
    secrets += [*OF_THE_CLUB] * (not place) + [*AT_THE_TABLE] * (not place and not right)
    secrets += [table.room.link] * (right not in {"play", "at table, member"}) + [table.room.code] * (not right)
    wrong: list[tuple[str, int | str]] = []
    for rule in rules(here.app, "GET"):
        here.app.extensions["attempts"].forget()
        answer = here.device.client.get(here.address(rule))
        lets_in = not refused(answer) or unanswered(rule.endpoint, answer)
        if lets_in != gets_in(role, rule.endpoint) and not unanswered(rule.endpoint, answer):
            wrong.append((rule.endpoint, answer.status_code))
        wrong += [(rule.endpoint, secret) for secret in leaks(answer, secrets)]
    if here.device.client.get(f"/tables/{here.table}/events").status_code == 200:
        stream = listen(here.device, f"/tables/{here.table}/events")
        said = heard(stream).decode()
        wrong += [("a stream", secret) for secret in secrets if secret in said]
        stream.close()
    assert wrong == []


def unanswered(endpoint: str, answer: TestResponse) -> bool:
    """Return what a member may look at, but is not there: no earlier version, no year, no photo of a Tenby street."""
    return answer.status_code == 404 and endpoint in {
        "play.version", "result.picture", "stats.year", "stats.picture", "data.sending", "photo.shoot",
        "photo.shoot_table", "review.show", "companion.show", "data.status",
    }  # fmt: skip


DATA: dict[str, Any] = {
    "name": "Ours now", "notes": "Ours", "day": "2025-01-01", "place": "Here", "add": "Nobody", "into": "2",
    "grid/0/0": "cottage", "zone": "Europe/Rome", "game": "tiny_towns", "seat": "0", "card": '["a", "b"]',
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


# -- a guest who has joined ---


@pytest.mark.parametrize("role", ["guest", "owner of another club who joined"])
def test_a_guest_cannot_ask_whether_the_club_knows_a_name(house: Callable[[str], House], role: str) -> None:
    """A name that the club writes in its own way stays as it was typed."""
    here = house(role)
    page = here.device.client.post(
        f"/tables/{here.table}/setup", data={"add": "QUILLFEATHER"}, headers={"X-Tidemark": "part"}
    ).get_data(as_text=True)
    assert "QUILLFEATHER" in page and "Quillfeather" not in page


@pytest.mark.parametrize("role", ["guest", "owner of another club who joined", "viewer who joined"])
def test_who_only_joined_puts_nothing_into_the_clubs_card_box(house: Callable[[str], House], role: str) -> None:
    here = house(role)
    before = here.kept()["box_cards"]
    path = f"/tables/{here.table}/seats/1"
    here.device.client.post(path, data={"put": '["streets/0/0", {"name": "Mine", "kind": "x"}]'})
    here.device.client.post(path, data={"keep": '["town_cards", "streets/0/0"]'}, headers={"X-Tidemark": "part"})
    assert here.kept()["box_cards"] == before
