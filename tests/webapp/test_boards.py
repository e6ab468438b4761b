"""Boards of statistics: what lies on them is read from saved games, however it was entered."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from scorer import games
from scorer.core import score
from tests.conftest import ROOT
from tests.webapp.plays import club, database
from webapp.history import NewPlay, decision_of, plays
from webapp.statistics import Scope, boards

pytestmark = pytest.mark.either


def test_a_house_that_was_entered_tile_by_tile_is_counted(tmp_path: Path) -> None:
    game = games.find("copenhagen")
    assert game is not None
    file = ROOT / "scorer" / "games" / "copenhagen" / "examples" / "nineteen.toml"
    record = tomllib.loads(file.read_text(encoding="utf-8"))["state"]
    entered = sum("tiles" in player for player in record["players"])
    assert entered == len(record["players"])
    with database(tmp_path / "t.db") as db:
        home = club(db)
        plays.save_all(db, home, [NewPlay(record, decision_of(record, score(record)))])
        [board] = boards.of_title(db, Scope(home, "copenhagen"), game, {})
    assert {piece.boards for piece in board.built} == {entered}
