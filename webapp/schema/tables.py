"""Define the tables of games that are being entered: tables, rooms, phones and photos."""

from __future__ import annotations

STATEMENTS = (
    # code: what new phones type; link: the end of the address in the QR code; both are replaced when a phone is
    # removed. tapped_at: the last tap; the room ends twelve hours later. guarded: every new phone has to be accepted.
    """CREATE TABLE rooms (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        label TEXT NOT NULL DEFAULT '',
        code TEXT NOT NULL UNIQUE,
        link TEXT NOT NULL UNIQUE,
        tapped_at TEXT NOT NULL,
        version INTEGER NOT NULL DEFAULT 1,
        guarded INTEGER NOT NULL DEFAULT 0 CHECK (guarded IN (0, 1))
    ) STRICT""",
    "CREATE INDEX rooms_by_club ON rooms (club_id)",
    "CREATE INDEX rooms_by_age ON rooms (tapped_at)",
    # play_id: the saved game that is being edited. version: counts all changes; laid: counts changes of the set-up.
    # revealed_at: ms since 1970. practice: the game is not to be saved.
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
        practice INTEGER NOT NULL DEFAULT 0 CHECK (practice IN (0, 1)),
        laid INTEGER NOT NULL DEFAULT 1,
        lot TEXT,
        timer TEXT
    ) STRICT""",
    "CREATE INDEX tables_by_club ON tables (club_id, updated_at DESC)",
    "CREATE INDEX tables_by_age ON tables (updated_at)",
    "CREATE INDEX tables_by_room ON tables (room_id) WHERE room_id IS NOT NULL",
    # state: NULL until somebody begins to enter the board. holder: the device that enters it; done: it says that it is
    # ready. guest: somebody outside the club gave the name.
    """CREATE TABLE seats (
        table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        name TEXT NOT NULL,
        state TEXT,
        version INTEGER NOT NULL DEFAULT 1,
        holder TEXT,
        done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
        guest INTEGER NOT NULL DEFAULT 0 CHECK (guest IN (0, 1)),
        colour TEXT NOT NULL DEFAULT '',
        token TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (table_id, seat)
    ) STRICT, WITHOUT ROWID""",
    # Earlier states of a seat, so that the changes of two phones can be merged.
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
    # Changes that were made, by the id that their phone gave them, so that none is made twice.
    """CREATE TABLE changes (
        table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
        change TEXT NOT NULL,
        PRIMARY KEY (table_id, change)
    ) STRICT, WITHOUT ROWID""",
    # role: 'out' if the phone was removed or not accepted. sign: three characters by which people recognise a phone
    # that asks. removed: it was removed from this room before. prediction: who will win the current game, as its user
    # thinks.
    """CREATE TABLE phones (
        room_id INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE,
        device TEXT NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('play', 'tv', 'asking', 'out')),
        sign TEXT NOT NULL,
        since TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        kind TEXT NOT NULL DEFAULT '',
        removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
        prediction TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (room_id, device)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX phones_by_device ON phones (device)",
    # Acts in a room that concern somebody else. subject: JSON; asked_at, done_at: ms since 1970, done_at is NULL while
    # the act waits for a second phone; undo: JSON, NULL if the act can't be undone.
    """CREATE TABLE acts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        room_id INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE,
        action TEXT NOT NULL CHECK (action IN ('take', 'reveal', 'change', 'accept', 'remove')),
        subject TEXT NOT NULL,
        device TEXT NOT NULL,
        name TEXT NOT NULL,
        asked_at INTEGER NOT NULL,
        done_at INTEGER,
        undo TEXT
    ) STRICT""",
    "CREATE INDEX acts_by_room ON acts (room_id)",
    # The games that were saved in the room tonight.
    """CREATE TABLE room_plays (
        room_id INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE,
        play_id INTEGER NOT NULL REFERENCES all_plays(id) ON DELETE CASCADE,
        PRIMARY KEY (room_id, play_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX room_plays_by_play ON room_plays (play_id)",
    # Photos under review or kept with a game. digest: prevents storing the same photo twice.
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
    # The boards on a photo. seat: -1 for nobody's, NULL until somebody says whose it is. looked: the squares that
    # somebody has confirmed.
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
    # Photos that a club lets us keep to measure the reader. boards: JSON, the position and pieces of each board.
    # permission: the text that somebody agreed to; until then (permitted_at IS NULL) the photo waits at its table, for
    # a day at most.
    """CREATE TABLE samples (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        table_id INTEGER REFERENCES tables(id) ON DELETE CASCADE,
        game TEXT NOT NULL,
        boards TEXT NOT NULL,
        jpeg BLOB NOT NULL,
        created_at TEXT NOT NULL,
        permission TEXT NOT NULL DEFAULT '',
        permitted_at TEXT
    ) STRICT""",
    "CREATE INDEX samples_by_club ON samples (club_id, id)",
    "CREATE INDEX samples_by_table ON samples (table_id)",
)
