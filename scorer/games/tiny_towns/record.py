"""Read a record of Tiny Towns, and write a state as a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from scorer.contract import Cell, Json
from scorer.games.tiny_towns.cards import (
    BUILDING_NAMES,
    CARD_NAMES,
    COLOURS,
    EXPANSIONS,
    MODES,
    MONUMENT_NAMES,
    PIECES,
    RESOURCES,
    RULES,
    TYPED,
    UNREAD,
)
from scorer.games.tiny_towns.rulings import RULINGS, Rulings
from scorer.games.tiny_towns.squares import COUNT, INDEX, NAMES, SIDE
from scorer.games.tiny_towns.state import CUBES, LADDER, PLAYERS, VILLAGER_CARDS, State, Town
from scorer.record import MAX_NAME, POINTS, Reader, Typed, read_players, read_record, shown
from scorer.sentences import Sentence, in_a_row, say
from scorer.spelling import named_by, nearest

CHOOSE_A_CARD = {
    "red": say("Choose the red building card of this game."),
    "grey": say("Choose the grey building card of this game."),
    "orange": say("Choose the orange building card of this game."),
    "green": say("Choose the green building card of this game."),
    "yellow": say("Choose the yellow building card of this game."),
    "black": say("Choose the black building card of this game."),
}
AS_WE_RULE = Rulings()
NOTHING_READ = (UNREAD,) * COUNT
# Facts with a number, which most towns do not have.
NUMBERS = (
    "shrine_count",
    "starloom_place",
    "right_feast_halls",
    "right_coins",
    "tallest_other_tower",
    "players_ahead",
    "cavern_cubes",
    "coins",
    "hollow_hill_swaps",
)


def load(record: Json) -> State:
    """Return the state of a record, or raise StateError; cards may be missing if all players entered points by hand."""
    reader = read_record(record, "tiny_towns")
    players = read_players(reader, PLAYERS, RULES, LADDER, read_town)
    needed = any(isinstance(player, Town) for player in players)
    table = reader.child("table", required=needed)
    if table is None:
        state = State(players)
    else:
        table.as_object()
        mode = table.choice("mode", MODES, default="standard")
        cards = read_cards(table, needed)
        named = [one.as_choice(EXPANSIONS, "unknown_expansion") for one in table.elements("expansions", False)]
        state = State(
            players,
            mode,
            cards,
            tuple(one for one in EXPANSIONS if one in named),
            read_rulings(table),
            read_card_names(table),
            tuple(
                one.as_choice(tuple(VILLAGER_CARDS), "unknown_card") for one in table.elements("villager_cards", False)
            ),
            table.flag("tiny_tears", None),
        )
    reader.finish(state)
    return state


def read_cards(table: Reader, needed: bool) -> dict[str, str]:
    """Return the card of each of the six colours; with `needed`, a missing card is a fault. A colour is left out if its
    card is missing or of another colour."""
    cards = table.child("cards", required=needed)
    if cards is None:
        return {}
    cards.as_object()
    read = {}
    for colour in COLOURS:
        found = cards.child(colour)
        if found is not None:
            card = found.as_choice(CARD_NAMES[colour], "wrong_card")
            if card == found.value:
                read[colour] = card
        elif needed:
            cards.fail("missing_field", CHOOSE_A_CARD[colour], f"{cards.where}/{colour}")
    return read


def read_rulings(table: Reader) -> Rulings:
    if not table.has("rulings"):
        return AS_WE_RULE
    chosen = table.object("rulings")
    return Rulings(**{ruling.id: chosen.choice(ruling.id, ruling.names, ruling.default) for ruling in RULINGS})


def read_card_names(table: Reader) -> dict[str, str]:
    """Return the names that the players gave to unlisted cards, by colour."""
    if not table.has("card_names"):
        return {}
    names = table.object("card_names")
    return {colour: names.text(colour, longest=MAX_NAME) for colour in COLOURS if names.has(colour)}


def read_town(player: Reader, name: str) -> Town:
    numbers: dict[str, Any] = {key: player.number(key, 0, POINTS) for key in NUMBERS if key in player.value}
    grid, monument = read_grid(player), read_monument(player)
    facts = {key: read(player, key) for key, read in FACT_READERS.items() if key in player.value}
    return Town(name, grid, monument, **numbers, **facts)


def read_monument(player: Reader) -> str:
    """Return the monument card, or "" if it is missing or unknown."""
    found = player.child("monument")
    if found is None:
        return ""
    card = found.as_choice(MONUMENT_NAMES, "unknown_monument")
    return card if card == found.value else ""


def read_grid(player: Reader) -> tuple[str, ...]:
    """Return the piece on each of the 16 squares, in reading order."""
    found = player.child("grid", required=True)
    if found is None:
        return NOTHING_READ
    rows = found.value
    if not (isinstance(rows, list) and len(rows) == SIDE and all(isinstance(r, list) and len(r) == SIDE for r in rows)):
        message = say("A town has {side} rows of {side} squares. You entered {value}.", side=SIDE, value=shown(rows))
        found.fail("grid_size", message)
        return NOTHING_READ
    squares = (*rows[0], *rows[1], *rows[2], *rows[3])
    if all([isinstance(piece, str) and piece in PIECES for piece in squares]):
        return squares
    return tuple(
        read_piece(Reader(piece, ((found.place, str(index // SIDE)), str(index % SIDE)), found.problems))
        for index, piece in enumerate(squares)
    )


def read_piece(square: Reader) -> str:
    """Return the piece on a square, or UNREAD with a fault if no piece has this name."""
    piece = square.value
    if isinstance(piece, str) and piece in PIECES:
        return piece
    meant = named_by(piece, PIECES)
    if meant is not None:
        square.correct(meant)
        return meant
    square.fail("unknown_building", no_piece(piece))
    return UNREAD


def no_piece(piece: Json) -> Sentence:
    """Say that `piece` is no piece, and what a square can hold."""
    if named_by(piece, CUBES):
        return say("Remove the cube. At the end of the game this square is empty.")
    near = nearest(piece, PIECES)
    if near is not None:
        return say("There is no {value} here. Did you mean {nearest}?", value=shown(piece), nearest=near)
    return say("No building is called {name}. Enter a building card, “monument” or “empty”.", name=shown(piece))


def read_cubes(player: Reader, key: str) -> dict[Cell, int]:
    """Return, by square, how many cubes the field `key` of a player puts there."""
    return {cell: entry.as_number(0, POINTS) for cell, entry in entries_on_squares(player, key)}


def read_resources(player: Reader, key: str) -> dict[Cell, str]:
    """Return, by square, the resource of the cube that the field `key` of a player puts there."""
    squares = entries_on_squares(player, key)
    return {cell: entry.as_choice(RESOURCES, "unknown_resource") for cell, entry in squares}


def entries_on_squares(player: Reader, key: str) -> Iterator[tuple[Cell, Reader]]:
    squares = player.child(key)
    for name, entry in player.entries(key):
        cell = name if name in INDEX or squares is None else squares.field_named(name, NAMES)
        if cell is not None:
            yield cell, entry
        else:
            fail_square(entry, name)


def fail_square(entry: Reader, cell: Json) -> None:
    message = say("There is no square {cell}. Squares go from A1 to {last}.", cell=shown(cell), last=NAMES[-1])
    entry.fail("unknown_square", message)


def read_villagers(player: Reader, key: str) -> tuple[Cell, ...]:
    """Return the squares of the villagers that the field `key` of a player lists."""
    found = []
    for one in player.elements(key, False)[:COUNT]:
        cell = one.value if isinstance(one.value, str) and one.value in INDEX else named_by(one.value, NAMES)
        if cell is None:
            fail_square(one, one.value)
            continue
        if cell != one.value:
            one.correct(cell)
        found.append(cell)
    return tuple(found)


def read_typed_points(player: Reader, key: str) -> dict[str, int]:
    """Return, by card, the points that the player counted for unlisted cards, from the field `key`."""
    found: dict[str, int] = {}
    typed = player.child(key)
    for name, points in player.entries(key):
        card = name if typed is None else typed.field_named(name, TYPED)
        if card is not None:
            found[card] = points.as_number(-POINTS, POINTS)
        else:
            message = say(
                "You can only enter points for {cards}. You entered {card}.", cards=in_a_row(TYPED), card=shown(name)
            )
            points.fail("unknown_field", message)
    return found


def read_buildings(player: Reader, key: str) -> tuple[str, ...]:
    found = player.child(key)
    if found is None:
        return ()
    if isinstance(found.value, list) and len(found.value) > COUNT:
        found.fail("too_many_buildings", say("No card holds that many buildings. Enter fewer buildings."))
        return ()
    return tuple(one.as_choice(BUILDING_NAMES, "unknown_building") for one in found.as_list())


def read_turns(player: Reader, key: str) -> int | str | None:
    turns = player.child(key)
    return None if turns is None else turns.as_remembered(0, POINTS)


# How to read the facts that squares do not show; most towns have few of them.
FACT_READERS: Mapping[str, Callable[[Reader, str], Any]] = {
    "warehouse_cubes": read_cubes,
    "bank_resources": read_resources,
    "bondmaker_cubes": read_resources,
    "opaleye_remaining": read_buildings,
    "master_builder_turns": read_turns,
    "folly_tower_height": Reader.amount,
    "blacksmith_cubes": read_cubes,
    "villagers": read_villagers,
    "typed_points": read_typed_points,
    "monument_name": Reader.text,
}


def dump(state: State) -> Json:
    """Return the record that `load` reads as this state."""
    table: dict[str, Json] = {"mode": state.mode}
    if state.cards:
        table["cards"] = dict(state.cards)
    if state.expansions:
        table["expansions"] = list(state.expansions)
    rulings = {name: option for name, option in asdict(state.rulings).items() if option != getattr(AS_WE_RULE, name)}
    more: dict[str, Json] = {
        "rulings": rulings,
        "card_names": dict(state.card_names),
        "villager_cards": list(state.villager_cards),
    }
    table |= {key: value for key, value in more.items() if value}
    if state.tiny_tears is not None:
        table["tiny_tears"] = state.tiny_tears
    players = [player.dump() if isinstance(player, Typed) else dump_town(player) for player in state.players]
    return {"game": "tiny_towns", "table": table, "players": players}


def dump_town(town: Town) -> dict[str, Json]:
    rows = [list(town.grid[start : start + SIDE]) for start in range(0, COUNT, SIDE)]
    facts: dict[str, Json] = {
        "monument": town.monument,
        "warehouse_cubes": dict(town.warehouse_cubes),
        "bank_resources": dict(town.bank_resources),
        "bondmaker_cubes": dict(town.bondmaker_cubes),
        "opaleye_remaining": list(town.opaleye_remaining),
        "blacksmith_cubes": dict(town.blacksmith_cubes),
        "villagers": list(town.villagers),
        "typed_points": dict(town.typed_points),
        "monument_name": town.monument_name,
    }
    counted = (*NUMBERS, "master_builder_turns", "folly_tower_height")
    numbers = {key: number for key in counted if (number := getattr(town, key)) is not None}
    return {"name": town.name, "grid": rows, **{key: fact for key, fact in facts.items() if fact}, **numbers}
