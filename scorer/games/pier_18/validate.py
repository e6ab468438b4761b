"""What cannot be true of a finished table of Pier 18, and what is worth a second look."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scorer.contract import Problem
from scorer.games.pier_18.assembly import card_faults, row_faults
from scorer.games.pier_18.cards import CARDS, PATRONS
from scorer.games.pier_18.state import State
from scorer.reading import Typed, is_day, shown
from scorer.sentences import say

Found = Iterator[Problem]


def validate(state: State) -> list[Problem]:
    """Every fault and every question."""
    return [problem for check in CHECKS for problem in check(state)]


def cards_have_sections(state: State) -> Found:
    if state.sections_per_card is not None and state.sections_per_card < 1:
        message = say("A card has at least one section; leave this out if you do not know how many.")
        yield Problem("card_sections", message, "/table/sections_per_card")


def sections_per_card(state: State) -> int | None:
    """The number all cards have, if a possible one was entered."""
    count = state.sections_per_card
    return count if count is not None and count >= 1 else None


def everything_is_entered_once(state: State) -> Found:
    for index, builder in state.builders:
        if builder.patrons is None:
            message = say("Enter the number of patrons, 0 for none.")
            yield Problem("missing_field", message, f"/players/{index}/patrons")
        if builder.sections is None and builder.cards is None:
            message = say("Enter the sections of the pier from the shore on.")
            yield Problem("missing_field", message, f"/players/{index}/rows")
        if builder.sections is not None and builder.cards is not None:
            message = say("Leave out the rows: the cards and what they cover say everything.")
            yield Problem("unknown_field", message, f"/players/{index}/rows")


def piers_are_made_of_sections(state: State) -> Found:
    for index, builder in state.builders:
        yield from row_faults(builder.sections or (), f"/players/{index}/rows")
        yield from card_faults(builder.cards or (), sections_per_card(state), f"/players/{index}/cards")


def fewest_sections(state: State) -> int | None:
    """Each card shows at least one section, the last one all of its own."""
    count, each = CARDS.get(len(state.players)), sections_per_card(state)
    return None if count is None else count - 1 + (each or 1)


def most_sections(state: State) -> int | None:
    """With no card covering another; None as long as nobody says how many sections a card has."""
    count, each = CARDS.get(len(state.players)), sections_per_card(state)
    return None if count is None or each is None else count * each


def piers_have_their_length(state: State) -> Found:
    count, least, most = CARDS.get(len(state.players)), fewest_sections(state), most_sections(state)
    if count is None or least is None:
        return
    for index, builder in state.builders:
        if builder.cards is not None:
            if len(builder.cards) != count:
                message = say(
                    "With {players} players a pier has {cards} cards, the plan included.",
                    players=len(state.players),
                    cards=count,
                )
                yield Problem("pier_length", message, f"/players/{index}/cards")
            continue
        length = len(builder.rows)
        if builder.sections is not None and length < least:
            message = say(
                "{cards} cards, the plan included, show at least {least} sections; this pier has {length}.",
                cards=count,
                least=least,
                length=length,
            )
            yield Problem("pier_length", message, f"/players/{index}/rows")
        if most is not None and length > most:
            message = say(
                "{cards} cards of {sections} sections show at most {most}; this pier has {length}.",
                cards=count,
                sections=most // count,
                most=most,
                length=length,
            )
            yield Problem("pier_length", message, f"/players/{index}/rows")


def nothing_is_negative(state: State) -> Found:
    amounts = {"/table/plan_points": state.plan_points}
    for index, builder in state.builders:
        amounts[f"/players/{index}/patrons"] = builder.patrons
        amounts[f"/players/{index}/plan/points"] = builder.plan.points
    for where, amount in amounts.items():
        if amount is not None and amount < 0:
            message = say("Enter 0 or more; {amount} is impossible here.", amount=shown(amount))
            yield Problem("bad_number", message, where)


def patrons_add_up(state: State) -> Found:
    """Exactly one a round. What players have typed is not checked, so beside them the others can only have too many."""
    awarded = PATRONS.get(len(state.players))
    counts = [builder.patrons for _, builder in state.builders]
    known = [count for count in counts if count is not None and count >= 0]
    if awarded is None or len(known) < len(counts) or not known:
        return
    some_typed = any(isinstance(player, Typed) for player in state.players)
    if sum(known) > awarded or (sum(known) < awarded and not some_typed):
        message = say(
            "{awarded} rounds award exactly {awarded} patrons among all players, not {count}: count them again.",
            awarded=awarded,
            count=sum(known),
        )
        yield Problem("patron_total", message, f"/players/{state.builders[-1][0]}/patrons")


def plan_dates_are_days(state: State) -> Found:
    for index, builder in state.builders:
        date = builder.plan.date
        if date is not None and not is_day(date):
            message = say("Enter a day of the year as MM-DD, like 06-14; this is {value}.", value=shown(date))
            yield Problem("bad_date", message, f"/players/{index}/plan/date")


def plan_dates_differ(state: State) -> Found:
    """Presumably no two of the 18 cards show one date, but nobody has published them: only a question."""
    seen: dict[str, str] = {}
    for index, builder in state.builders:
        date = builder.plan.date
        if date is None:
            continue
        if date in seen:
            message = say(
                "{name}'s plan shows {date} too: do two cards really have one date?", name=seen[date], date=date
            )
            yield Problem("duplicate_plan_date", message, f"/players/{index}/plan/date", "warning")
        seen.setdefault(date, builder.name)


CHECKS: tuple[Callable[[State], Found], ...] = (
    cards_have_sections,
    everything_is_entered_once,
    piers_are_made_of_sections,
    piers_have_their_length,
    nothing_is_negative,
    patrons_add_up,
    plan_dates_are_days,
    plan_dates_differ,
)
