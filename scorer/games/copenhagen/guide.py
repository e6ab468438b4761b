"""Prepare the facts for the page that lays a house tile by tile: tiles left, where they fit, which can be removed."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence

from scorer.contract import Json, Loaded
from scorer.games.copenhagen.facade import BRICK, COLUMN_NAMES, COLUMNS, EMPTY, FLOORS, WINDOW, Space, Spaces, union
from scorer.games.copenhagen.inputs import LETTERS
from scorer.games.copenhagen.laying import GROUND, block
from scorer.games.copenhagen.score import Near, house_facade, one_short
from scorer.games.copenhagen.state import House, State, Tile, dump_tile
from scorer.games.copenhagen.supply import seats
from scorer.games.copenhagen.tiles import KIND_NAMES, KINDS, Kind, Pattern, Placement, copies, laid, placements
from scorer.games.copenhagen.tiling import spaces_of, unsupported
from scorer.record import seated
from scorer.sentences import Sentence, say

FACES = {letter.value: {"tone": letter.tone, "mark": letter.mark} for letter in LETTERS}
LETTER_NAMES = {WINDOW: say("window"), BRICK: say("brick"), EMPTY: say("gap")}


def legal_drops(kind: Kind, others: Sequence[Tile]) -> list[Placement]:
    """Return each way to lay a tile of this kind next on a house with the tiles `others`. They are sorted by
    orientation, then from the bottom left."""
    filled = filled_by(others)
    return [
        placement
        for placement in placements(kind.pattern)
        if not placement.spaces & filled and block(placement.spaces).rests_on & (filled | GROUND)
    ]


def removable(tiles: Sequence[Tile]) -> list[int]:
    """Return the indices of the tiles that can be removed without leaving another tile unsupported."""
    return [
        index for index in range(len(tiles)) if not any(unsupported([*tiles[:index], *tiles[index + 1 :]], "/tiles"))
    ]


def filled_by(tiles: Sequence[Tile]) -> Spaces:
    return union(map(spaces_of, tiles))


def guide(loaded: Loaded, player: int, opened: str = "") -> Json:
    """Return how many tiles of each kind are left, where the chosen one can go, and how close lines are.

        {"squares": [[{"name": "A9", "letter": "W", "face": {...}, "colour": "red", "tile": 0, "put": None}, ...], ...],
         "tiles": [{"id": "red-2", "name": ..., "colour": "red", "pattern": ["BW"], "left": 1, "is_chosen": True}, ...],
         "turns": [{"open": "lay/red-2/0", "colour": "red", "pattern": ["BW"], "words": "brick window", "fits": True,
                    "is_chosen": True}, ...],
         "fits": True, "laid": [{"name": ..., "is_removable": True}, ...],
         "near": [{"section": "floor 1", "missing": "E1", "with_window": 2, "with_brick": 1}]}

    `opened` is "lay/<tile>/<turn>" if a tile is chosen. A tap on a square with "put" lays it with its bottom left
    corner there. A house that is entered by spaces has no "tiles".
    """
    state: State = loaded.state
    house = state.house_of(player)
    tiles = house.tiles or ()
    kind, pattern = chosen_in(opened)
    drops = legal_drops(kind, tiles) if kind and pattern else []
    puts = {place.corner: put(kind, place) for place in drops if kind and place.pattern == pattern}
    kinds = KINDS.values() if is_laid(loaded, player) else ()
    can_go = removable(tiles)
    return {
        "tiles": [about(one, state) | {"is_chosen": one is kind} for one in kinds],
        "turns": turns(kind, pattern, drops) if kind and pattern else [],
        "fits": bool(puts),
        "squares": squares(house, puts),
        "laid": [
            {"name": KIND_NAMES.get(tile.kind, tile.kind), "is_removable": index in can_go}
            for index, tile in enumerate(tiles)
        ],
        "near": [nearly(near) for near in one_short(house_facade(house))],
    }


def is_laid(loaded: Loaded, player: int) -> bool:
    """Return whether the record has a list of tiles for the player, even an empty or unreadable one."""
    players = seated(loaded.record)
    return player < len(players) and "tiles" in players[player]


def chosen_in(opened: str) -> tuple[Kind | None, Pattern | None]:
    """Return the kind of tile and the orientation that `opened` names: "lay/red-2/0" is the tile red-2 in its first
    one. Return None for each of them that it does not name."""
    match opened.split("/"):
        case ["lay", name, turn] if name in KINDS:
            kind = KINDS[name]
            index = int(turn) if turn.isdecimal() else 0
            return kind, kind.orientations[index] if index < len(kind.orientations) else None
    return None, None


def put(kind: Kind, place: Placement) -> list[Json]:
    """Return the change to the record that lays a tile of this kind at `place`: ["tiles/-", the tile as JSON]."""
    return ["tiles/-", dump_tile(Tile(kind.id, *laid(place.pattern, place.corner)))]


def nearly(near: Near) -> dict[str, Json]:
    return {
        "section": near.section,
        "missing": near.missing,
        "with_window": near.with_window,
        "with_brick": near.with_brick,
    }


def about(kind: Kind, state: State) -> dict[str, Json]:
    """Return a kind of tile as JSON, such as its id and colour, and how many such tiles nobody has entered yet."""
    used = sum(tile.kind == kind.id for _, house in state.houses for tile in house.tiles or ())
    return {
        "id": kind.id,
        "name": kind.name,
        "colour": kind.colour,
        "size": kind.size,
        "pattern": list(kind.pattern),
        "left": max(0, copies(kind, seats(state)) - used),
    }


def turns(kind: Kind, chosen: Pattern, drops: Collection[Placement]) -> list[Json]:
    """Return, as JSON for the page, each orientation of a tile, as under "turns" in `guide`. `chosen` is the
    orientation chosen now. An orientation fits if at least one of `drops`, the ways to lay the tile, has it."""
    fitting = {place.pattern for place in drops}
    return [
        {
            "open": f"lay/{kind.id}/{index}",
            "colour": kind.colour,
            "pattern": list(pattern),
            "words": in_words(pattern),
            "fits": pattern in fitting,
            "is_chosen": pattern == chosen,
        }
        for index, pattern in enumerate(kind.orientations)
    ]


@functools.cache
def in_words(pattern: Pattern) -> Sentence:
    """Return the pattern in words for people who cannot see it, top row first: "brick window; below: window gap"."""
    rows = [functools.reduce(next_to, (LETTER_NAMES[letter] for letter in row)) for row in pattern]
    return functools.reduce(lambda above, below: say("{above}; below: {below}", above=above, below=below), rows)


def next_to(left: Sentence, right: Sentence) -> Sentence:
    return say("{left} {right}", left=left, right=right)


def squares(house: House, puts: Mapping[Space, Json]) -> list[list[dict[str, Json]]]:
    """Return the house, top floor first: each space, the index of its tile, and the change that `puts` has for it."""
    shown: dict[Space, dict[str, Json]] = {}
    for index, tile in enumerate(house.tiles or ()):
        for space in tile.spaces:
            letter = BRICK if space == tile.brick else WINDOW
            shown[space] = {"letter": letter, "colour": tile.kind.partition("-")[0], "tile": index}
    for row, letters in enumerate(house.rows or ()):
        for column, letter in enumerate(letters):
            shown[column + 1, FLOORS - row] = {"letter": letter, "colour": "", "tile": None}
    return [
        [square((column, floor), shown, puts) for column in range(1, COLUMNS + 1)] for floor in range(FLOORS, 0, -1)
    ]


def square(space: Space, shown: Mapping[Space, dict[str, Json]], puts: Mapping[Space, Json]) -> dict[str, Json]:
    known = shown.get(space, {"letter": EMPTY, "colour": "", "tile": None})
    column, floor = space
    name = f"{COLUMN_NAMES[column - 1]}{floor}"
    return {**known, "name": name, "face": FACES.get(known["letter"]), "put": puts.get(space)}
