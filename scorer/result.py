"""Build the result that `score` returns for pages, programs and files (formats: docs/developers/records.md).

Its texts are `Sentence`s: English in JSON, and translated when a page shows them. They are never stored. Histories
store the `rule` and `item` of a line, and `label_of` finds a label when the line cannot be scored again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from scorer.contract import UNKNOWN, Game, Json, Line, Missing, Problem, Sheet, TieBreak
from scorer.ranking import Ranking
from scorer.record import TOTAL, TOTAL_LABEL, words
from scorer.sentences import Sentence, as_it_is, printed, say
from scorer.spans import Span, possible_leaders

MOST_PROBLEMS = 100  # problems listed; nobody reads more
FORGOTTEN = say("Still to count, so we used the next tie-break")


class Fault(TypedDict):
    """Hold a Problem as JSON; `where` is a JSON Pointer into the record, `level` is "error" or "warning"."""

    code: str
    message: str
    where: str
    level: str


class ResultLine(TypedDict):
    """Hold one row of a player's score sheet; a result without reasons lacks `why`, `cells` and `cite`."""

    rule: str
    item: str
    label: str
    points: int
    open: NotRequired[bool]  # true while it depends on a fact that is still to count
    why: NotRequired[str]
    cells: NotRequired[list[str]]
    cite: NotRequired[str]


class Rung(TypedDict):
    """Hold a player's value for one step of the tie-breaks, perhaps with a reason."""

    rule: str
    value: int | str
    why: NotRequired[str]


class PlayerResult(TypedDict):
    """Hold one player's result. `total` is the sum of the lines.

    While facts are open, `final` is false, and `range` holds the least and the most that the total can be. An end of
    the range that is unknown is None.
    """

    name: str
    total: int
    final: NotRequired[bool]
    range: NotRequired[list[int | None]]
    rank: int
    winner: bool
    lines: list[ResultLine]
    tiebreaks: list[Rung]


class Need(TypedDict):
    """Hold a fact to enter before there is a winner, with the players to ask and the place of each answer."""

    input: str
    label: NotRequired[str]
    players: list[str]
    where: list[str]


class Result(TypedDict):
    """Hold the scores of a record, or every reason why it cannot be scored."""

    game: str
    ok: bool
    problems: list[Fault]
    needs: list[Need]
    players: list[PlayerResult]
    winners: list[str]
    decided_by: str | None
    rules_version: str
    rating: NotRequired[str]
    told: NotRequired[list[int]]  # in a result from another program, the seats whose place it gave


def scored(
    game: Game, sheets: Sequence[Sheet], ranking: Ranking, warnings: Sequence[Problem], reasons: bool = True
) -> Result:
    """Return the result of a legal record from its sheets, its ranking, and the problems that are only warnings. With
    `reasons`, lines have explanations."""
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
                **_openness(sheet),
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


def seats_without_points(record: Json, result: Result) -> frozenset[int]:
    """Return the seats whose points are unknown, because the players entered neither a board nor points."""
    players = zip(record["players"], result["players"], strict=True)
    return frozenset(
        seat for seat, (entered, player) in enumerate(players) if "typed" in entered and not player["lines"]
    )


def unplaced(record: Json, result: Result) -> frozenset[int]:
    """Return the seats whose place is unknown, so that their order in the result means nothing. These are seats without
    points, unless another program gave the place, and seats whose place an open fact can change. If a seat without
    points leaves open who won, all seats are returned."""
    unknown = seats_without_points(record, result)
    if unknown and not result["winners"] and not result["needs"]:
        return frozenset(range(len(result["players"])))
    places = certain_places(result)
    return (unknown - set(result.get("told", ()))) | {seat for seat, place in enumerate(places) if place is None}


def can_be_saved(result: Result) -> bool:
    """Return whether a game with this result can be saved: it has no error, but facts may be open."""
    return result["ok"]


def refused(game_id: str, problems: Sequence[Problem], version: str = "") -> Result:
    """Return a result without scores that lists the errors among `problems`. Questions are left out, because they can
    be asked later; `version` is that of the game's rules."""
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
    """Return each problem once. If there are more than MOST_PROBLEMS, the last entry counts the others."""
    found = list(dict.fromkeys(problems))
    if len(found) > MOST_PROBLEMS:
        more = len(found) - MOST_PROBLEMS + 1
        message = say("{n} more problems. Fix these first.", n=more)
        found[MOST_PROBLEMS - 1 :] = [Problem("more_problems", message, "", found[0].level)]
    return [_fault(problem) for problem in found]


def _fault(problem: Problem) -> Fault:
    return {
        "code": problem.code,
        "message": problem.message,
        "where": problem.where,
        "level": problem.level,
    }


class _Openness(TypedDict, total=False):
    final: bool
    range: list[int | None]


def _openness(sheet: Sheet) -> _Openness:
    return {} if sheet.is_final else {"final": False, "range": list(sheet.range)}


def _line(line: Line) -> ResultLine:
    return {**_points(line), "why": line.why, "cells": list(line.cells), "cite": line.cite}


def _points(line: Line) -> ResultLine:
    found: ResultLine = {"rule": line.rule, "item": line.item, "label": line.label, "points": line.points}
    if line.span is not None:
        found["open"] = True
    return found


def is_final(player: PlayerResult) -> bool:
    """Return whether no open fact can change this player's total."""
    return player.get("final", True)


def is_decided(result: Result) -> bool:
    """Return whether no answer can change who wins; how a single winner won may still be open."""
    return result["decided_by"] is not None or len(result["winners"]) == 1


def certain_places(result: Result) -> list[int | None]:
    """Return the place of each player, in order of seats; None while an open fact can change it."""
    players, is_won = result["players"], is_decided(result)
    if all(is_final(player) for player in players):
        return [player["rank"] if is_won or not player["winner"] else None for player in players]
    return [
        player["rank"] if (is_won and player["winner"]) or _is_placed(player, players) else None for player in players
    ]


def _is_placed(player: PlayerResult, players: Sequence[PlayerResult]) -> bool:
    """Return whether it is certain which of `players` are ahead of this player and which are behind."""
    low, high = range_of(player)
    ends = [range_of(other) for other in players if other is not player and not (is_final(other) and is_final(player))]
    return all(_is_less(high, theirs[0]) or _is_less(theirs[1], low) for theirs in ends)


def _is_less(high: int | None, low: int | None) -> bool:
    return high is not None and low is not None and high < low


def decisive(result: Result) -> Result:
    """Return the result with only the needs of players who can still win. All needs stay if none would be left, or if
    such a player has open points but no need."""
    ranges = [range_of(player) for player in result["players"]]
    able = {result["players"][seat]["name"] for seat in possible_leaders(ranges)}
    needs = [need for need in result["needs"] if not able.isdisjoint(need["players"])]
    asked = {name for need in needs for name in need["players"]}
    if any(player["name"] in able - asked and not is_final(player) for player in result["players"]):
        return result
    return {**result, "needs": needs or result["needs"]}


def range_of(player: PlayerResult) -> Span:
    """Return the least and the most that a player's total can be; an unknown end is None."""
    low, high = player.get("range") or (player["total"], player["total"])
    return low, high


def label_of(game: Game | None, rule: str, item: str) -> Sentence:
    """Return the label of a score line from its rule and item alone, even if the game is no longer installed."""
    if item:
        names = {str(entry.name): entry.name for entry in (game.cards.catalogue if game else ())}
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
    """Return one need for each missing fact, with all players to ask and the place of each answer."""
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
