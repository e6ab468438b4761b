"""Work out what the faces that pay every round have paid, and to whom (rulebook p. 11).

    {"players": ["Ann", "Bob"], "scoring": {"inn": "per_round_highest_card"}, "chapel_order": ["Bob", "Ann"],
     "rounds": [{"cards": {"Ann": [3, 0], "Bob": [2, 2]}, "chapel_order": ["Ann", "Bob"]}]}

The first `chapel_order` is the order at the start. That of a round is the order at its end; without one, the order did
not change. Cards are as revealed, before any bonus tile. With two players, each plays two cards and builds twice.
`numbers` are the numbers built in a round; a park has none. A round with `"finished": false` pays only for its cards.

The rulebook sets no minimum, and the chapel track breaks all ties. So each round pays a player, even if no marker has
moved; only a round with nothing but parks has no lowest number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.contract import Json, Problem, StateError
from scorer.games.old_london_bridge.cards import FACES, HIGHEST_NUMBER, ROUNDS, ZONES, options
from scorer.games.old_london_bridge.state import PLAYERS
from scorer.record import POINTS, Reader, escape
from scorer.sentences import Sentence, in_clauses, listed, say, say_count

HIGHEST_CARD = 4
TURNS = {2: 2, 3: 1, 4: 1}  # turns of each player in a round, by number of players
Found = Iterator[Problem]


@dataclass(frozen=True, slots=True)
class Round:
    """Hold what happened in one round; None for facts that were not entered."""

    chapel_order: tuple[str, ...] | None
    gate_steps: dict[str, int] | None  # steps of each player at the end of the round
    cards: dict[str, tuple[int, ...]] | None
    numbers: dict[str, tuple[int, ...]] | None
    finished: bool


@dataclass(frozen=True, slots=True)
class Log:
    players: tuple[str, ...]
    scoring: dict[str, str]
    chapel_order: tuple[str, ...]
    rounds: tuple[Round, ...]

    @property
    def zones(self) -> list[str]:
        """Return the zones, such as "inn", whose chosen face pays every round."""
        return [zone for zone in ZONES if zone in self.scoring and FACES[zone, self.scoring[zone]].per_round]


@dataclass(frozen=True, slots=True)
class Payment:
    round: int  # counted from 1
    zone: str
    player: str
    coins: int
    why: Sentence


def load_log(entered: Json) -> Log:
    """Read the rounds from JSON as shown at the top of this module, or raise StateError with every fault."""
    reader = Reader(entered)
    reader.as_object()
    players = tuple(name.as_text() for name in reader.elements("players")[: PLAYERS.stop])
    if len(players) not in PLAYERS or len(set(players)) < len(players):
        reader.fail("player_count", say("Enter 2 to 4 different players."), "/players")
    scoring = reader.object("scoring")
    log = Log(
        players=players,
        scoring={zone: scoring.choice(zone, options(zone)) for zone in ZONES if scoring.has(zone)},
        chapel_order=read_order(reader, players) or (),
        rounds=tuple(read_round(found, players) for found in reader.elements("rounds")),
    )
    if not reader.has("chapel_order"):
        message = say("Enter the order on the chapel stairs at the start.")
        reader.fail("missing_field", message, "/chapel_order")
    for problem in faults(log):
        reader.fail(problem.code, problem.message, problem.where)
    reader.finish(log)
    return log


def read_order(reader: Reader, players: tuple[str, ...]) -> tuple[str, ...] | None:
    found = reader.child("chapel_order")
    if found is None:
        return None
    order = tuple(name.as_text() for name in found.as_list())
    if sorted(order) != sorted(players):
        message = say("Enter every player once. Start with the leader (or the marker on top).")
        found.fail("chapel_order_not_a_permutation", message)
    return order


def read_round(found: Reader, players: tuple[str, ...]) -> Round:
    found.as_object()
    turns = TURNS.get(len(players), 1)
    order = read_order(found, players)
    steps = found.object("gate_steps") if found.has("gate_steps") else None
    cards = found.object("cards") if found.has("cards") else None
    numbers = found.object("numbers") if found.has("numbers") else None
    return Round(
        chapel_order=order,
        gate_steps=None if steps is None else {name: steps.number(name, 0, POINTS) for name in players},
        cards=None if cards is None else {name: read_cards(cards, name, turns) for name in players},
        numbers=None if numbers is None else {name: read_numbers(numbers, name, turns) for name in players},
        finished=found.flag("finished", default=True),
    )


def read_cards(cards: Reader, name: str, turns: int) -> tuple[int, ...]:
    values = tuple(card.as_number(0, HIGHEST_CARD, "bad_card") for card in cards.elements(name))
    found = cards.child(name)
    if found is not None and len(values) != turns:
        message = say_count("Each player plays one card in a round.", "Each player plays {n} cards in a round.", turns)
        found.fail("bad_card", message)
    return values


def read_numbers(numbers: Reader, name: str, turns: int) -> tuple[int, ...]:
    built = tuple(number.as_number(1, HIGHEST_NUMBER, "number_range") for number in numbers.elements(name))
    found = numbers.child(name)
    if found is not None and len(built) > turns:
        once, twice = say("Each player builds once in a round."), say("Each player builds twice in a round.")
        found.fail("bad_number", once if turns == 1 else twice)
    return built


WATCHED = {"gate": "gate_steps", "inn": "cards", "bridge": "numbers"}
MISSING = {
    "gate": say("Enter how far each player is along the gate track. The bridge gate scoring needs this."),
    "inn": say("Enter the cards played this round. The inn scoring needs them."),
    "bridge": say("Enter the numbers built this round. The bridge scoring needs them."),
}


def faults(log: Log) -> Found:
    """Yield a problem for each fact that a zone pays by and a round lacks, such as its cards. Also yield one if there
    are too many rounds, and one for each number built twice."""
    most = ROUNDS.get(len(log.players), max(ROUNDS.values()))
    if len(log.rounds) > most:
        message = say(
            "With {players} players, the game has only {rounds} rounds. Remove the extra ones.",
            rounds=most,
            players=len(log.players),
        )
        yield Problem("bad_number", message, "/rounds")
    seen: set[int] = set()
    for index, played in enumerate(log.rounds):
        for zone, watched in WATCHED.items():
            if zone in log.zones and played.finished and getattr(played, watched) is None:
                yield Problem("missing_field", MISSING[zone], f"/rounds/{index}/{watched}")
        for name, built in (played.numbers or {}).items():
            for number in built:
                if number in seen:
                    message = say(
                        "There is only one tile with number {number}, and it was already built.", number=number
                    )
                    yield Problem("duplicate_number", message, f"/rounds/{index}/numbers/{escape(name)}")
                seen.add(number)


# -- who is paid ------------------------------------------------------------------------------------------------------


def payments(log: Log) -> list[Payment]:
    """Return every payment by a zone of the board to a player, with its reason, in order of rounds. An unfinished round
    pays only for its cards."""
    paid = []
    revealed_order: Order = log.chapel_order  # ties of revealed cards are broken before markers move
    for index, played in enumerate(log.rounds):
        end_order = played.chapel_order or revealed_order
        for zone in sorted(log.zones, key=PAID_FIRST.index):
            if not played.finished and (zone != "inn" or played.cards is None):
                continue
            leads = leader(zone, played, revealed_order, end_order)
            if leads is not None:
                name, why = leads
                paid.append(Payment(index + 1, zone, name, FACES[zone, log.scoring[zone]].per_round, why))
        revealed_order = end_order
    return paid


Order = tuple[str, ...]  # players on the chapel track, the leader first
Leader = tuple[str, Sentence] | None  # the player, and the reason
PAID_FIRST = ("inn", "chapel", "gate", "bridge")  # cards are compared when revealed, the rest at the end of the round


def leader(zone: str, played: Round, revealed_order: Order, end_order: Order) -> Leader:
    """Return the player whom a zone pays for the round `played`, and the reason. Return None only if the zone pays the
    lowest number built and there is none. The orders are those on the chapel track when cards were revealed and at
    the end of the round."""
    if zone == "inn":
        return highest_card(played, revealed_order)
    if zone == "chapel":
        return end_order[0], say("Leading on the chapel track")
    return furthest_at_the_gate(played, end_order) if zone == "gate" else lowest_number(played)


def furthest_at_the_gate(played: Round, order: Order) -> Leader:
    steps = played.gate_steps or {}
    best = max(steps.values())
    why = say_count("{n} step along the gate track", "{n} steps along the gate track", best)
    return settled([name for name in order if steps[name] == best], why)


def highest_card(played: Round, order: Order) -> Leader:
    cards = played.cards or {}
    best = max(max(values) for values in cards.values())
    why = say("{card} is the highest card", card=best)
    return settled([name for name in order if best in cards[name]], why)


def lowest_number(played: Round) -> Leader:
    built = {number: name for name, numbers in (played.numbers or {}).items() for number in numbers}
    return (built[min(built)], say("{number} is the lowest number built", number=min(built))) if built else None


def settled(leaders: list[str], why: Sentence) -> Leader:
    """Return the first of the tied `leaders`, who must be in the order of the chapel track. The reason is `why` and, if
    there are others, how the tie was broken."""
    first, *others = leaders
    if others:
        why = in_clauses([why, say("Ahead of {names} on the chapel track", names=listed(others))])
    return first, why


def winnings(log: Log) -> dict[str, dict[str, int]]:
    """Return the coins paid so far, as {player: {zone: coins}}, with 0 for zones that paid a player nothing. The record
    of the finished game has them in each player's field `round_winnings`."""
    won = {name: dict.fromkeys(log.zones, 0) for name in log.players}
    for payment in payments(log):
        won[payment.player][payment.zone] += payment.coins
    return won


def paid_so_far(entered: Json) -> dict[str, Json]:
    """Return, as JSON for a page, each payment with its reason, and the coins by player and zone. `entered` has the
    rounds as shown at the top of this module. If they cannot be read, return the problems and no payments."""
    try:
        log = load_log(entered)
    except StateError as unreadable:
        problems = [{"code": p.code, "message": p.message, "where": p.where} for p in unreadable.problems]
        return {"ok": False, "problems": problems, "payments": [], "winnings": {}}
    paid = [
        {"round": p.round, "zone": p.zone, "player": p.player, "coins": p.coins, "why": p.why} for p in payments(log)
    ]
    return {"ok": True, "problems": [], "payments": paid, "winnings": winnings(log)}
