"""Read a record value by value, and note every fault with its JSON Pointer instead of stopping at the first.

    record = read_record(json, "cascadia")
    table = record.object("table")
    mode = table.choice("mode", MODES, default="standard")
    players = read_players(record, GAME.players, GAME.rules, GAME.ladder, read_town)
    record.finish(state)              # unknown fields, and StateError if anything was wrong

A legal stand-in replaces a value that cannot be read, so that the rest of the record can be read and checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from scorer.contract import UNKNOWN, Json, Line, Missing, Sheet, Step, TieBreak
from scorer.names import folded, is_writable
from scorer.record_reader import Reader
from scorer.record_value import MAX_NAME, MOST_ELEMENTS, POINTS, REQUIRED, Options, Place
from scorer.sentences import NOTHING, Sentence, in_a_row, say
from scorer.spans import Span, certain
from scorer.spelling import nearest
from scorer.values import escape, mapping, no_day, seated, sequence, shown, words

__all__ = [
    "CHOOSE",
    "MAX_NAME",
    "MISSING",
    "MOST_ELEMENTS",
    "NEAREST",
    "POINTS",
    "RANGE",
    "REQUIRED",
    "STILL_TO_COUNT",
    "TOTAL",
    "TOTAL_LABEL",
    "TYPED_IN",
    "Options",
    "Place",
    "Reader",
    "Typed",
    "are_named",
    "as_seated",
    "escape",
    "mapping",
    "name_fault",
    "no_day",
    "no_line",
    "open_line",
    "player_count",
    "read_name",
    "read_players",
    "read_record",
    "read_typed",
    "seated",
    "sequence",
    "settled_reason",
    "shown",
    "words",
]

TOTAL = "total"  # the only line of a player who typed just the total
TOTAL_LABEL = say("Total")
TYPED_IN = say("entered as points")  # the reason of a line whose total a player typed
STILL_TO_COUNT = say("Still to count")  # the reason of a line whose points are open
# The templates that `form_messages` words again with the labels of a form.
MISSING = "Enter “{field}”."
RANGE = "Enter a whole number from {low} to {high}. You entered {value}."
CHOOSE = "Choose one of {options}. You entered {value}."
NEAREST = "There is no {value} here. Did you mean {nearest}?"
T = TypeVar("T")


def read_record(record: Json, game_id: str) -> Reader:
    """Return a reader of the whole record; it is a fault if its `game` is not `game_id`."""
    reader = Reader(record)
    reader.as_object()
    reader.choice("game", (game_id,), code="unknown_game")
    if isinstance(mapping(reader.value).get("table"), dict):
        reader.child("table")  # an empty table is fine even if nothing reads it
    return reader


@dataclass(frozen=True, slots=True)
class Typed:
    """Hold a player who entered points by line, and tie-break values, by hand instead of a board. `open` has the lines
    that exist but whose points are still to be counted."""

    name: str
    points: tuple[tuple[str, int], ...]
    facts: tuple[tuple[str, int | str], ...] = ()
    open: tuple[str, ...] = ()

    @property
    def is_total(self) -> bool:
        """Return whether the player entered only a total by hand."""
        return self.has(TOTAL)

    def of(self, rule: str) -> int | None:
        return dict(self.points).get(rule)

    def has(self, rule: str) -> bool:
        """Return whether the player has this line, with known or open points."""
        return rule in self.open or self.of(rule) is not None

    def sheet(
        self,
        rules: Mapping[str, Sentence],
        ladder: Sequence[Step],
        where: str,
        limits: Mapping[str, range] | None = None,
    ) -> Sheet:
        """Return the score sheet with the lines entered by hand, in the order of `rules`. `where` is the player's JSON
        Pointer, `ladder` has the tie-breaks, and `limits` the points that lines can bring."""
        typed, facts = dict(self.points), dict(self.facts)
        labels = {**rules, TOTAL: TOTAL_LABEL}
        lines = tuple(
            Line(rule, label, typed[rule], TYPED_IN)
            if rule in typed
            else open_line(rule, label, (limits or {}).get(rule))
            for rule, label in labels.items()
            if self.has(rule)
        )
        rungs = tuple(TieBreak(s.rule, facts.get(s.rule), NOTHING, f"{where}/{s.rule}") for s in ladder)
        needs = tuple(Missing("points", self.name, f"{where}/typed/{rule}", labels[rule]) for rule in self.open)
        return Sheet(self.name, lines, rungs, needs)

    def dump(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "typed": {**dict(self.points), **dict.fromkeys(self.open, UNKNOWN)},
            **dict(self.facts),
        }


def settled_reason(points: int) -> Sentence:
    """Return the reason "3 either way", for a line whose points no answer to an open fact can change."""
    return say("{points} either way", points=points)


def open_line(rule: str, label: Sentence, allowed: range | None) -> Line:
    """Return a score line whose points are still to be counted; `allowed` has those that the rules allow."""
    low = allowed[0] if allowed and allowed[0] > -POINTS else None
    high = allowed[-1] if allowed and allowed[-1] < POINTS else None
    span: Span = (low, high)
    return Line(rule, label, certain(span), STILL_TO_COUNT, span=span)


def read_players(
    record: Reader,
    count: range,
    rules: Mapping[str, Sentence],
    ladder: Sequence[Step],
    read_one: Callable[[Reader, str], T],
) -> tuple[T | Typed, ...]:
    """Return the players in clockwise order, and note a fault if their number is not in `count`. `read_one(player,
    name)` reads each player who entered a board; others enter the points of lines in `rules`."""
    seated = sequence(mapping(record.value).get("players"))
    if record.has("players") and isinstance(record.value["players"], list) and len(seated) not in count:
        record.fail("player_count", player_count(count, len(seated)), "/players")
    readers = record.elements("players", most=max(len(seated), 1))
    players: list[T | Typed] = []
    names: set[str] = set()
    # Reading one player too many keeps checks from assuming that the number of players is right.
    for reader in readers[: count.stop]:
        reader.as_object()
        name = read_name(reader, names)
        players.append(read_typed(reader, name, rules, ladder) if reader.has("typed") else read_one(reader, name))
    for reader in readers[count.stop :]:
        reader.value = None  # the number is already a fault, so the content of extra players does not matter
    return tuple(players)


def player_count(wanted: range, found: int) -> Sentence:
    if len(wanted) > 1:
        least, most = wanted[0], wanted[-1]
        return say("This game is for {least} to {most} players, not {found}.", least=least, most=most, found=found)
    return say("This game is for {wanted} players, not {found}.", wanted=wanted[0], found=found)


def read_name(player: Reader, taken: set[str]) -> str:
    """Return a name of 1 to 40 characters, or "" with a fault if it is unusable. A name in `taken`, the `folded` names
    of the players before, is also a fault. The name is added to `taken`."""
    found = player.child("name", required=True)
    if found is None:
        return ""
    name = found.value
    fault = name_fault(name)
    if fault:
        found.fail("bad_name", fault)
        return ""
    spelling = folded(name)
    if spelling in taken:
        message = say("Two players are called {name}. Add a letter to one name.", name=name)
        found.fail("duplicate_name", message)
    taken.add(spelling)
    return str(name)


def name_fault(name: Json) -> Sentence:
    """Return a sentence that says what is wrong with a name, or NOTHING if it is usable."""
    if not (isinstance(name, str) and len(name) <= MAX_NAME and (folded(name) or not is_writable(name))):
        return say("Enter a name of 1 to {most} characters. You entered {value}.", most=MAX_NAME, value=shown(name))
    if not is_writable(name):
        return say("This name has an invisible character. Type it again.")
    return NOTHING


def are_named(players: Sequence[Any]) -> bool:
    """Return whether every player has a readable name, different from all others."""
    names = {folded(player.name) for player in players}
    return "" not in names and len(names) == len(players)


def as_seated(name: str, players: Sequence[Any]) -> str:
    """Return the name as one of `players` spells it in the record, such as "Ann" for "ANN". Names are compared by
    `folded`; one that no player has stays unchanged."""
    if not any(player.name == name for player in players):
        spelled = {folded(player.name): str(player.name) for player in players}
        return spelled.get(folded(name), name)
    return name


def read_typed(player: Reader, name: str, rules: Mapping[str, Sentence], ladder: Sequence[Step]) -> Typed:
    """Read points by line, or one total, that the player `name` entered by hand. `core` checks later whether they are
    possible; `rules` and `ladder` give the possible lines and tie-breaks."""
    points, open_rules, lines = [], [], player.child("typed")
    for key, amount in player.entries("typed"):
        rule = key if key in rules or lines is None else lines.field_named(key, {**rules, TOTAL: TOTAL_LABEL})
        if rule is None:
            amount.fail("unknown_field", no_line(key, rules))
        elif amount.value == UNKNOWN:
            open_rules.append(rule)
        else:
            points.append((rule, amount.as_number(-POINTS, POINTS)))
    if len(points) + len(open_rules) > 1 and TOTAL in {*dict(points), *open_rules}:
        message = say("Enter either the total or the lines. We add up the lines.")
        player.fail("total_and_lines", message, f"{player.where}/typed/{TOTAL}")
    facts: list[tuple[str, int | str]] = []
    for step in ladder:
        fact = player.child(step.rule)
        if fact is not None and (step.forgettable or fact.value != UNKNOWN):
            if step.kind == "date":
                facts.append((step.rule, fact.as_date()))
            else:
                number = fact.as_remembered(0, POINTS) if step.forgettable else fact.as_number(0, POINTS)
                facts.append((step.rule, number))
    return Typed(name, tuple(points), tuple(facts), tuple(open_rules))


def no_line(key: str, rules: Mapping[str, Sentence]) -> Sentence:
    """Return a message that no score line has the id `key`; it names the most similar of `rules`, or all of them."""
    near = nearest(key, rules)
    if near is not None:
        return say("There is no line {line}. Did you mean {nearest}?", line=shown(key), nearest=near)
    return say("There is no line {line}. Choose from {lines}.", line=shown(key), lines=in_a_row(list(rules)))
