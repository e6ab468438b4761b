"""Templates stand literally in the code, and everything a game shows is made of them, so that it can be translated."""

from __future__ import annotations

import ast
import copy
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer import core, games
from scorer.check.mutated import texts
from scorer.check.texts import calls, faults, templates
from scorer.contract import Game, Input, Loaded, choices_of
from scorer.insight import biggest_gaps
from scorer.report import as_text, verdict
from scorer.sentences import PLACE, into, listed, say
from tests.conftest import GAMES, ROOT, examples_of

SOURCES = sorted((ROOT / "scorer").rglob("*.py"))
FAULTS = 250  # records of each game with something wrong in them
WRONG: tuple[Any, ...] = (None, True, -1, 0, 99, 12345, "", "x", "12-41", "cottage", [], ["x"], {}, {"x": 1})
CONSTANTS = ("True", "False", "None", "none")  # as messages show them back
WORD = re.compile(r"[^\W\d_]{2,}")

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


# -- in the code -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_templates_are_literal_and_every_place_has_a_value(file: Path) -> None:
    assert [(call.lineno, fault) for name, call in calls(file.read_text("utf-8")) for fault in faults(name, call)] == []


def test_a_template_counts_to_the_same_one_everywhere() -> None:
    """Catalogues know a counted sentence by its first template."""
    counted: dict[str, set[str]] = {}
    for file in SOURCES:
        for name, call in calls(file.read_text("utf-8")):
            literal = templates(name, call)
            if name == "say_count" and literal:
                counted.setdefault(literal[0], set()).add(literal[1])
    assert {one: many for one, many in counted.items() if len(many) > 1} == {}


@pytest.mark.parametrize(
    "code",
    [
        "say(words)",
        'say(f"{one} and {other}")',
        'say("{cell} sees {n}", cell=1)',
        'say("nobody", cell=1)',
        'say("{cell}", **values)',
        'say("{cell:>3}", cell=1)',
        'say("{cell.name}", cell=1)',
        'say_count("{n} cube", "{n} cubes", 2, n=2)',
        'say_count("{n} cube", 2)',
    ],
)
def test_what_could_not_be_translated_is_found(code: str) -> None:
    [call] = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    assert isinstance(call.func, ast.Name)
    assert list(faults(call.func.id, call))


# -- in the results --------------------------------------------------------------------------------------------------


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside a record."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in inside:
        yield (*path, key)
        yield from places(child, (*path, key))


def broken(record: Any, dice: random.Random) -> Any:
    """The record with one value gone or replaced."""
    record = copy.deepcopy(record)
    *way, last = dice.choice(list(places(record)))
    inner = record
    for step in way:
        inner = inner[step]
    if dice.random() < 0.2:
        del inner[last]
    elif isinstance(inner, dict) and dice.random() < 0.2:
        inner["shoe size"] = 44
    else:
        inner[last] = copy.deepcopy(dice.choice(WRONG))
    return record


def records(game: Game) -> list[Any]:
    """The examples of a game, and as many faults as make its checks speak."""
    good = [example.record for example in examples_of(game)]
    typed = [copy.deepcopy(record) for record in good]
    for record in typed:
        rule = next(iter(game.rules))
        record["players"] = [{"name": player["name"], "typed": {rule: 5}} for player in record["players"]]
    dice = random.Random(11)
    return [*good, *typed, *(broken(dice.choice(good), dice) for _ in range(FAULTS))]


@each_game
def test_a_result_as_json_is_plain_english(game: Game) -> None:
    """Neither templates nor their values go with it."""
    for record in records(game):
        result = core.score(record)
        assert "said" not in result and json.loads(json.dumps(result)) == result


# -- in a language without words -------------------------------------------------------------------------------------


class Wordless:
    """A made-up language that keeps nothing of a template but its places: what is left is what nobody translates."""

    def gettext(self, message: str) -> str:
        return " ".join(place.group() for place in PLACE.finditer(message))

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)


