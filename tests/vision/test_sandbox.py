"""Tell what the reader of photos gives up: tried out in processes of their own, since nothing brings it back."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from vision import sandbox

ROOT = Path(__file__).parent.parent.parent
FILES = pytest.mark.skipif(not sandbox.available().files, reason="no Landlock here")
NETWORK = pytest.mark.skipif(not sandbox.available().network, reason="no seccomp here")
TRY = """
import json, os, socket, subprocess, sys, tempfile
from pathlib import Path
from vision import sandbox

secret, folder = Path(sys.argv[1]), Path(sys.argv[2])
guards = sandbox.shut((), folder)

def tried(what):
    try:
        what()
        return "done"
    except OSError as refused:
        return type(refused).__name__

def connect():
    with socket.socket() as out:
        out.connect(("127.0.0.1", 9))

def datagram():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.sendto(b"x", ("127.0.0.1", 9))

print(json.dumps({
    "guards": [guards.files, guards.network],
    "read": tried(secret.read_bytes),
    "list": tried(lambda: list(secret.parent.iterdir())),
    "write": tried(lambda: secret.write_text("x")),
    "beside": tried(lambda: (secret.parent / "other").write_text("x")),
    "passwords": tried(lambda: Path("/etc/passwd").read_bytes()),
    "parent": tried(lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes()),
    "by another program": subprocess.run(["cat", secret], capture_output=True).returncode,
    "own folder": tried(lambda: (folder / "own").write_text("x")),
    "own code": tried(Path(sandbox.__file__).read_bytes),
    "connect": tried(connect),
    "datagram": tried(datagram),
    "unix": tried(lambda: socket.socket(socket.AF_UNIX)),
    "signal": tried(lambda: os.kill(os.getppid(), 0)),
}))
"""


def python(code: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    secret = tmp_path_factory.mktemp("secrets") / "tidemark.db"
    secret.write_text("a club's history")
    ran = python(TRY, secret, tmp_path_factory.mktemp("own"))
    assert not ran.returncode, ran.stderr
    answers: dict[str, Any] = json.loads(ran.stdout)
    assert secret.read_text() == "a club's history"
    return answers


@FILES
def test_other_files_cannot_be_read_nor_written(found: dict[str, Any]) -> None:
    refused = [found[what] for what in ("read", "list", "write", "beside", "passwords", "parent")]
    assert refused == ["PermissionError"] * 6
    assert found["by another program"] != 0


@FILES
def test_what_it_needs_stays_open(found: dict[str, Any]) -> None:
    assert (found["own folder"], found["own code"]) == ("done", "done")


@NETWORK
def test_there_is_no_network_of_any_kind(found: dict[str, Any]) -> None:
    assert [found[what] for what in ("connect", "datagram", "unix")] == ["PermissionError"] * 3


def test_what_is_given_up_is_told(found: dict[str, Any]) -> None:
    here = sandbox.available()
    assert found["guards"] == [here.files, here.network]


def test_to_ask_what_is_possible_gives_nothing_up(tmp_path: Path) -> None:
    assert sandbox.available() == sandbox.available()
    (tmp_path / "file").write_text("x")
    with socket.socket() as still_there:
        assert still_there.fileno() >= 0 and (tmp_path / "file").read_text() == "x"


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_go_without_and_say_so(platform: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert sandbox.available() == sandbox.shut((), tmp_path) == sandbox.Guards()
    assert "other files or the network" in sandbox.lacking(sandbox.Guards(files=True))
    assert not sandbox.lacking(sandbox.Guards(files=True, network=True))


def test_an_old_kernel_goes_without_and_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Old:
        def prctl(self, *_: Any) -> int:
            return -1

        def syscall(self, *_: Any) -> int:
            return -1

    monkeypatch.setattr(sandbox, "_libc", Old)
    assert sandbox.available() == sandbox.shut((), tmp_path) == sandbox.Guards()


def test_the_worker_is_imported_where_there_is_no_module_of_limits() -> None:
    ran = python(
        "import sys; sys.modules['resource'] = None\n"
        "import vision.worker, vision.child, vision.memory; vision.memory.held()"
    )
    assert not ran.returncode, ran.stderr


def test_a_system_that_takes_no_limit_on_memory_has_photos_read_all_the_same() -> None:
    """macOS answers as if the limit were against the rules."""
    ran = python(
        "import resource\n"
        "set_one = resource.setrlimit\n"
        "def refuse(what, limits):\n"
        "    if what == resource.RLIMIT_AS:\n"
        "        raise ValueError('current limit exceeds maximum limit')\n"
        "    set_one(what, limits)\n"
        "resource.setrlimit = refuse\n"
        "from vision import child; child._limit(10**9, 10**6)\n"
        "assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == 10**6"
    )
    assert not ran.returncode, ran.stderr
