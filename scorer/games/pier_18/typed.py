"""Check points entered by hand for more symbols than any pier has room for (rulebook, scoring)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer import typed_conflicts
from scorer.contract import Problem
from scorer.games.pier_18.cards import LONGEST
from scorer.games.pier_18.pier import LOVERS, REACH, SIDES
from scorer.games.pier_18.state import FACTS, RULES, State
from scorer.games.pier_18.validate import most_sections
from scorer.record import Typed
from scorer.sentences import Sentence, say

LABELS = {**RULES, "symbols": FACTS["symbols"].label}


def typed_faults(state: State) -> Iterator[Problem]:
    """Yield a problem for each conflict in the score lines that a player entered by hand. A number of symbols entered
    for a tie-break only leads to a question."""
    for seat, player in enumerate(state.players):
        if isinstance(player, Typed) and player.points and not player.is_total:
            lines = sheet(state, seat, player)
            found = [*typed_conflicts.faults(lines)]
            symbols = dict(player.facts).get("symbols")
            if isinstance(symbols, int) and not found:
                numbers = {**lines.numbers, "symbols": symbols}
                found = [*typed_conflicts.faults(replace(lines, numbers=numbers, level="warning"))]
            yield from found


def sheet(state: State, seat: int, player: Typed) -> typed_conflicts.TypedNumbers:
    """Return the points that the player in `seat` entered by hand, for the search for conflicts. A blank line counts as
    0."""
    lines = {**dict.fromkeys(("flower_sellers", "poets", "lovers", "fishers"), 0), **dict(player.points)}

    def possible(some: typed_conflicts.Numbers) -> bool:
        return fits(state, some)

    def where(name: str) -> str:
        return f"/players/{seat}/typed/{name}" if name in RULES else f"/players/{seat}/{name}"

    numbers = {rule: points for rule, points in lines.items() if points >= 0 and rule not in ("patrons", "plan")}
    return typed_conflicts.TypedNumbers(numbers, LABELS, possible, counted, where)


def counted(rule: str, number: int) -> Iterator[tuple[int, Sentence]]:
    if rule == "lovers":
        points = LOVERS * number
        yield (
            points,
            say(
                "A count of {number} would score {points}. Did you enter the count instead of the points?",
                number=number,
                points=points,
            ),
        )


def fits(state: State, points: typed_conflicts.Numbers) -> bool:
    """Return whether a pier has room for the symbols that bring these points, keyed by line. They are placed to take
    the least room. On each side, all symbols but lovers form one group, where flower sellers count all others. Each
    lover keeps its distance from the symbol before it."""
    length = most_sections(state) or LONGEST
    sellers, fishers = points.get("flower_sellers", 0), points.get("fishers", 0)
    lovers, odd = divmod(points.get("lovers", 0), LOVERS)
    least = 2 * points.get("poets", 0) + fishers
    if sellers:
        least = max(least + 1, sellers + 1)
    others = points.get("symbols", least + lovers) - lovers
    if odd or others < least:
        return False
    sides = (sorted((room(length, left), room(length, lovers - left))) for left in range(lovers // SIDES + 1))
    return any(others <= one + other and fishers <= other for one, other in sides if one >= 0)


def room(length: int, lovers: int) -> int:
    """Return how many other symbols fit on a side of `length` sections with this many lovers. Return -1 if the lovers
    do not fit."""
    left = length - (1 + REACH) * lovers
    return max(left, 0) if left + REACH >= 0 else -1
