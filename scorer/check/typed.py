"""Check that every game lets players enter points of lines, or a total, by hand instead of a board."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from scorer.check import examples
from scorer.check.examples import Example
from scorer.check.report import Report
from scorer.contract import Game, Json
from scorer.core import score_as
from scorer.record import TOTAL, TYPED_IN
from scorer.result import Result
from scorer.sentences import Sentence, say

PAIR = 2
NAMES = tuple(f"Player {number}" for number in range(1, 100))
TOTALS = (9, 11, *[3] * 100)
WHEN = say("Lines or totals were typed.")
DAY, NUMBER = "06-14", 3  # answers to a tie-break


def check(game: Game, found: Sequence[Example], report: Report) -> None:
    """Report each line, total or tie-break that players cannot enter by hand, or that a result then shows wrongly.
    `found` has the usable examples of the game."""
    trial = _Trial(game, found, report)
    for check_one in (trial.any_line, trial.limits, trial.totals, trial.total_and_line, trial.ties):
        with report.trying(WHEN):
            check_one()
    for example in found:
        with report.trying(WHEN):
            trial.lines_of(example)


class _Trial:
    """Score a table whose players enter the points of their lines by hand, and report what fails. The table comes from
    an example if one fits, because lines may depend on cards."""

    def __init__(self, game: Game, found: Sequence[Example], report: Report) -> None:
        self.game, self.report = game, report
        self.count = max(PAIR, game.players[0])
        self.record = self._bare({}, NAMES[: self.count])
        with report.trying(WHEN):
            self.record = next(self._tables(found), self.record)

    def _bare(self, table: Json, names: Sequence[str]) -> Json:
        return {"game": self.game.id, "table": table, "players": [{"name": name, "typed": {}} for name in names]}

    def _tables(self, found: Sequence[Example]) -> Iterator[Json]:
        """Yield the record of each example in `found`, with the boards replaced by empty lists of lines. Records that
        give no result, or have another number of players than the trial, are left out."""
        for record in (example.record for example in found):
            names = [player["name"] for player in record["players"]]
            bare = self._bare(record.get("table", {}), names)
            if len(names) == self.count and score_as(self.game, bare)["ok"]:
                yield bare

    def score(self, *typed: dict[str, int], **facts: Json) -> Result:
        """Return the result when players enter points by hand: `typed` has, for each seat, the points by rule. `facts`
        are further fields that every player gets, such as values for tie-breaks."""
        for number, player in enumerate(self.record["players"]):
            player["typed"] = typed[number] if number < len(typed) else {}
            player |= facts
        return score_as(self.game, self.record)

    def note(self, said: Sentence) -> None:
        """Add the finding `said`, with the game's `load` function as its place."""
        self.report.note(self.report.source.function(self.game.load, "load"), said)

    def any_line(self) -> None:
        """Report each line that cannot be entered by hand, or that the result does not mark as entered by hand."""
        there = self.game.typed.lines_of
        for rule in self.game.rules if there is None else there(self.game.load(self.record)):
            result = self.score({rule: 0})
            if not result["ok"]:
                self.note(refused(result))
            elif [line.get("why") for line in result["players"][0]["lines"]] != [TYPED_IN]:
                self.note(changed())

    def limits(self) -> None:
        """Report each line that accepts points outside its limits when they are entered by hand."""
        for rule, allowed in self.game.typed.limits.items():
            for points in (allowed[0] - 1, allowed[-1] + 1):
                result = self.score({rule: points})
                if f"/players/0/typed/{rule}" not in [problem["where"] for problem in result["problems"]]:
                    message = say(
                        "The line “{rule}” accepts {points}, which is outside its limits.",
                        points=points,
                        rule=rule,
                    )
                    self.report.note(self.report.source.field("typed"), message)

    def totals(self) -> None:
        """Report a game in which players cannot enter only totals, or whose `dump` does not write these totals."""
        result = self.score(*({TOTAL: total} for total in TOTALS[: self.count]))
        if not result["ok"]:
            self.note(refused(result))
        elif [player["total"] for player in result["players"]] != [*TOTALS[: self.count]]:
            self.note(changed())
        written = json.loads(json.dumps(self.game.dump(self.game.load(self.record))))
        if self.game.load(written) != self.game.load(self.record):
            place = self.report.source.function(self.game.dump, "dump")
            self.report.note(place, say("GAME.dump must write what was typed. Use Typed.dump."))

    def total_and_line(self) -> None:
        """Report a game that accepts both a total and a line from one player."""
        result = self.score({TOTAL: 9, next(iter(self.game.rules)): 4})
        if "total_and_lines" not in [problem["code"] for problem in result["problems"]]:
            self.note(examples.must_report("total_and_lines"))

    def ties(self) -> None:
        """Report tie-breaks for which players who entered equal points by hand can enter no value."""
        rule = next(iter(self.game.rules))
        even = [{rule: 6}] * self.count
        facts: dict[str, Json] = {}
        result = self.score(*even)
        for step in self.game.ladder:
            for need in result["needs"]:
                if need["input"] == step.rule:
                    facts[step.rule] = DAY if step.kind == "date" else NUMBER
            result = self.score(*even, **facts)
        for player in self.record["players"]:
            for name in facts:
                player.pop(name, None)
        if result["ok"] and (result["needs"] or result["decided_by"] is None):
            asked = result["needs"][0]["input"] if result["needs"] else ""
            place = self.report.source.field("ladder")
            self.report.note(place, say("No field asks for the tie-breaker “{step}” of typed lines.", step=asked))
        elif not result["ok"]:
            self.note(refused(result))

    def lines_of(self, example: Example) -> None:
        """Report an example whose totals change if the points of its lines, not the boards, are entered by hand."""
        record = example.record
        scored = score_as(self.game, record)
        if not scored["ok"]:
            return  # `examples` reports it
        for number, player in enumerate(scored["players"]):
            points: dict[str, int] = {}
            for line in player["lines"]:
                points[line["rule"]] = points.get(line["rule"], 0) + line["points"]
            record["players"][number] = {"name": player["name"], "typed": points}
        result = score_as(self.game, record)
        if not result["ok"]:
            self.note(refused(result))
        elif [one["total"] for one in result["players"]] != [one["total"] for one in scored["players"]]:
            self.note(changed())


def refused(result: Result) -> Sentence:
    problem = result["problems"][0]
    return say("We can’t score typed points: {problem} ({where})", problem=problem["message"], where=problem["where"])


def changed() -> Sentence:
    return say("The result must show typed points unchanged. Use Typed.sheet.")
