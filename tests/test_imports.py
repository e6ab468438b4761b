"""Imports point one way, between the packages and between the folders; a folder is entered by its door.

`docs/developers/architecture.md` draws what is held here.
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from scorer import games
from tests.conftest import ROOT

PACKAGES = {"scorer": {"scorer"}, "vision": {"vision", "scorer"}, "webapp": {"webapp", "vision", "scorer"}}
OURS = set(PACKAGES) | {"tests"}

# Each may import those before it, never one after it.
WEBAPP = (
    *(
        "language",
        "untranslated",
        "template_messages",
        "i18n",
        "template_filters",
        "notices",
        "numbers",
        "operator_errors",
        "doctor_check",
        "addresses",
        "settings",
        "downloads",
        "qr",
    ),
    *("days", "themes", "compression", "avatars", "picture"),
    *("private_files", "open_files", "checksum", "clock", "metrics", "logs"),
    *("database", "clock_check", "schema", "retry", "clubs", "jobs", "photo_uploads", "viewfinder"),
    *("static_files", "spool", "front", "admission"),
    *(
        "table",
        "history",
        "statistics",
        "page",
        "parts",
        "exchange",
        "conversion",
        "purging",
        "backup",
        "moving",
        "doctor",
        "not_found",
        "error_pages",
        "views",
        "app",
        "server",
        "checking",
        "cli",
    ),
)
SCORER = (
    "sentences",
    "names",
    "spans",
    "contract",
    "bounds",
    "grid",
    "dates",
    "values",
    "spelling",
    "record_value",
    "record_reader",
    "record",
    "record_names",
    "cardbox",
    "jsontext",
    "ranking",
    "completions",
    "about",
    "contract_check",
    "typed_conflicts",
    "games",
    "typed",
    "form_messages",
    "result",
    "core",
    "report",
    "insight",
    "check",
)
FOLDERS = [folder.name for folder in (ROOT / "webapp").iterdir() if (folder / "__init__.py").is_file()]


@cache
def imports(file: Path) -> list[tuple[str, str]]:
    return [*imported(file)]


def imported(file: Path) -> Iterator[tuple[str, str]]:
    """Module and name of every import that is carried out; the name is "" where a whole module is imported."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    only_types = [
        node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    named = {inner for node in only_types for inner in ast.walk(node)}
    for node in (node for node in ast.walk(tree) if node not in named):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are written in full"
            yield from ((node.module or "", alias.name) for alias in node.names)


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def neighbours(package: str, file: Path) -> Iterator[tuple[str, str, str]]:
    """Of the imports from the file's own package: the part of the package, the module, the name."""
    for module, name in imports(file):
        if module.split(".")[0] == package:
            path = [*module.split(".")[1:], name]
            yield path[0], module, name


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_stands_below_it(package: str) -> None:
    for file in files(package):
        wrong = {module.split(".")[0] for module, _ in imports(file)} & OURS - PACKAGES[package]
        assert not wrong, f"{file.relative_to(ROOT)} imports {wrong}"


def test_the_scorer_needs_nothing_but_the_standard_library() -> None:
    for file in files("scorer"):
        outside = {module.split(".")[0] for module, _ in imports(file)} - sys.stdlib_module_names - {"scorer"}
        assert not outside, f"{file.relative_to(ROOT)} imports {outside}"


@pytest.mark.parametrize(("package", "order"), [("webapp", WEBAPP), ("scorer", SCORER)])
def test_the_parts_of_a_package_import_downward(package: str, order: tuple[str, ...]) -> None:
    """No circles: what stands first knows nothing of what comes later."""
    for file in files(package):
        part = file.relative_to(ROOT / package).parts[0].removesuffix(".py")
        if part in {"__init__", "translations"}:  # the package's own door, and a tool that only reads sources
            continue
        assert part in order, f"{file.relative_to(ROOT)}: where does {part} stand?"
        for other, module, name in neighbours(package, file):
            if other not in order:  # `from webapp import create_app`
                continue
            assert order.index(other) <= order.index(part), f"{file.relative_to(ROOT)} imports {module} ({name})"


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_is_known_by_its_door_only(folder: str) -> None:
    """Check that other packages import only what the folder's `__all__` names."""
    door = f"webapp.{folder}"
    offered = set(getattr(importlib.import_module(door), "__all__", ()))
    for file in files("webapp"):
        if file.relative_to(ROOT / "webapp").parts[0] == folder:
            continue
        for other, module, name in neighbours("webapp", file):
            if other != folder or folder == "views":  # the app registers each view
                continue
            assert module in {door, "webapp"}, f"{file.relative_to(ROOT)} goes past the door of {folder}: {module}"
            assert module == "webapp" or name in offered, f"{name} is not offered by {door}"


