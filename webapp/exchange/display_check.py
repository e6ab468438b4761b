"""Check that pages can show a game that was not scored by today's rules, by trying what they do with it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from scorer.contract import Game, Json, Loaded
from scorer.report import verdict
from scorer.result import seats_without_points
from webapp.database import pack
from webapp.history import Decision, counted_rows, outcome
from webapp.table import Entries, Seat, Table, forms, relevant_inputs, result_page

# What code may raise on a value of another shape.
DISPLAY_ERRORS = (TypeError, ValueError, LookupError, AttributeError, AssertionError, ArithmeticError, RecursionError)


def can_be_shown(game: Game, loaded: Loaded, decision: Decision) -> bool:
    """Return whether statistics, the page of the game and the editor can work with this record and decision."""
    record = loaded.record
    try:
        pack([record, asdict(decision)]).encode()
        counted_rows(record, decision)
        result = outcome(record, decision).result
        page: dict[str, Any] = result_page.shown(game, loaded, result)
        verdict(game, result, seats_without_points(record, result))
        entries = Entries(editing_table(game, record))
        for seat in (None, *range(len(record["players"]))):
            values = record.get("table", {}) if seat is None else record["players"][seat]
            forms.build(entries.inputs(seat), values)
        relevant_inputs.lasting(game, loaded)
        return bool(page and entries.result)
    except DISPLAY_ERRORS:
        return False


def editing_table(game: Game, record: Json) -> Table:
    """Return a table (a game being entered) as the editor would open this record; it is not stored."""
    seats = tuple(
        Seat(number, player["name"], {key: value for key, value in player.items() if key != "name"}, 1)
        for number, player in enumerate(record["players"])
    )
    return Table(0, "", 0, game, record.get("table", {}), seats, None, "")
