"""Define the parts of a result: problems, and each player's lines, tie-breaks and open facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from scorer import spans
from scorer.contract.inputs import Cell, Json
from scorer.sentences import NOTHING, Sentence
from scorer.spans import Span

UNKNOWN = "unknown"  # marks a fact in a record that nobody has counted or remembers


@dataclass(frozen=True, slots=True)
class Problem:
    """Describe one fault in words that a player can act on, with the JSON Pointer of the faulty value."""

    code: str
    message: Sentence
    where: str = ""
    level: Literal["error", "warning"] = "error"


class StateError(ValueError):
    """Report that a record cannot be read. `state` is the readable part, so that it can be checked too."""

    def __init__(self, problems: Iterable[Problem], state: Any = None) -> None:
        self.problems = tuple(problems)
        self.state = state
        super().__init__("; ".join(f"{p.where or '/'}: {p.message}" for p in self.problems))


@dataclass(frozen=True, slots=True)
class Line:
    """Hold one row of the score sheet.

    `item` is the untranslated name of the card that the line is about, or "" if there is none. Histories store rule and
    item, but not the label.
    """

    rule: str
    label: Sentence
    points: int
    why: Sentence
    cells: tuple[Cell, ...] = ()
    cite: Sentence = NOTHING
    item: str = ""
    span: Span | None = None  # set if the line depends on an open fact; `points` are then the certain ones


@dataclass(frozen=True, slots=True)
class TieBreak:
    """Hold one player's value for one step of the tie-breaks; `value` is None until it is entered at `where`.

    UNKNOWN means that nobody remembers the value. Then this step decides nothing between players tied with this one.
    """

    rule: str
    value: int | str | None
    why: Sentence = NOTHING
    where: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """Name a fact that changes the points and is not entered yet; `where` is its place in the record.

    `label` asks for the fact in words if the input alone does not say which of several facts is meant.
    """

    input: str
    player: str
    where: str
    label: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class Sheet:
    """Hold one player's score sheet. The total is the sum of the lines."""

    player: str
    lines: tuple[Line, ...]
    tiebreaks: tuple[TieBreak, ...] = ()
    needs: tuple[Missing, ...] = ()
    rating: Sentence = NOTHING
    can_win: bool = True  # False if no answer to an open fact would make this player win
    span: Span | None = None  # of the total, if more is known about it than about its lines

    @property
    def total(self) -> int:
        return sum([line.points for line in self.lines])

    @property
    def range(self) -> Span:
        """Return the least and the most that the total can be once every open fact is known."""
        if self.span is not None:
            return self.span
        return spans.total([line.span or (line.points, line.points) for line in self.lines])

    @property
    def is_final(self) -> bool:
        """Return whether all lines and the total are certain, because they depend on no open fact."""
        return self.span is None and all(line.span is None for line in self.lines)


@dataclass(frozen=True, slots=True)
class OpenFact:
    """Name a place of the record that says UNKNOWN, and list every value that may replace it."""

    where: str
    input: str
    player: str
    label: Sentence
    values: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """Describe one step of the tie-breaks: its id, its label, and whether the lowest or the highest value wins."""

    rule: str
    label: Sentence
    prefers: Literal["fewest", "most"]  # "fewest" also means the earliest or the first
    kind: Literal["number", "date"] = "number"  # the kind of input that asks for it
    forgettable: bool = False  # a record may say UNKNOWN; then the next step decides
    # If only the order matters, the form asks for it instead of the values. `order` is the path below the table of the
    # list of names, best first. `question` asks for its first name.
    order: str = ""
    question: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class Fact:
    """Hold the words for a fact that a result may ask for: `label` stands alone, `within` stands inside a sentence."""

    label: Sentence
    within: Sentence
