"""A town: streets of cards, and the residents it pleases; read out of a record and written into one.

Whatever is legal or not but can be understood is kept; `validate` judges it. What a card does not mention it does not
show, unless the street builder still has to ask for it. A record says UNKNOWN where something was asked for and nobody
has counted it: that is never taken as none.
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
    """A card that is worth a number and looks at nothing."""

    points: int


@dataclass(frozen=True, slots=True)
class Per:
    """A card that pays for every target it sees."""

    targets: Targets
    points: int
    range: str
    direction: str = BOTH


@dataclass(frozen=True, slots=True)
class Card:
    """A town card. `subtype` "" and `buildings` None mean that nobody has said.

    `open` are the facts of which the record says that they are unknown: the ids of features and icons, "buildings" and
    "subtype".
    """

    deck: str
    base: str
    edges: Edges
    subtype: str = ""
    buildings: tuple[str, ...] | None = None
    features: Counts = ()
    icons: Counts = ()  # only where a card shows more or fewer of an icon than its kind
    score: Flat | Per | None = None
    name: str = ""
    open: frozenset[str] = frozenset()


Street = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Tier:
    """Hold what a resident pays for a street with at least so many."""

    at_least: int
    incomplete: int
    complete: int


@dataclass(frozen=True, slots=True)
class Resident:
    """A resident card: `single` looks at one street and has tiers, `each` pays one tier for every street.

    One that is `typed` asks for something that nothing of ours can count: its points are what somebody typed, None
    where they are unknown.
    """

    name: str
    type: str
    targets: Targets
    tiers: tuple[Tier, ...]
    points: int | None = None

    @property
    def ladder(self) -> list[Tier]:
        """The tiers from the lowest to the highest, in whatever order they were entered."""
        return sorted(self.tiers, key=lambda tier: tier.at_least)


@dataclass(frozen=True, slots=True)
class Town:
    """A player's streets and residents."""

    name: str
    streets: tuple[Street, ...]
    residents: tuple[Resident, ...]


def printed(resident: Resident) -> Resident:
    """A resident as it stands on its card: its tiers from the lowest to the highest, and no points that were typed."""
    return replace(resident, tiers=tuple(resident.ladder), points=None)


def is_completed(street: Sequence[Card]) -> bool:
    """The sea at both ends (rulebook, Completed Streets). No single card has it, so one card is never enough."""
    return bool(street) and street[0].edges[0] == SEA and street[-1].edges[1] == SEA


def cell(street: int, card: int) -> str:
    """The name of a card's place, from indices."""
    return f"{street + 1}.{card + 1}"
