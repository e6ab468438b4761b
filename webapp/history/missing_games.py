"""Show saved games whose package is missing or broken. Nobody can score, edit or repeat them."""

from __future__ import annotations

from scorer import games
from scorer.contract import Game
from scorer.result import label_of
from webapp.history.saved_plays import Version


def game_of(play: Version) -> Game:
    """Return the title of a saved game.

    If its package is missing, return a replacement that has only the id and the rules of the saved lines.
    """
    name = play.record["game"]
    return games.find(name) or Game(
        id=name,
        name=games.titles()[name],
        players=range(1, len(play.names) + 1),
        rules={rule: label_of(None, rule, "") for seat in play.decision.seats for rule, _, _ in seat.lines},
        ladder=(),
        load=lambda _: None,
        dump=lambda _: play.record,
        validate=lambda _: [],
        score=lambda _: [],
        inputs=(),
        version="",
    )
