"""Saved games: versions, undo, what people tell about a game, people renamed and made one."""

from __future__ import annotations

import gettext
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.core import score
from scorer.result import Result, can_be_saved
from scorer.sentences import Sentence
from tests.conftest import EXAMPLES
from tests.webapp.plays import club, database, draft, towns, typed
from webapp import clubs
from webapp.database import Database, pack
from webapp.history import NewPlay, Person, Play, decision_of, player_profiles, rebuild, saved_plays
from webapp.history import plays as history
from webapp.statistics import player as player_statistics


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with database(tmp_path / "t.db") as opened:
        yield opened


def play_of(db: Database, play_id: int) -> Play:
    play = saved_plays.by_id(db, play_id)
    assert play is not None
    return play


def person(db: Database, name: str) -> Person:
    found = player_profiles.find(db, clubs.player_id(db, club(db), name))
    assert found is not None
    return found


def in_titles(db: Database, who: Person) -> list[player_statistics.TitleRecord]:
    return player_statistics.title_records(db, who, player_statistics.results_of(db, who))


def test_a_correction_keeps_what_was_before(db: Database) -> None:
    [play_id] = history.save_all(db, club(db), [draft(towns({"Ann": 4, "Bob": 2}))])
    better = draft(towns({"Ann": 4, "Bob": 6}))
    history.edit(db, play_of(db, play_id), better.record, better.decision)
    play = play_of(db, play_id)
    assert (play.version, play.record) == (2, better.record)
    [old] = saved_plays.versions(db, [play_id])[play_id]
    assert (old.version, old.record) == (1, towns({"Ann": 4, "Bob": 2}))


def test_what_people_tell_moves_the_game_in_time(db: Database) -> None:
    first, second = history.save_all(
        db, club(db), [draft(typed({"Ann": 5, "Bob": 2})), draft(typed({"Ann": 1, "Bob": 2}), "2026-02-01T20:00:00Z")]
    )
    history.describe(db, play_of(db, first), "windy", "The Anchor", 50, "2026-03-01T20:00:00Z")
    ann = person(db, "Ann")
    assert [play.total for play in player_statistics.latest_games(db, ann)] == [5, 1]
    assert in_titles(db, ann)[0].streak == 1
    assert rebuild.check(db) == []
    assert second


def test_deleting_is_undone_within_a_month_and_final_after_it(db: Database) -> None:
    [play_id] = history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    history.delete(db, play_of(db, play_id))
    history.delete(db, play_of(db, play_id))
    assert in_titles(db, person(db, "Ann")) == []
    history.purge(db)
    history.restore(db, play_of(db, play_id))
    history.restore(db, play_of(db, play_id))
    assert len(in_titles(db, person(db, "Ann"))) == 1
    db.execute("UPDATE all_plays SET deleted_at = '2020-01-01T00:00:00Z'")
    history.purge(db)
    assert saved_plays.by_id(db, play_id) is None


def test_renaming_reaches_records_reasons_and_versions(db: Database) -> None:
    [play_id, deleted] = history.save_all(
        db, club(db), [draft(towns({"Ann": 4, "Bob": 2})), draft(typed({"Ann": 4, "Bob": 2}))]
    )
    better = draft(towns({"Ann": 4, "Bob": 6}))
    history.edit(db, play_of(db, play_id), better.record, better.decision)
    history.delete(db, play_of(db, deleted))
    assert player_profiles.rename(db, person(db, "Ann"), "Anna")
    for play in (play_of(db, play_id), play_of(db, deleted)):
        assert [player["name"] for player in play.record["players"]] == ["Anna", "Bob"]
        assert [player["name"] for player in play.result["players"]] == ["Anna", "Bob"]
    [old] = saved_plays.versions(db, [play_id])[play_id]
    assert old.names == [player["name"] for player in old.result["players"]] == ["Anna", "Bob"]
    history.restore(db, play_of(db, deleted))
    assert rebuild.check(db) == []
    assert clubs.roster(db, club(db)) == ["Anna", "Bob"]


def test_a_name_that_is_taken_is_refused(db: Database) -> None:
    history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    assert not player_profiles.rename(db, person(db, "Ann"), "Bob")
    assert player_profiles.rename(db, person(db, "Ann"), "Ann")


@pytest.mark.parametrize("name", ["standard", "cottage", "grid", "mode", "red", "name", "empty"])
def test_a_player_called_like_a_rule_breaks_nothing(db: Database, name: str) -> None:
    [play_id] = history.save_all(db, club(db), [draft(towns({name: 4, "Bob": 2}))])
    assert player_profiles.rename(db, person(db, name), "Ann")
    assert play_of(db, play_id).record == towns({"Ann": 4, "Bob": 2})
    assert rebuild.check(db) == []


def test_a_table_that_names_its_players_is_renamed_too(db: Database) -> None:
    record = {
        **typed({"Ann": 5, "Bob": 5}, "old_london_bridge"),
        "table": {"chapel_order": ["Bob", "Ann"]},
    }
    [play_id] = history.save_all(db, club(db), [draft(record)])
    assert player_profiles.rename(db, person(db, "Bob"), "Bea")
    assert play_of(db, play_id).record["table"] == {"chapel_order": ["Bea", "Ann"]}


