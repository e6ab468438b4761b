"""What a result page shows besides the result: the pad by rows, the open questions, the boards, words to share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.contract import Choice, Game, Input, Json, Loaded, WhatIf
from scorer.grid import name
from scorer.reading import words
from scorer.report import rung, totals, verdict
from scorer.result import Result, ResultLine
from webapp.table import asking, forms


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the score pad: for each player the points, None without a line, and the lines behind them."""

    rule: str
    label: str
    points: tuple[int | None, ...]
    lines: tuple[tuple[ResultLine, ...], ...]


@dataclass(frozen=True, slots=True)
class Square:
    """A square of a board as it lies on the table."""

    cell: str
    choice: Choice


def rows(game: Game, result: Result) -> list[Row]:
    """The score pad: players across, lines down, in the order of the game's own pad."""
    sums = [totals(player["lines"]) for player in result["players"]]
    return [
        Row(
            rule,
            label,
            tuple(mine.get(rule) for mine in sums),
            tuple(tuple(line for line in player["lines"] if line["rule"] == rule) for player in result["players"]),
        )
        for rule, label in game.rules.items()
        if any(rule in mine for mine in sums)
    ]


def questions(game: Game, loaded: Loaded, result: Result) -> list[dict[str, Any]]:
    """What `needs` asks, with the words and the kind of field for each."""
    players = range(len(loaded.record["players"]))
    inputs = [one for player in (None, *players) for one in asking.inputs_of(game, loaded, player)]
    asked = []
    for need in result["needs"]:
        known = next((i for i in inputs if i.name.split("/")[-1] == need["input"]), None)
        step = next((step for step in game.ladder if step.rule == need["input"]), None)
        label = need.get("label") or (known.label if known else words(need["input"]).capitalize())
        kind = known.kind if known else step.kind if step else "number"
        asked.append({**need, "label": label, "kind": kind})
    return asked


def boards(game: Game, loaded: Loaded, player: int) -> list[list[list[Square]]]:
    """Every painted board of the player, square by square."""
    state = loaded.record["players"][player]
    if asking.TYPED in state:
        return []
    inputs = asking.inputs_of(game, loaded, player)
    return [squares(asked, state) for asked in inputs if asked.kind in {"grid", "letters"}]


def squares(asked: Input, values: Json) -> list[list[Square]]:
    """A board with its values; what is no choice of the palette shows as the first choice, nothing."""
    by_value = {choice.value: choice for choice in asked.choices}
    rows, columns = asked.size
    return [
        [
            Square(
                cell_name(asked, row, column),
                by_value.get(forms.get(values, (*forms.steps(asked.name), str(row), str(column))), asked.choices[0]),
            )
            for column in range(columns)
        ]
        for row in range(rows)
    ]


def cell_name(asked: Input, row: int, column: int) -> str:
    return asked.cells[row][column] if asked.cells else name((row, column))


def one_swap_away(game: Game, loaded: Loaded) -> dict[str, WhatIf]:
    """By player: what one small change would have brought, for games that can say."""
    if game.what_if is None:
        return {}
    players = loaded.record["players"]
    found = {player["name"]: game.what_if(loaded.state, seat) for seat, player in enumerate(players)}
    return {player: better for player, better in found.items() if better is not None}


def share_text(game: Game, result: Result) -> str:
    """The result in a few lines for a message."""
    by_rank = sorted(result["players"], key=lambda player: player["rank"])
    lines = [f"{player['rank']}. {player['name']}: {player['total']}" for player in by_rank]
    return "\n".join([game.name, *lines, verdict(result)])


def decider(game: Game, result: Result) -> str:
    """The words for the tie-break that decided, "" if it was points or nothing did."""
    decided_by = result["decided_by"]
    return rung(game.id, decided_by) if decided_by and decided_by not in {"points", "shared"} else ""
