"""Define boards that are painted square by square from a palette, stored as rows of values or of letters."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import ClassVar

from wtforms.form import BaseForm

from scorer.contract import Cell, Choice, GridInput, Input, Json, LettersInput
from scorer.grid import name as square_name
from webapp.table.kinds.fields import BoardField
from webapp.table.kinds.kind import Leaf, Painted

SWAPS = 0.4  # share of random changes that swap two squares; the others repaint one


@functools.cache
def names_of_squares(rows: int, columns: int) -> Sequence[Sequence[Cell]]:
    """Return the names of the squares in a tuple for each row. For 2 by 2 that is (("A1", "B1"), ("A2", "B2"))."""
    return tuple(tuple(square_name((row, column)) for column in range(columns)) for row in range(rows))


class Grid(Painted):
    of: ClassVar[type[Input]] = GridInput
    template = "kinds/board.html"

    def leaves(self, value: Json) -> Iterator[Leaf]:
        name, (rows, columns) = self.asked.name, self.asked.size
        squares = product(range(rows), range(columns))
        shown = {f"{name}/{row}/{column}": str(self.piece(value, row, column)) for row, column in squares}
        yield name, BoardField(self.asked.choices, label=self.asked.label), shown

    def read(self, form: BaseForm) -> Json:
        values = {str(choice.value): choice.value for choice in self.asked.choices}
        pieces = [values.get(piece, piece or None) for piece in form[self.asked.name].data.values()]
        columns = self.asked.size[1]
        return self.written([pieces[start : start + columns] for start in range(0, len(pieces), columns)])

    def written(self, rows: list[list[Json]]) -> Json:
        """Return the board's `rows` of pieces as records have them: as lists of values, or a text for each row."""
        return rows

    def cells(self) -> Sequence[Sequence[Cell]]:
        return self.asked.cells or names_of_squares(*self.asked.size)

    def squares(self, value: Json) -> Sequence[Sequence[Choice]]:
        by_value = {choice.value: choice for choice in self.asked.choices}
        nothing, (rows, columns) = self.asked.choices[0], self.asked.size
        return [
            [by_value.get(self.piece(value, row, column), nothing) for column in range(columns)] for row in range(rows)
        ]

    def piece(self, value: Json, row: int, column: int) -> Json:
        """Return the piece at this row and column, from 0, of the board `value`; the first choice outside the board."""
        try:
            return value[row][column]
        except (IndexError, KeyError, TypeError):
            return self.asked.choices[0].value

    def placed(self, value: Json) -> Iterator[tuple[Cell, str]]:
        for cells, pieces in zip(self.cells(), value, strict=False):
            for cell, piece in zip(cells, pieces, strict=False):
                yield cell, str(piece)

    def varied(self, value: Json, chance: random.Random) -> Json:
        """Return the board with a random change: two squares swapped, or one repainted."""
        rows = [list(row) for row in value]
        one, other = ((row, chance.randrange(len(rows[row]))) for row in chance.choices(range(len(rows)), k=2))
        if chance.random() < SWAPS:
            rows[one[0]][one[1]], rows[other[0]][other[1]] = rows[other[0]][other[1]], rows[one[0]][one[1]]
        else:
            rows[one[0]][one[1]] = chance.choice(self.asked.pieces).value
        return self.written(rows)


class Letters(Grid):
    of = LettersInput

    def written(self, rows: list[list[Json]]) -> Json:
        return ["".join(map(str, row)) for row in rows]


KINDS = (Grid, Letters)
