"""The table that anybody may try: a finished game that stands in no history, and what strangers see of it."""

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
MINE = 0  # the seat whose board is changed
TOLD = 3  # lines that strangers see


class Glance(NamedTuple):
    """A result in a few lines, with the points of all other lines together so that they add up."""

    game: Game
    player: str
    lines: tuple[ResultLine, ...]
    others: int
    total: int


@cache
def laid() -> Table:
    """The table as everybody finds it. It is in no file, so it has no number, key or club."""
    game = next(game for game in games.everything() if (games.folder(game.id) / FILE).is_file())
    record = tomllib.loads((games.folder(game.id) / FILE).read_text(encoding="utf-8"))
    names = [player.pop("name") for player in record["players"]]
    worn = avatars.apart(names, [None] * len(names))
    seats = tuple(Seat(n, names[n], state, 1, look=worn[n]) for n, state in enumerate(record["players"]))
    return Table(0, "", 0, game, record["table"], seats, None, "")


def with_mine(state: dict[str, Any]) -> Table:
    """The same table with another board at the seat that is tried."""
    return laid().with_seat(replace(laid().seats[MINE], state=state))


@cache
def glance() -> Glance:
    """The lines that weigh most."""
    mine = Entries(laid()).result["players"][MINE]
    lines = tuple(sorted(mine["lines"], key=lambda line: -abs(line["points"]))[:TOLD])
    others = mine["total"] - sum(line["points"] for line in lines)
    return Glance(laid().game, mine["name"], lines, others, mine["total"])
