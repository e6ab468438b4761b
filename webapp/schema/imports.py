"""The schema of imports that are under way: the statements of migration m022."""

from __future__ import annotations

STATEMENTS = (
    # Files no longer wait here as a whole, but in pieces.
    """DROP TABLE uploads""",
    # state: asking, checking, saving, stopping, done. `done` of `total` counts bytes while checking, then plays.
    """CREATE TABLE imports (
        key TEXT PRIMARY KEY,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        state TEXT NOT NULL,
        source TEXT NOT NULL,
        done INTEGER NOT NULL DEFAULT 0,
        total INTEGER NOT NULL DEFAULT 0,
        plays INTEGER NOT NULL DEFAULT 0,
        digest TEXT NOT NULL DEFAULT '{}',
        answers TEXT NOT NULL DEFAULT '[]',
        outcome TEXT NOT NULL DEFAULT '{}',
        deed INTEGER, -- its note in `deeds`
        refusal TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
    ) STRICT""",
    # The file, packed, until it has been taken in.
    """CREATE TABLE import_pieces (
        import_key TEXT NOT NULL REFERENCES imports(key) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (import_key, number)
    ) STRICT""",
    # What it has brought so far, so that stopping it leaves no trace: numbers of plays and of players, from and to.
    """CREATE TABLE import_traces (
        import_key TEXT NOT NULL REFERENCES imports(key) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('play', 'player')),
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (import_key, kind, first)
    ) STRICT, WITHOUT ROWID""",
    # Plays that are here already and have been corrected elsewhere: what they say there.
    """CREATE TABLE import_differences (
        import_key TEXT NOT NULL REFERENCES imports(key) ON DELETE CASCADE,
        play_id INTEGER NOT NULL REFERENCES kept_plays(id) ON DELETE CASCADE,
        theirs TEXT NOT NULL,
        differences TEXT NOT NULL,
        PRIMARY KEY (import_key, play_id)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX imports_by_club ON imports (club_id)""",
    """CREATE INDEX import_differences_by_play ON import_differences (play_id)""",
)
