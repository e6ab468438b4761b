"""Compute parts of a result page: the rows of the score sheet, open questions, boards, and a text to share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from scorer.contract import (
    UNKNOWN,
    Better,
    Cell,
    Choice,
    ChoiceInput,
    DataInput,
    Game,
    Input,
    Json,
    Loaded,
    NumberInput,
    OrderInput,
    Step,
    choices_of,
)
from scorer.report import fact, rung, score_of, totals, verdict
from scorer.result import Need, Result, ResultLine, seats_without_points, unplaced
from scorer.sentences import NOTHING, Sentence, as_it_is, say
from webapp.table import kinds, relevant_inputs
from webapp.table.json_paths import get, put, steps
from webapp.table.kinds.several import understood

COUNT = "count"  # the input of a fact that has to be counted on one card


@dataclass(frozen=True, slots=True)
class Row:
    """Hold one row of the score sheet: each player's points, or None without such a line. `lines` has for each player
    the lines of the result that add up to these points."""

    rule: str
    label: Sentence
    points: tuple[int | None, ...]
    lines: tuple[tuple[ResultLine, ...], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """Hold a painted board: the names of its squares and what is on them, row by row.

    `carried` holds what belongs to pieces on single squares, such as the levels of a tower, in one or two characters.
    """

    asked: Input
    cells: Sequence[Sequence[Cell]]
    squares: Sequence[Sequence[Choice]]
    carried: Mapping[Cell, str]


def rows(game: Game, result: Result) -> list[Row]:
    """Return the rows of the score sheet, in the order of the game's own sheet."""
    sums = [totals(player["lines"]) for player in result["players"]]
    return [
        Row(
            rule,
            label,
            tuple(mine.get(rule) for mine in sums),
            tuple(tuple(line for line in player["lines"] if line["rule"] == rule) for player in result["players"]),
        )
        for rule, label in game.rules.items()
        if any(rule in mine for mine in sums)
    ]


def questions(game: Game, loaded: Loaded, result: Result, entered: Loaded | None = None) -> list[dict[str, Any]]:
    """Return a dictionary for each open question: its `Need`, and "label", "choices", "kind" of input, "begun" and
    "forgettable". If it is "forgettable", people may answer that nobody remembers. "begun" has for each field a
    first value or None, perhaps from `entered`, the record with the help's entries."""
    if not result["needs"]:
        return []
    players = range(len(loaded.record["players"]))
    inputs = [one for player in (None, *players) for one in relevant_inputs.inputs_of(game, loaded, player)]
    asked: list[dict[str, Any]] = []
    for need in result["needs"]:
        step = next((step for step in game.ladder if step.rule == need["input"]), None)
        if step is not None and step.order:
            asked.append(comparison(step, need, result))
            continue
        if need["input"] == COUNT:
            asked.append(counting(need, inputs))
            continue
        known = next((i for i in inputs if i.name.split("/")[-1] == need["input"]), None)
        if isinstance(known, OrderInput):
            asked.append({**need, **places(need["where"][0], known.choices), "label": known.label})
            continue
        label = need.get("label") or (known.label if known else fact(game, need["input"]).label)
        kind = known.kind if known else step.kind if step else "number"
        choices = choices_of(known) if known else ()
        begun = [_begun(game, entered or loaded, place) for place in need["where"]]
        question = {**need, "label": label, "kind": kind, "choices": choices, "begun": begun}
        asked.append({**question, "forgettable": step is not None and step.forgettable})
    return asked


def counting(need: Need, inputs: Sequence[Input]) -> dict[str, Any]:
    """Return the question that asks how many there are of something, such as a card that nobody has counted. `need`
    says what is missing. The first choice is none, the usual answer."""
    name = need["where"][0].split("/", 3)[-1]
    known = next((one for one in inputs if one.name == name), None)
    if isinstance(known, DataInput):
        choices: tuple[Choice, ...] = (Choice([], say("None")),)
    elif isinstance(known, ChoiceInput):
        choices = known.choices
    else:
        most = known.high if isinstance(known, NumberInput) else 1
        choices = (Choice(0, say("None")), *(Choice(n, as_it_is(str(n))) for n in range(1, most + 1)))
    none = next((choice.value for choice in choices if choice.value in ([], 0, "none")), None)
    return {**need, "kind": "choice", "choices": choices, "none": none, "begun": [None], "forgettable": False}


def comparison(step: Step, need: Need, result: Result) -> dict[str, Any]:
    """Return the question that asks in which order the tied players are in the tie-break `step`. Only their order is
    entered there, no amounts. `need` says what is missing."""
    choices = [Choice(name, as_it_is(name)) for name in result["winners"]]
    return {**need, **places(f"/table/{step.order}", choices), "label": step.question}


def places(where: str, choices: Sequence[Choice]) -> dict[str, Any]:
    """Return the part of a question that asks for an order of the `choices`. Its keys are "where", "kind", "choices",
    "begun" and "forgettable". "where" has a path, such as `where` + "/0", for each place but the last, which
    follows."""
    asked = [f"{where}/{place}" for place in range(len(choices) - 1)]
    return {"where": asked, "kind": "order", "choices": choices, "begun": [None] * len(asked), "forgettable": False}


