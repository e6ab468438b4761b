"""The commands that look after a history, as they are typed."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

import pytest

from webapp.cli.command import main

pytestmark = pytest.mark.either  # of files, whatever is tried with a server


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "demo.db"
    assert main(["demo", "--db", str(path), "--games", "12"]) == 0
    return path


@pytest.fixture
def demo(made: Path, tmp_path: Path) -> str:
    return str(shutil.copy(made, tmp_path / "demo.db"))


@pytest.mark.either
@pytest.mark.parametrize("ending", ["json", "csv", "bgsplay"])
def test_what_is_exported_is_imported(
    demo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    file, other = str(tmp_path / f"out.{ending}"), str(tmp_path / "other.db")
    assert main(["export", file, "--db", demo]) == 0
    capsys.readouterr()
    assert main(["import", file, "--db", other]) == 0
    assert capsys.readouterr().out.startswith("12 games added")
    assert main(["import", file, "--db", other]) == 0
    assert capsys.readouterr().out.startswith("0 games added\n12 were already here")


def test_dates_that_can_be_read_two_ways_need_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other = tmp_path / "games.csv", str(tmp_path / "other.db")
    file.write_text("date;game;player;total\n3/4/2026;Tenby;Ann;28\n", encoding="utf-8")
    assert main(["import", str(file), "--db", other]) == 1
    assert "Choose day first or month first." in capsys.readouterr().err
    assert main(["import", str(file), "--db", other, "--dates", "month"]) == 0
    assert capsys.readouterr().out.startswith("1 game added")


def test_a_history_goes_through_a_pipe(
    demo: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["export", "--db", demo]) == 0
    sys.stdout.flush()
    written = capfdbinary.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written)))
    assert main(["import", "-", "--db", str(tmp_path / "other.db")]) == 0
    assert b"12 games added" in capfdbinary.readouterr().out


def test_lines_go_out_too(demo: str, tmp_path: Path) -> None:
    file = tmp_path / "lines.csv"
    assert main(["export", str(file), "--as", "lines", "--excel", "--db", demo]) == 0
    columns = ("play", "date", "game", "player", "position", "rule", "label", "points")
    # Every field is quoted, so that no spreadsheet takes it apart.
    quoted = ",".join(f'"{column}"' for column in (*columns, "total", "rank", "winner", "open"))
    assert file.read_text(encoding="utf-8").startswith(f"\ufeff{quoted}\n")


def test_counting_again_finds_nothing_wrong(demo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recount", "--check", "--db", demo]) == 0
    assert main(["recount", "--db", demo]) == 0
    assert "All statistics are right." in capsys.readouterr().out


def test_scoring_again_changes_nothing(demo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rescore", "--all", "--apply", "--db", demo]) == 0
    assert "0 games were rescored." in capsys.readouterr().out


def test_a_copy_is_made_and_put_back(demo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = str(tmp_path / "copy.db")
    assert main(["backup", copy, "--db", demo]) == 0
    assert main(["backup", copy, "--db", demo]) == 1
    assert main(["restore", copy, "--db", demo]) == 1
    assert main(["restore", copy, "--db", demo, "--replace"]) == 0
    assert main(["restore", str(tmp_path / "no.db"), "--db", demo, "--replace"]) == 1
    printed = capsys.readouterr()
    assert "12 games" in printed.out and "already exists" in printed.err and "there is no file" in printed.err


def test_what_cannot_be_done_is_told(tmp_path: Path, demo: str, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    assert main(["import", str(bad), "--db", demo]) == 1
    assert main(["import", str(tmp_path / "no.json"), "--db", demo]) == 1
    with pytest.raises(SystemExit, match="no database"):
        main(["recount", "--db", str(tmp_path / "no.db")])
    with pytest.raises(SystemExit, match="no such club"):
        main(["export", str(tmp_path / "x.json"), "--db", demo, "--club", "99"])
    assert "not from Tidemark or BG Stats" in capsys.readouterr().err
