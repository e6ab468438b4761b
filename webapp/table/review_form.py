"""Save corrections of photos under review, and enter their boards when people go on."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from werkzeug.datastructures import MultiDict

from scorer.contract import Json, choices_of
from scorer.names import folded
from vision import games as readers
from webapp import clubs
from webapp.database import Database
from webapp.numbers import number as number_in
from webapp.table import forms, photos, samples, seats
from webapp.table.context import TableContext
from webapp.table.json_paths import get, steps
from webapp.table.photos import CARDS, NOBODY
from webapp.table.review import NEWCOMER, NOBODYS, Review, Seen
from webapp.table.seats import Sending
from webapp.table.tables import Table


def keep_posted(review: Review, posted: MultiDict[str, str]) -> tuple[Table, str]:
    """Save the `posted` corrections of boards, squares and cards. Return the changed table, and why a new player's name
    was refused ("taken") or ""."""
    context, problem = review.context, ""
    come = forms.without(posted, forms.cut_off(posted))
    with context.db.atomic(context.table.club_id):
        for seen in review.boards:
            looked = _looked_over(review, seen, come)
            if looked != seen.looked:
                photos.look_over(context.db, seen.photo.id, seen.number, looked)
        table = review.table
        if review.card_inputs and any(name in posted for name in review.reader.cards.fields):
            setup = forms.read(review.card_inputs, forms.build(review.card_inputs, table.setup, posted), table.setup)
            cards_told(context, setup, posted.getlist("right"))
            table = lay_cards(context.db, table, setup)
        if "play" in posted:
            table = lay_cards(context.db, table, review.reader.cards.with_seen(review.all_cards, table.setup))
        for seen in review.boards:
            whose = come.get(f"whose/{seen.name}")
            if whose is not None:
                table, problem = _give(review, table, seen, whose, problem)
        name = posted.get("new", "")
        if "add" in posted and name.strip():
            wanted = next((one for one in review.boards if one.name == posted["add"]), None)
            wanted = wanted or next(iter(review.unclaimed), None)
            table, seat, problem = _sit_down(review, table, name)
            if wanted is not None and seat is not None:
                photos.give(context.db, table, wanted.photo.id, wanted.number, seat)
    return table, problem


def lay_cards(db: Database, table: Table, setup: Json) -> Table:
    """Change the cards in play to those in `setup`. Pieces on boards become those of the new cards."""
    return seats.lay_anew(db, table, setup)


def cards_told(context: TableContext, setup: Json, right: Collection[str]) -> None:
    """Mark cards of the set-up as certain, whatever the photos show. These are the cards that `setup` changes, and
    those whose inputs `right` names."""
    reader, before = readers.find(context.table.game.id), context.table.setup
    if reader is None:
        return
    fields = reader.cards.fields
    told = [name for name in fields if name in right or get(setup, steps(name)) != get(before, steps(name))]
    there = photos.of_table(context.db, context.table) if told else []
    if there:
        photos.look_over(context.db, there[-1].id, CARDS, dict.fromkeys([*there[-1].told, *told], "1"))


def _looked_over(review: Review, seen: Seen, posted: MultiDict[str, str]) -> Mapping[str, str]:
    """Return what people corrected or confirmed on a board: pieces by square, such as {"0/3": "well"}. If the player's
    own card is known, it is there by the name of its input."""
    sure = posted.get(f"sure/{seen.name}")
    said = set(seen.looked if sure is None else sure.split(","))  # None: sent before the page had loaded
    looked = {}
    for row, pieces in enumerate(seen.as_read):
        for column, read in enumerate(pieces):
            place = f"{row}/{column}"
            value = review.called_now(posted.get(f"squares/{seen.name}/{place}", ""))
            if value not in review._pieces:  # no field on this page, or no valid piece
                if place in seen.looked:
                    looked[place] = seen.looked[place]
            elif value != read or place in said:
                looked[place] = value
    own = review.reader.cards.own
    card = posted.get(f"{own}/{seen.name}", seen.looked.get(own, ""))
    if card and card in {
        choice.value for one in review.table.game.inputs if one.name == own for choice in choices_of(one)
    }:
        looked[own] = card
    return looked


def _give(review: Review, table: Table, seen: Seen, whose: str, problem: str) -> tuple[Table, str]:
    """Assign the board to `whose`: a seat such as "2", "nobody", or a new player such as "+Ann". With "", people are
    asked again whose it is. Return the table, and why the new name was refused or ""; without a new name, return
    `problem` unchanged."""
    seat: int | None = None
    if whose.startswith(NEWCOMER):
        table, seat, problem = _sit_down(review, table, whose.removeprefix(NEWCOMER))
        if seat is None:
            return table, problem
    elif whose == NOBODYS:
        seat = NOBODY
    elif whose:
        seat = number_in(whose)
        if seat is None or seat not in {one.number for one in review.may_give_to}:
            return table, problem
    if seat != seen.seat:
        photos.give(review.context.db, table, seen.photo.id, seen.number, seat)
    return table, problem


def _sit_down(review: Review, table: Table, typed: str) -> tuple[Table, int | None, str]:
    """Add a player, whose name was entered by hand (`typed`), to the table. Return the table, the seat or None, and why
    the name was refused or "". A player who is already at the table keeps their seat."""
    context = review.context
    name = clubs.spelling(context.db, table.club_id, typed) if context.membership else typed.strip()
    there = next((seat.number for seat in table.seats if folded(seat.name) == folded(name)), None)
    if there is not None:
        return table, there, ""
    refusal = seats.refusal(table, name, [seat.name for seat in table.seats])
    if refusal:
        return table, None, refusal
    order = [*((seat.name, seat.number) for seat in table.seats), (name, None)]
    table = seats.reseat(context.db, table, order, knows_club=context.membership is not None)
    return table, len(table.seats) - 1, ""


def accept(review: Review, kept: bool, sampled: bool) -> TableContext:
    """Enter the reviewed boards, and return the changed context. With `kept`, keep the photos with the game.
    With `sampled`, store them until somebody is asked whether we may use them to measure the photo reader."""
    context = review.context
    with context.db.atomic(context.table.club_id):
        for seat, seen in review.given.items():
            there = review.table.seats[seat]
            context = context.enter(there, seen.state, Sending(context.device, "", there.version), done=True)
        if sampled:
            samples.ask_later(review)
        photos.accepted(context.db, review.photos, kept)
    return context
