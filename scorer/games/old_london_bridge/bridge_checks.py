"""What cannot be true of the bridges themselves, and of all of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scorer.contract import Problem
from scorer.games.old_london_bridge import bridge as bridges
from scorer.games.old_london_bridge.faces import COPIES, HIGHEST_NUMBER, PLURALS, SPACES, TYPES
from scorer.games.old_london_bridge.state import State
from scorer.reading import escape, shown

Found = Iterator[Problem]
KINDS = ", ".join(f"{letter} {name}" for letter, name in TYPES.items())


def bridges_are_told_once(state: State) -> Found:
    for index, architect in state.architects:
        if architect.bridge is not None and architect.summary is not None:
            message = "Leave out the summary: the bridge itself says everything."
            yield Problem("unknown_field", message, f"/players/{index}/summary")


def bridges_hold_twelve(state: State) -> Found:
    for index, architect in state.architects:
        count = architect.fact("buildings")
        if count is not None and count > SPACES:
            message = f"A bridge holds {SPACES} buildings, not {count}: replaced ones leave the game."
            where = f"/players/{index}{architect.pointer('buildings')}"
            yield Problem("more_than_12_buildings", message, where)


def buildings_are_real(state: State) -> Found:
    for index, architect in state.architects:
        for space, text in enumerate(architect.bridge or ()):
            where = f"/players/{index}/bridge/{space}"
            building = bridges.read_building(text)
            if building is None:
                message = f"{shown(text)} is no building: write its letter ({KINDS}) and its number, like C56."
                yield Problem("bad_building", message, where)
            elif building.is_garden and building.number is not None:
                yield Problem("garden_with_number", "Gardens have no number: write P.", where)
            elif not building.is_garden and building.number is None:
                message = f"Add the number of this {TYPES[building.letter]}: only gardens have none."
                yield Problem("number_missing", message, where)
            elif not building.is_garden and not building.has_legal_number:
                yield Problem(
                    "number_range", f"Enter a number from 1 to {HIGHEST_NUMBER}; this is {building.number}.", where
                )


def counted_types_are_real(state: State) -> Found:
    for index, architect in state.architects:
        for letter, _ in (architect.summary and architect.summary.types) or ():
            if letter not in TYPES:
                message = f"{shown(letter)} is no type of building: the types are {KINDS}."
                where = f"/players/{index}/summary/types/{escape(letter)}"
                yield Problem("bad_building", message, where)


def numbers_descend(state: State) -> Found:
    """Number for number from the left; a garden starts anew, and so does a tile that cannot be read."""
    for index, architect in state.architects:
        left: int | None = None
        for space, text in enumerate(architect.bridge or ()):
            building = bridges.read_building(text)
            if building is None or building.is_garden:
                left = None
            elif building.has_legal_number and building.number is not None:
                # A second tile of the same number is told as that, unless it stands out of order as well.
                if left is not None and building.number >= left:
                    message = f"{building.number} cannot follow {left}: numbers descend until a garden starts anew."
                    yield Problem("not_descending", message, f"/players/{index}/bridge/{space}")
                left = building.number


def numbers_are_unique(state: State) -> Found:
    seen: dict[int, str] = {}
    for index, architect in state.architects:
        for space, building in bridges.buildings(architect.bridge or ()):
            if building.number is None or not building.has_legal_number:
                continue
            if building.number in seen:
                message = f"Number {building.number} exists once and already stands on {seen[building.number]}."
                yield Problem("duplicate_number", message, f"/players/{index}/bridge/{space}")
            seen.setdefault(building.number, f"space {space + 1} of {architect.name}'s bridge")


def types_do_not_run_out(state: State) -> Found:
    for letter, plural in PLURALS.items():
        total = 0
        for index, architect in state.architects:
            count = max(0, architect.fact(f"types/{letter}") or 0)
            total += count
            if total > COPIES >= total - count:
                message = f"There are {COPIES} {plural} in the game, but the bridges hold more: count them again."
                pointer = architect.pointer("types/" + letter)
                yield Problem("type_over_12", message, f"/players/{index}{pointer}")


def summaries_fit_their_bridges(state: State) -> Found:
    """No count on a bridge exceeds its buildings."""
    for index, architect in state.architects:
        summary = architect.summary
        if summary is None:
            continue
        spaces = SPACES if summary.buildings is None else min(max(summary.buildings, 0), SPACES)
        for name, most in (("longest", spaces), ("low30", spaces), ("sets", spaces // len(TYPES))):
            told = getattr(summary, name)
            if told is not None and told > most:
                message = f"With {spaces} buildings this is at most {most}, not {told}."
                yield Problem("bad_number", message, f"/players/{index}/summary/{name}")
        counts = [max(0, count) for _, count in summary.types or ()]
        if sum(counts) > spaces and max(counts) <= COPIES:
            message = f"These types add up to {sum(counts)}, but there are {spaces} buildings."
            yield Problem("bad_number", message, f"/players/{index}/summary/types")


BRIDGE_CHECKS: tuple[Callable[[State], Found], ...] = (
    bridges_are_told_once,
    bridges_hold_twelve,
    buildings_are_real,
    counted_types_are_real,
    numbers_descend,
    numbers_are_unique,
    types_do_not_run_out,
    summaries_fit_their_bridges,
)
