"""The schema, step by step. A step that has been released is never changed; a new need is a new step."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from webapp.database import numbering
from webapp.schema import cells, dealt, growing, imports, looks, rooms, tallies

steps = Migrations("tidemark")


@steps()
def m001_clubs(db: Database) -> None:
    """Clubs, the links that let people in, and the people who play."""
    run(
        db,
        """CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT""",
        """CREATE TABLE clubs (id INTEGER PRIMARY KEY, name TEXT NOT NULL, created_at TEXT NOT NULL) STRICT""",
        # A renewed link gets a new generation: devices that came by the old one stay out.
        """CREATE TABLE links (
            club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
            role TEXT NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
            token TEXT NOT NULL UNIQUE,
            generation INTEGER NOT NULL DEFAULT 1,
            PRIMARY KEY (club_id, role)
        ) STRICT""",
        """CREATE TABLE players (
            id INTEGER PRIMARY KEY,
            club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            created_at TEXT NOT NULL,
            UNIQUE (club_id, name)
        ) STRICT""",
        # What a club chose last for a game, and what it was asked once and need not be asked again.
        """CREATE TABLE remembered (
            club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
            game TEXT NOT NULL,
            setup TEXT NOT NULL,
            PRIMARY KEY (club_id, game)
        ) STRICT""",
        # Cards described once, to be picked again.
        """CREATE TABLE cards (
            id INTEGER PRIMARY KEY,
            club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
            game TEXT NOT NULL,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            card TEXT NOT NULL,
            UNIQUE (club_id, game, kind, name)
        ) STRICT""",
    )


@steps()
def m002_tables_and_plays(db: Database) -> None:
    """Tables are being entered; plays are saved, with every earlier version."""
    run(
        db,
        """CREATE TABLE plays (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
            game TEXT NOT NULL,
            played_at TEXT NOT NULL,
            saved_at TEXT NOT NULL,
            version INTEGER NOT NULL DEFAULT 1,
            record TEXT NOT NULL,
            result TEXT NOT NULL,
            rules_version TEXT NOT NULL,
            player_count INTEGER NOT NULL,
            notes TEXT NOT NULL DEFAULT '',
            table_key TEXT UNIQUE, -- the table it was saved from, so that saving twice saves once
            deleted_at TEXT
        ) STRICT""",
        """CREATE INDEX plays_by_date ON plays (club_id, played_at DESC, id DESC) WHERE deleted_at IS NULL""",
        """CREATE TABLE play_versions (
            play_id INTEGER NOT NULL REFERENCES plays(id) ON DELETE CASCADE,
            version INTEGER NOT NULL,
            saved_at TEXT NOT NULL,
            record TEXT NOT NULL,
            result TEXT NOT NULL,
            rules_version TEXT NOT NULL,
            PRIMARY KEY (play_id, version)
        ) STRICT""",
        """CREATE TABLE scores (
            play_id INTEGER NOT NULL REFERENCES plays(id) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            player_id INTEGER NOT NULL REFERENCES players(id),
            total INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            winner INTEGER NOT NULL CHECK (winner IN (0, 1)),
            PRIMARY KEY (play_id, seat)
        ) STRICT, WITHOUT ROWID""",
        """CREATE INDEX scores_by_player ON scores (player_id, play_id)""",
        """CREATE TABLE lines (
            play_id INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            position INTEGER NOT NULL,
            rule TEXT NOT NULL,
            label TEXT NOT NULL,
            points INTEGER NOT NULL,
            PRIMARY KEY (play_id, seat, position),
            FOREIGN KEY (play_id, seat) REFERENCES scores(play_id, seat) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE tables (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
            game TEXT NOT NULL,
            setup TEXT NOT NULL,
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL,
            play_id INTEGER REFERENCES plays(id) ON DELETE CASCADE
        ) STRICT""",
        """CREATE INDEX tables_by_club ON tables (club_id, updated_at DESC)""",
        # state is NULL until somebody has begun to enter what this player has.
        """CREATE TABLE seats (
            table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            name TEXT NOT NULL,
            state TEXT,
            version INTEGER NOT NULL DEFAULT 1,
            PRIMARY KEY (table_id, seat)
        ) STRICT, WITHOUT ROWID""",
    )


@steps()
def m003_what_counts(db: Database) -> None:
    """The names plays, scores and lines become views that read well; what is kept goes beneath, with what is counted.

    Only `kept_plays` and `players` are the truth. Everything else that the history counts is worked out from them and
    can be at any time again: so the old scores and lines are dropped, and the start counts anew.
    """
    db.execute("DROP TABLE lines")
    db.execute("DROP TABLE scores")
    db.execute("ALTER TABLE plays RENAME TO kept_plays")
    for column in (
        "variant TEXT NOT NULL DEFAULT ''",
        "place TEXT NOT NULL DEFAULT ''",
        "minutes INTEGER CHECK (minutes > 0)",
        "margin INTEGER",
        "comeback INTEGER",
        "comeback_rule TEXT",
        "decided_by TEXT",
        "source TEXT NOT NULL DEFAULT ''",
        "source_id TEXT NOT NULL DEFAULT ''",
    ):
        db.execute(f"ALTER TABLE kept_plays ADD COLUMN {column}")
    run(db, "DROP INDEX plays_by_date", *tallies.STATEMENTS)


@steps()
def m010_several_phones(db: Database) -> None:
    """Phones at a table with their rights, who sits where, and what keeps two of them from overwriting each other."""
    run(
        db,
        # code: open to other phones; version: of all that they show; revealed_at: ms since 1970.
        """ALTER TABLE tables ADD COLUMN code TEXT""",
        """ALTER TABLE tables ADD COLUMN version INTEGER NOT NULL DEFAULT 1""",
        """ALTER TABLE tables ADD COLUMN revealed_at INTEGER""",
        """ALTER TABLE tables ADD COLUMN saved_at TEXT""",
        """CREATE UNIQUE INDEX tables_by_code ON tables (code) WHERE code IS NOT NULL""",
        """CREATE INDEX tables_by_age ON tables (updated_at)""",
        # holder: the device that enters this seat; done: it says that it is ready.
        """ALTER TABLE seats ADD COLUMN holder TEXT""",
        """ALTER TABLE seats ADD COLUMN done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1))""",
        """CREATE TABLE table_links (
            table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
            role TEXT NOT NULL CHECK (role IN ('watch', 'enter', 'host')),
            token TEXT NOT NULL UNIQUE,
            PRIMARY KEY (table_id, role)
        ) STRICT""",
        # A phone that knocks has typed the code and waits for the host, who knows it by its sign.
        """CREATE TABLE phones (
            table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
            device TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('knock', 'watch', 'enter', 'host')),
            wants TEXT NOT NULL CHECK (wants IN ('watch', 'enter', 'host')),
            sign TEXT NOT NULL,
            since TEXT NOT NULL,
            PRIMARY KEY (table_id, device)
        ) STRICT, WITHOUT ROWID""",
        # Changes that have been made, by the name their phone gave them: one that arrives again is not made again.
        """CREATE TABLE changes (
            table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
            change TEXT NOT NULL,
            PRIMARY KEY (table_id, change)
        ) STRICT, WITHOUT ROWID""",
        # What a phone entered while another one changed the same seat, until its owner has chosen.
        """CREATE TABLE drafts (
            table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            device TEXT NOT NULL,
            state TEXT NOT NULL,
            PRIMARY KEY (table_id, name, device)
        ) STRICT, WITHOUT ROWID""",
    )


@steps()
def m011_photos(db: Database) -> None:
    """Photographs of boards under review; those that are kept go with the game."""
    run(
        db,
        """CREATE TABLE photos (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            table_id INTEGER REFERENCES tables(id) ON DELETE CASCADE,
            play_id INTEGER REFERENCES kept_plays(id) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            reading TEXT NOT NULL,
            kept INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1)),
            created_at TEXT NOT NULL
        ) STRICT""",
        """CREATE INDEX photos_by_table ON photos (table_id)""",
        """CREATE INDEX photos_by_play ON photos (play_id)""",
        """CREATE TABLE pictures (
            photo_id INTEGER NOT NULL REFERENCES photos(id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            jpeg BLOB NOT NULL,
            PRIMARY KEY (photo_id, number)
        ) STRICT""",
    )


@steps()
def m020_names_apart(db: Database) -> None:
    """A name stands once, with its person; long work is begun here and goes on in the background.

    The texts of plays are taken up one by one afterwards (`webapp.history.naming_anew`), and read in both forms until
    then: a big file is open at once.
    """
    run(db, *growing.STATEMENTS)


@steps()
def m021_cells(db: Database) -> None:
    """The club's own days, and sums by place, period, number of players, way of playing and card in play.

    All sums are dropped: the start counts anew, by definitions that have changed.
    """
    db.execute("ALTER TABLE clubs ADD COLUMN zone TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE kept_plays ADD COLUMN day TEXT NOT NULL DEFAULT ''")
    db.execute("UPDATE kept_plays SET day = substr(played_at, 1, 10)")
    run(db, *cells.STATEMENTS)


@steps()
def m022_imports(db: Database) -> None:
    """Imports go on in the background, piece by piece, and can be stopped."""
    run(db, *imports.STATEMENTS)


@steps()
def m024_devices(db: Database) -> None:
    """A row for each device in a club, which ends with it; and by which way a guest came to a table."""
    run(
        db,
        # key: what its cookie carries; phone: the name it goes by at tables.
        """CREATE TABLE devices (
            id INTEGER PRIMARY KEY,
            club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
            key TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
            way TEXT NOT NULL CHECK (way IN ('link', 'founded', 'before')),
            name TEXT NOT NULL DEFAULT '',
            kind TEXT NOT NULL,
            phone TEXT NOT NULL,
            since TEXT NOT NULL,
            seen_at TEXT NOT NULL,
            ended_at TEXT
        ) STRICT""",
        """CREATE INDEX devices_by_club ON devices (club_id, seen_at)""",
        """ALTER TABLE phones ADD COLUMN way TEXT NOT NULL DEFAULT ''""",
        """ALTER TABLE phones ADD COLUMN kind TEXT NOT NULL DEFAULT ''""",
    )


@steps()
def m025_deeds(db: Database) -> None:
    """Who did what, kept for 90 days. The device may be gone by then, so its name is written down as well."""
    run(
        db,
        """CREATE TABLE deeds (
            id INTEGER PRIMARY KEY,
            club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
            at TEXT NOT NULL,
            what TEXT NOT NULL,
            play_id INTEGER REFERENCES kept_plays(id) ON DELETE SET NULL,
            device_id INTEGER REFERENCES devices(id) ON DELETE SET NULL,
            role TEXT NOT NULL,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            about TEXT NOT NULL,
            brought INTEGER NOT NULL DEFAULT 0 CHECK (brought IN (0, 1)) -- came in with a file: only its word for it
        ) STRICT""",
        """CREATE INDEX deeds_by_club ON deeds (club_id, id)""",
        """CREATE INDEX deeds_by_play ON deeds (play_id, id)""",
        """CREATE INDEX deeds_by_device ON deeds (device_id)""",
    )


@steps()
def m025_words(db: Database) -> None:
    """Search looks through words of each club by itself; the start counts them anew."""
    run(db, *growing.WORDS)


@steps()
def m026_gaps(db: Database) -> None:
    """A score, or a place, that nobody knows is NULL, and averages rest on the scores that are known.

    Nothing but the words of the table changes, so no row is written anew. The start counts again.
    """
    [(sql,)] = db.execute("SELECT sql FROM sqlite_master WHERE name = 'kept_scores'").fetchall()
    for column in ("total", "rank"):
        sql = sql.replace(f"{column} INTEGER NOT NULL", f"{column} INTEGER")
    [version] = db.execute("PRAGMA schema_version").fetchone()
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = 'kept_scores'", [sql])
    db.execute(f"PRAGMA schema_version = {version + 1}")
    db.execute("PRAGMA writable_schema = OFF")
    db.execute("ALTER TABLE tally_players ADD COLUMN sheets INTEGER NOT NULL DEFAULT 0")
    db.execute("UPDATE tally_players SET sheets = plays")


@steps()
def m027_looks(db: Database) -> None:
    """Everybody has a colour and a token, kept with the player; seats have those that are worn at their table."""
    for table in ("players", "seats"):
        for column in ("colour", "token"):
            db.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")
    looks.hand_out(db)


@steps()
def m036_skipped(db: Database) -> None:
    """A reveal that the host has skipped is over on every screen."""
    db.execute("ALTER TABLE tables ADD COLUMN skipped INTEGER NOT NULL DEFAULT 0 CHECK (skipped IN (0, 1))")


@steps()
def m028_cards_at_tables(db: Database) -> None:
    """The tables of each card are found by an index; the start counts them."""
    run(db, *dealt.STATEMENTS)


@steps()
def m029_boards_of_photos(db: Database) -> None:
    """A photo may show the boards of several: each is somebody's, nobody's (-1) or still asked about (NULL)."""
    run(
        db,
        # looked: the squares that somebody said are so, by place; digest: the same photo is not kept twice.
        """CREATE TABLE photo_boards (
            photo_id INTEGER NOT NULL REFERENCES photos(id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            seat INTEGER,
            looked TEXT NOT NULL DEFAULT '{}',
            PRIMARY KEY (photo_id, number)
        ) STRICT""",
        """INSERT INTO photo_boards (photo_id, number, seat) SELECT id, 0, seat FROM photos""",
        """ALTER TABLE photos DROP COLUMN seat""",
        """ALTER TABLE photos ADD COLUMN device TEXT NOT NULL DEFAULT ''""",
        """ALTER TABLE photos ADD COLUMN digest TEXT NOT NULL DEFAULT ''""",
        """ALTER TABLE photos ADD COLUMN cards_follow INTEGER NOT NULL DEFAULT 0 CHECK (cards_follow IN (0, 1))""",
    )


@steps()
def m040_rooms(db: Database) -> None:
    """A room for the whole evening: phones belong to it and go along from table to table."""
    run(db, *rooms.STATEMENTS)
    rooms.move_in(db)


@steps()
def m041_versions_of_seats(db: Database) -> None:
    """What stood at a seat before, so that what two phones made of it can be put together."""
    run(
        db,
        """CREATE TABLE seat_versions (
            table_id INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            version INTEGER NOT NULL,
            state TEXT NOT NULL,
            PRIMARY KEY (table_id, name, version)
        ) STRICT, WITHOUT ROWID""",
        # laid: how often what is chosen when the table is laid has changed, which the pages of its seats show
        """ALTER TABLE tables ADD COLUMN laid INTEGER NOT NULL DEFAULT 1""",
    )


@steps()
def m042_nobody_waits(db: Database) -> None:
    """A host who is gone, the leave that others have to go on then, and seats that were left unfinished."""
    for column in ("away", "leave_to_go_on"):
        db.execute(f"ALTER TABLE rooms ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0 CHECK ({column} IN (0, 1))")
    db.execute("ALTER TABLE seats ADD COLUMN left_open INTEGER NOT NULL DEFAULT 0 CHECK (left_open IN (0, 1))")


@steps()
def m043_pin(db: Database) -> None:
    """A room whose door opens to whoever knows its PIN, until too many wrong ones were typed."""
    db.execute("ALTER TABLE rooms ADD COLUMN pin TEXT")
    db.execute("ALTER TABLE rooms ADD COLUMN misses INTEGER NOT NULL DEFAULT 0")


@steps()
def m044_lots(db: Database) -> None:
    """Who begins and who plays with whom, and the time that runs: each as JSON, NULL if there is none."""
    db.execute("ALTER TABLE tables ADD COLUMN lot TEXT")
    db.execute("ALTER TABLE tables ADD COLUMN timer TEXT")


@steps()
def m045_numbers_given_once(db: Database) -> None:
    """Whoever still holds the number of something that is gone finds nothing by it."""
    tables = ("clubs", "players", "cards", "kept_plays", "tables", "chores", "photos", "devices", "deeds", "rooms")
    numbering.never_given_anew(db, tables)


def run(db: Database, *statements: str) -> None:
    for statement in statements:
        db.execute(statement)