WORDLESS = Wordless()


def of_input(asked: Input) -> Iterator[str]:
    yield asked.label
    yield asked.help
    for choice in choices_of(asked):
        yield choice.label


def of_game(game: Game) -> Iterator[str]:
    """Yield what a game shows before anybody has played it."""
    yield game.name
    yield from game.rules.values()
    for step in game.ladder:
        yield step.label
    for fact in game.facts.values():
        yield from (fact.label, fact.within)
    for asked in game.inputs:
        yield from of_input(asked)
    for entry in game.cards.catalogue:
        yield from (entry.name, entry.group, entry.text, entry.points, entry.expansion)
    if game.companion:
        yield from (game.companion.name, game.companion.text)
    if game.cardbox:
        yield from game.cardbox.kinds.values()


def of_record(game: Game, loaded: Loaded) -> Iterator[str]:
    """Yield what a game shows of a record: its result, what beat whom, what is asked, and what might have been."""
    result = core.judge(game, loaded)
    yield from texts(result)
    if result["ok"]:
        yield verdict(game, result)
        yield from (line["label"] for beaten in biggest_gaps(game, result) for line in beaten["lines"])
    if game.companion:
        yield from (text for asked in game.companion.asks(loaded, game.companion.blank) for text in of_input(asked))
    if loaded.state is None:
        return
    for number in (None, *range(len(loaded.state.players))):
        if game.asks:
            yield from (text for asked in game.asks(loaded, number) for text in of_input(asked))
        if game.what_if and result["ok"] and number is not None and (found := game.what_if.best(loaded.state, number)):
            yield found.why


def words_in(value: Any) -> set[str]:
    return set(WORD.findall(json.dumps(value, ensure_ascii=False, default=str)))


def data_of(game: Game) -> set[str]:
    """The words of which the game's data is made: ids, options, and what stands in its records."""
    ids = [*game.rules, *(step.rule for step in game.ladder), *(entry.id for entry in game.cards.catalogue)]
    asked = [(one.name, [choice.value for choice in choices_of(one)]) for one in game.inputs]
    return words_in([ids, asked, *(example.record for example in examples_of(game)), *games.ids(), *CONSTANTS])


def untold(text: str, data: set[str]) -> set[str]:
    """The words of a text that no language would ever replace, and that are no data."""
    return set(WORD.findall(into(text, WORDLESS))) - data


@each_game
def test_a_game_shows_nothing_that_cannot_be_translated(game: Game) -> None:
    data = data_of(game)
    assert [(text, words) for text in of_game(game) if (words := untold(text, data))] == []
    left = {}
    for record in records(game):
        here = data | words_in(record)
        left.update({text: words for text in of_record(game, core.load(game, record)) if (words := untold(text, here))})
    assert left == {}


@each_game
def test_a_game_has_words_for_what_it_may_have_to_ask(game: Game) -> None:
    """A result asks for the rungs of the ladder: "Turns as Master Builder", "enter: Master Builder turns for Ann"."""
    for step in game.ladder:
        assert step.rule in game.facts
        assert game.facts[step.rule].within.lower() == step.rule.replace("_", " ")


@each_game
def test_a_report_for_the_terminal_can_be_told_in_another_language(game: Game) -> None:
    data = data_of(game)
    left = {}
    for record in records(game):
        text = as_text(game, core.score(record), why=True, language=WORDLESS)
        if words := set(WORD.findall(text)) - data - words_in(record):
            left[text] = words
    assert left == {}


def test_a_word_that_is_no_sentence_is_found() -> None:
    """The check itself: glued words are left over, data and whole sentences are not."""
    glued = say("{cell} sees {what}", cell="B2", what="two Cottages")
    assert untold(glued, set()) == {"two", "Cottages"}
    assert untold("typed", set()) == {"typed"}
    assert untold(listed(["A1", say("the Well"), "Ann"]), {"Ann"}) == set()
