"""The base classes of all kinds of input: `Kind`, and `Painted` for boards that are painted."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from wtforms import Field
from wtforms.form import BaseForm

from scorer.contract import BoardInput, Cell, Choice, Input, Json
from webapp.table.paths import ABSENT

Asked = TypeVar("Asked", bound=Input)
Leaf = tuple[str, Any, Any]  # a field: its name, the field itself, and what it shows


class Kind(ABC, Generic[Asked]):
    """An input as one of its kind. Most kinds have one field."""

    of: ClassVar[type[Input]]  # the class of the inputs that it draws
    template: ClassVar[str]  # its macro `edit` draws the fields; for a board, `picture` draws it to look at
    has_fields: ClassVar[bool] = True  # else a page of the game's own edits the value as a whole
    is_board: ClassVar[bool] = False  # drawn above the fields, and kept in step with the taps by a script
    names_players: ClassVar[bool] = False  # the value is about those who sit at the table tonight

    def __init__(self, asked: Asked) -> None:
        self.asked = asked

    def leaves(self, value: Json) -> Iterator[Leaf]:
        """Yield its fields, with what they show for the value so far; None if there is none."""
        yield self.asked.name, self.field(), value

    def ticked(self, value: Json) -> Iterator[tuple[str, str]]:  # noqa: ARG002, most kinds have no box
        """Its boxes that have a tick then: the name and the value of each."""
        yield from ()

    def read(self, form: BaseForm) -> Json:
        """The value that its fields hold, ABSENT if they are blank."""
        return self.entered(form[self.asked.name])

    def in_short(self, value: Json) -> str:
        """The value in a letter or two, as a small square has room for it; "" if there is nothing to show."""
        return "" if value is ABSENT else str(value)

    def field(self) -> Any:
        """The only field, for kinds that have one."""
        raise NotImplementedError

    def entered(self, field: Field) -> Json:
        """The value that the only field holds."""
        return ABSENT if field.data is None else field.data


class Painted(Kind[BoardInput]):
    """A board with one of the choices on every square. Its field shows a dictionary: what lies on which square."""

    is_board = True

    @abstractmethod
    def cells(self) -> Sequence[Sequence[Cell]]:
        """The names of its squares, row by row."""

    @abstractmethod
    def squares(self, value: Json) -> Sequence[Sequence[Choice]]:
        """Return what lies on each square, row by row; what is no choice of the palette is the first choice,
        nothing.
        """

    @abstractmethod
    def placed(self, value: Json) -> Iterator[tuple[Cell, str]]:
        """Each square that the record has, and the piece on it: what statistics count."""

    @abstractmethod
    def varied(self, value: Json, chance: random.Random) -> Json:
        """The board with one small change, for the tables of a demo club."""
