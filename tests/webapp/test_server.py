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
    for _ in range(200):
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
        assert page.status == 200 and "Be an owner of Our club" in page.read().decode()


def test_a_page_under_a_foreign_name_is_refused(served: tuple[str, str]) -> None:
    request = urllib.request.Request(served[0], headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    with refused.value:
        assert refused.value.code == 400
