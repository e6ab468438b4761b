"""Define the state of a finished game of Copenhagen, and read and write its record.

Readable values stay as entered, even if illegal, so that `validate` can report every fault at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scorer.contract import UNKNOWN, UNKNOWN_LETTER, Fact, Json, Step
from scorer.games.copenhagen.facade import COLUMNS, FLOORS, Space
from scorer.games.copenhagen.tiles import KIND_NAMES
from scorer.record import TOTAL, Reader, Typed, read_players, read_record, shown
from scorer.sentences import say

PLAYERS = range(2, 5)
RULES = {
    "floors": say("Floors"),
    "window_floors": say("Floors of windows"),
    "columns": say("Columns"),
    "window_columns": say("Columns of windows"),
}
# At most nine floors and five columns of windows (rulebook, "Score points"). typed_lines.py checks the lines.
LIMITS = {TOTAL: range(39)}
LADDER = (Step("empty_spaces", say("fewest empty spaces"), "fewest"),)
FACTS = {"empty_spaces": Fact(say("Empty spaces"), say("empty spaces"))}
BY_POINTS, BY_CARD = "points", "card"  # values of `end`
ENDS = {BY_POINTS: say("A player reached 12 points"), BY_CARD: say("The End of Game card was drawn")}
FLOOR = re.compile("[.WB?]{5}")
FAR = 99  # limit for positions, far off the house


@dataclass(frozen=True, slots=True)
class Tile:
    """Hold a tile on a house: its kind, its spaces as entered, and its space of brickwork."""

    kind: str
    spaces: tuple[Space, ...]
    brick: Space | None


@dataclass(frozen=True, slots=True)
class House:
    """Hold a player's finished house, as rows of letters or as tiles."""

    name: str
    rows: tuple[str, ...] | None = None
    tiles: tuple[Tile, ...] | None = None


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[House | Typed, ...]
    end: str | None = None  # None if not entered: the houses show it

    @property
    def houses(self) -> list[tuple[int, House]]:
        """Return the entered houses as pairs of seat and house."""
        return [(index, player) for index, player in enumerate(self.players) if isinstance(player, House)]

    def house_of(self, index: int) -> House:
        """Return the house of the player in seat `index`, or an empty house if none was entered."""
        player = self.players[index] if index < len(self.players) else None
        return player if isinstance(player, House) else House("")


def load(record: Json) -> State:
    """Read a record, or raise StateError with every fault."""
    reader = read_record(record, "copenhagen")
    end = reader.object("table", required=False).choice("end", ENDS, default=None)
    state = State(read_players(reader, PLAYERS, RULES, LADDER, read_house), end)
    reader.finish(state)
    return state


def read_house(player: Reader, name: str) -> House:
    """Return the house of the player `name`: with its tiles if there are any, otherwise with its rows. If one tile or
    row cannot be read, all are dropped, because other tiles would seem unsupported."""
    faults = len(player.problems)
    if player.has("tiles"):
        tiles = tuple(read_tile(tile) for tile in player.elements("tiles"))
        return House(name, tiles=tiles if len(player.problems) == faults else ())
    grid = player.child("grid")
    if grid is not None and grid.value == UNKNOWN:
        grid.correct([UNKNOWN_LETTER * COLUMNS] * FLOORS)
    floors = player.elements("grid")
    rows = tuple(read_row(floor) for floor in floors)
    house = House(name, rows=rows if len(player.problems) == faults else None)
    for floor in floors if house.rows is not None else ():
        floor.note_unknown_letters(FLOOR.fullmatch)
    return house


def read_row(row: Reader) -> str:
    """Read a floor as a text of any letters and any length; return "" with a fault if it is no text."""
    letters = row.as_letters(COLUMNS, FLOOR.fullmatch)
    if isinstance(letters, str):
        return letters
    row.fail(
        "unreadable", say("Enter a floor as five letters, like “W.B.W”. You entered {value}.", value=shown(row.value))
    )
    return ""


def read_tile(tile: Reader) -> Tile:
    tile.as_object()
    spaces = tuple(read_space(space) for space in tile.elements("cells"))
    kind, brick = tile.child("tile", required=True), tile.child("brick")
    return Tile(
        kind="" if kind is None or not kind.as_text() else kind.as_named(KIND_NAMES),
        spaces=spaces,
        brick=None if brick is None or brick.value is None else read_space(brick),
    )


def read_space(space: Reader) -> Space:
    """Read a space as its column and floor, even if it lies off the house."""
    parts = space.as_list()
    if isinstance(space.value, list) and len(parts) != 2:
        space.fail("unreadable", say("Enter a space as column and floor, both counted from 1: [2, 1]."))
    if len(parts) != 2:
        return (1, 1)
    column, floor = (part.as_number(-FAR, FAR) for part in parts)
    return (column, floor)


def dump(state: State) -> Json:
    """Return the record that `load` reads as this state; fields that nobody entered are left out."""
    return {
        "game": "copenhagen",
        "table": {} if state.end is None else {"end": state.end},
        "players": [
            player.dump() if isinstance(player, Typed) else {"name": player.name, **dump_house(player)}
            for player in state.players
        ],
    }


def dump_house(house: House) -> Json:
    if house.tiles is None:
        return {} if house.rows is None else {"grid": list(house.rows)}
    return {"tiles": [dump_tile(tile) for tile in house.tiles]}


def dump_tile(tile: Tile) -> Json:
    return {
        "tile": tile.kind,
        "cells": [list(space) for space in tile.spaces],
        "brick": None if tile.brick is None else list(tile.brick),
    }
