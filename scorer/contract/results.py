"""Results of a game: its problems, and each player's lines, tie-breaks and open questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from scorer import spans
from scorer.contract.inputs import Cell, Json
from scorer.sentences import NOTHING, Sentence
from scorer.spans import Span

UNKNOWN = "unknown"  # stands in a record for a fact that nobody has counted, or that nobody remembers


@dataclass(frozen=True, slots=True)
class Problem:
    """Describe one fault, in words a player can act on, with the JSON Pointer of the value it concerns."""

    code: str
    message: Sentence
    where: str = ""
    level: Literal["error", "warning"] = "error"


class StateError(ValueError):
    """The record cannot be read. `state` is what could be read all the same, so that it can be checked too."""

    def __init__(self, problems: Iterable[Problem], state: Any = None) -> None:
        self.problems = tuple(problems)
        self.state = state
        super().__init__("; ".join(f"{p.where or '/'}: {p.message}" for p in self.problems))


@dataclass(frozen=True, slots=True)
class Line:
    """Hold one row of the paper score sheet.

    `item` is the own name of the card that the line is about, as the record or the box has it, in no language; "" where
    there is none. Histories keep rule and item, never the label.
    """

    rule: str
    label: Sentence
    points: int
    why: Sentence
    cells: tuple[Cell, ...] = ()
    cite: Sentence = NOTHING
    item: str = ""
    span: Span | None = None  # of a line that hangs on an open fact; `points` are those that are certain


@dataclass(frozen=True, slots=True)
class TieBreak:
    """Hold what a player brings to one rung of the ladder; `value` None if nobody has said, `where` to be said.

    UNKNOWN is a value, too: nobody can say, so that this rung decides nothing among those who are tied with her.
    """

    rule: str
    value: int | str | None
    why: Sentence = NOTHING
    where: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """A fact that changes the points and that nobody has entered; `where` it belongs.

    `label` asks for it in words where the input alone does not say which of several facts is meant.
    """

    input: str
    player: str
    where: str
    label: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class Sheet:
    """Hold one player's score sheet. The total is the sum of its lines and nothing else."""

    player: str
    lines: tuple[Line, ...]
    tiebreaks: tuple[TieBreak, ...] = ()
    needs: tuple[Missing, ...] = ()
    rating: Sentence = NOTHING
    can_win: bool = True  # False if no answer to what is asked would make her the winner
    span: Span | None = None  # of the total, where more is known of it than of its lines

    @property
    def total(self) -> int:
        return sum([line.points for line in self.lines])

    @property
    def range(self) -> Span:
        """The least and the most that the total can be once every open fact is known."""
        if self.span is not None:
            return self.span
        return spans.together([line.span or (line.points, line.points) for line in self.lines])

    @property
    def is_final(self) -> bool:
        """Return whether no open fact can change a line or the total."""
        return self.span is None and all(line.span is None for line in self.lines)


@dataclass(frozen=True, slots=True)
class OpenFact:
    """A place of the record that says UNKNOWN, and every value that may stand there instead."""

    where: str
    input: str
    player: str
    label: Sentence
    values: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A rung of the tie-break ladder: the id, the words for it, and which value wins."""

    rule: str
    label: Sentence
    prefers: Literal["fewest", "most"]  # the earliest and the first are "fewest"
    kind: Literal["number", "date"] = "number"  # how it is asked for
    forgettable: bool = False  # a record may say UNKNOWN instead: the next rung decides
    # Where only the order matters, it is asked for instead of the values: the list of names below the table that holds
    # it, the preferred one first, and the question whose answer is its first name.
    order: str = ""
    question: Sentence = NOTHING


@dataclass(frozen=True, slots=True)
class Fact:
    """The words for something a result may ask for: on its own, "Empty squares", and within a sentence."""

    label: Sentence
    within: Sentence
