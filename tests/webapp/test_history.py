"""Saved games: versions, undo, what people tell about a game, people renamed and made one."""

from __future__ import annotations

import gettext
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from webapp.history.naming import hidden, told

from scorer.core import score
from scorer.sentences import Sentence, say
from tests.conftest import EXAMPLES
from tests.webapp.plays import club, database, draft, towns, typed
from webapp import clubs
from webapp.database import Database
from webapp.history import NewPlay, Person, Play, people, rebuild, stored
from webapp.history import plays as history
from webapp.statistics import player as player_statistics


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with database(tmp_path / "t.db") as opened:
        yield opened


def play_of(db: Database, play_id: int) -> Play:
    play = stored.by_id(db, play_id)
    assert play is not None
    return play


def person(db: Database, name: str) -> Person:
    found = people.find(db, clubs.player_id(db, club(db), name))
    assert found is not None
    return found


def test_a_correction_keeps_what_was_before(db: Database) -> None:
    [play_id] = history.save_all(db, club(db), [draft(towns({"Ann": 4, "Bob": 2}))])
    better = draft(towns({"Ann": 4, "Bob": 6}))
    history.correct(db, play_of(db, play_id), better.record, better.result)
    play = play_of(db, play_id)
    assert (play.version, play.record) == (2, better.record)
    [old] = stored.versions(db, play)
    assert old["version"] == 1
    assert '"cottage"' in old["record"]


def test_what_people_tell_moves_the_game_in_time(db: Database) -> None:
    first, second = history.save_all(
        db, club(db), [draft(typed({"Ann": 5, "Bob": 2})), draft(typed({"Ann": 1, "Bob": 2}), "2026-02-01T20:00:00Z")]
    )
    history.describe(db, play_of(db, first), "windy", "The Anchor", 50, "2026-03-01T20:00:00Z")
    ann = person(db, "Ann")
    assert [play["total"] for play in player_statistics.form(db, ann)] == [5, 1]
    assert player_statistics.in_games(db, ann)[0].career.streak == 1
    assert rebuild.check(db) == []
    assert second


def test_deleting_is_undone_within_a_month_and_final_after_it(db: Database) -> None:
    [play_id] = history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    history.delete(db, play_of(db, play_id))
    history.delete(db, play_of(db, play_id))
    assert player_statistics.in_games(db, person(db, "Ann")) == []
    history.purge(db)
    history.restore(db, play_of(db, play_id))
    history.restore(db, play_of(db, play_id))
    assert len(player_statistics.in_games(db, person(db, "Ann"))) == 1
    db.execute("UPDATE all_plays SET deleted_at = '2020-01-01T00:00:00Z'")
    history.purge(db)
    assert stored.by_id(db, play_id) is None


def test_renaming_reaches_records_reasons_and_versions(db: Database) -> None:
    [play_id, deleted] = history.save_all(
        db, club(db), [draft(towns({"Ann": 4, "Bob": 2})), draft(typed({"Ann": 4, "Bob": 2}))]
    )
    better = draft(towns({"Ann": 4, "Bob": 6}))
    history.correct(db, play_of(db, play_id), better.record, better.result)
    history.delete(db, play_of(db, deleted))
    assert people.rename(db, person(db, "Ann"), "Anna")
    for play in (play_of(db, play_id), play_of(db, deleted)):
        assert [player["name"] for player in play.record["players"]] == ["Anna", "Bob"]
        assert [player["name"] for player in play.result["players"]] == ["Anna", "Bob"]
    assert '"Anna"' in stored.versions(db, play_of(db, play_id))[0]["result"]
    history.restore(db, play_of(db, deleted))
    assert rebuild.check(db) == []
    assert clubs.roster(db, club(db)) == ["Anna", "Bob"]


def test_a_name_that_is_taken_is_refused(db: Database) -> None:
    history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    assert not people.rename(db, person(db, "Ann"), "Bob")
    assert people.rename(db, person(db, "Ann"), "Ann")


