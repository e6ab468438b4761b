"""A finished table of Pier 18 and its record.

A player's pier is entered as `rows`, the sections on show, or as `cards`: [{"sections": ["S.", ".P"], "covers": 1}],
from the foundation to the plan. What is of the right kind is kept as entered, however illegal, so that `validate` can
name every fault at once; None stands for what nobody has said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.contract import Fact, Json, Step
from scorer.games.pier_18.assembly import Card, assemble, read_cards
from scorer.games.pier_18.cards import PLAN_POINTS
from scorer.games.pier_18.pier import ACROSS
from scorer.reading import POINTS, Reader, Typed, read_players, read_record
from scorer.sentences import say

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
LIMITS = {rule: range(POINTS + 1) for rule in (*RULES, "total")}
LADDER = (
    Step("symbols", say("most symbols on the pier"), "most"),
    Step("plan_date", say("earliest date on the plan"), "fewest", kind="date"),
)
FACTS = {
    "symbols": Fact(say("Symbols"), say("symbols")),
    "plan_date": Fact(say("Plan date"), say("plan date")),
}


@dataclass(frozen=True, slots=True)
class Plan:
    achieved: bool
    points: int | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True)
class Builder:
    """A player's end state."""

    name: str
    sections: tuple[str, ...] | None  # the rows as entered, if the cards are not
    cards: tuple[Card, ...] | None
    patrons: int | None
    plan: Plan

    @property
    def rows(self) -> tuple[str, ...]:
        """The sections on show."""
        return assemble(self.cards) if self.cards is not None else self.sections or ()


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Builder | Typed, ...]
    sections_per_card: int | None = None
    lovers_across: str | None = None
    plan_points: int | None = None

    @property
    def builders(self) -> list[tuple[int, Builder]]:
        """The players whose end state was entered, with their places at the table."""
        return [(index, player) for index, player in enumerate(self.players) if isinstance(player, Builder)]

    def points_of(self, plan: Plan) -> int:
        """What a plan is worth: its own amount, the table's, or the usual one."""
        amounts = (plan.points, self.plan_points, PLAN_POINTS)
        return next(amount for amount in amounts if amount is not None)


def load(record: Json) -> State:
    """Read a record, or raise StateError with every fault met on the way."""
    reader = read_record(record, "pier_18")
    table = reader.object("table")
    state = State(
        players=read_players(reader, PLAYERS, RULES, LADDER, read_builder),
        sections_per_card=table.amount("sections_per_card"),
        lovers_across=table.choice("lovers_across", ACROSS, default=None),
        plan_points=table.amount("plan_points"),
    )
    reader.finish(state)
    return state


def read_builder(player: Reader, name: str) -> Builder:
    sections, cards, plan = player.child("rows"), player.child("cards"), player.object("plan")
    return Builder(
        name=name,
        sections=None if sections is None else tuple(row.as_text() for row in sections.as_list()),
        cards=None if cards is None else read_cards(cards.as_list()),
        patrons=player.amount("patrons"),
        plan=Plan(
            achieved=plan.flag("achieved"),
            points=plan.amount("points"),
            date=read_date(plan),
        ),
    )


def read_date(plan: Reader) -> str | None:
    """Any text: whether there is such a day is for `validate` to say."""
    found = plan.child("date")
    if found is None:
        return None
    return found.value if isinstance(found.value, str) else found.as_date()


def dump(state: State) -> Json:
    """The record, with nothing in it that was not entered."""
    table = {
        "sections_per_card": state.sections_per_card,
        "lovers_across": state.lovers_across,
        "plan_points": state.plan_points,
    }
    return {"game": "pier_18", "table": entered(table), "players": [dump_player(player) for player in state.players]}


def dump_player(player: Builder | Typed) -> dict[str, Json]:
    if isinstance(player, Typed):
        return player.dump()
    plan = {"achieved": player.plan.achieved, "points": player.plan.points, "date": player.plan.date}
    return entered(
        {
            "name": player.name,
            "rows": None if player.sections is None else list(player.sections),
            "cards": None if player.cards is None else [dump_card(card) for card in player.cards],
            "patrons": player.patrons,
            "plan": entered(plan),
        }
    )


def dump_card(card: Card) -> dict[str, Json]:
    return {"sections": list(card.sections), "covers": card.covers}


def entered(fields: dict[str, Any]) -> dict[str, Json]:
    return {key: value for key, value in fields.items() if value is not None}
