"""Help while Tenby is played: the round, the market, prices in life rings, and who leads the accolades.

See the rulebook, "The round", "Life ring actions", "Accolades". The notes are {"rounds": 3}: the rounds that are over.
"""

from __future__ import annotations

from scorer.contract import Companion, DataInput, Input, Json, Loaded
from scorer.games.tenby.accolades import is_secret, judge_all
from scorer.games.tenby.names import named
from scorer.games.tenby.state import PLAYERS, State
from scorer.games.tenby.validate import validate
from scorer.record import are_named, mapping, seated
from scorer.sentences import Sentence, listed, say

ROUNDS = 10
FIRST_COUNTER = 3  # life rings for the first counter on an accolade; each further one costs one more
NOTED = (DataInput("rounds", say("Rounds played")),)
PRICES = (
    (say("Reveal a card in the market"), 1),
    (say("Move a card in your town"), 2),
    (say("Terrace action"), 2),
    (say("Pier action"), 3),
    (say("Landmark or resident action"), 4),
)


def asks(loaded: Loaded, _: Json) -> tuple[Input, ...]:
    """Return the input for the number of rounds played, or () for a solo game, which has other rules."""
    return NOTED if len(seated(loaded.record)) in PLAYERS[1:] else ()


def answer(loaded: Loaded, notes: Json) -> Json:
    """Return, as JSON for the page, the current round with its rules and prices, and who leads the accolades."""
    over, players, state = rounds_over(notes), len(seated(loaded.record)), loaded.state
    if over == ROUNDS:
        heading, facts, steps = say("The game is over. Enter everyone’s town."), [], []
    else:
        heading = say("Round {round} of {rounds}", round=over + 1, rounds=ROUNDS)
        facts = [*market(players), *prices(state, over + 1)]
        steps = order_of(over + 1, players)
    label = say("End round")
    return {
        "heading": heading,
        "facts": [*facts, *standings(loaded)],
        "steps": steps,
        "buttons": [{"label": label, "put": ["rounds", over + 1]}] if over < ROUNDS else [],
        "back": "rounds" if over == 1 else "",
        "again": ["rounds", over - 1] if over > 1 else [],
    }


def rounds_over(notes: Json) -> int:
    over = mapping(notes).get("rounds")
    return min(max(over, 0), ROUNDS) if isinstance(over, int) and not isinstance(over, bool) else 0


def market(players: int) -> list[Json]:
    """Return how many cards of each kind are face up at the start of a round, as labels and values."""
    return [
        {"label": say("Terrace cards in the market"), "value": players + 1},
        {"label": say("Pier cards in the market"), "value": players},
        {"label": say("Landmark cards in the market"), "value": players - 1},
        {"label": say("Day cards"), "value": players + 1},
    ]


def prices(state: State | None, played: int) -> list[Json]:
    """Return what players can buy with life rings in the current round, number `played`, as labels and prices. `state`
    tells which accolades are on the table."""
    found = [{"label": label, "value": price_of(rings)} for label, rings in PRICES]
    modes = {state.mode_of(card) for card in state.accolades} if state is not None else set()
    if "ebb_flow" in modes:
        found.append({"label": say("Reveal your secret accolade"), "value": price_of(played)})
    if state is not None and "high_tide" in modes:
        counters = sum(card.active is True for card in state.accolades)
        if counters < len(state.accolades):
            found.append({"label": say("Next counter on an accolade"), "value": price_of(FIRST_COUNTER + counters)})
    return found


def price_of(rings: int) -> Sentence:
    return say("Life rings: {n}", n=rings)


def order_of(played: int, players: int) -> list[Sentence]:
    """Return the steps of round number `played` in order, as sentences, for this number of players."""
    steps = [
        say("Night: in night card order, each player takes a day card."),
        say("Day: in day card order, each player acts, then takes the lowest night card."),
        say("Put a life ring on the day card that is left."),
        say("Discard the market."),
    ]
    if played == ROUNDS:
        return steps[:2]
    if played == ROUNDS - 1:
        steps.append(say("In night card order, each player draws 3 terrace or pier cards and builds one."))
    return [*steps, say("Refill the market. Draw {n} day cards.", n=players)]


def standings(loaded: Loaded) -> list[Json]:
    """Return who leads each accolade that is not secret, by the towns entered so far, as labels and values. Return []
    if the record has faults."""
    state: State | None = loaded.state
    if state is None or loaded.faults or not are_named(state.players):
        return []
    if any(problem.level == "error" for problem in validate(state)):
        return []
    found: list[Json] = []
    for verdict in judge_all(state):
        paid = [state.players[seat].name for seat, (points, _) in verdict.paid.items() if points]
        if paid and not is_secret(verdict.card, state.mode_of(verdict.card)):
            found.append({"label": named(verdict.card.name), "value": say("Leading now: {names}", names=listed(paid))})
    return found


ROUND_BY_ROUND = Companion(
    name=say("Count rounds"),
    text=say("The market, the order of a round, and what life rings buy."),
    asks=asks,
    answer=answer,
    blank={},
)
