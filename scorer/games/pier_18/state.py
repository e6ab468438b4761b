"""Define the state of a finished game of Pier 18, and read and write its record.

A pier is entered as `rows`, its visible sections, or as `cards`: [{"sections": ["S.", ".P"], "covers": 1}], from the
foundation to the plan. The last player's patrons follow from those of the others. Readable values stay as entered, even
if illegal, so that `validate` can report every fault at once. None stands for missing values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.contract import Fact, Json, Step
from scorer.games.pier_18.assembly import Card, assemble, read_cards, read_rows
from scorer.games.pier_18.cards import PATRONS, PLAN_POINTS
from scorer.games.pier_18.pier import ACROSS
from scorer.games.pier_18.plan import Plan, dump_plan, read_plan
from scorer.record import POINTS, Reader, Typed, as_seated, read_players, read_record, shown
from scorer.sentences import say

GAME_ID = "pier_18"
PLAYERS = range(2, 4)
RULES = {
    "flower_sellers": say("Flower sellers"),
    "poets": say("Poets"),
    "lovers": say("Lovers"),
    "fishers": say("Fishers"),
    "patrons": say("Patrons"),
    "plan": say("Plan"),
}
# Nothing on a pier takes points away (rulebook, scoring).
LIMITS = {rule: range(POINTS + 1) for rule in (*RULES, "total")} | {"patrons": range(max(PATRONS.values()) + 1)}
LADDER = (
    Step("symbols", say("most symbols on the pier"), "most"),
    Step(
        "plan_date",
        say("earliest date on the plan"),
        "fewest",
        kind="date",
        order="plan_order",
        question=say("Whose plan shows the earlier date?"),
    ),
)
FACTS = {
    "symbols": Fact(say("Symbols"), say("symbols")),
    "plan_date": Fact(say("Plan date"), say("plan date")),
}


@dataclass(frozen=True, slots=True)
class Builder:
    """Hold what one player entered: a pier, the number of patrons, and a plan."""

    name: str
    sections: tuple[str, ...] | None  # the rows, if they were entered instead of cards
    cards: tuple[Card, ...] | None
    patrons: int | None
    plan: Plan

    @property
    def rows(self) -> tuple[str, ...]:
        """Return the visible sections of the pier from the shore on. Each is a text of two letters, for left and right:
        "S." is a flower seller and an empty space."""
        return assemble(self.cards) if self.cards is not None else self.sections or ()


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Builder | Typed, ...]
    sections_per_card: int | None = None
    lovers_across: str | None = None
    plan_points: int | None = None
    plan_order: tuple[str, ...] = ()  # the players whose plans were compared, earliest date first

    @property
    def builders(self) -> list[tuple[int, Builder]]:
        """Return the seat and the entry of each player who entered a pier."""
        return [(index, player) for index, player in enumerate(self.players) if isinstance(player, Builder)]

    def points_of(self, plan: Plan) -> int:
        """Return the points of a plan: as entered, else as on its card, as set for the table, or PLAN_POINTS."""
        printed = None if plan.card is None else plan.card.points
        amounts = (plan.points, printed, self.plan_points, PLAN_POINTS)
        return next(amount for amount in amounts if amount is not None)

    @property
    def each_card_has(self) -> int | None:
        """Return how many sections each card has: as entered, or else as most entered cards have; None if unknown."""
        if self.sections_per_card is not None:
            return self.sections_per_card if self.sections_per_card >= 1 else None
        counts: list[int] = []
        for _, builder in self.builders:
            counts += [len(card.sections) for card in builder.cards or () if card.sections]
            if builder.plan.card is not None and builder.plan.card.sections:
                counts.append(len(builder.plan.card.sections))
        return max(dict.fromkeys(counts), key=counts.count) if counts else None

    @property
    def days(self) -> list[tuple[int, str]]:
        """Return pairs of seat and date for all plans whose date is known."""
        days = [
            (index, player.plan.day if isinstance(player, Builder) else dict(player.facts).get("plan_date"))
            for index, player in enumerate(self.players)
        ]
        return [(index, day) for index, day in days if isinstance(day, str)]

    @property
    def compared(self) -> tuple[str, ...]:
        """Return the players whose plans were compared, earliest date first; () if the dates are known."""
        known = {self.players[index].name for index, day in self.days if day not in self.doubled_days}
        return () if known.issuperset(self.plan_order) else self.plan_order

    @property
    def doubled_days(self) -> set[str]:
        """Return dates that two plans have; since all cards differ, at least one was misread."""
        days = [day for _, day in self.days]
        return {day for day in days if days.count(day) > 1}

    def patrons_of(self, index: int) -> int | None:
        """Return how many patrons the player in seat `index` has, or None if unknown. Without an entered number, it is
        what the others leave, because each round awards one patron."""
        player = self.players[index]
        mine = player.patrons if isinstance(player, Builder) else player.of("patrons")
        return self.patrons_left(index) if mine is None and isinstance(player, Builder) else mine

    def patrons_left(self, index: int) -> int | None:
        """Return how many patrons the player in seat `index` must have, given those of the others. Return None if these
        do not decide it."""
        awarded = PATRONS.get(len(self.players))
        rivals = [player for place, player in enumerate(self.players) if place != index]
        others = [player.patrons if isinstance(player, Builder) else player.of("patrons") for player in rivals]
        known = [patrons for patrons in others if patrons is not None]
        if awarded is None or sum(known) > awarded or any(patrons < 0 for patrons in known):
            return None
        left = awarded - sum(known)
        return left if left == 0 or len(known) == len(others) else None


def load(record: Json) -> State:
    """Read a record, or raise StateError with every fault."""
    reader = read_record(record, GAME_ID)
    table = reader.object("table")
    state = State(
        players=read_players(reader, PLAYERS, RULES, LADDER, read_builder),
        sections_per_card=table.amount("sections_per_card"),
        lovers_across=table.choice("lovers_across", ACROSS, default=None),
        plan_points=table.amount("plan_points"),
    )
    state = replace(state, plan_order=read_plan_order(table, state.players))
    reader.finish(state)
    return state


def read_plan_order(table: Reader, players: Sequence[Builder | Typed]) -> tuple[str, ...]:
    """Return the players whose plans were compared, earliest date first. A name that is wrong or repeated is noted as a
    fault."""
    order, names = [], [player.name for player in players]
    for entry in table.elements("plan_order", required=False):
        name = as_seated(entry.as_text(), players)
        if name not in names or name in order:
            entry.fail(
                "plan_order", say("Enter each player of this game once. You entered {value}.", value=shown(name))
            )
        order.append(name)
    return tuple(order)


def read_builder(player: Reader, name: str) -> Builder:
    sections, cards = player.child("rows"), player.child("cards")
    return Builder(
        name=name,
        sections=None if sections is None else read_rows(sections),
        cards=None if cards is None else read_cards(cards.as_list()),
        patrons=player.amount("patrons"),
        plan=read_plan(player.object("plan")),
    )


def dump(state: State) -> Json:
    """Return the record that `load` reads as this state; fields that nobody entered are left out."""
    table = {
        "sections_per_card": state.sections_per_card,
        "lovers_across": state.lovers_across,
        "plan_points": state.plan_points,
        "plan_order": list(state.plan_order) or None,
    }
    return {"game": GAME_ID, "table": entered(table), "players": [dump_player(player) for player in state.players]}


def dump_player(player: Builder | Typed) -> dict[str, Json]:
    if isinstance(player, Typed):
        return player.dump()
    return entered(
        {
            "name": player.name,
            "rows": None if player.sections is None else list(player.sections),
            "cards": None if player.cards is None else [dump_card(card) for card in player.cards],
            "patrons": player.patrons,
            "plan": dump_plan(player.plan),
        }
    )


def dump_card(card: Card) -> dict[str, Json]:
    return {"sections": list(card.sections), "covers": card.covers}


def entered(fields: dict[str, Any]) -> dict[str, Json]:
    return {key: value for key, value in fields.items() if value is not None}
