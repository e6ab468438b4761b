"""Achievements: published thresholds, tied to lines and boards, each pointing at the game that earned it."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer import games
from tests.webapp.plays import club, database, draft, towns, typed
from webapp.database import Database
from webapp.history import achievements
from webapp.history import plays as history
from webapp.history.achievements import Achievement
from webapp.statistics import club as club_statistics


def earned(db: Database, home: int) -> dict[str, list[str]]:
    return {
        one.achievement.id: [holder["name"] for holder in one.holders]
        for one in club_statistics.earned(db, home)
        if one.times
    }


def test_there_are_some_for_every_game_and_several_of_each() -> None:
    found = achievements.everything()
    assert len(found) >= 20
    assert len({one.id for one in found}) == len(found)
    for game in games.everything():
        assert len(achievements.of_game(game.id)) >= 3


@pytest.mark.parametrize("one", [one for one in achievements.everything() if one.game], ids=lambda one: one.id)
def test_what_a_game_publishes_can_be_earned_in_it(one: Achievement) -> None:
    game = games.find(one.game)
    assert game is not None
    assert sum((one.total is not None, bool(one.line), bool(one.piece))) == 1
    assert not one.line or one.line in game.rules
    pieces = {
        str(choice.value) for asked in game.inputs if asked.kind in {"grid", "letters"} for choice in asked.choices
    }
    assert not one.piece or one.piece in pieces


def test_a_town_with_six_almshouses(tmp_path: Path) -> None:
    record = towns({"Ann": 1, "Bob": 1})
    record["table"]["cards"]["green"] = "almshouse"
    record["players"][0]["grid"] = [
        ["almshouse"] * 4,
        ["almshouse", "almshouse", "empty", "empty"],
        *[["empty"] * 4] * 2,
    ]
    with database(tmp_path / "t.db") as db:
        home = club(db)
        [play_id] = history.save_all(db, home, [draft(record)])
        play = history.by_id(db, play_id)
        assert play is not None
        [one] = [one for one in club_statistics.earned(db, home) if one.achievement.id == "tiny_towns.six_almshouses"]
        assert one.first is not None
        assert (one.first["name"], one.first["key"], one.times) == ("Ann", play.key, 1)
        history.delete(db, play)
        assert "tiny_towns.six_almshouses" not in earned(db, home)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ({"Ann": 6, "Bob": 5}, {"photo_finish"}),
        ({"Ann": 20, "Bob": 5}, {"runaway"}),
        ({"Ann": 5, "Bob": 5}, {"shared_victory"}),
        ({"Ann": 9, "Bob": 5}, set()),
        ({"Ann": 99}, {"tenby.streets_paved"}),
    ],
)
def test_how_a_victory_was_won(tmp_path: Path, points: dict[str, int], expected: set[str]) -> None:
    with database(tmp_path / "t.db") as db:
        history.save_all(db, club(db), [draft(typed(points))])
        assert set(earned(db, club(db))) == expected


def test_a_streak_is_earned_when_it_is_reached_and_lost_when_the_past_changes(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        ids = history.save_all(
            db, home, [draft(typed({"Ann": 9, "Bob": 5}), f"2026-01-0{day}T20:00:00Z") for day in range(1, 5)]
        )
        [three] = [one for one in club_statistics.earned(db, home) if one.achievement.id == "three_in_a_row"]
        assert three.times == 1
        assert three.first is not None
        assert three.first["played_at"] == "2026-01-03T20:00:00Z"
        second = history.by_id(db, ids[1])
        assert second is not None
        lost = draft(typed({"Ann": 1, "Bob": 5}))
        history.correct(db, second, lost.record, lost.result)
        assert "three_in_a_row" not in earned(db, home)


def test_won_against_the_tide(tmp_path: Path) -> None:
    record = typed({"Ann": 1, "Bob": 12})
    record["players"][0]["typed"] = {"card": 1, "resident": 20}
    with database(tmp_path / "t.db") as db:
        history.save_all(db, club(db), [draft(record)])
        assert earned(db, club(db))["from_behind"] == ["Ann"]
        [play] = club_statistics.comebacks(db, club(db))
        assert (play.comeback, play.comeback_rule) == (11, "card")


def test_the_best_on_every_line(tmp_path: Path) -> None:
    record = typed({"Ann": 5, "Bob": 4})
    record["players"][0]["typed"] = {"card": 5, "resident": 5, "accolade": 3}
    record["players"][1]["typed"] = {"card": 4, "resident": 4, "accolade": 2}
    with database(tmp_path / "t.db") as db:
        history.save_all(db, club(db), [draft(record)])
        assert earned(db, club(db)) == {"clean_sweep": ["Ann"]}
