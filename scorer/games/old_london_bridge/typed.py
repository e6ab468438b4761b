"""Check coins entered by hand for prizes that are not paid or that another player won (rulebook, end of the game)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate, permutations

from scorer import typed_conflicts
from scorer.contract import Problem
from scorer.games.old_london_bridge.cards import (
    BASE,
    COIN_SPACES,
    EMPTY_COLUMNS,
    FACES,
    PRINTED,
    PRIZES,
    SPACES,
    TYPES,
    ZONES,
    bracket,
)
from scorer.games.old_london_bridge.prizes import PRIZE_RULES
from scorer.games.old_london_bridge.state import RULES, State
from scorer.record import POINTS, TOTAL, Typed
from scorer.sentences import Sentence, listed_or, say

# Only empty spaces cost coins. A face can pay most at the inn, with 3 combinations of 15 or more,
# so the other zones stay far below that.
LIMITS = {
    **{rule: range(POINTS + 1) for rule in RULES},
    "chapel": range(100),
    "gate": range(100),
    "bridge": range(100),
    "empty": range(-POINTS, 1),
    TOTAL: range(-POINTS, POINTS + 1),
}
FULL_HAND = range(8, 21)  # coins that a hand of 8 cards or more may pay while the tile's amount is unknown


def of_rows(rows: str) -> set[int]:
    """Return all amounts of coins that the table `rows` of cards.toml, such as "gate_steps", can pay. That includes 0,
    for a count below its first row."""
    return {0, *(coins for _, coins in PRINTED["brackets"][rows])}


def hand(state: State) -> set[int]:
    full = FULL_HAND if state.hand_8plus is None else [state.hand_8plus]
    return {*of_rows("hand"), *full}


# The possible payments of faces that do not compare players; faces missing here can pay anything, or pay each round.
PAYS: Mapping[tuple[str, str], Callable[[State], set[int]]] = {
    ("chapel", "coin_spaces"): lambda _state: {0, *accumulate(COIN_SPACES)},
    ("gate", "step_brackets"): lambda _state: of_rows("gate_steps"),
    ("gate", "unused_tiles_squared"): lambda _state: of_rows("unused_tiles"),
    ("inn", "hand_count"): hand,
    ("inn", "card_combinations"): lambda _state: {*range(0, POINTS + 1, 5)},
    ("bridge", "numbers_up_to_30"): lambda _state: {*range(0, 2 * SPACES + 1, 2)},
    ("bridge", "sets_of_six"): lambda _state: {*range(0, 10 * SPACES // len(TYPES) + 1, 10)},
}
# The fewest buildings that a bridge needs for these coins.
BUILT: Mapping[str, Callable[[int], int]] = {
    "numbers_up_to_30": lambda coins: coins // 2,
    "sets_of_six": lambda coins: coins // 10 * len(TYPES),
}
# The coins for the number of things that a face counts.
COUNTED: Mapping[tuple[str, str], Callable[[int], int]] = {
    ("gate", "step_brackets"): lambda steps: bracket("gate_steps", steps),
    ("gate", "unused_tiles_squared"): lambda tiles: bracket("unused_tiles", tiles),
    ("bridge", "numbers_up_to_30"): lambda numbers: 2 * numbers,
    ("bridge", "sets_of_six"): lambda sets: 10 * sets,
}


def typed_faults(state: State) -> Iterator[Problem]:
    """Yield the problems of the points that players entered by hand. These are prizes that do not exist or are won
    twice, and lines of a player that contradict each other. If there are none, compare the prizes of all players."""
    typed = {
        seat: player
        for seat, player in enumerate(state.players)
        if isinstance(player, Typed) and player.points and not player.is_total
    }
    found = [problem for zone in prize_zones(state) for problem in prizes_paid(state, typed, zone)]
    for seat, player in typed.items():
        found += typed_conflicts.faults(sheet(state, seat, player))
    yield from found
    if not found:
        yield from places_taken(state, typed)


def prize_zones(state: State) -> list[str]:
    """Return the zones of the board whose chosen face compares the players."""
    return [zone for zone in ZONES if (zone, state.face(zone)) in PRIZE_RULES]


def prizes_paid(state: State, typed: Mapping[int, Typed], zone: str) -> Iterator[Problem]:
    """Yield a problem for each prize of the zone that does not exist or was won before. `typed` has, by seat, the
    players who entered points by hand."""
    prizes, won = PRIZES.get(len(state.players), ()), dict[int, str]()
    for seat, player in typed.items():
        prize, where = player.of(zone), f"/players/{seat}/typed/{zone}"
        if not prize:
            continue
        if prize not in prizes:
            coins = listed_or([*(say("£{coins}", coins=paid) for paid in prizes), say("nothing")])
            message = say(
                "With this many players, “{line}” pays {prizes}, not £{prize}.",
                line=RULES[zone],
                prizes=coins,
                prize=prize,
            )
            yield Problem("no_such_prize", message, where)
        elif prize in won:
            message = say(
                "{player} already won the £{prize} for “{line}”. Each prize is paid once.",
                player=won[prize],
                prize=prize,
                line=RULES[zone],
            )
            yield Problem("prize_twice", message, where)
        won.setdefault(prize, player.name)


def places_taken(state: State, typed: Mapping[int, Typed]) -> Iterator[Problem]:
    """Yield a problem if a higher prize than an entered one is missing. Also yield one for prizes that contradict the
    chapel track or the bridges. `typed` has, by seat, the players who entered points by hand."""
    for zone in prize_zones(state):
        prizes = PRIZES.get(len(state.players), ())
        paid = {seat: player.of(zone) or 0 for seat, player in typed.items()}
        missing = [prize for prize in prizes if prize not in paid.values()]
        lower = [seat for seat, prize in paid.items() if missing and 0 < prize < missing[0]]
        if len(paid) == len(state.players) and (lower or (missing and is_always_won(zone, state, typed))):
            message = say(
                "One player must have won the £{prize} for “{line}”. Check who it was.",
                prize=missing[0],
                line=RULES[zone],
            )
            yield Problem("prize_missing", message, f"/players/{[*lower, *paid][0]}/typed/{zone}")
        elif (zone, state.face(zone)) == ("chapel", BASE) and state.order is not None:
            yield from along_the_track(state, paid, dict(zip(state.order, prizes, strict=False)))
        elif (zone, state.face(zone)) == ("bridge", BASE):
            yield from by_buildings(state, typed, paid)


def is_always_won(zone: str, state: State, typed: Mapping[int, Typed]) -> bool:
    """Return whether each prize of the zone must have been won, because every player competes for it. That holds for
    the bridge with its printed face, if all players in `typed` entered the line. `typed` has, by seat, the players
    who entered points by hand."""
    return (zone, state.face(zone)) == ("bridge", BASE) and all(
        player.of(zone) is not None for player in typed.values()
    )


def along_the_track(state: State, paid: Mapping[int, int], prizes: Mapping[str, int]) -> Iterator[Problem]:
    """Yield a problem for each prize entered by hand that contradicts the order on the chapel track. `paid` has these
    prizes by seat, and `prizes` has, by player, the prize for the place on the track."""
    for seat, prize in paid.items():
        mine = prizes.get(state.names[seat], 0)
        if prize and prize != mine:
            message = say(
                "By the order on the chapel track, {player} wins {mine}, not £{prize}. Check both.",
                player=state.names[seat],
                mine=say("£{coins}", coins=mine) if mine else say("nothing"),
                prize=prize,
            )
            yield Problem("chapel_order_contradicts_prizes", message, f"/players/{seat}/typed/chapel")


def by_buildings(state: State, typed: Mapping[int, Typed], paid: Mapping[int, int]) -> Iterator[Problem]:
    """Yield a problem if a player with a higher prize must have fewer buildings than one with a lower prize. `paid` has
    the prizes by seat, and `typed` the players who entered them by hand."""
    empty = {
        seat: [number for number in range(SPACES) if fits(state, number, player.of("empty") or 0)]
        for seat, player in typed.items()
    }
    for one, other in permutations(paid, 2):
        if paid[one] > paid[other] and min(empty[one]) > max(empty[other]):
            message = say(
                "{player} has more buildings than {other}, so the prize for “{line}” can’t be lower. Check both.",
                player=state.names[other],
                other=state.names[one],
                line=RULES["bridge"],
            )
            yield Problem("lines_clash", message, f"/players/{one}/typed/bridge")


def sheet(state: State, seat: int, player: Typed) -> typed_conflicts.TypedNumbers:
    """Return the coins that the player in `seat` entered by hand, without prizes, for the search for conflicts. A blank
    line counts as 0."""
    zones = [zone for zone in ZONES if zone not in prize_zones(state)]
    lines = {**dict.fromkeys((*zones, "empty", "bonus"), 0), **dict(player.points)}
    numbers = {rule: coins for rule, coins in lines.items() if rule in (*zones, "empty", "bonus")}
    numbers = {rule: coins for rule, coins in numbers.items() if coins in LIMITS[rule]}

    def possible(some: typed_conflicts.Numbers) -> bool:
        return is_possible(state, some)

    def counted(zone: str, number: int) -> Iterator[tuple[int, Sentence]]:
        face = (zone, state.face(zone)) if zone in ZONES else (zone, "")
        if face in COUNTED:
            coins = COUNTED[face](number)
            yield (
                coins,
                say(
                    "A count of {number} would score £{coins}. Did you enter the count instead of the coins?",
                    number=number,
                    coins=coins,
                ),
            )

    return typed_conflicts.TypedNumbers(numbers, RULES, possible, counted, lambda rule: f"/players/{seat}/typed/{rule}")


def is_possible(state: State, coins: typed_conflicts.Numbers) -> bool:
    """Return whether some bridge, cards and markers of one player give all these `coins`, keyed by line. Zones that
    compare players are not checked."""
    for zone in ZONES:
        face = FACES.get((zone, state.face(zone)))
        if face is None or zone not in coins:
            continue
        if face.per_round and coins[zone]:
            return False
        if (zone, face.id) in PAYS and coins[zone] not in PAYS[zone, face.id](state):
            return False
    if state.face("gate") == "unused_tiles_squared" and coins.get("bonus"):
        return False
    built, needed = 1, BUILT.get(state.face("bridge"))  # every bridge has a building
    if needed is not None:
        built = max(built, needed(coins.get("bridge", 0)))
    return any(fits(state, empty, coins.get("empty")) for empty in range(SPACES - built + 1))


def fits(state: State, empty: int, paid: int | None) -> bool:
    """Return whether `empty` empty spaces may cost what the player entered as `paid`, which is negative. Unknown costs
    may be any amount, and None fits always."""
    if paid is None:
        return True
    cost = state.empty_cost(EMPTY_COLUMNS[min(empty, len(EMPTY_COLUMNS)) - 1]) if empty else 0
    return cost is None or cost == -paid
