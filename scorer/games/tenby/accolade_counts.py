"""Count how many of an accolade's targets a player has, or the least and the most while counts are missing."""

from __future__ import annotations

from scorer.games.tenby.cards import COMPLETED_STREETS
from scorer.games.tenby.counting import MANY, amount_in, most_in
from scorer.games.tenby.quick import Quick
from scorer.games.tenby.state import Accolade
from scorer.games.tenby.town import Town, is_completed
from scorer.record import Typed


def amount(card: Accolade, player: Town | Quick | Typed) -> int | None:
    """Return how many of an accolade's targets a player has, or None if unknown. An amount entered by hand replaces the
    count in the town."""
    typed = dict(card.amounts).get(player.name)
    if typed is not None or player.name in card.open:
        return typed
    if isinstance(player, Town):
        return count(card, player)
    if card.targets != (COMPLETED_STREETS,):
        return None
    fact = player.completed_streets if isinstance(player, Quick) else dict(player.facts).get(COMPLETED_STREETS)
    return fact if isinstance(fact, int) else None


def count(card: Accolade, town: Town) -> int | None:
    """Return how many of an accolade's targets the town shows, or None if they cannot be counted or are still open."""
    least, most = counted_between(card, town)
    return least if least == most else None


def counted_between(card: Accolade, player: Town | Quick | Typed) -> tuple[int, int]:
    """Return the least and the most of an accolade's targets that a player's town can show. It is 0 and MANY (no limit)
    without a town, or if the targets cannot be counted or are UNKNOWN."""
    if not isinstance(player, Town) or not card.is_countable or player.name in card.open:
        return 0, MANY
    town = player
    cards = [each for street in town.streets for each in street]
    completed = sum(is_completed(street) for street in town.streets)
    return amount_in(cards, card.targets, completed), most_in(cards, card.targets, completed)


def amounts_between(card: Accolade, player: Town | Quick | Typed) -> tuple[int, int]:
    """Return the least and the most of an accolade's targets that a player can have. One entered by hand is both."""
    known = amount(card, player)
    if known is not None:
        return known, known
    return counted_between(card, player)
