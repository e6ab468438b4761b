"""Gives everybody who is there already a look: the players of each club, and the seats of tables being entered."""

from __future__ import annotations

from itertools import groupby

from sqlite_utils import Database

from webapp.looks import Given, Look, apart


def hand_out(db: Database) -> None:
    own: dict[tuple[int, str], Look] = {}
    people = db.execute("SELECT club_id, id, name FROM players ORDER BY club_id, id").fetchall()
    for club_id, members in groupby(people, key=lambda row: row[0]):
        given = Given()
        for _, number, name in members:
            look = given.free(name)
            given.add(look)
            own[club_id, name] = look
            db.execute("UPDATE players SET colour = ?, token = ? WHERE id = ?", [look.colour, look.token, number])
    seated = db.execute(
        "SELECT table_id, seat, name, club_id FROM seats JOIN tables ON id = table_id ORDER BY table_id, seat"
    ).fetchall()
    for table_id, there in groupby(seated, key=lambda row: row[0]):
        rows = list(there)
        looks = apart([row[2] for row in rows], [own.get((row[3], row[2])) for row in rows])
        for (_, seat, _, _), look in zip(rows, looks, strict=True):
            where = "WHERE table_id = ? AND seat = ?"
            db.execute(f"UPDATE seats SET colour = ?, token = ? {where}", [look.colour, look.token, table_id, seat])
