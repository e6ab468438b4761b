"""What forms ask and editors are guided by, for every game that says so: whatever is half filled in, nothing raises."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.contract import Game, Input
from scorer.core import load
from tests.conftest import EXAMPLES, GAMES, Example
from tests.scorer.test_fuzz import ANYTHING, places, replaced
from webapp.table import paths

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def everything_asked(game: Game, record: Any, players: int) -> Iterator[Input]:
    """Asks for the table, every player and one nobody sits at; the guide has to be plain JSON."""
    for player in (None, *range(players + 1)):
        if game.asks is not None:
            yield from game.asks(load(game, record), player)
        if game.guide is not None and player is not None and player < players:
            json.dumps(game.guide(load(game, record), player))


@given(st.sampled_from(GAMES), ANYTHING)
def test_any_json_is_asked_about(game: Game, record: Any) -> None:
    if isinstance(record, dict):
        list(everything_asked(game, record, 0))


@settings(max_examples=300)
@given(st.sampled_from(EXAMPLES), st.data())
def test_a_record_with_parts_replaced_is_asked_about(example: Example, data: st.DataObject) -> None:
    record = copy.deepcopy(example.record)
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(
            st.sampled_from([p for p in places(record) if len(p) > 2 or p[:1] == ("table",)] or [("table",)])
        )
        if path[-1] != "name":
            record = replaced(record, path, data.draw(ANYTHING))
    for asked in everything_asked(example.game, record, len(record["players"])):
        assert asked.kind and asked.label and asked.name


@each_game
def test_players_who_have_not_begun_are_asked(game: Game) -> None:
    if game.asks is None:
        return
    names = ["Ann", "Bob", "Cid", "Dot"][: game.players[-1]]
    record = {"game": game.id, "table": {}, "players": [{"name": name} for name in names]}
    for player in range(len(names)):
        named = [asked.name for asked in game.asks(load(game, record), player)]
        assert named and len(named) == len(set(named))


@given(st.sampled_from([game for game in GAMES if game.companion]), ANYTHING, ANYTHING)
def test_a_companion_takes_anything(game: Game, record: Any, notes: Any) -> None:
    assert game.companion is not None
    game.companion.asks(load(game, record), notes)
    json.dumps(game.companion.answer(load(game, record), notes))


@settings(max_examples=200)
@given(st.sampled_from([e for e in EXAMPLES if e.game.companion]), st.data())
def test_a_companion_at_a_real_table_takes_anything(example: Example, data: st.DataObject) -> None:
    companion = example.game.companion
    assert companion is not None
    notes = copy.deepcopy(companion.blank)
    table = load(example.game, example.record)
    for asked in companion.asks(table, notes):
        notes = paths.put(notes, paths.steps(asked.name), data.draw(ANYTHING))
    companion.asks(table, notes)
    json.dumps(companion.answer(table, notes))
