"""Rename players at open tables when their names change in the history.

Otherwise saving such a table would bring the old name back as a new player.
"""

from __future__ import annotations

from scorer.names import folded
from scorer.record_names import renamed
from webapp import avatars
from webapp.avatars import Avatar
from webapp.database import Database, pack
from webapp.table import seats, tables
from webapp.table.tables import Table


def follow(db: Database, club_id: int, before: str, after: str) -> None:
    """Rename a player at all open tables. A table where another player already has the new name is left alone."""
    with db.atomic(club_id):
        for key, spelt in _with(db, club_id, before):
            table = tables.find(db, key)
            if table is not None:
                _follow_at(db, table, spelt, after)


def _follow_at(db: Database, table: Table, spelt: str, after: str) -> None:
    hers = next(seat for seat in table.seats if seat.name == spelt)
    if hers.name == after or any(folded(seat.name) == folded(after) for seat in table.seats if seat is not hers):
        return
    names = {seat.name: after if seat is hers else seat.name for seat in table.seats}
    setup = renamed(table.setup, table.game.names, names)
    db.execute("UPDATE tables SET setup = ? WHERE id = ?", [pack(setup), table.id])
    for kept in ("drafts", "seat_versions"):  # delete what an earlier player of the new name left behind
        db.execute(f"DELETE FROM {kept} WHERE table_id = ? AND name = ?", [table.id, after])
    for kept in ("seats", "drafts", "seat_versions"):
        db.execute(f"UPDATE {kept} SET name = ? WHERE table_id = ? AND name = ?", [after, table.id, hers.name])
    tables.touch(db, table)


def set_avatar(db: Database, club_id: int, name: str, avatar: Avatar) -> None:
    """Give a player this avatar at all open tables, with another colour or figure where somebody else has the same."""
    for key, spelt in _with(db, club_id, name):
        table = tables.find(db, key)
        if table is not None:
            hers = next(seat for seat in table.seats if seat.name == spelt)
            others = [seat.avatar for seat in table.seats if seat is not hers]
            seats.set_avatar(db, table, hers.number, avatars.beside(avatar, others))


def is_seated(db: Database, club_id: int, name: str) -> bool:
    """Return whether a player of this name sits at a table that has not been saved."""
    return bool(_with(db, club_id, name, "AND saved_at IS NULL"))


def names_beside(db: Database, club_id: int, name: str) -> set[str]:
    """Return all names at the tables where a player of this name sits, folded ("Ann" to "ann") for comparison."""
    found = (tables.find(db, key) for key, _ in _with(db, club_id, name))
    return {folded(seat.name) for table in found if table is not None for seat in table.seats}


def _with(db: Database, club_id: int, name: str, which: str = "") -> list[tuple[str, str]]:
    """Return the keys of the club's tables with a player of this name, each with the name as spelled there.

    Another spelling counts too, such as "ann" for "Ann", unless it is a different player's name. `which` is an
    additional SQL condition.
    """
    rows = db.execute(
        f"""SELECT key, seats.name, players.id FROM tables JOIN seats ON table_id = tables.id
        LEFT JOIN players ON players.club_id = tables.club_id AND players.name = seats.name
        WHERE tables.club_id = ? {which} ORDER BY tables.id, seat""",
        [club_id],
    ).fetchall()
    return [
        (key, spelt)
        for key, spelt, player in rows
        if spelt == name or (player is None and folded(spelt) == folded(name))
    ]
