"""Define the card box: town cards, residents and accolades that a group has described once and picks by name.

{"format": "tidemark-cards", "version": 1, "game": "tenby",
 "town_cards": [a card as in a record, with its name], "residents": [as in a record],
 "accolades": [{"name", "target"}]}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.cardbox import Item, Kind, Shelf, only
from scorer.contract import Problem
from scorer.games.tenby.cards import THINGS, Targets, together
from scorer.games.tenby.conditions import in_short
from scorer.games.tenby.names import is_named, named
from scorer.games.tenby.state import GAME_ID, Accolade, dump_accolade
from scorer.games.tenby.town import Card, Flat, Per, Resident, Tier, printed
from scorer.games.tenby.town_record import (
    RESIDENT_TYPES,
    dump_card,
    dump_resident,
    read_card,
    read_resident,
    read_targets,
    read_title,
    read_type,
)
from scorer.games.tenby.validate_town import card_faults, resident_faults, target_faults
from scorer.record import Reader
from scorer.sentences import NOTHING, Sentence, in_a_row, say


def read_box_card(item: Reader) -> Card:
    """Read a town card of the box, which must have a name. Facts that say UNKNOWN are dropped, so that players are
    asked again."""
    item.child("name", required=True)
    return replace(read_card(item), open=frozenset())


def read_box_accolade(item: Reader) -> Accolade:
    """Read the name and the targets of an accolade. Its holder, amounts and other fields belong to one game and are
    left out."""
    return Accolade(read_title(item), read_targets(item, required=False))


def read_box_resident(item: Reader) -> Resident:
    """Read a resident as printed on its card, without points that a player entered in one game."""
    resident = item.value
    if isinstance(resident, dict) and resident.get("type") == "typed":
        return Resident(read_title(item), read_type(item, RESIDENT_TYPES), (), ())
    return printed(read_resident(item))


def accolade_faults(card: Accolade, where: str) -> Iterator[Problem]:
    return target_faults(card.targets, f"{where}/target")


def card_summary(card: Card) -> Sentence:
    """Return a short description of a town card, such as "bench: 2 each, next to it"."""
    match card.score:
        case Flat(points):
            return say("{points} points", points=points)
        case Per(targets, points, range_, direction):
            return in_short(target_names(targets), points, range_, direction)
    return NOTHING


def resident_summary(resident: Resident) -> Sentence:
    """Return a short description of a resident, such as "bin: 3+ scores 2 or 5, 5+ scores 4 or 8"."""
    if resident.type == "typed":
        return NOTHING
    things = target_names(resident.targets)
    if resident.type == "each":
        return say("{things}: {tier} for each street", things=things, tier=tier_summary(resident.tiers[0]))
    return say("{things}: {tiers}", things=things, tiers=in_a_row([tier_summary(tier) for tier in resident.tiers]))


def tier_summary(tier: Tier) -> Sentence:
    return say(
        "{number}+ scores {incomplete} or {complete}",
        number=tier.at_least,
        incomplete=tier.incomplete,
        complete=tier.complete,
    )


def accolade_summary(card: Accolade) -> Sentence:
    return target_names(card.targets)


def target_names(targets: Targets) -> Sentence:
    """Return the names of the targets, joined as in "bench and bin"."""
    names = [THINGS[target].name for target in targets if target in THINGS]
    return together(names) if names else NOTHING


def printed_of_resident(resident: Item) -> Item:
    """Return the fields that are printed on a resident's card: usually all. If players enter its points (type "typed"),
    only name and type are printed."""
    return only("name", "type")(resident) if resident.get("type") == "typed" else resident


SHELF = Shelf(
    GAME_ID,
    {
        "town_cards": Kind(say("Town cards"), read_box_card, card_faults, dump_card, card_summary),
        "residents": Kind(
            say("Residents"),
            read_box_resident,
            resident_faults,
            dump_resident,
            resident_summary,
            printed_fields=printed_of_resident,
        ),
        "accolades": Kind(
            say("Accolades"),
            read_box_accolade,
            accolade_faults,
            dump_accolade,
            accolade_summary,
            printed_fields=only("name", "target"),
        ),
    },
    counts=("features", "icons"),
    unordered=("buildings",),
    named=named,
    is_named=is_named,
)
CARDBOX = SHELF.card_box()
