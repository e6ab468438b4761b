"""Saved games: the record and what was decided are kept; whatever is read of a result is worked out again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer import games
from scorer.core import score
from tests.webapp.bringing import bring
from tests.webapp.plays import club, database, draft, towns, typed
from webapp import clubs
from webapp.database import Database
from webapp.exchange import export_files
from webapp.exchange.import_report import Outcome
from webapp.history import (
    OLD_RULES,
    TOLD,
    Decision,
    NewPlay,
    SeatScore,
    decision_of,
    player_profiles,
    plays,
    rebuild,
    rescore,
    saved_plays,
)

pytestmark = pytest.mark.either

SENTENCE = "a sentence that nobody wrote before"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Database]:
    with database(tmp_path / "club.db") as db:
        yield db


def saved(db: Database, new: NewPlay) -> saved_plays.Play:
    [play_id] = plays.save_all(db, club(db), [new])
    found = saved_plays.by_id(db, play_id)
    assert found is not None
    return found


def tenby_with_accolades(first: str = "Ann", second: str = "Bob") -> dict[str, Any]:
    amounts = {first: 2, second: 3}
    card = {"name": "Gull keeper", "target": "seagull", "holder": second, "amounts": amounts}
    return {**typed({first: 20, second: 17}), "table": {"accolades": {"mode": "open_sea", "cards": [card]}}}


def texts_in(db: Database) -> str:
    """Everything that is kept of games, as one text."""
    tables = [name for name in db.columns() if name.startswith(("all_", "play_versions", "version_scores"))]
    return json.dumps([[name, [list(row) for row in db.execute(f"SELECT * FROM {name}")]] for name in sorted(tables)])


def test_a_saved_game_reads_as_it_was_scored(file: Database) -> None:
    record = towns({"Ann": 3, "Bob": 2})
    play = saved(file, draft(record))
    assert play.record == record
    assert play.result == score(record)
    assert not play.outcome.differs
    assert play.names == ["Ann", "Bob"]


def test_no_table_of_the_history_holds_a_reason_or_a_name(file: Database) -> None:
    record = towns({"Annabelle": 3, "Bobby": 2})
    result = score(record)
    saved(file, draft(record))
    kept = texts_in(file)
    assert "Annabelle" not in kept
    assert all(line["why"] not in kept for player in result["players"] for line in player["lines"])


def test_rewording_every_sentence_changes_no_saved_game(file: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(file, draft(towns({"Ann": 3, "Bob": 2})))
    before = texts_in(file)
    game = games.find("tiny_towns")
    assert game is not None
    monkeypatch.setattr("scorer.sentences.Sentence.into", lambda *_: SENTENCE)
    monkeypatch.setattr("scorer.report.verdict", lambda *_: SENTENCE)
    rebuild.rebuild(file)
    assert texts_in(file) == before


def test_names_in_the_table_follow_a_renamed_player_as_values_and_as_keys(file: Database) -> None:
    play = saved(file, draft(tenby_with_accolades()))
    before = texts_in(file)
    bob = player_profiles.by_name(file, club(file), "Bob")
    assert bob is not None
    assert player_profiles.rename(file, bob, "Robert")
    assert texts_in(file) == before, "only the list of players knows the name"
    renamed = saved_plays.by_id(file, play.id)
    assert renamed is not None
    assert renamed.record == tenby_with_accolades(second="Robert")
    assert [player["total"] for player in renamed.result["players"]] == [
        player["total"] for player in play.result["players"]
    ]


def test_a_name_that_nobody_at_the_table_has_stays_text(file: Database) -> None:
    record = tenby_with_accolades()
    record["table"]["accolades"]["cards"][0]["name"] = "Ann"  # a card's own name is nobody's
    play = saved(file, draft(record))
    ann = player_profiles.by_name(file, club(file), "Ann")
    assert ann is not None
    player_profiles.rename(file, ann, "Anna")
    renamed = saved_plays.by_id(file, play.id)
    assert renamed is not None
    assert renamed.record["table"]["accolades"]["cards"][0]["name"] == "Ann"


def test_a_player_may_be_called_unknown(file: Database) -> None:
    record = {
        "game": "old_london_bridge",
        "table": {"chapel_order": ["unknown", "Ann"]},
        "players": [{"name": "Ann", "typed": {"coins": 9}}, {"name": "unknown", "typed": {"coins": 9}}],
    }
    play = saved(file, draft(record))
    assert play.record == record
    [row] = file.execute("SELECT record, name_places FROM all_plays").fetchall()
    assert json.loads(row[0])["table"]["chapel_order"] == [1, 0]
    assert json.loads(row[1]) == ["/table/chapel_order/0", "/table/chapel_order/1"]


def test_what_todays_rules_score_differently_is_shown_as_it_was_saved(file: Database) -> None:
    record = towns({"Ann": 3, "Bob": 2})
    today = decision_of(record, score(record))
    first, *others = today.seats[0].lines
    rule, item, points = first
    ann = SeatScore((today.seats[0].total or 0) + 4, 1, True, ((rule, item, points + 4), *others))
    play = saved(
        file, NewPlay(record, Decision((ann, today.seats[1]), "points", "0", OLD_RULES), "2026-01-01T20:00:00Z")
    )
    assert play.outcome.differs
    shown = play.result["players"][0]
    assert shown["total"] == ann.total == sum(line["points"] for line in shown["lines"])
    assert shown["lines"][0]["why"] == "", "a reason for other points would be wrong"
    assert all(line["why"] for line in shown["lines"][1:]), "the other lines have today's points"


@pytest.mark.parametrize(
    ("game", "lines"),
    [("tiny_towns", [("cottage", 4), ("cottage", 5)]), ("copenhagen", [("total", 13), ("total", 12)])],
)
def test_typed_lines_that_no_table_shows_stay_as_they_were_saved(
    file: Database, game: str, lines: list[tuple[str, int]]
) -> None:
    """Version 0.7 saved them; today's rules would not."""
    players = [{"name": name, "typed": dict([line])} for name, line in zip(("Ann", "Bob"), lines, strict=True)]
    record = {"game": game, "table": {}, "players": players}
    assert not score(record)["ok"]
    totals = [points for _, points in lines]
    seats = tuple(
        SeatScore(points, 1 if points == max(totals) else 2, points == max(totals), ((rule, "", points),))
        for rule, points in lines
    )
    new = NewPlay(record, Decision(seats, "points", score(record)["rules_version"]), "2026-01-01T20:00:00Z")
    play = saved(file, new)
    plays.describe(file, play, "Typed at midnight.", "", 30, play.played_at)
    other = clubs.create(file, "The others")
    assert bring(file, other, "".join(export_files.write(file, club(file), "json"))) == Outcome(1)
    [brought] = saved_plays.each(file, other)
    for one in (saved_plays.by_id(file, play.id), brought):
        assert one is not None and one.notes == "Typed at midnight."
        assert [player["total"] for player in one.result["players"]] == totals
        assert one.record == record
    [refused] = rescore.outdated(file, club(file), everything=True)
    assert refused.refusals and rescore.apply(file, [refused.play_id]) == 0
    assert rebuild.check(file) == []


