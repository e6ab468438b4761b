"""All that a page shows of a result, for a table and for a saved game alike."""

from __future__ import annotations

from typing import Any

from scorer.contract import Game, Loaded
from scorer.insight import what_beat_me
from scorer.report import forgotten
from scorer.result import Result
from webapp.table import asking, pad


def shown(game: Game, loaded: Loaded, result: Result, entered: Loaded | None = None) -> dict[str, Any]:
    """The values for the page; of a table that cannot be scored only what is to be asked."""
    questions = pad.questions(game, loaded, result, entered)
    values = {"game": game, "record": loaded.record, "result": result, "questions": questions}
    if result["ok"]:
        players = range(len(loaded.record["players"]))
        values |= {
            "rows": pad.rows(game, result),
            "boards": [pad.boards(game, loaded, player) for player in players],
            "guides": [asking.guide(game, loaded, player) for player in players],
            "beaten": {beaten["player"]: beaten for beaten in what_beat_me(result)},
            "swaps": pad.one_swap_away(game, loaded),
            "decider": pad.decider(game, result),
            "not_remembered": forgotten(result),
            "share_text": pad.share_text(game, result),
        }
    return values
