"""Define a town: streets of cards, and residents.

Readable values stay, legal or not; `validate` judges them. A fact that a card does not mention counts as none, unless
the editor of towns still asks for it. UNKNOWN in a record means that nobody has counted a fact, so it never counts as
none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scorer.games.tenby.cards import (
    BOTH,
    SEA,
    Edges,
    Targets,
)

CARD_POINTS = 99  # no printed number has three digits
Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Flat:
    """Hold the score of a card with a printed number."""

    points: int


@dataclass(frozen=True, slots=True)
class Per:
    """Hold the score of a card that brings points for every target it sees."""

    targets: Targets
    points: int
    range: str
    direction: str = BOTH


@dataclass(frozen=True, slots=True)
class Card:
    """Hold a town card. `subtype` "" and `buildings` None mean that they are not entered.

    `open` has the facts that say UNKNOWN: the ids of features and icons, "buildings" and "subtype".
    """

    deck: str
    base: str
    edges: Edges
    subtype: str = ""
    buildings: tuple[str, ...] | None = None
    features: Counts = ()
    icons: Counts = ()  # only if a card shows more or fewer of an icon than usual
    score: Flat | Per | None = None
    name: str = ""
    open: frozenset[str] = frozenset()


Street = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Tier:
    """Hold the points of a resident for a street with at least this many targets."""

    at_least: int
    incomplete: int
    complete: int


@dataclass(frozen=True, slots=True)
class Resident:
    """Hold a resident card: type "single" scores one street by tiers, "each" scores one tier for every street. Type
    "typed" wants something that we cannot count, so players enter its points; None if they are UNKNOWN."""

    name: str
    type: str
    targets: Targets
    tiers: tuple[Tier, ...]
    points: int | None = None

    @property
    def ladder(self) -> list[Tier]:
        """Return the tiers from the lowest to the highest, whatever their order in the record."""
        return sorted(self.tiers, key=lambda tier: tier.at_least)


@dataclass(frozen=True, slots=True)
class Town:
    name: str
    streets: tuple[Street, ...]
    residents: tuple[Resident, ...]


def printed(resident: Resident) -> Resident:
    """Return a resident as printed: tiers from the lowest to the highest, and no points entered in a game."""
    return replace(resident, tiers=tuple(resident.ladder), points=None)


def is_completed(street: Sequence[Card]) -> bool:
    """Return whether the street has the sea at both ends (rulebook, Completed Streets); a single card never has."""
    return bool(street) and street[0].edges[0] == SEA and street[-1].edges[1] == SEA


def cell(street: int, card: int) -> str:
    """Return the name of a card, such as "1.2", for street index 0 and card index 1."""
    return f"{street + 1}.{card + 1}"
