"""Check a finished game of Old London Bridge for impossible values, and for questions to ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from scorer.contract import Problem
from scorer.games.old_london_bridge.bridge_checks import BRIDGE_CHECKS
from scorer.games.old_london_bridge.cards import (
    BASE,
    CARD_VALUES,
    COIN_SPACES,
    EMPTY_COLUMNS,
    FACES,
    TYPES,
    ZEROS,
    ZONES,
    needed_inputs,
    options,
)
from scorer.games.old_london_bridge.questions import QUESTIONS
from scorer.games.old_london_bridge.state import NUMBERS, SUMMARY_NUMBERS, Architect, State, empty_column
from scorer.games.old_london_bridge.summary import Summary
from scorer.games.old_london_bridge.summary_checks import SUMMARY_CHECKS
from scorer.games.old_london_bridge.turns import TURN_CHECKS
from scorer.record import are_named, escape, shown
from scorer.sentences import Sentence, in_a_row, listed, say, say_count

Found = Iterator[Problem]


def validate(state: State) -> list[Problem]:
    """Return a problem for every fault, and for every question to ask."""
    return [problem for check in CHECKS for problem in check(state)]


def chosen_faces_exist(state: State) -> Found:
    for zone, face in state.scoring:
        if (zone, face) not in FACES:
            message = say(
                "{face} is not a way to score here. Choose one of {known}.",
                face=shown(face),
                known=in_a_row(options(zone)),
            )
            yield Problem("unknown_option", message, f"/table/scoring/{zone}")


def chapel_order_names_everybody_once(state: State) -> Found:
    if state.chapel_order is None or not are_named(state.players):
        return
    if sorted(state.chapel_order) != sorted(state.names):
        message = say("Enter every player once. Start with the leader (or the marker on top) on the chapel track.")
        yield Problem("chapel_order_not_a_permutation", message, "/table/chapel_order")
        return
    ahead: tuple[str, int] | None = None
    stays: str | None = None  # the first player in the order whose marker is known to be on the stairs
    steps_of, moves = state.chapel_steps, state.chapel_moves
    for place, name in enumerate(state.chapel_order):
        steps = steps_of.get(name)
        found: Sentence | None = None
        if ahead and steps is not None and steps > ahead[1]:
            found = say(
                "{name}, on space {steps} of the chapel track, is ahead of {other} on space {fewer}. Check their "
                "order.",
                name=name,
                steps=steps,
                other=ahead[0],
                fewer=ahead[1],
            )
        elif stays and moves.get(name):
            found = say(
                "{name} has left the chapel stairs, but {other} has not. Check their order.",
                name=name,
                other=stays,
            )
        if found:
            yield Problem("chapel_order_contradicts_steps", found, f"/table/chapel_order/{place}")
        ahead = ahead if steps is None else (name, steps)
        stays = name if stays is None and moves.get(name) is False else stays


def moved_agrees_with_steps(state: State) -> Found:
    for index, architect in state.architects:
        steps, moved = architect.chapel_steps, architect.chapel_moved
        if steps is not None and moved is not None and steps >= 0 and moved is not (steps > 0):
            message = say_count(
                "The marker has moved {n} space up the chapel track. Clear the answer about leaving the stairs.",
                "The marker has moved {n} spaces up the chapel track. Clear the answer about leaving the stairs.",
                steps,
            )
            yield Problem("chapel_moved_contradicts_steps", message, f"/players/{index}/chapel_moved")


def nothing_is_negative(state: State) -> Found:
    for where, name, amount in amounts(state):
        if amount < 0:
            message = say("Enter 0 or more. You entered {amount}.", amount=shown(amount))
            yield Problem("negative", message, f"{where}/{escape(name)}")


def amounts(state: State) -> Iterator[tuple[str, str, int]]:
    """Yield every number entered for the table and the players, as path, name and number. For example,
    ("/players/0/cards", "3", 2) is two cards of value 3."""
    if state.hand_8plus is not None:
        yield "/table", "hand_8plus", state.hand_8plus
    yield from (("/table/empty_costs", column, cost) for column, cost in state.empty_costs)
    for index, player in state.architects:
        where = f"/players/{index}"
        yield from entered_in(where, NUMBERS, player)
        yield from ((f"{where}/cards", value, count) for value, count in player.cards or ())
        yield from ((f"{where}/round_winnings", zone, won) for zone, won in player.round_winnings or ())
        if player.summary is not None:
            yield from entered_in(f"{where}/summary", SUMMARY_NUMBERS, player.summary)
            yield from ((f"{where}/summary/types", letter, count) for letter, count in player.summary.types or ())


def entered_in(where: str, names: Sequence[str], facts: Architect | Summary) -> Iterator[tuple[str, str, int]]:
    numbers = ((name, getattr(facts, name)) for name in names)
    return ((where, name, number) for name, number in numbers if number is not None)


def faces_have_what_they_need(state: State) -> Found:
    """Yield a problem for each fact that a chosen face needs and a player neither entered nor marked as UNKNOWN."""
    needed = needed_inputs({zone: state.face(zone) for zone in ZONES})
    for index, architect in state.architects:
        missing = {architect.pointer(fact): fact for fact in needed if not state.knows(architect, fact)}
        for pointer, fact in missing.items():
            message = MISSING.get(pointer) or missing_count(state, architect, fact)
            if pointer == "/chapel_steps" and state.face("chapel") == BASE:
                message = LEFT_THE_STAIRS
            yield Problem("missing_field", message, f"/players/{index}{pointer}")


MISSING = {
    "/coins": say("Enter the coins in hand before final scoring."),
    "/chapel_steps": say(
        "Enter how many spaces the marker has moved up the chapel track. Enter 0 if it is on the stairs."
    ),
    "/gate_steps": say("Enter how many steps the marker has moved along the gate track."),
    "/cards": say("Enter how many cards of each value are left in hand."),
    "/last_coin_space": say("Enter the last coin reached or passed on the chapel track, or 0."),
    "/unused_tiles": say("Enter the number of unused bonus tiles."),
    "/bridge": say("Enter the buildings from left to right, or count them. A bridge has at least one building."),
    "/summary/buildings": say("Count the buildings on this bridge, including parks."),
}
LEFT_THE_STAIRS = say(
    "Enter how many spaces the marker has moved up the chapel track. Or enter whether it has left the stairs."
)


def missing_count(state: State, architect: Architect, fact: str) -> Sentence:
    """Return a message that asks for the count `fact` and names the scoring tile that needs it."""
    face = next(
        face for zone in ZONES if (face := FACES.get((zone, state.face(zone)))) is not None and fact in face.needs
    )
    if fact == "longest":
        return say(
            "Count the longest sequence of descending numbers. The scoring tile “{tile}” needs it.", tile=face.name
        )
    if fact == "low30":
        return say("Count the numbers of 30 or lower. The scoring tile “{tile}” needs them.", tile=face.name)
    if fact == "sets":
        known = dict(architect.summary.types or ()) if architect.summary else {}
        left_out = [one.plural for letter, one in TYPES.items() if letter not in known]
        return say(
            "Count the complete sets of all six types, or count the {types}. The scoring tile “{tile}” needs this.",
            types=listed(left_out),
            tile=face.name,
        )
    plural = TYPES[fact.removeprefix("types/")].plural
    return say(
        "Count the {buildings} on this bridge. The scoring tile “{tile}” needs them.", buildings=plural, tile=face.name
    )


def hands_hold_real_cards(state: State) -> Found:
    zeros = ZEROS.get(len(state.players))
    for index, architect in state.architects:
        if architect.cards is None:
            continue
        hand = dict(architect.cards)
        for value in hand:
            if value not in CARD_VALUES:
                message = say(
                    "There is no card of value {value}. Choose from {values}.",
                    value=shown(value),
                    values=in_a_row(CARD_VALUES),
                )
                yield Problem("bad_card", message, f"/players/{index}/cards/{escape(value)}")
        held = hand.get("0", zeros)  # cards of value 0 need not be entered
        if zeros is not None and held is not None and held != zeros and held >= 0:
            message = say_count(
                "Each player still has {n} card of value 0 (Peter de Colechurch). You entered {held}.",
                "Each player still has {n} cards of value 0 (Peter de Colechurch). You entered {held}.",
                zeros,
                held=held,
            )
            yield Problem(
                "zero_cards", message, f"/players/{index}/cards/0" if "0" in hand else f"/players/{index}/cards"
            )


def coin_spaces_exist(state: State) -> Found:
    spaces = (0, *COIN_SPACES)
    for index, architect in state.architects:
        space = architect.last_coin_space
        if space is not None and space >= 0 and space not in spaces:
            message = say(
                "Enter a coin value from the chapel track ({coins}), or 0 for none.", coins=in_a_row(COIN_SPACES)
            )
            yield Problem("bad_number", message, f"/players/{index}/last_coin_space")


def columns_and_zones_exist(state: State) -> Found:
    for column, _ in state.empty_costs:
        if column not in EMPTY_COLUMNS:
            message = say(
                "The player board shows amounts for {columns} empty spaces, but not for {column}.",
                columns=in_a_row(EMPTY_COLUMNS),
                column=shown(column),
            )
            yield Problem("unknown_field", message, f"/table/empty_costs/{escape(column)}")
    for index, architect in state.architects:
        for zone, _ in architect.round_winnings or ():
            if zone not in ZONES:
                message = say(
                    "There is no {zone}. Choose from {zones}.",
                    zones=in_a_row(tuple(ZONES)),
                    zone=shown(zone),
                )
                yield Problem("unknown_field", message, f"/players/{index}/round_winnings/{escape(zone)}")


def costs_are_known(state: State) -> Found:
    """Yield a problem for each cost of empty spaces that a player needs and nobody entered."""
    asked: dict[str, list[str]] = {}
    for _, architect in state.architects:
        column = empty_column(architect)
        if column is not None and state.empty_cost(column) is None and f"empty_costs/{column}" not in state.open:
            asked.setdefault(column, []).append(architect.name)
    for column, names in asked.items():
        if column == "5+":
            message = say(
                "Enter the amount on the player board for 5 or more empty spaces (needed for {names}).",
                names=listed(names),
            )
        else:
            message = say(
                "Enter the amount on the player board for {spaces} empty spaces (needed for {names}).",
                spaces=column,
                names=listed(names),
            )
        yield Problem("empty_costs_unknown", message, f"/table/empty_costs/{column}")


CHECKS: tuple[Callable[[State], Found], ...] = (
    chosen_faces_exist,
    columns_and_zones_exist,
    chapel_order_names_everybody_once,
    moved_agrees_with_steps,
    costs_are_known,
    nothing_is_negative,
    faces_have_what_they_need,
    *BRIDGE_CHECKS,
    *SUMMARY_CHECKS,
    *TURN_CHECKS,
    hands_hold_real_cards,
    coin_spaces_exist,
    *QUESTIONS,
)
