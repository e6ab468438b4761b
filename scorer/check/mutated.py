"""Check that a game never fails on a broken record: replace, remove and swap parts of its examples.

The changes are the same each time, so that a fault can be found again.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from scorer.check.examples import Example
from scorer.check.report import Report, was
from scorer.check.texts import untranslatable
from scorer.contract import Game, Input, Json, Loaded, StateError
from scorer.core import judge, load
from scorer.record import escape, shown
from scorer.report import as_text
from scorer.result import Result
from scorer.sentences import Sentence, in_sentences, say

RECORDS = 300  # broken records, made from all examples together
ODD: tuple[Json, ...] = (
    *(None, True, False, -1, 0, 1, 3, 99, 10**20, 1.5, float("nan"), "", "x", "A1", "unknown", "\ud800"),
    *([], {}, ["x"], [[]], {"x": 1}, [None], "Ann"),
)
DEEP = 2  # a field may be missing together with the object that contains it
TOP = ("game", "table", "players")
Path = tuple[Any, ...]


def check(game: Game, examples: Sequence[Example], report: Report) -> None:
    """Score the examples and broken copies of them, and add every exception and every incomplete result to `report`."""
    chance = random.Random(game.id)  # noqa: S311, the same records every time
    for example in examples:
        _try(game, example.record, was(example.name), report)
        for _ in range(max(1, RECORDS // len(examples))):
            record, said = mutation(example.record, chance)
            _try(game, record, in_sentences([was(example.name), said]), report)
    for record, said in almost_empty(game):
        _try(game, record, said, report)


def almost_empty(game: Game) -> Iterator[tuple[Json, Sentence]]:
    """Yield records that are almost empty or hold no game, each with a sentence that says which record it is."""
    for count in (game.players[0], game.players[-1]):
        players = [{"name": f"Player {number}"} for number in range(1, count + 1)]
        for record in ({"table": {}, "players": players}, {"players": players}):
            yield {"game": game.id, **record}, was(json.dumps(record))
    for odd in ODD:
        yield {"game": game.id, "table": odd, "players": odd}, was(shown(odd))
    yield {"game": game.id, "players": [{"name": "x" * 10**4}] * 1000}, was('[{"name": "x…"}, …]')


def mutation(record: Json, chance: random.Random) -> tuple[Json, Sentence]:
    """Return a copy of the record with one random value changed or removed, and a sentence that says which one.
    `chance` is the source of random numbers."""
    record, places = copy.deepcopy(record), list(paths(record))
    at = chance.choice(places)
    holder = value_at(record, at[:-1])
    where = "".join(f"/{escape(str(step))}" for step in at)
    match chance.choice(("odd", "odd", "without", "other")):
        case "without":
            del holder[at[-1]]
            return record, say("{where} was removed.", where=where)
        case "other":
            holder[at[-1]] = copy.deepcopy(value_at(record, chance.choice(places)))
        case _:
            holder[at[-1]] = copy.deepcopy(chance.choice(ODD))
    return record, say("{where} was {value}.", value=shown(holder[at[-1]]), where=where)


def paths(value: Json, here: Path = ()) -> Iterator[Path]:
    """Yield the path of every value inside `value`, as a tuple of keys and indices; `here` is its own path."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield (*here, key)
        yield from paths(inner, (*here, key))


def value_at(value: Json, path: Path) -> Json:
    for step in path:
        value = value[step]
    return value


def _try(game: Game, record: Json, when: Sentence, report: Report) -> None:
    """Score a record, check the result, call the functions that pages call, and add each failure to `report`. `when` is
    a sentence that says which record it is."""
    with report.trying(when):
        try:
            game.load(record)
        except StateError as unreadable:
            if not unreadable.problems:
                report.note(
                    report.source.function(game.load, "load"),
                    in_sentences([say("StateError must list at least one problem."), when]),
                )
    with report.trying(when):
        loaded = load(game, record)
        result = judge(game, loaded)
        _check_result(game, record, result, when, report)
        if loaded.state is not None:
            _call_page_functions(game, loaded, when, report)


