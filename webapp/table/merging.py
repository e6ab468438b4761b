"""Merge the changes that two phones made to the same version of a board, square by square.

The players only have to choose where both phones changed the same value differently. Texts for rows of squares are
merged letter by letter. Any other text, and a list whose length has changed, is merged as one value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.contract import Cell, Choice, Input, Json
from scorer.sentences import Sentence
from webapp.table import forms, kinds
from webapp.table.json_paths import ABSENT, get, steps
from webapp.table.kinds.board import Letters

Path = tuple[str, ...]
Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Merged:
    """Hold a player's state in two versions, both with the changes of both phones. Where the changes conflict, `theirs`
    has the other phone's values and `mine` has this phone's."""

    theirs: dict[str, Any]
    mine: dict[str, Any]


def merge(inputs: Sequence[Input], base: dict[str, Any], mine: dict[str, Any], theirs: dict[str, Any]) -> Merged:
    """Merge two changes of the state `base`: this phone's, `mine`, and the other phone's, `theirs`. Values that an
    unchanged form of `base` would post, such as defaults, do not count as changes."""
    lettered = {steps(asked.name) for asked in inputs if isinstance(kinds.of(asked), Letters)}
    untouched = forms.read(inputs, forms.build(inputs, base), base)
    sides = [_merged(untouched, one, other, (), lettered) for one, other in ((mine, theirs), (theirs, mine))]
    return Merged(theirs=sides[0], mine=sides[1])


def _merged(base: Json, mine: Json, theirs: Json, path: Path, lettered: Collection[Path]) -> Json:
    """Return `theirs` with all changes in `mine` that do not conflict; both are changes of `base`. `path` is where
    these values are in the state. `lettered` are the paths of boards stored as texts, a letter for each square."""
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return _merged_objects(base if isinstance(base, dict) else {}, mine, theirs, path, lettered)
    sides = (base, mine, theirs)
    if all(isinstance(side, list) for side in sides):
        if len(base) == len(mine) == len(theirs):
            places = range(len(base))
            return [_merged(base[at], mine[at], theirs[at], (*path, str(at)), lettered) for at in places]
    elif path[:-1] in lettered and all(isinstance(side, str) and len(side) == len(theirs) for side in sides):
        return "".join(_merged(*three, (), ()) for three in zip(base, mine, theirs, strict=True))
    return theirs


def _merged_objects(base: Object, mine: Object, theirs: Object, path: Path, lettered: Collection[Path]) -> Object:
    found = {}
    for name in dict.fromkeys([*theirs, *mine]):
        old, one, other = (side.get(name, ABSENT) for side in (base, mine, theirs))
        value = _merged(old, one, other, (*path, name), lettered)
        if value is not ABSENT:
            found[name] = value
    return found


# -- differences for pages ---


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold one difference: the squares (`cells`) that changed to the piece `label` or, without squares, the changed
    field `label`."""

    label: Sentence
    cells: tuple[Cell, ...]


def differences(inputs: Sequence[Input], before: dict[str, Any], after: dict[str, Any]) -> list[Difference]:
    """Return how a player's states `before` and `after` differ. Changed squares are grouped by their new piece."""
    squares: dict[str, tuple[Choice, list[Cell]]] = {}
    others: dict[str, Sentence] = {}
    for asked in inputs:
        path = steps(asked.name)
        if get(before, path) == get(after, path):
            continue
        if kinds.painted([asked]):
            for cell, choice in _painted(asked, before, after):
                squares.setdefault(str(choice.value), (choice, []))[1].append(cell)
        else:
            others.setdefault(str(asked.label), asked.label)
    found = [Difference(choice.label, tuple(cells)) for choice, cells in squares.values()]
    return [*found, *(Difference(label, ()) for label in others.values())]


def _painted(asked: Input, before: dict[str, Any], after: dict[str, Any]) -> Iterator[tuple[Cell, Choice]]:
    """Yield the name of each square of the board `asked` that changed, with its new piece."""
    [board] = kinds.painted([asked])
    was, now = (board.squares(forms.begun(board, side)) for side in (before, after))
    for cells, old, new in zip(board.cells(), was, now, strict=True):
        yield from ((cell, after_) for cell, before_, after_ in zip(cells, old, new, strict=True) if before_ != after_)
