"""Imports that are stopped, killed and gone on with; files that are known again; corrections made elsewhere."""

from __future__ import annotations

import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.webapp.bringing import begun, bring, cut, leave, taken_out, without_imports
from tests.webapp.conftest import Device
from tests.webapp.engines import place
from tests.webapp.plays import club as home_of
from tests.webapp.plays import content, database, draft, towns, typed
from webapp import clubs, jobs
from webapp.database import Database
from webapp.database.sqlite import Sqlite
from webapp.exchange import corrections, files, identity, import_steps, imports, tables_out
from webapp.exchange.foreign import summed
from webapp.exchange.import_errors import Refused
from webapp.exchange.json_stream import START, members
from webapp.history import archive, listing, rebuild, saved_plays
from webapp.history import plays as history
from webapp.jobs.worker import Worker


@pytest.fixture
def file(tmp_path: Path) -> str:
    with database(tmp_path / "there.db") as there:
        return taken_out(there, seasons(there, 60))


def seasons(db: Database, games: int) -> int:
    """A club with so many small games, the latest first; its id."""
    home = clubs.create(db, "The club")
    history.save_all(
        db,
        home,
        [
            draft(
                towns({"Cid": number % 5 + 1, "Dan": 3}) if number % 2 else typed({"Cid": number, "Eve": 3}),
                f"2025-{12 - number // 28:02}-{28 - number % 28:02}T20:00:00Z",
            )
            for number in range(games)
        ],
    )
    return home


# -- without a trace ---


@pytest.fixture(autouse=True)
def no_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the lease of a killed process."""
    monkeypatch.setattr("webapp.jobs.worker.LEASE_S", 0.0)


def state_of(db: Database) -> list[Any]:
    return [content(db), list(db.query("SELECT * FROM players ORDER BY id"))]


def test_an_import_that_is_stopped_leaves_no_trace(tmp_path: Path, file: str) -> None:
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        history.save_all(db, home, [draft(towns({"Ann": 4, "Bob": 2}), "2025-06-01T20:00:00Z")])
        before = state_of(db)
        key = cut(db, home, file)
        assert len(listing.recent(db, home, 100)) > 1
        stop(db, key)
        assert state_of(db) == before
        for table in ("jobs", "import_pieces", "import_claims", "import_differences", "matches", "remembered"):
            assert list(db.query(f"SELECT * FROM {table}")) == []


@pytest.mark.sqlite
def test_to_find_games_that_are_here_costs_no_more_in_a_larger_club(tmp_path: Path) -> None:
    needed = []
    for games in (20, 320):
        with database(tmp_path / f"{games}.db") as db:
            home = seasons(db, games)
            assert isinstance(db, Sqlite)
            keys = [key for (key,) in db.execute("SELECT key FROM all_plays ORDER BY id LIMIT 16").fetchall()]
            steps = count()
            db.conn.set_progress_handler(lambda steps=steps: next(steps) < 0, 1)  # type: ignore[misc]
            found = archive.known(db, home, keys, identity.SOURCES)
            db.conn.set_progress_handler(None, 0)
            assert set(found) == set(keys)
            assert archive.known(db, home + 1, keys, identity.SOURCES) == {}, "they are of another club"
            needed.append(next(steps))
    assert needed[1] < 2 * needed[0]


def test_who_came_with_an_unwanted_import_stays_if_she_sits_elsewhere(tmp_path: Path, file: str) -> None:
    """Be it in a game that is deleted, or in an earlier version: a game in the bin can be put back."""
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        key = cut(db, home, file)
        [play_id] = history.save_all(db, home, [draft(typed({"Cid": 4, "Ann": 2}), "2025-06-01T20:00:00Z")])
        play = saved_plays.by_id(db, play_id)
        assert play is not None
        history.delete(db, play)
        stop(db, key)
        assert {name for (name,) in db.execute("SELECT name FROM players")} == {"Ann", "Cid"}
        history.restore(db, play)
        assert rebuild.check(db) == []


def test_an_import_goes_on_where_the_power_was_cut(tmp_path: Path, file: str) -> None:
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        key = begun(db, home, file)
        while (one := imports.find(db, key)) is not None and one.state != "ending":
            leave(db, key, lambda _: True)
        imports.finish(db, key)
        one = imports.find(db, key)
        assert one is not None and (one.state, one.result().added, one.result().known) == ("done", 60, 0)
        assert json.loads(taken_out(db, home))["plays"] == json.loads(file)["plays"]
        assert rebuild.check(db) == []


def test_what_comes_after_the_plays_is_in_once_however_often_it_begins(tmp_path: Path, file: str) -> None:
    whole = json.loads(file)
    whole["matches"] = [
        {"source": "BG Stats", "kind": "player", "theirs": f"their {number}", "ours": f"Nobody {number}"}
        for number in range(100)
    ]
    whole["deeds"] = [
        {"at": f"2025-01-01T00:00:{number % 60:02}Z", "what": "saved", "role": "member", "name": f"phone {number}"}
        | {"kind": "", "about": [], "play": None}
        for number in range(100)
    ]
    file = json.dumps(whole)
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        key = begun(db, home, file)
        leave(db, key, lambda one: one.state == "ending")
        imports.stop(db, key)  # too late
        for _ in range(5):
            leave_after_a_step(db, key)
        assert imports.under_way(db, home) == [key]
        imports.finish(db, key)
        one = imports.find(db, key)
        assert one is not None and (one.state, one.result().added) == ("done", 60)
        back = json.loads(taken_out(db, home))
        assert [back["matches"], len(back["plays"])] == [
            sorted(whole["matches"], key=lambda match: match["theirs"]),
            60,
        ]
        assert sorted(deed["name"] for deed in back["deeds"] if deed["name"].startswith("phone")) == sorted(
            deed["name"] for deed in whole["deeds"]
        )


def leave_after_a_step(db: Database, key: str) -> None:
    one = imports.find(db, key)
    assert one is not None
    Worker(db, imports.STEPS).take(one.job)


def test_nobody_waits_while_a_file_is_read(tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece is taken out of the file before the transaction that takes it in begins."""
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        read_locked: list[bool] = []

        class Watched(io.BytesIO):
            def read(self, size: int | None = -1, /) -> bytes:
                read_locked.append(db.in_transaction)
                return super().read(size)

        monkeypatch.setattr(files, "import_file", lambda *_: lambda: Watched(file.encode()))
        bring(db, home, file)
        assert len(read_locked) > 3 and not any(read_locked)


