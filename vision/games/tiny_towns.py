"""Read Tiny Towns: define the pieces and cards to find, and turn a reading into a draft of the record.

A piece shows only its colour. Which building it is depends on the cards in play, which the table's setup names. Cubes
on a Warehouse, a Bank or a Blacksmith are facts of the record. Other cubes are removed at the end of the game, so their
squares are empty. A pile of grey discs is one square of a Folly Tower; a player enters its height.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from scorer import grid
from scorer.contract import Problem, StateError
from scorer.games.tiny_towns import GAME
from scorer.games.tiny_towns.cards import BUILDINGS, COLOURS, EXPANSIONS, FIRST_GAME, MONUMENTS
from scorer.games.tiny_towns.cards import CARDS as CARDS_OF_ALL
from scorer.record import mapping
from scorer.sentences import Sentence, in_a_row, printed, say, say_count
from vision.classify import classify
from vision.contract import Cards, CardsOnPhotos, Doubt, Draft, GameReader, Pieces, Setup
from vision.reading import Board, Reading, Square
from vision.rectify import Shape

assert GAME.photo
PHOTO = GAME.photo
LABELS, SHAPE = PHOTO.labels, Shape(PHOTO.rows, PHOTO.columns)
CUBES = tuple(label for label in LABELS if label.startswith("cube_"))
DAYLIGHT = (105.0, 172.0, 190.0)  # half of any board is soil
MODEL = Path(__file__).parent.parent / "model"
PIECES = Pieces(
    squares=MODEL / "squares.onnx",
    board=MODEL / "board.onnx",
    shape=SHAPE,
    daylight=DAYLIGHT,
    labels=LABELS,
    cubes=CUBES,
    carrier="factory",
)
PRINTED = [card for card in CARDS_OF_ALL.values() if card.pattern and not card.typed]
CARDS = Cards(
    titles=tuple((card.id, card.name) for card in PRINTED),
    patterns={card.id: card.pattern for card in PRINTED},
    colours={card.id: card.colour for card in PRINTED},
    signs={
        "blue": (0.25, 0.50, 0.60),
        "red": (0.85, 0.27, 0.15),
        "grey": (0.78, 0.75, 0.68),
        "orange": (0.93, 0.50, 0.16),
        "green": (0.17, 0.32, 0.21),
        "yellow": (1.00, 0.72, 0.17),
        "black": (0.13, 0.13, 0.14),
        "purple": (0.52, 0.27, 0.32),
    },
    faint="yellow",
    title=(-0.25, -3.1, 0.8, -1.85),
    banner=(0.7, -2.8, 1.2, -1.85),
    around_field=((-0.11, -2.6), (1.13, -2.6), (1.13, 1.85), (-0.11, 1.85)),
    field=2.05,
)
COLOUR_OF = {
    "farm": "red", "well": "grey", "chapel": "orange", "tavern": "green", "theater": "yellow", "factory": "black",
}  # fmt: skip
COLOUR_NAMES = {
    "red": say("red"),
    "grey": say("grey"),
    "orange": say("orange"),
    "green": say("green"),
    "yellow": say("yellow"),
    "black": say("black"),
}
HOLDS = {"warehouse": 3, "bank": 1, "blacksmith": 1}
OF_THE_TABLE = ("expansions", "rulings")  # what else of the set-up says how a town is judged


def draft(
    reading: Reading,
    names: Sequence[str] = (),
    boards: Sequence[int] | None = None,
    setup: Setup | None = None,
) -> Draft:
    """Return a record made from a reading, with its doubtful squares and its problems. Player n is called `names[n]`
    and has the board `boards[n]` of the reading, by default board n. Cards in `setup` ("cards": colour -> building)
    replace those on the photo. A colour in neither has its card of FIRST_GAME."""
    setup = setup or {}
    given = _cards(setup)
    chosen = [reading.boards[i] for i in boards] if boards is not None else list(reading.boards)
    called = [names[i] if i < len(names) else f"Player {i + 1}" for i in range(len(chosen))]
    seen = cards_in_play(reading)
    table = _in_play(chosen, seen, given)
    players, doubts = [], []
    for index, (name, board) in enumerate(zip(called, chosen, strict=True)):
        players.append({"name": name, **town(board, table)})
        doubts += _doubts(board, table, index)
    monuments = [card.id for card in reading.cards if card.id in MONUMENTS]
    if len(monuments) == len(players) == 1:
        players[0]["monument"] = monuments[0]
    rules = {key: setup[key] for key in OF_THE_TABLE if setup.get(key)}
    game = {"mode": setup.get("mode", "standard"), "cards": table, **rules}
    record = {"game": GAME.id, "table": game, "players": players}
    assumed = [colour for colour in COLOURS if colour not in seen and colour not in given]
    return Draft(record, tuple(doubts), (*_judged(record), *_remarks(chosen, assumed)))


def player(board: Board, setup: Setup) -> dict[str, Any]:
    """Return a player's part of the record, made from the board that was read; `setup` names the cards in play."""
    return town(board, _in_play([board], {}, _cards(setup)))


