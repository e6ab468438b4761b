"""Describe the plan at the end of a pier (rulebook, setup and end game).

A card's name is its goal, in the players' own words. The values of the card count if nothing else was entered for the
plan. All of them are optional, because the cards are not published.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.contract import UNKNOWN, Json, Problem
from scorer.dates import day_named, in_words, is_day
from scorer.games.pier_18.assembly import read_sections, row_faults
from scorer.record import Reader, no_day, shown
from scorer.sentences import Sentence, in_a_row, say, say_count


@dataclass(frozen=True, slots=True)
class PlanCard:
    name: str = ""
    points: int | None = None
    date: str | None = None
    sections: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    achieved: bool
    points: int | None = None
    date: str | None = None
    card: PlanCard | None = None

    @property
    def day(self) -> str | None:
        """Return the date of the plan, as entered or from its card."""
        return self.card.date if self.date is None and self.card is not None else self.date


def read_plan(plan: Reader) -> Plan:
    return Plan(
        achieved=plan.flag("achieved"),
        points=plan.amount("points"),
        date=read_date(plan),
        card=read_plan_card(plan.object("card")) if plan.has("card") else None,
    )


def read_plan_card(card: Reader) -> PlanCard:
    sections = card.child("sections")
    return PlanCard(
        name=card.text("name", default=""),
        points=card.amount("points"),
        date=read_date(card),
        sections=None if sections is None else read_sections(sections),
    )


def read_date(reader: Reader) -> str | None:
    """Return a date as any text, or None for an unknown day; `validate` checks whether the day exists."""
    found = reader.child("date")
    if found is None or found.value == UNKNOWN:
        return None
    if not isinstance(found.value, str) or day_named(found.value):
        return found.as_date()
    return found.value


def dump_plan(plan: Plan) -> dict[str, Json]:
    card = None if plan.card is None else dump_plan_card(plan.card)
    entered = {"achieved": plan.achieved, "points": plan.points, "date": plan.date, "card": card}
    return {key: value for key, value in entered.items() if value is not None}


def dump_plan_card(card: PlanCard) -> dict[str, Json]:
    sections = None if card.sections is None else list(card.sections)
    entered = {"name": card.name or None, "points": card.points, "date": card.date, "sections": sections}
    return {key: value for key, value in entered.items() if value is not None}


def plan_faults(plan: Plan, where: str) -> Iterator[Problem]:
    """Yield a problem for each wrong value of a plan and its card; `where` is the JSON Pointer of the plan."""
    yield from amount_faults(plan.points, where)
    yield from date_faults(plan.date, where)
    if plan.card is not None:
        yield from plan_card_faults(plan.card, f"{where}/card")


def plan_card_faults(card: PlanCard, where: str) -> Iterator[Problem]:
    yield from amount_faults(card.points, where)
    yield from date_faults(card.date, where)
    if card.sections is not None:
        if not card.sections:
            yield Problem("card_sections", say("Enter at least one section for this card."), f"{where}/sections")
        yield from row_faults(card.sections, f"{where}/sections")


def amount_faults(points: int | None, where: str) -> Iterator[Problem]:
    if points is not None and points < 0:
        message = say("Enter 0 or more. You entered {amount}.", amount=shown(points))
        yield Problem("bad_number", message, f"{where}/points")


def date_faults(date: str | None, where: str) -> Iterator[Problem]:
    if date is not None and not is_day(date):
        yield Problem("bad_date", no_day(date), f"{where}/date")


def in_short(card: PlanCard) -> Sentence:
    """Return the points and the date of a plan, as far as known, in words: "5 points, 14 June"."""
    parts = []
    if card.points is not None:
        parts.append(say_count("{n} point", "{n} points", card.points))
    if card.date is not None:
        parts.append(in_words(card.date))
    return in_a_row(parts)
