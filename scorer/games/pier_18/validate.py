"""Check a finished game of Pier 18 for impossible values, and for questions to ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scorer.contract import Problem
from scorer.dates import in_words
from scorer.games.pier_18.assembly import card_faults, other_sections, row_faults
from scorer.games.pier_18.cards import CARDS, LONGEST, PATRONS
from scorer.games.pier_18.plan import Plan, plan_faults
from scorer.games.pier_18.state import Builder, State
from scorer.record import POINTS, Typed, shown
from scorer.sentences import say, say_count

Found = Iterator[Problem]


def validate(state: State) -> list[Problem]:
    """Return a problem for every fault, and for every question to ask."""
    return [problem for check in CHECKS for problem in check(state)]


def cards_have_sections(state: State) -> Found:
    if state.sections_per_card is not None and state.sections_per_card < 1:
        message = say("Enter at least one section, or leave this empty if you don’t know.")
        yield Problem("card_sections", message, "/table/sections_per_card")


def everything_is_entered_once(state: State) -> Found:
    for index, builder in state.builders:
        if builder.patrons is None and state.patrons_of(index) is None and not too_many_patrons(state):
            message = say("Enter the number of patrons, 0 for none.")
            yield Problem("missing_field", message, f"/players/{index}/patrons")
        if builder.sections is None and builder.cards is None:
            message = say("Enter the sections of the pier, starting at the shore.")
            yield Problem("missing_field", message, f"/players/{index}/rows")
        if builder.sections is not None and builder.cards is not None:
            message = say("Remove the rows. We work them out from the cards.")
            yield Problem("unknown_field", message, f"/players/{index}/rows")


def piers_are_made_of_sections(state: State) -> Found:
    each = state.each_card_has
    for index, builder in state.builders:
        yield from row_faults(builder.sections or (), f"/players/{index}/rows")
        yield from card_faults(builder.cards or (), each, f"/players/{index}/cards")
        yield from plan_card_sections(builder.plan, each, f"/players/{index}/plan/card/sections")


def plan_card_sections(plan: Plan, wanted: int | None, where: str) -> Found:
    """Yield a problem if the card of a plan does not have `wanted` sections, as each other card has. `where` is the
    JSON Pointer of the card's sections."""
    count = len((plan.card and plan.card.sections) or ())
    if count and wanted is not None and count != wanted:
        yield Problem("card_sections", other_sections(wanted, count), where)


def fewest_sections(state: State) -> int | None:
    """Return the fewest sections that a pier can have: one of each card, and all of the last one. Return None if the
    number of players does not fit the game."""
    count, each = CARDS.get(len(state.players)), state.each_card_has
    return None if count is None else count - 1 + (each or 1)


def most_sections(state: State) -> int | None:
    """Return the most sections that a pier can have, if no card covers another; None while the size of cards is
    unknown."""
    count, each = CARDS.get(len(state.players)), state.each_card_has
    return None if count is None or each is None else count * each


def piers_have_their_length(state: State) -> Found:
    count, least = CARDS.get(len(state.players)), fewest_sections(state)
    if count is None or least is None:
        return
    for index, builder in state.builders:
        if builder.cards is None:
            yield from is_not_short(state, index, builder, count, least)
            yield from is_not_long(state, index, builder, count)
        elif len(builder.cards) != count:
            message = say(
                "With {players} players, a pier has {cards} cards, including the plan.",
                players=len(state.players),
                cards=count,
            )
            yield Problem("pier_length", message, f"/players/{index}/cards")


def is_not_short(state: State, index: int, builder: Builder, count: int, least: int) -> Found:
    """Yield a problem if the pier of the player in seat `index` has fewer than `least` sections. Its `count` cards show
    that many, however they overlap."""
    length = len(builder.rows)
    if builder.sections is None or length >= least:
        return
    if count <= length and state.sections_per_card is None:
        # The number of sections comes from other players' cards, and people leave out empty sections at the ends.
        message = say(
            "{cards} cards of the same size as the others would show at least {least} sections. Does this pier "
            "have only {length}?",
            cards=count,
            least=least,
            length=length,
        )
        yield Problem("short_pier", message, f"/players/{index}/rows", "warning")
        return
    message = say(
        "{cards} cards, including the plan, show at least {least} sections. This pier has {length}.",
        cards=count,
        least=least,
        length=length,
    )
    yield Problem("pier_length", message, f"/players/{index}/rows")


