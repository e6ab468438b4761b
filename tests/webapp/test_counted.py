"""Saved games are counted by squares, lines and cards, and a failed save leaves nothing behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scorer import games
from scorer.contract import Editor, Game
from tests.webapp.plays import CARDS, club, database, draft, towns, typed
from webapp.database import Database
from webapp.history import plays, squares_of
from webapp.statistics import Scope, boards
from webapp.statistics import game as titles

TABLES = ("all_plays", "all_scores", "all_lines", "all_cards", "ratings", "standings", "achievements", "players")


def title(name: str) -> Game:
    found = games.find(name)
    assert found is not None
    return found


def test_boards_that_a_game_shows_are_counted_as_if_painted() -> None:
    game, record = title("tiny_towns"), typed({"Ann": 3}, "tiny_towns")
    shown = replace(game, editor=Editor(shows=lambda _, __: {"grid": [["cottage"] * 4] * 4}))
    assert [piece for _, _, piece in squares_of(shown, record)[0]] == ["cottage"] * 16
    assert squares_of(game, record) == [[]]


def test_a_house_laid_in_tiles_is_counted_like_a_painted_one() -> None:
    tiles = [{"tile": "purple-3", "cells": [[1, 1], [2, 1], [3, 1]], "brick": [2, 1]}]
    players = [{"name": "Ann", "tiles": tiles}, {"name": "Bob", "typed": {}}]
    laid = {"game": "copenhagen", "table": {"end": "card"}, "players": players}
    mine, others = squares_of(title("copenhagen"), laid)
    assert [(cell, piece) for _, cell, piece in mine if piece != "."] == [("A1", "W"), ("B1", "B"), ("C1", "W")]
    assert (len(mine), others) == (45, [])


def test_boards_are_counted_square_by_square(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        plays.save_all(db, home, [draft(towns({"Ann": 3, "Bob": 1}))])
        [board] = boards.of_title(db, Scope(home, "tiny_towns"), title("tiny_towns"), {})
        assert [(one.choice.value, one.squares, one.boards) for one in board.built] == [
            ("cottage", 4, 2),
            ("farm", 2, 2),
            ("empty", 26, 2),
        ]
        assert board.heat[0] == [("A1", 0.0), ("B1", 1.0), ("C1", 0.5), ("D1", 0.5)]
        [farms] = boards.of_title(db, Scope(home, "tiny_towns"), title("tiny_towns"), {"grid": "farm"})
        assert farms.heat[0] == [("A1", 1.0), ("B1", 0.0), ("C1", 0.0), ("D1", 0.0)]


def test_a_line_is_averaged_over_games_that_had_the_card(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        with_theater = towns({"Ann": 2, "Bob": 1}, cards={**CARDS, "yellow": "theater"})
        with_theater["players"][0]["grid"][3][3] = "theater"
        others = [draft(towns({"Ann": 1, "Bob": 0})), draft(towns({"Cid": 3, "Dee": 0}))]
        plays.save_all(db, home, [draft(with_theater), *others])
        scope, game = Scope(home, "tiny_towns"), title("tiny_towns")
        [theater] = [one for one in titles.lines(db, scope, game, titles.scores(db, scope)) if one.rule == "theater"]
        # Nothing else stands in its row and column, so it brings nothing; of the six sheets two could have it.
        assert (theater.points, theater.of) == (0, 2)


def content(db: Database) -> list[list[Any]]:
    return [sorted(db.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in TABLES]


def test_a_failed_save_leaves_no_trace(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        plays.save_all(db, home, [draft(towns({"Ann": 4, "Bob": 2}))])
        before = content(db)
        bad = replace(draft(typed({"Ann": 1})), minutes=-5)
        with pytest.raises(Exception, match=r"CHECK|check constraint"):
            plays.save_all(db, home, [draft(typed({"Ann": 3, "Cid": 1})), bad])
        assert content(db) == before
