"""Build towns of Tiny Towns for tests from four rows of card marks, such as "Co We .. Mo / ..."."""

from __future__ import annotations

from typing import Any

from scorer.core import score
from scorer.games.tiny_towns.cards import BUILDINGS, EXPANSIONS, FIRST_GAME, MONUMENTS
from scorer.result import PlayerResult, Result

PIECES = {card.mark: card.id for card in BUILDINGS.values()} | {".": "empty", "Mo": "monument"}
NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")


def grid(text: str) -> list[list[str]]:
    """Return the rows of a town. Short and missing rows are filled with empty squares."""
    rows = [[PIECES[mark] for mark in row.split()] for row in text.split("/")]
    rows = [row + ["empty"] * (4 - len(row)) for row in rows]
    return rows + [["empty"] * 4 for _ in range(4 - len(rows))]


def record(*towns: str | dict[str, Any], mode: str = "standard", **table: Any) -> dict[str, Any]:
    """Return a record with the cards that the towns show, and otherwise those of a first game."""
    players = []
    cards = dict(FIRST_GAME)
    for name, town in zip(NAMES, towns, strict=False):
        player: dict[str, Any] = {"grid": town} if isinstance(town, str) else dict(town)
        if isinstance(player.get("grid"), str):
            player["grid"] = grid(player["grid"])
        for row in player.get("grid", []):
            cards.update({BUILDINGS[piece].colour: piece for piece in row if piece in BUILDINGS and piece != "cottage"})
        players.append({"name": name, **player})
    held = [MONUMENTS[player["monument"]] for player in players if player.get("monument") in MONUMENTS]
    needed = {card.expansion for card in (*held, *(BUILDINGS[card] for card in cards.values()))}
    if needed - {""}:
        table = {"expansions": [one for one in EXPANSIONS if one in needed], **table}
    return {"game": "tiny_towns", "table": {"mode": mode, "cards": cards, **table}, "players": players}


def result(*towns: str | dict[str, Any], **table: Any) -> Result:
    found = score(record(*towns, **table))
    assert found["ok"], found["problems"]
    return found


def sheet(town: str, player: int = 0, others: tuple[str, ...] = (), **facts: Any) -> PlayerResult:
    """Return the scored sheet of a town, alone or with other towns clockwise after it."""
    return result({"grid": town, **facts}, *others)["players"][player]


def points(town: str, rule: str, **facts: Any) -> int:
    """Return the points of one line of the town's sheet."""
    return sum(line["points"] for line in sheet(town, **facts)["lines"] if line["rule"] == rule)


def why(town: str, rule: str, **facts: Any) -> str:
    return " ".join(line["why"] for line in sheet(town, **facts)["lines"] if line["rule"] == rule)


def codes(entered: dict[str, Any], level: str = "error") -> list[tuple[str, str]]:
    """Return the code and place of each problem of a record."""
    return [(p["code"], p["where"]) for p in score(entered)["problems"] if p["level"] == level]
