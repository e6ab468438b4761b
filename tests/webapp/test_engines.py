"""Both engines say the same: the same schema, the same rows, and statements that are written once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pytest
from sqlite_utils import Database as SqliteUtilsDatabase
from sqlite_utils import Migrations

from webapp.database import Database, Engine, UnusableDatabase, connect, engine_of, files
from webapp.database.postgres import named
from webapp.database.postgres_connection import Postgres
from webapp.database.postgres_dialect import to_postgres
from webapp.schema import migrations
from webapp.schema.upgrade import opened

pytestmark = pytest.mark.either


@pytest.fixture(params=["sqlite", "postgres"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a database, in a file and on the server."""
    return str(tmp_path / "t.db") if request.param == "sqlite" else str(request.getfixturevalue("address"))


@pytest.fixture
def there(anywhere: str) -> Iterator[Database]:
    with closing(opened(anywhere)) as db:
        yield db


@pytest.mark.parametrize("address", ["t.db", "postgresql://example/tidemark"])
def test_an_engine_has_all_that_others_call(address: str) -> None:
    """No type checker sees it, as the module is loaded by name."""
    wanted = {*Engine.__annotations__, *vars(Engine)} - {*vars(Protocol)}
    members = {name for name in wanted if not name.startswith("_")}
    assert "check_copy" in members
    assert [name for name in sorted(members) if not hasattr(engine_of(address), name)] == []


@pytest.mark.parametrize(
    ("ours", "theirs", "names"),
    [
        ("SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = $1 AND c = $2", ()),
        ("WHERE a = ?2 OR b = ?1 OR c = ?2", "WHERE a = $2 OR b = $1 OR c = $2", ()),
        ("WHERE a = :one AND b = :two AND c = :one", "WHERE a = $1 AND b = $2 AND c = $1", ("one", "two")),
        ("SELECT '?', 'it''s :one', x::text, ?", "SELECT '?', 'it''s :one', x::text, $1", ()),
        ("SELECT json_group_array(name) FROM t", "SELECT CAST(json_agg(name) AS TEXT) FROM t", ()),
        ("WHERE a IN () OR b NOT IN ()", "WHERE a IN (NULL) OR b IS DISTINCT FROM NULL", ()),
    ],
)
def test_a_statement_is_put_into_the_servers_words(ours: str, theirs: str, names: tuple[str, ...]) -> None:
    assert to_postgres(ours) == (theirs, names)


def test_the_schema_is_the_same(address: str, tmp_path: Path) -> None:
    with closing(opened(tmp_path / "t.db")) as file, closing(opened(address)) as server:
        tables = {name: told for name, told in file.columns().items() if "sqlite" not in name}
        assert {name: told for name, told in server.columns().items() if name != "schema_steps"} == tables
        assert server.steps_taken() == file.steps_taken()
        for view in ("plays", "scores", "lines"):
            columns = [
                [column[0] for column in db.execute(f"SELECT * FROM {view}").description] for db in (file, server)
            ]
            assert columns[0] == columns[1]


def test_values_come_back_as_they_went_in(there: Database) -> None:
    club = there.insert("clubs", name="Ärger 🏠 'quoted' \\", created_at="2026-01-01T00:00:00Z")
    photo = there.insert("photos", key="p", reading="{}", kept=True, created_at="")
    there.put("pictures", photo_id=photo, number=2**40, jpeg=b"\0\xff\x00")
    assert there.execute("SELECT name, id FROM clubs").fetchall() == [("Ärger 🏠 'quoted' \\", club)]
    assert there.row("SELECT kept, play_id FROM photos") == {"kept": 1, "play_id": None}
    assert there.execute("SELECT number, jpeg FROM pictures").fetchone() == (2**40, b"\0\xff\x00")
    [(total, mean, empty, larger)] = there.execute(
        "SELECT sum(number), avg(number), sum(number) FILTER (WHERE number < 0), max(number) > 5 FROM pictures"
    ).fetchall()
    assert (total, mean, empty, larger) == (2**40, 2.0**40, None, 1)
    assert isinstance(total, int) and type(larger) is int


