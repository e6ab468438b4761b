"""Define Lagoon, a made-up game that shows what a new game may contain. Only tests play it.

It has a reef of three rows of seven squares, pieces with tones of its own or none, and facts of every usual kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorer.contract import (
    Cards,
    Choice,
    ChoiceInput,
    Companion,
    Entry,
    Game,
    GridInput,
    Input,
    Json,
    Line,
    Loaded,
    NumberInput,
    OrderInput,
    Problem,
    Section,
    Sheet,
    Step,
    TieBreak,
)
from scorer.grid import name as square_name
from scorer.grid import squares
from scorer.record import Reader, Typed, as_seated, read_players, read_record
from scorer.sentences import say, say_count

PLAYERS = range(2, 5)
ROWS, COLUMNS = 3, 7
RULES = {
    "coral": say("Coral"),
    "fish": say("Fish"),
    "urchins": say("Urchins"),
    "pearls": say("Pearls"),
    "first_dive": say("First dive"),
}
LADDER = (Step("pearls", say("most pearls"), "most"),)
WORTH = {"coral": 1, "fish": 2, "urchins": -1}
PIECES = {"coral": "coral", "fish": "fish", "urchins": "urchin"}  # the piece that each line counts
AT_HIGH_TIDE = 2  # points for coral
PEARL, FIRST = 3, 2  # points
DEEPEST, SAFE = 40, 18  # metres

REEF = GridInput(
    "reef",
    say("Reef"),
    (
        Choice("sand", say("Sand")),
        Choice("coral", say("Coral"), "C", "teal"),
        Choice("fish", say("Fish"), "F", "blue"),
        Choice("urchin", say("Urchin"), "U"),
    ),
    size=(ROWS, COLUMNS),
)
PEARLS = NumberInput("pearls", say("Pearls in the basket"), high=20)
TIDE = ChoiceInput(
    "tide",
    say("Tide"),
    (Choice("low", say("Low tide")), Choice("high", say("High tide"))),
    section=Section.SETUP,
    default="low",
    is_variant=True,
)
ORDER = OrderInput("dive_order", say("Who dived first?"), section=Section.TABLE)


@dataclass(frozen=True, slots=True)
class Diver:
    name: str
    reef: tuple[tuple[str, ...], ...]
    pearls: int | None


@dataclass(frozen=True, slots=True)
class State:
    tide: str
    order: tuple[str, ...]
    players: tuple[Diver | Typed, ...]


def load(record: Json) -> State:
    reader = read_record(record, "lagoon")
    table = reader.object("table", required=False)
    tide = table.choice("tide", ("low", "high"), default="low")
    first = [name.as_text() for name in table.elements("dive_order", required=False)]
    players = read_players(reader, PLAYERS, RULES, LADDER, read_diver)
    state = State(tide, tuple(as_seated(name, players) for name in first), players)
    reader.finish(state)
    return state


def read_diver(player: Reader, name: str) -> Diver:
    known = [choice.value for choice in REEF.choices]
    reef = tuple(tuple(piece.as_choice(known) for piece in row.as_list()) for row in player.elements("reef"))
    return Diver(name, reef, player.amount("pearls"))


def dump(state: State) -> Json:
    return {
        "game": "lagoon",
        "table": {"tide": state.tide, **({"dive_order": list(state.order)} if state.order else {})},
        "players": [player.dump() if isinstance(player, Typed) else dumped(player) for player in state.players],
    }


def dumped(diver: Diver) -> Json:
    pearls = {} if diver.pearls is None else {"pearls": diver.pearls}
    return {"name": diver.name, "reef": [list(row) for row in diver.reef], **pearls}


def validate(state: State) -> list[Problem]:
    return list(faults(state))


def faults(state: State) -> Iterator[Problem]:
    if not state.order:
        yield Problem("missing_field", say("Say who dived first."), "/table/dive_order")
    elif sorted(state.order) != sorted(player.name for player in state.players):
        yield Problem("dive_order", say("Everybody dives once."), "/table/dive_order")
    for index, diver in enumerate(state.players):
        if not isinstance(diver, Diver):
            continue
        if [len(row) for row in diver.reef] != [COLUMNS] * ROWS:
            yield Problem("grid_size", say("A reef has three rows of seven squares."), f"/players/{index}/reef")
        if diver.pearls is None:
            yield Problem("missing_field", say("Count the pearls."), f"/players/{index}/pearls")
        elif not PEARLS.low <= diver.pearls <= PEARLS.high:
            yield Problem("bad_number", say("So many pearls there cannot be."), f"/players/{index}/pearls")


def score(state: State) -> list[Sheet]:
    return [
        player.sheet(RULES, LADDER, f"/players/{index}") if isinstance(player, Typed) else sheet(state, player)
        for index, player in enumerate(state.players)
    ]


def sheet(state: State, diver: Diver) -> Sheet:
    return Sheet(diver.name, tuple(lines(state, diver)), (TieBreak("pearls", diver.pearls),))


def lines(state: State, diver: Diver) -> Iterator[Line]:
    for rule, piece in PIECES.items():
        cells = tuple(square_name(at) for at in squares(ROWS, COLUMNS) if diver.reef[at[0]][at[1]] == piece)
        worth = AT_HIGH_TIDE if rule == "coral" and state.tide == "high" else WORTH[rule]
        if cells:
            why = say_count("{n} square of {points}", "{n} squares of {points}", len(cells), points=worth)
            yield Line(rule, RULES[rule], len(cells) * worth, why, cells)
    if diver.pearls:
        why = say_count("{n} pearl", "{n} pearls", diver.pearls)
        yield Line("pearls", RULES["pearls"], PEARL * diver.pearls, why)
    if state.order[:1] == (diver.name,):
        yield Line("first_dive", RULES["first_dive"], FIRST, say("dived before everybody else"))


def asks(loaded: Loaded, player: int | None) -> tuple[Input, ...]:
    players = loaded.state.players
    if player is None:
        return TIDE, replace(ORDER, choices=tuple(Choice(one.name, one.name) for one in players))
    return (REEF, PEARLS) if player < len(players) and isinstance(players[player], Diver) else ()


def dives(loaded: Loaded, entered: Json) -> tuple[Input, ...]:
    return (NumberInput("depth", say("How deep in metres?"), high=DEEPEST),)


def breath(loaded: Loaded, entered: Json) -> Json:
    depth = entered.get("depth") if isinstance(entered, dict) else None
    if not isinstance(depth, int):
        return {}
    divers = [{"name": player.name, "minutes_left": max(0, DEEPEST - depth)} for player in loaded.state.players]
    return {"is_safe": depth <= SAFE, "divers": divers}


GAME = Game(
    id="lagoon",
    name=say("Lagoon"),
    players=PLAYERS,
    rules=RULES,
    ladder=LADDER,
    load=load,
    dump=dump,
    validate=validate,
    score=score,
    inputs=(TIDE, ORDER, REEF, PEARLS),
    names=("dive_order/*",),
    asks=asks,
    points_depend_on_others=True,
    cards=Cards((Entry("pearl", say("Pearl"), say("treasure"), say("Each is worth 3 points.")),)),
    companion=Companion(say("Breath"), say("How long may you stay down?"), dives, breath, {}),
)
