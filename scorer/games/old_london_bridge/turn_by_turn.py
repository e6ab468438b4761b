"""Prepare the page that notes a whole game by taps: what happens now, and where the markers are."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Json
from scorer.games.old_london_bridge.cards import COPIES, GARDEN, HIGHEST_NUMBER, TYPES
from scorer.games.old_london_bridge.events import CRESTS, GUILD, MOST_EVENTS, Progress, Tile
from scorer.games.old_london_bridge.rounds import HIGHEST_CARD
from scorer.sentences import Sentence, as_it_is, in_a_row, say, say_count

# Tracks have at least this many spaces; only then may a marker have reached the end (rulebook pp. 11-12).
SURELY_ON = {"chapel": 10, "gate": 13}


def page(noted: Progress, events: int, paid: Json) -> Json:
    """Return, as JSON, the page that notes a game by taps: heading, buttons, what to do now, and facts. `events` is the
    number of noted events; from MOST_EVENTS on there are no buttons. `paid` has the payments so far, from
    `paid_so_far`."""
    full = events >= MOST_EVENTS
    return {
        "heading": heading(noted),
        "buttons": [] if full else buttons(noted),
        "more": [] if full else [group for group in groups(noted) if group["buttons"]],
        "steps": [*reminders(noted), *effect(noted), *payments(noted, paid)],
        "facts": facts(noted, paid),
        "back": f"events/{events - 1}" if events else "",
        "winnings": paid["winnings"],
        "problems": [],
    }


def heading(noted: Progress) -> Sentence:
    """Return the heading of the page, such as "Round 2 of 12: Ann builds"."""
    if not noted.has_order:
        return say("Who is next on the chapel stairs?") if noted.stairs else say("Who is first on the chapel stairs?")
    if noted.is_over:
        return say("The game is over. Enter everyone’s bridge.")
    number, rounds, name = len(noted.rounds) + 1, noted.last_round, noted.waiting_for or noted.next
    if noted.waiting_for:
        return say(
            "Round {round} of {rounds}: which card did {name} play?", round=number, rounds=rounds, name=name or ""
        )
    if name is None:
        return say("Round {round} of {rounds}: everyone has built", round=number, rounds=rounds)
    if noted.taken is None:
        return say("Round {round} of {rounds}: {name} builds", round=number, rounds=rounds, name=name)
    if noted.taken.number is None:
        return say("{name}: which number is on the tile?", name=name)
    return say("{name}: which number does {number} replace?", name=name, number=noted.taken.number)


def buttons(noted: Progress) -> list[Json]:
    """Return a button for each event that may come next."""
    if not noted.has_order:
        return on_the_stairs(noted)
    if noted.is_over:
        return []
    if noted.waiting_for is not None:
        return [button(str(card), noted.waiting_for, "card", card) for card in range(HIGHEST_CARD + 1)]
    name, taken = noted.next, noted.taken
    if name is None:
        return [{"label": say("End round"), "put": ["events/-", {"did": "round"}]}]
    if taken is None:
        return []
    if taken.number is None:
        return [
            button(str(number), name, "number", number)
            for number in range(HIGHEST_NUMBER, 0, -1)
            if number not in noted.numbers and noted.places(name, number)
        ]
    bridge = noted.bridges[name]
    return [button(str(bridge[space].number), name, "space", space) for space in noted.places(name, taken.number)]


def on_the_stairs(noted: Progress) -> list[Json]:
    """Return a button for each player whose place on the chapel stairs is not noted yet. If two players are left, each
    of the two buttons places both of them."""
    left = [name for name in noted.players if name not in noted.stairs]
    found = [button(name, name, "stairs") for name in left]
    if len(left) == 2:
        first, second = (one["put"] for one in found)
        found = [{**found[0], "put": first + second}, {**found[1], "put": second + first}]
    return found


def groups(noted: Progress) -> Iterator[Json]:
    """Yield further groups of buttons with a label: buildings by crest, bonus tiles, a marker at a track's end."""
    name = noted.next
    if noted.has_order and not noted.is_over and name is not None and noted.taken is None:
        for crest in CRESTS:
            tiles = [button(TYPES[one].name, name, "tile", f"{one} {crest}") for one in left(noted, "CGIE")]
            yield {"label": POWER[crest](noted.power(name, crest) + 1), "buttons": tiles}
        plain = [button(TYPES[one].name, name, "tile", one) for one in left(noted, GUILD + GARDEN)]
        yield {"label": say("No effect when built"), "buttons": plain}
        if noted.usable(name) > 0:
            tiles = [button(label, name, "bonus", what) for what, label in BONUS.items()]
            yield {"label": say("Use a bonus tile first"), "buttons": tiles}
        if not noted.turns:
            yield {"label": say("Bonus tile: add 1 to a card"), "buttons": list(raises(noted))}
    if noted.moved is not None:
        name, where = noted.moved
        track = noted.chapel if where == "chapel" else noted.gate
        if track.steps[name] >= SURELY_ON[where] and name not in track.ended:
            label = say("{name} has reached the end", name=name)
            yield {"label": TRACK[where], "buttons": [button(label, name, "end", where)]}


