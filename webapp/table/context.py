"""Describe this device at a table or in a room: its role, and what it sees there. Each value is computed once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from flask import abort, redirect, url_for

from scorer.cardbox import Box
from scorer.contract import Json
from scorer.names import folded
from scorer.result import PlayerResult
from webapp.clubs import Membership, access, audit_log
from webapp.database import Database, get_db
from webapp.numbers import number as number_in
from webapp.table import (
    cardboxes,
    json_paths,
    new_table,
    next_game,
    phones,
    presence,
    relevant_inputs,
    rooms,
    seats,
    tables,
)
from webapp.table.entries import Entries
from webapp.table.json_paths import Edit
from webapp.table.rooms import Room
from webapp.table.seats import Sending
from webapp.table.tables import Seat, Table


class Context:
    """Hold what `TableContext` and `RoomContext` share: this device's role, and whether it includes another role."""

    __slots__ = ()
    role: str

    @property
    def device(self) -> str:
        return phones.device()

    def may(self, role: str) -> bool:
        return phones.may(self.role, role)


class TableContext(Context):
    """Describe this device at a table. A change of the table returns a new context."""

    def __init__(self, db: Database, table: Table, role: str, membership: Membership | None) -> None:
        self.db, self.table, self.role, self.membership = db, table, role, membership
        self._drafts: dict[str, dict[str, Any] | None] = {}  # by the name of the player

    def now_at(self, table: Table) -> TableContext:
        """Return the context of this device at the changed table."""
        later = TableContext(self.db, table, self.role, self.membership)
        if "box" in self.__dict__:
            later.__dict__["box"] = self.box
        return later

    # -- the table ---

    @property
    def room(self) -> Room | None:
        return self.table.room

    @cached_property
    def entries(self) -> Entries:
        return Entries(self.table)

    @cached_property
    def box(self) -> Box | None:
        """Return the club's card box of the game, or None for guests and for games without one."""
        if self.table.game.cardbox is None or self.membership is None:
            return None
        return cardboxes.box_of(self.db, self.table.club_id, self.table.game)

    @cached_property
    def totals(self) -> list[PlayerResult | None]:
        """Return everybody's points so far or, while the reveal is still to come, None for everybody."""
        return [None] * len(self.table.seats) if self.table.hides_results else self.entries.totals

    # -- one seat ---

    def seat(self, number: int) -> Seat | None:
        return self.table.seats[number] if number < len(self.table.seats) else None

    def seat_called(self, name: str) -> Seat | None:
        """Return the seat of the player with this name, or of the player who had it before being renamed."""
        by_name = {folded(seat.name): seat for seat in self.table.seats}
        known = by_name.get(folded(name))
        return known or by_name.get(folded(audit_log.current_name(self.db, self.table.club_id, name)))

    def may_enter(self, seat: Seat) -> bool:
        """Return True if this device may enter this board: it plays as the player, or nobody does."""
        return self.may("guest") and seat.holder in (None, self.device)

    def to_enter(self, seat: Seat | None) -> Seat:
        """Return the seat. Answer 404 if it is None, and 403 if this device may not enter it."""
        if seat is None:
            abort(404)
        if not self.may_enter(seat):
            abort(403)
        return seat

    @property
    def boards(self) -> list[Seat]:
        """Return the seats that this device plays as. If there are none, return those that no device plays as."""
        own = [seat for seat in self.table.seats if seat.holder == self.device]
        return own or [seat for seat in self.table.seats if seat.holder is None]

    def next_board(self, after: int = -1) -> Seat | None:
        """Return the first seat after number `after` whose board this device may enter, or None."""
        return next((seat for seat in self.boards if seat.number > after), None)

    def tabs(self, here: int | str) -> str:
        """Return a text, such as "2 1 facts Ann Ben", that differs when the tabs must be sent again.

        It has the open tab `here`, the version of the options, and the other tabs, but no points. The page has it as
        the tabs' `data-shape`.
        """
        others = "facts " * bool(self.entries.facts) + "help " * (self.entries.companion is not None)
        return f"{here} {self.table.laid} {others}{' '.join(seat.name for seat in self.boards)}"

    def draft(self, seat: Seat) -> dict[str, Any] | None:
        """Return this device's entry that waits for a choice because it conflicts with another phone's, or None."""
        if seat.name not in self._drafts:
            self._drafts[seat.name] = seats.draft(self.db, self.table, seat, self.device)
        return self._drafts[seat.name]

    # -- changes ---

    def enter(self, seat: Seat, state: dict[str, Any], sending: Sending, done: bool = False) -> TableContext:
        """Save an entry at the seat. If it conflicts with another phone's, it waits until somebody chooses.

        Return the context at the changed table.
        """
        inputs = relevant_inputs.visible(self.entries.inputs(seat.number), state)
        entered = seats.enter(self.db, self.table, seat, state, sending, done, inputs)
        later = self.now_at(entered.table)
        later._drafts[seat.name] = entered.draft
        return later

    def picked(self, buttons: Collection[str]) -> list[Edit]:
        """Return the cards that these buttons pick from the club's card box, each after the path for it."""
        return cardboxes.picked(self.box, buttons) if buttons and self.box is not None else []

    def keep_described(self, buttons: Collection[str], values: Json) -> None:
        """Save the cards in `values` that these buttons name into the club's card box.

        Nothing happens unless this device belongs to a member.
        """
        if buttons and self.box is not None and self.membership is not None and self.membership.may("member"):
            for kind, path in cardboxes.pressed(buttons, 2):
                described = json_paths.get(values, json_paths.steps(path))
                cardboxes.describe(self.db, self.table.club_id, self.table.game, kind, described)
            del self.box


