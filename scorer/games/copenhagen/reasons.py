"""Explain why no tiles can form a house, and which spaces to check."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from scorer.games.copenhagen.buildable import Answer, build, earned, floating, is_quickly_built
from scorer.games.copenhagen.facade import (
    Facade,
    Spaces,
    coats_earned,
    each,
    from_rows,
    name,
    names,
    regions,
    to_rows,
    union,
)
from scorer.games.copenhagen.search import Search
from scorer.games.copenhagen.shapes import ALL, SPECIALS, Stock, fitting, name_of, special_spaces, with_number
from scorer.sentences import Sentence, in_a_row, in_sentences, listed_or, say, say_count

QUICK_STEPS = 100  # steps to find tiles for a house that was changed by one space
MOST_NAMED = 6  # spaces listed in one sentence
SMALLEST = min(shape.size for shape in ALL)
PLENTY = 15  # tiles of a shape: more than any house holds


@functools.lru_cache(maxsize=1024)
def doubt_about(facade: Facade, stock: Stock) -> Sentence:
    """Return the message that no tiles in `stock` were found for a house, with the most helpful reason."""
    answer = build(facade, stock)
    if answer.is_buildable is None:
        return say("We couldn’t find tiles that make this house, but there may be some. Is the house right?")
    why = next(reasons(facade, stock, answer), None)
    if why is None:
        return say("No set of tiles can make this house. At least two spaces must be wrong.")
    return in_sentences([say("No set of tiles can make this house."), why])


def reasons(facade: Facade, stock: Stock, answer: Answer) -> Iterator[Sentence]:
    """Yield each known reason why no tiles can form the house, the most helpful one first. `answer` is what the search
    for tiles in `stock` found."""
    yield from turned_over(facade, stock)
    yield from floating_spaces(facade)
    yield from one_space_wrong(facade, stock)
    yield from brickwork_amiss(facade, stock)
    yield from nothing_fits(facade)
    yield from too_few_tiles(facade, stock)
    yield from not_earned(facade, stock, answer)


def turned_over(facade: Facade, stock: Stock) -> Iterator[Sentence]:
    if is_quickly_built(from_rows(to_rows(facade)[::-1]), stock, QUICK_STEPS):
        yield say("The floors seem to be upside down. Enter the top floor first.")


def floating_spaces(facade: Facade) -> Iterator[Sentence]:
    spaces = floating(facade)
    if spaces:
        yield say_count(
            "{spaces} hangs in the air. Every tile must be connected to floor 1.",
            "{spaces} hang in the air. Every tile must be connected to floor 1.",
            spaces.bit_count(),
            spaces=some_names(spaces),
        )


def some_names(spaces: Spaces) -> Sentence:
    """Return the names of these spaces. If they are more than MOST_NAMED, return the first, from A1 on, and a number:
    "A1 and 9 more spaces"."""
    if spaces.bit_count() <= MOST_NAMED:
        return in_a_row(names(spaces))
    rest = spaces.bit_count() - 1
    return say("{first} and {rest} more spaces", first=name(spaces & -spaces), rest=rest)


def one_space_wrong(facade: Facade, stock: Stock) -> Iterator[Sentence]:
    """Yield a sentence if tiles in `stock` can form the house once one space is changed between window and brickwork.
    It names the spaces that should be windows or, if there are none, those that should be brickwork."""
    mending = union(
        space for space in each(facade.filled) if is_quickly_built(swapped(facade, space), stock, QUICK_STEPS)
    )
    windows, bricks = mending & facade.bricks, mending & facade.windows
    if windows:
        yield say(
            "Check {spaces}. With a window instead of brickwork there, the house would be possible.",
            spaces=either(windows),
        )
    elif bricks:
        yield say(
            "Check {spaces}. With brickwork instead of a window there, the house would be possible.",
            spaces=either(bricks),
        )


def swapped(facade: Facade, space: Spaces) -> Facade:
    return Facade(facade.windows ^ space, facade.bricks ^ space)


def either(spaces: Spaces) -> Sentence:
    return listed_or(names(spaces)[:MOST_NAMED])


def brickwork_amiss(facade: Facade, stock: Stock) -> Iterator[Sentence]:
    """Yield a sentence for each connected region with too little or too much brickwork for its number of spaces. Each
    coloured tile has one space of brickwork, and `stock` limits how many spaces so many tiles can fill."""
    specials = earned(facade, stock)[SPECIALS]
    sizes = sorted((shape.size for number, shape in enumerate(ALL) for _ in range(stock[number])), reverse=True)
    for region in regions(facade.filled):
        tiles, number = (region & facade.bricks).bit_count(), region.bit_count()
        most, least = sum(sizes[:tiles]) + specials, SMALLEST * tiles
        where = name(region & -region)
        if number > most and not tiles:
            yield say(
                "There is no brickwork in the {n} connected spaces around {space}. Every coloured tile has one "
                "space of brickwork.",
                n=number,
                space=where,
            )
        elif number > most:
            yield say_count(
                "There is too little brickwork around {space}. It allows {n} tile, which fills only {most} of "
                "{spaces} spaces.",
                "There is too little brickwork around {space}. It allows {n} tiles, which fill only {most} of "
                "{spaces} spaces.",
                tiles,
                spaces=number,
                space=where,
                most=most,
            )
        elif number < least:
            yield say(
                "There is too much brickwork around {space}: {tiles} of {n} connected spaces. Every tile has one "
                "space of brickwork and at least one window.",
                n=number,
                space=where,
                tiles=tiles,
            )


def nothing_fits(facade: Facade) -> Iterator[Sentence]:
    """Yield a sentence that names the spaces that no tile can cover, even with an unlimited stock."""
    plenty = (PLENTY,) * (SPECIALS + 1)
    options = (option.spaces for lowest in each(facade.filled) for option in fitting(lowest, facade, plenty))
    reached = union(options)
    if coats_earned(facade.filled):
        reached |= special_spaces(facade)
    if facade.filled & ~reached:
        yield say("No tile fits on {spaces}.", spaces=either(facade.filled & ~reached))


def too_few_tiles(facade: Facade, stock: Stock) -> Iterator[Sentence]:
    """Yield a sentence for each shape of tile of which the house needs more than `stock` has."""
    plenty = (*(PLENTY,) * SPECIALS, stock[SPECIALS])
    if not is_quickly_built(facade, plenty, QUICK_STEPS):
        return
    for shape in range(SPECIALS):
        if is_quickly_built(facade, with_number(stock, shape, PLENTY), QUICK_STEPS):
            more = (with_number(stock, shape, number) for number in range(stock[shape] + 1, PLENTY))
            enough = next((few for few in more if is_quickly_built(facade, few, QUICK_STEPS)), None)
            yield say(
                "This house needs {needed} × {tile}, but there are only {number}.",
                needed=enough[shape] if enough else PLENTY,
                tile=name_of(shape),
                number=stock[shape],
            )
    yield say("This house needs more tiles of some shapes than there are.")


def not_earned(facade: Facade, stock: Stock, answer: Answer) -> Iterator[Sentence]:
    """Yield a sentence if tiles fill the house, but its special tiles cannot have been earned in time. `answer` is what
    the search for tiles found."""
    if answer.is_filled:
        yield say("A special tile is placed as soon as a coat of arms is covered. This house can’t be built that way.")
        return
    search = Search(facade, stock)
    search.quick_attempt()
    if search.found:
        yield say_count(
            "This house needs more special tiles than it earned. It covers only {n} coat of arms.",
            "This house needs more special tiles than it earned. It covers only {n} coats of arms.",
            coats_earned(facade.filled),
        )
