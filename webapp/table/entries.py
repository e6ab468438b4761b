"""Compute the scores, problems and questions of a table while people are still entering it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from scorer import core
from scorer.contract import Companion, Game, Input, Json, Loaded, Section
from scorer.form_messages import in_words
from scorer.result import Fault, PlayerResult, Result
from webapp.database import pack
from webapp.table import json_paths, kinds, relevant_inputs
from webapp.table.json_paths import COMPANION
from webapp.table.tables import Seat, Table

REMEMBERED = 256  # records of some tens of kB; longer ones are not remembered
LONGEST_REMEMBERED = 32_000  # characters; a large table has 10,000


@dataclass(frozen=True, slots=True)
class Preview:
    """Hold one player's score and problems so far, while others may still be entering theirs."""

    sheet: PlayerResult | None
    problems: tuple[Fault, ...]  # `where` without the player: "grid/1/2"
    table_problems: tuple[Fault, ...]  # of the whole table: "/table/accolades/cards/0"
    complete: bool  # the player's points are final, whatever others enter


class Entries:
    """Hold all entries of a table and compute each result from them once, when it is needed.

    Players who have entered nothing, or something wrong, are left out when the others are scored.
    """

    def __init__(self, table: Table) -> None:
        self.game, self.seats, self.setup = table.game, table.seats, table.setup
        self.waiting = frozenset(seat.number for seat in table.seats if seat.state is None)
        self._inputs: dict[int | None, tuple[Input, ...]] = {}

    # -- the entries ---

    @cached_property
    def loaded(self) -> Loaded:
        """Return the whole record as entered, including values that do not matter now.

        Its `record` contains the values of the companion, the help during the game; its `state` does not.
        """
        players = [_player(seat, relevant_inputs.with_defaults(self.game, seat.state or {})) for seat in self.seats]
        setup = without_companion(self.setup)
        packed = pack({"game": self.game.id, "table": setup, "players": players})
        read = (_read if len(packed) <= LONGEST_REMEMBERED else _read.__wrapped__)(self.game, packed)
        return replace(read, record={**read.record, "table": self.setup})

    def inputs(self, player: int | None) -> tuple[Input, ...]:
        """Return the inputs to be asked for now: those of a player or, if `player` is None, of the whole table."""
        if player not in self._inputs:
            self._inputs[player] = relevant_inputs.inputs_of(self.game, self.loaded, player)
        return self._inputs[player]

    @cached_property
    def setup_inputs(self) -> tuple[Input, ...]:
        """Return the inputs of the set-up page."""
        return tuple(asked for asked in self.inputs(None) if asked.section is Section.SETUP and not asked.in_doubt)

    @cached_property
    def facts(self) -> tuple[Input, ...]:
        """Return the inputs of the whole table that are answered at the end of the game."""
        return tuple(
            asked for asked in relevant_inputs.visible(self.inputs(None), self.setup) if asked.section is Section.TABLE
        )

    @cached_property
    def relevant(self) -> Loaded:
        """Return the record as it would be scored now.

        It leaves out values that no longer matter, and has UNKNOWN for facts that matter and have no value.
        """
        players = [
            _player(seat, relevant_inputs.relevant(seat.state or {}, self.inputs(seat.number))) for seat in self.seats
        ]
        setup = relevant_inputs.relevant(self.setup, self.inputs(None))
        if core.CONFIRMED in self.setup:
            setup = {**setup, core.CONFIRMED: self.setup[core.CONFIRMED]}
        read = self._read_like(self.loaded, {"game": self.game.id, "table": setup, "players": players})
        same = read.state is self.loaded.state
        inputs = self.inputs(None) if same else relevant_inputs.inputs_of(self.game, read, None)
        return self._read_like(read, relevant_inputs.with_unknowns(self.game, read, inputs))

    @property
    def record(self) -> Json:
        return self.relevant.record

    def _read_like(self, read: Loaded, record: Json) -> Loaded:
        """Return `record` loaded. `read` is a similar record that is already loaded. It is reused if only values of the
        companion differ."""
        players, setup = read.record["players"], without_companion(read.record["table"])
        if record["players"] == players and record["table"] == setup:
            return replace(read, record=record)
        return core.load(self.game, record)

    # -- the score ---

    @cached_property
    def result(self) -> Result:
        """Return the result of the whole table. What nobody has entered is reported as missing."""
        return self._judge(self.relevant)

    @cached_property
    def _all(self) -> Result:
        """Return the result of all players who have entered something."""
        return self._judge(core.without_seats(self.game, self.relevant, self.waiting))

    @cached_property
    def aside(self) -> frozenset[int]:
        return self.waiting | {seat.number for seat in self.seats if _errors(_concerning(self._all, seat.number))}

    @cached_property
    def _sound(self) -> Result:
        """Return the result of all players who have entered something and have no error."""
        same = self.aside == self.waiting
        return self._all if same else self._judge(core.without_seats(self.game, self.relevant, self.aside))

    @cached_property
    def questions(self) -> dict[str, str]:
        """Return two names for each question about a doubtful entry that people can confirm.

        A key, `place:code`, has the JSON Pointer of the entry and the code of its problem. Its value,
        `place:code:digest`, also has a checksum of the entry. `table/confirmed` stores that value once the question is
        confirmed.
        """
        boards = [] if self._sound["ok"] else [self._alone(seat.number) for seat in self.seats]
        faults = [fault for judged in (self._sound, self.result, *boards) for fault in judged["problems"]]
        asked = [one for one in faults if one["level"] == "warning"]
        return dict(core.question_names(self.game, self.record, one["where"], one["code"]) for one in asked)

    @cached_property
    def table_problems(self) -> list[Fault]:
        """Return the problems of the whole table, but not of single players. It is scored without players who have
        errors or no entries."""
        return _of_table(self._sound)

    def preview(self, number: int) -> Preview:
        """Return the score and problems of player `number` so far."""
        errors, hints = _concerning(self._all, number), _concerning(self._sound, number)
        if not self._sound["ok"]:  # a problem of the table must not hide questions about this board
            hints = _concerning(self._alone(number), number)
        return Preview(
            self._sound["players"][number] if self._sound["ok"] and number not in self.aside else None,
            tuple(
                self._asked(number, fault)
                for fault in (errors if number in self.aside else hints)
                if number in self.aside or self._is_due(number, fault)
            ),
            tuple(_of_table(self._sound)),
            not self.game.points_depend_on_others
            or self._is_total_typed(number)
            or (not self.aside and not self._sound["needs"]),
        )

    def _is_total_typed(self, number: int) -> bool:
        """Return True if only a total was entered by hand for the player, which no other entry can change."""
        return "total" in ((self.seats[number].state or {}).get("typed") or {})

    def _judge(self, loaded: Loaded) -> Result:
        """Return the result of a record, with problems worded for people who fill in the form."""
        return core.judge(self.game, in_words(self.game, loaded))

    def _alone(self, number: int) -> Result:
        """Return the result as if only this player had entered anything."""
        others = [seat.number for seat in self.seats if seat.number != number]
        return self._judge(core.without_seats(self.game, self.relevant, others))

    def _asked(self, number: int, fault: Fault) -> Fault:
        """Return the problem `fault` of player `number`, with the level "missing" if its field is still empty."""
        value = json_paths.get(self.seats[number].state or {}, json_paths.steps(fault["where"]))
        waits = value in (json_paths.ABSENT, None, "") and fault["where"] in {
            asked.name for asked in self.inputs(number)
        }
        is_open = fault["code"] == "missing_field" or (fault["level"] == "error" and waits)
        return {**fault, "level": "missing"} if is_open else fault

    def _is_due(self, number: int, hint: Fault) -> bool:
        """Return True if the page of player `number` should show the question `hint` now.

        A question about the whole board waits until the player has gone on to another page.
        """
        painted = {board.asked.name for board in kinds.painted(self.inputs(number))}
        return self.seats[number].done or "/" in hint["where"] or hint["where"] in painted

    @cached_property
    def totals(self) -> list[PlayerResult | None]:
        """Return each player's score sheet so far, or None if nothing can be said yet."""
        return [self.preview(seat.number).sheet for seat in self.seats]

    @property
    def waiting_for(self) -> list[str]:
        return [seat.name for seat in self.seats if seat.state is None]

    # -- for pages ---

    @property
    def options(self) -> Json:
        """Return what the game's own set-up page needs to know, or None if the game has no such page."""
        make = self.game.editor.options
        return make(self.loaded) if make is not None else None

    def guide(self, player: int, opened: str) -> Json:
        return relevant_inputs.guide(self.game, self.loaded, player, opened)

    @cached_property
    def companion(self) -> Companion | None:
        """Return the companion, the game's help while people play, or None if it has none for this set-up."""
        return self.game.companion if self.companion_inputs else None

    @cached_property
    def companion_inputs(self) -> tuple[Input, ...]:
        companion = self.game.companion
        return companion.asks(self.loaded, self.companion_values) if companion else ()

    @property
    def companion_values(self) -> Json:
        """Return what the companion has stored so far."""
        return self.setup.get(COMPANION, self.game.companion.blank if self.game.companion else None)

    @property
    def lasting(self) -> Json:
        return relevant_inputs.lasting(self.game, self.loaded)


def without_companion(setup: Json) -> Json:
    return {name: value for name, value in setup.items() if name != COMPANION} if isinstance(setup, dict) else setup


def _player(seat: Seat, state: Json) -> Json:
    return {"name": seat.name, **state}


@lru_cache(maxsize=REMEMBERED)
def _read(game: Game, packed: str) -> Loaded:
    """Load a record from JSON text. Results are cached, as each tap loads the record before and after its change."""
    return core.load(game, json.loads(packed))


def _of_table(result: Result) -> list[Fault]:
    return [problem for problem in result["problems"] if not problem["where"].startswith("/players/")]


def _concerning(result: Result, number: int) -> list[Fault]:
    """Return the problems of player `number`, with paths such as "grid/1/2" instead of "/players/0/grid/1/2"."""
    pointer = f"/players/{number}"
    return [
        {**problem, "where": problem["where"].removeprefix(pointer).removeprefix("/")}
        for problem in result["problems"]
        if f"{problem['where']}/".startswith(f"{pointer}/")
    ]


def _errors(problems: list[Fault]) -> bool:
    return any(problem["level"] == "error" for problem in problems)
