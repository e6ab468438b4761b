"""The README keeps its word: its commands run, its SQL and JSON are understood, its version is the program's."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.core import score
from tests.conftest import EXAMPLES, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?:^    .*\n|^\n(?=    ))+", README, re.M)  # what stands indented
BOARD = ROOT / "tests" / "vision" / "photos" / "00.jpg"


def blocks_with(beginning: str) -> Iterator[str]:
    for block in BLOCKS:
        plain = re.sub(r"^    ", "", block.strip("\n"), flags=re.M)
        if plain.startswith(beginning):
            yield plain


def commands() -> list[str]:
    """The lines that call the program, without what is said of them."""
    return [re.split(r"\s{2,}", line)[0] for block in blocks_with("tidemark ") for line in block.splitlines()]


def tidemark(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run it as a shell would; the one redirection we show is into a file."""
    call, _, target = command.partition(" > ")
    done = subprocess.run(
        [sys.executable, "-m", "webapp.cli", *shlex.split(call)[1:]],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if target:
        (folder / target).write_text(done.stdout)
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where somebody tries the README out: a history, some records, a photo."""
    made = tmp_path_factory.mktemp("readme")
    assert tidemark("tidemark demo --games 12", made).returncode == 0
    (made / "record.json").write_text(json.dumps(EXAMPLES[0].record, indent=1))
    (made / "records.jsonl").write_text("\n".join(json.dumps(example.record) for example in EXAMPLES[:3]))
    shutil.copy(BOARD, made / "board.jpg")
    return made


def test_every_command_does_what_the_line_says(folder: Path) -> None:
    shown = commands()
    assert len(shown) >= 11, shown
    for command in shown:
        done = tidemark(command, folder)
        if command == "tidemark doctor":  # it may find something on this machine, but nothing that is wrong
            assert done.returncode in {0, 1}, done.stdout
            continue
        refused = command == "tidemark restore copy.db"  # there is a database, and nobody said --replace
        assert done.returncode == int(refused), f"{command}: {done.stdout}{done.stderr}"
        assert ("exists already" in done.stderr) == refused, command
    for written in ("all.json", "copy.db", "box.json"):
        assert (folder / written).stat().st_size, written


def test_the_questions_in_sql_have_answers(folder: Path) -> None:
    [block] = blocks_with("-- How long")
    questions = [one for one in re.split(r";\s*(?:\n|$)", block) if one.strip()]
    assert len(questions) == 3
    with sqlite3.connect(folder / "tidemark.db") as database:
        for question in questions:
            assert database.execute(question).fetchall(), question
    database.close()


def test_the_views_have_the_columns_the_table_names(folder: Path) -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (.+?) \|$", README, re.M)
    views = {
        view: re.findall(r"`(\w+)`", columns) for view, columns in rows if view in {"plays", "scores", "lines", "cards"}
    }
    assert len(views) == 4
    with sqlite3.connect(folder / "tidemark.db") as database:
        for view, columns in views.items():
            found = [row[1] for row in database.execute(f"PRAGMA table_info({view})")]
            assert columns == found, view
    database.close()


def test_the_record_is_legal() -> None:
    [record] = blocks_with('{"game"')
    result = score(json.loads(record))
    assert result["ok"], result["problems"]
    assert result["winners"] == ["Ann"]


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    named = re.findall(r"(?:^    |`)make ([\w-]+)", README, re.M)
    assert {"serve", "test"} <= set(named) <= set(targets)


def test_there_is_one_version_and_the_changes_begin_with_it() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    [latest, *_] = re.findall(r"^- \*\*([\d.]+)\*\*", README, re.M)
    assert version.removesuffix(".0") == latest


def test_every_setting_of_the_table_exists() -> None:
    """Somewhere in the program the name is used."""
    code = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "webapp").rglob("*.py"))
    settings = re.findall(r"^\| `TIDEMARK_(\w+)` \|", README, re.M)
    assert len(settings) >= 7
    for setting in settings:
        assert re.search(rf"\b{setting}\b", code), setting
