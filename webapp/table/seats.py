"""Save what phones enter at a seat, so that nothing is lost when two phones enter at once.

Every seat has a version, and a phone says which version it has changed. If another phone has changed the seat since,
both changes are merged (`merging`). If they conflict, this phone's entry becomes a draft. It is shown beside the saved
state until somebody chooses (`enter`, `settle`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.contract import Choice, Input, Json
from scorer.names import folded
from scorer.record import name_fault
from webapp import avatars
from webapp.avatars import Avatar
from webapp.clubs import audit_log
from webapp.database import Database, pack
from webapp.table import kinds, merging, photos
from webapp.table.entries import Entries
from webapp.table.json_paths import ABSENT, get, put, steps
from webapp.table.merging import Merged
from webapp.table.tables import Seat, Table, find, is_new, keep_setup, looks_for, seat_of, sit_down, touch

REMEMBERED = 400  # versions kept of each seat


@dataclass(frozen=True, slots=True)
class Sending:
    """Identify a change by a phone: the device, a name for the change, and the version of the seat it is based on."""

    device: str
    name: str = ""
    base: int | None = None  # None: the current version


@dataclass(frozen=True, slots=True)
class Entered:
    """Hold the table after an entry and, if the entry conflicts with another phone's, the entry as a draft.

    A draft waits until somebody chooses between the two entries.
    """

    table: Table
    draft: dict[str, Any] | None = None


def enter(
    db: Database,
    table: Table,
    seat: Seat,
    state: dict[str, Any],
    sending: Sending,
    done: bool = False,
    inputs: Sequence[Input] = (),
) -> Entered:
    """Save what a phone entered at a seat, merged with changes by other phones; `done` says that it is complete.
    `sending` identifies the change, and `inputs` are those of the seat. If both phones changed a value differently,
    this entry is stored as a draft until somebody chooses."""
    with db.atomic(table.club_id):
        new = is_new(db, table, sending.name)
        row = _there(db, table, seat.name, sending.device)
        if row is None:
            return Entered(table)  # the player was just removed from the table
        there, packed = seat_of(row), pack(state)
        if (there.number, there.name) != (seat.number, seat.name):  # the player has just moved or been renamed
            table, seat = find(db, table.key) or table, replace(seat, name=there.name)
        drafted = row["draft"] is not None
        known = seat.version if sending.base is None else sending.base
        if not new:
            return Entered(table.with_seat(there), json.loads(row["draft"]) if drafted else None)
        if drafted:
            keep_draft(db, table, seat, sending.device, packed)
            return Entered(table.with_seat(there), state)
        mine = state
        if there.version != known and row["state"] != packed:
            both = _merged(db, table, there, known, state, inputs)
            mine, state = both.mine, both.theirs
        written = _write(db, table, there, state, done and mine == state)
        if mine != state:
            keep_draft(db, table, seat, sending.device, pack(mine))
            return Entered(written, mine)
        return Entered(written)


def _merged(
    db: Database, table: Table, there: Seat, known: int, mine: dict[str, Any], inputs: Sequence[Input]
) -> Merged:
    """Merge this phone's change, `mine`, with the state that is saved at the seat `there`. Both are changes of version
    `known`. If that version is gone, nothing is merged: the result holds both states as they are."""
    base, theirs = at_version(db, table, there, known), there.state or {}
    return Merged(theirs, mine) if base is None else merging.merge(inputs, base, mine, theirs)


def _write(db: Database, table: Table, there: Seat, state: dict[str, Any] | None, done: bool) -> Table:
    """Save a state at the seat `there` if it differs from the saved one; `done` says that it is complete. Return the
    changed table."""
    packed, before = (None if one is None else pack(one) for one in (state, there.state))
    changed = packed != before
    if not changed and done == there.done:
        return table.with_seat(there)
    now_there = replace(there, state=state, version=there.version + changed, done=done)
    if changed:
        _remember(db, table, there)
    db.execute(
        "UPDATE seats SET state = ?, version = ?, done = ? WHERE table_id = ? AND seat = ?",
        [packed, now_there.version, done, table.id, there.number],
    )
    return touch(db, table.with_seat(now_there))


# -- earlier versions, which phones that were offline may still show ---


def _remember(db: Database, table: Table, seat: Seat) -> None:
    """Store the current version of a seat before it changes."""
    key = ("table_id", "name", "version")
    state = pack(seat.state or {})
    db.upsert("seat_versions", key, table_id=table.id, name=seat.name, version=seat.version, state=state)
    if seat.version % 50 == 0:
        old = [table.id, seat.name, seat.version - REMEMBERED]
        db.execute("DELETE FROM seat_versions WHERE table_id = ? AND name = ? AND version < ?", old)


def at_version(db: Database, table: Table, seat: Seat, version: int) -> dict[str, Any] | None:
    """Return the seat's state in an earlier version, or None if it is no longer stored."""
    if version == seat.version:
        return seat.state or {}
    sql = "SELECT state FROM seat_versions WHERE table_id = ? AND name = ? AND version = ?"
    row = db.row(sql, table.id, seat.name, version)
    return json.loads(row["state"]) if row else None


