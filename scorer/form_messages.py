"""Word the faults of a record for people who filled in a form: with labels of fields and choices instead of ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.contract import Game, Input, Loaded, NumberInput, Section, choices_of
from scorer.record import CHOOSE, MISSING, NEAREST, RANGE
from scorer.sentences import Listing, Sentence, in_a_row, say

MOST = 100  # faults to reword; nobody reads more


def in_words(game: Game, loaded: Loaded) -> Loaded:
    """Return the record with messages of faults that use the labels of fields and choices instead of their ids."""
    asked: dict[int | None, dict[str, Input]] = {}
    faults = list(loaded.faults)
    for place, fault in enumerate(faults[:MOST]):
        if fault.message.template in (CHOOSE, MISSING, NEAREST, RANGE):
            player, path = _field_of(fault.where)
            if player not in asked:
                asked[player] = dict(_inputs(game, loaded, player))
            found = _input_at(path, asked[player])
            if found is not None:
                faults[place] = replace(fault, message=_reworded(fault.message, found))
    return replace(loaded, faults=tuple(faults)) if faults else loaded


def _field_of(where: str) -> tuple[int | None, str]:
    """Return the seat of the player to whom the JSON Pointer `where` belongs, or None for the table. The second value
    is the path of the field, such as "plan/points"."""
    _, of, *path = [*where.split("/"), "", ""]
    if of == "players" and path[0].isdecimal():
        return int(path[0]), "/".join(path[1:]).strip("/")
    return None, "/".join(path).strip("/")


def _inputs(game: Game, loaded: Loaded, player: int | None) -> Iterator[tuple[str, Input]]:
    """Yield the name and input of each form field of a player, or of the table if the seat `player` is None. Inputs
    that are asked for now come last, so that they replace general inputs of the same name."""
    yield from ((one.name, one) for one in game.inputs if (one.section is Section.PLAYER) is (player is not None))
    seats = len(loaded.state.players) if loaded.state is not None else 0
    if game.asks is not None and loaded.state is not None and (player is None or player < seats):
        yield from ((one.name, one) for one in game.asks(loaded, player))


def _input_at(path: str, inputs: dict[str, Input]) -> Input | None:
    """Return the input of this path, or else of the nearest path above it: "plan" for "plan/points". Return None if
    there is none; `inputs` has the inputs by path."""
    while path and path not in inputs:
        path = path.rpartition("/")[0]
    return inputs.get(path)


def _reworded(message: Sentence, asked: Input) -> Sentence:
    if message.template == MISSING:
        return say("Enter “{field}”.", field=asked.label)
    if message.template == RANGE:
        low, high, value = (message.values[name] for name in ("low", "high", "value"))
        if (
            isinstance(low, int) and isinstance(high, int) and isinstance(asked, NumberInput)
        ):  # a form may allow a smaller range
            low, high = max(low, asked.low), min(high, asked.high)
        return say(
            "Enter a whole number from {low} to {high} for “{field}”. You entered {value}.",
            low=low,
            high=high,
            field=asked.label,
            value=value,
        )
    names = {str(choice.value): choice.label for choice in choices_of(asked)}
    if message.template == NEAREST:
        near = names.get(str(message.values["nearest"]), message.values["nearest"])
        return say("There is no {value} here. Did you mean {nearest}?", value=message.values["value"], nearest=near)
    options = message.values["options"]
    if not isinstance(options, Listing) or not {str(part) for part in options.parts} & set(names):
        return message
    there = in_a_row([names[str(part)] for part in options.parts if str(part) in names])
    return say("Choose one of {options}. You entered {value}.", options=there, value=message.values["value"])
