"""Nothing a caller can pass makes the scorer raise: arbitrary JSON in, a result out."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorer import games
from scorer.core import score
from scorer.report import as_text
from scorer.result import Result

KEYS = st.sampled_from(["game", "table", "players", "name", "typed", "grid", "cards", "A1", "0", ""]) | st.text(
    max_size=5
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-3, max_value=12)
    | st.floats(allow_nan=True)
    | st.text(max_size=8)
    | st.sampled_from([*games.ids(), "empty", "monument", "cottage", "W", "..", "sea", "pier", "C56"])
)
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=25
)


def check(result: Result) -> None:
    """The result is complete, printable and adds up."""
    json.dumps(result)
    assert as_text(games.find(result["game"]), result, why=True)
    assert result["ok"] is not any(problem["level"] == "error" for problem in result["problems"])
    if result["ok"]:
        assert result["winners"] or result["needs"]
    for problem in result["problems"]:
        assert problem["code"] and problem["message"].strip()
        assert problem["where"] == "" or problem["where"].startswith("/")
    for player in result["players"]:
        assert player["total"] == sum(line["points"] for line in player["lines"])


@given(ANYTHING)
def test_any_json_gets_a_result(record: Any) -> None:
    check(score(record))


@given(st.sampled_from(games.ids()), ANYTHING, st.lists(ANYTHING, max_size=7))
def test_any_table_and_players_get_a_result(game: str, table: Any, players: list[Any]) -> None:
    check(score({"game": game, "table": table, "players": players}))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a record."""
    inside = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [path, *(deeper for key, child in inside for deeper in places(child, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    value[path[0]] = replaced(value[path[0]], path[1:], new)
    return value


def test_huge_and_strange_records_get_a_result() -> None:
    for game in games.ids():
        check(score({"game": game, "players": [{"name": "x" * 10**6}] * 1000}))
        check(score({"game": game, "players": {"0": 1}, "table": [10**400]}))
        check(score({"game": game, "players": [{"name": "\ud800\x00", "typed": {"a/b~c": 1}}]}))
        check(score({"game": game, 7: "a key no JSON has", "players": [None, True, 1.5, "x", []]}))
