"""Define the tables of saved games: records, decisions, and what is derived from them.

A saved game is its record plus the decision: total, rank and winner of each seat, points of each line, what decided. No
table holds a sentence. A record has seat numbers in place of names; `name_places` lists where.

The tables called `all_...` also hold deleted games. The views `plays`, `scores`, `lines` and `cards` leave deleted
games out; other programs may read them, too (docs/servers/sql.md).
"""

from __future__ import annotations

PLAYS = (
    # played_at: UTC; day: in the club's time zone. minutes, notes, place: what people say about the game.
    # basis: 'rules' if the rules of the day decided, 'old_rules' if rules we no longer have, 'told' if another program.
    # margin: points between the winner and the best of the others; NULL where nobody could lose or a total is open.
    # origin: JSON of what else the other program said about it, handed back in an export for that program.
    # table_key: the table it was saved from, so that saving twice saves once.
    """CREATE TABLE all_plays (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        game TEXT NOT NULL,
        played_at TEXT NOT NULL,
        day TEXT NOT NULL,
        place TEXT NOT NULL DEFAULT '',
        minutes INTEGER CHECK (minutes > 0),
        player_count INTEGER NOT NULL,
        variant TEXT NOT NULL DEFAULT '',
        version INTEGER NOT NULL DEFAULT 1,
        basis TEXT NOT NULL CHECK (basis IN ('rules', 'old_rules', 'told')),
        rules_version TEXT NOT NULL,
        decided_by TEXT,
        margin INTEGER,
        saved_at TEXT NOT NULL,
        deleted_at TEXT,
        source TEXT NOT NULL DEFAULT '',
        source_id TEXT NOT NULL DEFAULT '',
        origin TEXT NOT NULL DEFAULT '',
        table_key TEXT UNIQUE,
        notes TEXT NOT NULL DEFAULT '',
        record TEXT NOT NULL,
        name_places TEXT NOT NULL DEFAULT '[]'
    ) STRICT""",
    # total, rank, winner: NULL while open. final: whether no answer can change the total any more.
    """CREATE TABLE all_scores (
        play_id INTEGER NOT NULL REFERENCES all_plays(id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        player_id INTEGER NOT NULL REFERENCES players(id),
        total INTEGER,
        rank INTEGER,
        winner INTEGER CHECK (winner IN (0, 1)),
        final INTEGER NOT NULL DEFAULT 1 CHECK (final IN (0, 1)),
        PRIMARY KEY (play_id, seat)
    ) STRICT, WITHOUT ROWID""",
    # item: a card's own name where several lines have one rule, otherwise ''.
    """CREATE TABLE all_lines (
        play_id INTEGER NOT NULL REFERENCES all_plays(id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        position INTEGER NOT NULL,
        rule TEXT NOT NULL,
        item TEXT NOT NULL DEFAULT '',
        points INTEGER NOT NULL,
        PRIMARY KEY (play_id, seat, position)
    ) STRICT, WITHOUT ROWID""",
    # A common card has a row with seat -1, and one for each seat with lines of the card; a player's own card has one
    # row, with that seat. points: NULL where the seat could have the card but has no line of it. pieces: on the seat's
    # board.
    """CREATE TABLE all_cards (
        play_id INTEGER NOT NULL REFERENCES all_plays(id) ON DELETE CASCADE,
        card TEXT NOT NULL,
        seat INTEGER NOT NULL,
        points INTEGER,
        pieces INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (play_id, card, seat)
    ) STRICT, WITHOUT ROWID""",
    # Earlier versions of a game.
    """CREATE TABLE play_versions (
        play_id INTEGER NOT NULL REFERENCES all_plays(id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        basis TEXT NOT NULL CHECK (basis IN ('rules', 'old_rules', 'told')),
        rules_version TEXT NOT NULL,
        decided_by TEXT,
        saved_at TEXT NOT NULL,
        record TEXT NOT NULL,
        name_places TEXT NOT NULL DEFAULT '[]',
        PRIMARY KEY (play_id, version)
    ) STRICT""",
    # lines: a JSON list of [rule, item, points].
    """CREATE TABLE version_scores (
        play_id INTEGER NOT NULL,
        version INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        player_id INTEGER NOT NULL REFERENCES players(id),
        total INTEGER,
        rank INTEGER,
        winner INTEGER CHECK (winner IN (0, 1)),
        final INTEGER NOT NULL DEFAULT 1 CHECK (final IN (0, 1)),
        lines TEXT NOT NULL,
        PRIMARY KEY (play_id, version, seat),
        FOREIGN KEY (play_id, version) REFERENCES play_versions(play_id, version) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID""",
)

