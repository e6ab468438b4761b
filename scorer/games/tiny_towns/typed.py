"""Check points entered by hand for cards not in play, two cards of one colour, and points that no town can have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product

from scorer import typed_conflicts
from scorer.contract import Problem
from scorer.games.tiny_towns import line_limits
from scorer.games.tiny_towns.cards import BUILDINGS, COLOURS, COTTAGE, MONUMENT, MONUMENTS, RULES, Card
from scorer.games.tiny_towns.feeding_values import CASTLE_COTTAGES
from scorer.games.tiny_towns.monasteries import FARTHEST
from scorer.games.tiny_towns.squares import COUNT
from scorer.games.tiny_towns.state import FACTS, State, Town
from scorer.record import POINTS, TOTAL, Typed
from scorer.sentences import Sentence, in_a_row, say

ASKED = {fact: FACTS[fact].label for fact in ("empty_squares", "cottages")}  # tie-break values
# The most points of one building, if they differ from the worth on its card.
ALONE = {
    "well": 5,  # four neighbours, one of them Barrett Castle, which counts as two Cottages
    "chapel": COUNT,
    "cloister": 4,
    "theater": 6,
    "market": 4,
    "tailor": 5,
    "friendly_local_game_store": 4,
    "monastery": FARTHEST,
    "feast_hall": BUILDINGS["feast_hall"].more,
    "schoolhouse": BUILDINGS["schoolhouse"].worth + BUILDINGS["schoolhouse"].more,
}
# How many buildings can score in one town, if that is fewer than its squares.
PAID = {"inn": 4, "cathedral": COUNT // 2}
COINS = 5 * MONUMENTS["estival_festival"].each  # coins in the larger chest, with their highest worth


def limit(card: Card) -> range:
    """Return the points that all buildings of this card can bring together."""
    if (
        card.typed or card.id == "folly_tower"
    ):  # players count the points of unlisted cards; a tower may have any height
        return range(-POINTS if card.typed else 0, POINTS + 1)
    if card.totals:
        return range(min(0, *card.totals), max(card.totals) + 1)
    if card.worth < 0:
        return range(card.worth * card.holds * COUNT, 1)
    return range(ALONE.get(card.id, card.worth) * PAID.get(card.id, card.most or COUNT) + 1)


LIMITS = {
    **{rule: limit(card) for rule, card in BUILDINGS.items()},
    MONUMENT: line_limits.OTHER_MONUMENT,
    "coins": range(COINS + 1),
    "empty": range(-COUNT, 1),
    TOTAL: range(-POINTS, POINTS + 1),
}


def lines_of(state: State) -> list[str]:
    """Return the rules that a score line can have at this table. These are general rules, cards in play, and all cards
    of colours for which no card is chosen yet."""
    out = {card.id for card in BUILDINGS.values() if state.cards.get(card.colour, card.id) != card.id}
    return [rule for rule in RULES if rule not in out and (rule != "coins" or state.fortune)]


def lines_known(state: State) -> list[str]:
    """Return the rules from `lines_of` except the cards of colours for which no card is chosen yet."""
    undecided = {card.id for card in BUILDINGS.values() if card.colour in COLOURS and card.colour not in state.cards}
    return [rule for rule in lines_of(state) if rule not in undecided]


def typed_faults(state: State) -> Iterator[Problem]:
    """Yield the problems of points entered by hand. These are two cards of one colour, lines that no town gives, and
    lines that contradict those of neighbours."""
    known, doubts = dict(state.cards), False
    for seat, player in enumerate(state.players):
        if not isinstance(player, Typed):
            continue
        misread = []
        for rule, first in two_of_one_colour(player, known):
            misread.append(rule)
            if BUILDINGS[rule].colour not in state.cards:
                message = say(
                    "“{line}” and “{other}” have the same colour. A game has one card of each colour. Remove one line.",
                    line=RULES[rule],
                    other=RULES[first],
                )
                yield Problem("two_of_one_colour", message, f"/players/{seat}/typed/{rule}")
        lines = sheet(state, seat, player, known, misread)
        facts = {fact: said for fact, said in player.facts if fact in ASKED and isinstance(said, int)}
        found = [*typed_conflicts.faults(lines)]
        if lines.numbers and not found:
            # Tie-break values may come from a player who left a line blank, so a conflict is only a question.
            found = [*typed_conflicts.faults(replace(lines, numbers={**lines.numbers, **facts}, level="warning"))]
        doubts = doubts or bool(found or misread)
        yield from found
    if not doubts:
        yield from neighbours(state, known)


def two_of_one_colour(player: Typed, known: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each line of a player whose colour already has another card, with that card. `known` has the card of each
    colour so far; new cards are added to it."""
    for rule, points in player.points:
        if points and rule in BUILDINGS and BUILDINGS[rule].colour in COLOURS:
            first = known.setdefault(BUILDINGS[rule].colour, rule)
            if first != rule:
                yield rule, first


def sheet(
    state: State, seat: int, player: Typed, known: Mapping[str, str], misread: Collection[str]
) -> typed_conflicts.TypedNumbers:
    """Return the numbers that the player in `seat` entered by hand, for the search for conflicts. Lines in `misread`
    are left out. A blank line counts as 0 if its card is in `known`, the cards by colour."""
    numbers: dict[str, int] = {}
    if player.points and not player.is_total:
        blank = dict.fromkeys((COTTAGE, *known.values(), MONUMENT, "coins", "empty"), 0)
        numbers = {**blank, **dict(player.points)}
        numbers = {rule: points for rule, points in numbers.items() if points in LIMITS[rule] and rule not in misread}
    cards = cards_of(state, known)

    def possible(some: typed_conflicts.Numbers) -> bool:
        return line_limits.possible(some, cards)

    def where(name: str) -> str:
        return f"/players/{seat}/{name}" if name in ASKED else f"/players/{seat}/typed/{name}"

    return typed_conflicts.TypedNumbers(numbers, {**RULES, **ASKED}, possible, counts(numbers), where)


