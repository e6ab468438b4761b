"""Provide the example table that visitors can try: a finished game outside any history, and its result."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from scorer import games
from scorer.contract import Game
from scorer.result import ResultLine
from webapp import avatars
from webapp.table.entries import Entries
from webapp.table.tables import Seat, Table

FILE = "try.toml"  # a finished game in the folder of the first game that has one
MINE = 0  # the seat whose board visitors may change
TOLD = 3  # lines that the home page shows to visitors


class Glance(NamedTuple):
    """Hold one player's result in short: the three lines that count most, and `others`, the points of the rest."""

    game: Game
    player: str
    lines: tuple[ResultLine, ...]
    others: int
    total: int


@cache
def laid() -> Table:
    """Return the example table, unchanged. It is not in the database, so it has no number, key or club."""
    game = next(game for game in games.all_games() if (games.folder(game.id) / FILE).is_file())
    record = tomllib.loads((games.folder(game.id) / FILE).read_text(encoding="utf-8"))
    names = [player.pop("name") for player in record["players"]]
    worn = avatars.distinct(names, [None] * len(names))
    seats = tuple(Seat(n, names[n], state, 1, avatar=worn[n]) for n, state in enumerate(record["players"]))
    return Table(0, "", 0, game, record["table"], seats, None, "")


def with_mine(state: dict[str, Any]) -> Table:
    """Return the example table with the board `state` at the seat that visitors may change."""
    return laid().with_seat(replace(laid().seats[MINE], state=state))


@cache
def glance() -> Glance:
    """Return the result of the player whose board visitors may change, with the three lines of the most points. Minus
    points count by their size."""
    mine = Entries(laid()).result["players"][MINE]
    lines = tuple(sorted(mine["lines"], key=lambda line: -abs(line["points"]))[:TOLD])
    others = mine["total"] - sum(line["points"] for line in lines)
    return Glance(laid().game, mine["name"], lines, others, mine["total"])
