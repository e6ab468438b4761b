"""Define the card box: plans that a group has described once and picks again by their goals.

{"format": "tidemark-cards", "version": 1, "game": "pier_18",
 "plans": [{"name": "Three poets on each side", "points": 4, "date": "06-14", "sections": ["S.", ".P"]}]}
"""

from __future__ import annotations

from scorer.cardbox import Kind, Shelf, has_name, only
from scorer.games.pier_18.plan import PlanCard, dump_plan_card, in_short, plan_card_faults, read_plan_card
from scorer.games.pier_18.state import GAME_ID
from scorer.record import Reader
from scorer.sentences import say


def read_box_plan(item: Reader) -> PlanCard:
    """Read a plan of the card box, which must have a goal as its name."""
    name = item.child("name", required=True)
    if name is not None and not has_name(name.value):
        name.fail("missing_field", say("Enter the goal of the plan. The card box lists plans by their goals."))
    return read_plan_card(item)


CARDBOX = Shelf(
    GAME_ID,
    {
        "plans": Kind(
            say("Plans"),
            read_box_plan,
            plan_card_faults,
            dump_plan_card,
            in_short,
            printed_fields=only("name", "points", "date", "sections"),
        )
    },
).card_box()
