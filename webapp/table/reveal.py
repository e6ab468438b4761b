"""The reveal: everybody sees the result at the same moment, line by line, the lowest place first."""

from __future__ import annotations

import time
from dataclasses import dataclass

from scorer.contract import Game
from scorer.reading import TOTAL_LABEL
from scorer.report import totals
from scorer.result import PlayerResult, Result
from webapp.database import Database
from webapp.table.tables import Table, touch

STEP_MS = 900
LONGEST_MS = 60_000  # many players with many lines go faster


@dataclass(frozen=True, slots=True)
class Act:
    """One player's part: her rows of the score pad, each with the sum so far."""

    player: PlayerResult
    rows: tuple[tuple[str, int, int], ...]  # label, points, sum so far


@dataclass(frozen=True, slots=True)
class Show:
    """All acts, the ms between two beats, and those since it began: phones go by these, since their clocks differ."""

    acts: tuple[Act, ...]
    step: int
    elapsed: int


def show(table: Table, result: Result) -> Show | None:
    """The reveal while it runs; None before and after."""
    if table.revealed_at is None or not result["ok"] or table.saved_at:
        return None
    acts = tuple(_act(table.game, player) for player in sorted(result["players"], key=lambda player: -player["rank"]))
    beats = sum(len(act.rows) + 2 for act in acts)  # her name, her rows, her sum
    step = min(STEP_MS, LONGEST_MS // max(beats, 1))
    elapsed = max(0, moment() - table.revealed_at)
    return Show(acts, step, elapsed) if elapsed < step * (beats + 1) else None


def _act(game: Game, player: PlayerResult) -> Act:
    rows, so_far = [], 0
    for rule, points in totals(player["lines"]).items():
        so_far += points
        rows.append((game.rules.get(rule, TOTAL_LABEL), points, so_far))
    return Act(player, tuple(rows))


def lift(db: Database, table: Table) -> None:
    """Raise the curtain, once."""
    if table.revealed_at is None:
        db.execute("UPDATE tables SET revealed_at = ? WHERE id = ?", [moment(), table.id])
        touch(db, table)


def moment() -> int:
    return time.time_ns() // 1_000_000
