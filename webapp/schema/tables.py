"""The tables of games that are being entered: tables, rooms, phones and photos."""

from __future__ import annotations

STATEMENTS = (
    # code: other phones join by it; tapped_at: of the last tap, twelve hours after which the room ends.
    # away: the host is gone, misses: wrong PINs that were typed.
    """CREATE TABLE rooms (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        name TEXT NOT NULL DEFAULT '',
        day TEXT NOT NULL,
        code TEXT NOT NULL UNIQUE,
        tapped_at TEXT NOT NULL,
        version INTEGER NOT NULL DEFAULT 1,
        away INTEGER NOT NULL DEFAULT 0 CHECK (away IN (0, 1)),
        pin TEXT,
        misses INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE INDEX rooms_by_club ON rooms (club_id)",
    "CREATE INDEX rooms_by_age ON rooms (tapped_at)",
    """CREATE TABLE room_links (
        room_id INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('watch', 'enter', 'host')),
        token TEXT NOT NULL UNIQUE,
        PRIMARY KEY (room_id, role)
    ) STRICT""",
    # play_id: the saved game that is being edited. version: of all that phones show; laid: of what was chosen at the
    # start. revealed_at: ms since 1970. next_id: the table that the phones of this one have gone on to.
    """CREATE TABLE tables (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        game TEXT NOT NULL,
        setup TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        play_id INTEGER REFERENCES all_plays(id) ON DELETE CASCADE,
        version INTEGER NOT NULL DEFAULT 1,
        revealed_at INTEGER,
        saved_at TEXT,
        skipped INTEGER NOT NULL DEFAULT 0 CHECK (skipped IN (0, 1)),
        room_id INTEGER REFERENCES rooms(id) ON DELETE SET NULL,
        next_id INTEGER REFERENCES tables(id) ON DELETE SET NULL,
        laid INTEGER NOT NULL DEFAULT 1,
        lot TEXT,
        timer TEXT
    ) STRICT""",
    "CREATE INDEX tables_by_club ON tables (club_id, updated_at DESC)",
    "CREATE INDEX tables_by_age ON tables (updated_at)",
    "CREATE INDEX tables_by_room ON tables (room_id) WHERE room_id IS NOT NULL",
    "CREATE INDEX tables_by_next ON tables (next_id) WHERE next_id IS NOT NULL",
    # state: NULL until somebody has begun to enter what this player has. holder: the device that enters it;
    # done: it says that it is ready.
    """CREATE TABLE seats (
        table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        name TEXT NOT NULL,
        state TEXT,
        version INTEGER NOT NULL DEFAULT 1,
        holder TEXT,
        done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
        colour TEXT NOT NULL DEFAULT '',
        token TEXT NOT NULL DEFAULT '',
        left_open INTEGER NOT NULL DEFAULT 0 CHECK (left_open IN (0, 1)),
        PRIMARY KEY (table_id, seat)
    ) STRICT, WITHOUT ROWID""",
    # What a seat held before, so that what two phones made of it can be put together.
    """CREATE TABLE seat_versions (
        table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        version INTEGER NOT NULL,
        state TEXT NOT NULL,
        PRIMARY KEY (table_id, name, version)
    ) STRICT, WITHOUT ROWID""",
    # What a phone entered while another one changed the same seat, until somebody has chosen.
    """CREATE TABLE drafts (
        table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        device TEXT NOT NULL,
        state TEXT NOT NULL,
        PRIMARY KEY (table_id, name, device)
    ) STRICT, WITHOUT ROWID""",
    # Changes that have been made, by the name their phone gave them: one that arrives again is not made again.
    """CREATE TABLE changes (
        table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
        change TEXT NOT NULL,
        PRIMARY KEY (table_id, change)
    ) STRICT, WITHOUT ROWID""",
    # A phone that knocks has typed the code and waits for the host, who knows it by its sign. table_id: where the phone
    # is; name: as whom it would play.
    """CREATE TABLE phones (
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
    "CREATE INDEX phones_by_device ON phones (device)",
    "CREATE INDEX phones_by_table ON phones (table_id) WHERE table_id IS NOT NULL",
    # The games that were saved in the room: its results of tonight.
    """CREATE TABLE room_plays (
        room_id INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE,
        play_id INTEGER NOT NULL REFERENCES all_plays(id) ON DELETE CASCADE,
        PRIMARY KEY (room_id, play_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX room_plays_by_play ON room_plays (play_id)",
    # A code by which a second device takes over from the first one, for a few minutes and once.
    """CREATE TABLE passes (
        code TEXT NOT NULL PRIMARY KEY,
        room_id INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE,
        device TEXT NOT NULL,
        made_at TEXT NOT NULL,
        UNIQUE (room_id, device)
    ) STRICT, WITHOUT ROWID""",
    # Photos under review; those that are kept go with the game. digest: the same photo is not kept twice.
    """CREATE TABLE photos (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        table_id INTEGER REFERENCES tables(id) ON DELETE CASCADE,
        play_id INTEGER REFERENCES all_plays(id) ON DELETE CASCADE,
        reading TEXT NOT NULL,
        kept INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1)),
        created_at TEXT NOT NULL,
        device TEXT NOT NULL DEFAULT '',
        digest TEXT NOT NULL DEFAULT '',
        cards_follow INTEGER NOT NULL DEFAULT 0 CHECK (cards_follow IN (0, 1))
    ) STRICT""",
    "CREATE INDEX photos_by_table ON photos (table_id)",
    "CREATE INDEX photos_by_play ON photos (play_id)",
    # A photo may show several boards: each is somebody's, nobody's (-1) or still asked about (NULL).
    # looked: the squares that somebody has confirmed, by place.
    """CREATE TABLE photo_boards (
        photo_id INTEGER NOT NULL REFERENCES photos(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        seat INTEGER,
        looked TEXT NOT NULL DEFAULT '{}',
        PRIMARY KEY (photo_id, number)
    ) STRICT""",
    """CREATE TABLE pictures (
        photo_id INTEGER NOT NULL REFERENCES photos(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        jpeg BLOB NOT NULL,
        PRIMARY KEY (photo_id, number)
    ) STRICT""",
)