# At every statement it takes a breath, so that it is still at work when it is killed, however fast the machine.
IMPORTER = """
import sys, time
from webapp.database import connect
from webapp.exchange import import_steps, imports
from webapp.jobs import worker
worker.LEASE_S, import_steps.LEAST, import_steps.MOST = 0.0, 4, 4
db = connect(sys.argv[1])
plain = db.execute
db.execute = lambda *asked: time.sleep(0.001) or plain(*asked)
print("ready", flush=True)
imports.finish(db, sys.argv[2])
"""
KILLS = 4


def test_an_import_that_is_killed_again_and_again_brings_the_same(tmp_path: Path, file: str) -> None:
    """Really killed, at any moment, while the file is checked, saved and left to the club."""
    chance, killed = random.Random(28), 0
    with database(tmp_path / "calm.db") as calm:
        outcome = bring(calm, home_of(calm), file)
        expected = without_imports(taken_out(calm, home_of(calm)))
    with database(tmp_path / "killed.db") as db:
        home = home_of(db)
        key = begun(db, home, file)
        for _ in range(KILLS):
            process = subprocess.Popen(
                [sys.executable, "-c", IMPORTER, place(tmp_path / "killed.db"), key],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=subprocess.PIPE,
            )
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.uniform(0.0, 0.3))
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
            process.stdout.close()
        assert killed > KILLS // 3, "several were still at work"
        one = imports.finish(db, key)
        assert one is not None and (one.state, one.result()) == ("done", outcome)
        assert without_imports(taken_out(db, home)) == expected
        assert [list(db.query(f"SELECT * FROM {table}")) for table in ("import_claims", "import_pieces")] == [[], []]
        assert rebuild.check(db) == []


# -- vouched for ---


def broken(db: Database, home: int, file: str, batches: int = 1) -> str:
    """Begin an import that is set aside in its middle by a fault of ours; its key."""
    key = cut(db, home, file, batches)
    one = imports.find(db, key)
    assert one is not None
    with db.atomic(home):
        jobs.update(db, replace(one.job, state="failed", error={"code": "fault", "fault": "KeyError"}))
    return key


def stop(db: Database, key: str) -> None:
    imports.stop(db, key)
    assert imports.finish(db, key) is None


def games(db: Database) -> int:
    [count] = db.execute("SELECT count(*) FROM all_plays").fetchone()
    return int(count)


