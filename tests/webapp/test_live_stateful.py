"""A table that several phones claim, edit, leave and reveal, against a model small enough to be believed."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.webapp.conftest import Device
from tests.webapp.engines import place
from webapp import clubs, create_app
from webapp.database import connect
from webapp.table import evening, phones, presence, rooms, tables
from webapp.table import guests as guests_of_club

SEATS = ["Ann", "Bob", "Cid"]
PIECES = ["empty", "cottage", "farm"]
HOST = 0

guests = st.integers(1, 3)
anybody = st.integers(0, 3)
seats = st.integers(0, len(SEATS) - 1)
pieces = st.sampled_from(PIECES)


@dataclass
class Seat:
    """What the model knows of a seat: one square of its board stands for all."""

    piece: str | None = None
    version: int = 1
    holder: int | None = None
    drafts: dict[int, str] = field(default_factory=dict)
    before: dict[int, str] = field(default_factory=lambda: {1: "empty"})  # by version; at first an empty square

    def put(self, piece: str) -> None:
        if piece != self.piece:
            self.piece, self.version = piece, self.version + 1
            self.before[self.version] = piece


class SeveralPhones(RuleBasedStateMachine):
    @initialize()
    def lay(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        app = create_app(
            {"DATABASE": place(Path(self.folder.name) / "t.db"), "TESTING": True, "WTF_CSRF_ENABLED": False}
        )
        self.db = connect(app.config["DATABASE"])
        club = clubs.found(self.db, "Thursday")
        self.phones = [Device(app.test_client()) for _ in range(4)]
        self.phones[HOST].get(f"/join/{clubs.links(self.db, club)['member']}")
        self.path = self.phones[HOST].post("/tables", {"game": "tiny_towns"}).location.removesuffix("/setup")
        for name in SEATS:
            self.phones[HOST].post(f"{self.path}/setup", {"add": name})
        self.phones[HOST].post(f"{self.path}/open")
        self.model = [Seat() for _ in SEATS]
        self.present = {HOST}
        self.revealed = False
        self.seen: dict[tuple[int, int], int] = {}  # the version of a seat that a phone looked at
        self.sent: dict[int, tuple[int, dict[str, str], int]] = {}  # a phone's last change and the answer to it
        self.changes = 0

    def teardown(self) -> None:
        if hasattr(self, "db"):
            self.db.close()
            self.folder.cleanup()

    def table(self) -> tables.Table:
        table = tables.find(self.db, self.path.removeprefix("/tables/"))
        assert table is not None
        return table

    def may_enter(self, phone: int, seat: int) -> bool:
        return phone == HOST or self.model[seat].holder == phone

    @rule(phone=guests)
    def come(self, phone: int) -> None:
        room = self.table().room
        assert room is not None
        link = phones.links(self.db, room)["enter"]
        self.phones[phone].post(f"/at/{link}")
        self.present.add(phone)

    @rule(phone=anybody, seat=seats)
    def claim(self, phone: int, seat: int) -> None:
        status = self.phones[phone].post(f"{self.path}/seats/{seat}/claim").status_code
        assert status == (303 if phone in self.present else 404)
        if phone in self.present and self.model[seat].holder is None:
            self.model[seat].holder = phone

    @rule(phone=anybody, seat=seats)
    def look(self, phone: int, seat: int) -> None:
        answer = self.phones[phone].client.get(f"{self.path}/seats/{seat}")
        if phone not in self.present:
            assert answer.status_code == 404
        elif not self.may_enter(phone, seat):
            assert answer.status_code == 303
        else:
            both = "<h2>What you entered</h2>" in answer.text
            assert both == (phone in self.model[seat].drafts)
            shown = re.search(r'name="version" value="(\d+)"', answer.text)
            assert shown and int(shown.group(1)) == self.model[seat].version
            self.seen[phone, seat] = self.model[seat].version

    def post(self, phone: int, seat: int, fields: dict[str, str]) -> int:
        answer = self.phones[phone].post(f"{self.path}/seats/{seat}", fields, headers={"X-Tidemark": "part"})
        shown = re.search(r'name="version" value="(\d+)"', answer.text)
        if answer.status_code == 200 and shown:
            self.seen[phone, seat] = int(shown.group(1))
        return answer.status_code

    @rule(phone=anybody, seat=seats, piece=pieces)
    def edit(self, phone: int, seat: int, piece: str) -> None:
        self.changes += 1
        base = self.seen.get((phone, seat), 1)
        fields = {"version": str(base), "player": SEATS[seat], "grid/0/0": piece, "change": f"change {self.changes}"}
        status = self.post(phone, seat, fields)
        assert status == self.expected(phone, seat, base, piece)
        if phone in self.present and self.may_enter(phone, seat):
            self.sent[phone] = (seat, fields, status)

    def expected(self, phone: int, seat: int, base: int, piece: str) -> int:
        """Make the change in the model; the status it earns."""
        if phone not in self.present:
            return 404
        if not self.may_enter(phone, seat):
            return 403
        model = self.model[seat]
        before = model.drafts.get(phone, model.piece)
        if model.holder not in (None, phone) and piece == (before or "empty"):
            return 409 if phone in model.drafts else 200  # only looked at somebody else's board
        if phone not in model.drafts:
            if base == model.version or model.before[base] == (model.piece or "empty"):
                model.put(piece)
                return 200
            if piece in (model.piece, model.before[base]):
                return 200  # what the other phone made of the square stays
        model.drafts[phone] = piece
        return 409

    @rule(phone=guests, seat=seats, theirs=pieces, mine=pieces)
    def meet_at_a_seat(self, phone: int, seat: int, theirs: str, mine: str) -> None:
        """The host looks at a board, its owner changes it, and the host changes what is no longer there."""
        self.come(phone)
        self.claim(phone, seat)
        self.look(HOST, seat)
        self.edit(phone, seat, theirs)
        self.edit(HOST, seat, mine)

    @rule(phone=anybody)
    def send_again(self, phone: int) -> None:
        """The answer was lost on the way: nothing may happen twice."""
        if phone in self.sent:
            seat, fields, _ = self.sent[phone]
            if phone in self.present and self.may_enter(phone, seat):
                assert self.post(phone, seat, fields) == (409 if phone in self.model[seat].drafts else 200)

    @rule(phone=anybody, seat=seats, mine=st.booleans(), base=st.integers(0, 1))
    def settle(self, phone: int, seat: int, mine: bool, base: int) -> None:
        model = self.model[seat]
        fields = {"keep": "mine" if mine else "theirs", "version": str(model.version - base), "player": SEATS[seat]}
        self.phones[phone].post(f"{self.path}/seats/{seat}/settle", fields)
        if phone in self.present and self.may_enter(phone, seat) and base == 0 and phone in model.drafts:
            drafted = model.drafts.pop(phone)
            if mine:
                model.piece, model.version = drafted, model.version + 1
                model.before[model.version] = drafted

    @rule(phone=anybody, seat=seats)
    def free(self, phone: int, seat: int) -> None:
        self.phones[phone].post(f"{self.path}/seats/{seat}/free")
        if phone in self.present and self.may_enter(phone, seat):
            self.model[seat].holder = None

    @rule(phone=guests)
    def leave(self, phone: int) -> None:
        room = self.table().room
        assert room is not None
        self.phones[phone].post(f"/rooms/{room.key}/leave")
        self.present.discard(phone)
        for seat in self.model:
            if seat.holder == phone:
                seat.holder = None

    @rule(phone=anybody)
    def reveal(self, phone: int) -> None:
        self.phones[phone].post(f"{self.path}/reveal")
        if phone == HOST and all(seat.piece for seat in self.model):
            self.revealed = True

    @precondition(lambda self: all(seat.piece for seat in self.model))
    @rule(phone=anybody)
    def look_at_the_result(self, phone: int) -> None:
        answer = self.phones[phone].client.get(f"{self.path}/result")
        assert answer.status_code == (200 if phone in self.present else 404)
        shown = phone in self.present and (self.revealed or len(self.present) == 1)
        assert ('class="podium"' in answer.text) == shown

    @invariant()
    def the_table_is_what_the_model_says(self) -> None:
        if not hasattr(self, "model"):
            return
        table = self.table()
        for seat, model in zip(table.seats, self.model, strict=True):
            piece = seat.state["grid"][0][0] if seat.state else None
            assert (piece, seat.version) == (model.piece, model.version)
            assert (seat.holder is not None) == (model.holder is not None)
        drafts = self.db.row("SELECT count(*) AS n FROM drafts")
        assert drafts and drafts["n"] == sum(len(seat.drafts) for seat in self.model)
        assert table.phones == len(self.present)
        assert table.hides_results == (len(self.present) > 1 and not self.revealed)


class Evening(RuleBasedStateMachine):
    """One room: who is in it by link or PIN, who hosts, and who sits where from game to game."""

    @initialize()
    def lay(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        app = create_app(
            {"DATABASE": place(Path(self.folder.name) / "t.db"), "TESTING": True, "WTF_CSRF_ENABLED": False}
        )
        self.time = 1000.0
        app.extensions["presence"] = presence.Presence(lambda: self.time)
        self.app = app
        self.db = connect(app.config["DATABASE"])
        club = clubs.found(self.db, "Thursday")
        self.phones = [Device(app.test_client()) for _ in range(4)]
        self.phones[HOST].get(f"/join/{clubs.links(self.db, club)['member']}")
        path = self.phones[HOST].post("/tables", {"game": "tiny_towns"}).location.removesuffix("/setup")
        for name in SEATS:
            self.phones[HOST].post(f"{path}/setup", {"add": name})
        self.phones[HOST].post(f"{path}/open")
        table = tables.find(self.db, path.removeprefix("/tables/"))
        assert table is not None and table.room is not None
        self.key, self.room = table.key, table.room
        self.around = f"/rooms/{table.room.key}"
        self.present, self.host = {HOST}, HOST
        self.seats: list[tuple[str, int | None]] = [(name, None) for name in SEATS]
        self.names: dict[int, str] = {}  # what late-comers have said
        self.pin: str | None = None
        self.misses = 0
        self.gone, self.games = False, 0

    def teardown(self) -> None:
        if hasattr(self, "db"):
            self.db.close()
            self.folder.cleanup()

    def post(self, phone: int, path: str, data: dict[str, str] | None = None) -> int:
        self.app.extensions["attempts"].forget()
        return self.phones[phone].post(path, data).status_code

    @rule(phone=guests)
    def come_by_link(self, phone: int) -> None:
        assert self.post(phone, f"/at/{phones.links(self.db, self.room)['enter']}") == 303
        self.present.add(phone)

    @rule(opened=st.booleans())
    def set_the_door(self, opened: bool) -> None:
        self.post(self.host, f"{self.around}/pin", {"open": "1"} if opened else {})
        room = rooms.by_id(self.db, self.room.id)
        assert room is not None and (room.pin is not None) is opened
        self.pin, self.misses = room.pin, 0
        self.seen(self.host)

    @rule(phone=guests, right=st.booleans())
    def come_by_pin(self, phone: int, right: bool) -> None:
        pin = self.pin or "0000"
        typed = pin if right else f"{(int(pin) + 1) % 10_000:04}"
        self.post(phone, "/join", {"code": self.room.code, "pin": typed})
        if self.pin is None:
            return
        if right:
            self.present.add(phone)
            return
        self.misses += 1
        if self.misses == rooms.MOST_MISSES:
            self.pin = None

    @rule(phone=anybody, seat=seats)
    def claim(self, phone: int, seat: int) -> None:
        assert self.post(phone, f"/tables/{self.key}/seats/{seat}/claim") == (303 if phone in self.present else 404)
        self.seen(phone)
        name, holder = self.seats[seat]
        if phone in self.present and holder is None:
            self.seats[seat] = (name, phone)

    @rule(phone=guests)
    def leave(self, phone: int) -> None:
        assert self.post(phone, f"{self.around}/leave") == (303 if phone in self.present else 404)
        self.seen(phone)
        if phone != self.host:
            self.away(phone)
        else:
            self.seats = [(name, None if holder == phone else holder) for name, holder in self.seats]

    @rule(phone=guests)
    def send_away(self, phone: int) -> None:
        if phone != self.host and phone in self.present:
            with self.phones[phone].client.session_transaction() as kept:
                mark = guests_of_club.mark_of(kept["device"])
            assert self.post(self.host, f"{self.around}/away/{mark}") == 303
            self.seen(self.host)
            self.away(phone)

    def away(self, phone: int) -> None:
        self.present.discard(phone)
        self.names.pop(phone, None)
        self.seats = [(name, None if holder == phone else holder) for name, holder in self.seats]

    @rule(phone=guests)
    def say_a_name(self, phone: int) -> None:
        if phone in self.present:
            self.post(phone, f"{self.around}/me", {"name": f"Late {phone}"})
            self.seen(phone)
            self.names[phone] = f"Late {phone}"

    @rule()
    def the_host_is_gone(self) -> None:
        self.time += presence.GONE_S
        self.gone = True

    def seen(self, phone: int) -> None:
        if phone == self.host:
            self.gone = False

    @rule(phone=anybody)
    def go_on(self, phone: int) -> None:
        """The first phone is a member of the club, and need not wait; the others are guests."""
        status = self.post(phone, f"{self.around}/take")
        if phone not in self.present:
            assert status == 404
            return
        may = phone != self.host and (phone == HOST or self.gone)
        assert status == (303 if may else 403)
        self.seen(phone)
        if may:
            self.host, self.gone = phone, False

    @rule()
    def next_game(self) -> None:
        """To the next table, another game or not: everybody sits as before, late-comers after them."""
        self.post(self.host, f"{self.around}/next", {"game": "tiny_towns", "after": self.key})
        self.seen(self.host)
        table = evening.place(self.db, self.room, self.name_of(self.host))
        assert table is not None and table.key != self.key
        self.key, self.games = table.key, self.games + 1
        sitting, there = {holder for _, holder in self.seats}, [name for name, _ in self.seats]
        late = [phone for phone, name in self.names.items() if phone not in sitting and name not in there]
        assert {seat.name for seat in table.seats[len(self.seats) :]} == {self.names[phone] for phone in late}
        order = {self.names[phone]: phone for phone in late}
        self.seats += [(seat.name, order[seat.name]) for seat in table.seats[len(self.seats) :]]

    def name_of(self, phone: int) -> str:
        with self.phones[phone].client.session_transaction() as kept:
            return str(kept["device"])

    @invariant()
    def rights_and_seats_are_what_the_model_says(self) -> None:
        if not hasattr(self, "key"):
            return
        table = tables.find(self.db, self.key)
        assert table is not None and table.room is not None
        known = {self.name_of(phone): phone for phone in self.present}
        assert table.phones == len(self.present)
        assert [(seat.name, known.get(seat.holder or "")) for seat in table.seats] == self.seats
        assert table.room.pin == self.pin
        rights = {row["device"]: row["role"] for row in self.db.query("SELECT device, role FROM phones")}
        hosts = [name for name, role in rights.items() if role == "host"]
        assert [known[name] for name in hosts] == [self.host]


Evening.TestCase.settings = settings(max_examples=10, stateful_step_count=20)
TestEvening = Evening.TestCase
SeveralPhones.TestCase.settings = settings(max_examples=12, stateful_step_count=20)
TestSeveralPhones = SeveralPhones.TestCase
