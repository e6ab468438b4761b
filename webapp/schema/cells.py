"""The schema of the sums by place, period, number of players, way of playing and card: the statements of m021.

Released, they stay as they are; a new need is a new migration. `webapp.history.sums` knows the columns by these names.
"""

from __future__ import annotations

OLD = ("tally_plays", "tally_months", "tally_totals", "tally_seats", "tally_lines", "tally_players")

# Place "" is anywhere; period "" is ever, "2026" a year, "2026Q4" a quarter and "2026-11" a month; variant "*" is any
# way of playing.
# The way of playing comes before the rest: a page that asks about any reads nothing else.
CELL = """place TEXT NOT NULL, period TEXT NOT NULL, variant TEXT NOT NULL, game TEXT NOT NULL,
        player_count INTEGER NOT NULL"""
KEY = "place, period, variant, game, player_count"

TALLIES = (
    f"""CREATE TABLE tally_plays (
        club_id INTEGER NOT NULL, {CELL},
        plays INTEGER NOT NULL, timed INTEGER NOT NULL, minutes INTEGER NOT NULL,
        sheets INTEGER NOT NULL, points INTEGER NOT NULL, squared INTEGER NOT NULL,
        PRIMARY KEY (club_id, {KEY})
    ) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE tally_totals (
        club_id INTEGER NOT NULL, {CELL}, total INTEGER NOT NULL,
        sheets INTEGER NOT NULL,
        PRIMARY KEY (club_id, {KEY}, total)
    ) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE tally_seats (
        club_id INTEGER NOT NULL, {CELL}, seat INTEGER NOT NULL,
        plays INTEGER NOT NULL, wins INTEGER NOT NULL,
        PRIMARY KEY (club_id, {KEY}, seat)
    ) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE tally_lines (
        club_id INTEGER NOT NULL, {CELL}, rule TEXT NOT NULL,
        sheets INTEGER NOT NULL, points INTEGER NOT NULL,
        PRIMARY KEY (club_id, {KEY}, rule)
    ) STRICT, WITHOUT ROWID""",
    # sheets: of those who could have the card; built: that have a line of it; totals: their points in all.
    f"""CREATE TABLE tally_cards (
        club_id INTEGER NOT NULL, {CELL}, card TEXT NOT NULL,
        tables INTEGER NOT NULL, sheets INTEGER NOT NULL, points INTEGER NOT NULL, totals INTEGER NOT NULL,
        built INTEGER NOT NULL, pieces INTEGER NOT NULL, contests INTEGER NOT NULL, wins INTEGER NOT NULL,
        built_contests INTEGER NOT NULL, built_wins INTEGER NOT NULL,
        PRIMARY KEY (club_id, {KEY}, card)
    ) STRICT, WITHOUT ROWID""",
    f"""CREATE TABLE tally_players (
        player_id INTEGER NOT NULL, {CELL},
        plays INTEGER NOT NULL, contests INTEGER NOT NULL, wins INTEGER NOT NULL, points INTEGER NOT NULL,
        squared INTEGER NOT NULL,
        PRIMARY KEY (player_id, {KEY})
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_player_cards (
        player_id INTEGER NOT NULL, game TEXT NOT NULL, player_count INTEGER NOT NULL, card TEXT NOT NULL,
        sheets INTEGER NOT NULL, points INTEGER NOT NULL, built INTEGER NOT NULL, pieces INTEGER NOT NULL,
        contests INTEGER NOT NULL, wins INTEGER NOT NULL, built_contests INTEGER NOT NULL, built_wins INTEGER NOT NULL,
        PRIMARY KEY (player_id, game, player_count, card)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_days (
        club_id INTEGER NOT NULL, day TEXT NOT NULL, plays INTEGER NOT NULL,
        PRIMARY KEY (club_id, day)
    ) STRICT, WITHOUT ROWID""",
    # weekday: 0 on Mondays
    """CREATE TABLE tally_weekdays (
        club_id INTEGER NOT NULL, period TEXT NOT NULL, game TEXT NOT NULL, weekday INTEGER NOT NULL,
        plays INTEGER NOT NULL,
        PRIMARY KEY (club_id, period, game, weekday)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally_places (
        club_id INTEGER NOT NULL, period TEXT NOT NULL, place TEXT NOT NULL, plays INTEGER NOT NULL,
        PRIMARY KEY (club_id, period, place)
    ) STRICT, WITHOUT ROWID""",
)

# Years are the club's, so they are told by its days; the bin lists what was deleted last.
INDEXES = (
    "DROP INDEX plays_by_margin_of_year",
    """CREATE INDEX plays_by_margin_of_year
    ON kept_plays (club_id, deleted_at, substr(day, 1, 4), margin, played_at DESC)""",
    "DROP INDEX scores_by_year",
    "CREATE INDEX plays_in_the_bin ON kept_plays (club_id, deleted_at DESC) WHERE deleted_at IS NOT NULL",
)

STATEMENTS = (*(f"DROP TABLE {table}" for table in OLD), *TALLIES, *INDEXES)