# Derived from the tables above; `tidemark recount` computes them again.
DERIVED = (
    # The rating of a player in a title after this game.
    """CREATE TABLE ratings (
        play_id INTEGER NOT NULL REFERENCES all_plays(id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        skill REAL NOT NULL,
        doubt REAL NOT NULL,
        PRIMARY KEY (play_id, seat)
    ) STRICT, WITHOUT ROWID""",
    # A player's standing in a title: games, current and longest run of wins, the best total, the rating.
    """CREATE TABLE standings (
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        game TEXT NOT NULL,
        player_id INTEGER NOT NULL REFERENCES players(id) ON DELETE CASCADE,
        plays INTEGER NOT NULL,
        streak INTEGER NOT NULL,
        longest INTEGER NOT NULL,
        best INTEGER,
        skill REAL NOT NULL,
        doubt REAL NOT NULL,
        PRIMARY KEY (club_id, game, player_id)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE achievements (
        play_id INTEGER NOT NULL REFERENCES all_plays(id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        achievement TEXT NOT NULL,
        PRIMARY KEY (play_id, seat, achievement)
    ) STRICT, WITHOUT ROWID""",
    # The words of notes and places, for search.
    """CREATE TABLE search_words (
        play_id INTEGER NOT NULL REFERENCES all_plays(id) ON DELETE CASCADE,
        word TEXT NOT NULL,
        club_id INTEGER NOT NULL,
        played_at TEXT NOT NULL,
        PRIMARY KEY (play_id, word)
    ) STRICT, WITHOUT ROWID""",
    # The English labels of lines, for the views only; filled at each start.
    """CREATE TABLE rules (
        game TEXT NOT NULL,
        rule TEXT NOT NULL,
        label TEXT NOT NULL,
        PRIMARY KEY (game, rule)
    ) STRICT, WITHOUT ROWID""",
)

INDEXES = (
    "CREATE INDEX plays_by_date ON all_plays (club_id, deleted_at, played_at, id, player_count, variant)",
    "CREATE INDEX plays_by_game ON all_plays (club_id, deleted_at, game, played_at, id, player_count, variant)",
    # Covers everything that statistics filter by, so that they need not read records.
    """CREATE INDEX plays_by_day
    ON all_plays (club_id, deleted_at, game, day, place, player_count, variant, minutes, margin, played_at, id)""",
    "CREATE INDEX plays_by_variant ON all_plays (club_id, deleted_at, game, variant)",
    "CREATE INDEX plays_by_margin ON all_plays (club_id, deleted_at, margin, played_at DESC)",
    "CREATE INDEX plays_by_rules ON all_plays (club_id, game, rules_version)",
    "CREATE UNIQUE INDEX plays_by_source ON all_plays (club_id, source, source_id) WHERE source <> ''",
    "CREATE INDEX plays_in_the_bin ON all_plays (club_id, deleted_at DESC) WHERE deleted_at IS NOT NULL",
    "CREATE INDEX open_scores ON all_scores (play_id) WHERE final = 0",
    "CREATE INDEX scores_by_player ON all_scores (player_id, play_id, seat, total, rank, winner, final)",
    "CREATE INDEX version_scores_by_player ON version_scores (player_id, play_id, version)",
    "CREATE INDEX achievements_by_name ON achievements (achievement, play_id)",
    "CREATE INDEX words_in_club ON search_words (club_id, word, played_at, play_id)",
    "CREATE INDEX standings_by_player ON standings (player_id)",
)

VIEWS = (
    # The keys of all games, deleted or not.
    "CREATE VIEW play_keys AS SELECT id, key, club_id, version, saved_at, deleted_at, source, source_id FROM all_plays",
    """CREATE VIEW plays AS SELECT
        all_plays.id, all_plays.key, clubs.name AS club, game, played_at, day, place, minutes, player_count, variant,
        version, basis, rules_version, decided_by, margin, saved_at, source, notes, record, name_places, club_id
    FROM all_plays JOIN clubs ON clubs.id = club_id WHERE deleted_at IS NULL""",
    """CREATE VIEW scores AS SELECT
        play_id, seat + 1 AS seat, players.name AS player, game, played_at, player_count, variant, total, rank, winner,
        final, player_id, all_plays.club_id
    FROM all_scores JOIN all_plays ON all_plays.id = play_id JOIN players ON players.id = player_id
    WHERE deleted_at IS NULL""",
    """CREATE VIEW lines AS SELECT
        all_lines.play_id, all_lines.seat + 1 AS seat, players.name AS player, all_plays.game, played_at,
        position + 1 AS position, all_lines.rule, item,
        CASE WHEN item <> '' THEN item ELSE coalesce(rules.label, all_lines.rule) END AS label, points,
        all_plays.club_id
    FROM all_lines JOIN all_plays ON all_plays.id = all_lines.play_id
    JOIN all_scores ON all_scores.play_id = all_lines.play_id AND all_scores.seat = all_lines.seat
    JOIN players ON players.id = player_id
    LEFT JOIN rules ON rules.game = all_plays.game AND rules.rule = all_lines.rule
    WHERE deleted_at IS NULL""",
    """CREATE VIEW cards AS SELECT
        play_id, card, CASE WHEN seat >= 0 THEN seat + 1 END AS seat, game, played_at, points, pieces, club_id
    FROM all_cards JOIN all_plays ON all_plays.id = play_id WHERE deleted_at IS NULL""",
)

STATEMENTS = (*PLAYS, *DERIVED, *INDEXES, *VIEWS)
