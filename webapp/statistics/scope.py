"""Which plays a page looks at: of a club, perhaps of one game, place, number of players and way, in a period.

The sums are kept for ever, for each year, quarter and month, so that any span of months is made of a few of those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.database import pack
from webapp.history import ANY_WAY

EVER = ("",)


@dataclass(frozen=True, slots=True)
class Scope:
    """A part of the cube of sums. What is left out is not asked about."""

    club_id: int
    game: str = ""
    players: int | None = None
    variant: str | None = None
    place: str = ""
    periods: tuple[str, ...] = EVER

    @property
    def where(self) -> str:
        return f"club_id = ? AND {self._within}"

    @property
    def values(self) -> list[Any]:
        return [self.club_id, *self._values]

    def of_player(self, player_id: int) -> tuple[str, list[Any]]:
        """The same cells among those of a player."""
        return self.of_players([player_id])

    def of_players(self, player_ids: Sequence[int]) -> tuple[str, list[Any]]:
        # Many people are one value: SQLite bounds how many there may be.
        return f"player_id IN (SELECT value FROM numbers_in(?)) AND {self._within}", [
            pack(list(player_ids)),
            *self._values,
        ]

    @property
    def _within(self) -> str:
        parts = ["place = ?", f"period IN ({', '.join('?' * len(self.periods))})", "variant = ?"]
        parts += ["game = ?"] if self.game else []
        parts += ["player_count = ?"] if self.players is not None else []
        return " AND ".join(parts)

    @property
    def _values(self) -> list[Any]:
        way = ANY_WAY if self.variant is None else self.variant
        narrow = [value for value in (self.game or None, self.players) if value is not None]
        return [self.place, *self.periods, way, *narrow]


def months(first: str, last: str) -> list[str]:
    """Every month from the first to the last, both included."""
    start, end = (int(month[:4]) * 12 + int(month[5:7]) - 1 for month in (first, last))
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in range(start, end + 1)]


def span(first: str, last: str) -> tuple[str, ...]:
    """The fewest periods that make up these months: whole years and quarters, and single months around them."""
    found: list[str] = []
    for month in months(first, last):
        found.append(month)
        for whole in (f"{month[:4]}Q{int(month[5:]) // 3}", month[:4]):
            made_of = months_of(whole) if "Q" in whole else [f"{whole}Q{quarter}" for quarter in range(1, 5)]
            if found[-len(made_of) :] == made_of:
                found[-len(made_of) :] = [whole]
    return tuple(found)


def months_of(period: str) -> list[str]:
    """The months of a year, of a quarter, or the month itself."""
    year, _, quarter = period.partition("Q")
    if quarter:
        return [f"{year}-{3 * int(quarter) + month:02}" for month in (-2, -1, 0)]
    return months(f"{year}-01", f"{year}-12") if len(year) == 4 else [period]
