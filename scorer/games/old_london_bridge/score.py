"""Score a finished game of Old London Bridge, line by line in the order of the rulebook (end of the game)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from scorer.contract import Line, Missing, Sheet, TieBreak
from scorer.games.old_london_bridge.bridge import longest_run, low_numbers, space_names, spaces_in_sets, spaces_of_type
from scorer.games.old_london_bridge.cards import BASE, FACES, SPACES, ZONES
from scorer.games.old_london_bridge.orders import certain, possible_orders
from scorer.games.old_london_bridge.prizes import PRIZE_RULES, Paid, Rule
from scorer.games.old_london_bridge.rewards import REWARD_RULES, last_marker
from scorer.games.old_london_bridge.state import LADDER, RULES, Architect, State, empty_column
from scorer.games.old_london_bridge.typed import LIMITS
from scorer.games.old_london_bridge.uncounted import is_open_cost, missing, with_open_points
from scorer.record import Typed
from scorer.sentences import Sentence, cached_sentence, say, say_count

PaidIn = Mapping[str, Mapping[str, Paid]]  # by zone, then by player
END = say("rulebook, end of the game")
ON_THE_CHAPEL_TRACK = (
    say("first on the chapel track"),
    say("second on the chapel track"),
    say("third on the chapel track"),
    say("fourth on the chapel track"),
)


def score(state: State) -> list[Sheet]:
    """Return a score sheet for each player. If the order on the chapel track is unknown, it has the points certain in
    every order."""
    if state.order is not None:
        return sheets(state)
    return certain([sheets(replace(state, chapel_order=order)) for order in possible_orders(state)])


def sheets(state: State) -> list[Sheet]:
    paid = {zone: FACE_RULES[zone, state.face(zone)](state) for zone in ZONES}
    return [sheet(state, player, paid) for player in state.players]


def sheet(state: State, player: Architect | Typed, paid: PaidIn) -> Sheet:
    place = (state.order or ()).index(player.name)
    ahead = TieBreak(LADDER[0].rule, place + 1, ON_THE_CHAPEL_TRACK[place])
    if isinstance(player, Typed):
        typed = player.sheet(RULES, (), f"/players/{state.names.index(player.name)}", LIMITS)
        return replace(typed, tiebreaks=(ahead,))
    index = state.names.index(player.name)
    asked = (*missing(state, index, player), *needs(state))
    return Sheet(player.name, tuple(with_open_points(state, player, lines(state, player, paid))), (ahead,), asked)


def lines(state: State, architect: Architect, paid: PaidIn) -> Iterator[Line]:
    yield line("coins", *coins(architect), END)
    for zone in ZONES:
        face = FACES[zone, state.face(zone)]
        points, why = paid[zone][architect.name]
        counted_on = COUNTED_SPACES.get((zone, face.id))
        cells = space_names(counted_on(architect.bridge)) if counted_on and architect.bridge else ()
        yield line(zone, points, why, face.cite, cells)
    column = empty_column(architect)
    if column is not None and not is_open_cost(state, column):
        yield empty(state, architect, column)
    if unused := state.unused_tiles(architect):
        yield line("bonus", *bonus(state, unused), END)


def line(rule: str, points: int, why: Sentence, cite: Sentence, cells: tuple[str, ...] = ()) -> Line:
    return Line(rule, RULES[rule], points, why, cells, cite)


def coins(architect: Architect) -> Paid:
    won = sum([amount for _, amount in architect.round_winnings or ()])
    left = architect.known("coins")
    return left, coins_left(left, won)


@cached_sentence
def coins_left(coins: int, won: int) -> Sentence:
    if won:
        return say("£{coins} left after the game, including £{won} won in the rounds", coins=coins, won=won)
    return say("£{coins} left after the game", coins=coins)


def empty(state: State, architect: Architect, column: str) -> Line:
    """Return the score line that subtracts the cost of a player's empty spaces. `column` is the column for their number
    on the player board, such as "5+"."""
    built = architect.known("buildings")
    cost = state.empty_cost(column)
    assert cost is not None, f"validate asks for the amount of {column} empty spaces"
    return line("empty", -cost, empty_spaces(SPACES - built, cost), END, space_names(range(built, SPACES)))


@cached_sentence
def empty_spaces(number: int, cost: int) -> Sentence:
    return say_count(
        "{n} empty space at the right end. Your player board shows £{coins}",
        "{n} empty spaces at the right end. Your player board shows £{coins}",
        number,
        coins=cost,
    )


def bonus(state: State, tiles: int) -> Paid:
    elsewhere = state.face("gate") == "unused_tiles_squared"
    return 0 if elsewhere else tiles, unused_tiles(tiles, elsewhere)


@cached_sentence
def unused_tiles(number: int, paid_elsewhere: bool) -> Sentence:
    if paid_elsewhere:
        return say_count(
            "{n} unused bonus tile, scored at the bridge gate instead",
            "{n} unused bonus tiles, scored at the bridge gate instead",
            number,
        )
    return say_count("{n} unused tile: £1", "{n} unused tiles: £1 each", number)


def needs(state: State) -> Iterator[Missing]:
    """Yield the steps of the last chapel marker as a missing fact if points depend on them and they are unknown."""
    if state.face("chapel") == "gap_from_last" and last_marker(state) is None:
        last = (state.order or ())[-1]
        yield Missing("chapel_steps", last, f"/players/{state.names.index(last)}/chapel_steps")


COUNTED_SPACES: dict[tuple[str, str], Callable[[Sequence[str]], Sequence[int]]] = {
    ("chapel", "most_chapels"): lambda bridge: spaces_of_type(bridge, "C"),
    ("gate", "most_gates"): lambda bridge: spaces_of_type(bridge, "G"),
    ("inn", "most_inns"): lambda bridge: spaces_of_type(bridge, "I"),
    ("bridge", BASE): lambda bridge: range(len(bridge)),
    ("bridge", "longest_sequence"): longest_run,
    ("bridge", "numbers_up_to_30"): low_numbers,
    ("bridge", "sets_of_six"): spaces_in_sets,
}
FACE_RULES: dict[tuple[str, str], Rule] = PRIZE_RULES | REWARD_RULES
assert FACE_RULES.keys() == FACES.keys(), "every printed face has its rule"
