"""Define the scope of a page: the games that it counts, as a condition in SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MOST_CARDS = 6  # in one scope


@dataclass(frozen=True, slots=True)
class Scope:
    """Choose games of a club; a field with its default value lets all games through."""

    club_id: int
    game: str = ""
    first: str = ""  # days in the club's time zone, both included
    last: str = ""
    place: str = ""
    players: int | None = None
    variant: str | None = None
    cards: tuple[str, ...] = ()  # games that had all of these

    @property
    def where(self) -> str:
        """Return the SQL condition on `all_plays` that selects these games, with a `?` for each of `values`."""
        return " AND ".join(condition for condition, _ in self._conditions())

    @property
    def values(self) -> list[Any]:
        return [value for _, values in self._conditions() for value in values]

    def _conditions(self) -> list[tuple[str, list[Any]]]:
        found: list[tuple[str, list[Any]]] = [
            ("all_plays.club_id = ?", [self.club_id]),
            ("all_plays.deleted_at IS NULL", []),
        ]
        for condition, value in (
            ("all_plays.game = ?", self.game or None),
            ("all_plays.day >= ?", self.first or None),
            ("all_plays.day <= ?", self.last or None),
            ("all_plays.place = ?", self.place or None),
            ("all_plays.player_count = ?", self.players),
            ("all_plays.variant = ?", self.variant),
        ):
            if value is not None:
                found.append((condition, [value]))
        had = "EXISTS (SELECT 1 FROM all_cards AS had WHERE had.play_id = all_plays.id AND had.card = ?)"
        return found + [(had, [card]) for card in self.cards]


def months(first: str, last: str) -> list[str]:
    """Return every month from the first to the last, both included, such as "2026-01"."""
    start, end = (int(month[:4]) * 12 + int(month[5:7]) - 1 for month in (first, last))
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in range(start, end + 1)]
