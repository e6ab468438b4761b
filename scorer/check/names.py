"""Check that `Game.names` declares every place of a table that holds the name of a player.

Histories store seat numbers in these places, so that players can be renamed and merged.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from scorer.check.examples import Example
from scorer.check.report import Report, was
from scorer.contract import Game, Json
from scorer.core import load, score_as
from scorer.record import escape
from scorer.record_names import renamed, with_names, with_seats
from scorer.sentences import Sentence, say

ROUNDS = 4  # of a companion's questions; an answer may lead to new ones


def check(game: Game, examples: Sequence[Example], report: Report) -> None:
    """Report each place in an example that holds a player's name but is missing from `Game.names`. Answers to the
    questions of a game's companion are checked too."""
    for example in examples:
        with report.trying(was(example.name)):
            record = with_unique_names(example.record)
            result = score_as(game, record)
            if not result["ok"]:
                continue  # `examples` reports it, or its names also mean something else
            _declared(game, record, report)
            if game.companion is not None:
                _declared(game, with_notes(game, record), report)
            _any_spelling(game, record, report)


def _declared(game: Game, record: Json, report: Report) -> None:
    names = [player["name"] for player in record["players"]]
    saved, places = with_seats(copy.deepcopy(record), game.names)
    left = list(names_in(saved, set(names)))
    for where in left:
        report.note(report.source.field("names"), holds_name(where))
    if not left and with_names(copy.deepcopy(saved), places, names) != record:
        report.note(report.source.field("names"), say("GAME.names lists more than players’ names."))


def holds_name(where: str) -> Sentence:
    return say("“{where}” holds a player’s name. Add it to GAME.names.", where=where)


def _any_spelling(game: Game, record: Json, report: Report) -> None:
    """Report a game that does not read a name in capitals, such as ANN, as the player Ann."""
    loud = {player["name"]: player["name"].upper() for player in record["players"]}
    spelled = {**record, "table": renamed(record.get("table", {}), game.names, loud)}
    if score_as(game, spelled) != score_as(game, {"table": {}, **record}):
        report.note(
            report.source.function(game.load, "load"),
            say("ANN must be the same player as Ann. Compare names with as_seated."),
        )


def with_unique_names(record: Json) -> Json:
    """Return the record with invented names, so that no name equals another text of the record."""
    names = [player["name"] for player in record["players"]]
    apart = {name: f"Qx{seat}zq" for seat, name in enumerate(names)}
    places = set(names_in(record, set(names)))

    def change(value: Json, here: str) -> Json:
        if isinstance(value, dict):
            return {
                apart[key] if f"{here}/{escape(key)}#" in places else key: change(inner, f"{here}/{escape(key)}")
                for key, inner in value.items()
            }
        if isinstance(value, list):
            return [change(inner, f"{here}/{at}") for at, inner in enumerate(value)]
        return apart[value] if here in places else value

    return change(record, "")


def names_in(value: Json, names: set[str], here: str = "") -> Iterator[str]:
    """Yield the JSON Pointer of every text in `value` that is in `names`; one to a key ends in "#". `here` is the
    pointer of `value` itself."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in names:
                yield f"{here}/{escape(key)}#"
            yield from names_in(inner, names, f"{here}/{escape(key)}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from names_in(inner, names, f"{here}/{at}")
    elif isinstance(value, str) and value in names:
        yield here


def with_notes(game: Game, record: Json) -> Json:
    """Return the record with an answer to every question of the game's companion, its help during play. If a question
    asks for an order, the answer is a list of all players, otherwise it is 1."""
    assert game.companion is not None
    names = [player["name"] for player in record["players"]]
    notes: Any = copy.deepcopy(game.companion.blank)
    for _ in range(ROUNDS):
        for asked in game.companion.asks(load(game, record), notes):
            value = [*names] if asked.kind == "order" else 1
            *parents, last = asked.name.split("/")
            holder: Any = notes
            for step in parents:
                holder = holder[int(step)] if isinstance(holder, list) else holder.setdefault(step, {})
            holder[last] = value
    return {**record, "table": {**record.get("table", {}), "companion": notes}}