@pytest.mark.parametrize("name", ["standard", "cottage", "grid", "mode", "red", "name", "empty"])
def test_a_player_called_like_a_rule_breaks_nothing(db: Database, name: str) -> None:
    [play_id] = history.save_all(db, club(db), [draft(towns({name: 4, "Bob": 2}))])
    assert people.rename(db, person(db, name), "Ann")
    assert play_of(db, play_id).record == towns({"Ann": 4, "Bob": 2})
    assert rebuild.check(db) == []


def test_a_table_that_names_its_players_is_renamed_too(db: Database) -> None:
    record = {
        **typed({"Ann": 5, "Bob": 5}, "old_london_bridge"),
        "table": {"chapel_order": ["Bob", "Ann"]},
    }
    [play_id] = history.save_all(db, club(db), [draft(record)])
    assert people.rename(db, person(db, "Bob"), "Bea")
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
    assert people.merge(db, person(db, "Anne"), person(db, "Ann"))
    assert rebuild.check(db) == []
    [tenby, _] = sorted(player_statistics.in_games(db, person(db, "Ann")), key=lambda one: one.game.id)
    assert (tenby.plays, tenby.career.streak, tenby.best) == (2, 2, 6)
    assert set(clubs.roster(db, home)) == {"Ann", "Bob", "Cid"}


def test_who_has_sat_at_one_table_is_two_people(db: Database) -> None:
    history.save_all(db, club(db), [draft(typed({"Ann": 5, "Bob": 2}))])
    assert not people.merge(db, person(db, "Ann"), person(db, "Bob"))
    assert not people.merge(db, person(db, "Ann"), person(db, "Ann"))


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
    if example.game.id == "old_london_bridge" and '"Cid"' in json.dumps(score(example.record).get("said"))
)


def test_a_new_name_is_told_in_every_language(db: Database) -> None:
    [play_id] = history.save_all(db, club(db), [draft(BRIDGE)])
    reasons = [text for text in reasons_of(play_of(db, play_id)) if "Cid" in text]
    assert reasons
    assert people.rename(db, person(db, "Cid"), "Cidney")
    renamed = [text for text in reasons_of(play_of(db, play_id)) if "Cidney" in text]
    assert renamed == [text.replace("Cid", "Cidney") for text in reasons]
    for text in renamed:
        assert isinstance(text, Sentence)
        translated = text.into(Backwards())
        assert "Cidney" in translated
        assert translated != text
    assert score(play_of(db, play_id).record) == play_of(db, play_id).result


def test_a_result_of_before_sentences_is_renamed_by_its_words(db: Database) -> None:
    old = draft(BRIDGE)
    result = {key: value for key, value in old.result.items() if key != "said"}
    [play_id] = history.save_all(db, club(db), [NewPlay(old.record, json.loads(json.dumps(result)), old.played_at)])
    assert people.rename(db, person(db, "Cid"), "Cidney")
    play = play_of(db, play_id)
    assert "said" not in play.result
    assert any("Cidney" in text for text in reasons_of(play))


def test_a_name_that_is_a_word_of_a_sentence_takes_no_other_word_along() -> None:
    saved = draft(typed({"level": 4, "Bob": 2}))
    message = say("{name} is level with {n}", name="level", n=2)
    doubt: Any = {"code": "x", "message": message, "where": "", "level": "warning"}
    said = {"/problems/0/message": ["{name} is level with {n}", {"name": "level", "n": 2}]}
    _, text = hidden(saved.record, {**saved.result, "problems": [doubt], "said": said})
    renamed = json.loads(told(text, ["Ann", "Bob"]))
    assert renamed["problems"][0]["message"] == "Ann is level with 2"
    assert renamed["said"]["/problems/0/message"] == ["{name} is level with {n}", {"name": "Ann", "n": 2}]
    assert renamed["players"][0]["name"] == "Ann"


def reasons_of(play: Play) -> list[str]:
    return [line["why"] for player in play.result["players"] for line in player["lines"]]
