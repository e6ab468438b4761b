"""The cards that lay at each table, kept so that a page about certain cards finds their tables, the latest first."""

from __future__ import annotations

from collections.abc import Sequence

from webapp.database import Database
from webapp.history.tallies import CountedPlay

Row = tuple[int, str, int, str, str, str, int, str]


def add(db: Database, plays: Sequence[CountedPlay]) -> None:
    db.executemany("INSERT INTO kept_cards VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows(plays))


def rows(plays: Sequence[CountedPlay]) -> list[Row]:
    """The rows of these plays: a card that lay before several players is one of the table's."""
    return [
        (play.id, card, play.club_id, play.game, play.played_at, play.place, len(play.player_ids), play.variant)
        for play in plays
        for card in dict.fromkeys(one.id for one in play.cards)
    ]


def remove(db: Database, play_id: int) -> None:
    db.execute("DELETE FROM kept_cards WHERE play_id = ?", [play_id])


def move(db: Database, play_id: int, place: str) -> None:
    """The game was played somewhere else."""
    db.execute("UPDATE kept_cards SET place = ? WHERE play_id = ?", [place, play_id])
