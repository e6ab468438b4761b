"""Find the result to show of a saved game: scored again from its record, or as it was saved.

If today's rules give other points, ranks or winners, the saved ones are shown. The page then offers to score the game
again.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer import games
from scorer.contract import Game, Json
from scorer.core import score_as
from scorer.result import PlayerResult, Result, ResultLine, can_be_saved, label_of
from scorer.sentences import NOTHING, Sentence, say
from webapp.history.decision import TOLD, Decision, ScoredLine, decision_of, ranks_to_show


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold a result to show. `differs` says that today's rules would give another one."""

    result: Result
    differs: bool = False


def outcome(record: Json, decision: Decision, source: str = "") -> Outcome:
    """Return the result to show of a saved game.

    `record` contains the players' names; `source` is the program that the game came from, or "".
    """
    game = games.find(record.get("game", ""))
    if decision.basis == TOLD or game is None:
        return Outcome(_as_saved(game, record, decision, None, source))
    today = score_as(game, record)
    if can_be_saved(today) and decision_of(record, today).agrees_with(decision):
        return Outcome(today)
    return Outcome(_as_saved(game, record, decision, today, source), differs=True)


def _as_saved(game: Game | None, record: Json, decision: Decision, today: Result | None, source: str) -> Result:
    """Return a result that shows the ranks, winners and lines of a saved decision. A line that is also in `today`, the
    result by today's rules, gets its reason from there. `source` is the program that the game came from, or ""."""
    names = [player["name"] for player in record["players"]]
    scored = today["players"] if today is not None and today["ok"] else [None] * len(names)
    result: Result = {
        "game": record["game"],
        "ok": True,
        "problems": [],
        "needs": [],
        "players": [],
        "winners": [name for name, seat in zip(names, decision.seats, strict=True) if seat.winner],
        "decided_by": decision.decided_by,
        "rules_version": decision.rules_version,
    }
    ranks = ranks_to_show(decision.seats)
    for name, seat, rank, player in zip(names, decision.seats, ranks, scored, strict=True):
        reasons = _reasons(player)
        lines = [reasons.get((at, line)) or _line(game, line, source) for at, line in enumerate(seat.lines)]
        saved: PlayerResult = {
            "name": name,
            "total": sum(line["points"] for line in lines),
            "rank": rank,
            "winner": bool(seat.winner),
            "lines": lines,
            "tiebreaks": [],
        }
        if not seat.final and decision.basis != TOLD:
            saved |= {"final": False, "range": [None, None]}
        result["players"].append(saved)
    if decision.basis == TOLD and any(seat.total is None for seat in decision.seats):
        result["told"] = [number for number, seat in enumerate(decision.seats) if seat.rank is not None]
    return result


def _reasons(player: PlayerResult | None) -> dict[tuple[int, ScoredLine], ResultLine]:
    lines = player["lines"] if player is not None else []
    return {(at, (line["rule"], str(line["item"]), line["points"])): line for at, line in enumerate(lines)}


def _line(game: Game | None, line: ScoredLine, source: str) -> ResultLine:
    rule, item, points = line
    why: Sentence = say("according to {source}", source=source) if source else NOTHING
    label = label_of(game, rule, item)
    return {"rule": rule, "item": item, "label": label, "points": points, "why": why, "cells": [], "cite": NOTHING}
