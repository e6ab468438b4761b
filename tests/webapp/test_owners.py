"""Each table has one owner: only that package writes it. The tables of the history are read through views elsewhere."""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from sqlite_utils import Database as SqliteUtils

from webapp.database import Database
from webapp.schema import migrations

pytestmark = pytest.mark.either

WEBAPP = Path(__file__).parents[2] / "webapp"
OWNERS = {
    "clubs": {"clubs", "links", "players", "matches", "devices", "audit_log"},
    "table": {
        *("tables", "seats", "seat_versions", "drafts", "changes", "rooms", "phones", "acts"),
        *("photos", "photo_boards", "pictures", "samples", "remembered", "box_cards"),
    },
    "history": {
        *("all_plays", "all_scores", "all_lines", "all_cards", "play_versions", "version_scores"),
        *("ratings", "standings", "achievements", "search_words", "rules", "room_plays"),
    },
    "exchange": {"import_pieces", "import_claims", "import_differences"},
    "jobs": {"jobs"},
}
OWNER = {table: owner for owner, tables in OWNERS.items() for table in tables}
# Whole databases are made, copied, converted and examined here. A row of `settings` belongs to the module naming it.
EXEMPT = {"schema", "database", "conversion.py", "moving.py", "doctor", "backup.py"}
SHARED = {"settings"}
# Statistics are the reading half of the history: queries over indexes that the views would hide.
READERS = {"history", "statistics"}
WRITES = r"(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)"
READS = r"(?:FROM|JOIN)\s+(\w+)"
CALLS = {"insert", "put", "upsert", "load"}


def sources() -> Iterator[tuple[str, Path, ast.Module]]:
    for file in sorted(WEBAPP.rglob("*.py")):
        package = file.relative_to(WEBAPP).parts[0]
        if package not in EXEMPT and file.name != "club_sqlite.py":
            yield package, file, ast.parse(file.read_text(encoding="utf-8"))


def texts(tree: ast.Module) -> Iterator[str]:
    """The SQL in it; what is filled in reads as X."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def tables_and_views() -> tuple[set[str], set[str]]:
    with closing(sqlite3.connect(":memory:")) as db:
        migrations.steps.apply(SqliteUtils(db, execute_plugins=False))
        found = db.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    ours = [(name, kind) for name, kind in found if not name.startswith(("sqlite_", "_sqlite"))]
    return {name for name, kind in ours if kind == "table"}, {name for name, kind in ours if kind == "view"}


def test_every_table_has_one_owner() -> None:
    assert tables_and_views()[0] == OWNER.keys() | SHARED


def test_only_the_owner_writes_a_table() -> None:
    strangers = []
    for package, file, tree in sources():
        written = {table for text in texts(tree) for table in re.findall(WRITES, text)}
        written |= {
            str(node.args[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in CALLS
            and node.args
            and isinstance(node.args[0], ast.Constant)
        }
        strangers += [(file.name, table) for table in sorted(written & OWNER.keys()) if OWNER[table] != package]
    assert strangers == []


def test_the_history_is_read_through_its_views() -> None:
    strangers = [
        (file.name, table)
        for package, file, tree in sources()
        if package not in READERS
        for text in texts(tree)
        for table in re.findall(READS, text)
        if table in OWNERS["history"] - {"rules"}
    ]
    assert strangers == []


def test_templates_are_given_values() -> None:
    """No function that a template can call takes a connection to the database."""
    tree = ast.parse((WEBAPP / "app.py").read_text(encoding="utf-8"))
    [dress] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "set_up_templates"]
    assert "get_db" not in ast.dump(dress)
    assert "context_processor" not in "".join(file.read_text(encoding="utf-8") for file in WEBAPP.rglob("*.py"))


def test_a_template_that_asks_the_database_fails_in_every_test(app: Flask, db: Database) -> None:
    """See `values_only`."""
    template = app.jinja_env.from_string("{{ ask('SELECT 1') }}")
    with pytest.raises(AssertionError, match="asks the database: SELECT 1"):
        template.render(ask=db.execute)
    assert db.execute("SELECT 1").fetchone() == (1,)
