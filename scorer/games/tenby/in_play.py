"""Find the named cards in play in a record: the accolades of the table, and the residents of each player."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import CardInPlay, Json
from scorer.games.tenby.names import is_named


def cards(record: Json) -> Iterator[CardInPlay]:
    accolades = record.get("table", {}).get("accolades", {})
    for card in accolades.get("cards", ()):
        yield from card_in_play("accolade", card, None)
    for seat, player in enumerate(record["players"]):
        for card in player.get("residents", ()):
            yield from card_in_play("resident", card, seat)


def card_in_play(rule: str, card: Json, seat: int | None) -> Iterator[CardInPlay]:
    """Yield the card if players chose its name; a name that we made, such as "Resident 2", identifies no card. `rule`
    is "accolade" or "resident", and `seat` is None for a card of the table."""
    name = card.get("name")
    if is_named(name):
        yield CardInPlay(f"{rule}/{name}", rule, name, seat)
