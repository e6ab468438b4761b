"""Find the cards in play in a record: the building of each colour, and each player's monument."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import CardInPlay, Json
from scorer.games.tiny_towns.cards import BUILDINGS, MONUMENT


def cards(record: Json) -> Iterator[CardInPlay]:
    """Yield the cards of the table, those of lines entered by hand, and monuments; the Cottage is left out."""
    buildings = [*record.get("table", {}).get("cards", {}).values()]
    for player in record["players"]:
        buildings += [rule for rule in player.get("typed", ()) if rule in BUILDINGS]
    for building in dict.fromkeys(buildings):
        if building in BUILDINGS and BUILDINGS[building].colour != "blue":
            yield CardInPlay(building, building)
    for seat, player in enumerate(record["players"]):
        if player.get("monument"):
            yield CardInPlay(player["monument"], MONUMENT, seat=seat)
