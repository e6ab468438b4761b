"""A game that several phones join, enter, leave and reveal, against a model small enough to be believed."""

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
from webapp.table import tables

SEATS = ["Ann", "Bob", "Cid"]
PIECES = ["empty", "cottage", "farm"]
HOST = 0

guests = st.integers(1, 3)
anybody = st.integers(0, 3)
seats = st.integers(0, len(SEATS) - 1)
pieces = st.sampled_from(PIECES)


@dataclass
class Seat:
    """Hold what the model knows of a seat: one square of its board stands for all."""

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
        club = clubs.create(self.db, "Thursday")
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
        return self.model[seat].holder in (None, phone)

    @rule(phone=guests)
    def come(self, phone: int) -> None:
        room = self.table().room
        assert room is not None
        self.phones[phone].post(f"/at/{room.link}")
        if phone in self.present or any(seat.holder is None for seat in self.model):
            self.present.add(phone)  # else it asks

    @rule(phone=anybody, seat=seats)
    def play_as(self, phone: int, seat: int) -> None:
        status = self.phones[phone].post(f"{self.path}/seats/{seat}/play").status_code
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
        """One phone looks at a board, another one changes it, and the first changes what is no longer there."""
        self.come(phone)
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
        """The member's phone reveals at once, a guest's only what no other phone is still entering."""
        if phone != HOST and any(seat.holder not in (None, phone) for seat in self.model):
            return
        self.phones[phone].post(f"{self.path}/reveal")
        if phone in self.present and all(seat.piece for seat in self.model):
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


SeveralPhones.TestCase.settings = settings(max_examples=12, stateful_step_count=20)
TestSeveralPhones = SeveralPhones.TestCase
