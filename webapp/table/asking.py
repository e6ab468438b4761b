"""What is asked at a table: which inputs matter now, and what of the values entered they cover."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from scorer import typed
from scorer.contract import Game, Input, Json, Loaded
from scorer.reading import TOTAL, mapping
from scorer.report import fact
from scorer.sentences import Sentence, say
from webapp.table import kinds, paths

TYPED = "typed"


def inputs_of(game: Game, loaded: Loaded, player: int | None) -> tuple[Input, ...]:
    """What matters now of that player, or of the table (None)."""
    if player is not None and TYPED in loaded.record["players"][player]:
        facts = game.asks(loaded, player) if game.asks is not None else ()
        return (*typed_inputs(game, loaded, player), *(fact for fact in facts if fact.in_doubt))
    if game.asks is not None:
        return game.asks(loaded, player)
    return tuple(asked for asked in game.inputs if (asked.of == "player") is (player is not None))


def typed_inputs(game: Game, loaded: Loaded, player: int) -> tuple[Input, ...]:
    """One total, or the lines of this table, whichever was begun; and the facts a tie may hang on."""
    values = mapping(loaded.record["players"][player][TYPED])
    begun = set(values) - {TOTAL}
    total = [_typed_input(game, TOTAL, say("Only the total"))] if TOTAL in values or not begun else []
    counts = game.counts if begun or TOTAL not in values else ()
    whole = Input(TYPED, say("Typed"), "counts" if counts else "data", counts=counts)
    lines = [] if game.counts else _line_inputs(game, loaded, begun, TOTAL in values)
    facts = (
        Input(
            step.rule,
            fact(game.id, step.rule).label,
            step.kind,
            optional=True,
            forgettable=step.forgettable,
            in_doubt=True,
        )
        for step in game.ladder
    )
    return (*total, whole, *lines, *facts)


def _line_inputs(game: Game, loaded: Loaded, begun: Collection[str], has_total: bool) -> list[Input]:
    """The lines of the cards in play; beside a total only those begun, and what cannot be, to be mended."""
    there = game.rules if game.lines_known is None or loaded.state is None else game.lines_known(loaded.state)
    asked = [rule for rule in there if begun or not has_total]
    asked += [rule for rule in game.rules if rule in begun and rule not in asked]
    return [_typed_input(game, rule, game.rules[rule]) for rule in asked]


def _typed_input(game: Game, rule: str, label: Sentence) -> Input:
    allowed = game.limits.get(rule, typed.ANYTHING)
    return Input(f"{TYPED}/{rule}", label, "number", low=allowed[0], high=allowed[-1], optional=True)


def visible(inputs: Iterable[Input], values: Json) -> tuple[Input, ...]:
    """What has a field on a page; a fact for a tie only once it is there, so that it can be corrected."""
    return tuple(
        asked
        for asked in inputs
        if kinds.of(asked).has_fields
        and (not asked.in_doubt or paths.get(values, paths.steps(asked.name)) is not paths.ABSENT)
    )


def guide(game: Game, loaded: Loaded, player: int) -> Json:
    """What the game's own pages want to know of a player's end state; nothing of a typed one."""
    typed = TYPED in loaded.record["players"][player]
    return game.guide(loaded, player) if game.guide is not None and not typed else None


def relevant(values: Json, inputs: Iterable[Input]) -> Json:
    """Only what the inputs cover; structures that nobody has begun start as their inputs say."""
    inputs = list(inputs)
    kept = paths.covered(values, [paths.steps(asked.name) for asked in inputs])
    for asked in inputs:
        path = paths.steps(asked.name)
        if not kinds.of(asked).has_fields and asked.default is not None and paths.get(kept, path) is paths.ABSENT:
            kept = paths.put(kept, path, asked.default)
    return kept


def lasting(game: Game, loaded: Loaded) -> Json:
    """What is worth keeping of a table for the next one: not what names tonight's players or cards."""
    asked = [one for one in (*game.inputs, *inputs_of(game, loaded, None)) if one.of != "player"]
    return relevant(
        loaded.record.get("table", {}), [one for one in asked if not one.tonight and not kinds.of(one).names_players]
    )


def with_suppositions(record: Json, inputs: Iterable[Input]) -> Json:
    """The record with something in place of what nobody has entered for the table yet, so that points show meanwhile.

    `inputs` are those of the table.
    """
    setup = record["table"]
    for asked in inputs:
        if asked.of == "setup" or asked.optional or asked.in_doubt:
            continue
        value = paths.get(setup, paths.steps(asked.name))
        supposed = kinds.of(asked).supposed(value)
        if supposed is not value:
            setup = paths.put(setup, paths.steps(asked.name), supposed)
    return {**record, "table": setup}
