"""Find what is still to count before a player's points are final, and where in the record each answer goes."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Missing
from scorer.games.tenby.builder import BUILDINGS, LANDMARK, PLACES, SUBTYPE, seen_in
from scorer.games.tenby.cards import FEATURES, ICONS
from scorer.games.tenby.names import named
from scorer.games.tenby.quick import Quick
from scorer.games.tenby.state import State
from scorer.games.tenby.town import Resident, Town, cell
from scorer.sentences import Sentence, say


def missing(state: State, index: int, player: Town | Quick) -> Iterator[Missing]:
    """Yield the open facts of the player in seat `index` that some condition, resident or accolade needs."""
    where = f"/players/{index}"
    if isinstance(player, Town):
        yield from missing_in_town(state, player, where)
    else:
        for number, card in enumerate(player.cards):
            if card.open and card.points:
                label = say("Number that scoring card {number} sees", number=number + 1)
                yield Missing("seen", player.name, f"{where}/cards/{number}/seen", label)
    for number, resident in enumerate(player.residents):
        if resident.type == "typed" and resident.points is None:
            yield Missing("points", player.name, f"{where}/residents/{number}/points", points_of(resident))


def missing_in_town(state: State, town: Town, where: str) -> Iterator[Missing]:
    for s, (street, seen) in enumerate(zip(town.streets, seen_in(state, town), strict=True)):
        for c, (card, facts) in enumerate(zip(street, seen, strict=True)):
            looked_for = facts | ({SUBTYPE} if facts & {"home", "business"} else frozenset())
            for fact in PLACES:
                if fact in card.open and fact in looked_for:
                    label = what_on(fact, cell(s, c))
                    yield Missing("count", town.name, f"{where}/streets/{s}/{c}/{PLACES[fact]}", label)


def what_on(fact: str, place: str) -> Sentence:
    """Return a label that asks for the fact `fact` on the card at `place`, such as "Seagulls on card 1.2"."""
    if fact == BUILDINGS:
        return say("Coloured buildings on card {card}", card=place)
    if fact == SUBTYPE:
        return say("Home or business: card {card}", card=place)
    if fact == LANDMARK:
        return say("Is card {card} a landmark?", card=place)
    return say("{things} on card {card}", things=(FEATURES.get(fact) or ICONS[fact]).label, card=place)


def points_of(resident: Resident) -> Sentence:
    return say("Points of {resident}", resident=named(resident.name))
