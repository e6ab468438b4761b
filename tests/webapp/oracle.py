"""Compute all statistics from an exported file in plain Python, to compare them with the pages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from scorer import games
from webapp.history import Rating, variant_of
from webapp.history.rating import rate


@dataclass(frozen=True)
class Seat:
    """Hold one player of a game."""

    name: str
    total: int | None
    rank: int | None
    winner: bool | None
    lines: list[list[Any]]

    @property
    def is_itemised(self) -> bool:
        return self.total is not None and all(rule != "total" for rule, _, _ in self.lines)

    def points(self) -> Counter[str]:
        sums: Counter[str] = Counter()
        for rule, _, points in self.lines:
            sums[rule] += points
        return sums


@dataclass(frozen=True)
class Game:
    """Hold a saved game that is not deleted. Export and club both use UTC."""

    title: str
    played_at: str
    key: str
    place: str
    minutes: int | None
    record: Any
    seats: list[Seat]

    @property
    def day(self) -> str:
        return self.played_at[:10]

    @property
    def size(self) -> int:
        return len(self.seats)

    @property
    def variant(self) -> str:
        return variant_of(self.record)

    @property
    def margin(self) -> int | None:
        """Return how far the winner was ahead.

        Return None if nobody could lose, the winner is unknown, or a total is open.
        """
        won = [seat.total for seat in self.seats if seat.winner and seat.total is not None]
        lost = [seat.total for seat in self.seats if not seat.winner and seat.total is not None]
        if self.size < 2 or len(won + lost) < self.size or not won:
            return None
        return max(won) - max(lost, default=max(won))

    def cards(self) -> dict[str, dict[int, int | None]]:
        """Return for each card the seats that could have it: their points from it, or None without it."""
        game = games.find(self.title)
        found: dict[str, dict[int, int | None]] = {}
        for card in dict.fromkeys(game.cards.in_play(self.record)) if game and game.cards.in_play else ():
            for number, seat in enumerate(self.seats):
                if card.seat in (None, number) and seat.is_itemised:
                    points = [p for rule, item, p in seat.lines if rule == card.rule and card.item in ("", item)]
                    found.setdefault(card.id, {})[number] = sum(points) if points else None
        return found

    def common_cards(self) -> set[str]:
        game = games.find(self.title)
        return (
            {card.id for card in game.cards.in_play(self.record) if card.seat is None}
            if game and game.cards.in_play
            else set()
        )

    def all_cards(self) -> set[str]:
        game = games.find(self.title)
        return {card.id for card in game.cards.in_play(self.record)} if game and game.cards.in_play else set()


def read(exported: str) -> list[Game]:
    """Return the games of an exported file in the order they were played."""
    found = [
        Game(
            play["record"]["game"],
            play["played_at"],
            play["key"],
            play["place"],
            play["minutes"],
            play["record"],
            [
                Seat(player["name"], score["total"], score["rank"], score["winner"], score["lines"])
                for player, score in zip(play["record"]["players"], play["scores"], strict=True)
            ],
        )
        for play in json.loads(exported)["plays"]
        if play["deleted_at"] is None
    ]
    return sorted(found, key=lambda game: game.played_at)  # of the same moment, the one saved first


def standings(plays: Iterable[Game]) -> dict[str, tuple[int, int, int]]:
    """Return for each name the games, the games against others with a known result, and the wins."""
    found: dict[str, list[int]] = {}
    for play in plays:
        for seat in play.seats:
            sums = found.setdefault(seat.name, [0, 0, 0])
            is_contest = play.size > 1 and seat.winner is not None
            for place, amount in enumerate((1, is_contest, is_contest and seat.winner)):
                sums[place] += int(bool(amount))
    return {name: (one, two, three) for name, (one, two, three) in found.items()}


def compared(mine: int, theirs: int) -> tuple[bool, bool, bool]:
    return mine > theirs, mine < theirs, mine == theirs


def meetings(plays: Iterable[Game], name: str) -> dict[str, tuple[int, int, int]]:
    """Return for each opponent how often this player was ahead, behind and tied."""
    found: dict[str, list[int]] = {}
    for play in plays:
        mine = next((seat for seat in play.seats if seat.name == name), None)
        for other in play.seats if mine else ():
            if mine is None or other is mine:
                continue
            if mine.rank is not None and other.rank is not None:
                outcome = compared(other.rank, mine.rank)
            elif None not in (mine.winner, other.winner) and mine.winner != other.winner:
                outcome = compared(int(bool(mine.winner)), int(bool(other.winner)))
            elif mine.total is not None and other.total is not None:
                outcome = compared(mine.total, other.total)
            else:
                continue
            if any(outcome):
                sums = found.setdefault(other.name, [0, 0, 0])
                for place, amount in enumerate(outcome):
                    sums[place] += amount
    return {other: (one, two, three) for other, (one, two, three) in found.items()}


def streaks(plays: Iterable[Game], name: str) -> tuple[int, int]:
    """Return the wins in a row after one title's last game, and the longest row of wins."""
    won = [
        seat.winner
        for play in plays
        for seat in play.seats
        if seat.name == name and play.size > 1 and seat.winner is not None
    ]
    runs = [len(list(run)) if is_won else 0 for is_won, run in groupby(won)]
    return runs[-1] if runs else 0, max(runs, default=0)


def ratings(plays: Iterable[Game]) -> dict[str, Rating]:
    """Return for each name the rating after all games of one title."""
    found: dict[str, Rating] = {}
    for play in plays:
        placed = [(seat.name, seat.rank) for seat in play.seats if seat.rank is not None]
        for seat in play.seats:
            found.setdefault(seat.name, Rating())
        if len(placed) > 1:
            after = rate([found[name] for name, _ in placed], [rank for _, rank in placed])
            found.update((name, rating) for (name, _), rating in zip(placed, after, strict=True))
    return found


def line_points(plays: Iterable[Game]) -> Counter[str]:
    found: Counter[str] = Counter()
    for play in plays:
        for seat in play.seats:
            found.update(seat.points())
    return found


def sheets_with(plays: Iterable[Game], rule: str) -> int:
    """Return how many itemised sheets could have a line. A line of a shared card needs the card in the game."""
    found = list(plays)
    with_card = [play for play in found if rule in play.common_cards()]
    return sum(seat.is_itemised for play in with_card or found for seat in play.seats)


def known_totals(plays: Iterable[Game]) -> Iterator[int]:
    return (seat.total for play in plays for seat in play.seats if seat.total is not None)
