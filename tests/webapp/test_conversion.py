"""Databases of Tidemark 0.7 are converted: whole or not at all, with everything that was going on.

The files in `from_07` were made by `tests/compare/made.py`. `make compare` compares every page of such files.
"""

from __future__ import annotations

import json
import lzma
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest

from scorer.core import score
from tests.conftest import ROOT
from tests.webapp import engines
from webapp import backup, create_app, days, doctor, private_files
from webapp.cli import main
from webapp.cli.open_database import opened
from webapp.conversion import ConversionError, convert_if_needed
from webapp.database import Database, copying, engine_of, file_users, files, sqlite
from webapp.database.files import LAST_OF_07
from webapp.database.postgres_schema import FUNCTIONS, STEPS, with_postgres_types
from webapp.doctor import history as doctor_of_history
from webapp.exchange.checks_07 import LINE, check_result
from webapp.history import database_07, player_profiles, plays, rebuild, saved_plays
from webapp.operator_errors import Refusal
from webapp.table import Entries, photos, tables

pytestmark = pytest.mark.either
GAMES = {"evening": 125, "halfway": 159}


@cache
def packed(name: str) -> bytes:
    """The file as a server leaves it: its header says that changes go to a log beside it."""
    content = bytearray(lzma.decompress((Path(__file__).parent / "from_07" / f"{name}.db.xz").read_bytes()))
    content[18:20] = b"\2\2"
    return bytes(content)


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    path = tmp_path / "evening.db"
    private_files.make(path)
    path.write_bytes(packed("evening"))
    return path


@pytest.fixture
def halfway(tmp_path: Path) -> Path:
    path = tmp_path / "halfway.db"
    path.write_bytes(packed("halfway"))
    return path


def tell(*_: Any) -> None:
    pass


def is_converted(path: Path) -> bool:
    return files.BASELINE in sqlite.steps_of(path)


def assert_nothing_changed(path: Path, name: str = "evening") -> None:
    assert path.read_bytes() == packed(name)
    beside = {one.name: one.stat().st_size for one in path.parent.iterdir()}
    # Looking without writing may leave an empty log behind.
    assert beside.keys() <= {path.name, *(f"{path.name}{ending}" for ending in (".lock", "-wal", "-shm"))}
    assert beside.get(f"{path.name}-wal", 0) == 0