def test_what_another_program_decided_is_never_scored(file: Database) -> None:
    record = {
        "game": "copenhagen",
        "table": {},
        "players": [{"name": "Ann", "typed": {"total": 3}}, {"name": "Bob", "typed": {}}],
    }
    seats = (SeatScore(3, 2, False, (("total", "", 3),)), SeatScore(None, 1, True, (), final=False))
    new = NewPlay(record, Decision(seats, "points", "", TOLD), "2026-01-01T20:00:00Z", source="CSV", source_id="1")
    play = saved(file, new)
    assert play.result["winners"] == ["Bob"]
    assert play.result["told"] == [0, 1]
    assert not play.outcome.differs
    assert file.execute("SELECT total, rank, winner, final FROM scores ORDER BY seat").fetchall() == [
        (3, 2, 0, 1),
        (None, 1, 1, 0),
    ]


def test_an_edited_game_keeps_the_numbers_of_the_version_before(file: Database) -> None:
    play = saved(file, draft(towns({"Ann": 3, "Bob": 2})))
    record = towns({"Ann": 1, "Bob": 4})
    plays.edit(file, play, record, decision_of(record, score(record)))
    [before] = saved_plays.versions(file, [play.id])[play.id]
    assert (before.version, before.record, before.decision) == (1, play.record, play.decision)
    now = saved_plays.by_id(file, play.id)
    assert now is not None
    assert (now.version, now.result["winners"]) == (2, ["Bob"])
    assert file.execute("SELECT count(*) FROM lines").fetchone() == (sum(len(one.lines) for one in now.decision.seats),)


