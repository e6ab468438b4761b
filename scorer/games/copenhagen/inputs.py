"""What the form of a house asks for: the house painted in letters, or the tiles on it; and how the game ended."""

from __future__ import annotations

from scorer.contract import Choice, Input, Json, Loaded, StateError
from scorer.games.copenhagen.facade import BRICK, COLUMNS, EMPTY, FLOORS, NAMES, WINDOW, to_rows
from scorer.games.copenhagen.score import look
from scorer.games.copenhagen.state import BY_CARD, BY_POINTS, House, State, load
from scorer.sentences import say

ENDS = (
    Choice(BY_POINTS, say("Somebody reached 12 points")),
    Choice(BY_CARD, say("The End of Game card came up")),
)
LETTERS = (
    Choice(EMPTY, say("Empty")),
    Choice(WINDOW, say("Window"), "W", "blue"),
    Choice(BRICK, say("Brickwork"), "B", "red"),
)
CELLS = tuple(NAMES[COLUMNS * floor :][:COLUMNS] for floor in reversed(range(FLOORS)))

TABLE = (Input("end", say("How the game ended"), "choice", ENDS, of="table", optional=True),)
GRID = Input(
    "grid", say("House, the top floor first"), "letters", LETTERS, size=(FLOORS, COLUMNS), cells=CELLS, default=EMPTY
)
TILES = Input("tiles", say("Tiles on the house"), "data", optional=True)
INPUTS = (*TABLE, GRID, TILES)


def asks(loaded: Loaded, index: int | None) -> tuple[Input, ...]:
    """The end of the table (None); of a player the house, tile by tile if it was begun so."""
    if index is None:
        return TABLE
    state: State = loaded.state
    return (GRID,) if state.house_of(index).tiles is None else (TILES,)


def shows(record: Json, player: int) -> dict[str, Json]:
    """The house painted, also where it was laid tile by tile."""
    try:
        state: State = load(record)
    except StateError:
        return {}
    house = state.players[player]
    return {GRID.name: list(to_rows(look(house)))} if isinstance(house, House) else {}