def change(path: Path, *statements: str) -> None:
    """Change a file of 0.7 as somebody with another program would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


# -- what is there afterwards ---


def test_every_game_is_there_and_the_old_file_is_kept_as_it_was(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(str(evening)) as db:
        assert db.execute("SELECT count(*) FROM all_plays").fetchone() == (GAMES["evening"],)
        assert rebuild.check(db) == []
        bases = dict(db.execute("SELECT basis, count(*) FROM all_plays GROUP BY 1").fetchall())
        assert bases["old_rules"] > 0 and bases["told"] == 11
    kept = evening.with_name("evening.db.0.7")
    assert kept.read_bytes() == packed("evening") and kept.stat().st_mode & 0o077 == 0
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "tidemark: Converting the database. You can stop at any time. Nothing changes before the end.",
        "tidemark: 125 games converted, with the same scores and ranks.",
        "tidemark: Open rooms have ended. Continue their games from the home page.",
        f"tidemark: The old database is now {kept}. It also holds deleted data.",
    ]
    assert convert_if_needed(evening, tell) is None


def test_scores_that_nobody_knows_stay_open(evening: Path) -> None:
    """The games of BG Stats, as `made.py` tells them: the second has no score for Ada, who won."""
    convert_if_needed(evening, tell)
    with closing(sqlite.to_read(evening)) as db:
        rows = db.execute(
            """SELECT name, total, rank, winner, final FROM all_scores JOIN players ON players.id = player_id
            WHERE play_id = (SELECT min(id) + 1 FROM all_plays WHERE source = 'BG Stats') ORDER BY seat"""
        ).fetchall()
    assert rows == [("Ada", None, 1, 1, 0), ("Bo", 10, 2, 0, 1), ("Cy", 7, 3, 0, 1)]


def test_rooms_end_and_open_games_stay(evening: Path) -> None:
    with opened(str(evening)) as db:
        count = {
            table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("rooms", "phones", "room_plays", "drafts", "devices")
        }
        assert count == {"rooms": 0, "phones": 0, "room_plays": 0, "drafts": 1, "devices": 1}
        assert not any(seat.holder for found in open_tables(db) for seat in found.seats)
        laid = {found.game.id: found for found in open_tables(db)}
        assert set(laid) == {"tiny_towns", "old_london_bridge", "pier_18"}
        [photo] = db.execute("SELECT key FROM photos").fetchone()
        under_review = photos.find(db, photo)
        assert under_review is not None
        assert [str(one.message) for one in under_review.reading.problems] == [
            "The board is small in this photo. Go closer and take another.",
            "This photo has only 300 × 200 pixels. Send a larger one.",
        ]
    with closing(create_app({"DATABASE": str(evening), "TESTING": True}).extensions["connections"]):
        pass


def open_tables(db: Database) -> list[tables.Table]:
    keys = db.execute("SELECT key FROM tables WHERE saved_at IS NULL ORDER BY id").fetchall()
    return [found for (key,) in keys if (found := tables.find(db, key)) is not None]


def test_what_was_confirmed_is_not_asked_again_even_under_other_names(evening: Path) -> None:
    """At the open table the first of three towns of sixteen buildings was confirmed; in the saved game two were."""
    with opened(str(evening)) as db:
        [table] = [one for one in open_tables(db) if one.game.id == "tiny_towns"]
        assert asked(Entries(table).record) == ["/players/1/grid", "/players/2/grid"]
        [play_id] = [one for (one,) in db.execute("SELECT id FROM plays").fetchall() if asked_at(db, one)]
        play = saved_plays.by_id(db, play_id)
        assert play is not None and not play.outcome.differs and asked(play.record) == ["/players/1/grid"]
        ann = player_profiles.by_name(db, play.club_id, "Ann")
        assert ann is not None and player_profiles.rename(db, ann, "Anne-Marie")
        play = saved_plays.by_id(db, play_id)
        assert play is not None and asked(play.record) == ["/players/1/grid"]
        [table] = [one for one in open_tables(db) if one.game.id == "tiny_towns"]
        assert [seat.name for seat in table.seats] == ["Anne-Marie", "Bob", "Cid"]
        assert asked(Entries(table).record) == ["/players/1/grid", "/players/2/grid"]
        [table] = [one for one in open_tables(db) if one.game.id == "old_london_bridge"]
        noted = table.setup["companion"]
        assert noted["chapel_order"] == ["A1", "Anne-Marie"]
        assert noted["rounds"][0]["chapel_order"] == ["Anne-Marie", "A1"]


def asked_at(db: Database, play_id: int) -> list[str]:
    play = saved_plays.by_id(db, play_id)
    return asked(play.record) if play is not None else []


def asked(record: Any) -> list[str]:
    return [one["where"] for one in score(record)["problems"] if one["code"] == "sixteen_buildings"]


def test_what_was_half_done_is_finished(halfway: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(halfway)) as old:
        [(about,)] = old.execute("SELECT about FROM chores WHERE kind = 'merge'").fetchall()
        [(person,), (other,)] = [
            old.execute("SELECT name FROM players WHERE id = ?", [json.loads(about)[whose]]).fetchone()
            for whose in ("person", "other")
        ]
        seats = "SELECT count(*) FROM kept_seats JOIN players ON players.id = player_id WHERE club_id = 1 AND name = ?"
        both = sum(old.execute(seats, [name]).fetchone()[0] for name in (person, other))
        [ending] = old.execute("SELECT about ->> 'club' FROM chores WHERE kind = 'club'").fetchone()
        [moving] = old.execute("SELECT about ->> 'club' FROM chores WHERE kind = 'zone'").fetchone()
    with opened(str(halfway)) as db:
        assert player_profiles.by_name(db, 1, person) is None
        merged = player_profiles.by_name(db, 1, other)
        assert merged is not None
        held = [
            db.execute(f"SELECT count(*) FROM {table} WHERE player_id = ?", [merged.id]).fetchone()[0]
            for table in ("all_scores", "version_scores")
        ]
        assert sum(held) == both
        texts = db.execute("SELECT notes, place FROM all_plays WHERE club_id = 1").fetchall()
        assert not any("Edith" in text for row in texts for text in row)
        assert any("Somebody" in text for row in texts for text in row)
        assert db.execute("SELECT count(*) FROM clubs WHERE id = ?", [ending]).fetchone() == (0,)
        moved = db.execute("SELECT played_at, day FROM all_plays WHERE club_id = ?", [moving]).fetchall()
        assert all(day == days.day_of(at, "America/Los_Angeles") for at, day in moved) and moved
        assert db.execute("SELECT count(*) FROM jobs").fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM all_plays WHERE source = 'BG Stats'").fetchone() == (3,)
        assert rebuild.check(db) == []
    assert "An import was still running." in capsys.readouterr().err


def test_small_batches_come_to_the_same(evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other.db"
    shutil.copy(evening, other)
    convert_if_needed(evening, tell)
    monkeypatch.setattr(database_07, "BATCH", 7)
    convert_if_needed(other, tell)
    with closing(sqlite.to_read(evening)) as one, closing(sqlite.to_read(other)) as two:
        for table in ("all_plays", "all_lines", "all_cards", "version_scores", "ratings", "achievements"):
            assert one.execute(f"SELECT * FROM {table}").fetchall() == two.execute(f"SELECT * FROM {table}").fetchall()


def test_numbers_of_what_is_gone_are_given_to_nobody(evening: Path) -> None:
    change(evening, "UPDATE sqlite_sequence SET seq = 7000 WHERE name IN ('kept_plays', 'deeds', 'cards')")
    with opened(str(evening)) as db:
        last = db.last_numbers()
        assert {last[table] for table in ("all_plays", "audit_log", "box_cards")} == {7000}


# -- stopped at any moment ---

KILLED = """
import os, signal, sys
from pathlib import Path
from webapp import conversion
from webapp.database import sqlite
name, after, nth = sys.argv[2], sys.argv[3] == "after", int(sys.argv[4])
modules = {"link": os, "replace": os, "flush_file": sqlite, "add_converted": conversion.plays}
module = {**modules, "_take": conversion.Conversion, "rebuild": conversion.standings}[name]
honest, calls = getattr(module, name), 0
def killed(*given, **named):
    global calls
    calls += 1
    if calls == nth and not after:
        os.kill(os.getpid(), signal.SIGKILL)
    done = honest(*given, **named)
    if calls == nth:
        os.kill(os.getpid(), signal.SIGKILL)
    return done