def test_views_do_not_know_each_other() -> None:
    for file in (ROOT / "webapp" / "views").glob("*.py"):
        others = [module for module, _ in imports(file) if module.startswith("webapp.views")]
        assert not others, f"{file.relative_to(ROOT)} imports {others}"


@pytest.mark.parametrize("game", games.ids())
def test_a_game_knows_neither_another_game_nor_who_asks_it(game: str) -> None:
    above = {"core", "result", "report", "ranking", "insight", "check"}
    for file in (ROOT / "scorer" / "games" / game).rglob("*.py"):
        for part, module, name in neighbours("scorer", file):
            assert part not in above, f"{file.relative_to(ROOT)} imports {module}"
            if part == "games":
                assert f"{module}.{name}".split(".")[2] == game, f"{file.relative_to(ROOT)} imports {module}"


# What is about SQLite files as such: copies of them, what a club takes with it, and a file that only sorts.
ABOUT_FILES = {"checksum.py", "exchange/club_sqlite.py", "exchange/tables.py"}
ENGINES = re.compile(r"psycopg|postgres|^sqlite3?$|^Sqlite$", re.IGNORECASE)
SERVER = re.compile(r"psycopg|postgres", re.IGNORECASE)


def named(file: Path) -> Iterator[str]:
    """Every name and every text of a program, but for what it says to people and what is said about it."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    said = {
        text
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in {"say", "say_count"}
        for text in ast.walk(call)
    }
    about = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield from node.name.split(".")
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in said | about:
            yield node.value


@pytest.mark.parametrize("package", PACKAGES)
def test_nobody_outside_its_folder_asks_which_engine_keeps_the_database(package: str) -> None:
    for file in files(package):
        place = file.relative_to(ROOT / package).as_posix()
        if not place.startswith(("database/", "translations/")):
            engines = SERVER if place in ABOUT_FILES else ENGINES
            wrong = {name for name in named(file) if engines.search(name)}
            assert not wrong, f"{package}/{place} names {wrong}"


def test_a_household_loads_no_client_of_a_server(tmp_path: Path) -> None:
    """Check pages, commands and background jobs with a SQLite file."""
    script = """
import pkgutil, sys, webapp
for module in pkgutil.walk_packages(webapp.__path__, "webapp."):
    if not module.name.startswith(("webapp.database.postgres", "webapp.translations", "webapp.cli.__main__")):
        __import__(module.name)
app = webapp.create_app({"DATABASE": sys.argv[1], "SECRET_KEY": "for the tests"})
assert app.test_client().get("/").status_code == 200
assert not [name for name in sys.modules if "psycopg" in name or "postgres" in name]
"""
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "t.db")], check=True, cwd=ROOT)


# What people are shown or told, and the tools that train readers, may show any game.
MAY_NAME_GAMES = ("scorer/games/", "vision/games/", "vision/training/", "webapp/translations/")


def test_nothing_outside_its_folder_names_a_game() -> None:
    """General code asks what a game can do, never which one it is."""
    words = [word for game in games.all_games() for word in (game.id, str(game.name))]
    named = re.compile("|".join(re.escape(word).replace("_", "[-_ ]") for word in words), re.IGNORECASE)
    for package in (*PACKAGES, "templates"):
        for file in sorted((ROOT / package).rglob("*")):
            place = file.relative_to(ROOT).as_posix()
            if file.suffix in {".py", ".toml", ".html", ".css", ".js", ".json", ".svg"} and not any(
                place.startswith(folder) for folder in MAY_NAME_GAMES
            ):
                found = named.findall(file.read_text(encoding="utf-8"))
                assert not found, f"{place} names {', '.join(sorted(set(found)))}"
