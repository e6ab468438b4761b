"""Fields named like paths, and JSON that survives the way through a form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from scorer.contract import Choice, ChoiceInput, ChoicesInput, DateInput, FlagInput, Input, NumberInput
from scorer.core import load, score
from scorer.result import Result
from scorer.sentences import say
from tests.conftest import EXAMPLES, Example
from tests.scorer.tenby_tables import counted
from webapp.table import Entries, Seat, Table, forms, json_paths, relevant_inputs

pytestmark = pytest.mark.either

STEPS = st.lists(st.sampled_from(["a", "b", "0", "1", "a/b", "~"]), min_size=1, max_size=3).map(tuple)
TREES: st.SearchStrategy[Any] = st.recursive(
    st.integers() | st.text(max_size=3) | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "0"]), inner, max_size=3),
    max_leaves=8,
)


def posted_back(inputs: tuple[Input, ...], values: Any) -> Any:
    """The values after the form was shown and sent back untouched."""
    form = forms.build(inputs, values)
    sent: MultiDict[str, str] = MultiDict()
    for field in form:
        if isinstance(field.data, dict):
            sent.update(field.data)
        elif isinstance(field.data, list):
            for one in field.data:
                sent.add(field.name, one)
        elif field.data is True:
            sent.add(field.name, "y")
        elif field.data is not False:
            sent.add(field.name, "" if field.data is None else str(field.data))
    return forms.read(inputs, forms.build(inputs, values, sent), values)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_form_sent_back_untouched_changes_no_result(example: Example) -> None:
    record = example.record
    for number in (None, *range(len(record["players"]))):
        values = record.get("table", {}) if number is None else record["players"][number]
        inputs = relevant_inputs.inputs_of(example.game, load(example.game, record), number)
        back = posted_back(inputs, values)
        if number is None:
            record["table"] = back
        else:
            record["players"][number] = back
    assert lines_of(score(record)) == lines_of(score(example.record))


@pytest.mark.parametrize(
    ("typed", "month", "kept", "shown"),
    [
        ("2 March", "", "03-02", ("2", "03")),
        ("3/2", "", "02-03", ("3", "02")),  # the day first, as the month that is shown says
        ("3/14", "", "03-14", ("14", "03")),
        ("14.6.", "", "06-14", ("14", "06")),
        ("mar 2nd", "", "03-02", ("2", "03")),
        ("02-03", "", "02-03", ("3", "02")),
        ("2", "03", "03-02", ("2", "03")),
        ("14.6.", "03", "06-14", ("14", "06")),  # what is typed in full is newer than what is chosen
        ("31", "02", "02-31", ("31", "02")),  # no such day: said beside the field
        ("", "03", "03-", ("", "03")),
        ("2", "", "2", ("2", "")),
        ("soon", "", "soon", ("soon", "")),
    ],
)
def test_a_day_is_understood_and_shown_with_its_month(
    typed: str, month: str, kept: str, shown: tuple[str, str]
) -> None:
    asked = (DateInput("plan/date", say("Date")),)
    form = forms.build(asked, {}, MultiDict({"plan/date": typed, "plan/date/month": month}))
    values = forms.read(asked, form, {})
    assert values == {"plan": {"date": kept}}
    again = forms.build(asked, values)
    assert (again["plan/date"].data, again["plan/date/month"].data) == shown


def lines_of(result: Result) -> Any:
    return [(player["name"], player["lines"], player["rank"]) for player in result["players"]], result["winners"]


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_what_the_inputs_cover_scores_like_the_whole_record(example: Example) -> None:
    # What a card of Tenby does not mention is still to count on a page, and none in a file.
    record = counted(example.record) if example.game.id == "tenby" else example.record
    seats = tuple(
        Seat(number, player["name"], {key: value for key, value in player.items() if key != "name"}, 1)
        for number, player in enumerate(record["players"])
    )
    table = Table(1, "key", 1, example.game, record.get("table", {}), seats, None, "")
    assert lines_of(score(Entries(table).record)) == lines_of(score(record))


def test_a_number_that_is_none_stays_as_typed() -> None:
    asked = (NumberInput("turns", say("Turns")),)
    for typed in ("three", "1e5", "²", "9" * 400, "--3", "3.5"):
        form = forms.build(asked, {}, MultiDict({"turns": typed}))
        assert forms.read(asked, form, {}) == {"turns": typed}
    assert forms.read(asked, forms.build(asked, {}, MultiDict({"turns": " -3 "})), {}) == {"turns": -3}


def test_a_blank_field_takes_its_value_out() -> None:
    asked = (DateInput("plan/date", say("Date")), NumberInput("turns", say("Turns")))
    form = forms.build(asked, {}, MultiDict({"plan/date": "", "turns": ""}))
    assert forms.read(asked, form, {"plan": {"date": "06-14"}, "turns": 3, "other": 1}) == {"plan": {}, "other": 1}


def test_a_field_that_was_not_sent_keeps_its_value() -> None:
    asked = (
        NumberInput("turns", say("Turns")),
        ChoiceInput("mode", say("Mode"), (Choice("a", say("A")), Choice("b", say("B")))),
    )
    form = forms.build(asked, {"turns": 3, "mode": "b"}, MultiDict({"elsewhere": "1"}))
    assert forms.read(asked, form, {"turns": 3, "mode": "b"}) == {"turns": 3, "mode": "b"}


TIDE = FlagInput("tide", say("High tide"))
ISLES = ChoicesInput("isles", say("Isles"), tuple(Choice(one, say(one)) for one in ("mull", "skye", "uist")))
TURNS = NumberInput("turns", say("Turns"), forgettable=True)
WIND = ChoiceInput("wind", say("Wind"), tuple(Choice(one, say(one)) for one in ("calm", "breeze", "gale")))


def entered(asked: Input, before: Any, *posted: tuple[str, str]) -> Any:
    """Return what stands there after this was posted of it, where that stood before."""
    values = {asked.name: before}
    return forms.read((asked,), forms.build((asked,), values, MultiDict(posted)), values).get(asked.name)


BEGINS, ENDS = ("come", "begins"), ("come", "ends")


@pytest.mark.parametrize(
    ("asked", "before", "posted", "after"),
    [
        (TIDE, True, [BEGINS], True),
        (TIDE, False, [BEGINS], False),
        (TIDE, True, [BEGINS, ("come", "tide y")], False),
        (TIDE, False, [BEGINS, ("tide", "y")], True),
        (ISLES, ["skye", "uist"], [BEGINS], ["skye", "uist"]),
        (ISLES, ["skye", "uist"], [BEGINS, ("isles", "mull"), ("come", "isles mull")], ["mull", "skye", "uist"]),
        (ISLES, ["skye", "uist"], [BEGINS, ("come", "isles mull"), ("come", "isles skye")], ["uist"]),
        (TURNS, "unknown", [BEGINS], "unknown"),
        (TURNS, "unknown", [BEGINS, ("turns", "")], "unknown"),
        (TURNS, "unknown", [BEGINS, ("turns", ""), ("come", "turns unknown")], None),
        (TURNS, 3, [BEGINS, ("turns", "4")], 4),
        (WIND, "gale", [BEGINS], "gale"),
        (WIND, "gale", [BEGINS, ("wind", "calm")], "gale"),  # the list was cut off before the gale
        (WIND, "gale", [BEGINS, ("wind", "calm"), ("more", "")], "calm"),
        (WIND, "gale", [BEGINS, ("wind", "calm"), ENDS], "calm"),
    ],
)
def test_what_has_not_come_yet_when_a_form_is_posted_stays(
    asked: Input, before: Any, posted: list[tuple[str, str]], after: Any
) -> None:
    assert sorted_if_list(entered(asked, before, ("csrf_token", "x"), *posted)) == after


def sorted_if_list(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) else value


@pytest.mark.parametrize("posted", [[("csrf_token", "x")], [("csrf_token", "x"), BEGINS, ENDS]])
def test_a_form_that_says_nothing_of_what_has_come_is_whole(posted: list[tuple[str, str]]) -> None:
    """Such as one that a phone has kept since the version before."""
    told = [] if len(posted) == 1 else [("come", f"isles {one}") for one in ("mull", "skye", "uist")]
    assert entered(ISLES, ["skye"], *posted, *told) == []
    assert entered(ISLES, ["skye"], ("csrf_token", "x"), ("come", "isles mull")) == [], "a part came from this version"
    assert entered(WIND, "gale", ("csrf_token", "x"), ("come", "tide y"), ("wind", "calm")) == "calm"
    told = told and [("come", "tide y")]
    assert entered(TIDE, True, *posted, *told) is False
    told = told and [("come", "turns unknown")]
    assert entered(TURNS, "unknown", ("turns", ""), *posted, *told) is None


def test_choices_keep_their_types() -> None:
    asked = (ChoiceInput("space", say("Space"), (Choice(0, say("none")), Choice(5, say("five"))), optional=True),)
    assert forms.read(asked, forms.build(asked, {}, MultiDict({"space": "0"})), {}) == {"space": 0}
    assert forms.read(asked, forms.build(asked, {}, MultiDict({"space": ""})), {"space": 5}) == {}
    assert forms.read(asked, forms.build(asked, {}, MultiDict({"space": "7"})), {}) == {"space": "7"}


def test_buttons_put_and_drop_at_paths() -> None:
    values = {"streets": [[{"edges": 1}], []]}
    put = json_paths.edited(values, MultiDict({"put": json.dumps(["streets/0/-", {"edges": 2}])}))
    assert put == {"streets": [[{"edges": 1}, {"edges": 2}], []]}
    assert json_paths.edited(put, MultiDict({"drop": "streets/0/0"})) == {"streets": [[{"edges": 2}], []]}
    assert values == {"streets": [[{"edges": 1}], []]}


def test_a_button_may_put_several_values() -> None:
    put = json_paths.edited(
        {"score": {"points": 2}}, MultiDict({"put": '["score/type", "per", "score/target", "bin"]'})
    )
    assert put == {"score": {"points": 2, "type": "per", "target": "bin"}}


def test_lists_begin_at_their_end_and_grow_in_their_middle() -> None:
    assert json_paths.put({}, ("streets", "-", "-"), 1) == {"streets": [[1]]}
    assert json_paths.put({"streets": [[1, 2]]}, ("streets", "0", "^1"), 9) == {"streets": [[1, 9, 2]]}
    assert json_paths.put([1], ("^0",), 9) == [9, 1]
    assert json_paths.put([1], ("^7",), 9) == [1, 9]


def test_what_was_laid_opens_and_what_was_taken_or_picked_closes() -> None:
    values = {"streets": [[1, 2]]}
    for posted, path in (
        ({"put": '["streets/0/-", 2]'}, "streets/0/1"),
        ({"put": '["streets/0/^0", 2]'}, "streets/0/0"),
        ({"put": '["streets/0/1/score", 2]', "opened": "streets/0/1"}, "streets/0/1"),
        ({"open": "streets/0/0", "opened": "streets/0/1"}, "streets/0/0"),
        ({"open": "", "opened": "streets/0/1"}, ""),
        ({"drop": "streets/0/0", "opened": "streets/0/1"}, ""),
        ({"pick": '["streets/0/-", "town_cards", "x"]', "opened": "streets/0/1"}, ""),
        ({"put": '["nowhere/-", 1]'}, ""),
    ):
        assert json_paths.opened(values, MultiDict(posted)) == path


def test_a_structure_nobody_has_begun_starts_as_its_input_says() -> None:
    from scorer.games.tenby import GAME

    table = Table(1, "key", 1, GAME, {"accolades": {"mode": "open_sea"}}, (Seat(0, "Ann", {}, 1),), None, "")
    record = Entries(table).record
    assert record["players"] == [{"name": "Ann", "streets": [], "residents": []}]
    assert record["table"]["accolades"] == {"mode": "open_sea", "cards": []}


@pytest.mark.parametrize("button", ["", "{", "[]", "[1, 2]", '["", 1]', "[" * 100_000, "null", '["a"]'])
def test_a_button_nobody_made_does_nothing(button: str) -> None:
    assert json_paths.edited({"a": 1}, MultiDict({"put": button, "drop": "nowhere/5"})) == {"a": 1}


def leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every value inside that holds no other, with its path."""
    if isinstance(tree, dict | list) and tree:
        for step, inner in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from leaves(inner, (*path, str(step)))
    else:
        yield path, tree


