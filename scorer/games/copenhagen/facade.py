"""Describe the house: 5 columns and 9 floors, its coats of arms, and its facade (rulebook, "Houses", "Score points").

Spaces are named by column, A to E from the left, and floor, 1 to 9 from the bottom: "A1" is bottom left. The ground
floor printed below the grid does not count. A set of spaces is a number with one bit for each space, A1 being the
lowest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scorer.sentences import Sentence, say

COLUMNS, FLOORS = 5, 9
COLUMN_NAMES = "ABCDE"
EMPTY, WINDOW, BRICK = ".", "W", "B"
Space = tuple[int, int]  # column and floor, both from 1
Spaces = int  # one bit for each space

BOTTOM: Spaces = (1 << COLUMNS) - 1
WHOLE: Spaces = (1 << COLUMNS * FLOORS) - 1
LEFT_EDGE: Spaces = sum(1 << COLUMNS * floor for floor in range(FLOORS))
RIGHT_EDGE: Spaces = LEFT_EDGE << COLUMNS - 1


def bit(space: Space) -> Spaces:
    column, floor = space
    return 1 << (floor - 1) * COLUMNS + column - 1


def is_on_house(space: Space) -> bool:
    column, floor = space
    return 1 <= column <= COLUMNS and 1 <= floor <= FLOORS


def each(spaces: Spaces) -> Iterator[Spaces]:
    """Yield the spaces one by one, from A1 on."""
    while spaces:
        lowest = spaces & -spaces
        yield lowest
        spaces ^= lowest


def name(space: Spaces) -> str:
    return NAMES[space.bit_length() - 1]


def names(spaces: Spaces) -> tuple[str, ...]:
    return tuple(name(space) for space in each(spaces))


def below(spaces: Spaces) -> Spaces:
    """Return the spaces directly below the given ones, without the given ones themselves."""
    return spaces >> COLUMNS & ~spaces


def regions(spaces: Spaces) -> list[Spaces]:
    """Return the groups of spaces that are connected by their sides."""
    found = []
    while spaces:
        region, before = spaces & -spaces, 0
        while region != before:
            before = region
            beside = (region & ~RIGHT_EDGE) << 1 | (region & ~LEFT_EDGE) >> 1
            region |= (beside | region << COLUMNS | region >> COLUMNS) & spaces
        found.append(region)
        spaces ^= region
    return found


NAMES = tuple(f"{COLUMN_NAMES[at % COLUMNS]}{at // COLUMNS + 1}" for at in range(COLUMNS * FLOORS))
COAT_SPACES: Spaces = sum(bit(space) for space in ((3, 3), (5, 5), (2, 7), (4, 9)))  # as printed; all houses are alike
FLOOR_SPACES = tuple(BOTTOM << COLUMNS * floor for floor in range(FLOORS))
COLUMN_SPACES = tuple(LEFT_EDGE << column for column in range(COLUMNS))
COAT_FLOORS = tuple(FLOOR_SPACES[floor - 1] for floor in (2, 4, 6))


def coats_earned(filled: Spaces) -> int:
    """Return the special actions earned: one for each covered coat of arms and each finished coat-of-arms floor."""
    earned = (filled & COAT_SPACES).bit_count()
    for floor in COAT_FLOORS:
        earned += filled & floor == floor
    return earned


@dataclass(frozen=True, slots=True)
class Facade:
    windows: Spaces = 0
    bricks: Spaces = 0

    @property
    def filled(self) -> Spaces:
        return self.windows | self.bricks

    @property
    def empty_spaces(self) -> int:
        return COLUMNS * FLOORS - self.filled.bit_count()


def from_rows(rows: Sequence[str]) -> Facade:
    """Return the facade for nine rows of five letters, the top floor first: W window, B brickwork, "." empty."""
    letters = "".join(reversed(rows))
    windows = sum(1 << at for at, letter in enumerate(letters) if letter == WINDOW)
    bricks = sum(1 << at for at, letter in enumerate(letters) if letter == BRICK)
    return Facade(windows, bricks)


def to_rows(facade: Facade) -> tuple[str, ...]:
    """Return the facade as nine rows of five letters, the top floor first: W window, B brickwork, "." empty."""
    letters = "".join(
        WINDOW if facade.windows >> at & 1 else BRICK if facade.bricks >> at & 1 else EMPTY
        for at in range(COLUMNS * FLOORS)
    )
    return tuple(letters[COLUMNS * floor :][:COLUMNS] for floor in reversed(range(FLOORS)))


@dataclass(frozen=True, slots=True)
class Section:
    """Describe a floor or a column, and its points when it is finished."""

    kind: str  # "floor" or "column"
    name: str  # "3", "B"
    spaces: Spaces
    points: int
    points_all_windows: int
    rule: str
    rule_all_windows: str

    @property
    def title(self) -> Sentence:
        return say("Floor {name}", name=self.name) if self.kind == "floor" else say("Column {name}", name=self.name)

    def is_all_windows(self, facade: Facade) -> bool:
        return facade.windows & self.spaces == self.spaces

    def worth(self, facade: Facade) -> int:
        """Return the points of this floor or column on the facade, 0 as long as one of its spaces is empty."""
        if facade.filled & self.spaces != self.spaces:
            return 0
        return self.points_all_windows if self.is_all_windows(facade) else self.points

    def rule_on(self, facade: Facade) -> str:
        """Return the id of the score line for this floor or column on the facade, such as "window_floors"."""
        return self.rule_all_windows if self.is_all_windows(facade) else self.rule


# Sections of only windows score double; sections of only brickwork do not (rulebook, "Score points").
SECTIONS = (
    *(Section("floor", str(at), spaces, 1, 2, "floors", "window_floors") for at, spaces in enumerate(FLOOR_SPACES, 1)),
    *(
        Section("column", letter, spaces, 2, 4, "columns", "window_columns")
        for letter, spaces in zip(COLUMN_NAMES, COLUMN_SPACES, strict=True)
    ),
)


def points(facade: Facade) -> int:
    return sum(section.worth(facade) for section in SECTIONS)


def union(spaces: Iterable[Spaces]) -> Spaces:
    joined = 0
    for some in spaces:
        joined |= some
    return joined