def _call_page_functions(game: Game, loaded: Loaded, when: Sentence, report: Report) -> None:
    """Call the functions that pages call while a game is half entered, and report every exception. `when` is a sentence
    that says which record was used."""
    asked: list[Callable[[], object]] = []
    players = range(len(loaded.state.players))
    if game.asks is not None:
        asks = game.asks
        asked += [partial(_check_inputs, asks, loaded, player) for player in (None, *players, len(players))]
    if game.editor.guide is not None:
        guide = game.editor.guide
        asked += [partial(_as_json, guide, loaded, player, "") for player in players]
    if game.editor.options is not None:
        asked.append(partial(_as_json, game.editor.options, loaded))
    if game.companion is not None:
        companion = game.companion
        notes: Json
        for notes in (companion.blank, {}, [], None, 5):
            asked.append(partial(_check_inputs, companion.asks, loaded, copy.deepcopy(notes)))
            asked.append(partial(_as_json, companion.answer, loaded, copy.deepcopy(notes)))
    for call in asked:
        with report.trying(when):
            call()


def _check_inputs(asks: Callable[[Loaded, Any], Iterable[Input]], loaded: Loaded, of: Any) -> None:
    """Raise ValueError if `asks(loaded, of)` returns two inputs of one name. `of` is a seat, None for the table, or the
    notes of a companion."""
    names = [asked.name for asked in asks(loaded, of) if asked.kind and asked.label]
    if len(names) != len(set(names)):
        raise ValueError(f"an input is asked for twice: {', '.join(names)}")


def _as_json(function: Callable[..., Json], *given: Any) -> None:
    json.dumps(function(*given))


def _check_result(game: Game, record: Json, result: Result, when: Sentence, report: Report) -> None:
    """Report a result that cannot be printed, has neither winner nor open questions, or has untranslatable texts. Its
    problems are checked too; `when` is a sentence that says which record was scored."""
    source = report.source
    json.dumps(result)
    as_text(game, result, why=True)
    if result["ok"] and not (result["winners"] or result["needs"]):
        report.note(
            source.function(game.score, "score"),
            in_sentences([say("The result of a valid record must have a winner."), when]),
            "winner",
        )
    for text in texts(result):
        if not isinstance(text, Sentence):
            report.note(
                source.containing(text, source.function(game.score, "score")),
                untranslatable(text),
                "text",
            )
    _check_problems(game, record, result, when, report)


def _check_problems(game: Game, record: Json, result: Result, when: Sentence, report: Report) -> None:
    """Report each problem in `result` that lacks a code or a message, or points to no place of the record. `when` is a
    sentence that says which record was scored."""
    source = report.source
    faulty = {problem["where"] for problem in result["problems"]}
    names = {asked.name for asked in game.inputs}
    for problem in result["problems"]:
        place = source.containing(f'"{problem["code"]}"', source.function(game.validate, "validate"))
        if not problem["code"] or not problem["message"].strip():
            report.note(place, in_sentences([say("Every problem needs a code and a message."), when]), "nothing")
        if not is_a_place(record, problem["where"], faulty - {problem["where"]}, names):
            report.note(
                place,
                in_sentences(
                    [
                        say(
                            "The problem “{code}” points to {where}, which doesn’t exist.",
                            code=problem["code"],
                            where=problem["where"],
                        ),
                        when,
                    ]
                ),
                f"place of {problem['code']}",
            )


def texts(result: Result) -> Iterator[str]:
    """Yield every text of a result that a person reads, such as labels, reasons, citations and messages of problems."""
    for player in result["players"]:
        for line in player["lines"]:
            yield from (line["label"], line["why"], line["cite"])
        yield from (rung["why"] for rung in player["tiebreaks"] if "why" in rung)
    yield from (fault["message"] for fault in result["problems"])
    yield from (need["label"] for need in result["needs"] if "label" in need)
    if "rating" in result:
        yield result["rating"]


def is_a_place(record: Json, where: str, faulty: Collection[str], names: Collection[str]) -> bool:
    """Return whether the JSON Pointer `where` leads to a value of the record, or to one that may be missing. A value
    may be missing inside a place in `faulty`, or if it is an input in `names`. An object may also lack a field, or a
    field together with what is inside, such as "plan/points"."""
    value, (root, *steps), here = record, where.split("/"), ""
    if root or (steps and steps[0] not in TOP):
        return False
    for number, step in enumerate(steps):
        inside = _inside(value)
        if step not in inside:
            left = steps[number:]
            below = "/".join(steps[1:] if steps[0] == "table" else steps[2:])
            return here in faulty or below in names or (len(left) <= DEEP and isinstance(value, dict))
        value, here = inside[step], f"{here}/{step}"
    return True


def _inside(value: Json) -> dict[str, Json]:
    """Return the values directly inside a value, keyed by their key or index as text. A text counts as a list of its
    letters."""
    if isinstance(value, dict):
        return {escape(key): inner for key, inner in value.items()}
    return {str(at): inner for at, inner in enumerate(value)} if isinstance(value, list | str) else {}
