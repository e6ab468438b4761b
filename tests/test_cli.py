"""The command line as a person or a script uses it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import EXAMPLES, GAMES
from webapp.cli import command as cli


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "webapp.cli", *arguments], input=given, capture_output=True, text=True, check=False
    )


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_one_record_over_several_lines_is_scored() -> None:
    done = run("score", "--json", given=json.dumps(EXAMPLES[0].record, indent=2))
    [result] = lines_of(done.stdout)
    assert (done.returncode, done.stderr, result["ok"]) == (0, "", True)


def test_json_lines_come_back_one_by_one_in_order(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join([json.dumps(example.record) for example in EXAMPLES] + ["", "{broken", "[]"]))
    done = run("score", str(file), "--json")
    results = lines_of(done.stdout)
    assert [result["game"] for result in results] == [example.game.id for example in EXAMPLES] + ["", ""]
    assert [problem["code"] for result in results[-2:] for problem in result["problems"]] == ["unreadable"] * 2
    assert done.returncode == 1


@pytest.mark.parametrize(
    "given", ["", "nonsense", "[" * 100_000, "1" * 5000, '{"game": NaN}', "\ud800".encode("utf-8", "replace").decode()]
)
def test_what_is_not_a_record_is_refused_without_a_traceback(given: str) -> None:
    done = run("score", given=given)
    assert (done.returncode, done.stderr) == (1, "")
    assert "Problem" in done.stdout


def test_a_mark_of_byte_order_is_no_part_of_the_record(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(EXAMPLES[0].record), encoding="utf-8-sig")
    assert run("score", str(file)).returncode == 0


def test_a_missing_file_and_a_wrong_option_are_usage_errors() -> None:
    assert run("score", "/no/such/file").returncode == 2
    assert run("score", "--nonsense").returncode == 2
    assert run().returncode == 2


def test_the_table_shows_players_lines_and_the_winner() -> None:
    record = {
        "game": "tiny_towns",
        "table": {
            "mode": "standard",
            "cards": {
                "red": "farm",
                "grey": "well",
                "orange": "chapel",
                "green": "tavern",
                "yellow": "theater",
                "black": "factory",
            },
        },
        "players": [
            {"name": "Ann", "typed": {"tavern": 5, "empty": -14}},
            {"name": "Bartholomew", "typed": {"tavern": 9, "well": 1}},
        ],
    }
    done = run("score", given=json.dumps(record))
    assert done.stdout.splitlines() == [
        "Tiny Towns",
        "               Ann  Bartholomew",
        "Wells                         1",
        "Taverns          5            9",
        "Empty squares  -14",
        "Total           -9           10",
        "Place            2            1",
        "Bartholomew wins with 10.",
    ]


def test_reasons_are_printed_on_request() -> None:
    record = json.dumps(EXAMPLES[0].record)
    why = lines_of(run("score", "--json", given=record).stdout)[0]["players"][0]["lines"][0]["why"]
    assert why not in run("score", given=record).stdout
    assert why in run("score", "--why", given=record).stdout


def test_a_name_cannot_steer_the_terminal() -> None:
    record = EXAMPLES[0].record
    record["players"][0]["name"] = "\x1b[2J"
    done = run("score", given=json.dumps(record))
    assert "\x1b" not in done.stdout and done.returncode == 1


def test_games_are_listed() -> None:
    listed = json.loads(run("games", "--json").stdout.splitlines()[0])
    assert [game["id"] for game in listed] == [game.id for game in GAMES]
    assert all(game.name in run("games").stdout for game in GAMES)


def test_scoring_imports_nothing_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    check = (
        "import sys; from webapp import cli; cli.main(['games']); "
        "print([m for m in ('flask', 'cv2', 'numpy', 'sqlite_utils', 'PIL', 'wtforms') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_records_end_where_the_text_ends() -> None:
    assert list(cli.records('{"game": 1}\n\n{"game": 2}\n')) == [{"game": 1}, {"game": 2}]