def test_stopping_a_broken_import_keeps_what_a_later_one_has_confirmed(tmp_path: Path, file: str) -> None:
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        first = broken(db, home, file)
        brought = games(db)
        outcome = bring(db, home, file)
        assert 0 < brought < 60 and (outcome.added, outcome.known) == (60 - brought, brought)
        before = state_of(db)
        stop(db, first)
        assert state_of(db) == before and games(db) == 60
        assert json.loads(taken_out(db, home))["plays"] == json.loads(file)["plays"]


@pytest.mark.parametrize("backwards", [False, True])
def test_a_broken_import_is_stopped_while_another_has_found_its_games(
    tmp_path: Path, file: str, backwards: bool
) -> None:
    second = json.loads(file)
    second["plays"].sort(key=lambda play: play["played_at"], reverse=backwards)
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        first = broken(db, home, file)
        content = json.dumps(second)
        other = cut(db, home, content)
        stop(db, first)
        one = imports.finish(db, other)
        assert one is not None and one.state == "done"
        assert games(db) == 60
        assert rebuild.check(db) == []


def test_an_import_that_is_stopped_too_confirms_nothing(tmp_path: Path, file: str) -> None:
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        before = state_of(db)
        first = broken(db, home, file)
        brought = games(db)
        stop(db, broken(db, home, file, 2))
        assert games(db) == brought, "what it found belongs to the first"
        stop(db, first)
        assert state_of(db) == before


def test_who_is_on_the_list_of_a_later_import_stays(tmp_path: Path, file: str) -> None:
    both = json.loads(file)
    both["players"].append({"name": "Zoe", "created_at": "2025-01-01T00:00:00Z"})
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        first = broken(db, home, json.dumps(both))
        bring(db, home, json.dumps({**both, "plays": []}))
        stop(db, first)
        assert games(db) == 0
        assert {name for (name,) in db.execute("SELECT name FROM players")} == {"Cid", "Dan", "Eve", "Zoe"}


@pytest.mark.parametrize("deed", ["corrected", "described", "deleted", "restored"])
def test_what_a_person_has_done_to_a_game_keeps_it(tmp_path: Path, file: str, deed: str) -> None:
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        first = broken(db, home, file)
        play = saved_plays.find(db, listing.recent(db, home)[0].key)
        assert play is not None
        if deed == "corrected":
            history.edit(db, play, play.record, play.decision)
        elif deed == "deleted":
            history.delete(db, play)
        else:
            clubs.audit_log.note_of_game(db, play.id, deed)
        stop(db, first)
        assert [key for (key,) in db.execute("SELECT key FROM all_plays")] == [play.key]
        assert rebuild.check(db) == []


# -- on the page ---


def send(owner: Device, content: str) -> Any:
    owner.get("/data")
    return owner.post(
        "/data/import", {"file": (io.BytesIO(content.encode()), "x.json")}, content_type="multipart/form-data"
    )


