"""Score a finished house, and find floors and columns that lack one space (rulebook, "Score points")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.contract import Better, Cell, Line, Sheet, TieBreak
from scorer.games.copenhagen.facade import (
    BOTTOM,
    COLUMNS,
    SECTIONS,
    WHOLE,
    Facade,
    Section,
    Spaces,
    each,
    from_rows,
    name,
    names,
    points,
    union,
)
from scorer.games.copenhagen.state import LADDER, LIMITS, RULES, House, State
from scorer.games.copenhagen.tiling import facade_of
from scorer.record import Typed
from scorer.sentences import Sentence, listed, say, say_count

CITE = say("rulebook, Score points")


def score(state: State) -> list[Sheet]:
    return [
        player.sheet(RULES, LADDER, f"/players/{index}", LIMITS)
        if isinstance(player, Typed)
        else sheet(player.name, house_facade(player))
        for index, player in enumerate(state.players)
    ]


def house_facade(house: House) -> Facade:
    return facade_of(house.tiles) if house.tiles is not None else from_rows(house.rows or ())


def sheet(player: str, facade: Facade) -> Sheet:
    empty = TieBreak(LADDER[0].rule, facade.empty_spaces)
    return Sheet(player, tuple(lines(facade)), (empty,))


def lines(facade: Facade) -> Iterator[Line]:
    """Yield a score line for each kind of finished floor or column, such as floors that are all windows."""
    finished: dict[str, list[Section]] = {}
    for section in SECTIONS:
        if section.worth(facade):
            finished.setdefault(section.rule_on(facade), []).append(section)
    for rule, label in RULES.items():
        if rule in finished:
            yield line(rule, label, finished[rule], facade)


def line(rule: str, label: Sentence, sections: list[Section], facade: Facade) -> Line:
    worth = sections[0].worth(facade)
    why = reason(rule, [section.name for section in sections], worth)
    return Line(rule, label, worth * len(sections), why, names(union(section.spaces for section in sections)), CITE)


def reason(rule: str, sections: list[str], worth: int) -> Sentence:
    """Return the reason of a line, such as "Floors 1 and 3 with brickwork: 1 each". `sections` are the names of floors
    or columns, and `worth` is the points of each."""
    n, which = len(sections), listed(sections)
    match rule:
        case "floors":
            return say_count(
                "Floor {which} with brickwork: {points}",
                "Floors {which} with brickwork: {points} each",
                n,
                which=which,
                points=worth,
            )
        case "window_floors":
            return say_count(
                "Floor {which}, all windows: {points}",
                "Floors {which}, all windows: {points} each",
                n,
                which=which,
                points=worth,
            )
        case "columns":
            return say_count(
                "Column {which} with brickwork: {points}",
                "Columns {which} with brickwork: {points} each",
                n,
                which=which,
                points=worth,
            )
        case _:
            return say_count(
                "Column {which}, all windows: {points}",
                "Columns {which}, all windows: {points} each",
                n,
                which=which,
                points=worth,
            )


@dataclass(frozen=True, slots=True)
class Near:
    """Hold a floor or column that lacks one space, and its points with a window or with brickwork there."""

    section: Sentence
    missing: Cell
    with_window: int
    with_brick: int


def one_short(facade: Facade) -> tuple[Near, ...]:
    """Return every floor and column that has exactly one empty space, floors first."""
    found = []
    for section in SECTIONS:
        empty = section.spaces & ~facade.filled
        if empty.bit_count() == 1:
            window, brick = (
                section.worth(filled) for filled in (with_window(facade, empty), with_brick(facade, empty))
            )
            found.append(Near(section.title, name(empty), window, brick))
    return tuple(found)


def with_window(facade: Facade, space: Spaces) -> Facade:
    return Facade(facade.windows | space, facade.bricks)


def with_brick(facade: Facade, space: Spaces) -> Facade:
    return Facade(facade.windows, facade.bricks | space)


def what_if(state: State, player: int) -> Better | None:
    """Return the best result that one more special tile could have brought, or None if none brings more points.

    The tile must lie on the bottom floor or directly above a filled space.
    """
    house = state.players[player]
    if isinstance(house, Typed):
        return None
    facade = house_facade(house)
    reachable = WHOLE & ~facade.filled & (BOTTOM | facade.filled << COLUMNS)
    totals = {space: points(with_window(facade, space)) for space in each(reachable)}
    if not totals or max(totals.values()) == points(facade):
        return None
    space = max(totals, key=lambda space: totals[space])
    finished = [near.section for near in one_short(facade) if near.missing == name(space)]
    why = say(
        "A special tile on {space} would also finish {sections}: {points} points instead of {now}",
        space=name(space),
        sections=listed(finished),
        points=totals[space],
        now=points(facade),
    )
    return Better(totals[space], (name(space),), why)
