"""Define the inputs that matter now: the accolades and rulings of a table, and the cards of each player.

Only counts that something in play needs are asked for; counts that are already entered stay. Values that no longer
apply, such as the range of a card with a printed number, have no input and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from scorer.contract import Choice, ChoiceInput, DataInput, Input, Json, Loaded, NumberInput, Section, TextInput
from scorer.games.tenby import builder, names
from scorer.games.tenby.accolades import cards_laid
from scorer.games.tenby.builder import Facts
from scorer.games.tenby.cards import ALSO_CALLED, FEATURES, ICONS, RANGES, SUBTYPE_LABELS, THINGS
from scorer.games.tenby.rulings import RULINGS
from scorer.games.tenby.state import FACTS, MODES, State
from scorer.games.tenby.town import CARD_POINTS, Town
from scorer.record import MOST_ELEMENTS, POINTS, escape, mapping, seated, sequence
from scorer.sentences import Sentence, as_it_is, say

Inputs = Iterator[Input]

PARTS = {"deck": say("Deck"), "base": say("Base"), "edges": say("Edges"), "buildings": say("Buildings")}
DIRECTION_LABELS = {"both": say("Both ways"), "left": say("To the left"), "right": say("To the right")}
TIER = {
    "at_least": say("Number needed"),
    "incomplete": say("Points if incomplete"),
    "complete": say("Points if completed"),
}

MODE = ChoiceInput(
    "accolades/mode",
    say("Accolades"),
    tuple(Choice(id_, mode.name) for id_, mode in MODES.items()),
    section=Section.SETUP,
    is_variant=True,
    optional=True,
)
CARDS = DataInput(
    "accolades/cards", say("Accolade cards"), section=Section.SETUP, default=[], optional=True, this_game_only=True
)
HOUSE_RULES = tuple(ruling.input for ruling in RULINGS)
ANOTHER_WAY = "accolades/others"  # never stored: a choice here adds another card
CARDS_SEEN = DataInput("cards", say("Scoring cards"), default=[])  # instead of streets
STREETS = DataInput("streets", say("Streets"), default=[])
RESIDENTS = DataInput("residents", say("Resident cards"), default=[], optional=True)
INPUTS = (MODE, CARDS, *HOUSE_RULES, STREETS, RESIDENTS)


def asks(loaded: Loaded, player: int | None) -> tuple[Input, ...]:
    """Return the inputs that matter now for one player, or for the table if `player` is None."""
    if player is None:
        return tuple(table_inputs(mapping(loaded.record)))
    return tuple(player_inputs(seated(loaded.record), loaded.state, player))


GOAL_CHOICES = tuple(Choice(thing.id, thing.label) for thing in THINGS.values())
REVEALED = (Choice(True, say("Revealed")), Choice(False, say("Kept secret")))
COMMITTED = (Choice(True, say("Has a counter")), Choice(False, say("No counter")))
PLAY_ALONG = {
    "open_sea": say("A card from The Open Sea"),
    "ebb_flow": say("A card from Ebb & Flow"),
    "high_tide": say("A High Tide card"),
}
GOALS = tuple(Choice({"name": str(names.goal(thing)), "target": thing.id}, thing.label) for thing in THINGS.values())


# -- the table -------------------------------------------------------------------------------------------------


def table_inputs(record: dict[str, Json]) -> Inputs:
    accolades = mapping(mapping(record.get("table")).get("accolades"))
    mode, cards = accolades.get("mode"), sequence(accolades.get("cards"))
    if not (isinstance(mode, str) and mode in MODES):
        yield MODE
    else:
        seats = seated(record)
        players = [name for seat in seats if isinstance(name := seat.get("name"), str)]
        yield replace(MODE, help=MODES[mode].text)
        if not cards:
            yield CARDS
        laid = []
        for index, card in enumerate(cards):
            own = mapping(card).get("mode")
            laid.append(own if isinstance(own, str) and own in MODES else mode)
            yield from accolade_inputs(f"{CARDS.name}/{index}", mapping(card), laid[-1], players)
        room = [each for each in MODES if laid.count(each) < cards_laid(each, len(seats))[-1]]
        if mode in room:
            yield next_accolade(len(cards))
        yield another_way(len(cards), [each for each in room if each != mode])
    yield from HOUSE_RULES


def another_way(number: int, modes: list[str]) -> Input:
    """Return the input that adds an accolade with another mode than the table's; `modes` are those to choose from.
    `number` is how many accolades there are already."""
    choices = (Choice({"name": str(names.accolade(number + 1)), "mode": mode}, PLAY_ALONG[mode]) for mode in modes)
    return of_table(ANOTHER_WAY, say("Accolade from another set"), DataInput, tuple(choices))


def next_accolade(number: int) -> Input:
    """Return the input that adds an accolade, with the goals to choose from; `number` is how many accolades there are
    already."""
    label = say("Another accolade: the most …") if number else say("The first accolade: the most …")
    something_else = Choice({"name": str(names.accolade(number + 1))}, say("Something else"))
    return of_table(f"{CARDS.name}/{number}", label, DataInput, (*GOALS, something_else))


def accolade_inputs(path: str, card: dict[str, Json], mode: str, players: list[str]) -> Inputs:
    """Yield the inputs for the accolade at `path`: name, goal, facts for its mode, and the amount of each player.
    `card` is its record."""
    yield TextInput(f"{path}/name", say("Name"), section=Section.SETUP, optional=True, this_game_only=True)
    if "mode" in card:
        yield of_table(f"{path}/mode", say("Played as"), ChoiceInput, MODE.choices)
    target = card.get("target")
    goal = DataInput if isinstance(target, list) else ChoiceInput
    yield of_table(f"{path}/target", say("The player with the most"), goal, goals_and(target))
    if mode == "ebb_flow":
        seats = tuple(Choice(name, as_it_is(name)) for name in players)
        yield ChoiceInput(f"{path}/holder", say("Dealt to"), seats, section=Section.SETUP, this_game_only=True)
        yield of_table(f"{path}/revealed", say("Was it revealed?"), ChoiceInput, REVEALED)
    if mode == "high_tide":
        yield of_table(f"{path}/active", say("Is there a counter on it?"), ChoiceInput, COMMITTED)
    typed = mapping(card.get("amounts"))
    for name in players:
        yield NumberInput(
            f"{path}/amounts/{escape(name)}",
            say("How many {player} has", player=name),
            high=POINTS,
            section=Section.SETUP,
            optional=True,
            in_doubt=name not in typed,
            this_game_only=True,
        )


def goals_and(target: Json) -> tuple[Choice, ...]:
    """Return the goals of accolades to choose from, and also the entered `target` if it is none of them."""
    if not isinstance(target, str) or target in THINGS:
        return GOAL_CHOICES
    thing = THINGS.get(ALSO_CALLED.get(target, ""))
    return (*GOAL_CHOICES, Choice(target, thing.label if thing else as_it_is(target)))


def of_table(
    name: str, label: Sentence, kind: type[ChoiceInput] | type[DataInput], choices: tuple[Choice, ...]
) -> Input:
    return kind(name, label, choices, section=Section.SETUP, optional=True, this_game_only=True)


# -- a player --------------------------------------------------------------------------------------------------


def player_inputs(seats: list[dict[str, Json]], state: State, number: int) -> Inputs:
    player = seats[number] if number < len(seats) else {}
    if "cards" in player:
        yield from quick_inputs(player)
        return
    streets, residents = (sequence(player.get(cards))[:MOST_ELEMENTS] for cards in ("streets", "residents"))
    if not streets:
        yield STREETS
    if not residents:
        yield RESIDENTS
    seen = seen_by_card(state, number)
    for s, street in enumerate(streets):
        for c, card in enumerate(sequence(street)[:MOST_ELEMENTS]):
            yield from card_inputs(f"streets/{s}/{c}", mapping(card), seen[s][c] if seen else frozenset())
    for index, resident in enumerate(residents):
        yield from resident_inputs(f"residents/{index}", mapping(resident))


def quick_inputs(player: dict[str, Json]) -> Inputs:
    """Yield the inputs for the points and the count of each scoring card, and for the points of residents. `player` is
    the record of a player without streets."""
    cards, residents = sequence(player["cards"]), sequence(player.get("residents"))
    if not cards:
        yield CARDS_SEEN
    if not residents:
        yield RESIDENTS
    for index, card in enumerate(cards):
        path = f"{CARDS_SEEN.name}/{index}"
        yield DataInput(f"{path}/type", say("Kind of scoring"))
        yield TextInput(f"{path}/name", say("Name of the card"), optional=True)
        yield amount(f"{path}/points", say("Points"), 0, CARD_POINTS)
        if mapping(card).get("type") != "flat":
            yield amount(f"{path}/seen", say("How many this card sees"), 0, CARD_POINTS)
    for index in range(len(residents)):
        yield TextInput(f"residents/{index}/name", say("Name"))
        yield amount(f"residents/{index}/points", say("Points"), 0, POINTS)
    label = FACTS["completed_streets"].label
    yield NumberInput("completed_streets", label, high=POINTS, optional=True, in_doubt=True)


def seen_by_card(state: State, number: int) -> list[list[Facts]]:
    """Return, for each street and card of a player, the facts that scoring needs; [] without a town. `number` is the
    player's seat."""
    town = state.players[number] if number < len(state.players) else None
    return builder.seen_in(state, town) if isinstance(town, Town) else []


