"""Start the next game in a room, with the same players on the same phones."""

from __future__ import annotations

from dataclasses import replace

from scorer.contract import Game
from webapp.database import Database
from webapp.table import forms, rooms, tables
from webapp.table.rooms import Room
from webapp.table.tables import Seat, Table


def current(db: Database, room: Room) -> Table | None:
    """Return the table of the room's latest game, or None."""
    return next((table for key in rooms.tables_in(db, room) if (table := tables.find(db, key))), None)


def create(db: Database, room: Room, before: Table | None, game: Game, knows_club: bool) -> Table:
    """Create a table for the next game in the room, with the players of the table `before`.

    If the game at `before` is unfinished, it leaves the room and can be continued; without entries, it is deleted.
    Without `knows_club`, the new game has default options, because guests must not see what the club chose last.
    """
    with db.atomic(room.club_id):
        setup = tables.recall(db, room.club_id, game.id) if knows_club else {}
        seats = _same_players(db, room, before, game, knows_club)
        setup = setup or forms.defaults(game.inputs)
        key = tables.add_for(db, room.club_id, game, setup, seats, room_id=room.id)
        if before is not None and not before.is_over:
            if before.is_begun:
                db.execute("UPDATE tables SET room_id = NULL WHERE id = ?", [before.id])
                db.execute("UPDATE seats SET holder = NULL WHERE table_id = ?", [before.id])
                db.touched.add(before.key)
            else:
                tables.clear(db, before)
        db.execute("UPDATE phones SET prediction = '' WHERE room_id = ?", [room.id])
        rooms.announce(db, room)
        table = tables.find(db, key)
    assert table is not None, "it has just been laid"
    return table


def _same_players(db: Database, room: Room, before: Table | None, game: Game, knows_club: bool) -> list[Seat]:
    """Return empty seats for the players of the table `before`, with their avatars and phones.

    Phones that have left the room are left out. Without `knows_club`, avatars that the club stores are not used.
    """
    rows = db.query("SELECT device FROM phones WHERE room_id = ? AND role = 'play'", [room.id])
    there = {row["device"] for row in rows}
    seats = before.seats[: game.players[-1]] if before else ()
    names, worn = [seat.name for seat in seats], {seat.name: seat.avatar for seat in seats}
    now_worn = tables.looks_for(db, room.club_id, names, worn, knows_club)
    return [
        replace(
            Seat(0, seat.name, None, 1),
            holder=seat.holder if seat.holder in there else None,
            avatar=avatar,
            guest=seat.guest,
        )
        for seat, avatar in zip(seats, now_worn, strict=True)
    ]