@dataclass(frozen=True, slots=True)
class RoomContext(Context):
    """Describe this device in a room, with its role there and its membership in the club, if any."""

    db: Database
    room: Room
    role: str
    membership: Membership | None


Here = TypeVar("Here", TableContext, RoomContext)


def find_room_context(db: Database, room: Room | None) -> RoomContext | None:
    """Return this device's context in the room, or None if it may not even watch."""
    role = phones.role_in(db, room) if room is not None else None
    if room is None or role not in phones.ROLES:
        return None
    return RoomContext(db, room, role, access.in_club(room.club_id))


def find_table_context(db: Database, table: Table | None) -> TableContext | None:
    """Return this device's context at the table, or None if it may not even watch."""
    role = phones.role_at(db, table) if table is not None else None
    if table is None or role not in phones.ROLES:
        return None
    return TableContext(db, table, role, access.in_club(table.club_id))


def admitted(found: Here | None, role: str) -> Here:
    """Return the context `found` if its role includes `role`. Answer 404 if it is None, 403 if its role is too
    low."""
    if found is None:
        abort(404)
    if found.room is not None:
        presence.note_visit(found.db, found.room)
    if not found.may(role):
        abort(403)
    if found.membership is not None:
        access.select_club(found.membership)
    return found


def room_context(key: str, role: str = "guest") -> RoomContext:
    """Return this device's context in the room with this key. Answer 404 to strangers, and 403 if its role is below
    `role`."""
    db = get_db()
    return admitted(find_room_context(db, rooms.find(db, key=key)), role)


def table_context(key: str, role: str = "guest", late: bool = False) -> TableContext:
    """Return this device's context at the table with this key. Answer 404 to strangers, and 403 if its role is below
    `role`.

    Once the game is saved, the device is sent to the result. This does not happen if `role` is "tv" or `late` allows
    late entries.
    """
    db = get_db()
    context = admitted(find_table_context(db, tables.find(db, key) or new_table.find(db, key)), role)
    if context.table.saved_at and role != "tv" and not late:
        abort(redirect(url_for("result.show", key=key), 303))
    return context


@contextmanager
def changing(key: str, role: str = "guest", late: bool = False) -> Iterator[TableContext]:
    """Yield this device's context at the table. Nobody else can change the table during the block. The arguments are as
    in `table_context`."""
    db = get_db()
    with db.atomic(db.club_of("tables", key=key)):
        yield table_context(key, role, late)


# -- the next page ---

PAGES = {
    "boards": "table.boards",
    "facts": "table.facts",
    "result": "result.show",
    "setup": "setup.show",
    "companion": "companion.show",
    "room": "room.show_of",
}


def onward(table: Table, go: str, number: int = 0, opened: str = "") -> str:
    """Return the address to which the button `go` leads: a seat such as "1", a page such as "result", or else back to
    seat `number`. `opened` is the part of the page to open there."""
    seat = number_in(go)
    if seat is not None and seat < len(table.seats):
        return url_for("table.show", key=table.key, number=seat)
    if go in PAGES:
        return url_for(PAGES[go], key=table.key)
    if opened:
        return url_for("table.show", key=table.key, number=number, open=opened, _anchor="opened")
    return url_for("table.show", key=table.key, number=number)


def inward(db: Database, room: Room) -> str:
    """Return the address where this device belongs: the TV's page, its own board, or the room."""
    row = phones.row_of(db, room, phones.device())
    if row is not None and row["role"] == "tv":
        return url_for("tv.show", key=room.key)
    table = next_game.current(db, room)
    mine = [seat.number for seat in table.seats if seat.holder == phones.device()] if table else []
    if table is not None and mine and not table.is_over:
        return url_for("table.show", key=table.key, number=mine[0])
    return url_for("room.show", key=room.key)
