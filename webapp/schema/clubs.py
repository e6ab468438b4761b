"""Define the tables of clubs: players, links, devices, jobs, imports and the audit log."""

from __future__ import annotations

STATEMENTS = (
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    """CREATE TABLE clubs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        created_at TEXT NOT NULL,
        zone TEXT NOT NULL DEFAULT ''
    ) STRICT""",
    # generation: a new link gets the next one, and an invitation with an older one no longer works.
    """CREATE TABLE links (
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
        token TEXT NOT NULL UNIQUE,
        generation INTEGER NOT NULL DEFAULT 1,
        PRIMARY KEY (club_id, role)
    ) STRICT""",
    """CREATE TABLE players (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        created_at TEXT NOT NULL,
        colour TEXT NOT NULL DEFAULT '',
        token TEXT NOT NULL DEFAULT '',
        guest INTEGER NOT NULL DEFAULT 0 CHECK (guest IN (0, 1)),
        UNIQUE (club_id, name)
    ) STRICT""",
    # The set-up that a club chose last for a game, and answers that hold for all its games.
    """CREATE TABLE remembered (
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        game TEXT NOT NULL,
        setup TEXT NOT NULL,
        PRIMARY KEY (club_id, game)
    ) STRICT""",
    # Cards that people of the club have described.
    """CREATE TABLE box_cards (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        game TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        card TEXT NOT NULL,
        UNIQUE (club_id, game, kind, name)
    ) STRICT""",
    # phone: its secret id in rooms.
    """CREATE TABLE devices (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        key TEXT NOT NULL UNIQUE, -- what its cookie carries
        role TEXT NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
        way TEXT NOT NULL CHECK (way IN ('link', 'founded')),
        name TEXT NOT NULL DEFAULT '',
        kind TEXT NOT NULL,
        phone TEXT NOT NULL,
        since TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        ended_at TEXT
    ) STRICT""",
    "CREATE INDEX devices_by_club ON devices (club_id, seen_at)",
    # Who did what, for 90 days. name: stored because the device may be deleted earlier. imported: it came from a file,
    # which can claim anything.
    """CREATE TABLE audit_log (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        at TEXT NOT NULL,
        action TEXT NOT NULL,
        play_id INTEGER REFERENCES all_plays(id) ON DELETE SET NULL,
        device_id INTEGER REFERENCES devices(id) ON DELETE SET NULL,
        role TEXT NOT NULL,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        about TEXT NOT NULL,
        imported INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1))
    ) STRICT""",
    "CREATE INDEX audit_log_by_club ON audit_log (club_id, id)",
    "CREATE INDEX audit_log_by_play ON audit_log (play_id, id)",
    "CREATE INDEX audit_log_by_device ON audit_log (device_id)",
    # Background work. state: waiting (for a person), running, sending, stopping, failed, done. subject, step: JSON,
    # what it is about and its progress; error: JSON, a code with its values; worker: the process that reads its file.
    """CREATE TABLE jobs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE, -- its name in addresses
        kind TEXT NOT NULL,
        club_id INTEGER REFERENCES clubs(id) ON DELETE SET NULL,
        state TEXT NOT NULL DEFAULT 'running',
        subject TEXT NOT NULL DEFAULT '{}',
        step TEXT NOT NULL DEFAULT '{}',
        done INTEGER NOT NULL DEFAULT 0,
        total INTEGER,
        error TEXT NOT NULL DEFAULT '{}',
        worker TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX jobs_by_club ON jobs (club_id, kind)",
    # Names in other programs. `ours` is the name of a player or the id of a game; '' means left out.
    """CREATE TABLE matches (
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        source TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('player', 'game')),
        theirs TEXT NOT NULL,
        ours TEXT NOT NULL,
        PRIMARY KEY (club_id, source, kind, theirs)
    ) STRICT""",
    # The compressed file of an import until the import is done. Number -1: the questions about it and their answers.
    """CREATE TABLE import_pieces (
        job_id INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (job_id, number)
    ) STRICT""",
    # Rows that an unfinished import has added, or needs from another one. A stopped import removes those that no other
    # import claims.
    """CREATE TABLE import_claims (
        job_id INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('play', 'player')),
        item_id INTEGER NOT NULL,
        PRIMARY KEY (job_id, kind, item_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX import_claims_by_item ON import_claims (kind, item_id)",
    # Games that the club and a file have differently, as the file has them.
    """CREATE TABLE import_differences (
        job_id INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
        play_id INTEGER NOT NULL REFERENCES all_plays(id) ON DELETE CASCADE,
        theirs TEXT NOT NULL,
        differences TEXT NOT NULL,
        PRIMARY KEY (job_id, play_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX import_differences_by_play ON import_differences (play_id)",
)
