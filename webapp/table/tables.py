"""Store tables, the games being entered. Every tap is saved, so that a reload or a locked phone loses nothing.

A function that changes a table returns the changed table, so that nobody has to read it again.
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
    """Describe one player at the table. `state` is None before the first entry."""

    number: int
    name: str
    state: dict[str, Any] | None
    version: int
    holder: str | None = None  # the device that plays as this player
    done: bool = False
    avatar: Avatar = PLAIN
    guest: bool = False  # named by a guest: not a player of the club until a member accepts them

    @property
    def progress(self) -> str:
        return progress(self.holder is not None, self.state is not None, self.done)


def progress(held: bool, begun: bool, done: bool) -> str:
    """Return how far a board is: "free", "taken" by a phone (`held`), "begun" or "done"."""
    if begun:
        return "done" if done else "begun"
    return "taken" if held else "free"


@dataclass(frozen=True, slots=True)
class Table:
    """Describe a game being entered: its options, its room, how far it is, and its seats in clockwise order."""

    id: int
    key: str
    club_id: int
    game: Game
    setup: dict[str, Any]
    seats: tuple[Seat, ...]
    play_id: int | None
    updated_at: str
    room: Room | None = None  # None while no other phone can join
    version: int = 1
    revealed_at: int | None = None  # ms since 1970
    saved_at: str | None = None
    skipped: bool = False  # the reveal was skipped
    practice: bool = False  # not to be saved
    laid: int = 1  # counts changes of the options
    lot: Any = None  # {"groups", "at"}: the drawn first seat or two teams, and when
    timer: Any = None  # {"minutes", "ends"}: a running timer and its end

    @property
    def phones(self) -> int:
        """Return the number of phones and TVs in the room."""
        return self.room.phones if self.room else 0

    @property
    def is_begun(self) -> bool:
        """Return True if anything has been entered for a player."""
        return any(seat.state is not None for seat in self.seats)

    @property
    def is_over(self) -> bool:
        """Return True if the result has been revealed or saved."""
        return self.saved_at is not None or self.revealed_at is not None

    @property
    def hides_results(self) -> bool:
        """Return True if several phones are in the room and the result is not revealed yet."""
        return self.phones > 1 and self.revealed_at is None

    def with_seat(self, seat: Seat) -> Table:
        """Return the table with its seat of the same number replaced."""
        return replace(self, seats=tuple(seat if one.number == seat.number else one for one in self.seats))


def add(db: Database, club_id: int, game: Game, setup: Json, names: Sequence[str], held: Json = (), **more: Any) -> str:
    """Create a table for these players and return its key. `held` has their states; `more` is as in `add_for`."""
    players = zip_longest(names, held, clubs.avatars_at_table(db, club_id, names))
    seats = [Seat(0, name, state, 1, avatar=avatar) for name, state, avatar in players]
    return add_for(db, club_id, game, setup, seats, **more)


def reopen(db: Database, club_id: int, game: Game, record: dict[str, Any], play_id: int) -> str:
    """Create a table to edit a saved game, and return its key."""
    names = [player["name"] for player in record["players"]]
    states = [{key: value for key, value in player.items() if key != "name"} for player in record["players"]]
    return add(db, club_id, game, record.get("table", {}), names, states, play_id=play_id)


def add_for(db: Database, club_id: int, game: Game, setup: dict[str, Any], seats: Sequence[Seat], **more: Any) -> str:
    """Create a table with these seats; return its key. `more` may set `key`, `room_id` or `play_id`, its saved game."""
    moment = now()
    row = {"key": new_key(), "club_id": club_id, "game": game.id, "setup": pack(setup), "created_at": moment} | more
    with db.atomic(club_id):
        table_id = db.insert("tables", **row, updated_at=moment)
        for number, seat in enumerate(seats):
            sit_down(db, table_id, replace(seat, number=number))
    return str(row["key"])


def looks_for(
    db: Database, club_id: int, names: Sequence[str], there: Mapping[str, Avatar], knows_club: bool
) -> list[Avatar]:
    """Return a different avatar for each player, if possible the one that `there` has by name. With `knows_club`, a
    player without one there gets the avatar that the club has stored."""
    if knows_club:
        return clubs.avatars_at_table(db, club_id, names, there)
    return avatars.distinct(names, [there.get(name) for name in names])


def sit_down(db: Database, table_id: int, seat: Seat) -> None:
    """Insert the row of a seat."""
    db.put(
        "seats",
        table_id=table_id,
        seat=seat.number,
        name=seat.name,
        state=None if seat.state is None else pack(seat.state),
        version=seat.version,
        holder=seat.holder,
        done=int(seat.done),
        colour=seat.avatar.colour,
        token=seat.avatar.token,
        guest=int(seat.guest),
    )


def find(db: Database, key: str) -> Table | None:
    """Return the table with this key, or None."""
    row = db.row("SELECT * FROM tables WHERE key = ?", key)
    room = rooms.find(db, id=row["room_id"]) if row else None
    if row is not None and room is None and row["room_id"] is not None:  # the room has just ended
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
    state = json.loads(row["state"]) if row["state"] else None
    avatar = avatars.avatar_of(row["name"], row["colour"], row["token"])
    done, guest = bool(row["done"]), bool(row["guest"])
    return Seat(row["seat"], row["name"], state, row["version"], row["holder"], done, avatar, guest)


def is_new(db: Database, table: Table, change: str) -> bool:
    """Remember a change by the name that its phone gave it. Return False if it came before; "" is always new."""
    if not change:
        return True
    made = db.execute("INSERT INTO changes (table_id, change) VALUES (?, ?) ON CONFLICT DO NOTHING", [table.id, change])
    return made.rowcount == 1


def keep_setup(db: Database, table: Table, setup: dict[str, Any]) -> Table:
    with db.atomic(table.club_id):
        db.execute("UPDATE tables SET setup = ? WHERE id = ?", [pack(setup), table.id])
        return touch(db, replace(table, setup=setup))


def practise(db: Database, table: Table, practice: bool) -> Table:
    """Set whether the game is only practice, which is not saved."""
    if practice == table.practice:
        return table
    with db.atomic(table.club_id):
        db.execute("UPDATE tables SET practice = ? WHERE id = ?", [int(practice), table.id])
        return touch(db, replace(table, practice=practice))


def confirm(db: Database, table: Table, question: str) -> Table:
    """Store a confirmed question as `place:code:digest`. It is asked again only if its entry changes."""
    asked = question.rpartition(":")[0]
    before = sequence(table.setup.get(CONFIRMED))
    confirmed = [one for one in before if one != question and str(one).rpartition(":")[0] != asked]
    return keep_setup(db, table, {**table.setup, CONFIRMED: [*confirmed, question][-MOST_ELEMENTS:]})


def reseated(setup: dict[str, Any], order: Sequence[int | None]) -> dict[str, Any]:
    """Return the setup after players change places, with their confirmed questions moved. `order` has each player's old
    seat, or None for a new player."""
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
    """Set these columns of the table's row and increase its version. Phones hear of it after the commit."""
    columns["updated_at"] = now()
    names = "".join(f"{name} = ?, " for name in columns)
    db.execute(f"UPDATE tables SET {names}version = version + 1 WHERE id = ?", [*columns.values(), table.id])
    db.touched.add(table.key)
    if table.room is not None:
        rooms.tap(db, table.room)
    return replace(table, **columns, version=table.version + 1)


