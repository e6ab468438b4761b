"""Any household machine: what a family starts uses nothing that only Unix has (household/sitecustomize.py hides it)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES, ROOT
from tests.webapp.visitor import PHOTO, Serving, Visitor, clean, serving

pytestmark = pytest.mark.sqlite
HERE = Path(__file__).parent / "household"
# Nor does Windows know of time zones, of UTF-8 where nobody asks for it, or of a folder called /tmp.
ELSEWHERE = {
    "PYTHONPATH": os.pathsep.join([str(HERE), str(ROOT)]),
    "PYTHONTZPATH": "",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "PYTHONIOENCODING": "cp1252",
    "LC_ALL": "C",
}


def tidemark(*arguments: object, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "webapp.cli", *map(str, arguments)],
        input=given,
        capture_output=True,
        env=clean(ELSEWHERE),
        cwd=ROOT,
        check=False,
    )


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path / "home.db", environment=ELSEWHERE) as found:
        yield found


def test_nothing_of_unix_is_left(tmp_path: Path) -> None:
    """Or the tests below would hold nothing."""
    tried = """
import os, signal, socket, sys
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    try:
        exec("import " + name)
    except ModuleNotFoundError:
        continue
    sys.exit(name + " is there")
for module, name in ((os, "fork"), (os, "geteuid"), (os, "fdatasync"), (signal, "SIGHUP"), (socket, "AF_UNIX")):
    assert not hasattr(module, name), name
try:
    open("/proc/self/statm")
except FileNotFoundError:
    pass
else:
    sys.exit("/proc is there")
kept = open(sys.argv[1], "w")
try:
    os.replace(sys.argv[1] + ".new", sys.argv[1])
except PermissionError:
    print("nothing")
"""
    code = f"exec(compile({tried!r}, 'tried', 'exec'), {{'__name__': 'webapp.tried'}})"
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "file"],
        capture_output=True,
        text=True,
        env=clean(ELSEWHERE),
        check=False,
    )
    assert done.stdout == "nothing\n", done.stderr


def test_an_evening(server: Serving) -> None:
    """Served, played, photographed, taken out, stopped."""
    visitor = Visitor(server.address)
    visitor.come_in(server.invitation)
    assert "Europe/Vienna" in visitor.open("/club/zone")
    assert "Bob" in visitor.open(visitor.play())
    reading = visitor.send_photo()
    assert reading["ok"] and reading["boards"], reading["problems"]
    assert json.loads(visitor.open("/data/export/json"))["plays"]
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(60) == 0
    printed = server.printed.read_text(encoding="utf-8")
    assert "Traceback" not in printed and "ERROR" not in printed, printed


def test_scripts_are_scripts_whatever_a_program_has_registered(server: Serving) -> None:
    """On Windows the kinds of files come from the registry, where .js is plain text on many machines."""
    known = {"css": "text/css", "js": "text/javascript"}
    visitor = Visitor(server.address)
    page = visitor.open("/try")
    for ending, kind in known.items():
        address = page.split(f'.{ending}"')[0].rpartition('"')[2] + f".{ending}"
        with urllib.request.urlopen(server.address + address, timeout=30) as answer:
            assert answer.headers.get_content_type() == kind


def test_the_commands(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    assert tidemark("demo", "--games", 3, "--db", file).returncode == 0
    everything = tmp_path / "all.json"
    for command in (
        ("export", everything, "--db", file),
        ("backup", tmp_path / "copy.db", "--db", file),
        ("restore", tmp_path / "copy.db", "--db", file, "--replace"),
        ("recount", "--db", file),
        ("link", "--db", file),
        ("photo", PHOTO, "--no-cards"),
        ("games",),
    ):
        done = tidemark(*command)
        assert done.returncode == 0, f"{command}: {done.stderr.decode()}"
    taken_in = tidemark("import", "-", "--db", file, given=everything.read_bytes())
    assert taken_in.returncode == 0 and b"0 games added" in taken_in.stdout, taken_in.stderr
    doctor = tidemark("doctor", "--json", "--db", file)
    assert json.loads(doctor.stdout)["level"] in {0, 1}, doctor.stdout


def test_what_is_printed_into_a_file_keeps_every_letter() -> None:
    """On a terminal a letter that it does not have becomes another one; what machines read is UTF-8 everywhere."""
    record = EXAMPLES[0].record
    record["players"][0]["name"] = "Åse 石"
    scored = tidemark("score", "--json", given=json.dumps(record, ensure_ascii=False).encode())
    assert json.loads(scored.stdout.decode())["players"][0]["name"] == "Åse 石"
