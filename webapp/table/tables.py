"""Tables: games being entered. Every tap is kept here, so that a reload or a locked phone loses nothing.

What changes a table returns it as it stands afterwards, so that nobody has to read it again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import zip_longest
from typing import Any

from scorer import games
from scorer.contract import Game, Json, Section
from scorer.core import CONFIRMED
from scorer.record import MOST_ELEMENTS, sequence
from webapp import avatars, clubs
from webapp.avatars import PLAIN, Avatar
from webapp.database import Database, ago, new_key, now, pack
from webapp.table import rooms
from webapp.table.rooms import Room

KEPT_DAYS = 30


@dataclass(frozen=True, slots=True)
class Seat:
    """One player at the table; `state` None until she has begun."""

    number: int
    name: str
    state: dict[str, Any] | None
    version: int
    holder: str | None = None  # the device that enters it
    done: bool = False
    look: Avatar = PLAIN
    guest: bool = False  # a guest gave the name: no player of the club until a member says so

    @property
    def progress(self) -> str:
        return progress(self.holder is not None, self.state is not None, self.done)


def progress(held: bool, begun: bool, done: bool) -> str:
    """Return how far a board is: free, taken, begun or done."""
    if begun:
        return "done" if done else "begun"
    return "taken" if held else "free"


@dataclass(frozen=True, slots=True)
class Table:
    """A game being entered: what belongs to the table, and its seats in clockwise order."""

    id: int
    key: str
    club_id: int
    game: Game
    setup: dict[str, Any]
    seats: tuple[Seat, ...]
    play_id: int | None
    updated_at: str
    room: Room | None = None  # that of the phones which are let in; None while it is closed to them
    version: int = 1
    revealed_at: int | None = None  # ms since 1970
    saved_at: str | None = None
    skipped: bool = False  # the reveal: everybody sees the result at once
    practice: bool = False  # not to be saved
    laid: int = 1  # how often what was chosen has changed
    lot: Any = None  # {"groups", "at"}: the seats that were drawn, one to begin or two teams, and when
    timer: Any = None  # {"minutes", "ends"}: a time that runs, until then

    @property
    def phones(self) -> int:
        """Return how many phones and TVs are in the room."""
        return self.room.phones if self.room else 0

    @property
    def is_begun(self) -> bool:
        """Return True if somebody has entered anything for a player."""
        return any(seat.state is not None for seat in self.seats)

    @property
    def is_over(self) -> bool:
        """Return True if its result has been shown to everybody, or saved."""
        return self.saved_at is not None or self.revealed_at is not None

    @property
    def hides_results(self) -> bool:
        """Among several phones the result is nobody's before it is everybody's."""
        return self.phones > 1 and self.revealed_at is None

    def with_seat(self, seat: Seat) -> Table:
        """The same table with this seat in the place of the one of its number."""
        return replace(self, seats=tuple(seat if one.number == seat.number else one for one in self.seats))


def lay(db: Database, club_id: int, game: Game, setup: Json, names: Sequence[str], held: Json = (), **more: int) -> str:
    """Return the key of a new table with these players; `held` is what each of them has entered."""
    players = zip_longest(names, held, clubs.avatars_at_table(db, club_id, names))
    seats = [Seat(0, name, state, 1, look=look) for name, state, look in players]
    return lay_for(db, club_id, game, setup, seats, **more)


def reopen(db: Database, club_id: int, game: Game, record: dict[str, Any], play_id: int) -> str:
    """Return the key of a table with a saved game on it, to be edited."""
    names = [player["name"] for player in record["players"]]
    states = [{key: value for key, value in player.items() if key != "name"} for player in record["players"]]
    return lay(db, club_id, game, record.get("table", {}), names, states, play_id=play_id)


def lay_for(db: Database, club_id: int, game: Game, setup: dict[str, Any], seats: Sequence[Seat], **more: int) -> str:
    """Return the key of a new table at which these players sit; `more` names its room or its saved game."""
    moment, key = now(), new_key()
    row = {"key": key, "club_id": club_id, "game": game.id, "setup": pack(setup), "created_at": moment}
    with db.atomic(club_id):
        table_id = db.insert("tables", **row, updated_at=moment, **more)
        for number, seat in enumerate(seats):
            sit_down(db, table_id, replace(seat, number=number))
    return key


def looks_for(
    db: Database, club_id: int, names: Sequence[str], there: Mapping[str, Avatar], knows_club: bool
) -> list[Avatar]:
    """Return looks that differ; what people wear in the club is told only to phones that know it."""
    if knows_club:
        return clubs.avatars_at_table(db, club_id, names, there)
    return avatars.apart(names, [there.get(name) for name in names])


def sit_down(db: Database, table_id: int, seat: Seat) -> None:
    """A new row for the seat."""
    db.put(
        "seats",
        table_id=table_id,
        seat=seat.number,
        name=seat.name,
        state=None if seat.state is None else pack(seat.state),
        version=seat.version,
        holder=seat.holder,
        done=int(seat.done),
        colour=seat.look.colour,
        token=seat.look.token,
        guest=int(seat.guest),
    )


def find(db: Database, key: str) -> Table | None:
    """Return the table of that key."""
    row = db.row("SELECT * FROM tables WHERE key = ?", key)
    room = rooms.find(db, id=row["room_id"]) if row else None
    if row is not None and room is None and row["room_id"] is not None:  # it was over, and has ended now
        row = db.row("SELECT * FROM tables WHERE key = ?", key)
    game = games.find(row["game"]) if row else None
    if row is None or game is None:
        return None
    seats = db.query("SELECT * FROM seats WHERE table_id = ? ORDER BY seat", [row["id"]])
    values = {field.name: row[field.name] for field in fields(Table) if field.name in row}
    values.update(game=game, seats=tuple(seat_of(seat) for seat in seats), room=room, setup=json.loads(row["setup"]))
    values.update(skipped=bool(row["skipped"]), practice=bool(row["practice"]))
    values.update({packed: json.loads(row[packed] or "null") for packed in ("lot", "timer")})
    return Table(**values)


def seat_of(row: dict[str, Any]) -> Seat:
    """A seat as its row in the file says."""
    state = json.loads(row["state"]) if row["state"] else None
    look = avatars.avatar_of(row["name"], row["colour"], row["token"])
    done, guest = bool(row["done"]), bool(row["guest"])
    return Seat(row["seat"], row["name"], state, row["version"], row["holder"], done, look, guest)


def is_new(db: Database, table: Table, change: str) -> bool:
    """Return whether the change has not been made yet; from now on it has. One without a name is always new."""
    if not change:
        return True
    made = db.execute("INSERT INTO changes (table_id, change) VALUES (?, ?) ON CONFLICT DO NOTHING", [table.id, change])
    return made.rowcount == 1


def keep_setup(db: Database, table: Table, setup: dict[str, Any]) -> Table:
    with db.atomic(table.club_id):
        db.execute("UPDATE tables SET setup = ? WHERE id = ?", [pack(setup), table.id])
        return touch(db, replace(table, setup=setup))


def practise(db: Database, table: Table, practice: bool) -> Table:
    """Note whether the game is only practice and is not to be saved."""
    if practice == table.practice:
        return table
    with db.atomic(table.club_id):
        db.execute("UPDATE tables SET practice = ? WHERE id = ?", [int(practice), table.id])
        return touch(db, replace(table, practice=practice))


def confirm(db: Database, table: Table, question: str) -> Table:
    """Somebody says that all is right there: it is not asked again, until what stands there changes."""
    asked = question.rpartition(":")[0]
    before = sequence(table.setup.get(CONFIRMED))
    confirmed = [one for one in before if one != question and str(one).rpartition(":")[0] != asked]
    return keep_setup(db, table, {**table.setup, CONFIRMED: [*confirmed, question][-MOST_ELEMENTS:]})


def reseated(setup: dict[str, Any], order: Sequence[int | None]) -> dict[str, Any]:
    """The setup after players have changed places: what was confirmed of each goes with her. `order` has old places."""
    if CONFIRMED not in setup:
        return setup
    places = {str(old): new for new, old in enumerate(order)}
    confirmed = []
    for question in sequence(setup[CONFIRMED]):
        steps = re.split("(?=[/:])", str(question))
        if steps[1:2] == ["/players"] and len(steps) > 2:
            if steps[2][1:] not in places:
                continue
            steps[2] = f"/{places[steps[2][1:]]}"
        confirmed.append("".join(steps))
    return {**setup, CONFIRMED: confirmed}


def touch(db: Database, table: Table, **columns: Any) -> Table:
    """Something that phones at the table show has changed: they are told once it is on disk."""
    columns["updated_at"] = now()
    names = "".join(f"{name} = ?, " for name in columns)
    db.execute(f"UPDATE tables SET {names}version = version + 1 WHERE id = ?", [*columns.values(), table.id])
    db.touched.add(table.key)
    if table.room is not None:
        rooms.tap(db, table.room)
    return replace(table, **columns, version=table.version + 1)


def clear(db: Database, table: Table) -> None:
    """Take the table away, its game saved or given up."""
    with db.atomic(table.club_id):
        touch(db, table)
        db.execute("DELETE FROM tables WHERE id = ?", [table.id])


def put_by(db: Database, table: Table, play_id: int) -> None:
    """Note as which game the table was saved: its phones still look at it, and a late change edits that game."""
    with db.atomic(table.club_id):
        touch(db, table, saved_at=now(), play_id=play_id)


def unfinished(db: Database, club_id: int) -> list[dict[str, Any]]:
    """Return every game of the club that somebody has begun to enter and nobody has saved, the latest first.

    Players alone do not count, because a new table seats those of the last game. A photo that waits to be checked does
    if a board was found on it.
    """
    rows = db.query(
        """SELECT key, game, updated_at, play_id, setup, revealed_at,
            (SELECT json_group_array(name) FROM seats WHERE table_id = tables.id) AS names,
            (SELECT count(*) FROM seats WHERE table_id = tables.id AND state IS NOT NULL) AS begun,
            (SELECT count(*) FROM photos WHERE table_id = tables.id AND kept = 0 AND reading NOT LIKE ?) AS photos
        FROM tables WHERE club_id = ? AND saved_at IS NULL ORDER BY updated_at DESC, id DESC""",
        ['%"boards":[]%', club_id],
    )
    return [
        {**row, "names": json.loads(row["names"] or "[]")}
        for row in rows
        if row["begun"] or row["photos"] or has_facts(row["game"], json.loads(row["setup"]))
    ]


def has_facts(game_id: str, setup: dict[str, Any]) -> bool:
    """Return True if something was noted for the whole table that is not chosen when it is laid."""
    game = games.find(game_id)
    chosen = {asked.name.partition("/")[0] for asked in (game.inputs if game else ()) if asked.section is Section.SETUP}
    return not setup.keys() <= chosen | {CONFIRMED}


def keys(db: Database, club_id: int) -> list[str]:
    """Of all tables of the club."""
    return [row["key"] for row in db.query("SELECT key FROM tables WHERE club_id = ?", [club_id])]


def clear_forgotten(db: Database) -> None:
    """A table left alone for a month is taken away."""
    with db.atomic():
        db.execute("DELETE FROM tables WHERE updated_at < ?", [ago(days=KEPT_DAYS)])


def remember(db: Database, club_id: int, game: str, setup: dict[str, Any]) -> None:
    """Keep what was chosen, so that the next table begins with it."""
    db.upsert("remembered", ("club_id", "game"), club_id=club_id, game=game, setup=pack(setup))


def remember_first(db: Database, club_id: int, game: str, setup: dict[str, Any]) -> None:
    """Keep what a file remembers, unless the club has chosen already."""
    sql = "INSERT INTO remembered (club_id, game, setup) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    db.execute(sql, [club_id, game, pack(setup)])


def recall(db: Database, club_id: int, game: str) -> dict[str, Any]:
    """Return what the club chose for its last table of the game."""
    row = db.row("SELECT setup FROM remembered WHERE club_id = ? AND game = ?", club_id, game)
    return json.loads(row["setup"]) if row else {}
