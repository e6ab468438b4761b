"""The command line as a person or a script uses it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

from tests.conftest import EXAMPLES, GAMES, ROOT
from webapp.cli import main, scoring


class Done(NamedTuple):
    returncode: Any
    stdout: str
    stderr: str


def run(*arguments: str, given: str = "") -> Done:
    """Run the command in this process, which is much quicker than to start one."""
    out, err, typed = io.StringIO(), io.StringIO(), io.TextIOWrapper(io.BytesIO(given.encode()))
    with redirect_stdout(out), redirect_stderr(err), mock.patch.object(sys, "stdin", typed):
        try:
            code: Any = main(arguments)
        except SystemExit as ended:
            code = ended.code
    return Done(code, out.getvalue(), err.getvalue())


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_one_record_over_several_lines_is_scored() -> None:
    command = [sys.executable, "-m", "webapp.cli", "score", "--json"]
    given = json.dumps(EXAMPLES[0].record, indent=2)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
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
        "Rank             2            1",
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


def test_the_version_is_the_one_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert run("--version").stdout == f"{project['version']}\n"


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


BROKEN = json.dumps(EXAMPLES[0].record, indent=1).replace(",", "", 1)


def test_a_record_that_is_no_json_says_so_once_with_line_and_column() -> None:
    done = run("score", given=BROKEN)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "No result",
        "Problem: Line 3, column 2: this is not JSON.",
    ]


def test_a_broken_line_of_many_says_which_one_it_is() -> None:
    good = json.dumps(EXAMPLES[0].record)
    done = run("score", "--json", given=f'{good}\n\n{good}\n{{"game": "tenby" "players": []}}\n{good}\n')
    results = lines_of(done.stdout)
    assert [result["ok"] for result in results] == [True, True, False, True]
    [problem] = results[2]["problems"]
    assert problem["code"] == "unreadable" and "Line 4, column 18" in problem["message"]


def test_json_lines_end_at_line_feeds_only() -> None:
    record = EXAMPLES[0].record
    record["players"][0]["name"] = "A\u2028B"
    line = json.dumps(record, ensure_ascii=False)
    assert len(lines_of(run("score", "--json", given=f"{line}\r\n{line}\r\n").stdout)) == 2


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('{"a": 1}\n{"a": 2}\n', [('{"a": 1}\n', 1), ('{"a": 2}\n', 2)]),
        ('{"a": 1}', [('{"a": 1}', 1)]),
        ('{"a":\n1}\n', [('{"a":\n1}\n', 1)]),
        ('\n \n{\n\n"a": 1}', [('\n\n{\n\n"a": 1}', 1)]),
        ("{\u2028}", [("{\u2028}", 1)]),
        ("", [("", 1)]),
        (" \n\n", [("", 1)]),
        ("{broken\n{}\n{}", [("{broken\n", 1), ("{}\n", 2), ("{}", 3)]),
        ('{"a" 1,\n"b": 2}', [('{"a" 1,\n"b": 2}', 1)]),
        ('{"a": [\n{"b": 1},\n{"b": 2}]}', [('{"a": [\n{"b": 1},\n{"b": 2}]}', 1)]),
        ('[\n{"a": 1}\n]', [('[\n{"a": 1}\n]', 1)]),
    ],
)
def test_the_first_lines_tell_whether_each_line_is_a_record(given: str, expected: list[tuple[str, int]]) -> None:
    lines = io.StringIO(given, newline="\n")
    assert list(scoring.records(iter(enumerate(lines, start=1)))) == expected


def test_a_fault_in_a_record_over_several_lines_is_found_past_empty_ones() -> None:
    done = run("score", "--json", given='\n{"game": "tenby",\n\n "players" []}')
    [problem] = lines_of(done.stdout)[0]["problems"]
    assert "Line 4, column 12" in problem["message"] and done.stderr == ""


@pytest.mark.parametrize("options", [(), ("--json",), ("--json", "--totals")], ids=" ".join)
def test_each_line_is_answered_before_the_next_one_comes(options: tuple[str, ...]) -> None:
    record = EXAMPLES[0].record
    command = [sys.executable, "-m", "webapp.cli", "score", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdin and running.stdout
        for name in ("Zoe", "Yan"):
            record["players"][0]["name"] = name
            print(json.dumps(record), file=running.stdin, flush=True)
            while name not in running.stdout.readline():
                assert running.poll() is None
        running.stdin.close()
        running.stdout.read()
    assert running.returncode == 0


PEAK = """
import resource, sys
from webapp.cli import main
main(["score", *sys.argv[1:]])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def peak(file: Path, tables: int) -> int:
    """Return the most memory that the command takes for a file of so many tables."""
    lines = [json.dumps(example.record) + "\n" for example in EXAMPLES]
    with file.open("w") as written:
        written.writelines(lines[number % len(lines)] for number in range(tables))
    command = [sys.executable, "-c", PEAK, str(file), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == tables
    return int(done.stderr)


def test_a_file_of_any_length_takes_no_more_memory(tmp_path: Path) -> None:
    """Two thousand results would take 30 MB."""
    assert peak(tmp_path / "long.jsonl", 2_000) < 1.15 * peak(tmp_path / "short.jsonl", 100)


def test_totals_leave_the_reasons_out() -> None:
    records = "".join(json.dumps(example.record) + "\n" for example in EXAMPLES)
    told, totals = (lines_of(run("score", "--json", *option, given=records).stdout) for option in ([], ["--totals"]))
    for player in (player for result in told for player in result["players"]):
        player["lines"] = [{key: line[key] for key in ("rule", "item", "label", "points")} for line in player["lines"]]
        player["tiebreaks"] = [{key: rung[key] for key in ("rule", "value")} for rung in player["tiebreaks"]]
    assert totals == told


def test_reasons_cannot_be_asked_for_and_left_out() -> None:
    assert run("score", "--why", "--totals").returncode == 2


def test_a_folder_is_no_file() -> None:
    done = run("score", ".")
    assert (done.returncode, done.stdout) == (2, "") and "can’t use ." in done.stderr


def test_a_key_that_stands_twice_is_refused_with_its_place() -> None:
    given = '{"game": "tenby",\n "table": {"a": ["x: {", {"b": 1}], "b": 2,\n  "\\u0061": 3}}'
    [result] = lines_of(run("score", "--json", given=given).stdout)
    [problem] = result["problems"]
    assert problem["code"] == "unreadable"
    assert problem["message"] == "Line 3, column 3: “a” appears twice. Remove one of them."
