"""What every game folder promises. New games are found by themselves; nothing is listed here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorer.contract import Game
from scorer.core import score
from tests.conftest import EXAMPLES, GAMES, Example, examples_of

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=str)


@each_game
def test_a_game_tells_what_it_is(game: Game) -> None:
    assert game.name and game.version and len(game.players) > 0 and game.rules
    assert all(step.prefers in {"fewest", "most"} and step.label for step in game.ladder)


@each_game
def test_inputs_and_catalogue_name_nothing_twice(game: Game) -> None:
    for named in ([(i.of, i.name) for i in game.inputs], [(e.group, e.id) for e in game.catalogue]):
        assert len(named) == len(set(named))
    assert game.inputs, "the generated form needs fields"
    assert all(entry.name and entry.text and entry.group for entry in game.catalogue)


@each_game
def test_every_rule_of_a_game_appears_in_an_example(game: Game) -> None:
    seen = {rule for example in examples_of(game) for sheet in example.content["expect"] for rule, _ in sheet["lines"]}
    assert set(game.rules) == seen


@each_example
def test_an_example_says_where_it_comes_from(example: Example) -> None:
    assert example.content["title"] and example.content["cite"]


@each_example
def test_an_example_scores_exactly_as_written(example: Example) -> None:
    result = score(example.record)
    assert result["ok"], result["problems"]
    for wanted, player in zip(example.content["expect"], result["players"], strict=True):
        assert player["name"] == wanted["player"]
        assert [[line["rule"], line["points"]] for line in player["lines"]] == wanted["lines"]
        assert player["total"] == wanted["total"] == sum(points for _, points in wanted["lines"])
    for fact in ("winners", "decided_by", "rating"):
        if fact in example.content:
            assert result[fact] == example.content[fact]


@each_example
def test_a_state_comes_back_from_its_record(example: Example) -> None:
    state = example.game.load(example.record)
    written = example.game.dump(state)
    assert example.game.load(json.loads(json.dumps(written))) == state
    assert score(written) == score(example.record)


@each_example
def test_every_line_says_why_in_pad_order(example: Example) -> None:
    order = list(example.game.rules)
    for player in score(example.record)["players"]:
        rules = [order.index(line["rule"]) for line in player["lines"]]
        assert rules == sorted(rules)
        assert all(line["why"] and line["label"] for line in player["lines"])


@each_example
def test_a_field_nobody_knows_is_pointed_out(example: Example) -> None:
    record = example.record
    record["players"][0]["colour of socks"] = "blue"
    [problem] = score(record)["problems"]
    assert (problem["code"], problem["where"]) == ("unknown_field", "/players/0/colour of socks")


@each_example
def test_two_players_of_one_name_are_pointed_out(example: Example) -> None:
    record = example.record
    if len(record["players"]) == 1:
        record["players"][0]["name"] = " "
        wanted = "bad_name", "/players/0/name"
    else:
        record["players"][1]["name"] = record["players"][0]["name"]
        wanted = "duplicate_name", "/players/1/name"
    problems = score(record)["problems"]
    assert wanted in [(problem["code"], problem["where"]) for problem in problems]


def bare(game: Game, count: int) -> dict[str, Any]:
    """A table of that game with so many players who have typed nothing yet."""
    record = max((e for e in EXAMPLES if e.game is game), key=lambda e: len(e.record["players"]) == count).record
    names = [player["name"] for player in record["players"]]
    if len(names) != count:
        pytest.fail(f"{game.id} has no example with {count} players")
    table = {key: value for key, value in record["table"].items() if key != "accolades"}
    return {**record, "table": table, "players": [{"name": name, "typed": {}} for name in names]}


@each_game
def test_any_line_can_be_typed(game: Game) -> None:
    record = bare(game, max(2, game.players[0]))
    there = game.rules if game.lines_of is None else game.lines_of(game.load(record))
    each = {count.rule: count.each for count in game.counts}
    for rule in there:
        allowed = range(0, each[rule] + 1, each[rule]) if rule in each else game.limits.get(rule, range(-5, 6))
        for points in (allowed[0], allowed[-1]):
            record["players"][0]["typed"] = {rule: points}
            result = score(record)
            codes = {problem["code"] for problem in result["problems"]}
            assert codes <= {"no_such_prize"}, (rule, points, result["problems"])
            if not codes:
                assert [line["why"] for line in result["players"][0]["lines"]] == ["typed in"]
                assert result["players"][0]["total"] == points


@each_game
def test_typed_lines_stay_within_what_the_rules_can_give(game: Game) -> None:
    assert set(game.limits) <= {*game.rules, "total"}
    record = bare(game, max(2, game.players[0]))
    for rule, allowed in game.limits.items():
        for points in (allowed[0] - 1, allowed[-1] + 1):
            record["players"][0]["typed"] = {rule: points}
            result = score(record)
            assert not result["ok"]
            assert ("/players/0/typed/" + rule) in [problem["where"] for problem in result["problems"]]


@each_game
def test_one_plain_total_is_enough(game: Game) -> None:
    record = bare(game, max(2, game.players[0]))
    for player, total in zip(record["players"], (9, 12, 3), strict=False):
        player["typed"] = {"total": total}
    result = score(record)
    assert result["ok"], result["problems"]
    assert [player["total"] for player in result["players"]][:2] == [9, 12]
    for player in result["players"]:
        [line] = player["lines"]
        assert (line["rule"], line["label"], line["why"]) == ("total", "Total", "typed in")
    assert result["winners"] == [record["players"][1]["name"]]
    assert game.load(json.loads(json.dumps(game.dump(game.load(record))))) == game.load(record)


@each_game
def test_a_total_stands_alone(game: Game) -> None:
    record = bare(game, max(2, game.players[0]))
    record["players"][0]["typed"] = {"total": 9, next(iter(game.rules)): 4}
    [problem] = score(record)["problems"]
    assert (problem["code"], problem["where"]) == ("total_and_lines", "/players/0/typed/total")


@each_example
def test_line_totals_can_be_typed_for_everybody(example: Example) -> None:
    """Those of any legal table: what no table can show may be refused."""
    scored, record = score(example.record)["players"], example.record
    for number, player in enumerate(scored):
        typed: dict[str, int] = {}
        for line in player["lines"]:
            typed[line["rule"]] = typed.get(line["rule"], 0) + line["points"]
        record["players"][number] = {"name": player["name"], "typed": typed}
    result = score(record)
    assert result["ok"], result["problems"]
    for player, typed_in in zip(scored, result["players"], strict=True):
        assert typed_in["total"] == sum(line["points"] for line in player["lines"])
        assert {line["why"] for line in typed_in["lines"]} <= {"typed in"}


@each_game
def test_typed_totals_that_tie_are_settled_by_asking_or_shared(game: Game) -> None:
    count = max(2, game.players[0])
    record = bare(game, count)
    for player in record["players"]:
        player["typed"] = {next(iter(game.rules)): 5}
    result = score(record)
    assert result["ok"], result["problems"]
    for _ in game.ladder:  # answer the question, equally for all, until none is left
        for need in result["needs"]:
            for where in need["where"]:
                steps = where.split("/")[1:]
                assert steps[:1] == ["players"] and len(steps) == 3, f"cannot answer at {where}"
                kind = next(step.kind for step in game.ladder if step.rule == need["input"])
                record["players"][int(steps[1])][steps[2]] = "06-14" if kind == "date" else 3
        result = score(record)
        assert result["ok"], result["problems"]
    assert result["needs"] == [] and result["decided_by"] is not None
