"""Card boxes: cards that nobody has listed, described once by the people who hold them and picked again by name.

A game with such cards says in `Game.cardbox` what its box can hold. Boxes and the things in them are plain JSON, and
all functions are pure: the pages and the command line keep boxes, games understand them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from scorer.contract import Json, Problem
from scorer.sentences import Sentence

Box = dict[str, Json]
Item = dict[str, Json]
Key = tuple[str, str]  # kind and name


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two descriptions of one name that contradict each other, and the fields in which they do."""

    kind: str
    name: str
    fields: tuple[str, ...]
    mine: Item
    theirs: Item


@dataclass(frozen=True, slots=True)
class Merge:
    """A box after an import. With an error nothing was taken; of a conflict mine was kept, unless theirs was chosen."""

    box: Box
    added: tuple[Key, ...] = ()
    completed: tuple[Key, ...] = ()
    replaced: tuple[Key, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class CardBox:
    """What a game does with the cards its players describe."""

    kinds: Mapping[str, Sentence]  # the lists of a box, and the words for what is in them
    empty: Callable[[], Box]
    export: Callable[[Json], tuple[Box, list[Problem]]]
    merge: Callable[[Json, Json, Collection[Key]], Merge]
    described: Callable[[str, Json], tuple[Item | None, list[Problem]]]  # a thing of a record as the box keeps it
    put: Callable[[Json, str, Item], Merge]
    remove: Callable[[Box, str, str], Box]
    summary: Callable[[str, Item], Sentence]  # what a thing of the box is, in a few words
    is_named: Callable[[Json], bool]  # whether people have chosen that name, so that it tells a thing from others
