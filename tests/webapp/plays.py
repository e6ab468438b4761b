"""Make small games for a history: typed totals for any game, and towns with boards."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from scorer.core import score
from tests.webapp.engines import place
from webapp import clubs
from webapp.cli.open_database import opened
from webapp.database import Database
from webapp.history import NewPlay, decision_of, rebuild

CARDS = {"red": "farm", "grey": "well", "orange": "chapel", "green": "tavern", "yellow": "bakery", "black": "warehouse"}


def database(path: str | Path) -> AbstractContextManager[Database]:
    return opened(place(path), new=True)


def club(db: Database) -> int:
    row = db.row("SELECT min(id) AS id FROM clubs")
    assert row is not None
    return row["id"] or clubs.create(db, "The club")


def typed(points: Mapping[str, int], game: str = "tenby", line: str = "", **facts: Any) -> dict[str, Any]:
    """Return a record of players with only the points of one line."""
    rule = line or {"tenby": "card", "old_london_bridge": "coins", "tiny_towns": "cottage"}[game]
    players = [
        {"name": name, "typed": {rule: total}, "completed_streets": 1, "resident_cards": 1, **facts}
        for name, total in points.items()
    ]
    if game != "tenby":
        players = [{"name": name, "typed": {rule: total}} for name, total in points.items()]
    return {"game": game, "table": {}, "players": players}


def towns(cottages: Mapping[str, int], **table: Any) -> dict[str, Any]:
    """Return a record of towns with so many cottages and a farm that feeds up to four."""
    players = []
    for number, (name, count) in enumerate(cottages.items()):
        squares = ["farm", *["cottage"] * count, *["empty"] * (15 - count)]
        grid = [squares[row * 4 : row * 4 + 4] for row in range(4)]
        players.append({"name": name, "grid": grid, "master_builder_turns": number})
    cards = dict(table.pop("cards", CARDS))  # everybody a copy, to change as they like
    return {"game": "tiny_towns", "table": {"mode": "standard", "cards": cards, **table}, "players": players}


def content(db: Database) -> dict[str, set[tuple[Any, ...]]]:
    """Return all stored and derived rows of saved games, by table."""
    tables = ("play_versions", "version_scores", *rebuild.DERIVED, "all_plays", "all_scores", "all_lines")
    return {table: set(db.execute(f"SELECT * FROM {table}").fetchall()) for table in tables}


def draft(record: dict[str, Any], played_at: str = "2026-01-01T20:00:00Z", **more: Any) -> NewPlay:
    result = score(record)
    assert result["ok"] and not result["needs"], result
    return NewPlay(record, decision_of(record, result), played_at, **more)
