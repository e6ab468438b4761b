"""Check the examples of a game, `examples/*.toml`: a record, its lines, who wins and why.

title = "Three sheep beside a tree"
cite = "rulebook p. 4"
winners = ["Ann"]              # optional, like decided_by and rating
[state]                        # the record
[[expect]]                     # for each player, in the order of the record
player = "Ann"
total = 7
lines = [["sheep", 6], ["trees", 1]]
"""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.check.report import Report, unreadable, was
from scorer.contract import Game
from scorer.contract_check import unknown_rule
from scorer.core import score_as
from scorer.record import escape
from scorer.result import PlayerResult, Result
from scorer.sentences import Sentence, in_a_row, say

FACTS = ("winners", "decided_by", "rating")
EXPECT = "[[expect]]"


@dataclass(frozen=True, slots=True)
class Example:
    """Hold an example file and its content."""

    file: Path
    content: dict[str, Any]

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def record(self) -> dict[str, Any]:
        """Return a copy of the record in the example, so that the caller may change it."""
        return copy.deepcopy(self.content["state"])

    def line_of(self, beginning: str, number: int = 0) -> int:
        """Return the number of the first line of the file that starts with `beginning`, or 0 if there is none. With
        `number` 1 it is the second such line, and so on."""
        lines = self.file.read_text(encoding="utf-8").splitlines()
        found = [at for at, line in enumerate(lines, start=1) if line.startswith(beginning)]
        return found[number] if number < len(found) else 0


def found(game: Game, report: Report) -> list[Example]:
    """Return the complete examples of a game; for every other example file, add to `report` what it lacks."""
    folder = report.source.folder / "examples"
    files = sorted(folder.glob("*.toml"))
    if not files:
        report.note(report.source.at(folder), lines_without_example(game.rules))
    read = [(file, _read(file, report)) for file in files]
    examples = [Example(file, content) for file, content in read if content]
    return [example for example in examples if _is_usable(game, example, report)]


def _read(file: Path, report: Report) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        report.note(report.source.at(file), unreadable(file, fault))
        return {}


def _is_usable(game: Game, example: Example, report: Report) -> bool:
    content, place = example.content, report.source.at(example.file)
    lacks = [key for key in ("title", "cite", "state", "expect") if not content.get(key)]
    for key in lacks:
        report.note(place, say("Add “{key}” to this example.", key=key))
    if lacks:
        return False
    if not isinstance(content["state"], dict) or content["state"].get("game") != game.id:
        report.note(
            report.source.at(example.file, example.line_of("game")),
            say("Add “{key}” to this example.", key=f'game = "{game.id}"'),
        )
        return False
    expected = content["expect"]
    if not isinstance(expected, list) or not all(isinstance(one, dict) and _is_sheet(one) for one in expected):
        report.note(
            place,
            say(
                'Each [[expect]] needs a player, a total and lines: [["{rule}", 2]].',
                rule=next(iter(game.rules)),
            ),
        )
        return False
    return True


def _is_sheet(expected: dict[str, Any]) -> bool:
    lines = expected.get("lines")
    return (
        {"player", "total"} <= expected.keys()
        and isinstance(lines, list)
        and all(isinstance(line, list) and len(line) == 2 for line in lines)
    )


def check(game: Game, examples: Sequence[Example], report: Report) -> None:
    """Add a finding to `report` for each example whose score differs from the expected one. Also report records that
    `dump` writes wrongly, and rules that no example uses."""
    for example in examples:
        with report.trying(was(example.name)):
            result = score_as(game, example.record)
            if result["ok"]:
                _compare(game, example, result, report)
                _round_trip(game, example, report)
                _unknown_field(game, example, report)
                _same_name(game, example, report)
            else:
                problem = result["problems"][0]
                report.note(
                    report.source.at(example.file, example.line_of("[state]")),
                    say(
                        "We can’t score this record: {problem} ({where})",
                        problem=problem["message"],
                        where=problem["where"] or "/",
                    ),
                )
    _every_rule(game, examples, report)