def _in_play(boards: Sequence[Board], seen: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the building of each colour: from the setup (`given`), else from the photo (`seen`), else from FIRST_GAME.
    If neither of the two has a black building and a piece carries several cubes, it is a Warehouse."""
    table = {**FIRST_GAME, **seen, **given}
    if "black" not in seen and not given.get("black") and _is_stacked(boards):
        table["black"] = "warehouse"
    return table


def _cards(setup: Setup) -> dict[str, str]:
    """Return the building of each colour that the table's setup names."""
    return {colour: card for colour, card in mapping(setup.get("cards")).items() if isinstance(card, str)}


def cards_in_play(reading: Reading) -> dict[str, str]:
    """Return the building of each colour, as shown by the card on the photo that was read with most certainty."""
    best: dict[str, tuple[float, str]] = {}
    for card in reading.cards:
        if card.id in BUILDINGS and (colour := BUILDINGS[card.id].colour) in COLOURS:
            best[colour] = max(best.get(colour, (0.0, "")), (card.confidence, card.id))
    return {colour: card for colour, (_, card) in best.items()}


def town(board: Board, cards: Mapping[str, str]) -> dict[str, Any]:
    """Return a board's squares and cubes as a player's record has them; `cards` has the building of each colour."""
    state: dict[str, Any] = {"grid": [[piece(square.label, cards) for square in row] for row in board.grid]}
    loads: dict[str, dict[str, tuple[str, ...]]] = {}
    for i, row in enumerate(board.grid):
        for j, square in enumerate(row):
            building = state["grid"][i][j]
            if square.on_top and building in HOLDS and building in cards.values():
                loads.setdefault(building, {})[grid.name((i, j))] = square.on_top[: HOLDS[building]]
    for building, cubes in loads.items():
        if building == "bank":
            state["bank_resources"] = {cell: lying[0].removeprefix("cube_") for cell, lying in cubes.items()}
        else:
            state[f"{building}_cubes"] = {cell: len(lying) for cell, lying in cubes.items()}
    return state


def piece(label: str, cards: Mapping[str, str]) -> str:
    """Return the record's name for a piece with this label; `cards` has the building of each colour."""
    if label in CUBES:
        return "empty"
    return cards[COLOUR_OF[label]] if label in COLOUR_OF else label


def _is_stacked(boards: Sequence[Board]) -> bool:
    """Return whether a board has several cubes on a piece, which only a Warehouse can hold."""
    return any(len(square.on_top) > 1 for board in boards for row in board.grid for square in row)


def _doubts(board: Board, cards: Mapping[str, str], player: int) -> list[Doubt]:
    return [
        Doubt(f"/players/{player}/grid/{i}/{j}", square.confidence, _choices(square, cards))
        for i, row in enumerate(board.grid)
        for j, square in enumerate(row)
        if square.is_doubtful
    ]


def _choices(square: Square, cards: Mapping[str, str]) -> tuple[str, ...]:
    labels = [label for label, _ in square.alternatives]
    return tuple(dict.fromkeys(piece(label, cards) for label in labels))


def _judged(record: dict[str, Any]) -> list[Problem]:
    """Return the problems of a record: why it can't be loaded, or else what the game's own rules find."""
    try:
        return list(GAME.validate(GAME.load(record)))
    except StateError as unreadable:
        return list(unreadable.problems)


def _remarks(boards: Sequence[Board], assumed: Sequence[str]) -> list[Problem]:
    """Return warnings on what we assumed: cards of the colours in `assumed`, and that squares with cubes are empty."""
    remarks = []
    if assumed and boards:
        message = say(
            "We found no card of these colours: {colours}. Check the cards.",
            colours=in_a_row([COLOUR_NAMES[colour] for colour in assumed]),
        )
        remarks.append(Problem("cards_assumed", message, "/table/cards", "warning"))
    for index, board in enumerate(boards):
        left = sum(square.label in CUBES for row in board.grid for square in row)
        if left:
            message = say_count(
                "{n} cube on the board. Its square counts as empty.",
                "{n} cubes on the board. Their squares count as empty.",
                left,
            )
            remarks.append(Problem("cubes_left", message, f"/players/{index}/grid", "warning"))
    return remarks


def likeliest_first(board: Board, setup: Setup, values: Sequence[str]) -> list[list[list[str]]]:
    """Return for each square of the board, row by row, those pieces in `values` that it may have, likeliest first. The
    piece that was read comes first, then its runners-up, then all others."""
    cards = {**FIRST_GAME, **_cards(setup)}

    def pieces(square: Square) -> list[str]:
        labels = [square.label, *(label for label, _ in square.alternatives)]
        found = [piece(label, cards) for label in labels]
        return list(dict.fromkeys(piece for piece in [*found, *values] if piece in values))

    return [[pieces(square) for square in row] for row in board.grid]


def other_cards(reading: Reading, setup: Setup) -> tuple[Sentence, ...]:
    """Return the names of the buildings whose cards are on the photo, but not in the table's setup."""
    given = _cards(setup)
    return tuple(
        printed(BUILDINGS[card].name) for colour, card in cards_in_play(reading).items() if given.get(colour) != card
    )


def with_cards_seen(reading: Reading, setup: Setup) -> dict[str, Any]:
    """Return a copy of the setup with the cards on the photo added to its "cards". The expansions that these cards come
    from are added to its "expansions"."""
    seen = cards_in_play(reading)
    brought = [CARDS_OF_ALL[card].expansion for card in seen.values()]
    chosen = [*(setup.get("expansions") or ()), *brought]
    expansions = {"expansions": [one for one in EXPANSIONS if one in chosen]} if any(brought) else {}
    return {**setup, **expansions, "cards": {**(setup.get("cards") or {}), **seen}}


def cards_seen(reading: Reading) -> dict[str, str]:
    """Return the cards on the photo, each by the field of the setup that it fills, such as "cards/red"."""
    return {f"cards/{colour}": card for colour, card in cards_in_play(reading).items()}


def monuments_seen(reading: Reading) -> tuple[str, ...]:
    """Return the monuments whose cards were read, surest first."""
    found = sorted((card for card in reading.cards if card.id in MONUMENTS), key=lambda card: -card.confidence)
    return tuple(dict.fromkeys(card.id for card in found))


READER = GameReader(
    photo=PHOTO,
    squares=partial(classify, pieces=PIECES),
    player=player,
    likeliest_first=likeliest_first,
    cards=CardsOnPhotos(
        known=CARDS,
        others=other_cards,
        with_seen=with_cards_seen,
        fields=tuple(f"cards/{colour}" for colour in COLOURS),
        seen=cards_seen,
        own="monument",
        own_seen=monuments_seen,
    ),
)
