"""Compute what pages show of a result, for open tables and saved games."""

from __future__ import annotations

from typing import Any

from scorer.contract import Game, Loaded
from scorer.insight import biggest_gaps
from scorer.report import forgotten, verdict
from scorer.result import Result, is_final, seats_without_points, unplaced
from webapp.table import pad, relevant_inputs

# Number of results in the cache, some 100 kB each. Their keys contain record, decision and language. The values don't
# depend on the viewer, and rights are not checked here.
MOST_KEPT = 64


def shown(
    game: Game, loaded: Loaded, result: Result, entered: Loaded | None = None, swaps: bool = True
) -> dict[str, Any]:
    """Return the values by which templates show a result. "game", "record", "result" and "questions" are always there;
    the others, such as "rows" and "verdict", only with a valid score.

    `entered` has the values of the help during the game. `swaps` adds what one small change would have brought, which
    takes long to compute.
    """
    questions = pad.questions(game, loaded, result, entered)
    values = {"game": game, "record": loaded.record, "result": result, "questions": questions}
    if result["ok"]:
        players = range(len(loaded.record["players"]))
        unknown = seats_without_points(loaded.record, result)
        is_open = bool(unknown) or not all(is_final(player) for player in result["players"])
        values |= {
            "rows": pad.rows(game, result),
            "boards": [pad.boards(game, loaded, player) for player in players],
            "guides": [relevant_inputs.guide(game, loaded, player) for player in players],
            "gaps": unknown,
            "unplaced": unplaced(loaded.record, result),
            "beaten": {beaten["player"]: beaten for beaten in biggest_gaps(game, result) if not is_open},
            "swaps": pad.one_swap_away(game, loaded) if swaps and not is_open else {},
            "decider": pad.decider(game, result),
            "margin": None if is_open else pad.margin(result),
            "not_remembered": forgotten(game, result),
            "verdict": verdict(game, result, unknown),
            "share_text": pad.share_text(game, loaded.record, result),
        }
    return values
