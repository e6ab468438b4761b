"""Tell what a test with a browser may do that no other may, tried on runs of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.second_look import AT_MOST

BEGINNING = """
import collections
import pytest

runs = collections.Counter()
closes = pytest.fixture(lambda: [])

@pytest.fixture
def browser(request, closes):
    runs[request.node.name] += 1
    yield runs[request.node.name]
    assert not closes
"""
MANY = "@pytest.mark.parametrize('number', range(20))\n"


@pytest.fixture
def run(request: pytest.FixtureRequest, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Of tests that are written here, in a folder where nothing else stands."""
    written, *workers = request.node.get_closest_marker("tests").args
    (tmp_path / "test_written.py").write_text(BEGINNING + written, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.second_look", *workers, "--rootdir", "."]
    kept = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=tmp_path, env=kept, capture_output=True, text=True, timeout=120, check=False)


EACH = """
def test_once(browser):
    assert browser == 2, 'lost its way'

def test_closing(browser, closes):
    if browser == 1:
        closes.append('badly')

def test_twice(browser):
    assert browser == 3

def test_without():
    runs['here'] += 1
    assert runs['here'] == 2
"""


@pytest.mark.tests(EACH)
def test_what_fails_once_is_told_and_what_fails_twice_or_without_a_browser_fails(
    run: subprocess.CompletedProcess[str],
) -> None:
    assert run.returncode == 1
    assert "2 failed, 2 passed, 3 failed once" in run.stdout
    failed = [line.split("::")[1].split()[0] for line in run.stdout.splitlines() if line.startswith("FAILED")]
    assert failed == ["test_twice", "test_without"]
    assert "test_written.py::test_once" in run.stdout and "lost its way" in run.stdout
    assert "test_written.py::test_closing" in run.stdout


@pytest.mark.tests(f"{MANY}def test_it(number, browser):\n    assert browser == 2 or number > {AT_MOST}\n", "-n2")
def test_so_many_are_no_accident(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 1
    assert f"20 passed, {AT_MOST + 1} failed once" in run.stdout


@pytest.mark.tests(f"{MANY}def test_it(number, browser):\n    assert browser == 2 or number >= {AT_MOST}\n")
def test_a_few_are(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 0
    assert f"20 passed, {AT_MOST} failed once" in run.stdout
