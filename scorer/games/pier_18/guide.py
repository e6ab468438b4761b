"""Prepare the facts for the page on which a pier is painted."""

from __future__ import annotations

from scorer.contract import Json, Loaded
from scorer.games.pier_18.cards import LONGEST
from scorer.games.pier_18.inputs import length_to_paint
from scorer.games.pier_18.plan import dump_plan_card
from scorer.games.pier_18.state import Builder, State
from scorer.games.pier_18.validate import fewest_sections, most_sections


def guide(loaded: Loaded, player: int, _opened: str = "") -> Json:
    """Return, as JSON, a player's pier, whether sections can be added or removed, and the card of the plan. Nothing
    covers the plan, so the last sections of the pier are those of the plan. `seen` has these sections if the card
    does not have them yet. `lay` has the sections of the card if they can be put on the pier with one tap."""
    state: State = loaded.state
    builder = state.players[player] if 0 <= player < len(state.players) else None
    if not isinstance(builder, Builder):
        return {"rows": [], "add": False, "remove": False, "card": None, "seen": [], "lay": []}
    length, most = length_to_paint(state, builder), most_sections(state) or LONGEST
    card = builder.plan.card if builder.plan.card is not None and builder.plan.card.name else None
    rows, printed = list(builder.rows), list((card and card.sections) or ())
    own = rows[-(state.each_card_has or len(rows)) :] if state.each_card_has else []
    is_laid = not printed or rows[-len(printed) :] == printed
    return {
        "card": None if card is None else dump_plan_card(card),
        "seen": own if card is not None and own != printed else [],
        "lay": [] if is_laid or builder.cards is not None or length + len(printed) > most else printed,
        "rows": rows,
        "length": length,
        "add": length < most,
        "remove": length > (fewest_sections(state) or 1),
    }