def clear(db: Database, table: Table) -> None:
    """Delete the table."""
    with db.atomic(table.club_id):
        touch(db, table)
        db.execute("DELETE FROM tables WHERE id = ?", [table.id])


def put_by(db: Database, table: Table, play_id: int) -> None:
    """Store which saved game a table has become. Phones still show the table, and a late change edits that game."""
    with db.atomic(table.club_id):
        touch(db, table, saved_at=now(), play_id=play_id)


def unfinished(db: Database, club_id: int) -> list[dict[str, Any]]:
    """Return the rows of the club's tables that have entries and are not saved, latest first. "names" has the players.
    Players alone do not count, because a new table has those of the last game. A photo under review counts if a
    board was found on it."""
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
    """Return True if the setup has values other than the options chosen at the start."""
    game = games.find(game_id)
    chosen = {asked.name.partition("/")[0] for asked in (game.inputs if game else ()) if asked.section is Section.SETUP}
    return not setup.keys() <= chosen | {CONFIRMED}


def keys(db: Database, club_id: int) -> list[str]:
    """Return the keys of all the club's tables."""
    return [row["key"] for row in db.query("SELECT key FROM tables WHERE club_id = ?", [club_id])]


def clear_forgotten(db: Database) -> None:
    """Delete the tables that nobody has changed for a month."""
    with db.atomic():
        db.execute("DELETE FROM tables WHERE updated_at < ?", [ago(days=KEPT_DAYS)])


def remember(db: Database, club_id: int, game: str, setup: dict[str, Any]) -> None:
    """Remember the options for the club's next table of the game."""
    db.upsert("remembered", ("club_id", "game"), club_id=club_id, game=game, setup=pack(setup))


def remember_first(db: Database, club_id: int, game: str, setup: dict[str, Any]) -> None:
    """Remember the options from an imported file, unless the club has some."""
    sql = "INSERT INTO remembered (club_id, game, setup) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    db.execute(sql, [club_id, game, pack(setup)])


def recall(db: Database, club_id: int, game: str) -> dict[str, Any]:
    """Return the options of the club's last table of the game, or an empty dictionary."""
    row = db.row("SELECT setup FROM remembered WHERE club_id = ? AND game = ?", club_id, game)
    return json.loads(row["setup"]) if row else {}