def _there(db: Database, table: Table, name: str, device: str) -> dict[str, Any] | None:
    """Return the database row of the seat of the player with this name, even if renamed, and the device's draft.

    A draft is an entry that conflicts with another phone's.
    """
    sql = """SELECT *, (
            SELECT state FROM drafts WHERE table_id = seats.table_id AND name = seats.name AND device = ?
        ) AS draft FROM seats WHERE table_id = ? AND name = ?"""
    found = db.row(sql, device, table.id, name)
    return found or db.row(sql, device, table.id, audit_log.current_name(db, table.club_id, name))


def keep_draft(db: Database, table: Table, seat: Seat, device: str, packed: str) -> None:
    key = ("table_id", "name", "device")
    db.upsert("drafts", key, table_id=table.id, name=seat.name, device=device, state=packed)


def draft(db: Database, table: Table, seat: Seat, device: str) -> dict[str, Any] | None:
    """Return this device's entry that waits for a choice, because it conflicts with another phone's, or None."""
    row = db.row("SELECT state FROM drafts WHERE table_id = ? AND name = ? AND device = ?", table.id, seat.name, device)
    return json.loads(row["state"]) if row else None


def settle(db: Database, table: Table, seat: Seat, device: str, mine: bool, base: int) -> bool:
    """Delete this device's draft, an entry in conflict with another phone's; if `mine`, save it at the seat first.

    Return False and change nothing if the seat is no longer at version `base`.
    """
    with db.atomic(table.club_id):
        drafted = draft(db, table, seat, device)
        if drafted is None:
            return True
        row = db.row("SELECT version FROM seats WHERE table_id = ? AND seat = ?", table.id, seat.number)
        if row is None or row["version"] != base:
            return False
        if mine:
            keep(db, table, seat.number, drafted)
        db.execute("DELETE FROM drafts WHERE table_id = ? AND name = ? AND device = ?", [table.id, seat.name, device])
    return True


def keep(db: Database, table: Table, number: int, state: dict[str, Any] | None, done: bool = False) -> Table:
    """Save the state of player `number`, whatever was saved before, and return the changed table. `done` says that the
    entry is complete."""
    with db.atomic(table.club_id):
        row = db.row("SELECT * FROM seats WHERE table_id = ? AND seat = ?", table.id, number)
        return table if row is None else _write(db, table, seat_of(row), state, done)


def reseat(db: Database, table: Table, order: Sequence[tuple[str, int | None]], knows_club: bool) -> Table:
    """Give the table these players: `order` has the name of each, and the old seat or None.

    Players keep the board and avatar of their old seat. Without `knows_club`, new players are guests, and their avatars
    do not reveal whether the club knows them.
    """
    names, there = [name for name, _ in order], {seat.name: seat.avatar for seat in table.seats}
    worn = looks_for(db, table.club_id, names, there, knows_club)
    seats = tuple(
        replace(
            Seat(0, name, None, 1, guest=not knows_club) if before is None else table.seats[before],
            number=number,
            avatar=avatar,
        )
        for number, ((name, before), avatar) in enumerate(zip(order, worn, strict=True))
    )
    with db.atomic(table.club_id):
        db.execute("DELETE FROM seats WHERE table_id = ?", [table.id])
        db.execute("UPDATE tables SET lot = NULL WHERE id = ?", [table.id])  # it refers to seats by number
        for gone in {seat.name for seat in table.seats} - set(names):
            db.execute("DELETE FROM seat_versions WHERE table_id = ? AND name = ?", [table.id, gone])
        for seat in seats:
            sit_down(db, table.id, seat)
        photos.reseated(db, table, {before: new for new, (_, before) in enumerate(order) if before is not None})
        return touch(db, replace(table, seats=seats))