def test_two_names_of_one_person_become_one(db: Database) -> None:
    home = club(db)
    history.save_all(
        db,
        home,
        [
            draft(typed({"Ann": 5, "Bob": 2}), "2026-01-02T20:00:00Z"),
            draft(typed({"Anne": 6, "Bob": 2}), "2026-01-01T20:00:00Z"),
            draft(towns({"Anne": 2, "Cid": 2}), "2026-01-03T20:00:00Z"),
        ],
    )
    assert player_profiles.merge(db, person(db, "Anne"), person(db, "Ann"))
    assert rebuild.check(db) == []
    [tenby, _] = sorted(in_titles(db, person(db, "Ann")), key=lambda one: one.game.id)
    assert (tenby.plays, tenby.streak, tenby.best) == (2, 2, 6)
    assert set(clubs.roster(db, home)) == {"Ann", "Bob", "Cid"}


def test_who_has_sat_at_one_table_is_two_people(db: Database) -> None:
    history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    assert not player_profiles.merge(db, person(db, "Ann"), person(db, "Bob"))
    assert not player_profiles.merge(db, person(db, "Ann"), person(db, "Ann"))


def reasons_in(result: Result) -> list[str]:
    return [line["why"] for player in result["players"] for line in player["lines"]]


class Backwards(gettext.NullTranslations):
    """A language that writes every template from its end, so that only values read as they did."""

    def gettext(self, message: str) -> str:
        return " ".join(reversed(message.split(" ")))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


# A bridge of which the reasons name a player: Cid.
BRIDGE = next(
    example.record
    for example in EXAMPLES
    if example.game.id == "old_london_bridge" and any("Cid" in text for text in reasons_in(score(example.record)))
)


def test_a_new_name_is_told_in_every_language(db: Database) -> None:
    [play_id] = history.save_all(db, club(db), [draft(BRIDGE)])
    reasons = [text for text in reasons_in(play_of(db, play_id).result) if "Cid" in text]
    assert reasons
    assert player_profiles.rename(db, person(db, "Cid"), "Cidney")
    renamed = [text for text in reasons_in(play_of(db, play_id).result) if "Cidney" in text]
    assert renamed == [text.replace("Cid", "Cidney") for text in reasons]
    for text in renamed:
        assert isinstance(text, Sentence)
        translated = text.into(Backwards())
        assert "Cidney" in translated
        assert translated != text
    assert score(play_of(db, play_id).record) == play_of(db, play_id).result


def test_a_name_stands_in_the_file_once(db: Database) -> None:
    record = {**typed({"Ann": 5, "Xaver": 5}, "old_london_bridge"), "table": {"chapel_order": ["Xaver", "Ann"]}}
    [play_id, _] = history.save_all(db, club(db), [draft(record), draft(towns({"Xaver": 2, "Ann": 3}))])
    play = play_of(db, play_id)
    history.edit(db, play, play.record, play.decision)
    assert places_of(db, "Xaver") == [("players", "name")]
    assert player_profiles.rename(db, person(db, "Xaver"), "Yvonne")
    assert places_of(db, "Xaver") == []
    assert play_of(db, play_id).record["table"] == {"chapel_order": ["Yvonne", "Ann"]}
    assert rebuild.check(db) == []


def places_of(db: Database, word: str) -> list[tuple[str, str]]:
    """Return the tables and columns in which the word stands."""
    found = []
    for table, (columns, _) in db.columns().items():
        for column in columns:
            sql = f"SELECT 1 FROM {table} WHERE instr(CAST({column} AS TEXT), ?) > 0 LIMIT 1"
            if db.execute(sql, [word]).fetchone():
                found.append((table, column))
    return found


# What else a word may mean: squares, numbers, buildings, ways of playing, fields, codes of cards.
WORDS = ("A1", "3", "cottage", "Cottage", "standard", "grid", "flowers", "holder", 'Quo"te\\', "Ŝlosilo", "unknown")
ODD = {'Quo"te\\', "Ŝlosilo"}  # in their letters, which a server stores in its own way


@pytest.mark.parametrize(
    "name", [word if word in ODD else pytest.param(word, marks=pytest.mark.either) for word in WORDS]
)
def test_every_example_is_kept_under_any_name(db: Database, name: str) -> None:
    saved = {}
    for example in EXAMPLES:
        first = example.record["players"][0]["name"]
        record = json.loads(pack(example.record).replace(pack(first), pack(name)))
        result = score(record)
        names = [player["name"] for player in record["players"]]
        if can_be_saved(result) and len(set(names)) == len(names):
            [play_id] = history.save_all(db, club(db), [NewPlay(record, decision_of(record, result))])
            saved[play_id] = record
    assert len(saved) > 30
    for play_id, record in saved.items():
        assert play_of(db, play_id).record == record
        assert play_of(db, play_id).result == score(record)