def test_lists_of_values_are_asked_for_in_one_way(there: Database) -> None:
    for name in ("Ann", "Bob", "Cid"):
        there.insert("clubs", name=name, created_at="")
    numbers = there.execute(
        "SELECT name FROM clubs WHERE id IN (SELECT value FROM numbers_in(?)) ORDER BY id", ["[1,3]"]
    )
    assert [name for (name,) in numbers] == ["Ann", "Cid"]
    words = there.execute("SELECT id FROM clubs WHERE name IN (SELECT value FROM words_in(?))", ['["Bob","Zoe"]'])
    assert [number for (number,) in words] == [2]


def test_letters_stand_in_the_order_of_their_numbers(there: Database) -> None:
    for name in ("b", "a", "B", "é", "Z", "-"):
        there.insert("clubs", name=name, created_at="")
    rows = there.execute("SELECT name FROM clubs ORDER BY name").fetchall()
    assert [name for (name,) in rows] == ["-", "B", "Z", "a", "b", "é"]


def test_a_moment_is_looked_at_whole(anywhere: str, there: Database) -> None:
    with closing(connect(anywhere)) as other:
        with there.snapshot():
            assert there.execute("SELECT count(*) FROM clubs").fetchone() == (0,)
            other.insert("clubs", name="Meanwhile", created_at="")
            assert there.execute("SELECT count(*) FROM clubs").fetchone() == (0,)
        assert there.execute("SELECT count(*) FROM clubs").fetchone() == (1,)


# -- steps ---


def with_one_more(name: str) -> Migrations:
    """The steps of a version that does not exist yet."""
    more = Migrations("tidemark")
    more._migrations = [*migrations.steps._migrations]

    @more(name=name)
    def step(db: SqliteUtilsDatabase) -> None:
        db.execute("CREATE TABLE lanterns (id INTEGER PRIMARY KEY, lit REAL NOT NULL, note TEXT, oil BLOB) STRICT")
        db.execute("ALTER TABLE clubs ADD COLUMN lantern INTEGER REFERENCES lanterns(id) ON DELETE SET NULL")
        db.execute("UPDATE clubs SET lantern = NULL WHERE name = ?", ["Thursday"])

    return more


def test_a_later_step_is_taken_once_on_both(anywhere: str) -> None:
    opened(anywhere).close()
    more = with_one_more("m999_lanterns")
    for _ in range(2):
        with closing(engine_of(anywhere).opened(anywhere, more)) as db:
            assert db.columns()["lanterns"] == (["id", "lit", "note", "oil"], ["id"])
            assert "m999_lanterns" in db.steps_taken()


def test_what_a_newer_version_wrote_is_not_opened(anywhere: str) -> None:
    engine_of(anywhere).opened(anywhere, with_one_more("m999_lanterns")).close()
    with pytest.raises(UnusableDatabase, match="newer Tidemark"):
        opened(anywhere)


def test_a_node_that_has_become_old_writes_no_more(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(opened(address)) as old:
        engine_of(address).opened(address, with_one_more("m999_lanterns")).close()
        monkeypatch.setattr(Postgres, "newest", len(files.known(migrations.steps)))
        with pytest.raises(UnusableDatabase, match="newer Tidemark"), old.atomic(1):
            raise AssertionError
        assert not old.in_transaction
        assert old.execute("SELECT count(*) FROM clubs").fetchone() == (0,)  # it still shows


def test_nodes_that_start_together_make_the_schema_once(address: str) -> None:
    found: list[int] = []

    def start() -> None:
        with closing(opened(address)) as db:
            found.append(len(db.steps_taken()))

    starting = [threading.Thread(target=start) for _ in range(4)]
    for one in starting:
        one.start()
    for one in starting:
        one.join()
    assert found == [len(files.known(migrations.steps))] * 4


def test_another_programs_database_is_left_alone(address: str) -> None:
    with closing(connect(address)) as db:
        db.execute("CREATE TABLE theirs (id INTEGER)")
    with pytest.raises(UnusableDatabase, match="is not a Tidemark database"):
        opened(address)
    with closing(connect(address)) as db:
        assert list(db.columns()) == ["theirs"]


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    with pytest.raises(UnusableDatabase, match="can’t use") as told:
        opened("postgresql://ann:secret@127.0.0.1:1/club")
    assert "secret" not in str(told.value) and "127.0.0.1:1" in str(told.value)
    assert named("postgresql://ann:secret@db.example:5433/club") == "postgresql://db.example:5433/club"