def left(noted: Progress, letters: str) -> list[str]:
    return [letter for letter in letters if noted.stacks[letter] < COPIES]


def raises(noted: Progress) -> Iterator[Json]:
    """Yield a button for each revealed card that its player may raise with a bonus tile."""
    for name in noted.players:
        if noted.usable(name) > 0:
            for turn, card in enumerate(noted.cards[name]):
                value = card + noted.raised[name, turn]
                label = say("{name}: {card} becomes {more}", name=name, card=value, more=value + 1)
                yield button(label, name, "raise", turn)


def button(label: Sentence | str, name: str, did: str, value: Json = None) -> Json:
    said = {"name": name, "did": did} | ({} if value is None else {"value": value})
    return {"label": label, "put": ["events/-", said]}


POWER = {
    "blue": lambda n: say("Blue crest: power {n}", n=n),
    "orange": lambda n: say("Orange crest: power {n}", n=n),
    "grey": lambda n: say("Grey crest: power {n}", n=n),
    "green": lambda n: say("Green crest: power {n}", n=n),
}
TRACK = {"chapel": say("Chapel track"), "gate": say("Gate track")}
BONUS = {
    "chapel": say("2 spaces on the chapel track"),
    "gate": say("2 spaces on the gate track"),
    "other": say("Any other bonus tile"),
}


def reminders(noted: Progress) -> Iterator[Sentence]:
    """Yield reminders: what to do at the start of a round, and that the game ends after this round."""
    if not noted.has_order or noted.is_over:
        return
    if not any(noted.cards.values()):
        yield say("Reveal the next turn marker and turn the wheel as many spaces as it shows.")
    if noted.ended_early:
        yield say("Three stacks are empty: the game ends after this round.")


def effect(noted: Progress) -> list[Sentence]:
    """Return, in a list, a sentence about the effect of the building that was built last; [] if there is none."""
    if noted.laid is None:
        return []
    name, tile, power = noted.laid
    sentence = effect_of(name, tile, power)
    return [sentence] if sentence is not None else []


def effect_of(name: str, tile: Tile, power: int) -> Sentence | None:
    if tile.letter == "C":
        return say_count(
            "{name} moves {n} space up the chapel track and takes each coin on the way.",
            "{name} moves {n} spaces up the chapel track and takes each coin on the way.",
            power,
            name=name,
        )
    if tile.letter == "G":
        return say_count(
            "{name} moves {n} space along the gate track and takes a bonus tile at every third space.",
            "{name} moves {n} spaces along the gate track and takes a bonus tile at every third space.",
            power,
            name=name,
        )
    if tile.letter == "I":
        return say("{name} takes cards worth {n} in all.", name=name, n=power)
    if tile.letter == "E":
        return say("{name} takes £{n}.", name=name, n=power)
    return None


def payments(noted: Progress, paid: Json) -> list[Sentence]:
    """Return a sentence for each payment of this round and, until a card is revealed, of the round before. `paid` has
    all payments, from `paid_so_far`."""
    now = len(noted.rounds) + 1
    just_ended = () if any(noted.cards.values()) else (now - 1,)
    return [
        say("{name} gets £{coins}: {why}.", name=one["player"], coins=one["coins"], why=one["why"])
        for one in paid["payments"]
        if one["round"] in (now, *just_ended)
    ]


def facts(noted: Progress, paid: Json) -> list[Json]:
    """Return labels and values for the page: the turn order, and each player's markers and bonus tiles. `paid` has the
    coins paid so far, from `paid_so_far`."""
    if not noted.has_order:
        return []
    order = [{"label": say("Turn order"), "value": in_a_row([as_it_is(one) for one in noted.order])}]
    ahead = [{"label": say("Ahead on the chapel track"), "value": noted.chapel.order[0]}]
    return [*(order if noted.order else []), *ahead, *(standing(noted, name, paid) for name in noted.players)]


def standing(noted: Progress, name: str, paid: Json) -> Json:
    chapel, gate, tiles = noted.chapel.steps[name], noted.gate.steps[name], noted.bonus[name]
    value = say("chapel {chapel}, gate {gate}, bonus tiles {tiles}", chapel=chapel, gate=gate, tiles=tiles)
    won = paid["winnings"].get(name)
    if won:
        value = say("{where}, won £{coins}", where=value, coins=sum(won.values()))
    return {"label": name, "value": value}
