"""Read and score players who enter only their scoring cards and residents, as on the paper score pad.

    {"name": "Ann", "cards": [{"type": "per", "points": 2, "seen": 3}, {"type": "flat", "points": 4}],
     "residents": [{"name": "Carpenter", "type": "typed", "points": 6}], "completed_streets": 1}

`cards` replaces `streets`. It is unknown where the cards lie, so nothing checks how many targets they see. The points
of residents are typed, and completed streets are only asked for if a tie depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.contract import UNKNOWN, Json, Line
from scorer.games.tenby.conditions import PRINTED_CITE, PRINTED_POINTS, with_name
from scorer.games.tenby.names import named
from scorer.games.tenby.town import CARD_POINTS, Resident
from scorer.games.tenby.town_record import SCORE_TYPES, dump_held, is_open, read_resident, read_title, read_type
from scorer.record import POINTS, STILL_TO_COUNT, Reader
from scorer.sentences import say
from scorer.spans import Span

SCORING_CARDS = say("Scoring cards")
COMPLETED = "completed_streets"


@dataclass(frozen=True, slots=True)
class QuickCard:
    """Hold the points and the number of targets of a scoring card; with a printed number, `seen` is None."""

    points: int
    seen: int | None
    name: str = ""
    open: bool = False  # the count is UNKNOWN

    @property
    def total(self) -> int:
        return self.points if self.seen is None else self.points * self.seen


@dataclass(frozen=True, slots=True)
class Quick:
    """Hold a player who entered only scoring cards and residents."""

    name: str
    cards: tuple[QuickCard, ...]
    residents: tuple[Resident, ...]
    completed_streets: int | None


def read_quick(player: Reader, name: str) -> Quick:
    cards = tuple(read_card(card) for card in player.elements("cards"))
    residents = tuple(read_typed_resident(each) for each in player.elements("residents", required=False))
    completed = None if is_open(player, COMPLETED) else player.number(COMPLETED, 0, POINTS, default=None)
    return Quick(name, cards, residents, completed)


def read_card(card: Reader) -> QuickCard:
    card.as_object()
    kind = read_type(card, {**SCORE_TYPES, "per": "seen"})
    points = card.number("points", 0, CARD_POINTS)
    is_unknown = kind == "per" and is_open(card, "seen")
    seen = None if kind == "flat" else 0 if is_unknown else card.number("seen", 0, CARD_POINTS)
    return QuickCard(points, seen, read_title(card) if card.has("name") else "", is_unknown)


def read_typed_resident(resident: Reader) -> Resident:
    """Read a resident of a player without streets; it is a fault if its points are not entered by hand."""
    found = read_resident(resident)
    if found.type != "typed":
        message = say(
            "Enter the points of {resident}. Without streets we can’t count them.", resident=named(found.name)
        )
        resident.fail("missing_field", message, f"{resident.where}/points")
    return found


def quick_lines(player: Quick) -> Iterator[Line]:
    """Yield a score line for each scoring card of the player."""
    for card in player.cards:
        label = PRINTED_POINTS if card.seen is None else SCORING_CARDS
        why = (
            say("{points} printed", points=card.points)
            if card.seen is None
            else say("{seen} seen, {points} each", seen=card.seen, points=card.points)
        )
        span: Span | None = (0, None) if card.open and card.points else None
        if span:
            why = STILL_TO_COUNT
        yield Line("card", label, card.total, with_name(card.name, [why]), (), PRINTED_CITE, card.name, span)


def dump_quick(player: Quick) -> dict[str, Json]:
    record: dict[str, Json] = {
        "name": player.name,
        "cards": [dump_card(card) for card in player.cards],
        "residents": [dump_held(resident) for resident in player.residents],
    }
    return record if player.completed_streets is None else record | {COMPLETED: player.completed_streets}


def dump_card(card: QuickCard) -> dict[str, Json]:
    record: dict[str, Json] = {"name": card.name} if card.name else {}
    if card.seen is None:
        return record | {"type": "flat", "points": card.points}
    return record | {"type": "per", "points": card.points, "seen": UNKNOWN if card.open else card.seen}
