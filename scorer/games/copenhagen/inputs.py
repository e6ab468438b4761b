"""Define the inputs of a house, as letters for its squares or as tiles, and of how the game ended."""

from __future__ import annotations

from scorer.contract import (
    UNKNOWN_LETTER,
    Choice,
    ChoiceInput,
    DataInput,
    Input,
    Json,
    LettersInput,
    Loaded,
    Section,
    StateError,
)
from scorer.games.copenhagen.facade import BRICK, COLUMNS, EMPTY, FLOORS, NAMES, WINDOW, to_rows
from scorer.games.copenhagen.score import house_facade
from scorer.games.copenhagen.state import ENDS, House, State, load
from scorer.record import STILL_TO_COUNT
from scorer.sentences import say

END_CHOICES = tuple(Choice(end, label) for end, label in ENDS.items())
LETTERS = (
    Choice(EMPTY, say("Empty")),
    Choice(WINDOW, say("Window"), "W", "blue"),
    Choice(BRICK, say("Brickwork"), "B", "red"),
    Choice(UNKNOWN_LETTER, STILL_TO_COUNT, UNKNOWN_LETTER),
)
CELLS = tuple(NAMES[COLUMNS * floor :][:COLUMNS] for floor in reversed(range(FLOORS)))

# The points of the houses show how the game ended, so this input only appears if it was filled in.
END = ChoiceInput("end", say("How the game ended"), END_CHOICES, section=Section.TABLE, optional=True, in_doubt=True)
TABLE = (END,)
GRID = LettersInput("grid", say("House, top floor first"), LETTERS, size=(FLOORS, COLUMNS), cells=CELLS, default=EMPTY)
TILES = DataInput("tiles", say("Tiles on the house"), optional=True)
INPUTS = (*TABLE, GRID, TILES)


def asks(loaded: Loaded, index: int | None) -> tuple[Input, ...]:
    """Return the input for the house of the player in seat `index`, or for how the game ended if that is None. A house
    is asked for as tiles if it was begun with tiles, otherwise as a grid of letters."""
    if index is None:
        return TABLE
    state: State = loaded.state
    return (GRID,) if state.house_of(index).tiles is None else (TILES,)


def shows(record: Json, player: int) -> dict[str, Json]:
    """Return a player's house as rows of letters, keyed by the grid input's name, even if entered tile by tile. Return
    {} for an unreadable record or a player without a house."""
    try:
        state: State = load(record)
    except StateError:
        return {}
    house = state.players[player]
    return {GRID.name: list(to_rows(house_facade(house)))} if isinstance(house, House) else {}