def card_inputs(path: str, card: dict[str, Json], facts: Facts) -> tuple[Input, ...]:
    """Return the inputs of the card at `path`: for counts that are entered, and for those in `facts`, which scoring
    needs."""
    score = mapping(card.get("score")) if "score" in card else None
    return leaves_of_card(
        path,
        frozenset(mapping(card.get("features"))) | facts,
        frozenset(mapping(card.get("icons"))),
        None if score is None else str(score.get("type")),
        None if score is None else has_direction(score, card),
    )


def has_direction(score: dict[str, Json], card: dict[str, Json]) -> bool:
    """Return whether the range in the record `score` can point in more than one direction on this card. If it can,
    players have to choose one."""
    edges = card.get("edges")
    if score.get("range") not in ("grey", "gold") or not (isinstance(edges, list) and len(edges) == 2):
        return score.get("range") == "grey"
    pair = (str(edges[0]), str(edges[1]))
    return len(builder.directions_for(str(score["range"]), str(card.get("deck")), pair)) > 1


@lru_cache(maxsize=4096)
def leaves_of_card(
    path: str, features: frozenset[str], icons: frozenset[str], score: str | None, directed: bool | None
) -> tuple[Input, ...]:
    return tuple(all_leaves(path, features, icons, score, bool(directed)))


