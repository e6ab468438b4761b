"""A play as far as it counts, and the club's tallies. Pages read those, so they cost the same after ten games and after
100,000.

Every tally (`sums`) is a sum over plays, so a play that changes or goes is taken off again exactly. Whatever depends
on the order of plays (streaks, ratings) is in `careers`. Definitions in words: the page "How we count".
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import add
from typing import Any

from scorer import games
from scorer.contract import CardInPlay, Game, Json
from scorer.reading import TOTAL
from scorer.report import totals
from scorer.result import Result, gaps, unplaced
from webapp.database import Database
from webapp.history.sums import SIGNED, TALLIES, Key, Sums, increments
from webapp.table import kinds, paths

Square = tuple[str, str, str]  # a board, one of its squares, and the piece that lies there


@dataclass(frozen=True)
class CountedPlay:
    """A play as far as it counts."""

    id: int
    club_id: int
    game: str
    played_at: str
    day: str  # at the club
    place: str
    minutes: int | None
    variant: str
    record: Json
    result: Result
    player_ids: tuple[int, ...]

    @property
    def is_contest(self) -> bool:
        """Whether somebody won against others; with a score missing, nobody may be known to have won."""
        return len(self.player_ids) > 1 and bool(self.result["winners"])

    @property
    def weekday(self) -> int:
        """0 on Mondays."""
        return date.fromisoformat(self.day).weekday()

    @functools.cached_property
    def cards(self) -> tuple[CardInPlay, ...]:
        """The cards that lay there, each once."""
        game = games.find(self.game)
        return tuple(dict.fromkeys(game.cards(self.record))) if game and game.cards else ()

    @functools.cached_property
    def gaps(self) -> frozenset[int]:
        """The seats of whom nobody knows what they had: they have played, and count for no points."""
        return gaps(self.record, self.result)

    @functools.cached_property
    def unplaced(self) -> frozenset[int]:
        """The seats of whom nobody knows the place either."""
        return unplaced(self.record, self.result)

    @property
    def totals(self) -> list[int | None]:
        """By seat, None where nobody knows."""
        return [None if seat in self.gaps else one["total"] for seat, one in enumerate(self.result["players"])]

    @functools.cached_property
    def sums(self) -> tuple[dict[str, int], ...]:
        """By seat, the points of each line."""
        return sums_of(self.result)

    @functools.cached_property
    def squares(self) -> tuple[tuple[Square, ...], ...]:
        """By seat, what lies on the boards."""
        game = games.find(self.game)
        boards = kinds.painted(game.inputs) if game else []
        return tuple(tuple(placed(game, boards, self.record, seat)) for seat in range(len(self.player_ids)))


def variant_of(record: Json) -> str:
    """How this table played the game, as `path=value` with | between; "" for the ways of the first game."""
    game = games.find(record["game"])
    if game is None:
        return ""
    ways = []
    for asked in (asked for asked in game.inputs if asked.name in game.variants):
        value = paths.get(record.get("table", {}), paths.steps(asked.name))
        if value is paths.ABSENT or value == asked.default:
            continue
        ways += [f"{asked.name}={one}" for one in (sorted(value) if isinstance(value, list) else [value])]
    return "|".join(ways)


def sums_of(result: Result) -> tuple[dict[str, int], ...]:
    return tuple(totals(player["lines"]) for player in result["players"])


def summary(record: Json, result: Result) -> dict[str, Any]:
    """What lists and records want to know of a play without reading it: columns of `kept_plays`."""
    unknown = gaps(record, result)
    known = [
        (sums, player["winner"])
        for seat, (sums, player) in enumerate(zip(sums_of(result), result["players"], strict=True))
        if seat not in unknown
    ]
    behind, rule = comeback([mine for mine, won in known if won], [mine for mine, won in known if not won])
    return {
        "player_count": len(result["players"]),
        "variant": variant_of(record),
        "margin": None if unknown else margin(result),
        "comeback": behind,
        "comeback_rule": rule,
        "decided_by": result["decided_by"],
    }


def margin(result: Result) -> int | None:
    """How far the winner was ahead of the best of those who did not win; None when nobody could lose.

    Of a game with a gap it says nothing: ask that first.
    """
    players = result["players"]
    if len(players) < 2:
        return None
    best = max(player["total"] for player in players if player["winner"])
    return best - max((player["total"] for player in players if not player["winner"]), default=best)


def comeback(
    winners: Sequence[Mapping[str, int]], others: Sequence[Mapping[str, int]]
) -> tuple[int | None, str | None]:
    """The most points that a winner was behind somebody beaten on a single line of the pad, and the line."""
    behind = [
        (theirs[rule] - mine.get(rule, 0), rule)
        for mine in winners
        for theirs in others
        if TOTAL not in mine and TOTAL not in theirs  # of whom only the total is known has no lines
        for rule in theirs
    ]
    most, rule = max(behind, default=(0, ""))
    return (most, rule) if most > 0 else (None, None)


def placed(game: Game | None, boards: Sequence[kinds.Painted], record: Json, seat: int) -> Iterator[Square]:
    """What lies on each square of a player's painted boards."""
    shown = game.shows(record, seat) if game and boards and game.shows else {}
    for board in boards:
        name = board.asked.name
        value = shown.get(name, paths.get(record["players"][seat], paths.steps(name)))
        if value is not paths.ABSENT:
            yield from ((name, cell, piece) for cell, piece in board.placed(value))


class Tallies:
    """Gathers increments and writes them in one go: of one play when it is saved, of thousands in a recount."""

    def __init__(self) -> None:
        self.sums: dict[str, dict[Key, Sums]] = {table: {} for table in TALLIES}
        self.has_subtracted = False

    def add(self, play: CountedPlay) -> None:
        for table, key, amounts in increments(play):
            self._put(table, key, amounts)

    def subtract(self, play: CountedPlay) -> None:
        self.has_subtracted = True
        for table, key, amounts in increments(play):
            self._put(table, key, tuple(-amount for amount in amounts))

    def _put(self, table: str, key: Key, amounts: Sums) -> None:
        sums = self.sums[table]
        held = sums.get(key)
        sums[key] = amounts if held is None else tuple(map(add, held, amounts))

    def write(self, db: Database) -> None:
        for table, sums in self.sums.items():
            changed = [(*key, *amounts) for key, amounts in sums.items() if any(amounts)]
            if changed:
                put, clear = statements(table)
                db.executemany(put, changed)
                if self.has_subtracted:
                    db.executemany(clear, emptied(table, changed))
            sums.clear()


def emptied(table: str, rows: Sequence[Key]) -> list[Key]:
    """The keys of the rows of which nothing may be left."""
    keys, amounts = TALLIES[table]
    taken_off = [len(keys) + place for place, column in enumerate(amounts) if column not in SIGNED]
    return [row[: len(keys)] for row in rows if any(row[place] < 0 for place in taken_off)]


@functools.cache
def statements(table: str) -> tuple[str, str]:
    """The SQL that adds to the sums of a tally, and the one that removes a row of which nothing is left."""
    keys, amounts = TALLIES[table]
    marks = ", ".join("?" * (len(keys) + len(amounts)))
    more = ", ".join(f"{column} = {table}.{column} + excluded.{column}" for column in amounts)
    where = " AND ".join([*(f"{key} = ?" for key in keys), *(f"{column} = 0" for column in amounts)])
    return (
        f"INSERT INTO {table} ({', '.join((*keys, *amounts))}) VALUES ({marks}) "
        f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {more}",
        f"DELETE FROM {table} WHERE {where}",
    )
