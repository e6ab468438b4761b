"""Which plays a page looks at: of a club, perhaps of one game, place, number of players and way, in a period.

The sums are kept for ever, for each year and for each month, so that any span of months is made of a few of those.
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
        return f"player_id IN (SELECT value FROM json_each(?)) AND {self._within}", [
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
    """The fewest periods that make up these months: whole years where there are some, single months around them."""
    found: list[str] = []
    for month in months(first, last):
        if month.endswith("-12") and found[-11:] == months(f"{month[:4]}-01", f"{month[:4]}-11"):
            del found[-11:]
            month = month[:4]
        found.append(month)
    return tuple(found)
