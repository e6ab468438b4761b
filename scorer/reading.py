"""Reads a record value by value and notes every fault with its JSON Pointer, instead of stopping at the first.

    record = read_record(json, "tiny_towns")
    table = record.object("table")
    mode = table.choice("mode", MODES, default="standard")
    players = read_players(record, GAME.players, GAME.rules, GAME.ladder, read_town)
    record.finish(state)              # unknown fields, and StateError if anything was wrong

A value that cannot be read is replaced by a legal stand-in, so that the rest of the record can be read and checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from scorer.contract import UNKNOWN, Json, Line, Problem, Sheet, StateError, Step, TieBreak
from scorer.names import folded, is_writable
from scorer.sentences import NOTHING, Sentence, in_a_row, say

MAX_NAME = 40
MOST_ELEMENTS = 100  # of a list or of an object with names of its own; no table holds so many of anything
TOTAL = "total"  # the one line of somebody of whom only the total is known
TOTAL_LABEL = say("Total")
TYPED_IN = say("typed in")  # the reason of a line whose total a player typed
POINTS = 999  # no line of any of our games comes near; it keeps typed numbers sane
DAYS_IN_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
# The templates of what `wording` can say in the words of a form.
MISSING = "Enter “{field}”: it is missing."
RANGE = "Enter a whole number from {low} to {high}; this is {value}."
CHOOSE = "Choose one of {options}; this is {value}."
T = TypeVar("T")


class _Required:
    """Marks a field without a default. (None is a default some fields really have.)"""


REQUIRED = _Required()


Place = tuple["Place | None", str]  # the place of the object or list that holds a value, and the step from there


class Reader:
    """One value of the record, where it stands, and the list that all faults go to."""

    __slots__ = ("_asked", "place", "problems", "value")

    def __init__(self, value: Json, place: Place | None = None, problems: list[Problem] | None = None) -> None:
        self.value = value
        self.place = place
        self.problems: list[Problem] = [] if problems is None else problems
        self._asked: dict[str, Reader] = {}

    @property
    def where(self) -> str:
        """The JSON Pointer. Few values need one, as most have no fault."""
        pointer, place = "", self.place
        while place is not None:
            place, step = place
            pointer = f"/{escape(step)}{pointer}"
        return pointer

    def fail(self, code: str, message: Sentence, where: str | None = None) -> None:
        self.problems.append(Problem(code, message, self.where if where is None else where))

    # -- fields of an object -----------------------------------------------------------------------------------

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def child(self, key: str, required: bool = False) -> Reader | None:
        """The field, or None if it is absent (a fault if it is required)."""
        found = self._asked.get(key)
        if found is None:
            if isinstance(self.value, dict) and key in self.value:
                found = self._asked[key] = Reader(self.value[key], (self.place, key), self.problems)
            elif required:
                message = say("Enter “{field}”: it is missing.", field=words(key))
                self.fail("missing_field", message, f"{self.where}/{escape(key)}")
        return found

    def number(self, key: str, low: int, high: int, default: Any = REQUIRED, code: str = "bad_number") -> Any:
        found = self.child(key, required=default is REQUIRED)
        if found is None:
            return low if default is REQUIRED else default
        return found.as_number(low, high, code)

    def amount(self, key: str) -> int | None:
        """A count, None if it is absent or no whole number; a negative one is kept, for `validate` to judge."""
        found = self.child(key)
        return None if found is None else found.as_amount()

    def choice(self, key: str, options: Sequence[str], default: Any = REQUIRED, code: str = "unknown_option") -> Any:
        found = self.child(key, required=default is REQUIRED)
        if found is None:
            return options[0] if default is REQUIRED else default
        return found.as_choice(options, code)

    def flag(self, key: str, default: Any = REQUIRED) -> Any:
        found = self.child(key, required=default is REQUIRED)
        if found is None:
            return False if default is REQUIRED else default
        return found.as_flag()

    def text(self, key: str, default: Any = REQUIRED, longest: int = MAX_NAME) -> Any:
        found = self.child(key, required=default is REQUIRED)
        if found is None:
            return "" if default is REQUIRED else default
        return found.as_text(longest)

    def object(self, key: str, required: bool = True) -> Reader:
        """The object under `key`; an empty one stands in for what is absent or something else."""
        found = self.child(key, required)
        if found is None:
            return Reader({}, (self.place, key), self.problems)
        found.as_object()
        return found

    def elements(self, key: str, required: bool = True, most: int = MOST_ELEMENTS) -> list[Reader]:
        """The elements of the list under `key`, of which there may be so many."""
        found = self.child(key, required)
        return [] if found is None else found.as_list(most)

    def entries(self, key: str) -> Iterator[tuple[str, Reader]]:
        """The fields of the object under `key`, when their names are not known beforehand."""
        found = self.child(key)
        if found is None:
            return
        found.as_object()
        for name in found.bounded(MOST_ELEMENTS):
            entry = found.child(name)
            assert entry is not None
            yield name, entry

    # -- the value itself --------------------------------------------------------------------------------------

    def as_number(self, low: int, high: int, code: str = "bad_number") -> int:
        if isinstance(self.value, int) and not isinstance(self.value, bool) and low <= self.value <= high:
            return self.value
        value = shown(self.value)
        message = say("Enter a whole number from {low} to {high}; this is {value}.", low=low, high=high, value=value)
        self.fail(code, message)
        return low

    def as_remembered(self, low: int, high: int) -> int | str:
        """A number, or that nobody remembers it."""
        return UNKNOWN if self.value == UNKNOWN else self.as_number(low, high)

    def as_amount(self) -> int | None:
        if isinstance(self.value, int) and not isinstance(self.value, bool) and abs(self.value) <= POINTS:
            return self.value
        self.as_number(0, POINTS)
        return None

    def as_choice(self, options: Sequence[str], code: str = "unknown_option") -> str:
        if isinstance(self.value, str) and self.value in options:
            return self.value
        value = shown(self.value)
        self.fail(code, say("Choose one of {options}; this is {value}.", options=in_a_row(options), value=value))
        return options[0]

    def as_flag(self) -> bool:
        if isinstance(self.value, bool):
            return self.value
        self.fail("unreadable", say("Answer true or false; this is {value}.", value=shown(self.value)))
        return False

    def as_text(self, longest: int = MAX_NAME) -> str:
        if isinstance(self.value, str) and len(self.value) <= longest:
            if is_writable(self.value):
                return self.value
            self.fail("unreadable", say("Type this text again: it holds a letter that nobody can see."))
            return ""
        value = shown(self.value)
        message = say("Enter plain text of at most {most} characters; this is {value}.", most=longest, value=value)
        self.fail("unreadable", message)
        return ""

    def as_date(self) -> str:
        """A day of the year, "MM-DD"; years play no part in any game."""
        if isinstance(self.value, str) and is_day(self.value):
            return self.value
        value = shown(self.value)
        self.fail("bad_date", say("Enter a day of the year as MM-DD, like 06-14; this is {value}.", value=value))
        return "01-01"

    def as_object(self) -> None:
        if not isinstance(self.value, dict):
            value = shown(self.value)
            self.fail("unreadable", say("An object with named fields belongs here; this is {value}.", value=value))
            self.value = {}

    def bounded(self, most: int) -> list[Any]:
        """The elements of a list or the keys of an object. More than can lie on any table are a fault, and not read."""
        if len(self.value) > most:
            message = say("There is room for {most} here at most, not for {number}.", most=most, number=len(self.value))
            self.fail("too_many", message)
            self.value = self.value[:most] if isinstance(self.value, list) else {}
        return list(self.value)

    def as_list(self, most: int = MOST_ELEMENTS) -> list[Reader]:
        """The elements, of which there may be so many."""
        if not isinstance(self.value, list):
            self.fail("unreadable", say("A list belongs here; this is {value}.", value=shown(self.value)))
            return []
        for index, element in enumerate(self.bounded(most)):
            self._asked.setdefault(str(index), Reader(element, (self.place, str(index)), self.problems))
        return list(self._asked.values())

    # -- the end -----------------------------------------------------------------------------------------------

    def finish(self, state: Any) -> None:
        """Note fields nobody asked for, here and below, and raise what was found, if anything was."""
        self._note_unknown()
        if self.problems:
            raise StateError(self.problems, state)

    def _note_unknown(self) -> None:
        for asked in self._asked.values():
            if asked._asked or isinstance(asked.value, dict):
                asked._note_unknown()
        if isinstance(self.value, dict) and len(self._asked) < len(self.value):
            for key in self.value:
                if key not in self._asked:
                    message = say("Leave out {field}: nothing of that name belongs here.", field=shown(key))
                    self.fail("unknown_field", message, f"{self.where}/{escape(key)}")


def read_record(record: Json, game_id: str) -> Reader:
    """The outermost object, whose `game` must be the one that reads it."""
    reader = Reader(record)
    reader.as_object()
    reader.choice("game", (game_id,), code="unknown_game")
    return reader


@dataclass(frozen=True, slots=True)
class Typed:
    """A player whose board is already cleared: the totals of her lines, and tie-break facts under their own names."""

    name: str
    points: tuple[tuple[str, int], ...]
    facts: tuple[tuple[str, int | str], ...] = ()

    @property
    def is_total(self) -> bool:
        """Whether nothing but her total is known."""
        return self.of(TOTAL) is not None

    def of(self, rule: str) -> int | None:
        return dict(self.points).get(rule)

    def sheet(self, rules: Mapping[str, Sentence], ladder: Sequence[Step], where: str) -> Sheet:
        """Her lines as typed, in the order of the score pad."""
        typed, facts = dict(self.points), dict(self.facts)
        labels = {**rules, TOTAL: TOTAL_LABEL}
        lines = tuple(Line(rule, label, typed[rule], TYPED_IN) for rule, label in labels.items() if rule in typed)
        rungs = tuple(TieBreak(s.rule, facts.get(s.rule), NOTHING, f"{where}/{s.rule}") for s in ladder)
        return Sheet(self.name, lines, rungs)

    def dump(self) -> dict[str, Json]:
        return {"name": self.name, "typed": dict(self.points), **dict(self.facts)}


def read_players(
    record: Reader,
    count: range,
    rules: Mapping[str, Sentence],
    ladder: Sequence[Step],
    read_one: Callable[[Reader, str], T],
) -> tuple[T | Typed, ...]:
    """The players in clockwise order; `read_one(player, name)` reads the end state of one who has not typed hers."""
    seated = sequence(mapping(record.value).get("players"))
    if record.has("players") and isinstance(record.value["players"], list) and len(seated) not in count:
        record.fail("player_count", player_count(count, len(seated)), "/players")
    readers = record.elements("players", most=max(len(seated), 1))
    players: list[T | Typed] = []
    names: set[str] = set()
    # One player more than there may be keeps what depends on their number from being judged by a wrong one.
    for reader in readers[: count.stop]:
        reader.as_object()
        name = read_name(reader, names)
        players.append(read_typed(reader, name, rules, ladder) if reader.has("typed") else read_one(reader, name))
    for reader in readers[count.stop :]:
        reader.value = None  # too many already; what these extra players hold is not worth a list of faults
    return tuple(players)


def player_count(wanted: range, found: int) -> Sentence:
    if len(wanted) > 1:
        least, most = wanted[0], wanted[-1]
        return say("This game is for {least} to {most} players, not {found}.", least=least, most=most, found=found)
    return say("This game is for {wanted} players, not {found}.", wanted=wanted[0], found=found)


def read_name(player: Reader, taken: set[str]) -> str:
    """A name of 1 to 40 characters that nobody else at the table has; `taken` are the others', folded."""
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
        message = say("Two players are called {name}: add a letter to one of them.", name=name)
        found.fail("duplicate_name", message)
    taken.add(spelling)
    return str(name)