def cards_of(state: State, known: Mapping[str, str]) -> line_limits.Cards:
    starves = known.get("orange") == "monastery"
    return line_limits.Cards(known, state.rulings.schoolhouse == "apart", starves)


# Buildings whose number alone does not give their points.
VARIABLE = ("well", "theater", "market", "tailor", "friendly_local_game_store", "cloister", "monastery")


def counts(numbers: Mapping[str, int]) -> typed_conflicts.Counted:
    """Return a function that takes a line and a number that may be a count of buildings. It yields the points for this
    count, each with a question to the player; `numbers` are the player's entries."""
    fed = numbers.get(COTTAGE, 0) // BUILDINGS[COTTAGE].worth

    def counted(rule: str, number: int) -> Iterator[tuple[int, Sentence]]:
        if rule in BUILDINGS and number <= COUNT:
            card = BUILDINGS[rule]
            for points in points_of(card, number, fed):
                yield (
                    points,
                    say(
                        "A count of {number} would score {points}. Did you enter the count instead of the points?",
                        number=number,
                        points=points,
                    ),
                )

    return counted


def points_of(card: Card, number: int, fed: int) -> tuple[int, ...]:
    """Return the points that `number` of these cards may bring with `fed` fed Cottages; () if they depend on more."""
    if card.totals:
        return (card.totals[min(number, len(card.totals)) - 1],)
    if card.id == "chapel":
        return (number * fed, number * (fed + CASTLE_COTTAGES))
    if card.id in VARIABLE or card.worth <= 0:
        return ()
    return tuple({worth * number: 0 for worth in (card.worth, card.more) if worth})


def neighbours(state: State, known: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a problem for Feast Halls or Folly Towers whose points, entered by hand, contradict those of other players.
    `known` has the cards by colour."""
    if len(state.players) > 1 and state.mode != "solo":
        if known.get("green") == "feast_hall":
            yield from feast_halls(state, cards_of(state, known))
        if known.get("grey") == "folly_tower":
            yield from towers(state)


def feast_halls(state: State, cards: line_limits.Cards) -> Iterator[Problem]:
    """Yield a problem if no numbers of Feast Halls explain all points entered for them. Each Hall scores more if its
    player has more than the player on the right."""
    card = BUILDINGS["feast_hall"]
    paid = [lines_typed(player).get(card.id) if isinstance(player, Typed) else None for player in state.players]
    numbers = [halls_of(state, seat, cards) for seat in range(len(state.players))]
    for halls in product(*numbers):
        worths = [card.more if mine > halls[seat - 1] else card.worth for seat, mine in enumerate(halls)]
        if all(points in (None, mine * worth) for points, mine, worth in zip(paid, halls, worths, strict=True)):
            return
    seat = max(range(len(paid)), key=lambda seat: (paid[seat] or 0, seat))
    parts = [
        say("{player} {number}", player=player.name, number=points)
        for player, points in zip(state.players, paid, strict=True)
        if points is not None
    ]
    message = say(
        "These Feast Hall points can’t all be right: {points}. Compare each player’s Feast Halls with those on "
        "their right.",
        points=in_a_row(parts),
    )
    yield Problem("lines_clash", message, f"/players/{seat}/typed/{card.id}")


def halls_of(state: State, seat: int, cards: line_limits.Cards) -> tuple[int, ...]:
    """Return the numbers of Feast Halls that a player may have. If the player's lines are unknown, return only the
    fewest and the most."""
    player, card = state.players[seat], BUILDINGS["feast_hall"]
    if not isinstance(player, Typed):
        return (player.grid.count(card.id),)
    lines = lines_typed(player)
    if card.id not in lines:
        return (0, COUNT)
    points = lines[card.id]
    found = {points // worth for worth in (card.worth, card.more) if points % worth == 0}
    numbers = sheet(state, seat, player, cards.known, ()).numbers
    return tuple(number for number in found if line_limits.possible(numbers, cards, number))


def lines_typed(player: Typed) -> dict[str, int]:
    """Return the points that a player entered by hand, keyed by rule, or {} if only the total is known. Blank Feast
    Halls and Folly Towers count as 0."""
    if not player.points or player.is_total:
        return {}
    return {"feast_hall": 0, "folly_tower": 0, **dict(player.points)}


def towers(state: State) -> Iterator[Problem]:
    """Yield a problem if no Folly Tower can be the tallest, which scores nothing; points entered by hand are its
    levels."""
    paid = {
        seat: lines_typed(player).get("folly_tower", 0)
        for seat, player in enumerate(state.players)
        if isinstance(player, Typed)
    }
    seat = max(paid, key=lambda seat: paid[seat])
    others = [player.folly_tower_height or 0 for player in state.players if isinstance(player, Town)]
    if paid[seat] > max(others, default=0) and all(paid.values()):
        message = say(
            "The tallest Folly Tower scores nothing, but no tower here has more than {levels} levels. Check the "
            "Folly Tower points.",
            levels=paid[seat],
        )
        yield Problem("lines_clash", message, f"/players/{seat}/typed/folly_tower")