def is_not_long(state: State, index: int, builder: Builder, count: int) -> Found:
    length, most = len(builder.rows), most_sections(state)
    if most is None and length > LONGEST:
        message = say("This pier has {length} sections. Can {cards} cards show that many?", length=length, cards=count)
        yield Problem("long_pier", message, f"/players/{index}/rows", "warning")
    elif most is not None and length > most:
        message = say_count(
            "{cards} cards of {n} section show at most {most}. This pier has {length}.",
            "{cards} cards of {n} sections show at most {most}. This pier has {length}.",
            most // count,
            cards=count,
            most=most,
            length=length,
        )
        yield Problem("pier_length", message, f"/players/{index}/rows")


def nothing_is_negative(state: State) -> Found:
    amounts = {"/table/plan_points": state.plan_points}
    amounts |= {f"/players/{index}/patrons": builder.patrons for index, builder in state.builders}
    for where, amount in amounts.items():
        if amount is not None and amount < 0:
            message = say("Enter 0 or more. You entered {amount}.", amount=shown(amount))
            yield Problem("bad_number", message, where)


def too_many_patrons(state: State) -> bool:
    return awarded_patrons(state) > PATRONS.get(len(state.players), POINTS)


def awarded_patrons(state: State) -> int:
    """Return the sum of all entered patrons. Points entered by hand count too, because a patron brings 1 point."""
    return sum(patrons for patrons in all_patrons(state) if patrons is not None and patrons > 0)


def all_patrons(state: State) -> list[int | None]:
    """Return each player's number of patrons, None for a player who did not enter it."""
    return [player.of("patrons") if isinstance(player, Typed) else player.patrons for player in state.players]


def patrons_add_up(state: State) -> Found:
    """Yield a problem if all players together do not have as many patrons as there are rounds. Players without an
    entered number may have the rest."""
    awarded, counts = PATRONS.get(len(state.players)), all_patrons(state)
    if awarded is None or any((count or 0) < 0 for count in counts):
        return
    # A player without a number gets the rest, so there can only be too few if all players entered a number.
    is_short = None not in counts and sum(count or 0 for count in counts) < awarded
    if too_many_patrons(state) or is_short:
        message = say(
            "Each round gives one patron, so there are {awarded}. You entered {count}. Check each player’s patrons.",
            awarded=awarded,
            count=awarded_patrons(state),
        )
        if state.builders:
            yield Problem("patron_total", message, f"/players/{state.builders[-1][0]}/patrons")
        else:
            last = max((index for index, count in enumerate(counts) if count), default=0)
            yield Problem("patron_total", message, f"/players/{last}/typed/patrons")


def plans_are_possible(state: State) -> Found:
    for index, builder in state.builders:
        yield from plan_faults(builder.plan, f"/players/{index}/plan")


def plan_dates_differ(state: State) -> Found:
    """Ask about two plans with the same date, because all 18 cards seem to have different dates."""
    seen: dict[str, str] = {}
    for index, day in state.days:
        player = state.players[index]
        if day in seen:
            message = say(
                "The plan of {name} also shows {date}, but no two plans have the same date. Check both plans.",
                name=seen[day],
                date=in_words(day),
            )
            pointer = "plan/date" if isinstance(player, Builder) else "plan_date"
            yield Problem("duplicate_plan_date", message, f"/players/{index}/{pointer}", "warning")
        seen.setdefault(day, player.name)


def plans_are_in_order(state: State) -> Found:
    """Yield a problem if known dates contradict the order in which the plans were compared."""
    dates = {state.players[index].name: day for index, day in state.days}
    known = [dates[name] for name in state.plan_order if name in dates]
    if known != sorted(known):
        message = say("This order doesn’t match the dates on the plans. Check both.")
        yield Problem("plan_order", message, "/table/plan_order")


CHECKS: tuple[Callable[[State], Found], ...] = (
    cards_have_sections,
    everything_is_entered_once,
    piers_are_made_of_sections,
    piers_have_their_length,
    nothing_is_negative,
    patrons_add_up,
    plans_are_possible,
    plan_dates_differ,
    plans_are_in_order,
)
