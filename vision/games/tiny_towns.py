"""From a reading to a draft of the record: `draft(reading, ...)`. What the camera cannot know is taken from the table.

A piece says only its colour; the card in play says which building it is. Cubes on a Warehouse or a Bank are facts of
the record; cubes elsewhere are removed at the end of the game, so their squares are empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer import grid
from scorer.contract import Problem, StateError
from scorer.games.tiny_towns import GAME
from scorer.games.tiny_towns.cards import BUILDINGS, COLOURS, FIRST_GAME, MONUMENTS
from vision.reading import CUBES, Board, Reading, Square

DOUBTFUL = 0.7
COLOUR_OF = {
    "farm": "red", "well": "grey", "chapel": "orange", "tavern": "green", "theater": "yellow", "factory": "black",
}  # fmt: skip
HOLDS = {"warehouse": 3, "bank": 1}


@dataclass(frozen=True, slots=True)
class Doubt:
    """A square to look at again: where it stands in the record, and what else it may be, likeliest first."""

    where: str
    confidence: float
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    record: dict[str, Any]
    doubts: tuple[Doubt, ...]
    problems: tuple[Problem, ...]  # what the game itself says of the record, and what we had to assume


def draft(
    reading: Reading,
    names: Sequence[str] = (),
    boards: Sequence[int] | None = None,
    cards: Mapping[str, str] | None = None,
    mode: str = "standard",
) -> Draft:
    """A record in which player number n has the board number `boards[n]` (else board n) of the reading.

    `cards` (colour -> building) wins over cards seen; for a colour that neither knows, the first game's card is taken.
    """
    chosen = [reading.boards[i] for i in boards] if boards is not None else list(reading.boards)
    called = [names[i] if i < len(names) else f"Player {i + 1}" for i in range(len(chosen))]
    seen = cards_in_play(reading)
    table = {**FIRST_GAME, **seen, **(cards or {})}
    if "black" not in seen and not (cards or {}).get("black") and _is_stacked(chosen):
        table["black"] = "warehouse"
    players, doubts = [], []
    for index, (name, board) in enumerate(zip(called, chosen, strict=True)):
        players.append({"name": name, **town(board, table)})
        doubts += _doubts(board, table, index)
    monuments = [card.id for card in reading.cards if card.id in MONUMENTS]
    if len(monuments) == len(players) == 1:
        players[0]["monument"] = monuments[0]
    record = {"game": GAME.id, "table": {"mode": mode, "cards": table}, "players": players}
    assumed = [colour for colour in COLOURS if colour not in seen and colour not in (cards or {})]
    return Draft(record, tuple(doubts), (*_judged(record), *_remarks(chosen, assumed)))


def cards_in_play(reading: Reading) -> dict[str, str]:
    """Colour -> building, as the cards in the photo say; the surest card of each colour."""
    best: dict[str, tuple[float, str]] = {}
    for card in reading.cards:
        if card.id in BUILDINGS and (colour := BUILDINGS[card.id].colour) in COLOURS:
            best[colour] = max(best.get(colour, (0.0, "")), (card.confidence, card.id))
    return {colour: card for colour, (_, card) in best.items()}


def town(board: Board, cards: Mapping[str, str]) -> dict[str, Any]:
    """One player's part of the record."""
    state: dict[str, Any] = {"grid": [[piece(square.label, cards) for square in row] for row in board.grid]}
    black = cards.get("black", "")
    loads = {
        grid.name((i, j)): square.on_top[: HOLDS[black]]
        for i, row in enumerate(board.grid)
        for j, square in enumerate(row)
        if square.on_top and state["grid"][i][j] == black in HOLDS
    }
    if loads and black == "warehouse":
        state["warehouse_cubes"] = {cell: len(cubes) for cell, cubes in loads.items()}
    elif loads:
        state["bank_resources"] = {cell: cubes[0].removeprefix("cube_") for cell, cubes in loads.items()}
    return state


def piece(label: str, cards: Mapping[str, str]) -> str:
    """What a label means on this table."""
    if label in CUBES:
        return "empty"
    return cards[COLOUR_OF[label]] if label in COLOUR_OF else label


def _is_stacked(boards: Sequence[Board]) -> bool:
    """Only a Warehouse holds more than one cube."""
    return any(len(square.on_top) > 1 for board in boards for row in board.grid for square in row)


def _doubts(board: Board, cards: Mapping[str, str], player: int) -> list[Doubt]:
    return [
        Doubt(f"/players/{player}/grid/{i}/{j}", square.confidence, _choices(square, cards))
        for i, row in enumerate(board.grid)
        for j, square in enumerate(row)
        if square.confidence < DOUBTFUL
    ]


def _choices(square: Square, cards: Mapping[str, str]) -> tuple[str, ...]:
    labels = [label for label, _ in square.alternatives]
    return tuple(dict.fromkeys(piece(label, cards) for label in labels))


def _judged(record: dict[str, Any]) -> list[Problem]:
    """What the game's own rules say."""
    try:
        return list(GAME.validate(GAME.load(record)))
    except StateError as unreadable:
        return list(unreadable.problems)


def _remarks(boards: Sequence[Board], assumed: Sequence[str]) -> list[Problem]:
    """What we took for granted."""
    remarks = []
    if assumed and boards:
        message = f"No card was read for {', '.join(assumed)}: check that the cards in play are the right ones."
        remarks.append(Problem("cards_assumed", message, "/table/cards", "warning"))
    for index, board in enumerate(boards):
        left = sum(square.label in CUBES for row in board.grid for square in row)
        if left:
            cubes = "1 cube is" if left == 1 else f"{left} cubes are"
            message = f"{cubes} left on the board; at the end of the game their squares count as empty."
            remarks.append(Problem("cubes_left", message, f"/players/{index}/grid", "warning"))
    return remarks
