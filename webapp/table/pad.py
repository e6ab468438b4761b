"""What a result page shows besides the result: the pad by rows, the open questions, the boards, words to share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from scorer.contract import UNKNOWN, Cell, Choice, Game, Input, Json, Loaded, WhatIf
from scorer.report import fact, rung, totals, verdict
from scorer.result import Result, ResultLine, gaps, unplaced
from scorer.sentences import NOTHING, Sentence, say
from webapp.table import asking, kinds
from webapp.table.paths import get, put, steps


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the score pad: for each player the points, None without a line, and the lines behind them."""

    rule: str
    label: Sentence
    points: tuple[int | None, ...]
    lines: tuple[tuple[ResultLine, ...], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A painted board as it lies on the table: the names of its squares and what lies there, row by row.

    `carried` is what belongs to the pieces on single squares, such as the levels of a tower, in a letter or two.
    """

    asked: Input
    cells: Sequence[Sequence[Cell]]
    squares: Sequence[Sequence[Choice]]
    carried: Mapping[Cell, str]


def rows(game: Game, result: Result) -> list[Row]:
    """The score pad: players across, lines down, in the order of the game's own pad."""
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
    """What `needs` asks, with the words and the kind of field for each.

    `entered` is all that was entered, with what the companion was told, which the fields begin with.
    """
    if not result["needs"]:
        return []
    players = range(len(loaded.record["players"]))
    inputs = [one for player in (None, *players) for one in asking.inputs_of(game, loaded, player)]
    asked: list[dict[str, Any]] = []
    for need in result["needs"]:
        known = next((i for i in inputs if i.name.split("/")[-1] == need["input"]), None)
        step = next((step for step in game.ladder if step.rule == need["input"]), None)
        label = need.get("label") or (known.label if known else fact(game.id, need["input"]).label)
        kind = known.kind if known else step.kind if step else "number"
        choices = known.choices if known else ()
        # An order is one answer for all whom it concerns, with a place for each.
        where = [f"{need['where'][0]}/{at}" for at in range(len(choices))] if kind == "order" else need["where"]
        begun = [_begun(game, entered or loaded, place) for place in where]
        question = {**need, "where": where, "label": label, "kind": kind, "choices": choices, "begun": begun}
        asked.append({**question, "forgettable": step is not None and step.forgettable})
    return asked


def forgotten(game: Game, result: Result) -> list[dict[str, Any]]:
    """What nobody remembered where a tie at the top had to do without it, to be asked again later."""
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
            label = fact(game.id, step.rule).label
            found.append({**question, "label": label, "kind": step.kind, "begun": [None] * len(asked)})
    return found


def with_answers(record: Json, asked: Sequence[Mapping[str, Any]], answers: MultiDict[str, str]) -> Json:
    """The record with each answer where the question said it belongs."""
    for question in asked:
        values = {str(choice.value): choice.value for choice in question["choices"]}
        if question["kind"] == "order":
            record = with_order(record, question["where"], answers)
            continue
        nothing = UNKNOWN if question["input"] in answers.getlist("forgotten") and question.get("forgettable") else ""
        for where in question["where"]:
            text = answers.get(where, "").strip() or nothing
            if text:
                number = text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 8
                answer = values.get(text, int(text) if number else text)
                record = put(record, steps(where.removeprefix("/")), answer)
    return record


def with_order(record: Json, places: Sequence[str], answers: Mapping[str, str]) -> Json:
    """The record with the names that were picked for the places, once every place has one."""
    names = [answers.get(where, "") for where in places]
    if not all(names):
        return record
    return put(record, steps(places[0].rpartition("/")[0].removeprefix("/")), names)


def _begun(game: Game, loaded: Loaded, where: str) -> Any:
    """What a question's field begins with: what the game already knows, such as turns that its companion counted."""
    _, of, *rest = where.split("/")
    player, path = (int(rest[0]), rest[1:]) if of == "players" else (None, rest)
    inputs = asking.inputs_of(game, loaded, player)
    return next((one.default for one in inputs if one.name == "/".join(path)), None)


def boards(game: Game, loaded: Loaded, player: int) -> list[Board]:
    """Every painted board of the player."""
    state = loaded.record["players"][player]
    if asking.TYPED in state:
        return []
    asked = asking.inputs_of(game, loaded, player)
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


def one_swap_away(game: Game, loaded: Loaded) -> dict[str, WhatIf]:
    """By player: what one small change would have brought, for games that can say and records that can be read."""
    if game.what_if is None or loaded.faults:
        return {}
    players = loaded.record["players"]
    found = {player["name"]: game.what_if(loaded.state, seat) for seat, player in enumerate(players)}
    return {player: better for player, better in found.items() if better is not None}


def share_text(game: Game, record: Json, result: Result) -> Sentence:
    """The result in a few lines for a message."""
    text = game.name
    unknown, nowhere = gaps(record, result), unplaced(record, result)
    for seat, player in sorted(enumerate(result["players"]), key=lambda one: one[1]["rank"]):
        rank = "?" if seat in nowhere else player["rank"]
        total = "?" if seat in unknown else player["total"]
        line = say("{rank}. {name}: {total}", rank=rank, name=player["name"], total=total)
        text = say("{above}\n{line}", above=text, line=line)
    return say("{above}\n{line}", above=text, line=verdict(result, unknown))


def margin(result: Result) -> int | None:
    """By how many points the winner leads; None if nobody was beaten on points, or some are not known."""
    if result["decided_by"] != "points" or result["needs"]:
        return None
    others = [player["total"] for player in result["players"] if not player["winner"]]
    return max(player["total"] for player in result["players"]) - max(others) if others else None


def decider(game: Game, result: Result) -> Sentence:
    """The words for the tie-break that decided, NOTHING if it was points or nothing did."""
    decided_by = result["decided_by"]
    return rung(game.id, decided_by) if decided_by and decided_by not in {"points", "shared"} else NOTHING
