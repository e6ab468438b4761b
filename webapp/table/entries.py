"""Tell what is entered at a table, and what can be said of it already while people are still tapping."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from scorer import core
from scorer.contract import Companion, Game, Input, Json, Loaded, Section
from scorer.form_messages import in_words
from scorer.result import Fault, PlayerResult, Result
from webapp.database import pack
from webapp.table import asking, kinds, paths
from webapp.table.paths import COMPANION
from webapp.table.tables import Seat, Table

REMEMBERED = 256  # some tens of kB each, since longer ones are not
LONGEST_REMEMBERED = 32_000  # letters; a large table has 10,000


@dataclass(frozen=True, slots=True)
class Preview:
    """Hold what can be said of one player's entries while the others may still be at it."""

    sheet: PlayerResult | None
    problems: tuple[Fault, ...]  # `where` without the player: "grid/1/2"
    table_problems: tuple[Fault, ...]  # of the whole table: "/table/accolades/cards/0"
    complete: bool  # her points are final: nobody else's entries, nor what is still open, can change them


class Entries:
    """All that is entered at a table, and what follows from it, each thing worked out once, when it is asked for.

    Whoever has not begun, or has a fault to mend, stands aside while the others are scored.
    """

    def __init__(self, table: Table) -> None:
        self.game, self.seats, self.setup = table.game, table.seats, table.setup
        self.waiting = frozenset(seat.number for seat in table.seats if seat.state is None)
        self._inputs: dict[int | None, tuple[Input, ...]] = {}

    # -- what was entered ---

    @cached_property
    def loaded(self) -> Loaded:
        """All that was entered, relevant or not. Only its record knows what is noted for help during the game."""
        players = [_player(seat, seat.state or {}) for seat in self.seats]
        setup = without_companion(self.setup)
        packed = pack({"game": self.game.id, "table": setup, "players": players})
        read = (_read if len(packed) <= LONGEST_REMEMBERED else _read.__wrapped__)(self.game, packed)
        return replace(read, record={**read.record, "table": self.setup})

    def inputs(self, player: int | None) -> tuple[Input, ...]:
        """Return what matters now of that player, or of the table (None)."""
        if player not in self._inputs:
            self._inputs[player] = asking.inputs_of(self.game, self.loaded, player)
        return self._inputs[player]

    @cached_property
    def setup_inputs(self) -> tuple[Input, ...]:
        """Return what is chosen when the table is laid."""
        return tuple(asked for asked in self.inputs(None) if asked.section is Section.SETUP and not asked.in_doubt)

    @cached_property
    def facts(self) -> tuple[Input, ...]:
        """Return what belongs to the whole table and is known at the end."""
        return tuple(asked for asked in asking.visible(self.inputs(None), self.setup) if asked.section is Section.TABLE)

    @cached_property
    def relevant(self) -> Loaded:
        """The record as it would be scored now.

        It is without what no longer matters, though the table still keeps it, and says UNKNOWN wherever a fact matters
        that nobody has entered.
        """
        players = [_player(seat, asking.relevant(seat.state or {}, self.inputs(seat.number))) for seat in self.seats]
        setup = asking.relevant(self.setup, self.inputs(None))
        if core.CONFIRMED in self.setup:
            setup = {**setup, core.CONFIRMED: self.setup[core.CONFIRMED]}
        read = self._read_like(self.loaded, {"game": self.game.id, "table": setup, "players": players})
        same = read.state is self.loaded.state
        inputs = self.inputs(None) if same else asking.inputs_of(self.game, read, None)
        return self._read_like(read, asking.with_unknowns(self.game, read, inputs))

    @property
    def record(self) -> Json:
        return self.relevant.record

    def _read_like(self, read: Loaded, record: Json) -> Loaded:
        """The record read, which has been done if only `read` knows more of the companion."""
        players, setup = read.record["players"], without_companion(read.record["table"])
        if record["players"] == players and record["table"] == setup:
            return replace(read, record=record)
        return core.load(self.game, record)

    # -- what the rules say of it ---

    @cached_property
    def result(self) -> Result:
        """Of the whole table; those who have not begun lack what they have not entered."""
        return self._judge(self.relevant)

    @cached_property
    def _all(self) -> Result:
        """Of everybody who has begun."""
        return self._judge(core.without(self.game, self.relevant, self.waiting))

    @cached_property
    def aside(self) -> frozenset[int]:
        return self.waiting | {seat.number for seat in self.seats if _errors(_concerning(self._all, seat.number))}

    @cached_property
    def _sound(self) -> Result:
        """Of everybody who has begun and has no fault to mend."""
        same = self.aside == self.waiting
        return self._all if same else self._judge(core.without(self.game, self.relevant, self.aside))

    @cached_property
    def questions(self) -> dict[str, str]:
        """Return what is asked once and can be confirmed: by place and code, the name that `table/confirmed` has for
        it.
        """
        boards = [] if self._sound["ok"] else [self._alone(seat.number) for seat in self.seats]
        faults = [fault for judged in (self._sound, self.result, *boards) for fault in judged["problems"]]
        asked = [one for one in faults if one["level"] == "warning"]
        return dict(core.questions(self.game, self.record, one["where"], one["code"]) for one in asked)

    @cached_property
    def table_problems(self) -> list[Fault]:
        """Return what is wrong with the table itself, as far as those who are in let it be seen."""
        return _of_table(self._sound)

    def preview(self, number: int) -> Preview:
        """Return what can be said of one player now."""
        errors, hints = _concerning(self._all, number), _concerning(self._sound, number)
        if not self._sound["ok"]:  # what is wrong with the table keeps no question about this board back
            hints = _concerning(self._alone(number), number)
        return Preview(
            self._sound["players"][number] if self._sound["ok"] and number not in self.aside else None,
            tuple(
                self._asked(number, fault)
                for fault in (errors if number in self.aside else hints)
                if number in self.aside or self._is_due(number, fault)
            ),
            tuple(_of_table(self._sound)),
            not self.game.points_depend_on_others or (not self.aside and not self._sound["needs"]),
        )

    def _judge(self, loaded: Loaded) -> Result:
        """Return the result, with problems in the words of the form."""
        return core.judge(self.game, in_words(self.game, loaded))

    def _alone(self, number: int) -> Result:
        """Return the result as if nobody else had entered anything."""
        others = [seat.number for seat in self.seats if seat.number != number]
        return self._judge(core.without(self.game, self.relevant, others))

    def _asked(self, number: int, fault: Fault) -> Fault:
        """Return the fault, with the level "missing" if its field just waits for an answer."""
        value = paths.get(self.seats[number].state or {}, paths.steps(fault["where"]))
        waits = value in (paths.ABSENT, None, "") and fault["where"] in {asked.name for asked in self.inputs(number)}
        is_open = fault["code"] == "missing_field" or (fault["level"] == "error" and waits)
        return {**fault, "level": "missing"} if is_open else fault

    def _is_due(self, number: int, hint: Fault) -> bool:
        """Return True if the page of the seat shows this question already.

        What asks about everything that a player has entered waits until the player has gone on.
        """
        painted = {board.asked.name for board in kinds.painted(self.inputs(number))}
        return self.seats[number].done or "/" in hint["where"] or hint["where"] in painted

    @cached_property
    def totals(self) -> list[PlayerResult | None]:
        """Each player's score so far, None where nothing can be said yet."""
        return [self.preview(seat.number).sheet for seat in self.seats]

    @property
    def waiting_for(self) -> list[str]:
        return [seat.name for seat in self.seats if seat.state is None]

    # -- what pages want to know ---

    def guide(self, player: int) -> Json:
        return asking.guide(self.game, self.loaded, player)

    @cached_property
    def companion(self) -> Companion | None:
        """Help during the game, if this game has any to offer as it is laid."""
        return self.game.companion if self.companion_inputs else None

    @cached_property
    def companion_inputs(self) -> tuple[Input, ...]:
        companion = self.game.companion
        return companion.asks(self.loaded, self.companion_values) if companion else ()

    @property
    def companion_values(self) -> Json:
        """Return what is noted for it so far."""
        return self.setup.get(COMPANION, self.game.companion.blank if self.game.companion else None)

    @property
    def lasting(self) -> Json:
        return asking.lasting(self.game, self.loaded)


def without_companion(setup: Json) -> Json:
    return {name: value for name, value in setup.items() if name != COMPANION} if isinstance(setup, dict) else setup


def _player(seat: Seat, state: Json) -> Json:
    return {"name": seat.name, **state}


@lru_cache(maxsize=REMEMBERED)
def _read(game: Game, packed: str) -> Loaded:
    """A record read. A tap is read before and after, and before is what came after the tap before it."""
    return core.load(game, json.loads(packed))


def _of_table(result: Result) -> list[Fault]:
    return [problem for problem in result["problems"] if not problem["where"].startswith("/players/")]


def _concerning(result: Result, number: int) -> list[Fault]:
    """The problems of that player, each with the rest of its way."""
    pointer = f"/players/{number}"
    return [
        {**problem, "where": problem["where"].removeprefix(pointer).removeprefix("/")}
        for problem in result["problems"]
        if f"{problem['where']}/".startswith(f"{pointer}/")
    ]


def _errors(problems: list[Fault]) -> bool:
    return any(problem["level"] == "error" for problem in problems)
