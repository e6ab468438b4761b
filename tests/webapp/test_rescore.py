"""Better rules: which saved games would change and why, and changing them without losing what was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scorer import games
from tests.webapp.plays import club, database, draft, towns, typed
from webapp.database import Database
from webapp.history import TOLD, Decision, SeatScore, listing, new_play, rebuild, rescore, saved_plays
from webapp.history import plays as history


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    """Games that came out otherwise by the rules of version 0, some that did not, and one of which we have totals."""
    with database(tmp_path / "t.db") as opened:
        home = club(opened)
        wrong = draft(towns({"Ann": 3, "Bob": 4}))
        ann, bob = wrong.decision.seats
        (rule, item, points), *others = ann.lines
        ann = SeatScore((ann.total or 0) + 9, 1, True, ((rule, item, points + 9), *others))
        old = Decision((ann, replace(bob, rank=2, winner=False)), "points", "0")
        same = draft(towns({"Ann": 1, "Bob": 2}))
        illegal = towns({"Ann": 1, "Bob": 2})
        illegal["players"][0]["grid"][3][3] = "well of old"
        as_before = replace(same.decision, rules_version="0")
        told = replace(old, basis=TOLD, rules_version="")
        history.save_all(
            opened,
            home,
            [
                new_play.NewPlay(wrong.record, old, wrong.played_at),
                new_play.NewPlay(same.record, as_before, same.played_at),
                new_play.NewPlay(illegal, as_before, same.played_at),
                draft(typed({"Ann": 3, "Bob": 4})),
                new_play.NewPlay(wrong.record, told, wrong.played_at, source="CSV", source_id="1"),
            ],
        )
        yield opened


def test_what_would_change_is_told_line_by_line(db: Database) -> None:
    changed, refused = rescore.outdated(db, club(db))
    [difference] = changed.differences
    assert (difference.player, difference.before, difference.after) == ("Ann", 6, -3)
    assert changed.winners == (("Ann",), ("Bob",))
    assert [(label, before - after) for label, before, after in difference.lines] == [("Cottages", 9)]
    assert refused.refusals and not refused.differences
    assert "Ann: 6 → −3 (Cottages 18 → 9)" in list(rescore.in_words(changed))
    assert all(line.startswith("Today’s rules don’t allow this game: ") for line in rescore.in_words(refused))


def test_a_game_that_differs_by_the_same_rules_is_listed_where_its_page_leads_to(db: Database) -> None:
    changed, refused = rescore.outdated(db, club(db))
    game = games.find("tiny_towns")
    assert game is not None
    db.execute("UPDATE all_plays SET rules_version = ? WHERE id = ?", [game.version, changed.play_id])
    assert list(rescore.outdated(db, club(db), after=changed.play_id)) == [refused]
    first, *_ = rescore.outdated(db, club(db), after=changed.play_id - 1)
    assert first.play_id == changed.play_id and first.differences == changed.differences


def test_applying_keeps_the_old_result_and_counts_the_new(db: Database) -> None:
    changed, refused = rescore.outdated(db, club(db))
    assert rescore.apply(db, [changed.play_id, refused.play_id]) == 1
    play = saved_plays.by_id(db, changed.play_id)
    assert play is not None
    assert (play.result["winners"], play.version) == (["Bob"], 2)
    [before] = saved_plays.versions(db, [play.id])[play.id]
    assert before.result["winners"] == ["Ann"]
    assert rebuild.check(db) == []


def test_what_comes_out_the_same_is_not_asked_about_again(db: Database) -> None:
    home = club(db)
    assert len(list(rescore.candidates(db, home, False, 0, None))) == 3
    rescore.mark_current(db, home)
    assert len(list(rescore.candidates(db, home, False, 0, None))) == 2
    assert len(list(rescore.candidates(db, home, True, 0, None))) == 4, "imported totals are nobody's rules"
    assert len(listing.recent(db, home)) == 5
    assert rebuild.check(db) == []