setattr(module, name, killed)
conversion.convert_if_needed(Path(sys.argv[1]), lambda *_: None)
"""
MOMENTS = [
    *[(name, "before", nth) for name, nth in (("_take", 1), ("add_converted", 60), ("rebuild", 2))],
    *[(name, when, nth) for name in ("link", "replace") for when in ("before", "after") for nth in (1,)],
    *[("flush_file", when, nth) for when in ("before", "after") for nth in (1, 2)],
]


@pytest.mark.parametrize(("name", "when", "nth"), MOMENTS, ids=[f"{when} {name} {nth}" for name, when, nth in MOMENTS])
def test_a_kill_leaves_the_old_file_or_the_new_one_and_the_next_start_goes_on(
    evening: Path, name: str, when: str, nth: int
) -> None:
    command = [sys.executable, "-c", KILLED, str(evening), name, when, str(nth)]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    if not is_converted(evening):
        assert evening.read_bytes() == packed("evening")
    with opened(str(evening)) as db:
        assert db.execute("SELECT count(*) FROM all_plays").fetchone() == (GAMES["evening"],)
        assert rebuild.check(db) == []
    kept = evening.with_name("evening.db.0.7")
    assert kept.read_bytes() == packed("evening")
    assert {one.name for one in evening.parent.iterdir()} == {"evening.db", "evening.db.lock", kept.name}


# -- files and disks ---


def test_what_a_killed_server_had_only_in_its_log_is_converted_too(evening: Path, tmp_path: Path) -> None:
    left = tmp_path / "left"
    left.mkdir()
    with closing(sqlite3.connect(evening, isolation_level=None)) as server:
        server.execute("PRAGMA journal_mode = WAL")
        server.execute("UPDATE kept_plays SET notes = 'only in the log' WHERE id = 5")
        for name in ("evening.db", "evening.db-wal"):
            shutil.copy(tmp_path / name, left / name)
    assert (left / "evening.db-wal").stat().st_size > 0
    with opened(str(left / "evening.db")) as db:
        assert db.execute("SELECT notes FROM all_plays WHERE id = 5").fetchone() == ("only in the log",)
    with closing(sqlite3.connect(left / "evening.db.0.7")) as old:
        assert old.execute("SELECT notes FROM kept_plays WHERE id = 5").fetchone() == ("only in the log",)


def test_a_file_system_without_links(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    assert convert_if_needed(evening, tell) is not None
    kept = evening.with_name("evening.db.0.7")
    assert kept.read_bytes() == packed("evening") and kept.stat().st_mode & 0o077 == 0
    assert is_converted(evening) and not list(evening.parent.glob(".*"))


def test_nothing_is_put_over_another_old_file(evening: Path) -> None:
    first = evening.with_name("evening.db.0.7")
    first.write_bytes(b"of last year")
    done = convert_if_needed(evening, tell)
    assert done is not None and done.kept == f"{first}-2"
    assert first.read_bytes() == b"of last year"
    assert Path(done.kept).read_bytes() == packed("evening")


def test_no_room_on_the_disk(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(evening.parent)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_200_000))
        with pytest.raises(Refusal, match="is full"):
            convert_if_needed(evening, tell)
    assert_nothing_changed(evening)
    fresh = sqlite.fresh

    def filling_up(*given: Any) -> sqlite.Sqlite:
        db = fresh(*given)
        db.execute("PRAGMA max_page_count = 100")
        return db

    monkeypatch.setattr(sqlite, "fresh", filling_up)
    with pytest.raises(ConversionError, match="is full"):
        convert_if_needed(evening, tell)
    assert_nothing_changed(evening)


def test_a_folder_that_must_not_be_written(
    evening: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(files, "may", lambda _, right: right == os.R_OK)
    assert main(["rescore", "--db", str(evening)]) == 1
    assert "can’t read or write" in capsys.readouterr().err
    assert_nothing_changed(evening)


def test_a_file_that_is_in_use(evening: Path) -> None:
    with file_users.serving(evening), pytest.raises(Refusal, match="is using"):
        convert_if_needed(evening, tell)
    assert_nothing_changed(evening)
    with closing(sqlite3.connect(evening)) as stranger:  # another program, which has no sign beside the file
        stranger.execute("PRAGMA journal_mode = WAL")
        stranger.execute("SELECT count(*) FROM clubs").fetchone()
        with pytest.raises(Refusal, match="is using"):
            convert_if_needed(evening, tell)
    assert not is_converted(evening) and convert_if_needed(evening, tell) is not None


# -- what is refused ---

REFUSED: list[tuple[str, str]] = [
    (f"DELETE FROM _sqlite_migrations WHERE name = '{LAST_OF_07}'", "Start Tidemark 0.7"),
    ("INSERT INTO chores (kind, about) VALUES ('names', '{}')", "for a few minutes first"),
]


@pytest.mark.parametrize(("statement", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_a_file_that_cannot_be_converted_stays_as_it_is(evening: Path, statement: str, said: str) -> None:
    change(evening, statement)
    before = evening.read_bytes()
    with pytest.raises(ConversionError, match=said):
        convert_if_needed(evening, tell)
    assert evening.read_bytes() == before and not evening.with_name("evening.db.0.7").exists()


@pytest.fixture
def careless(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line of one game gets a point more on the way."""
    honest = plays.add_converted

    def careless(db: Database, columns: Any, *others: Any) -> None:
        honest(db, columns, *others)
        if columns["id"] == 40:
            db.execute("UPDATE all_lines SET points = points + 1 WHERE play_id = 40 AND seat = 0 AND position = 0")

    monkeypatch.setattr(plays, "add_converted", careless)


