"""What cannot be true of a finished table of Old London Bridge, and what is worth a second look."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scorer.contract import Problem
from scorer.games.old_london_bridge.bridge_checks import BRIDGE_CHECKS
from scorer.games.old_london_bridge.cards import (
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
from scorer.games.old_london_bridge.state import NUMBERS, SUMMARY_NUMBERS, State, empty_column
from scorer.reading import are_named, escape, shown
from scorer.sentences import in_a_row, listed, say, say_count

Found = Iterator[Problem]


def validate(state: State) -> list[Problem]:
    """Every fault and every question, in the order of the record."""
    return [problem for check in CHECKS for problem in check(state)]


def chosen_faces_exist(state: State) -> Found:
    for zone, face in state.scoring:
        if (zone, face) not in FACES:
            message = say(
                "{face} is no scoring of {zone}: choose one of {known}.",
                face=shown(face),
                zone=ZONES[zone],
                known=in_a_row(options(zone)),
            )
            yield Problem("unknown_option", message, f"/table/scoring/{zone}")


def chapel_order_names_everybody_once(state: State) -> Found:
    if state.chapel_order is None or not are_named(state.players):
        return
    if sorted(state.chapel_order) != sorted(state.names):
        message = say(
            "Name every player once, the one ahead (or on top) on the chapel track first: it settles every tie."
        )
        yield Problem("chapel_order_not_a_permutation", message, "/table/chapel_order")
        return
    ahead: tuple[str, int] | None = None
    steps_of = state.chapel_steps
    for place, name in enumerate(state.chapel_order):
        steps = steps_of.get(name)
        if steps is None:
            continue
        if ahead and steps > ahead[1]:
            message = say(
                "{name} is on space {steps} of the chapel track, so {other} on {fewer} is not ahead: check both.",
                name=name,
                steps=steps,
                other=ahead[0],
                fewer=ahead[1],
            )
            yield Problem("chapel_order_contradicts_steps", message, f"/table/chapel_order/{place}")
        ahead = name, steps


def nothing_is_negative(state: State) -> Found:
    for where, amount in amounts(state):
        if amount < 0:
            message = say("Enter 0 or more; {amount} is impossible here.", amount=shown(amount))
            yield Problem("negative", message, where)


def amounts(state: State) -> Iterator[tuple[str, int]]:
    """Every number of the table that counts something, with its pointer."""
    if state.hand_8plus is not None:
        yield "/table/hand_8plus", state.hand_8plus
    for column, cost in state.empty_costs:
        yield f"/table/empty_costs/{escape(column)}", cost
    for index, player in state.architects:
        where = f"/players/{index}"
        counts = {name: getattr(player, name) for name in NUMBERS}
        counts |= {f"cards/{escape(value)}": count for value, count in player.cards or ()}
        counts |= {f"round_winnings/{escape(zone)}": won for zone, won in player.round_winnings or ()}
        if player.summary is not None:
            counts |= {f"summary/{name}": getattr(player.summary, name) for name in SUMMARY_NUMBERS}
            counts |= {f"summary/types/{escape(letter)}": count for letter, count in player.summary.types or ()}
        yield from ((f"{where}/{name}", amount) for name, amount in counts.items() if amount is not None)


def faces_have_what_they_need(state: State) -> Found:
    """The chosen faces say which facts of a player are needed; a bridge or its summary supplies the rest."""
    needed = needed_inputs({zone: state.face(zone) for zone in ZONES})
    for index, architect in state.architects:
        missing = dict.fromkeys(architect.pointer(fact) for fact in needed if architect.fact(fact) is None)
        for pointer in missing:
            yield Problem("missing_field", MISSING.get(pointer, MISSING_COUNT), f"/players/{index}{pointer}")


MISSING = {
    "/coins": say("Enter the coins in hand before final scoring."),
    "/chapel_steps": say(
        "Enter how many spaces the marker has come on the chapel track, 0 if it is still on the stairs."
    ),
    "/gate_steps": say("Enter how many steps the marker has come on the gate track."),
    "/cards": say("Enter how many cards of each value are left in hand."),
    "/last_coin_space": say("Enter the last coin on the chapel track that was reached or passed, 0 if none."),
    "/unused_tiles": say("Enter the number of unused bonus tiles."),
    "/bridge": say("Enter the bridge from left to right, or a summary of it."),
}
MISSING_COUNT = say("Count this on the bridge: a scoring tile on the table asks for it.")


def hands_hold_real_cards(state: State) -> Found:
    zeros = ZEROS.get(len(state.players))
    for index, architect in state.architects:
        if architect.cards is None:
            continue
        hand = dict(architect.cards)
        for value in hand:
            if value not in CARD_VALUES:
                message = say(
                    "{value} is no card: the values are {values}.", value=shown(value), values=in_a_row(CARD_VALUES)
                )
                yield Problem("bad_card", message, f"/players/{index}/cards/{escape(value)}")
        held = hand.get("0", 0)
        if zeros is not None and held != zeros and held >= 0:
            message = say_count(
                "Everybody holds one 0 card to the end (Peter de Colechurch): enter {n}, not {held}.",
                "Everybody holds {n} cards of value 0 to the end (Peter de Colechurch): enter {n}, not {held}.",
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
            message = say("The coins on the chapel track are {coins}; enter 0 for none.", coins=in_a_row(COIN_SPACES))
            yield Problem("bad_number", message, f"/players/{index}/last_coin_space")


def columns_and_zones_exist(state: State) -> Found:
    for column, _ in state.empty_costs:
        if column not in EMPTY_COLUMNS:
            message = say(
                "The columns of the table are {columns}; {column} is none of them.",
                columns=in_a_row(EMPTY_COLUMNS),
                column=shown(column),
            )
            yield Problem("unknown_field", message, f"/table/empty_costs/{escape(column)}")
    for index, architect in state.architects:
        for zone, _ in architect.round_winnings or ():
            if zone not in ZONES:
                message = say(
                    "The zones are {zones}; {zone} is none of them.", zones=in_a_row(tuple(ZONES)), zone=shown(zone)
                )
                yield Problem("unknown_field", message, f"/players/{index}/round_winnings/{escape(zone)}")


def costs_are_known(state: State) -> Found:
    """Only the first amount is certain; the others have to be read off the players' board."""
    asked: dict[str, list[str]] = {}
    for _, architect in state.architects:
        column = empty_column(architect)
        if column is not None and state.empty_cost(column) is None:
            asked.setdefault(column, []).append(architect.name)
    for column, names in asked.items():
        if column == "5+":
            message = say(
                "Enter what the players' board prints for 5 or more empty spaces, for {names}.", names=listed(names)
            )
        else:
            message = say(
                "Enter what the players' board prints for {spaces} empty spaces, for {names}.",
                spaces=column,
                names=listed(names),
            )
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
