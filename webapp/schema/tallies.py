"""The schema of what is counted: scores, lines, tallies and achievements, all worked out from the saved plays.

These are the statements of migration m003. Released, they stay as they are; a new need is a new migration.
"""

from __future__ import annotations

# Lists and filters read nothing but these indexes, however fat the records are.
PLAY_INDEXES = (
    """CREATE INDEX plays_by_date ON kept_plays (club_id, deleted_at, played_at, id, player_count, variant)""",
    """CREATE INDEX plays_by_game ON kept_plays (club_id, deleted_at, game, played_at, id, player_count, variant)""",
    """CREATE INDEX plays_by_margin ON kept_plays (club_id, deleted_at, margin, played_at DESC)""",
    """CREATE INDEX plays_by_margin_of_year
    ON kept_plays (club_id, deleted_at, substr(played_at, 1, 4), margin, played_at DESC)""",
    """CREATE INDEX plays_by_comeback ON kept_plays (club_id, deleted_at, comeback DESC, played_at DESC)""",
    """CREATE INDEX plays_by_rules ON kept_plays (club_id, game, rules_version)""",
    """CREATE UNIQUE INDEX plays_by_source ON kept_plays (club_id, source, source_id) WHERE source <> ''""",
    """CREATE VIRTUAL TABLE remarks USING fts5 (notes, place, club)""",
)

SCORES = (
    # The columns after `winner` are how the player stood in this game after this play.
    """CREATE TABLE kept_scores (
        play_id INTEGER NOT NULL REFERENCES kept_plays(id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        player_id INTEGER NOT NULL REFERENCES players(id),
        club_id INTEGER NOT NULL,
        game TEXT NOT NULL,
        played_at TEXT NOT NULL,
        player_count INTEGER NOT NULL,
        variant TEXT NOT NULL,
        total INTEGER NOT NULL,
        rank INTEGER NOT NULL,
        winner INTEGER NOT NULL CHECK (winner IN (0, 1)),
        nth INTEGER NOT NULL DEFAULT 0,
        streak INTEGER NOT NULL DEFAULT 0,
        longest INTEGER NOT NULL DEFAULT 0,
        best INTEGER NOT NULL DEFAULT 0,
        skill REAL NOT NULL DEFAULT 0,
        doubt REAL NOT NULL DEFAULT 0,
        PRIMARY KEY (play_id, seat)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX scores_by_game ON kept_scores (club_id, game, played_at, play_id)""",
    """CREATE INDEX scores_by_player ON kept_scores (player_id, played_at, play_id, game, player_count, variant)""",
    """CREATE INDEX scores_by_player_and_game ON kept_scores (player_id, game, played_at, play_id)""",
    """CREATE INDEX scores_by_best ON kept_scores (player_id, game, total DESC, played_at)""",
    """CREATE INDEX scores_by_way ON kept_scores (player_id, game, player_count, variant, total DESC, played_at)""",
    """CREATE INDEX scores_by_record ON kept_scores (club_id, game, player_count, variant, total DESC, played_at)""",
    """CREATE INDEX scores_by_year ON kept_scores (club_id, game, substr(played_at, 1, 4), total DESC, played_at)""",
    """CREATE TABLE kept_lines (
        play_id INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        position INTEGER NOT NULL,
        rule TEXT NOT NULL,
        label TEXT NOT NULL,
        points INTEGER NOT NULL,
        PRIMARY KEY (play_id, seat, position),
        FOREIGN KEY (play_id, seat) REFERENCES kept_scores(play_id, seat) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID""",
)

# Sums that pages read instead of the history. `webapp.history.tallies` knows their columns by the same names.
TALLIES = (
    """CREATE TABLE tally_plays (
        club_id INTEGER NOT NULL, game TEXT NOT NULL, player_count INTEGER NOT NULL, variant TEXT NOT NULL,
        plays INTEGER NOT NULL, timed INTEGER NOT NULL, minutes INTEGER NOT NULL,
        PRIMARY KEY (club_id, game, player_count, variant)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_months (
        club_id INTEGER NOT NULL, month TEXT NOT NULL, game TEXT NOT NULL,
        plays INTEGER NOT NULL, timed INTEGER NOT NULL, minutes INTEGER NOT NULL,
        PRIMARY KEY (club_id, month, game)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_totals (
        club_id INTEGER NOT NULL, game TEXT NOT NULL, player_count INTEGER NOT NULL, variant TEXT NOT NULL,
        total INTEGER NOT NULL, sheets INTEGER NOT NULL,
        PRIMARY KEY (club_id, game, player_count, variant, total)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_seats (
        club_id INTEGER NOT NULL, game TEXT NOT NULL, player_count INTEGER NOT NULL, seat INTEGER NOT NULL,
        plays INTEGER NOT NULL, wins INTEGER NOT NULL,
        PRIMARY KEY (club_id, game, player_count, seat)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_lines (
        club_id INTEGER NOT NULL, game TEXT NOT NULL, player_count INTEGER NOT NULL, variant TEXT NOT NULL,
        rule TEXT NOT NULL, sheets INTEGER NOT NULL, points INTEGER NOT NULL,
        PRIMARY KEY (club_id, game, player_count, variant, rule)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_squares (
        club_id INTEGER NOT NULL, game TEXT NOT NULL, board TEXT NOT NULL, piece TEXT NOT NULL, cell TEXT NOT NULL,
        squares INTEGER NOT NULL,
        PRIMARY KEY (club_id, game, board, piece, cell)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_players (
        player_id INTEGER NOT NULL, year TEXT NOT NULL, game TEXT NOT NULL,
        plays INTEGER NOT NULL, contests INTEGER NOT NULL, wins INTEGER NOT NULL, points INTEGER NOT NULL,
        PRIMARY KEY (player_id, year, game)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_player_lines (
        player_id INTEGER NOT NULL, game TEXT NOT NULL, rule TEXT NOT NULL,
        sheets INTEGER NOT NULL, points INTEGER NOT NULL,
        PRIMARY KEY (player_id, game, rule)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_pairs (
        player_id INTEGER NOT NULL, opponent_id INTEGER NOT NULL, game TEXT NOT NULL,
        won INTEGER NOT NULL, lost INTEGER NOT NULL, tied INTEGER NOT NULL,
        PRIMARY KEY (player_id, opponent_id, game)
    ) STRICT, WITHOUT ROWID""",
)

