"""Towns as tests write them: four rows of card marks, "Co We .. Mo / ..."."""

from __future__ import annotations

from typing import Any

from scorer.core import score
from scorer.games.tiny_towns.cards import BUILDINGS, EXPANSIONS, FIRST_GAME, MONUMENTS
from scorer.result import PlayerResult, Result

PIECES = {card.mark: card.id for card in BUILDINGS.values()} | {".": "empty", "Mo": "monument"}
NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")


def grid(text: str) -> list[list[str]]:
    """Short rows and missing rows are filled up with empty squares."""
    rows = [[PIECES[mark] for mark in row.split()] for row in text.split("/")]
    rows = [row + ["empty"] * (4 - len(row)) for row in rows]
    return rows + [["empty"] * 4 for _ in range(4 - len(rows))]


def record(*towns: str | dict[str, Any], mode: str = "standard", **table: Any) -> dict[str, Any]:
    """A record whose cards are those that the towns show, and otherwise those of a first game."""
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
    """The scored sheet of a town that is alone at the table, or with others clockwise after it."""
    return result({"grid": town, **facts}, *others)["players"][player]


def points(town: str, rule: str, **facts: Any) -> int:
    """Return what one line of the town's sheet says."""
    return sum(line["points"] for line in sheet(town, **facts)["lines"] if line["rule"] == rule)


def why(town: str, rule: str, **facts: Any) -> str:
    return " ".join(line["why"] for line in sheet(town, **facts)["lines"] if line["rule"] == rule)


def codes(entered: dict[str, Any], level: str = "error") -> list[tuple[str, str]]:
    """The problems of a record: code and place."""
    return [(p["code"], p["where"]) for p in score(entered)["problems"] if p["level"] == level]