def forgotten(game: Game, result: Result) -> list[dict[str, Any]]:
    """Return questions about facts that nobody remembered, but that would help to break a tie for the first place."""
    if result["needs"] or not result["ok"]:
        return []
    most = max(player["total"] for player in result["players"])
    found: list[dict[str, Any]] = []
    for step in game.ladder:
        asked = [
            (player["name"], f"/players/{seat}/{step.rule}")
            for seat, player in enumerate(result["players"])
            if player["total"] == most
            and any(one["rule"] == step.rule and one["value"] == UNKNOWN for one in player["tiebreaks"])
        ]
        if asked:
            players, where = zip(*asked, strict=True)
            question = {"input": step.rule, "players": list(players), "where": list(where), "choices": ()}
            label = fact(game, step.rule).label
            found.append({**question, "label": label, "kind": step.kind, "begun": [None] * len(asked)})
    return found


def with_answers(record: Json, asked: Sequence[Mapping[str, Any]], answers: MultiDict[str, str]) -> Json:
    """Return the record with the posted `answers` to the questions `asked`, each put at the path that its question
    names."""
    for question in asked:
        values = {str(choice.value): choice.value for choice in question["choices"]}
        rest = "" if question.get("none") is None else str(question["none"])
        if question["kind"] == "order":
            record = with_order(record, question, answers)
            continue
        nothing = UNKNOWN if question["input"] in answers.getlist("forgotten") and question.get("forgettable") else ""
        for where in question["where"]:
            is_none = bool(rest) and answers.get("none") in question["players"]
            text = answers.get(where, "").strip() or (rest if is_none else nothing)
            text = understood(text) if question["kind"] == "date" else text
            if text:
                number = text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 8
                answer = values.get(text, int(text) if number else text)
                record = put(record, steps(where.removeprefix("/")), answer)
    return record


def with_order(record: Json, question: Mapping[str, Any], answers: Mapping[str, str]) -> Json:
    """Return the record with the order that `answers` gives for the question. An incomplete order changes nothing."""
    names = [answers.get(where, "") for where in question["where"]]
    if not all(names) or len(set(names)) < len(names):
        return record
    names += [choice.value for choice in question["choices"] if choice.value not in names]
    return put(record, steps(question["where"][0].rpartition("/")[0].removeprefix("/")), names)


def _begun(game: Game, loaded: Loaded, where: str) -> Any:
    """Return the default of the input whose value is at the path `where`, such as "/players/0/coins", or None. The
    field of the question shows it first."""
    _, of, *rest = where.split("/")
    player, path = (int(rest[0]), rest[1:]) if of == "players" else (None, rest)
    inputs = relevant_inputs.inputs_of(game, loaded, player)
    return next((one.default for one in inputs if one.name == "/".join(path)), None)


def boards(game: Game, loaded: Loaded, player: int) -> list[Board]:
    """Return all painted boards of the player; none if the player's points were entered by hand."""
    state = loaded.record["players"][player]
    if relevant_inputs.TYPED in state:
        return []
    asked = relevant_inputs.inputs_of(game, loaded, player)
    on_squares = {one.square: kinds.of(one).in_short(get(state, steps(one.name))) for one in asked if one.square}
    return [
        Board(
            board.asked,
            board.cells(),
            board.squares(get(state, steps(board.asked.name))),
            on_squares if board.asked.carries else {},
        )
        for board in kinds.painted(asked)
    ]


def one_swap_away(game: Game, loaded: Loaded) -> dict[str, Better]:
    """Return by player's name the best total that one small change of the board would have brought, and that change.
    Players whom no change would have helped are left out. If the game can't tell, the result is empty."""
    if game.what_if is None or loaded.faults:
        return {}
    players = loaded.record["players"]
    found = {player["name"]: game.what_if.best(loaded.state, seat) for seat, player in enumerate(players)}
    return {player: better for player, better in found.items() if better is not None}


def share_text(game: Game, record: Json, result: Result) -> Sentence:
    """Return the result as a short text to share."""
    text = game.name
    unknown, nowhere = seats_without_points(record, result), unplaced(record, result)
    for seat, player in sorted(enumerate(result["players"]), key=lambda one: one[1]["rank"]):
        rank = "?" if seat in nowhere else player["rank"]
        total = "?" if seat in unknown else score_of(player)
        line = say("{rank}. {name}: {total}", rank=rank, name=player["name"], total=total)
        text = say("{above}\n{line}", above=text, line=line)
    return say("{above}\n{line}", above=text, line=verdict(game, result, unknown))


def margin(result: Result) -> int | None:
    """Return by how many points the winner leads; None if points did not decide or some are unknown."""
    if result["decided_by"] != "points" or result["needs"]:
        return None
    others = [player["total"] for player in result["players"] if not player["winner"]]
    return max(player["total"] for player in result["players"]) - max(others) if others else None


def decider(game: Game, result: Result) -> Sentence:
    """Return the name of the tie-break that decided, or NOTHING."""
    decided_by = result["decided_by"]
    return rung(game, decided_by) if decided_by and decided_by not in {"points", "shared"} else NOTHING
