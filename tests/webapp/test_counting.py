"""What is counted while games are saved, changed, deleted and put back equals what a recount from scratch finds."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import games
from scorer.contract import Game
from scorer.core import score
from tests.webapp.plays import club, database, draft, towns, typed
from webapp import clubs
from webapp.database import pack
from webapp.database.sqlite import connect
from webapp.history import NewPlay, recount
from webapp.history import plays as history
from webapp.history.tallies import placed
from webapp.schema import migrations
from webapp.table import kinds

NAMES = ("Ann", "Bob", "Cid", "Dee")
DAYS = st.integers(1, 9).map(lambda day: f"2026-0{1 + day % 3}-0{day}T20:00:00Z")
POINTS = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 6), min_size=1, max_size=4)
GAMES = st.one_of(
    POINTS.map(typed),
    POINTS.map(towns),
    POINTS.map(lambda points: towns(points, mode="town_hall")),
)
DRAFTS = st.builds(
    draft,
    GAMES,
    DAYS,
    notes=st.sampled_from(["", "rain", "rain and wind"]),
    minutes=st.sampled_from([None, 30, 45]),
)
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["save", "several", "correct", "describe", "delete", "restore"]),
        st.integers(0, 9),
        DRAFTS,
        DRAFTS,
    ),
    max_size=9,
)


@settings(max_examples=60)
@given(ACTS)
def test_the_tallies_always_equal_a_recount(acts: list[tuple[str, int, NewPlay, NewPlay]]) -> None:
    with database(":memory:") as db:
        home = club(db)
        for act, number, one, other in acts:
            ids = [play_id for (play_id,) in db.execute("SELECT id FROM kept_plays ORDER BY id").fetchall()]
            if act == "save" or not ids:
                history.save_all(db, home, [one])
            elif act == "several":
                history.save_all(db, home, [one, other])
            else:
                change(db, act, ids[number % len(ids)], one)
            assert recount.recount(db, repair=False) == []


def change(db: Any, act: str, play_id: int, one: NewPlay) -> None:
    play = history.by_id(db, play_id)
    assert play is not None
    if act == "correct" and one.result["game"] == play.game:
        history.correct(db, play, one.record, one.result)
    elif act == "describe":
        history.describe(db, play, one.notes, "at Ann's", one.minutes, one.played_at)
    elif act == "delete":
        history.delete(db, play)
    elif act == "restore":
        history.restore(db, play)


def test_a_recount_repairs_what_was_tampered_with(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        history.save_all(db, club(db), [draft(towns({"Ann": 4, "Bob": 2})), draft(typed({"Ann": 4, "Bob": 2}))])
        db.execute("UPDATE tally_plays SET plays = 7")
        db.execute("DELETE FROM kept_lines WHERE points = 0")
        assert set(recount.recount(db)) == {"tally_plays", "kept_lines"}
        assert recount.recount(db) == []


def test_a_failed_save_leaves_no_trace(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        history.save_all(db, home, [draft(towns({"Ann": 4, "Bob": 2}))])
        before = recount.fingerprints(db)
        bad = NewPlay(typed({"Ann": 1}), score(typed({"Ann": 1})), "2026-01-01T20:00:00Z", minutes=-5)
        with pytest.raises(Exception, match=r"CHECK|check constraint"):
            history.save_all(db, home, [draft(typed({"Ann": 3, "Cid": 1})), bad])
        assert recount.fingerprints(db) == before


def squares(game: Game, record: Any, seat: int) -> list[tuple[str, str, str]]:
    return list(placed(game, kinds.painted(game.inputs), record, seat))


def test_boards_that_a_game_shows_are_counted_as_if_painted() -> None:
    game = games.find("tiny_towns")
    assert game is not None
    shown = replace(game, shows=lambda _, __: {"grid": [["cottage"] * 4] * 4})
    record = typed({"Ann": 3}, "tiny_towns")
    assert [piece for _, _, piece in squares(shown, record, 0)] == ["cottage"] * 16
    assert (squares(game, record, 0)) == []


@pytest.mark.sqlite
def test_a_database_of_before_is_counted_when_it_is_opened(tmp_path: Path) -> None:
    saved = draft(towns({"Ann": 4, "Bob": 2}))
    with closing(connect(tmp_path / "old.db")) as db:
        migrations.steps.apply(db.utils, stop_before="m003_what_counts")
        home = clubs.found(db, "The club")
        row = {"club_id": home, "game": "tiny_towns", "played_at": saved.played_at, "saved_at": saved.played_at}
        kept = {"record": pack(saved.record), "result": pack(saved.result), "rules_version": "1", "player_count": 2}
        play_id = db.utils.table("plays").insert({"key": "k", **row, **kept}).last_pk
        table = {"key": "t", "club_id": home, "game": "tiny_towns", "setup": "{}", "play_id": play_id}
        db.utils.table("tables").insert({**table, "created_at": saved.played_at, "updated_at": saved.played_at})
    with database(tmp_path / "old.db") as db:
        assert db.execute("SELECT player, total, winner FROM scores").fetchall() == [("Ann", 1, 1), ("Bob", -7, 0)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert recount.recount(db, repair=False) == []
        db.execute("DELETE FROM kept_plays")
        assert db.execute("SELECT count(*) FROM tables").fetchone() == (0,), "a table goes with the play it corrects"


def test_a_house_laid_in_tiles_is_counted_like_a_painted_one() -> None:
    game = games.find("copenhagen")
    assert game is not None
    tiles = [{"tile": "purple-3", "cells": [[1, 1], [2, 1], [3, 1]], "brick": [2, 1]}]
    players = [{"name": "Ann", "tiles": tiles}, {"name": "Bob", "typed": {}}]
    laid = {"game": "copenhagen", "table": {"end": "card"}, "players": players}
    lying = [(cell, piece) for _, cell, piece in squares(game, laid, 0) if piece != "."]
    assert lying == [("A1", "W"), ("B1", "B"), ("C1", "W")]
    assert len(squares(game, laid, 0)) == 45
    assert (squares(game, laid, 1)) == []
