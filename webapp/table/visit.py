"""A visit to a table, or a stay in a room: who has come, with what right, and what is there, each found out once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask import abort, redirect, url_for

from scorer.cardbox import Box
from scorer.contract import Json
from webapp.clubs import Membership, access, deeds
from webapp.database import Database, get_db
from webapp.table import asking, cardboxes, paths, phones, presence, rooms, seats, tables
from webapp.table.entries import Entries
from webapp.table.paths import Edit
from webapp.table.rooms import Room
from webapp.table.seats import Sending
from webapp.table.tables import Seat, Table


class Comer:
    """This device, with the right it has there."""

    __slots__ = ()
    right: str

    @property
    def device(self) -> str:
        return phones.device()

    @property
    def hosts(self) -> bool:
        return self.right == "host"

    def may(self, right: str) -> bool:
        return phones.may(self.right, right)


class Visit(Comer):
    """This device at a table. What changes the table gives the next visit, to the table as it stands then."""

    def __init__(self, db: Database, table: Table, right: str, membership: Membership | None) -> None:
        self.db, self.table, self.right, self.membership = db, table, right, membership
        self.merged = False  # what it entered was put together with what another one had
        self._drafts: dict[str, dict[str, Any] | None] = {}  # by the name at the seat

    def now_at(self, table: Table) -> Visit:
        """The same device at the table after a change."""
        later = Visit(self.db, table, self.right, self.membership)
        if "box" in self.__dict__:
            later.__dict__["box"] = self.box
        return later

    # -- what is there ---

    @cached_property
    def entries(self) -> Entries:
        return Entries(self.table)

    @cached_property
    def box(self) -> Box | None:
        """The club's card box, for games that have one, and for phones that are in the club."""
        if self.table.game.cardbox is None or self.membership is None:
            return None
        return cardboxes.box_of(self.db, self.table.club_id, self.table.game)

    @property
    def sees_result(self) -> bool:
        """Whether the result is this device's to see: after the reveal, and not from another table of the room."""
        return not self.table.hides_results and not phones.is_elsewhere(self.db, self.table)

    @property
    def totals(self) -> list[int | None]:
        """Everybody's points so far, unless they are kept for the reveal."""
        return [None] * len(self.table.seats) if self.table.hides_results else self.entries.totals

    # -- one seat ---

    def seat(self, number: int) -> Seat | None:
        return self.table.seats[number] if number < len(self.table.seats) else None

    def seat_called(self, name: str) -> Seat | None:
        return next((seat for seat in self.table.seats if seat.name == name), None)

    def seat_renamed(self, name: str) -> Seat | None:
        """The seat of somebody whom this device still knows by the name she had before."""
        return self.seat_called(deeds.called_since(self.db, self.table.club_id, name))

    def may_enter(self, seat: Seat) -> bool:
        """Whether this device may enter what lies at the seat."""
        return self.hosts or (self.right == "enter" and seat.holder == self.device)

    def looks_on(self, seat: Seat) -> bool:
        """Whether another phone enters this seat, so that leaving its page unchanged says nothing."""
        return seat.holder not in (None, self.device)

    def next_board(self, after: int = -1) -> int | None:
        """Return the number of the next seat that is entered on this device, or None if there is no other.

        Before the reveal this leaves out the boards that other phones enter.
        """
        following = self.table.seats[after + 1 :]
        own = (seat.number for seat in following if self.may_enter(seat) and not self.is_hidden(seat))
        return next(own, None)

    def is_hidden(self, seat: Seat) -> bool:
        """Return True if another phone enters this seat and nobody else is to see its points yet."""
        return self.table.hides_results and self.looks_on(seat)

    def draft(self, seat: Seat) -> dict[str, Any] | None:
        """What this device entered while another one changed the seat."""
        if seat.name not in self._drafts:
            self._drafts[seat.name] = seats.draft(self.db, self.table, seat, self.device)
        return self._drafts[seat.name]

    # -- what changes it ---

    def enter(self, seat: Seat, state: dict[str, Any], sending: Sending, done: bool = False) -> Visit:
        """Keep what was entered for the seat; it is a draft afterwards if another phone has changed it meanwhile."""
        inputs = asking.visible(self.entries.inputs(seat.number), state)
        entered = seats.enter(self.db, self.table, seat, state, sending, done, inputs)
        later = self.now_at(entered.table)
        later.merged = entered.merged
        later._drafts[seat.name] = entered.draft
        return later

    def picked(self, buttons: Collection[str]) -> list[Edit]:
        """What these buttons take out of the club's card box."""
        return cardboxes.picked(self.box, buttons) if buttons and self.box is not None else []

    def keep_described(self, buttons: Collection[str], values: Json) -> None:
        """Put into the club's card box what these buttons name, if this device may enter things for the club."""
        if buttons and self.box is not None and self.membership is not None and self.membership.may("member"):
            for kind, path in cardboxes.pressed(buttons, 2):
                described = paths.get(values, paths.steps(path))
                cardboxes.describe(self.db, self.table.club_id, self.table.game, kind, described)
            del self.box


@dataclass(frozen=True, slots=True)
class Stay(Comer):
    """This device in a room."""

    db: Database
    room: Room
    right: str
    membership: Membership | None


def look_into(db: Database, room: Room | None) -> Stay | None:
    """What this device may do in the room; None if it has no right there."""
    right = phones.right_in(db, room) if room is not None else None
    return Stay(db, room, right, access.in_club(room.club_id)) if room is not None and right else None


def come_into(key: str, right: str = "host") -> Stay:
    """Go into the room of that key, or be sent away."""
    db = get_db()
    stay = look_into(db, rooms.find(db, key))
    if stay is None:
        abort(404)
    note_presence(stay)
    if not stay.may(right):
        abort(403)
    if stay.membership is not None:
        access.look_at(stay.membership)
    return stay


def note_presence(comer: Comer) -> None:
    there = presence.presence()
    if comer.hosts:
        there.saw_host(comer.device)
    else:
        there.saw(comer.device)


def look_at(db: Database, table: Table | None) -> Visit | None:
    """What this device finds at the table; None if it has no right there."""
    if table is None:
        return None
    right = phones.right_at(db, table)
    return Visit(db, table, right, access.in_club(table.club_id)) if right else None


def come_to(key: str, right: str = "host") -> Visit:
    """Go to the table of that key, or be sent away: nobody changes a table whose game is saved."""
    db = get_db()
    visit = look_at(db, tables.find(db, key))
    if visit is None:
        abort(404)
    note_presence(visit)
    if not visit.may(right):
        abort(403)
    if visit.table.is_put_aside and visit.table.room is not None:
        abort(redirect(url_for("evening.here", key=visit.table.room.key), 303))
    if visit.table.saved_at and right != "watch":
        abort(redirect(url_for("result.show", key=key), 303))
    if visit.membership is not None:
        access.look_at(visit.membership)
    return visit
