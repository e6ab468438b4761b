"""Decide which inputs of the forms matter at a table now, and which entered values belong to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from scorer import typed
from scorer.contract import (
    UNKNOWN,
    CountsInput,
    DataInput,
    DateInput,
    Game,
    Input,
    Json,
    Loaded,
    NumberInput,
    OrderInput,
    Section,
)
from scorer.core import load
from scorer.record import TOTAL, mapping
from scorer.report import fact
from scorer.sentences import Sentence, say
from webapp.table import json_paths, kinds

TYPED = "typed"


def inputs_of(game: Game, loaded: Loaded, player: int | None) -> tuple[Input, ...]:
    """Return the inputs to be asked for now: those of a player or, if `player` is None, of the whole table."""
    if player is not None and TYPED in loaded.record["players"][player]:
        facts = game.asks(loaded, player) if game.asks is not None else ()
        return (*typed_inputs(game, loaded, player), *(fact for fact in facts if fact.in_doubt))
    if game.asks is not None:
        return game.asks(loaded, player)
    return tuple(asked for asked in game.inputs if (asked.section is Section.PLAYER) is (player is not None))


def typed_inputs(game: Game, loaded: Loaded, player: int) -> tuple[Input, ...]:
    """Return the inputs for a player whose points are entered by hand, without a board.

    These are the total, the points of each line of the score sheet, and facts that may break a tie. Once the total or a
    line has a value, the other is no longer asked for.
    """
    values = mapping(loaded.record["players"][player][TYPED])
    begun = set(values) - {TOTAL}
    total = [_typed_input(game, TOTAL, say("Only the total"))] if TOTAL in values or not begun else []
    counts = game.typed.counts if begun or TOTAL not in values else ()
    whole = CountsInput(TYPED, say("Typed score"), counts) if counts else DataInput(TYPED, say("Typed score"))
    lines = [] if game.typed.counts else _line_inputs(game, loaded, begun, TOTAL in values)
    facts = (
        (DateInput if step.kind == "date" else NumberInput)(
            step.rule,
            fact(game, step.rule).label,
            optional=True,
            forgettable=step.forgettable,
            in_doubt=True,
        )
        for step in game.ladder
    )
    return (*total, whole, *lines, *facts)


def _line_inputs(game: Game, loaded: Loaded, begun: Collection[str], has_total: bool) -> list[Input]:
    """Return number inputs for lines of the score sheet: those that the cards in play allow, and those in `begun`.
    `begun` holds the rules of lines with a value. If there are none but a total was entered (`has_total`), return
    none."""
    there = (
        game.rules if game.typed.lines_known is None or loaded.state is None else game.typed.lines_known(loaded.state)
    )
    asked = [rule for rule in there if begun or not has_total]
    asked += [rule for rule in game.rules if rule in begun and rule not in asked]
    return [_typed_input(game, rule, game.rules[rule]) for rule in asked]


def _typed_input(game: Game, rule: str, label: Sentence) -> Input:
    allowed = game.typed.limits.get(rule, typed.ANYTHING)
    return NumberInput(f"{TYPED}/{rule}", label, low=allowed[0], high=allowed[-1], optional=True)


def visible(inputs: Iterable[Input], values: Json) -> tuple[Input, ...]:
    """Return those inputs that have a field on the page. Facts that may break a tie are marked `in_doubt`. They are
    left out until `values`, the entries so far, has a value for them."""
    return tuple(
        asked
        for asked in inputs
        if kinds.has_fields(asked)
        and (not asked.in_doubt or json_paths.get(values, json_paths.steps(asked.name)) is not json_paths.ABSENT)
    )


def guide(game: Game, loaded: Loaded, player: int, opened: str = "") -> Json:
    """Return the JSON that the function `guide` of the game's own editor makes from this player's board, for the page.
    `opened` is the part of the page that is open, or "". Return None if the game has no such function, or if the
    player's points are entered by hand."""
    typed = TYPED in loaded.record["players"][player]
    make = game.editor.guide
    return make(loaded, player, opened) if make is not None and not typed else None


def with_defaults(game: Game, state: Json) -> Json:
    """Return a player's state with the defaults of optional inputs that have no field, as `relevant` would add them."""
    optional = [asked for asked in game.inputs if asked.optional and asked.section is Section.PLAYER]
    blank = {
        asked.name: asked.default for asked in optional if not kinds.has_fields(asked) and asked.default is not None
    }
    return state if TYPED in state else {**blank, **state}


def relevant(values: Json, inputs: Iterable[Input]) -> Json:
    """Return only those of the entered `values` that belong to the inputs. An input that has neither a field nor a
    value gets its default."""
    inputs = list(inputs)
    kept = json_paths.covered(values, [json_paths.steps(asked.name) for asked in inputs])
    for asked in inputs:
        path = json_paths.steps(asked.name)
        if (
            not kinds.has_fields(asked)
            and asked.default is not None
            and json_paths.get(kept, path) is json_paths.ABSENT
        ):
            kept = json_paths.put(kept, path, asked.default)
    return kept


def lasting(game: Game, loaded: Loaded) -> Json:
    """Return the setup to remember for the club's next table. Values that name players are left out, and so are inputs
    marked `this_game_only`."""
    asked = [one for one in (*game.inputs, *inputs_of(game, loaded, None)) if one.section is not Section.PLAYER]
    return relevant(
        loaded.record.get("table", {}),
        [one for one in asked if not one.this_game_only and not kinds.of(one).names_players],
    )


def recalled(game: Game, setup: Json) -> Json:
    """Return the options for a new table from `setup`, the remembered ones. An older version may have stored them, so
    values that no longer matter are left out."""
    return lasting(game, load(game, {"game": game.id, "table": setup, "players": []})) if setup else {}


def with_unknowns(game: Game, loaded: Loaded, inputs: Iterable[Input]) -> Json:
    """Return the record with UNKNOWN for each fact that the scorer needs and that nobody has entered. `inputs` are the
    inputs of the whole table."""
    record = loaded.record
    for asked in inputs:
        way = json_paths.steps(asked.name)
        is_due = asked.section is Section.TABLE and not (asked.optional or asked.in_doubt)
        is_tried = isinstance(asked, NumberInput | OrderInput) and asked.default is None
        if is_due and is_tried and json_paths.get(record["table"], way) is json_paths.ABSENT:
            record = {**record, "table": json_paths.put(record["table"], way, UNKNOWN)}
    players = list(record["players"])
    for seat, places in enumerate(open_facts(game, loaded)):
        for place in places:
            players[seat] = json_paths.put(players[seat], json_paths.steps(place), UNKNOWN)
    return {**record, "players": players}


def open_facts(game: Game, loaded: Loaded) -> Sequence[Sequence[str]]:
    """Return for each player the paths of the facts that are still to be entered. Return an empty tuple if the game has
    no function for this, or if the record couldn't be loaded."""
    found = game.editor.open_facts
    return found(loaded.state) if found is not None and loaded.state is not None else ()