def test_a_long_import_shows_how_far_it_is_and_can_be_stopped(
    owner: Device, db: Database, club: int, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.views.data.AT_ONCE_S", -1.0)
    answer = send(owner, file)
    key = answer.location.rpartition("/")[2]
    assert "Checking the file" in owner.get(answer.location)
    leave(db, key, lambda one: one.job.done == import_steps.FIRST)
    page = owner.get(answer.location)
    assert f"{import_steps.FIRST} of 60 games imported." in page and 'http-equiv="refresh"' in page
    monkeypatch.undo()
    assert owner.post(f"{answer.location}/stop", follow_redirects=True).status_code == 200
    assert listing.recent(db, club) == []
    assert owner.client.get(answer.location).status_code == 404


def test_a_long_import_is_finished_in_the_background_after_a_restart_too(
    app: Flask, owner: Device, db: Database, club: int, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.views.data.AT_ONCE_S", -1.0)
    answer = send(owner, file)
    assert len(imports.under_way(db, club)) == 1
    done = jobs.keep_working(app.config["DATABASE"], imports.STEPS)
    deadline = time.monotonic() + 60
    while imports.under_way(db, club) and time.monotonic() < deadline:
        time.sleep(0.1)
    done.set()
    assert "60 games added" in owner.get(answer.location)
    assert len(listing.recent(db, club, 100)) == 60


def test_one_page_shows_how_all_background_work_of_the_club_stands(
    owner: Device, db: Database, club: int, file: str
) -> None:
    assert "Running now" not in owner.get("/data")
    bring(db, club, file)
    broken(db, club, file)
    jobs.add(db, "standings", club, {"game": "tenby"}, total=70)
    owner.get("/data/export/json?ticket=mine")
    page = owner.get("/data")
    for name, how in (
        ("Import from Tidemark", "60 games added"),
        ("Import from Tidemark", "stopped by an error"),
        ("Updating skill and streaks", "under way"),
        ("Export", "done"),
    ):
        assert f"<strong>{name}</strong><span>{how}</span>" in page
    assert "The export is complete." in owner.get("/data/sending/mine")


@pytest.mark.either
def test_only_owners_bring_and_see_imports(owner: Device, member: Device, stranger: Device, file: str) -> None:
    address = send(owner, file).location
    assert send(member, file).status_code == 403
    assert member.client.get(address).status_code == 403
    assert stranger.client.get(address).status_code == 404


@pytest.mark.either
@pytest.mark.parametrize(("role", "status"), [("", 404), ("viewer", 403), ("member", 403)])
def test_nobody_without_the_right_has_a_byte_read(device: Callable[[str], Device], role: str, status: int) -> None:
    class Untouched(io.BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            raise AssertionError("a byte was read")

    visitor = device(role)
    answer = visitor.client.post(
        "/data/import",
        input_stream=Untouched(b"x" * 10**6),
        content_length=10**6,
        content_type="multipart/form-data; boundary=x",
    )
    assert answer.status_code == status


# -- known again ---


@pytest.mark.parametrize("kind", ["json", "players", "bgstats"])
def test_our_own_files_add_nothing_and_differ_in_nothing(tmp_path: Path, kind: str) -> None:
    with database(tmp_path / "t.db") as db:
        home = seasons(db, 40)
        history.save_all(db, home, [draft(towns({"=Ann": 4, "Bob, the 2nd": 2}), notes="a;=1+1\nb", place="here")])
        outcome = bring(db, home, taken_out(db, home, kind))
        assert (outcome.added, outcome.known, outcome.differs) == (0, 41, 0)
        other = clubs.create(db, "The others")
        assert bring(db, other, taken_out(db, home, kind)).added == 41
        outcome = bring(db, home, taken_out(db, other, kind))
        assert (outcome.added, outcome.known) == (0, 41), "they come home as they were"


def test_a_correction_made_elsewhere_is_taken_or_left(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        history.save_all(db, home, [draft(towns({"Ann": 4, "Bob": 2}), place="here")])
        [one] = listing.recent(db, home)
        with database(tmp_path / "elsewhere.db") as there:
            bring(there, home_of(there), taken_out(db, home))
            play = saved_plays.find(there, one.key)
            assert play is not None
            new = draft(towns({"Ann": 2, "Bob": 4}))
            history.edit(there, play, new.record, new.decision)
            corrected = saved_plays.find(there, one.key)
            assert corrected is not None
            history.describe(there, corrected, "a note", "there", None, corrected.played_at)
            file = taken_out(there, home_of(there)).encode()
        one_import = imports.finish(db, begun(db, home, file))
        assert one_import is not None
        [correction] = corrections.of_import(db, one_import.job)
        assert {field for field, _, _ in correction.differences} == {"place", "notes", "Ann", "Bob", "winners"}
        corrections.resolve(db, one_import.job, [correction.play_id], [correction.play_id])
        ours = saved_plays.find(db, one.key)
        assert ours is not None
        assert (ours.place, ours.notes, ours.result["winners"], ours.version) == ("there", "a note", ["Bob"], 2)
        [before] = saved_plays.versions(db, [ours.id])[ours.id]
        assert before.result["winners"] == ["Ann"]
        assert rebuild.check(db) == []
        assert bring(db, home, file).differs == 0


def test_a_file_of_before_our_correction_is_no_correction(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        history.save_all(db, home, [draft(towns({"Ann": 4, "Bob": 2}))])
        old = taken_out(db, home)
        play = saved_plays.find(db, listing.recent(db, home)[0].key)
        assert play is not None
        new = draft(towns({"Ann": 2, "Bob": 4}))
        history.edit(db, play, new.record, new.decision)
        assert bring(db, home, old).differs == 0


# -- BG Stats ---


def bg_stats(*plays: dict[str, Any]) -> str:
    games = [
        {"id": 1, "uuid": "G1", "name": "Tiny Towns", "bggId": 265736},
        {"id": 2, "uuid": "G2", "name": "Tiny Towns: Fortune", "bggId": 1},
    ]
    players = [
        {"id": 1, "uuid": "P1", "name": "Ann"},
        {"id": 2, "uuid": "P2", "name": "Anonymous", "isAnonymous": True},
    ]
    common = {"gameRefId": 1, "playDate": "2025-03-01 19:00:00"}
    written = [{"uuid": f"U{number}", **common, **play} for number, play in enumerate(plays)]
    return json.dumps({"plays": written, "games": games, "players": players, "locations": []})


def score(player: int, points: str, rank: int = 0, winner: bool = False) -> dict[str, Any]:
    return {"playerRefId": player, "score": points, "rank": rank, "winner": winner}


def result_of(db: Database, home: int) -> Any:
    [one] = listing.recent(db, home)
    play = saved_plays.find(db, one.key)
    assert play is not None
    return play


@pytest.fixture
def db_alone(tmp_path: Path) -> Iterator[Database]:
    with database(tmp_path / "alone.db") as opened:
        yield opened


@pytest.mark.either
def test_scores_typed_as_sums_are_added_up(db_alone: Database) -> None:
    home = home_of(db_alone)
    outcome = bring(db_alone, home, bg_stats({"playerScores": [score(1, "87+77"), score(2, "100-30")]}))
    assert outcome.counts == {"sums": 1}
    assert [player["total"] for player in result_of(db_alone, home).result["players"]] == [164, 70]


@pytest.mark.either
@pytest.mark.parametrize(
    ("text", "points"),
    [("87+77", 164), (" 1 + 2 ", 3), ("3*4", 12), ("-5+2", -3), ("2*3-1", 5), ("1+", None), ("__import__", None)],
)
def test_what_a_sum_comes_to(text: str, points: int | None) -> None:
    assert summed(text) == points


@pytest.mark.either
@pytest.mark.parametrize("text", ["9999*9999", "1+" * 200 + "1", "1e9", "１+１", "0x10", "", "(1)"])
def test_no_sum_is_worth_an_evaluation(text: str) -> None:
    assert summed(text) is None


@pytest.mark.either
def test_anonymous_guests_are_numbered(db_alone: Database) -> None:
    home = home_of(db_alone)
    scores = [score(2, "10"), score(1, "20"), score(2, "30"), score(2, "5")]
    assert bring(db_alone, home, bg_stats({"playerScores": scores})).counts == {"guests": 1}
    names = [player["name"] for player in result_of(db_alone, home).result["players"]]
    assert names == ["Anonymous", "Ann", "Anonymous 2", "Anonymous 3"]


def test_a_blank_score_stays_a_gap(db_alone: Database) -> None:
    home = home_of(db_alone)
    outcome = bring(db_alone, home, bg_stats({"playerScores": [score(1, "20", 1, True), score(2, "")]}))
    assert outcome.counts == {"gaps": 1}
    play = result_of(db_alone, home)
    assert [player["lines"] != [] for player in play.result["players"]] == [True, False]
    assert [player["typed"] for player in play.record["players"]] == [{"total": 20}, {}]
    assert play.result["winners"] == ["Ann"]
    again = clubs.create(db_alone, "Another")
    assert bring(db_alone, again, taken_out(db_alone, home)).added == 1
    assert rebuild.check(db_alone) == []


@pytest.mark.either
def test_ranks_without_scores_stay(db_alone: Database) -> None:
    home = home_of(db_alone)
    scores = [score(1, "", 2), score(2, "", 1), score(2, "", 3)]
    bring(db_alone, home, bg_stats({"playerScores": scores}))
    play = result_of(db_alone, home)
    assert [player["rank"] for player in play.result["players"]] == [2, 1, 3]
    assert play.result["winners"] == ["Anonymous"]


@pytest.mark.either
def test_who_is_in_one_team_shares_its_result(db_alone: Database) -> None:
    """One who has a score of their own keeps it; the last one is in no team."""
    home = home_of(db_alone)
    scores = [
        {**score(1, "20", winner=True), "team": "Red"},
        {**score(2, ""), "team": "Red"},
        {**score(2, "12"), "team": "Blue"},
        {**score(2, "11"), "team": "Blue"},
        score(2, "9"),
    ]
    assert bring(db_alone, home, bg_stats({"usesTeams": True, "playerScores": scores})).counts == {"guests": 1}
    play = result_of(db_alone, home)
    assert [player["total"] for player in play.result["players"]] == [20, 20, 12, 11, 9]
    assert [player["rank"] for player in play.result["players"]] == [1, 1, 3, 4, 5]
    assert play.result["winners"] == ["Ann", "Anonymous"]
    [back] = json.loads(taken_out(db_alone, home, "bgstats"))["plays"]
    assert back["usesTeams"] is True
    assert [(one.get("team"), one["score"], one["winner"]) for one in back["playerScores"]] == [
        (one.get("team"), one["score"], one["winner"]) for one in scores
    ]
    assert rebuild.check(db_alone) == []


@pytest.mark.either
def test_boards_and_expansions_become_variants(db_alone: Database) -> None:
    home = home_of(db_alone)
    play = {"board": "Town Hall／Something", "expansionPlays": [{"gameRefId": 2, "bggId": 0}]}
    bring(db_alone, home, bg_stats({**play, "playerScores": [score(1, "20"), score(2, "10")]}))
    table = result_of(db_alone, home).record["table"]
    assert (table["mode"], table["expansions"]) == ("town_hall", ["fortune"])


@pytest.mark.either
def test_what_is_left_out_is_told_with_its_reason(db_alone: Database) -> None:
    some = {"playerScores": [score(1, "3")]}
    outcome = bring(
        db_alone,
        home_of(db_alone),
        bg_stats({**some, "playDate": "then"}, {**some, "ignored": True}, {}, some),
    )
    assert outcome.counts == {"no_date": 1, "ignored": 1, "nobody": 1}
    assert (outcome.added, outcome.left_out) == (1, 3)
    assert outcome.examples["no_date"].startswith("Tiny Towns")


# -- CSV ---

CELLS = st.text(st.sampled_from("=+-@＝＋－＠;,|\t\r\n\"' a1"), max_size=12)


@pytest.mark.either
@given(CELLS)
def test_a_cell_is_harmless_however_it_is_split_and_comes_back(text: str) -> None:
    safe = str(tables_out.safe(text))
    assert tables_out.without_apostrophes(safe) == text
    for cell in re.split(r"[;,|\t\r\n]", safe):
        assert not cell.lstrip(' "').startswith(tuple("=+-@＝＋－＠"))


@pytest.mark.either
def test_every_field_is_quoted(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        history.save_all(db, home, [draft(typed({"Ann": 4, "Bob": 2}))])
        for kind in ("players", "lines"):
            for line in taken_out(db, home, kind).splitlines():
                assert re.fullmatch(r'"[^"]*"(,"[^"]*")*', line)


@pytest.mark.either
def test_a_row_without_its_last_column_is_left_out(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        outcome = bring(db, home_of(db), "date,total,player,game\n2026-01-01,3,Ann\n")
        assert (outcome.added, outcome.others) == (0, 1)


# -- what a file costs ---


def pieces(content: bytes) -> list[tuple[str, Any]]:
    return list(members(io.BytesIO(content)))


@pytest.mark.either
def test_lists_come_element_by_element() -> None:
    found = pieces(b'{"a": [1, {"b": [2]}], "c": {"d": []}, "e": []}')
    assert found == [("a", START), ("a", 1), ("a", {"b": [2]}), ("c", {"d": []}), ("e", START)]


@pytest.mark.either
@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=30,
    )
)
def test_any_value_is_read_as_json_reads_it(value: Any) -> None:
    content = json.dumps({"x": [value, value]}).encode()
    try:
        found = pieces(content)
    except Refused:
        return  # deeper, or with half a letter
    assert [one for _, one in found[1:]] == [value, value]


@pytest.mark.either
@pytest.mark.parametrize(
    "content",
    [
        b'{"x": [' + b"[" * 5000 + b"]" * 5000 + b"]}",
        b'{"x": ' + b"9" * 5000 + b"}",
        b'{"x": NaN}',
        b'{"x": 1e999}',
        b'{"x": "\\ud800"}',
        b'{"\\ud800": 1}',
        b'{"x": 1} 2',
        b'{"x": 1',
        b'{"x": [1 2]}',
        b'{"x": {"a": 1, "a": 2}}',
        b"{1: 2}",
    ],
)  # fmt: skip
def test_what_is_no_sound_json_is_refused(content: bytes) -> None:
    with pytest.raises(Refused):
        pieces(content)


@pytest.mark.either
@pytest.mark.parametrize("content", [b'{"x": [' + b"[]," * 100_000 + b"1]}", b'{"x": [[' + b"[]," * 100_000 + b"1]]}"])
def test_very_many_brackets_cost_little(content: bytes) -> None:
    tracemalloc.start()
    try:
        for _ in members(io.BytesIO(content)):
            pass
    except Refused:
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 15 * 2**20