@pytest.mark.usefixtures("careless")
def test_a_single_difference_changes_nothing(evening: Path) -> None:
    with pytest.raises(ConversionError, match="would change"):
        convert_if_needed(evening, tell)
    assert_nothing_changed(evening)


def test_a_file_of_a_later_version_is_none_of_0_7(evening: Path) -> None:
    convert_if_needed(evening, tell)
    change(evening, "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('tidemark', 'm900', '')")
    assert convert_if_needed(evening, tell) is None
    with pytest.raises(Refusal, match="newer Tidemark"), opened(str(evening)):
        raise AssertionError


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_half_a_file(evening: Path, share: float) -> None:
    half = packed("evening")[: int(len(packed("evening")) * share) // 4096 * 4096]
    evening.write_bytes(half)
    with pytest.raises(Refusal, match="damaged"), opened(str(evening)):
        raise AssertionError
    assert evening.read_bytes() == half and not evening.with_name("evening.db.0.7").exists()


# -- other doors ---


def test_a_backup_of_0_7_is_restored_and_converted(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = tmp_path / "live.db"
    assert backup.check_copy(evening) == GAMES["evening"]
    assert main(["restore", "--db", str(live), str(evening)]) == 0
    assert "125 games converted" in capsys.readouterr().err
    assert is_converted(live) and evening.read_bytes() == packed("evening")
    assert backup.backup(evening, tmp_path / "copy.db") == backup.check_copy(tmp_path / "copy.db") == GAMES["evening"]


def test_the_doctor_says_what_to_do_about_it(evening: Path) -> None:
    found = {one.check: one for one in doctor_of_history.checks(evening)}
    assert found["schema"].level == doctor.WARNING
    assert "is from an older Tidemark. Start the server to convert it" in found["schema"].said
    assert_nothing_changed(evening)


def test_it_is_converted_before_it_is_moved(evening: Path, tmp_path: Path) -> None:
    assert main(["move", str(evening), str(tmp_path / "there.db")]) == 0
    with opened(str(tmp_path / "there.db")) as db:
        assert db.execute("SELECT count(*) FROM all_plays").fetchone() == (GAMES["evening"],)


def test_an_export_of_0_7_brings_in_the_same_as_a_conversion(evening: Path, tmp_path: Path) -> None:
    export = tmp_path / "club.json"
    export.write_bytes(lzma.decompress((Path(__file__).parent / "from_07" / "evening.json.xz").read_bytes()))
    imported = tmp_path / "imported.db"
    assert main(["import", "--db", str(imported), str(export)]) == 0
    convert_if_needed(evening, tell)
    sql = """SELECT key, decided_by, rules_version, basis, day, notes, place, seat, name, total, rank, winner, final, (
            SELECT json_group_array(json_array(rule, item, points)) FROM all_lines
            WHERE all_lines.play_id = all_scores.play_id AND all_lines.seat = all_scores.seat)
        FROM all_scores JOIN all_plays ON all_plays.id = play_id JOIN players ON players.id = player_id
        WHERE all_plays.club_id = 1 ORDER BY key, seat"""
    with closing(sqlite.to_read(imported)) as one, closing(sqlite.to_read(evening)) as other:
        found, expected = (
            [[*row[:4], *row[5:]] for row in db.execute(sql).fetchall()] for db in (one, other)
        )  # an export does not say where the club is, so days may differ
    assert found == expected and len(found) == 187


def test_an_export_of_0_7_may_hold_a_sure_victory_while_a_smaller_prize_is_open() -> None:
    """Ann has most chapels; of Bob and Cid one will get £3 for theirs, whatever the answer."""
    faces = {"chapel": "most_chapels", "gate": "step_brackets", "inn": "card_combinations", "bridge": "sets_of_six"}
    summaries = [{"buildings": 12, "types": {"C": chapels, "P": 0}, "sets": 0} for chapels in (5, 3, 3)]
    state = {"coins": 10, "gate_steps": 0, "cards": {}}
    players = [
        {"name": name, **state, "summary": one} for name, one in zip(("Ann", "Bob", "Cid"), summaries, strict=True)
    ]
    record: dict[str, Any] = {"game": "old_london_bridge", "table": {"scoring": faces}, "players": players}
    result = json.loads(json.dumps(score(record)))
    assert result["needs"] and result["decided_by"] == "points" and result["winners"] == ["Ann"]
    for player in result["players"]:  # as 0.7 has told it: without ranges
        player["lines"] = [{key: line[key] for key in LINE} for line in player["lines"]]
        player.pop("final", None), player.pop("range", None)
    check_result(record, result, 1)


# -- on a server ---


@pytest.fixture
def on_server(address: str, evening: Path) -> str:
    """The file of the evening as 0.7 keeps it on a server: the tables that a conversion reads."""
    with closing(sqlite3.connect(evening)) as file, psycopg.connect(address) as server:
        made = dict(
            file.execute(
                """SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL
                AND name NOT GLOB 'tally_*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_sqlite*'"""
            ).fetchall()
        )
        for function in FUNCTIONS:
            server.execute(function.encode())
        for table in copying.parents_first(made):
            server.execute(with_postgres_types(made[table]).encode())
            cursor = file.execute(f"SELECT * FROM {table}")
            columns = ", ".join(f'"{column[0]}"' for column in cursor.description)
            with server.cursor().copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
                for row in cursor:
                    copy.write_row(row)
        server.execute(f"CREATE TABLE {STEPS} (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)".encode())
        for (name,) in file.execute("SELECT name FROM _sqlite_migrations").fetchall():
            server.execute(f"INSERT INTO {STEPS} VALUES (%s, '')".encode(), [name])
    return address


def schemas(address: str) -> list[str]:
    with psycopg.connect(address) as server:
        rows = server.execute("SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg%' ORDER BY 1").fetchall()
    return [name for (name,) in rows if name != "information_schema"]


def test_a_server_gets_a_schema_beside_the_old_one(on_server: str, evening: Path) -> None:
    done = convert_if_needed(on_server, tell)
    assert done is not None and done.games == GAMES["evening"] and done.kept == "the schema public_0_7"
    assert schemas(on_server) == ["public", "public_0_7"]
    convert_if_needed(evening, tell)
    with opened(on_server) as db, opened(str(evening)) as file:
        assert rebuild.check(db) == []
        for table in ("all_plays", "all_scores", "all_lines", "all_cards", "version_scores", "photos", "seats"):
            rows = [[tuple(row) for row in copying.tables_of(one, [table])[0].rows()] for one in (db, file)]
            assert rows[0] == rows[1], table
        clubs = db.execute("SELECT max(id) FROM clubs").fetchone()[0]
        assert db.insert("clubs", name="Later", created_at="2026-01-01T00:00:00Z") == clubs + 1
    with psycopg.connect(on_server) as server:
        assert server.execute("SELECT count(*) FROM public_0_7.kept_plays").fetchone() == (GAMES["evening"],)


def test_all_nodes_of_a_server_have_to_stop(on_server: str) -> None:
    with closing(engine_of(on_server).connect(on_server)), pytest.raises(Refusal, match="is using"):
        convert_if_needed(on_server, tell)
    assert schemas(on_server) == ["public"]


@pytest.mark.usefixtures("careless")
def test_a_difference_leaves_nothing_on_a_server(on_server: str) -> None:
    with pytest.raises(ConversionError, match="would change"):
        convert_if_needed(on_server, tell)
    assert schemas(on_server) == ["public"]


def test_a_copy_of_a_server_of_0_7_is_restored_and_converted(
    on_server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["pg_dump", "--format=custom", f"--file={tmp_path / 'copy.dump'}", on_server]
    subprocess.run(command, check=True)
    with engines.empty() as back:
        assert main(["restore", "--db", back, str(tmp_path / "copy.dump")]) == 0
        assert "125 games converted" in capsys.readouterr().err
        assert schemas(back) == ["public", "public_0_7"]
