"""`tidemark serve` as a new user starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from webapp import create_app, open_files, server, settings
from webapp.operator_errors import BadSetting
from webapp.table.events import Feed

pytestmark = pytest.mark.either


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A running server: its address and what it printed."""
    port = free_port()
    printed = tmp_path / "printed"
    with printed.open("w") as out:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "webapp.cli",
                "serve",
                "--host",
                "127.0.0.1",
                "--port",
                str(port),
                "--db",
                str(tmp_path / "served.db"),
            ],
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env={**os.environ, "TIDEMARK_TRUSTED_HOSTS": ""},
        )
    try:
        yield wait_for(f"http://127.0.0.1:{port}", process), printed.read_text()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(15)


def wait_for(address: str, process: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert process.poll() is None, "the server stopped by itself"
        try:
            urllib.request.urlopen(f"{address}/api/v1/games", timeout=5).close()
            return address
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server never answered")


def test_it_prints_the_address_a_code_and_a_working_invitation(served: tuple[str, str]) -> None:
    address, printed = served
    assert address in printed and "█" in printed
    invitation = re.search(rf"{re.escape(address)}/join/\S+", printed)
    assert invitation is not None
    with urllib.request.urlopen(invitation.group(), timeout=10) as page:
        assert page.status == 200 and "Join Our club as an owner" in page.read().decode()


@pytest.mark.parametrize("text", ["0", "-1", "many", "1.5", "10000000", "٣"])
def test_how_many_may_listen_is_a_number(text: str) -> None:
    with pytest.raises(BadSetting, match="TIDEMARK_LISTENERS"):
        settings.of({"TIDEMARK_LISTENERS": text})
    assert settings.of({"TIDEMARK_LISTENERS": "5000"}) == {"LISTENERS": 5000}


def test_as_many_may_listen_as_the_setting_says(tmp_path: Path) -> None:
    app = create_app({"DATABASE": str(tmp_path / "test.db"), "SECRET_KEY": "for the tests", "LISTENERS": 7})
    assert app.extensions["feed"].most == 7


@pytest.mark.parametrize(("files", "few", "connections"), [(2**31, 2000, 4000), (2700, 2000, 500), (900, 200, 500)])
def test_where_few_files_may_be_open_few_may_listen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], files: int, few: int, connections: int
) -> None:
    monkeypatch.setattr(open_files, "raise_limit", lambda _: files)
    feed = Feed(2000)
    assert server.connection_limits(feed).connections == connections and feed.most == few
    said = capsys.readouterr().out
    assert said == "" if few == 2000 else f"instead of {files}" in said and "LimitNOFILE" in said


def test_as_many_files_are_asked_for_as_are_given() -> None:
    """In a process of its own: what it may have is not for us to change."""
    code = """
import resource
from webapp import open_files
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 1000))
few, many = open_files.raise_limit(800), open_files.raise_limit(5000)
print(few, many, open_files.limit(), resource.getrlimit(resource.RLIMIT_NOFILE))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "800 1000 1000 (1000, 1000)\n"


def test_a_page_under_a_foreign_name_is_refused(served: tuple[str, str]) -> None:
    request = urllib.request.Request(served[0], headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    with refused.value:
        assert refused.value.code == 400
