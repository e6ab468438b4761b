"""Tables of m040: rooms, which phones belong to, and the tables in them. Every table that is open becomes a room."""

from __future__ import annotations

from sqlite_utils import Database

from webapp.database import new_key, now

STATEMENTS = (
    # day: on which it was opened, at the club; tapped_at: of the last tap, after which it lasts for twelve hours more.
    """CREATE TABLE rooms (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        name TEXT NOT NULL DEFAULT '',
        day TEXT NOT NULL,
        code TEXT NOT NULL UNIQUE,
        tapped_at TEXT NOT NULL,
        version INTEGER NOT NULL DEFAULT 1
    ) STRICT""",
    """CREATE INDEX rooms_by_club ON rooms (club_id)""",
    """CREATE INDEX rooms_by_age ON rooms (tapped_at)""",
    """CREATE TABLE room_links (
        room_id INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('watch', 'enter', 'host')),
        token TEXT NOT NULL UNIQUE,
        PRIMARY KEY (room_id, role)
    ) STRICT""",
    # next_id: the table to which the phones of this one have gone on.
    """ALTER TABLE tables ADD COLUMN room_id INTEGER REFERENCES rooms(id) ON DELETE SET NULL""",
    """ALTER TABLE tables ADD COLUMN next_id INTEGER REFERENCES tables(id) ON DELETE SET NULL""",
    """CREATE INDEX tables_by_room ON tables (room_id) WHERE room_id IS NOT NULL""",
    """CREATE INDEX tables_by_next ON tables (next_id) WHERE next_id IS NOT NULL""",
    # A phone that knocks has typed the code and waits for the host, who knows it by its sign. table_id: where the phone
    # is; name: as whom it would play, said by itself.
    """CREATE TABLE room_phones (
        room_id INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE,
        device TEXT NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('knock', 'watch', 'enter', 'host')),
        wants TEXT NOT NULL CHECK (wants IN ('watch', 'enter', 'host')),
        sign TEXT NOT NULL,
        since TEXT NOT NULL,
        way TEXT NOT NULL DEFAULT '',
        kind TEXT NOT NULL DEFAULT '',
        table_id INTEGER REFERENCES tables(id) ON DELETE SET NULL,
        name TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (room_id, device)
    ) STRICT, WITHOUT ROWID""",
    # The games that were saved in the room: its results of tonight.
    """CREATE TABLE room_plays (
        room_id INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE,
        play_id INTEGER NOT NULL REFERENCES kept_plays(id) ON DELETE CASCADE,
        PRIMARY KEY (room_id, play_id)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX room_plays_by_play ON room_plays (play_id)""",
    # By which a second device takes over what the first one holds, for a few minutes and once.
    """CREATE TABLE passes (
        code TEXT NOT NULL PRIMARY KEY,
        room_id INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE,
        device TEXT NOT NULL,
        made_at TEXT NOT NULL,
        UNIQUE (room_id, device)
    ) STRICT, WITHOUT ROWID""",
)


def move_in(db: Database) -> None:
    """Each open table gets a room of its own, with its code, its links and its phones, and twelve hours from now."""
    opened = db.execute("SELECT id, key, club_id, code, updated_at FROM tables WHERE code IS NOT NULL").fetchall()
    for table_id, key, club_id, code, updated_at in opened:
        made = db.execute(
            "INSERT INTO rooms (key, club_id, day, code, tapped_at) VALUES (?, ?, ?, ?, ?)",
            [new_key(), club_id, updated_at[:10], code, now()],
        )
        room_id = made.lastrowid
        db.execute("UPDATE tables SET room_id = ? WHERE id = ?", [room_id, table_id])
        db.execute(
            "INSERT INTO room_links (room_id, role, token) SELECT ?, role, token FROM table_links WHERE table_id = ?",
            [room_id, table_id],
        )
        db.execute(
            """INSERT INTO room_phones (room_id, device, role, wants, sign, since, way, kind, table_id)
            SELECT ?, device, role, wants, sign, since, way, kind, table_id FROM phones WHERE table_id = ?""",
            [room_id, table_id],
        )
        db.execute(
            "INSERT INTO room_plays (room_id, play_id) SELECT ?, id FROM kept_plays WHERE table_key = ?", [room_id, key]
        )
    for statement in (
        "DROP TABLE phones",
        "DROP TABLE table_links",
        "DROP INDEX tables_by_code",
        "ALTER TABLE tables DROP COLUMN code",
        "ALTER TABLE room_phones RENAME TO phones",
        "CREATE INDEX phones_by_device ON phones (device)",
        "CREATE INDEX phones_by_table ON phones (table_id) WHERE table_id IS NOT NULL",
    ):
        db.execute(statement)
