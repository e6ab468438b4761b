"""The schema of names kept apart from the games, and of what goes on in the background. Released, it stays as it is."""

from __future__ import annotations

NAMES = (
    # Who sat where in a play, and in each earlier version: texts of plays hold seats instead of names.
    """CREATE TABLE kept_seats (
        play_id INTEGER NOT NULL REFERENCES kept_plays(id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        player_id INTEGER NOT NULL REFERENCES players(id),
        PRIMARY KEY (play_id, version, seat)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX seats_by_player ON kept_seats (player_id, play_id, version)""",
    # How people were called when this began, for the plays that still hold names.
    """CREATE TABLE former_names (
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        player_id INTEGER NOT NULL REFERENCES players(id) ON DELETE CASCADE,
        PRIMARY KEY (club_id, name)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX former_names_by_player ON former_names (player_id)""",
    """INSERT INTO former_names SELECT club_id, name, id FROM players WHERE EXISTS (SELECT 1 FROM kept_plays)""",
)

WORK = (
    # The careers of a game are right up to this moment; from there on they are being worked out anew.
    """CREATE TABLE retellings (
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        game TEXT NOT NULL,
        played_at TEXT NOT NULL,
        play_id INTEGER NOT NULL,
        done INTEGER NOT NULL DEFAULT 0,
        total INTEGER,
        PRIMARY KEY (club_id, game)
    ) STRICT, WITHOUT ROWID""",
    # Other long work, step by step; `about` is JSON and says what and how far.
    """CREATE TABLE chores (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        club_id INTEGER REFERENCES clubs(id) ON DELETE SET NULL,
        about TEXT NOT NULL DEFAULT '{}',
        done INTEGER NOT NULL DEFAULT 0,
        total INTEGER
    ) STRICT""",
    """INSERT INTO chores (kind) SELECT 'names' WHERE EXISTS (SELECT 1 FROM kept_plays)""",
)


def told(column: str) -> str:
    """The text of a play with the names of its seats in place of the noncharacters that keep them."""
    return f"""(WITH RECURSIVE told (seat, text) AS (
        SELECT 0, kept_plays.{column} UNION ALL
        SELECT told.seat + 1,
            replace(text, char(64976 + told.seat), substr(json_quote(name), 2, length(json_quote(name)) - 2))
        FROM told JOIN kept_seats ON play_id = kept_plays.id AND kept_seats.version = kept_plays.version
            AND kept_seats.seat = told.seat
        JOIN players ON players.id = player_id
    ) SELECT text FROM told ORDER BY seat DESC LIMIT 1)"""


VIEW = (
    "DROP VIEW plays",
    f"""CREATE VIEW plays AS SELECT
        kept_plays.id, kept_plays.key, clubs.name AS club, kept_plays.game, kept_plays.played_at,
        kept_plays.player_count, kept_plays.variant, kept_plays.margin, kept_plays.decided_by, kept_plays.minutes,
        kept_plays.place, kept_plays.notes, kept_plays.rules_version, kept_plays.version,
        {told("record")} AS record, {told("result")} AS result, kept_plays.club_id
    FROM kept_plays JOIN clubs ON clubs.id = kept_plays.club_id WHERE kept_plays.deleted_at IS NULL""",
)

STATEMENTS = (*NAMES, *WORK, *VIEW)

WORDS = (
    # An index of words by club, so that no club waits for another's, and what is gone is gone.
    "DROP TABLE remarks",
    """CREATE TABLE kept_words (
        play_id INTEGER NOT NULL REFERENCES kept_plays(id) ON DELETE CASCADE,
        word TEXT NOT NULL,
        club_id INTEGER NOT NULL,
        played_at TEXT NOT NULL,
        PRIMARY KEY (play_id, word)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX words_in_club ON kept_words (club_id, word, played_at, play_id)",
)