def name_fault(name: Json) -> Sentence:
    """What is wrong with a name, NOTHING if it is one."""
    if not (isinstance(name, str) and len(name) <= MAX_NAME and (folded(name) or not is_writable(name))):
        return say("Enter a name of 1 to {most} characters; this is {value}.", most=MAX_NAME, value=shown(name))
    if not is_writable(name):
        return say("Type this name again: it holds a letter that nobody can see.")
    return NOTHING


def are_named(players: Sequence[Any]) -> bool:
    """Whether every player's name could be read, and tells her from the others."""
    names = {folded(player.name) for player in players}
    return "" not in names and len(names) == len(players)


def as_seated(name: str, players: Sequence[Any]) -> str:
    """A name as its player is seated, however it is spelled here; as it is if nobody here bears it."""
    if not any(player.name == name for player in players):
        spelled = {folded(player.name): str(player.name) for player in players}
        return spelled.get(folded(name), name)
    return name


def read_typed(player: Reader, name: str, rules: Mapping[str, Sentence], ladder: Sequence[Step]) -> Typed:
    """Line totals, or one total of all, instead of an end state. Whether they can be is for `core` to say."""
    points = []
    for rule, amount in player.entries("typed"):
        if rule in rules or rule == TOTAL:
            points.append((rule, amount.as_number(-POINTS, POINTS)))
        else:
            lines = in_a_row(list(rules))
            message = say("There is no line {line}; the lines are {lines}.", line=shown(rule), lines=lines)
            amount.fail("unknown_field", message)
    if len(points) > 1 and TOTAL in dict(points):
        message = say("Enter the total alone, or the lines alone: the lines add up to a total by themselves.")
        player.fail("total_and_lines", message, f"{player.where}/typed/{TOTAL}")
    facts: list[tuple[str, int | str]] = []
    for step in ladder:
        fact = player.child(step.rule)
        if fact is not None:
            if step.kind == "date":
                facts.append((step.rule, fact.as_date()))
            else:
                number = fact.as_remembered(0, POINTS) if step.forgettable else fact.as_number(0, POINTS)
                facts.append((step.rule, number))
    return Typed(name, tuple(points), tuple(facts))