def leads_past_a_list(tree: Any, path: tuple[str, ...]) -> bool:
    """Return whether a step asks a list for an element that it does not have."""
    for step in path:
        if isinstance(tree, list):
            if not step.isdecimal() or int(step) >= len(tree):
                return True
            tree = tree[int(step)]
        else:
            tree = tree.get(step) if isinstance(tree, dict) else None
    return False


def meet(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether one path goes on where the other ends."""
    return one[: len(other)] == other[: len(one)]


@settings(max_examples=300)
@given(TREES, STEPS, TREES)
def test_what_was_put_is_found_again_and_nothing_else_moves(tree: Any, path: tuple[str, ...], value: Any) -> None:
    before = json.dumps(tree)
    after = json_paths.put(tree, path, value)
    assert json.dumps(tree) == before
    if leads_past_a_list(tree, path):
        assert after == tree
        return
    assert json_paths.get(after, path) == value
    elsewhere = [leaf for leaf in leaves(tree) if not meet(leaf[0], path)]
    assert [leaf for leaf in leaves(after) if not meet(leaf[0], path)] == elsewhere


@settings(max_examples=300)
@given(TREES, STEPS)
def test_what_was_taken_out_is_gone_and_nothing_else_moves(tree: Any, path: tuple[str, ...]) -> None:
    *way, last = path
    around = reached(tree, tuple(way))
    after = json_paths.put(tree, path, json_paths.ABSENT)
    if reached(tree, path) is json_paths.ABSENT:
        assert after == tree
    elif isinstance(around, list):  # what stood behind it moves up
        assert reached(after, tuple(way)) == [one for number, one in enumerate(around) if str(number) != last]
    else:
        assert reached(after, tuple(way)) == {name: one for name, one in around.items() if name != last}
    elsewhere = [leaf for leaf in leaves(tree) if not meet(leaf[0], tuple(way))]
    assert [leaf for leaf in leaves(after) if not meet(leaf[0], tuple(way))] == elsewhere


def reached(tree: Any, path: tuple[str, ...]) -> Any:
    """Return what lies at the path through lists and objects; the letters of a text are no places to put something."""
    for step in path:
        tree = json_paths.ABSENT if isinstance(tree, str) else json_paths.get(tree, (step,))
    return tree


@given(st.dictionaries(st.sampled_from(["a", "b", "0"]), TREES, max_size=3), st.lists(TREES, max_size=2), TREES)
def test_a_list_grows_at_its_end(around: dict[str, Any], elements: list[Any], value: Any) -> None:
    tree = {**around, "list": elements}
    assert json_paths.put(tree, ("list", "-"), value) == {**around, "list": [*elements, value]}
    assert json_paths.put(around, ("list", "-"), value) == {**around, "list": [value]}


@settings(max_examples=300)
@given(TREES, st.lists(STEPS, max_size=3))
def test_covering_never_invents_and_keeps_what_it_covers(tree: Any, ways: list[tuple[str, ...]]) -> None:
    kept = json_paths.covered(tree, ways)
    for way in ways:
        assert json_paths.get(kept, way) == json_paths.get(tree, way)
    for place, leaf in leaves(kept):
        was = json_paths.get(tree, place)
        assert was == leaf or (isinstance(leaf, dict | list) and not leaf and type(was) is type(leaf))
        # No field of an object stays that no path leads to; elements of lists do, so that the others keep their places.
        for length, step in enumerate(place):
            inside = json_paths.get(tree, place[:length])
            assert isinstance(inside, list) or any(meet((*place[:length], step), way) for way in ways)
