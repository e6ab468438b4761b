"""Define the base classes of all kinds of input: `Kind`, and `Painted` for boards that are painted."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from wtforms import Field
from wtforms.form import BaseForm

from scorer.contract import BoardInput, Cell, Choice, Input, Json
from webapp.table.json_paths import ABSENT

Asked = TypeVar("Asked", bound=Input)
Leaf = tuple[str, Any, Any]  # a field's name, the field, and the value that it shows


class Kind(ABC, Generic[Asked]):
    """Wrap an input with the fields and behaviour of its kind. Most kinds have one field."""

    of: ClassVar[type[Input]]  # the class of inputs of this kind
    template: ClassVar[str]  # its macro `edit` draws the fields, and for boards `picture` draws the board
    has_fields: ClassVar[bool] = True  # otherwise the game's own page edits the value
    is_framed: ClassVar[bool] = True  # its fields, help and messages are a part of the page
    is_board: ClassVar[bool] = False  # it is drawn above the fields, and a script updates it
    names_players: ClassVar[bool] = False  # the value contains players' names

    def __init__(self, asked: Asked) -> None:
        self.asked = asked

    def leaves(self, value: Json) -> Iterator[Leaf]:
        """Yield for each field its name, the field, and what it shows when the input has this `value`; None means no
        value."""
        yield self.asked.name, self.field(), value

    def ticked(self, value: Json) -> Iterator[tuple[str, str]]:  # noqa: ARG002, most kinds have no box
        """Yield the name and value of each check box that is ticked when the input has this `value`."""
        yield from ()

    def read(self, form: BaseForm) -> Json:
        """Return the value in the form's fields, or ABSENT if they are blank."""
        return self.entered(form[self.asked.name])

    def in_short(self, value: Json) -> str:
        """Return a short text of the value for a small square, such as "3", or "" without a value."""
        return "" if value is ABSENT else str(value)

    def field(self) -> Any:
        """Return a new field for the input, for kinds that have only one field."""
        raise NotImplementedError

    def entered(self, field: Field) -> Json:
        """Return the value that was entered in the field, for kinds that have only one; ABSENT if it is blank."""
        return ABSENT if field.data is None else field.data


class Painted(Kind[BoardInput]):
    """Wrap a board where each square has one of the choices. Its field shows a dictionary from squares to pieces."""

    is_framed = False
    is_board = True

    @abstractmethod
    def cells(self) -> Sequence[Sequence[Cell]]:
        """Return the names of the squares, such as "A1", in a sequence for each row."""

    @abstractmethod
    def squares(self, value: Json) -> Sequence[Sequence[Choice]]:
        """Return the choice on each square, row by row. An unknown piece becomes the first choice: an empty square."""

    @abstractmethod
    def placed(self, value: Json) -> Iterator[tuple[Cell, str]]:
        """Yield the name of each square of the board `value` from a record, with the square's piece, for statistics."""

    @abstractmethod
    def varied(self, value: Json, chance: random.Random) -> Json:
        """Return the board with a small random change, for a demo club's tables."""
