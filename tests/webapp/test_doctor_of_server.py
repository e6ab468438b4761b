"""The doctor at a database on a server: what it says, and that it says no password."""

from __future__ import annotations

import json
import sys
from contextlib import closing, nullcontext
from pathlib import Path

import psycopg
import pytest

from tests.packages import PEBBLES, install, installed
from tests.webapp.test_server import free_port
from webapp import clubs, create_app, doctor
from webapp.cli import main
from webapp.cli.open_database import opened
from webapp.database import connect, engine_of
from webapp.doctor import history, machine

pytestmark = pytest.mark.either


def found(address: str) -> dict[str, doctor.Finding]:
    return {one.check: one for one in sorted(history.checks(address), key=lambda one: one.level)}


def test_a_sound_database(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(address, new=True) as db:
        clubs.create(db, "Thursday")
    findings = found(address)
    assert set(findings) == {
        *("version", "encoding", "on_disk", "connections", "schema", "integrity", "clock"),
        *("jobs", "copies", "tables"),
    }
    # The server of the tests keeps nothing, so it does not wait for its disk.
    assert {check for check, one in findings.items() if one.level} == {"on_disk"}
    assert "fsync" in findings["on_disk"].said
    assert main(["doctor", "--json", "--db", address, "--port", str(free_port())]) == 1
    assert json.loads(capsys.readouterr().out)["level"] == 1


def test_a_node_with_other_packages_is_named(address: str, tmp_path: Path) -> None:
    install(tmp_path / "old", "pebbles", PEBBLES)
    install(tmp_path / "new", "pebbles", PEBBLES, version="1.1")

    def started(packages: Path | None) -> doctor.Finding:
        """Return what the doctor says with the old package once a node with these has started."""
        with installed(packages) if packages else nullcontext():
            app = create_app({"DATABASE": address, "SECRET_KEY": "for the tests"})
            app.extensions["connections"].close()
        with installed(tmp_path / "old"):
            return found(address)["packages"]

    assert started(tmp_path / "old").level == doctor.FINE
    for finding in (started(None), started(tmp_path / "new"), found(address)["packages"]):
        assert finding.said == "These games differ between your servers: pebbles."


def test_what_is_wrong(address: str) -> None:
    assert found(address)["database"].level == doctor.WARNING  # nothing is in it yet
    with opened(address, new=True) as db:
        db.execute("ALTER TABLE standings ADD CONSTRAINT not_yet CHECK (plays >= 0) NOT VALID")
    assert "not_yet" in found(address)["integrity"].said
    with closing(connect(address)) as db:
        db.execute("INSERT INTO schema_steps VALUES ('m999_wonders', '')")
    assert "newer" in found(address)["schema"].said


def test_another_programs_database(address: str) -> None:
    with psycopg.connect(address) as theirs:
        theirs.execute("CREATE TABLE theirs (id INTEGER)")
    assert "is not a Tidemark database" in found(address)["schema"].said


def test_who_is_at_it(address: str) -> None:
    engine, port = engine_of(address), free_port()
    assert not engine.is_used(address)
    with closing(connect(address)):
        assert engine.is_used(address)
        [one] = machine.probe_server(address, port)
        assert one.level == doctor.WARNING and "doesn’t answer" in one.said


@pytest.mark.parametrize(
    "address",
    ["postgresql://ann:hush@127.0.0.1:1/club", "postgresql://ann:hu/sh@127.0.0.1/club", "postgresql://ann:hush@[::1/x"],
)
@pytest.mark.parametrize("command", ["doctor", "serve", "recount", "demo", "backup x", "link", "move x"])
def test_a_server_that_cannot_be_reached_is_told_without_its_password(
    command: str, address: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, *rest = command.split()
    arguments = [name, address, *rest] if name == "move" else [name, "--db", address, *rest]
    monkeypatch.setenv("TIDEMARK_DATABASE", address)
    try:
        code = main(arguments)
    except SystemExit as end:
        code = 1 if isinstance(end.code, str) else int(end.code or 0)
        print(end.code)
    told = "".join(capfd.readouterr())
    assert code and told and "hu" not in told.replace("hundred", "") and "Traceback" not in told, told


def test_a_password_on_the_command_line_is_seen_by_everybody_there(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--db", "postgresql://ann:hush@127.0.0.1:1/x"], ["--db=postgresql://ann:hush@127.0.0.1:1/x"]):
        assert main(["clock", *arguments]) == 1
        assert "other users can see this password" in capsys.readouterr().err
    assert main(["clock", "--db", "postgresql://ann@127.0.0.1:1/x"]) == 1
    assert "everybody" not in capsys.readouterr().err


def test_where_the_client_is_missing_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("webapp.database.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert main(["recount", "--db", "postgresql://host/name"]) == 1
    assert "pip install 'tidemark[postgres]'" in capsys.readouterr().err
    [one] = history.checks("postgresql://host/name")
    assert one.level == doctor.FAULT and "tidemark[postgres]" in one.said
