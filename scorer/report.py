"""A result as text for a terminal: the score pad as a table, who won by what, and the reasons on request."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from scorer import games
from scorer.reading import words

Result = Mapping[str, Any]


def as_text(result: Result, why: bool = False) -> str:
    """The whole report, without a final line break."""
    parts = [title(result)]
    if not result["ok"]:
        return "\n".join([*parts, *(told(problem) for problem in result["problems"])])
    parts += [pad(result), verdict(result)]
    parts += [told(problem) for problem in result["problems"]]
    if why:
        parts += ["", *(explain(player) for player in result["players"])]
    return "\n".join(parts)


def title(result: Result) -> str:
    game = games.find(result["game"])
    return game.name if game else "No result"


def pad(result: Result) -> str:
    """Players across, lines down, numbers under one another."""
    players = result["players"]
    table = [["", *(printable(player["name"]) for player in players)]]
    for label, points in rows(result):
        table.append([label, *("" if amount is None else str(amount) for amount in points)])
    table += [["Total", *(str(player["total"]) for player in players)]]
    table += [["Place", *(str(player["rank"]) for player in players)]]
    return "\n".join(aligned(table))


def rows(result: Result) -> list[tuple[str, list[int | None]]]:
    """Each row of the score pad that anybody has: its label and the players' points, None where one has no line."""
    game = games.find(result["game"])
    sums = [totals(player["lines"]) for player in result["players"]]
    rules = game.rules if game else {}
    return [(label, [mine.get(rule) for mine in sums]) for rule, label in rules.items() if any(rule in s for s in sums)]


def totals(lines: Sequence[Result]) -> dict[str, int]:
    """Points by rule: several lines of one rule, such as the cards of a street, make one row."""
    found: dict[str, int] = {}
    for line in lines:
        found[line["rule"]] = found.get(line["rule"], 0) + line["points"]
    return found


def aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """The first column to the left, the others to the right."""
    widths = [max(width(row[column]) for row in table) for column in range(len(table[0]))]
    lines = []
    for first, *others in table:
        cells = [first + " " * (widths[0] - width(first))]
        cells += [" " * (wide - width(cell)) + cell for cell, wide in zip(others, widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines


def width(text: str) -> int:
    """How many columns a terminal gives the text: none to accents, two to wide letters."""
    wide = {"W": 2, "F": 2}
    return sum(0 if unicodedata.combining(c) else wide.get(unicodedata.east_asian_width(c), 1) for c in text)


def verdict(result: Result) -> str:
    """Who won and what decided it, or what has to be asked first."""
    if result["needs"]:
        asked = [f"{words(need['input'])} of {listed(need['players'])}" for need in result["needs"]]
        opening = f"{listed(result['winners'])} are tied" if result["winners"] else "Not decided yet"
        return f"{opening}: enter the {'; '.join(asked)}."
    winners, decided_by = result["winners"], result["decided_by"]
    rating = f" Skill: {result['rating']}." if "rating" in result else ""
    points = next(player["total"] for player in result["players"] if player["winner"])
    if len(result["players"]) == 1:
        return f"{printable(winners[0])} scores {points}.{rating}"
    if decided_by == "shared":
        return f"{listed(winners)} share the victory with {points}."
    if decided_by == "points":
        return f"{printable(winners[0])} wins with {points}."
    return f"{printable(winners[0])} wins the tie at {points} by {rung(result['game'], decided_by)}."


def rung(game_id: str, rule: str) -> str:
    game = games.find(game_id)
    return next((step.label for step in game.ladder if step.rule == rule), words(rule)) if game else words(rule)


def explain(player: Result) -> str:
    """One player's lines with their reasons; it only prints what the sheet says."""
    rows = [[printable(player["name"]), str(player["total"])]]
    rows += [[f"  {printable(line['label'])}", str(line["points"])] for line in player["lines"]]
    reasons = ["", *(reason(line) for line in player["lines"])]
    return "\n".join(f"{row}  {why}".rstrip() for row, why in zip(aligned(rows), reasons, strict=True))


def reason(line: Result) -> str:
    where = f" [{' '.join(line['cells'])}]" if line["cells"] else ""
    cite = f" ({line['cite']})" if line["cite"] else ""
    return f"{printable(line['why'])}{where}{cite}"


def told(problem: Result) -> str:
    mark = "Note" if problem["level"] == "warning" else "Problem"
    where = f" at {printable(problem['where'])}" if problem["where"] else ""
    return f"{mark}{where}: {printable(problem['message'])}"


def listed(names: Sequence[str]) -> str:
    *most, last = [printable(name) for name in names]
    return f"{', '.join(most)} and {last}" if most else last


def printable(text: str) -> str:
    """Names and messages may hold what strangers typed: nothing of it may steer the terminal."""
    return "".join(c if unicodedata.category(c) not in {"Cc", "Cs"} else "\N{REPLACEMENT CHARACTER}" for c in text)
