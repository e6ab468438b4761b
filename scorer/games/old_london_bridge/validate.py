"""What cannot be true of a finished table of Old London Bridge, and what is worth a second look."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scorer.contract import Problem
from scorer.games.old_london_bridge.bridge_checks import BRIDGE_CHECKS
from scorer.games.old_london_bridge.faces import (
    CARD_VALUES,
    COIN_SPACES,
    EMPTY_COLUMNS,
    FACES,
    ZEROS,
    ZONES,
    needed_inputs,
    options,
)
from scorer.games.old_london_bridge.questions import QUESTIONS
from scorer.games.old_london_bridge.state import NUMBERS, SUMMARY_NUMBERS, Architect, State, empty_column
from scorer.reading import are_named, escape, shown
from scorer.sentences import listed

Found = Iterator[Problem]


def validate(state: State) -> list[Problem]:
    """Every fault and every question, in the order of the record."""
    return [problem for check in CHECKS for problem in check(state)]


def chosen_faces_exist(state: State) -> Found:
    for zone, face in state.scoring:
        if (zone, face) not in FACES:
            known = ", ".join(options(zone))
            message = f"{shown(face)} is no scoring of the {zone}: choose one of {known}."
            yield Problem("unknown_option", message, f"/table/scoring/{zone}")


def chapel_order_names_everybody_once(state: State) -> Found:
    if state.chapel_order is None or not are_named(state.players):
        return
    if sorted(state.chapel_order) != sorted(state.names):
        message = "Name every player once, the one ahead (or on top) on the chapel track first: it settles every tie."
        yield Problem("chapel_order_not_a_permutation", message, "/table/chapel_order")
        return
    ahead: tuple[str, int] | None = None
    steps_of = chapel_steps(state)
    for place, name in enumerate(state.chapel_order):
        steps = steps_of.get(name)
        if steps is None:
            continue
        if ahead and steps > ahead[1]:
            message = (
                f"{name} is on space {steps} of the chapel track, so {ahead[0]} on {ahead[1]} is not ahead: check both."
            )
            yield Problem("chapel_order_contradicts_steps", message, f"/table/chapel_order/{place}")
        ahead = name, steps


def chapel_steps(state: State) -> dict[str, int]:
    """How far everybody is known to have come, typed players included."""
    told = {
        player.name: player.chapel_steps if isinstance(player, Architect) else dict(player.facts).get("chapel_steps")
        for player in state.players
    }
    return {name: steps for name, steps in told.items() if isinstance(steps, int) and steps >= 0}


def nothing_is_negative(state: State) -> Found:
    for where, amount in amounts(state):
        if amount < 0:
            yield Problem("negative", f"Enter 0 or more; {shown(amount)} is impossible here.", where)


def amounts(state: State) -> Iterator[tuple[str, int]]:
    """Every number of the table that counts something, with its pointer."""
    if state.hand_8plus is not None:
        yield "/table/hand_8plus", state.hand_8plus
    for column, cost in state.empty_costs:
        yield f"/table/empty_costs/{escape(column)}", cost
    for index, player in state.architects:
        where = f"/players/{index}"
        told = {name: getattr(player, name) for name in NUMBERS}
        told |= {f"cards/{escape(value)}": count for value, count in player.cards or ()}
        told |= {f"round_winnings/{escape(zone)}": won for zone, won in player.round_winnings or ()}
        if player.summary is not None:
            told |= {f"summary/{name}": getattr(player.summary, name) for name in SUMMARY_NUMBERS}
            told |= {f"summary/types/{escape(letter)}": count for letter, count in player.summary.types or ()}
        yield from ((f"{where}/{name}", amount) for name, amount in told.items() if amount is not None)


def faces_have_what_they_need(state: State) -> Found:
    """The chosen faces say which facts of a player are needed; a bridge or its summary supplies the rest."""
    needed = needed_inputs({zone: state.face(zone) for zone in ZONES})
    for index, architect in state.architects:
        missing = dict.fromkeys(architect.pointer(fact) for fact in needed if architect.fact(fact) is None)
        for pointer in missing:
            yield Problem("missing_field", MISSING.get(pointer, MISSING_COUNT), f"/players/{index}{pointer}")


MISSING = {
    "/coins": "Enter the coins in hand before final scoring.",
    "/chapel_steps": "Enter how many spaces the marker has come on the chapel track, 0 if it is still on the stairs.",
    "/gate_steps": "Enter how many steps the marker has come on the gate track.",
    "/cards": "Enter how many cards of each value are left in hand.",
    "/last_coin_space": "Enter the last coin on the chapel track that was reached or passed, 0 if none.",
    "/unused_tiles": "Enter the number of unused bonus tiles.",
    "/bridge": "Enter the bridge from left to right, or a summary of it.",
}
MISSING_COUNT = "Count this on the bridge: a scoring tile on the table asks for it."


def hands_hold_real_cards(state: State) -> Found:
    zeros = ZEROS.get(len(state.players))
    for index, architect in state.architects:
        if architect.cards is None:
            continue
        hand = dict(architect.cards)
        for value in hand:
            if value not in CARD_VALUES:
                message = f"{shown(value)} is no card: the values are {', '.join(CARD_VALUES)}."
                yield Problem("bad_card", message, f"/players/{index}/cards/{escape(value)}")
        held = hand.get("0", 0)
        if zeros is not None and held != zeros and held >= 0:
            message = (
                f"Everybody holds {count_of_zeros(zeros)} to the end (Peter de Colechurch): enter {zeros}, not {held}."
            )
            yield Problem(
                "zero_cards", message, f"/players/{index}/cards/0" if "0" in hand else f"/players/{index}/cards"
            )


def count_of_zeros(zeros: int) -> str:
    return "one 0 card" if zeros == 1 else f"{zeros} cards of value 0"


def coin_spaces_exist(state: State) -> Found:
    spaces = (0, *COIN_SPACES)
    for index, architect in state.architects:
        space = architect.last_coin_space
        if space is not None and space >= 0 and space not in spaces:
            message = f"The coins on the chapel track are {', '.join(map(str, COIN_SPACES))}; enter 0 for none."
            yield Problem("bad_number", message, f"/players/{index}/last_coin_space")


def columns_and_zones_exist(state: State) -> Found:
    for column, _ in state.empty_costs:
        if column not in EMPTY_COLUMNS:
            message = f"The columns of the table are {', '.join(EMPTY_COLUMNS)}; {shown(column)} is none of them."
            yield Problem("unknown_field", message, f"/table/empty_costs/{escape(column)}")
    for index, architect in state.architects:
        for zone, _ in architect.round_winnings or ():
            if zone not in ZONES:
                message = f"The zones are {', '.join(ZONES)}; {shown(zone)} is none of them."
                yield Problem("unknown_field", message, f"/players/{index}/round_winnings/{escape(zone)}")


def costs_are_known(state: State) -> Found:
    """Only the first amount is certain; the others have to be read off the players' board."""
    asked: dict[str, list[str]] = {}
    for _, architect in state.architects:
        column = empty_column(architect)
        if column is not None and state.empty_cost(column) is None:
            asked.setdefault(column, []).append(architect.name)
    for column, names in asked.items():
        spaces = "5 or more" if column == "5+" else column
        message = f"Enter what the players' board prints for {spaces} empty spaces, for {listed(names)}."
        yield Problem("empty_costs_unknown", message, f"/table/empty_costs/{column}")


CHECKS: tuple[Callable[[State], Found], ...] = (
    chosen_faces_exist,
    columns_and_zones_exist,
    chapel_order_names_everybody_once,
    costs_are_known,
    nothing_is_negative,
    faces_have_what_they_need,
    *BRIDGE_CHECKS,
    hands_hold_real_cards,
    coin_spaces_exist,
    *QUESTIONS,
)