def is_day(text: str) -> bool:
    month, dash, day = text.partition("-")
    if not (dash and len(text) == 5 and text.isascii() and month.isdigit() and day.isdigit()):
        return False
    return 1 <= int(month) <= 12 and 1 <= int(day) <= DAYS_IN_MONTH[int(month) - 1]


def escape(key: str) -> str:
    """A key as one step of a JSON Pointer (RFC 6901)."""
    text = str(key)
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()  # half letters cannot be sent anywhere
    return text.replace("~", "~0").replace("/", "~1") if "~" in text or "/" in text else text


def mapping(value: Json) -> dict[str, Any]:
    """The object, or an empty one for anything else: what is half filled in is looked at before it can be read."""
    return value if isinstance(value, dict) else {}


def sequence(value: Json) -> list[Any]:
    """The list, or an empty one for anything else."""
    return value if isinstance(value, list) else []


def seated(record: Json) -> list[dict[str, Any]]:
    """What a record that may be half filled in has of each player."""
    return [mapping(player) for player in sequence(mapping(record).get("players"))]


def words(key: str) -> str:
    """The name of a field as it stands in a record, with blanks."""
    return key.replace("_", " ")


def shown(value: Json) -> Sentence:
    """A value as it may appear in a message: short, and safe to print."""
    if value is None:
        return say("nothing")
    if isinstance(value, dict | list):
        return say("an object") if isinstance(value, dict) else say("a list")
    if isinstance(value, int) and abs(value) > 10**12:
        return say("a huge number")
    text = str(value)[:31]
    if not is_writable(text):
        text = "".join(c if is_writable(c) else "\N{REPLACEMENT CHARACTER}" for c in text)
    return say("“{text}”", text=text if len(text) <= 30 else text[:29] + "…")
