"""Check whether counted bridges can exist, each by itself and all together."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scorer.contract import Problem
from scorer.games.old_london_bridge.bridge import LOW
from scorer.games.old_london_bridge.bridge_checks import types_do_not_run_out
from scorer.games.old_london_bridge.cards import COPIES, GARDEN, HIGHEST_NUMBER, SPACES, TYPES
from scorer.games.old_london_bridge.state import State
from scorer.games.old_london_bridge.summary import (
    COUNTED,
    Outline,
    Summary,
    admitted,
    counts_of_type,
    narrowed,
)
from scorer.sentences import Sentence, in_a_row, listed, say, say_count

Found = Iterator[Problem]


def summaries_are_possible(state: State) -> Found:
    """Yield a problem for each bridge entered as counts that do not fit each other."""
    for index, architect in state.architects:
        if architect.summary is not None and architect.bridge is None:
            for fact, message in contradictions(architect.summary):
                yield Problem("bad_number", message, f"/players/{index}/summary/{fact}")


def contradictions(summary: Summary) -> Iterator[tuple[str, Sentence]]:
    """Yield the name of each impossible count, such as "longest", with a message that gives the possible values."""
    built, counts = summary.buildings, [count for letter, count in summary.types or () if letter in TYPES]
    if built == 0:
        yield "buildings", say("Enter at least 1 building. Players build every turn, so no bridge is empty.")
    if any(count < 0 for count in counts) or not (built is None or 1 <= built <= SPACES):
        return
    left = list(summary.outlines)
    if not left:
        if max(counts) <= COPIES:  # `types_do_not_run_out` reports this
            yield "types", wrong_sum(built, sum(counts))
        return
    for fact in COUNTED:
        value = summary.entered(fact)
        if value is None or value < 0:
            continue
        possible = admitted(left, fact)
        if value not in possible:
            yield fact, OUT_OF_RANGE[fact](in_words(summary, left, fact), possible, value)
        else:
            left = [outline for outline in left if value in outline.values(fact)]


def wrong_sum(built: int | None, count: int) -> Sentence:
    if built is not None:
        return say_count(
            "The building types add up to {count}, but you entered {n} building in all.",
            "The building types add up to {count}, but you entered {n} buildings in all.",
            built,
            count=count,
        )
    return say(
        "The building types add up to {count}, but a bridge holds 1 to {most} buildings.", count=count, most=SPACES
    )


def in_words(summary: Summary, left: Sequence[Outline], fact: str) -> Sentence:
    """Return the known facts of a bridge that limit the count `fact`, such as "buildings: 12, parks: 3". `left` are the
    possible outlines of the bridge."""
    sizes = sorted({outline.buildings for outline in left})
    if len(sizes) > 1:
        size = say("buildings: {least} to {most}", least=sizes[0], most=sizes[-1])
    else:
        size = say("buildings: {number}", number=sizes[0])
    known = {letter: count for letter, count in summary.types or () if letter in TYPES}
    if fact == "sets" and known:
        return in_a_row(
            [size, *(say("{type}: {number}", type=TYPES[letter].plural, number=n) for letter, n in known.items())]
        )
    gardens = sorted({outline.gardens for outline in left})
    if len(gardens) == 1:
        return in_a_row([size, say("parks: {number}", number=gardens[0])])
    if len(sizes) == 1 and len(gardens) <= sizes[0]:
        return in_a_row([size, say("parks: {least} to {most}", least=gardens[0], most=gardens[-1])])
    return size


def longest_out_of_range(bridge: Sentence, possible: Sequence[int], value: int) -> Sentence:
    least, most = possible[0], possible[-1]
    if least == most:
        return say(
            "The longest sequence of descending numbers can’t be {value}. On this bridge ({bridge}), it must be "
            "{least}.",
            bridge=bridge,
            least=least,
            value=value,
        )
    return say(
        "The longest sequence of descending numbers can’t be {value}. On this bridge ({bridge}), it must be "
        "{least} to {most}.",
        bridge=bridge,
        least=least,
        most=most,
        value=value,
    )


def low30_out_of_range(bridge: Sentence, possible: Sequence[int], value: int) -> Sentence:
    if possible[-1] == 0:
        return say("This bridge has only parks, so it has no numbers of 30 or lower. You entered {value}.", value=value)
    return say(
        "This bridge ({bridge}) can have 0 to {most} numbers of 30 or lower. You entered {value}.",
        bridge=bridge,
        most=possible[-1],
        value=value,
    )


def sets_out_of_range(bridge: Sentence, possible: Sequence[int], value: int) -> Sentence:
    least, most = possible[0], possible[-1]
    if least == most:
        return say_count(
            "This bridge ({bridge}) must have {n} complete set. You entered {value}.",
            "This bridge ({bridge}) must have {n} complete sets. You entered {value}.",
            least,
            bridge=bridge,
            value=value,
        )
    return say(
        "This bridge ({bridge}) can have {least} to {most} complete sets. You entered {value}.",
        bridge=bridge,
        least=least,
        most=most,
        value=value,
    )


OUT_OF_RANGE: dict[str, Callable[[Sentence, Sequence[int], int], Sentence]] = {
    "longest": longest_out_of_range,
    "low30": low30_out_of_range,
    "sets": sets_out_of_range,
}


# -- all bridges together: only questions, because any one of several counts may be the wrong one -------------------


@dataclass(frozen=True, slots=True)
class Holding:
    """Hold how many buildings a bridge has, the least and the most of each type, and the count of low numbers."""

    buildings: int
    least: Mapping[str, int]
    most: Mapping[str, int]
    low30: int | None

    def needs(self, types: Sequence[str]) -> int:
        """Return how many tiles of these types the bridge must have."""
        others = sum(most for letter, most in self.most.items() if letter not in types)
        return max(sum(self.least[letter] for letter in types), self.buildings - others)


def holdings(state: State) -> list[Holding]:
    counted = [found for _, architect in state.architects if (found := architect.counted) is not None]
    return [holds for found in counted if (holds := holding(found)) is not None]


@functools.lru_cache(maxsize=256)
def holding(counted: Summary) -> Holding | None:
    """Return how many buildings of each type a bridge entered as counts has, or None if no bridge fits the counts."""
    left, known = narrowed(counted), dict(counted.types or ())
    if not left:
        return None
    buildings, low30 = min(outline.buildings for outline in left), counted.fact("low30")
    if known.keys() == TYPES.keys():
        return Holding(buildings, known, known, low30)
    unknown = {letter: counts_of_type(left, letter, counted.sets or 0) for letter in TYPES if letter not in known}
    least = {letter: known[letter] if letter in known else unknown[letter][0] for letter in TYPES}
    most = {letter: known[letter] if letter in known else unknown[letter][-1] for letter in TYPES}
    return Holding(buildings, least, most, low30)


def only_counted(state: State) -> list[Holding]:
    """Return how many buildings of each type each bridge has if any bridge was entered as counts, otherwise []. Other
    checks cover bridges that were all entered building by building."""
    return holdings(state) if any(architect.summary for _, architect in state.architects) else []


def tiles_and_numbers_are_enough(state: State) -> Found:
    bridges = only_counted(state)
    yield from tiles_are_enough(state, bridges)
    yield from high_numbers_are_enough(state, bridges)


def tiles_are_enough(state: State, bridges: Sequence[Holding]) -> Found:
    """Yield a problem if the bridges together need more buildings of some types than the game has: 12 of each."""
    if can_be_shared_out(bridges) or any(types_do_not_run_out(state)):  # this check has a better message
        return
    for size in range(1, len(TYPES)):
        for types in itertools.combinations(TYPES, size):
            needed = sum(one.needs(types) for one in bridges)
            if needed > COPIES * size:
                message = say(
                    "These bridges need at least {needed} {buildings}, but the game has only {copies}. Count them "
                    "again.",
                    copies=COPIES * size,
                    buildings=listed([TYPES[letter].plural for letter in types]),
                    needed=needed,
                )
                yield question("too_few_tiles", message, state)
                return


def can_be_shared_out(bridges: Sequence[Holding]) -> bool:
    """Return whether 12 tiles of each type are enough for the bridges, as far as one attempt shows. For buildings of an
    open type, each bridge takes the types with the most tiles left."""
    stock = {letter: COPIES - sum([one.least[letter] for one in bridges]) for letter in TYPES}
    if min(stock.values()) < 0:
        return False
    for one in bridges:
        wanted = one.buildings - sum(one.least.values())
        for letter in sorted(stock, key=stock.__getitem__, reverse=True) if wanted else ():
            taken = min(wanted, one.most[letter] - one.least[letter], stock[letter])
            stock[letter] -= taken
            wanted -= taken
        if wanted > 0:
            return False
    return True


def high_numbers_are_enough(state: State, bridges: Sequence[Holding]) -> Found:
    """Yield a problem if the bridges together need more than 30 numbers above 30; parks, at most 12, need none."""
    known = [one for one in bridges if one.low30 is not None]
    high = sum(one.buildings - (one.low30 or 0) for one in known)
    needed = high - min(COPIES, sum(one.most[GARDEN] for one in known))
    if needed > HIGHEST_NUMBER - LOW:
        message = say(
            "These bridges need at least {needed} numbers above {low}, but the game has only {most}. Count them again.",
            most=HIGHEST_NUMBER - LOW,
            low=LOW,
            needed=needed,
        )
        yield question("too_many_high_numbers", message, state)


def question(code: str, message: Sentence, state: State) -> Problem:
    """Return a question with this code and message about all bridges, placed at the last one entered as counts."""
    index = [index for index, architect in state.architects if architect.summary is not None][-1]
    return Problem(code, message, f"/players/{index}/summary", "warning")


SUMMARY_CHECKS: tuple[Callable[[State], Found], ...] = (
    summaries_are_possible,
    tiles_and_numbers_are_enough,
)
