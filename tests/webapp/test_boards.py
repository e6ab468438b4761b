"""Boards of statistics: what lies on them is read from saved games, however it was entered."""

from __future__ import annotations

import tomllib
from pathlib import Path

from scorer import games
from scorer.core import score
from tests.conftest import ROOT
from tests.webapp.plays import club, database
from webapp.history import NewPlay, decision_of, plays
from webapp.statistics import Scope, boards


def test_a_pier_that_was_entered_card_by_card_is_counted(tmp_path: Path) -> None:
    game = games.find("pier_18")
    assert game is not None
    file = ROOT / "scorer" / "games" / "pier_18" / "examples" / "card_by_card.toml"
    record = tomllib.loads(file.read_text(encoding="utf-8"))["state"]
    entered = sum("cards" in player or "rows" in player for player in record["players"])
    assert entered == len(record["players"])
    with database(tmp_path / "t.db") as db:
        home = club(db)
        plays.save_all(db, home, [NewPlay(record, decision_of(record, score(record)))])
        [board] = boards.of_title(db, Scope(home, "pier_18"), game, {})
    assert {piece.boards for piece in board.built} == {entered}