def _compare(game: Game, example: Example, result: Result, report: Report) -> None:
    for number, expected in enumerate(example.content["expect"]):
        place = report.source.at(example.file, example.line_of(EXPECT, number))
        if number < len(result["players"]):
            for said in _differences(expected, result["players"][number]):
                report.note(place, said)
    names = [player["name"] for player in result["players"]]
    if len(example.content["expect"]) != len(names):
        report.note(report.source.at(example.file, example.line_of(EXPECT)), another("players", names))
    known: dict[str, Any] = dict(result)
    for fact in FACTS:
        if fact in example.content and known.get(fact) != example.content[fact]:
            report.note(report.source.at(example.file, example.line_of(fact)), another(fact, known.get(fact)))
    for player in result["players"]:
        _lines(game, player, report, example)


def _differences(expected: dict[str, Any], player: PlayerResult) -> Iterator[Sentence]:
    if player["name"] != expected["player"]:
        yield another("player", player["name"])
    lines = [[line["rule"], line["points"]] for line in player["lines"]]
    if lines != expected["lines"]:
        yield another("lines", lines)
    if player["total"] != expected["total"]:
        yield another("total", player["total"])


def another(fact: str, value: Any) -> Sentence:
    return say("The game gives another {fact}: {value}", fact=fact, value=json.dumps(value, ensure_ascii=False))


def _lines(game: Game, player: PlayerResult, report: Report, example: Example) -> None:
    """Report lines of a player that break the contract. Rules must be known and in the order of `game.rules`, each line
    needs a reason, and items must be plain text."""
    order, place = list(game.rules), report.source.function(game.score, "score")
    rules = [line["rule"] for line in player["lines"]]
    for rule in rules:
        if rule not in game.rules:
            report.note(place, unknown_rule(rule, example.name))
            return
    if [order.index(rule) for rule in rules] != sorted(order.index(rule) for rule in rules):
        report.note(place, say("{example}: sort the lines as in GAME.rules.", example=example.name))
    for line in player["lines"]:
        if not line["why"]:
            report.note(
                place, say("{example}: the line “{rule}” needs a reason.", example=example.name, rule=line["rule"])
            )
        if type(line["item"]) is not str:
            report.note(
                place,
                say(
                    "{example}: the item of “{rule}” must be plain text.",
                    example=example.name,
                    rule=line["rule"],
                ),
            )


def _round_trip(game: Game, example: Example, report: Report) -> None:
    place = report.source.function(game.dump, "dump")
    with report.trying(was(example.name)):
        state = game.load(example.record)
        written = json.loads(json.dumps(game.dump(state)))
        if game.load(written) != state or score_as(game, written) != score_as(game, example.record):
            report.note(place, say("{example}: dump must write everything that load reads.", example=example.name))


def _unknown_field(game: Game, example: Example, report: Report) -> None:
    record, field = example.record, "colour of socks"
    for holder, where in ((record, ""), (record["players"][0], "/players/0")):
        holder[field] = "blue"
        places = [
            problem["where"] for problem in score_as(game, record)["problems"] if problem["code"] == "unknown_field"
        ]
        if places != [f"{where}/{escape(field)}"]:
            report.note(
                report.source.function(game.load, "load"),
                must_report("unknown_field"),
            )
        del holder[field]


def _same_name(game: Game, example: Example, report: Report) -> None:
    record = example.record
    if len(record["players"]) == 1:
        record["players"][0]["name"], wanted = " ", ("bad_name", "/players/0/name")
    else:
        record["players"][1]["name"] = record["players"][0]["name"]
        wanted = "duplicate_name", "/players/1/name"
    if wanted not in [(problem["code"], problem["where"]) for problem in score_as(game, record)["problems"]]:
        report.note(
            report.source.function(game.load, "load"),
            must_report(wanted[0]),
        )


def must_report(code: str) -> Sentence:
    return say("“load” must report “{code}”. Use read_players and reader.finish.", code=code)


def _every_rule(game: Game, examples: Sequence[Example], report: Report) -> None:
    seen = {line[0] for example in examples for expected in example.content["expect"] for line in expected["lines"]}
    missing = [rule for rule in game.rules if rule not in seen]
    if examples and missing:
        report.note(
            report.source.at(report.source.folder / "examples"),
            lines_without_example(missing),
        )


def lines_without_example(rules: Iterable[str]) -> Sentence:
    return say("Add examples with these lines: {rules}.", rules=in_a_row([*rules]))
