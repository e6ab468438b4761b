"""From a table half entered to a record, and what can be said of it already while people are still tapping."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scorer.contract import Companion, Game, Input, Json
from scorer.core import load, score_as
from scorer.reading import words
from webapp.table import kinds, paths
from webapp.table.tables import Seat, Table

TYPED = "typed"
COMPANION = "companion"  # what help during the game was told is kept with the table, but is no part of a record


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
    """Only what the inputs cover; structures that nobody has begun start as their inputs say."""
    inputs = list(inputs)
    kept = paths.covered(values, [paths.steps(asked.name) for asked in inputs])
    for asked in inputs:
        path = paths.steps(asked.name)
        if not kinds.of(asked).has_fields and asked.default is not None and paths.get(kept, path) is paths.ABSENT:
            kept = paths.put(kept, path, asked.default)
    return kept


def inputs_of(game: Game, record: Json, player: int | None) -> tuple[Input, ...]:
    """What matters now of that player, or of the table (None)."""
    if player is not None and TYPED in record["players"][player]:
        facts = game.asks(load(game, record), player) if game.asks is not None else ()
        return (*typed_inputs(game), *(fact for fact in facts if fact.in_doubt))
    if game.asks is not None:
        return game.asks(load(game, record), player)
    return tuple(asked for asked in game.inputs if (asked.of == "player") is (player is not None))


def typed_inputs(game: Game) -> tuple[Input, ...]:
    """Line totals instead of an end state, and the facts a tie may hang on."""
    lines = (
        Input(f"{TYPED}/{rule}", label, "number", low=-999, high=999, optional=True)
        for rule, label in game.rules.items()
    )
    facts = (
        Input(step.rule, words(step.rule).capitalize(), step.kind, optional=True, in_doubt=True) for step in game.ladder
    )
    return (Input(TYPED, "Typed", "data"), *lines, *facts)


def lasting(game: Game, record: Json) -> Json:
    """What is worth keeping of a table for the next one: not what names tonight's players or cards."""
    asked = [one for one in (*game.inputs, *inputs_of(game, record, None)) if one.of != "player"]
    return _relevant(
        record.get("table", {}), [one for one in asked if not one.tonight and not kinds.of(one).names_players]
    )


def raw_record(table: Table) -> Json:
    """All that was entered, relevant or not: what `asks` and `guide` look at."""
    players = [_player(seat, seat.state or {}) for seat in table.seats]
    return {"game": table.game.id, "table": table.setup, "players": players}


def guide(game: Game, record: Json, player: int) -> Json:
    """What the game's own pages want to know of a player's end state; nothing of a typed one."""
    typed = TYPED in record["players"][player]
    return game.guide(load(game, record), player) if game.guide is not None and not typed else None


def companion_of(table: Table) -> Companion | None:
    """Help during the game, if this game has any to offer as it is laid."""
    companion = table.game.companion
    if companion is None or not companion.asks(load(table.game, raw_record(table)), told_companion(table)):
        return None
    return companion


def told_companion(table: Table) -> Json:
    blank = table.game.companion.blank if table.game.companion else None
    return table.setup.get(COMPANION, blank)


@dataclass(frozen=True, slots=True)
class Preview:
    """What can be said of one player's entries while the others may still be at it."""

    sheet: dict[str, Any] | None  # her part of a result
    problems: tuple[dict[str, str], ...]  # `where` without the player: "grid/1/2"
    table_problems: tuple[dict[str, str], ...]  # of the whole table: "/table/accolades/cards/0"
    complete: bool  # everybody is in, so totals that depend on others are final


class Look:
    """The table as far as it can be scored: whoever has not begun, or has a fault to mend, stands aside."""

    def __init__(self, table: Table) -> None:
        told = record_of(table)
        record = with_suppositions(table.game, told)
        self.game, self.told, self.supposed = table.game, told, record != told
        self.seats = table.seats
        self.waiting = {seat.number for seat in table.seats if seat.state is None}
        self.all = score_as(table.game, _without(record, self.waiting))
        faulty = {seat.number for seat in table.seats if _errors(_concerning(self.all, seat.number))}
        self.aside = self.waiting | faulty
        self.sound = score_as(table.game, _without(record, self.aside)) if faulty else self.all

    def preview(self, number: int) -> Preview:
        """What can be said of one player now."""
        errors, hints = _concerning(self.all, number), _concerning(self.sound, number)
        return Preview(
            self.sound["players"][number] if self.sound["ok"] and number not in self.aside else None,
            # A question about a whole board, such as whether tiles can form it, waits until the board is done.
            tuple(errors if number in self.aside else [hint for hint in hints if "/" in hint["where"]]),
            tuple(_of_table(self.sound)),
            not self.aside and not self.supposed and not self.sound["needs"],
        )

    def totals(self) -> list[int | None]:
        """Each player's points so far, None where nothing can be said yet."""
        sheets = [self.preview(seat.number).sheet for seat in self.seats]
        return [None if sheet is None else sheet["total"] for sheet in sheets]

    def table_problems(self) -> list[dict[str, str]]:
        """What is wrong with the table itself, as far as those who are in let it be seen."""
        told = score_as(self.game, _without(self.told, self.aside)) if self.supposed else self.sound
        return _of_table(told)


def with_suppositions(game: Game, record: Json) -> Json:
    """The record with something in place of what nobody has told of the table yet, so that points show meanwhile."""
    told = record["table"]
    for asked in inputs_of(game, record, None):
        if asked.of == "setup" or asked.optional or asked.in_doubt:
            continue
        value = paths.get(told, paths.steps(asked.name))
        supposed = kinds.of(asked).supposed(value)
        if supposed is not value:
            told = paths.put(told, paths.steps(asked.name), supposed)
    return {**record, "table": told}


def _of_table(result: Json) -> list[dict[str, str]]:
    return [problem for problem in result["problems"] if not problem["where"].startswith("/players/")]


def _without(record: Json, aside: set[int]) -> Json:
    """The record with empty typed sheets in the seats of those who stand aside."""
    players = [
        {"name": player["name"], TYPED: {}} if number in aside else player
        for number, player in enumerate(record["players"])
    ]
    return {**record, "players": players}


def _concerning(result: Json, number: int) -> list[dict[str, str]]:
    """The problems of that player, each with the rest of its way."""
    pointer = f"/players/{number}"
    return [
        {**problem, "where": problem["where"].removeprefix(pointer).removeprefix("/")}
        for problem in result["problems"]
        if f"{problem['where']}/".startswith(f"{pointer}/")
    ]


def _errors(problems: list[dict[str, str]]) -> bool:
    return any(problem["level"] == "error" for problem in problems)


def preview(table: Table, number: int) -> Preview:
    return Look(table).preview(number)


def totals(table: Table) -> list[int | None]:
    return Look(table).totals()


def table_problems(table: Table) -> list[dict[str, str]]:
    return Look(table).table_problems()


def waiting_for(table: Table) -> list[str]:
    return [seat.name for seat in table.seats if seat.state is None]