def test_a_deleted_game_is_in_no_view_and_comes_back_whole(file: Database) -> None:
    play = saved(file, draft(towns({"Ann": 3, "Bob": 2}), notes="by the window"))
    views = ("plays", "scores", "lines", "cards")
    counts = {view: file.execute(f"SELECT count(*) FROM {view}").fetchone() for view in views}
    plays.delete(file, play)
    assert all(file.execute(f"SELECT count(*) FROM {view}").fetchone() == (0,) for view in views)
    plays.restore(file, play)
    assert {view: file.execute(f"SELECT count(*) FROM {view}").fetchone() for view in views} == counts
    assert rebuild.check(file) == []


def test_merging_two_names_hands_over_every_version(file: Database) -> None:
    play = saved(file, draft(towns({"Ann": 3, "Bob": 2})))
    record = towns({"Ann": 1, "Bob": 4})
    plays.edit(file, play, record, decision_of(record, score(record)))
    saved(file, draft(towns({"Robert": 3, "Cid": 2}), "2026-01-02T20:00:00Z"))
    robert, bob = (player_profiles.by_name(file, club(file), name) for name in ("Robert", "Bob"))
    assert robert is not None
    assert bob is not None
    assert player_profiles.merge(file, robert, bob)
    assert player_profiles.find(file, robert.id) is None
    assert [one.names for one in saved_plays.each(file, club(file))] == [["Ann", "Bob"], ["Bob", "Cid"]]
    assert saved_plays.versions(file, [play.id])[play.id][0].names == ["Ann", "Bob"]
    assert rebuild.check(file) == []


def test_names_that_met_in_an_earlier_version_are_two_people(file: Database) -> None:
    play = saved(file, draft(towns({"Ann": 3, "Bob": 2})))
    record = towns({"Ann": 1, "Cid": 4})
    plays.edit(file, play, record, decision_of(record, score(record)))
    bob, ann = (player_profiles.by_name(file, club(file), name) for name in ("Bob", "Ann"))
    assert bob is not None
    assert ann is not None
    assert not player_profiles.merge(file, bob, ann)


def test_the_view_of_lines_labels_them_by_rule_or_item(file: Database) -> None:
    saved(file, draft(towns({"Ann": 3, "Bob": 2})))
    rows = dict(file.execute("SELECT rule, label FROM lines").fetchall())
    game = games.find("tiny_towns")
    assert game is not None
    assert rows["cottage"] == str(game.rules["cottage"])


def test_derived_tables_that_are_wrong_are_found_and_put_right(file: Database) -> None:
    saved(file, draft(towns({"Ann": 3, "Bob": 2}), notes="by the window"))
    with file.atomic():
        file.execute("DELETE FROM all_cards WHERE card = 'farm'")
        file.execute("UPDATE search_words SET word = 'door' WHERE word = 'window'")
        file.execute("UPDATE all_plays SET margin = 99")
    assert sorted(rebuild.check(file)) == ["all_cards", "all_plays", "search_words"]
    assert sorted(rebuild.rebuild(file)) == ["all_cards", "all_plays", "search_words"]
    assert rebuild.check(file) == []
