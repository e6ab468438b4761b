"""Find the lines of a result in which the winner gained most on each other player.

Works on a result as `core.score` returns it, for every game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from scorer.contract import Game
from scorer.record import TOTAL, TYPED_IN
from scorer.result import PlayerResult, Result

Row = tuple[str, str]  # the rule and label of a line; lines with the same two are added up
MOST = 3


class Gain(TypedDict):
    """Hold a line in which the winner has more points: `theirs`, against `mine` of the other player."""

    rule: str
    label: str
    gained: int
    theirs: int
    mine: int


class Beaten(TypedDict):
    """Compare a player who did not win with a winner: the gap, and the lines that explain most of it."""

    player: str
    winner: str
    behind: int
    lines: list[Gain]


def biggest_gaps(game: Game | None, result: Result) -> list[Beaten]:
    """Return, for each player who did not win, the winner to compare with, the gap, and up to three lines.

        {"player": "Bob", "winner": "Ann", "behind": 9,
         "lines": [{"rule": "well", "label": "Wells", "gained": 6, "theirs": 8, "mine": 2}]}

    If several players share the win, each other player is compared with the winner who gained most in those three
    lines. Return an empty list if nobody won or nobody lost.
    """
    players = result["players"]
    winners = [player for player in players if player["winner"]]
    if not winners:
        return []
    rules = game.rules if game else {}
    return [beaten(loser, winners, rules) for loser in players if not loser["winner"]]


def beaten(loser: PlayerResult, winners: list[PlayerResult], rules: Mapping[str, str]) -> Beaten:
    """Compare `loser` with the winner who gained most on this player in the returned lines; return the gap and these
    lines. `rules` has the label of each rule."""
    compared = [(winner, gains(winner, loser, rules)) for winner in winners]
    winner, lines = max(compared, key=lambda pair: sum(line["gained"] for line in pair[1]))
    return {
        "player": loser["name"],
        "winner": winner["name"],
        "behind": winner["total"] - loser["total"],
        "lines": lines,
    }


def gains(winner: PlayerResult, loser: PlayerResult, rules: Mapping[str, str]) -> list[Gain]:
    """Return the lines in which the winner has more points, the greatest difference first, at most three. `rules` has
    the label of each rule."""
    if any(line["rule"] == TOTAL for player in (winner, loser) for line in player["lines"]):
        return []  # only the total of one player is known
    coarse = other_cards(winner, loser, rules) | typed_rules(winner) | typed_rules(loser)
    theirs, mine = rows(winner, coarse), rows(loser, coarse)
    compared: list[Gain] = [
        {
            "rule": rule,
            "label": label,
            "gained": theirs.get((rule, label), 0) - mine.get((rule, label), 0),
            "theirs": theirs.get((rule, label), 0),
            "mine": mine.get((rule, label), 0),
        }
        for rule, label in {**theirs, **mine}
    ]
    compared.sort(key=lambda line: -line["gained"])  # stable: equals stay in the order of the score pad
    return [line for line in compared[:MOST] if line["gained"] > 0]


def other_cards(winner: PlayerResult, loser: PlayerResult, rules: Mapping[str, str]) -> dict[str, str]:
    """Return the rules of which both players have lines, but none with a common label, such as different monuments.
    Such lines can only be compared by their sum. Each rule comes with its label from `rules`."""
    theirs, mine = labels(winner), labels(loser)
    return {rule: rules[rule] for rule in rules if rule in theirs and rule in mine and not theirs[rule] & mine[rule]}


def labels(player: PlayerResult) -> dict[str, set[str]]:
    """Return, keyed by rule, the labels of a player's score lines."""
    found: dict[str, set[str]] = {}
    for line in player["lines"]:
        found.setdefault(line["rule"], set()).add(line["label"])
    return found


def typed_rules(player: PlayerResult) -> dict[str, str]:
    """Return, keyed by rule, the label of each line whose points a player entered by hand as one sum. Only sums can be
    compared for these rules."""
    return {line["rule"]: line["label"] for line in player["lines"] if line.get("why") == TYPED_IN}


def rows(player: PlayerResult, coarse: Mapping[str, str]) -> dict[Row, int]:
    """Return a player's points, keyed by rule and label of the score lines. Lines of a rule in `coarse` are added up
    under its label there."""
    points: dict[Row, int] = {}
    for line in player["lines"]:
        row = (line["rule"], coarse.get(line["rule"], line["label"]))
        points[row] = points.get(row, 0) + line["points"]
    return points
