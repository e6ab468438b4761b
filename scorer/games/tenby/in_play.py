"""Named cards in play, read from a record: the town's accolades and everybody's residents."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import CardInPlay, Json
from scorer.games.tenby.names import is_named


def cards(record: Json) -> Iterator[CardInPlay]:
    accolades = record.get("table", {}).get("accolades", {})
    for card in accolades.get("cards", ()):
        yield from called("accolade", card, None)
    for seat, player in enumerate(record["players"]):
        for card in player.get("residents", ()):
            yield from called("resident", card, seat)


def called(rule: str, card: Json, seat: int | None) -> Iterator[CardInPlay]:
    """Cards that nobody named say nothing of other tables."""
    name = card.get("name")
    if is_named(name):
        yield CardInPlay(f"{rule}/{name}", rule, name, seat)