def all_leaves(path: str, features: frozenset[str], icons: frozenset[str], score: str | None, directed: bool) -> Inputs:
    for name, label in PARTS.items():
        yield DataInput(f"{path}/{name}", label)
    yield TextInput(f"{path}/name", say("Name of the card"), optional=True)
    kinds = tuple(Choice(kind, label) for kind, label in SUBTYPE_LABELS.items())
    yield ChoiceInput(f"{path}/subtype", say("Home or business"), kinds, optional=True)
    for feature in FEATURES.values():
        if feature.id in features:
            yield amount(f"{path}/features/{feature.id}", feature.label, 0, feature.most)
    for icon in ICONS.values():
        if icon.id in icons:
            yield amount(f"{path}/icons/{icon.id}", say("Icons: {icons}", icons=icon.many), 0, CARD_POINTS)
    if score is None:
        return
    yield DataInput(f"{path}/score/type", say("Kind of scoring"))
    yield amount(f"{path}/score/points", say("Points"), 0, CARD_POINTS)
    if score != "flat":
        yield DataInput(f"{path}/score/target", say("What it counts"))
        ranges = tuple(Choice(each.id, each.name) for each in RANGES.values())
        yield ChoiceInput(f"{path}/score/range", say("Scoring range"), ranges, optional=True)
        if directed:
            directions = tuple(Choice(direction, label) for direction, label in DIRECTION_LABELS.items())
            yield ChoiceInput(f"{path}/score/direction", say("Direction"), directions, optional=True)


def resident_inputs(path: str, resident: dict[str, Json]) -> Inputs:
    yield TextInput(f"{path}/name", say("Name"))
    yield DataInput(f"{path}/type", say("Kind of resident"))
    if resident.get("type") == "typed" or not resident.keys() & {"type", "target"}:
        yield amount(f"{path}/points", say("Points"), 0, POINTS)
        return
    yield DataInput(f"{path}/target", say("What it counts"))
    if resident.get("type") == "single":
        tiers = sequence(resident.get("tiers"))
        if not tiers:
            yield DataInput(f"{path}/tiers", say("Tiers"), default=[])
        for index in range(len(tiers)):
            yield from tier_inputs(f"{path}/tiers/{index}")
    else:
        yield from tier_inputs(path)


def tier_inputs(path: str) -> Inputs:
    for name, label in TIER.items():
        yield amount(f"{path}/{name}", label, int(name == "at_least"), POINTS)


def amount(name: str, label: Sentence, low: int, high: int) -> Input:
    return NumberInput(name, label, low=low, high=high, optional=True)