def refusal(table: Table, name: str, taken: Sequence[str]) -> str:
    """Return "" if a player with this name can be added, else "unwritable", "taken" or "full". A name is unwritable if
    it is empty, too long or has an invisible character. `taken` are the names at the table."""
    if name_fault(name):
        return "unwritable"
    if folded(name) in map(folded, taken):
        return "taken"
    return "full" if len(taken) >= table.game.players[-1] else ""


def set_avatar(db: Database, table: Table, number: int, avatar: Avatar) -> bool:
    """Change the avatar of player `number`. Return False if another player has its colour or figure."""
    with db.atomic(table.club_id):
        now_there = find(db, table.key)
        if now_there is None or number >= len(now_there.seats):
            return False
        others = [seat.avatar for seat in now_there.seats if seat.number != number]
        if avatars.beside(avatar, others) != avatar:
            return False
        where = "WHERE table_id = ? AND seat = ?"
        db.execute(f"UPDATE seats SET colour = ?, token = ? {where}", [avatar.colour, avatar.token, table.id, number])
        touch(db, table)
    return True


# -- when the cards of the table change ---


def lay_anew(db: Database, table: Table, setup: dict[str, Any]) -> Table:
    """Change the options of a table. Pages of its seats reload, and boards follow the cards in play.

    On a board that `follows_cards`, a piece means the card in play of its colour. So when one card replaces another of
    the same colour, squares become the new card. If a colour has several cards, its squares stay unchanged.
    """
    if setup == table.setup:
        return table
    with db.atomic(table.club_id):
        db.execute("UPDATE tables SET laid = laid + 1 WHERE id = ?", [table.id])
        after = keep_setup(db, replace(table, laid=table.laid + 1), setup)
        old, new = Entries(table), Entries(after)
        for seat in after.seats:
            state = seat.state and repainted(seat.state, old.inputs(seat.number), new.inputs(seat.number))
            if state != seat.state:
                after = keep(db, after, seat.number, state, seat.done)
    return after


def repainted(state: dict[str, Any], before: tuple[Input, ...], after: tuple[Input, ...]) -> dict[str, Any]:
    """Return a player's state with pieces of removed cards replaced by pieces of the cards that replace them. `before`
    and `after` are the player's inputs with the old and the new cards."""
    was = {board.asked.name: board.asked for board in kinds.painted(before)}
    for board in kinds.painted(after):
        path = steps(board.asked.name)
        value = get(state, path)
        if board.asked.follows_cards and board.asked.name in was and value is not ABSENT:
            found = successors(was[board.asked.name].choices, board.asked.choices)
            state = put(state, path, replaced(value, found)) if found else state
    return state


def successors(before: tuple[Choice, ...], after: tuple[Choice, ...]) -> Mapping[Json, Json]:
    """Return for each piece that is only in `before` the piece that replaces it: the one of its colour that is only in
    `after`. Pieces of a colour that lost or gained several are left out."""
    went = [one for one in before if one.tone and one.value not in {other.value for other in after}]
    came = [one for one in after if one.tone and one.value not in {other.value for other in before}]
    found = {}
    for one in went:
        same = [other for other in came if other.tone == one.tone]
        if len(same) == 1 and sum(other.tone == one.tone for other in went) == 1:
            found[one.value] = same[0].value
    return found


def replaced(value: Json, others: Mapping[Json, Json]) -> Json:
    """Return a board's squares with each piece in `others` replaced by the piece that it maps to."""
    if isinstance(value, list):
        return [replaced(one, others) for one in value]
    return others.get(value, value) if isinstance(value, str | int) else value
