"""From a table half entered to a record, and what can be said of it already while people are still tapping."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scorer.core import Game, Input, Json, score_as
from webapp import forms
from webapp.tables import Seat, Table

TYPED = "typed"


def record_of(table: Table) -> Json:
    """The record as it would be scored now: what no longer matters is left out, though the table still keeps it."""
    whole = {
        "game": table.game.id,
        "table": table.setup,
        "players": [_player(seat, seat.state or {}) for seat in table.seats],
    }
    players = [
        _player(seat, _relevant(seat.state or {}, inputs_of(table.game, whole, seat.number))) for seat in table.seats
    ]
    setup = _relevant(table.setup, inputs_of(table.game, whole, None))
    return {"game": table.game.id, "table": setup, "players": players}


def _player(seat: Seat, state: Json) -> Json:
    return {"name": seat.name, **state}


def _relevant(values: Json, inputs: Iterable[Input]) -> Json:
    return forms.covered(values, [forms.steps(asked.name) for asked in inputs])


def inputs_of(game: Game, record: Json, player: int | None) -> tuple[Input, ...]:
    """What matters now of that player, or of the table (None)."""
    if player is not None and TYPED in record["players"][player]:
        return typed_inputs(game)
    if game.asks is not None:
        return game.asks(record, player)
    return tuple(asked for asked in game.inputs if (asked.of == "player") is (player is not None))


def typed_inputs(game: Game) -> tuple[Input, ...]:
    """Line totals instead of an end state, and the facts a tie may hang on."""
    lines = (
        Input(f"{TYPED}/{rule}", label, "number", low=-999, high=999, optional=True)
        for rule, label in game.rules.items()
    )
    facts = (Input(step.rule, step.label.capitalize(), step.kind, optional=True, in_doubt=True) for step in game.ladder)
    return (Input(TYPED, "Typed", "data"), *lines, *facts)


def raw_record(table: Table) -> Json:
    """All that was entered, relevant or not: what `asks` and `guide` look at."""
    players = [_player(seat, seat.state or {}) for seat in table.seats]
    return {"game": table.game.id, "table": table.setup, "players": players}


@dataclass(frozen=True, slots=True)
class Preview:
    """What can be said of one player's entries while the others may still be at it."""

    sheet: dict[str, Any] | None  # her part of a result
    problems: tuple[dict[str, str], ...]  # `where` without the player: "grid/1/2"
    table_problems: tuple[dict[str, str], ...]  # of the whole table: "/table/accolades/cards/0"
    complete: bool  # everybody is in, so totals that depend on others are final


def preview(table: Table, number: int) -> Preview:
    """What can be said of one player now."""
    result, absent = _scored(table, number)
    return Preview(
        result["players"][number] if result["ok"] else None,
        tuple(_concerning(result, f"/players/{number}")),
        tuple(_of_table(result)),
        not absent and not result["needs"],
    )


def table_problems(table: Table) -> list[dict[str, str]]:
    """What is wrong with the table itself, as far as the players who are in let it be seen."""
    return _of_table(_scored(table, None)[0])


def _scored(table: Table, number: int | None) -> tuple[Json, set[int]]:
    """The result with everybody who can be scored, and those who can't, or have not begun, and stand aside."""
    record = record_of(table)
    absent = {seat.number for seat in table.seats if seat.state is None and seat.number != number}
    result = score_as(table.game, _without(record, absent))
    faulty = {n for n in range(len(table.seats)) if n != number and _concerning(result, f"/players/{n}")}
    if not result["ok"] and faulty - absent:
        absent |= faulty
        result = score_as(table.game, _without(record, absent))
    return result, absent


def _of_table(result: Json) -> list[dict[str, str]]:
    return [problem for problem in result["problems"] if not problem["where"].startswith("/players/")]


def _without(record: Json, absent: set[int]) -> Json:
    """The record with empty typed sheets in the seats of those who stand aside."""
    players = [
        {"name": player["name"], TYPED: {}} if number in absent else player
        for number, player in enumerate(record["players"])
    ]
    return {**record, "players": players}


def _concerning(result: Json, pointer: str) -> list[dict[str, str]]:
    """The problems at the pointer and below, each with the rest of its way."""
    return [
        {**problem, "where": problem["where"].removeprefix(pointer).removeprefix("/")}
        for problem in result["problems"]
        if f"{problem['where']}/".startswith(f"{pointer}/")
    ]


def totals(table: Table) -> list[int | None]:
    """Each player's points so far, None where nothing can be said yet."""
    sheets = [preview(table, seat.number).sheet if seat.state is not None else None for seat in table.seats]
    return [None if sheet is None else sheet["total"] for sheet in sheets]


def waiting_for(table: Table) -> list[str]:
    return [seat.name for seat in table.seats if seat.state is None]
