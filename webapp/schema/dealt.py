"""The schema of the cards that lay at each table: the statements of migration m028. Released, they stay as they are."""

from __future__ import annotations

STATEMENTS = (
    # Which tables had a card, the latest first: a page about certain cards reads no others.
    """CREATE TABLE kept_cards (
        play_id INTEGER NOT NULL REFERENCES kept_plays(id) ON DELETE CASCADE,
        card TEXT NOT NULL,
        club_id INTEGER NOT NULL,
        game TEXT NOT NULL,
        played_at TEXT NOT NULL,
        place TEXT NOT NULL,
        player_count INTEGER NOT NULL,
        variant TEXT NOT NULL,
        PRIMARY KEY (play_id, card)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX cards_at_tables
    ON kept_cards (club_id, game, card, played_at DESC, play_id DESC, place, player_count, variant)""",
)
