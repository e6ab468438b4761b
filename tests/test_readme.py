"""The documentation keeps its word: commands run, SQL, JSON and requests are understood, settings exist."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sqlite3
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask

from scorer.core import score
from tests.conftest import EXAMPLES, ROOT
from tests.documents import (
    DOCS,
    FOR_EVERYBODY,
    INLINE,
    PAGES,
    README,
    blocks,
    commands,
    name,
    our_commands,
    prose,
    text,
)
from webapp import create_app, settings
from webapp.cli.command import main, parser
from webapp.settings import KNOWN, PREFIX

BOARD = ROOT / "tests" / "vision" / "photos" / "00.jpg"
DEVELOPERS = DOCS / "developers"
RECORDS, SETTINGS, SQL = DEVELOPERS / "records.md", DOCS / "servers" / "settings.md", DOCS / "servers" / "sql.md"
RUN = [page for page in (*FOR_EVERYBODY, RECORDS) if our_commands(page)]
# The tests of the server and of the doctor run these.
ELSEWHERE = ("tidemark serve", "tidemark doctor")
SYSTEM = re.compile(
    r"""(sudo\ )?(
      make\ .+ | git\ clone\ \S+(\ \S+)? | git\ (pull|rev-parse\ HEAD|checkout\ .+)
    | cd\ (/srv/)?tidemark | pipx\ install\ \. | (\.venv/bin/)?pip\ install\ --require-hashes\ --requirement\ \S+
    | \.venv/bin/python\ -m\ pytest\ .+ | curl\ .+ | cp\ deploy/\S+\ /etc/\S+
    | echo\ LISTEN=0\.0\.0\.0(\ >\ \S+)? | tee\ /(etc|root)/\S+
    | apt-get\ (update|install\ .+) | systemctl\ (enable\ --now|restart|start|stop)(\ tidemark@\d+|\ caddy)+
    | journalctl\ --unit\ tidemark@\d+ | create(user|db)\ .*tidemark
    | export(\ (TIDEMARK_(SITE|IMAGE)|POSTGRES_PASSWORD)=\S+)+ | docker\ (build|run|buildx\ build)\ .+
    | docker\ compose\ --file\ deploy/compose.yaml\ (pull|up|logs)(\ --?[a-z-]+|\ node\d)*
    )""",
    re.VERBOSE,
)
OURS = re.compile(r"(?:deploy/|requirements)[\w@.-]*")
# The unit, PostgreSQL, Caddy and compose.yaml read these.
FOR_OTHERS = {"LISTEN", "PGPASSWORD", "TIDEMARK_SITE", "TIDEMARK_NODES", "TIDEMARK_IMAGE"}
MAKE = re.compile(r"make ([a-z][\w-]*)")


@dataclass
class Shell:
    """Runs our commands in a folder with a history, some records and a photo."""

    folder: Path
    printed: pytest.CaptureFixture[str]

    def run(self, command: str) -> tuple[int, str]:
        """Run a command, and return its exit code and what it said; the one redirection that we show is into a file."""
        call, _, target = command.partition(" > ")
        code = main(shlex.split(call)[1:])
        out, err = self.printed.readouterr()
        if target:
            (self.folder / target).write_text(out)
        return code, out + err


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("prepared")
    assert main(["demo", "--games", "12", "--db", str(made / "tidemark.db")]) == 0
    (made / "record.json").write_text(json.dumps(EXAMPLES[0].record, indent=1))
    (made / "records.jsonl").write_text("\n".join(json.dumps(example.record) for example in EXAMPLES[:3]))
    shutil.copy(BOARD, made / "board.jpg")
    return made


@pytest.fixture
def shell(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    folder = shutil.copytree(prepared, tmp_path / "here")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("TIDEMARK_DATABASE", raising=False)
    return Shell(folder, capsys)


@pytest.mark.parametrize("page", RUN, ids=name)
def test_every_command_runs(page: Path, shell: Shell) -> None:
    for command in our_commands(page):
        if not command.startswith(ELSEWHERE):
            code, said = shell.run(command)
            assert code == 0, f"{command}: {said}"
    made = re.findall(r"(?:export|backup|move \S+|export \S+ >) ([\w.]+)$", "\n".join(our_commands(page)), re.M)
    assert all((shell.folder / file).stat().st_size for file in made)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_that_is_named_is_understood(page: Path) -> None:
    for command in [*INLINE.findall(prose(page)), *our_commands(page)]:
        if command.startswith("tidemark ") and "COMMAND" not in command:
            arguments = shlex.split(re.split(r" > | \|\| ", command)[0])[1:]
            assert exit_code(arguments if len(arguments) > 1 else [*arguments, "--help"]) == 0, command


def exit_code(arguments: list[str]) -> int | str | None:
    """Return what a command would end with for its words alone; a name without arguments is asked for its help."""
    try:
        parser().parse_args(arguments)
    except SystemExit as ended:
        return ended.code
    return 0


@pytest.mark.parametrize("page", [README, *FOR_EVERYBODY, RECORDS, DEVELOPERS / "testing.md"], ids=name)
def test_nothing_is_shown_as_a_command_that_no_test_knows(page: Path) -> None:
    others = [line for line in commands(page) if not re.match(r"(sudo )?(\S*/)?tidemark ", line)]
    assert [line for line in others if not all(map(SYSTEM.fullmatch, re.split(r" && | \| (?=sudo tee )", line)))] == []
    assert all((ROOT / file).is_file() for line in others for file in OURS.findall(line))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_setting_that_is_named_or_shown_is_understood(page: Path) -> None:
    named = set(re.findall(rf"\b{PREFIX}([A-Z_]+)\b", text(page)))
    assert named <= {*KNOWN, *(variable.removeprefix(PREFIX) for variable in FOR_OTHERS)}
    for block in blocks(page, "ini"):
        shown = dict(line.split("=", 1) for line in block.splitlines())
        ours = {variable: value for variable, value in shown.items() if variable not in FOR_OTHERS}
        assert settings.unknown(ours) == []
        assert len(settings.of(ours)) == len(ours), block


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_is_made_is_a_target_of_the_makefile(page: Path) -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    named = [found[1] for line in [*INLINE.findall(prose(page)), *commands(page)] if (found := MAKE.match(line))]
    assert set(named) <= set(targets)


def test_no_restore_without_being_asked(shell: Shell) -> None:
    """Without --replace a database that exists stays, as docs/servers/backups.md says."""
    assert shell.run("tidemark backup copy.db")[0] == 0
    code, said = shell.run("tidemark restore copy.db")
    assert code == 1
    assert "already exists" in said


def test_the_questions_in_sql_have_answers(prepared: Path) -> None:
    [block] = blocks(SQL, "sql")
    questions = [one for one in re.split(r";\s*(?:\n|$)", block) if one.strip()]
    assert len(questions) == 3
    with sqlite3.connect(prepared / "tidemark.db") as database:
        for question in questions:
            assert database.execute(question).fetchall(), question
    database.close()


def test_the_views_have_the_columns_the_table_names(prepared: Path) -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (.+?) \|$", text(SQL), re.M)
    views = {view: re.findall(r"`(\w+)`", columns) for view, columns in rows}
    assert views.keys() == {"plays", "scores", "lines", "cards"}
    with sqlite3.connect(prepared / "tidemark.db") as database:
        for view, columns in views.items():
            found = [row[1] for row in database.execute(f"PRAGMA table_info({view})")]
            assert columns == found, view
    database.close()


def test_the_record_is_legal_and_its_result_has_the_keys_of_the_table() -> None:
    [record] = blocks(RECORDS, "json")
    result = score(json.loads(record))
    assert result["ok"], result["problems"]
    assert result["winners"] == ["Ann"]
    assert result["decided_by"] == "points"  # 11 for Ann, 5 for Bob
    assert {row[0] for row in re.findall(r"^\| `([a-z]\w*)` \| (.+) \|$", text(RECORDS), re.M)} <= set(result)


def test_every_request_is_answered(prepared: Path) -> None:
    client = api().test_client()
    requests = [shlex.split(line) for line in commands(RECORDS) if line.startswith("curl ")]
    assert len(requests) == 4
    for _, *options, address in requests:
        path = address.removeprefix("http://localhost:8000")
        if not options:
            answer = client.get(path)
        elif options[0] == "--json":
            answer = client.post(path, json=json.loads((prepared / options[1].removeprefix("@")).read_text()))
        else:
            field, _, file = options[1].partition("=@")
            with (prepared / file).open("rb") as photo:
                answer = client.post(path, data={field: (photo, file)})
        assert answer.status_code in {200, 202}, address  # 202 where photos of others come first


def api() -> Flask:
    """Return an app without a database, which the API does without."""
    return create_app({"DATABASE": ":memory:", "TESTING": True, "SECRET_KEY": "for the tests"})


def test_there_is_one_version_and_the_changes_begin_with_it() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    [latest, *_] = re.findall(r"^## ([\d.]+)", text(ROOT / "CHANGELOG.md"), re.M)
    assert version.removesuffix(".0") == latest


def test_the_table_of_settings_has_every_setting() -> None:
    settings = re.findall(rf"^\| `{PREFIX}(\w+)` \|", text(SETTINGS), re.M)
    assert sorted(settings) == sorted(KNOWN)
