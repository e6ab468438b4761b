"""Results: what `score` gives, the same for pages, programs and files (formats: README, "Records and results").

Its texts are sentences: plain English in JSON, and told in the reader's language at the edge of a page. Nobody stores
them. Of a line, histories store `rule` and `item`, and `label_of` labels it where it cannot be scored again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from scorer import games
from scorer.contract import UNKNOWN, Game, Json, Line, Missing, Problem, Sheet, TieBreak
from scorer.ranking import Ranking
from scorer.reading import TOTAL, TOTAL_LABEL, words
from scorer.sentences import Sentence, as_it_is, printed, say

MOST_PROBLEMS = 100  # that are listed; nobody reads more
FORGOTTEN = say("nobody remembers, so this could not decide")


class Fault(TypedDict):
    """A Problem; `where` is a JSON Pointer into the record, `level` "error" or "warning"."""

    code: str
    message: str
    where: str
    level: str


class ResultLine(TypedDict):
    """One row of a player's score pad; the reasons are left out of a result of totals."""

    rule: str
    item: str
    label: str
    points: int
    why: NotRequired[str]
    cells: NotRequired[list[str]]
    cite: NotRequired[str]


class Rung(TypedDict):
    """What a player brought to one rung of the ladder of tie-breaks."""

    rule: str
    value: int | str
    why: NotRequired[str]


class PlayerResult(TypedDict):
    """One player: `total` is the sum of the lines and nothing else."""

    name: str
    total: int
    rank: int
    winner: bool
    lines: list[ResultLine]
    tiebreaks: list[Rung]


class Need(TypedDict):
    """What has to be asked before there is a winner: of whom, and where in the record each answer goes."""

    input: str
    label: NotRequired[str]
    players: list[str]
    where: list[str]


class Result(TypedDict):
    """A record scored, or every reason why it could not be."""

    game: str
    ok: bool
    problems: list[Fault]
    needs: list[Need]
    players: list[PlayerResult]
    winners: list[str]
    decided_by: str | None
    rules_version: str
    rating: NotRequired[str]
    told: NotRequired[list[int]]  # of a result from elsewhere, the seats whose place was told there


def scored(
    game: Game, sheets: Sequence[Sheet], ranking: Ranking, warnings: Sequence[Problem], reasons: bool = True
) -> Result:
    """The result of a legal table."""
    line_of, rung_of = (_line, _rung) if reasons else (_points, _value)
    result: Result = {
        "game": game.id,
        "ok": True,
        "problems": _faults(warnings),
        "needs": questions(ranking.needs),
        "players": [
            {
                "name": sheet.player,
                "total": sheet.total,
                "rank": rank,
                "winner": sheet.player in ranking.winners,
                "lines": [line_of(line) for line in sheet.lines],
                "tiebreaks": [rung_of(rung, rung.value) for rung in sheet.tiebreaks if rung.value is not None],
            }
            for sheet, rank in zip(sheets, ranking.ranks, strict=True)
        ],
        "winners": list(ranking.winners),
        "decided_by": ranking.decided_by,
        "rules_version": game.version,
    }
    if sheets[0].rating:
        result["rating"] = sheets[0].rating
    return result


def is_shared_for_now(result: Result) -> bool:
    """Whether only a tie is open: those who tie share the victory while nobody knows what settles it."""
    return bool(result["needs"] and result["winners"]) and result["decided_by"] is None


def gaps(record: Json, result: Result) -> frozenset[int]:
    """The seats of whom nobody knows what they had: no line, and no board that it would follow from."""
    players = zip(record["players"], result["players"], strict=True)
    return frozenset(seat for seat, (kept, player) in enumerate(players) if "typed" in kept and not player["lines"])


def unplaced(record: Json, result: Result) -> frozenset[int]:
    """Those of whom nobody knows the place: where they stand in the result is no more than an order.

    These are the seats with a gap whose place was not told; all seats, where a gap leaves open who won.
    """
    unknown = gaps(record, result)
    if unknown and not result["winners"] and not result["needs"]:
        return frozenset(range(len(result["players"])))
    return unknown - set(result.get("told", ()))


def can_be_kept(result: Result) -> bool:
    """Whether a game with this result can go into a history: what decides a tie may be settled later."""
    if not result["ok"] or not result["needs"] or is_shared_for_now(result):
        return result["ok"]
    game = games.find(result["game"])
    rungs = {step.rule for step in game.ladder} if game else set()
    return bool(result["winners"]) and {need["input"] for need in result["needs"]} <= rungs


def refused(game_id: str, problems: Sequence[Problem], version: str = "") -> Result:
    """Why there is no result. Errors first: a warning is worth asking about once nothing else is wrong."""
    errors = [problem for problem in problems if problem.level == "error"]
    return {
        "game": game_id,
        "ok": False,
        "problems": _faults(errors),
        "needs": [],
        "players": [],
        "winners": [],
        "decided_by": None,
        "rules_version": version,
    }


def _faults(problems: Sequence[Problem]) -> list[Fault]:
    """Each problem once. Of too many the last says how many more there are."""
    found = list(dict.fromkeys(problems))
    if len(found) > MOST_PROBLEMS:
        more = len(found) - MOST_PROBLEMS + 1
        message = say("There are {n} more problems: mend the ones above first.", n=more)
        found[MOST_PROBLEMS - 1 :] = [Problem("more_problems", message, "", found[0].level)]
    return [_fault(problem) for problem in found]


def _fault(problem: Problem) -> Fault:
    return {
        "code": problem.code,
        "message": problem.message,
        "where": problem.where,
        "level": problem.level,
    }


def _line(line: Line) -> ResultLine:
    return {
        "rule": line.rule,
        "item": line.item,
        "label": line.label,
        "points": line.points,
        "why": line.why,
        "cells": list(line.cells),
        "cite": line.cite,
    }


def _points(line: Line) -> ResultLine:
    return {"rule": line.rule, "item": line.item, "label": line.label, "points": line.points}


def label_of(game_id: str, rule: str, item: str) -> Sentence:
    """Return the label of a line of which only rule and item are known; the game may be gone."""
    game = games.find(game_id)
    if item:
        names = {str(entry.name): entry.name for entry in (game.catalogue if game else ())}
        return names.get(item) or as_it_is(item)
    if rule == TOTAL:
        return TOTAL_LABEL
    return game.rules[rule] if game and rule in game.rules else printed(words(rule).capitalize())


def _rung(rung: TieBreak, value: int | str) -> Rung:
    why = FORGOTTEN if value == UNKNOWN else rung.why
    return {"rule": rung.rule, "value": value, "why": why} if why else {"rule": rung.rule, "value": value}


def _value(rung: TieBreak, value: int | str) -> Rung:
    return {"rule": rung.rule, "value": value}


def questions(needs: Sequence[Missing]) -> list[Need]:
    """One question for each fact, naming everybody it has to be asked of and where the answers go."""
    asked: dict[tuple[str, str], Need] = {}
    for missing in needs:
        key = (missing.input, str(missing.label))
        if key not in asked:
            asked[key] = {"input": missing.input, "players": [], "where": []}
            if missing.label:
                asked[key]["label"] = missing.label
        if (missing.player, missing.where) not in zip(asked[key]["players"], asked[key]["where"], strict=True):
            asked[key]["players"].append(missing.player)
            asked[key]["where"].append(missing.where)
    return list(asked.values())
