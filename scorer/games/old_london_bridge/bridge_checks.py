"""Check the bridges for impossible values, each by itself and all together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scorer.contract import Problem
from scorer.games.old_london_bridge import bridge as bridges
from scorer.games.old_london_bridge.cards import COPIES, HIGHEST_NUMBER, SPACES, TYPES
from scorer.games.old_london_bridge.state import State
from scorer.record import escape, shown
from scorer.sentences import in_a_row, say

Found = Iterator[Problem]
KINDS = in_a_row([say("{letter} {name}", letter=letter, name=one.name) for letter, one in TYPES.items()])


def bridges_are_entered_once(state: State) -> Found:
    for index, architect in state.architects:
        if architect.bridge is not None and architect.summary is not None:
            message = say("Remove the summary. We count everything on the bridge itself.")
            yield Problem("unknown_field", message, f"/players/{index}/summary")


def bridges_hold_twelve(state: State) -> Found:
    for index, architect in state.architects:
        count = architect.fact("buildings")
        if count is not None and count > SPACES:
            message = say(
                "A bridge has space for {spaces} buildings, not {count}. Don’t count replaced buildings.",
                spaces=SPACES,
                count=count,
            )
            where = f"/players/{index}{architect.pointer('buildings')}"
            yield Problem("more_than_12_buildings", message, where)


def buildings_are_real(state: State) -> Found:
    for index, architect in state.architects:
        for space, text in enumerate(architect.bridge or ()):
            where = f"/players/{index}/bridge/{space}"
            building = bridges.read_building(text)
            if building is None:
                message = say(
                    "{text} is not a building. Enter its letter ({kinds}) and its number, like C56.",
                    text=shown(text),
                    kinds=KINDS,
                )
                yield Problem("bad_building", message, where)
            elif building.is_garden and building.number is not None:
                yield Problem("garden_with_number", say("Parks have no number. Enter just P."), where)
            elif not building.is_garden and building.number is None:
                message = say("Enter the number of this building. Only parks have no number.")
                yield Problem("number_missing", message, where)
            elif building.number is not None and not building.is_garden and not building.has_legal_number:
                message = say(
                    "Enter a number from 1 to {most}. You entered {number}.",
                    most=HIGHEST_NUMBER,
                    number=building.number,
                )
                yield Problem("number_range", message, where)


def counted_types_are_real(state: State) -> Found:
    for index, architect in state.architects:
        for letter, _ in (architect.summary and architect.summary.types) or ():
            if letter not in TYPES:
                message = say(
                    "{letter} is not a type of building. Choose from {kinds}.", letter=shown(letter), kinds=KINDS
                )
                where = f"/players/{index}/summary/types/{escape(letter)}"
                yield Problem("bad_building", message, where)


def numbers_descend(state: State) -> Found:
    """Yield a problem for each number that is not lower than the one before it. A park or an unreadable tile begins a
    new sequence."""
    for index, architect in state.architects:
        left: int | None = None
        for space, text in enumerate(architect.bridge or ()):
            building = bridges.read_building(text)
            if building is None or building.is_garden:
                left = None
            elif building.has_legal_number and building.number is not None:
                # numbers_are_unique also reports a second tile with the same number.
                if left is not None and building.number >= left:
                    message = say(
                        "{number} can’t come after {left}. From left to right, numbers descend until the next park.",
                        number=building.number,
                        left=left,
                    )
                    yield Problem("not_descending", message, f"/players/{index}/bridge/{space}")
                left = building.number


def numbers_are_unique(state: State) -> Found:
    seen: dict[int, tuple[int, str]] = {}  # number -> its space, counted from 1, and the owner of the bridge
    for index, architect in state.architects:
        for space, building in bridges.buildings(architect.bridge or ()):
            if building.number is None or not building.has_legal_number:
                continue
            if building.number in seen:
                there, owner = seen[building.number]
                message = say(
                    "There is only one tile with number {number}. It is already on space {space} of {name}’s bridge.",
                    number=building.number,
                    space=there,
                    name=owner,
                )
                yield Problem("duplicate_number", message, f"/players/{index}/bridge/{space}")
            seen.setdefault(building.number, (space + 1, architect.name))


def types_do_not_run_out(state: State) -> Found:
    bridges_counted = [
        (index, architect, dict(architect.counted.types or ()))
        for index, architect in state.architects
        if architect.counted
    ]
    for letter, one in TYPES.items():
        total = 0
        for index, architect, types in bridges_counted:
            count = max(0, types.get(letter, 0))
            total += count
            if total > COPIES >= total - count:
                message = say(
                    "The game has only {copies} {buildings}, fewer than these bridges show. Count them again.",
                    copies=COPIES,
                    buildings=one.plural,
                )
                pointer = architect.pointer("types/" + letter)
                yield Problem("type_over_12", message, f"/players/{index}{pointer}")


BRIDGE_CHECKS: tuple[Callable[[State], Found], ...] = (
    bridges_are_entered_once,
    bridges_hold_twelve,
    buildings_are_real,
    counted_types_are_real,
    numbers_descend,
    numbers_are_unique,
    types_do_not_run_out,
)