EARNED = (
    """CREATE TABLE earned (
        play_id INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        achievement TEXT NOT NULL,
        player_id INTEGER NOT NULL,
        club_id INTEGER NOT NULL,
        game TEXT NOT NULL,
        played_at TEXT NOT NULL,
        PRIMARY KEY (play_id, seat, achievement),
        FOREIGN KEY (play_id, seat) REFERENCES kept_scores(play_id, seat) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX earned_in_club ON earned (club_id, achievement, played_at, play_id)""",
    """CREATE INDEX earned_by_player ON earned (player_id, achievement, played_at, play_id)""",
    """CREATE TABLE tally_earned (
        club_id INTEGER NOT NULL, achievement TEXT NOT NULL, player_id INTEGER NOT NULL, times INTEGER NOT NULL,
        PRIMARY KEY (club_id, achievement, player_id)
    ) STRICT, WITHOUT ROWID""",
    # Earned rows come and go with every replay of a chronicle; triggers see each of them, cascades included.
    """CREATE TRIGGER earned_comes AFTER INSERT ON earned BEGIN
        INSERT INTO tally_earned VALUES (new.club_id, new.achievement, new.player_id, 1)
        ON CONFLICT DO UPDATE SET times = times + 1;
    END""",
    """CREATE TRIGGER earned_goes AFTER DELETE ON earned BEGIN
        UPDATE tally_earned SET times = times - 1
        WHERE club_id = old.club_id AND achievement = old.achievement AND player_id = old.player_id;
        DELETE FROM tally_earned WHERE times = 0
        AND club_id = old.club_id AND achievement = old.achievement AND player_id = old.player_id;
    END""",
)

EXCHANGE = (
    # An uploaded file waits here until somebody has said who is who in it.
    """CREATE TABLE uploads (
        key TEXT PRIMARY KEY,
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        content TEXT NOT NULL,
        created_at TEXT NOT NULL
    ) STRICT""",
    # Who is who in other programs, asked once. `ours` is the name of a player or the id of a game; '' means left out.
    """CREATE TABLE matches (
        club_id INTEGER NOT NULL REFERENCES clubs(id) ON DELETE CASCADE,
        source TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('player', 'game')),
        theirs TEXT NOT NULL,
        ours TEXT NOT NULL,
        PRIMARY KEY (club_id, source, kind, theirs)
    ) STRICT""",
)

# For people who open the file with something else: README, "Your data".
VIEWS = (
    """CREATE VIEW plays AS SELECT
        kept_plays.id, kept_plays.key, clubs.name AS club, kept_plays.game, kept_plays.played_at,
        kept_plays.player_count, kept_plays.variant, kept_plays.margin, kept_plays.decided_by, kept_plays.minutes,
        kept_plays.place, kept_plays.notes, kept_plays.rules_version, kept_plays.version, kept_plays.record,
        kept_plays.result, kept_plays.club_id
    FROM kept_plays JOIN clubs ON clubs.id = kept_plays.club_id WHERE kept_plays.deleted_at IS NULL""",
    """CREATE VIEW scores AS SELECT
        kept_scores.play_id, kept_scores.seat + 1 AS seat, players.name AS player, kept_scores.game,
        kept_scores.played_at, kept_scores.player_count, kept_scores.variant, kept_scores.total, kept_scores.rank,
        kept_scores.winner, kept_scores.player_id, kept_scores.club_id
    FROM kept_scores JOIN players ON players.id = kept_scores.player_id""",
    """CREATE VIEW lines AS SELECT
        kept_lines.play_id, kept_lines.seat + 1 AS seat, players.name AS player, kept_scores.game,
        kept_scores.played_at, kept_lines.position + 1 AS position, kept_lines.rule, kept_lines.label,
        kept_lines.points, kept_scores.club_id
    FROM kept_lines JOIN kept_scores USING (play_id, seat) JOIN players ON players.id = kept_scores.player_id""",
)

STATEMENTS = (*PLAY_INDEXES, *SCORES, *TALLIES, *EARNED, *EXCHANGE, *VIEWS)
