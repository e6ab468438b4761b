"""Provide every page with much, little or nothing on it, for tests of their layout.

There are three clubs: a new one, one with two seasons, and one whose names are as long as allowed. The last one's
tables are full.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask

from scorer import games
from scorer.core import score
from scorer.result import can_be_saved
from tests.conftest import examples_of
from tests.scorer.tenby_tables import counted
from tests.webapp.bringing import begun, taken_out
from tests.webapp.conftest import Device
from tests.webapp.plays import draft, towns
from webapp import clubs
from webapp.cli import demo
from webapp.database import Database
from webapp.exchange import imports
from webapp.history import plays
from webapp.table import tables

PHOTO = Path(__file__).parent.parent / "vision" / "photos" / "00.jpg"
# Forty letters each: in one word, in many, with hyphens, wide, narrow, and in another alphabet.
LONG = (
    "Donaudampfschifffahrtsgesellschaftskapit",
    "Anna Maria Lidia Sofia de la Cruz Ibarra",
    "Maxi-Theodor-Lotte-Luise-Wilma-Otto-Zuck",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "Lili Illi Jill Tillie Millie Billie Illi",
    "Анастасия Константиновна Преображенская ",
)
NAMES = tuple(name.strip().ljust(40, "а") for name in LONG)


@dataclass(frozen=True, slots=True)
class Scene:
    """Hold a page: what it shows, the device that opens it, and its address."""

    name: str
    who: str
    path: str

    def __str__(self) -> str:
        return f"{self.who} {self.name}"

    @property
    def game(self) -> str:
        """The game of the table that it shows, if it is a page of a table."""
        first = self.name.partition(" ")[0]
        return first if games.find(first) else ""


class Stage:
    """Hold the three clubs, a device for each role, and the pages that they open."""

    def __init__(self, app: Flask, db: Database) -> None:
        self.app, self.db = app, db
        self.devices: dict[str, Device] = {}
        self.fresh = clubs.create(db, "A new club")
        self.busy = demo.seed(db, 14)
        self.long = clubs.create(db, NAMES[1])
        for who, club, role in (
            ("newcomer", self.fresh, "owner"),
            ("regular", self.busy, "owner"),
            ("looker", self.busy, "viewer"),
            ("long", self.long, "owner"),
            ("stranger", 0, ""),
            ("guest", 0, ""),
        ):
            self.devices[who] = Device(app.test_client())
            if role:
                self.devices[who].get(f"/join/{clubs.links(db, club)[role]}")

    def scenes(self) -> list[Scene]:
        parts = (self.outside(), self.begun(), self.around(), self.history(), self.at_tables(), self.among_phones())
        return [Scene(*scene) for part in parts for scene in part]

    def outside(self) -> Iterator[tuple[str, str, str]]:
        links = clubs.links(self.db, self.busy)
        yield "way in", "stranger", "/"
        yield "code", "stranger", "/join?code=ABCDEF"
        yield "no network", "stranger", "/offline"
        yield "all parts", "stranger", "/style"
        yield "nowhere", "stranger", "/nowhere"
        yield "gone table", "regular", "/tables/gone/result"
        yield "gone play", "regular", "/plays/gone"
        yield "example", "stranger", "/try"
        yield "invitation", "stranger", f"/join/{links['member']}"
        yield "refused", "looker", "/plays/bin"
        yield "home of a viewer", "looker", "/"

    def begun(self) -> Iterator[tuple[str, str, str]]:
        for path in ("/", "/plays", "/stats", "/players", "/cards/tenby"):
            yield f"empty {path}", "newcomer", path
        yield "empty statistics", "newcomer", "/stats/games/tenby"
        for game in games.all_games():
            lay(self.devices["newcomer"], game.id)

    def around(self) -> Iterator[tuple[str, str, str]]:
        for path in ("/plays?game=tenby&players=2", "/club/zone", "/data", "/data/sending/nobodys"):
            yield path, "regular", path
        for path in ("/stats", "/stats/how", "/stats/achievements", "/stats/years/2026", "/data/rescore", "/club/end"):
            yield path, "regular", path
        for game in games.all_games():
            yield f"statistics of {game.id}", "regular", f"/stats/games/{game.id}"
        numbers = [row["id"] for row in self.db.query("SELECT id FROM players WHERE club_id = ?", [self.busy])]
        yield "player", "regular", f"/players/{numbers[0]}"
        yield "two players", "regular", f"/players/{numbers[0]}/against/{numbers[1]}"
        yield from self.imported()

    def imported(self) -> Iterator[tuple[str, str, str]]:
        """An import that found a game told differently, and one that is at it."""
        file = json.loads(taken_out(self.db, self.busy))
        file["plays"][0]["notes"] += " averyverylongwordthatnobodycanbreakanywhere" * 2
        content = json.dumps(file).encode()
        told = begun(self.db, self.busy, content)
        assert imports.finish(self.db, told)
        for key in (told, begun(self.db, self.busy, content)):
            yield "import", "regular", f"/data/import/{key}"

    def history(self) -> Iterator[tuple[str, str, str]]:
        """Yield saved games with long names, one of each game, the last of them deleted."""
        device, when = self.devices["long"], "2026-01-0{}T20:00:00Z"
        new = [draft(record, when.format(n + 1), notes="Rain. " * 40) for n, record in enumerate(all_games())]
        level = draft(towns(dict.fromkeys(NAMES[:2], 4)), when.format(9))
        keys = [self.key(one) for one in plays.save_all(self.db, self.long, [*new, level])]
        for key in keys:
            yield "saved", "long", f"/plays/{key}"
        yield "sheet", "long", f"/plays/{keys[0]}/sheet"
        device.get(f"/plays/{keys[0]}")
        device.post(f"/plays/{keys[0]}/edit")
        deleted = self.key(plays.save_all(self.db, self.long, [draft(towns(dict.fromkeys(NAMES[2:4], 3)))])[0])
        device.get(f"/plays/{deleted}")
        device.post(f"/plays/{deleted}/delete")
        yield "deleted", "long", f"/plays/{deleted}"
        for path in (
            "/",
            "/plays",
            "/plays/bin",
            "/stats",
            "/players",
            "/club",
            "/stats/games/tiny_towns",
            "/players/1",
        ):
            number = self.db.row("SELECT min(id) AS id FROM players WHERE club_id = ?", self.long)
            yield f"long {path}", "long", path.replace("/1", f"/{number['id'] if number else 0}")

    def key(self, play_id: int) -> str:
        row = self.db.row("SELECT key FROM plays WHERE id = ?", play_id)
        assert row is not None
        return str(row["key"])

    def at_tables(self) -> Iterator[tuple[str, str, str]]:
        """Yield a full table of each game, empty and completely entered."""
        device = self.devices["long"]
        for game, record in zip(games.all_games(), all_games(), strict=True):
            bare = lay(device, game.id)
            for name in NAMES[: game.players[-1]]:
                device.post(f"{bare}/setup", {"new": name})
            yield f"{game.id} set up", "long", f"{bare}/setup"
            device.post(f"{bare}/seats/1", {"put": '["typed", {}]'})
            yield f"{game.id} typed", "long", f"{bare}/seats/1"
            play = tables.reopen(self.db, self.long, game, record, self.saved(record))
            for page in ("seats/0", "facts", "companion", "result"):
                yield f"{game.id} {page}", "long", f"/tables/{play}/{page}"
        yield "players", "long", f"/tables/{play}/seats"
        yield "waits", "long", f"{bare}/result"
        bare = lay(device, "tiny_towns")
        device.post(f"{bare}/setup", {"new": NAMES[0]})
        yield "photograph", "long", f"{bare}/seats/0/photo"
        device.get(f"{bare}/seats/0/photo")
        sent = {"photo": (io.BytesIO(PHOTO.read_bytes()), "board.jpg")}
        answer = device.post(f"{bare}/seats/0/photo", sent, content_type="multipart/form-data")
        if answer.location:
            yield "photo read", "long", answer.location

    def saved(self, record: dict[str, Any]) -> int:
        return plays.save_all(self.db, self.long, [draft(record)])[0]

    def among_phones(self) -> Iterator[tuple[str, str, str]]:
        """Yield a table of six phones before and after the reveal, its invitation, and two versions of a board."""
        host, guest, screen = self.devices["long"], self.devices["guest"], Device(self.app.test_client())
        before, after = self.opened(host), self.opened(host)
        host.get(f"{before}/seats")
        links = re.findall(r'href="(?:http://localhost)?(/at/[^"]+)"', host.page)
        codes = re.findall(r'<strong class="code">(\w{6})</strong>', host.page)
        yield "table's invitation", "stranger", links[0]
        guest.get(links[0])
        guest.post(links[0], {"seat": "1"})
        screen.get("/join")
        screen.post("/join", {"code": codes[0]})
        guest.get("/join")
        yield "phones", "long", f"{before}/seats"
        yield "phones of a guest", "guest", f"{before}/seats"
        yield "curtain", "long", f"{before}/result"
        yield "curtain of a guest", "guest", f"{before}/result"
        for number in range(6):
            host.get(f"{after}/seats/{number}")
            host.post(f"{after}/seats/{number}", {f"grid/0/{column}": "cottage" for column in range(number % 3)})
        yield "open question", "long", f"{after}/result"
        part = {"headers": {"X-Tidemark": "part"}}
        guest.post(f"{before}/seats/1", {"version": "1", "grid/0/0": "cottage"}, **part)
        guest.post(f"{before}/seats/1", {"version": "1", "grid/0/0": "farm"}, **part)
        yield "another's seat", "guest", f"{before}/seats/1"

    def opened(self, host: Device) -> str:
        path = lay(host, "tiny_towns")
        for name in NAMES:
            host.post(f"{path}/setup", {"new": name})
        host.get(f"{path}/seats")
        host.post(f"{path}/open")
        return path


def lay(device: Device, game: str) -> str:
    """Create a table without players. Return its address."""
    device.get("/")
    path = str(device.post("/tables", {"game": game}).location).removesuffix("/setup")
    device.get(f"{path}/setup")
    for _ in range(6):
        device.post(f"{path}/setup", {"remove": "0"})
    return path


def all_games() -> list[dict[str, Any]]:
    """Return a record of each game with boards, with the example's number of players and long names."""
    found = []
    for game in games.all_games():
        records = [one.record for one in examples_of(game) if not any("typed" in who for who in one.record["players"])]
        settled = [record for record in records if keepable(record)]
        record = max(settled, key=lambda record: len(record["players"]))
        packed = json.dumps(counted(record) if game.id == "tenby" else record)
        for player, name in zip(record["players"], NAMES, strict=False):
            packed = packed.replace(json.dumps(player["name"]), json.dumps(name))
        found.append(json.loads(packed))
    return found


def keepable(record: dict[str, Any]) -> bool:
    result = score(record)
    return bool(result["ok"]) and can_be_saved(result) and not result["needs"]
