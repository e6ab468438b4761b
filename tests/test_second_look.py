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


@pytest.mark.tests("def test_it(browser):\n    assert browser == 2, 'lost its way'\n")
def test_what_fails_once_is_told_with_its_reason(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 0
    assert "1 passed, 1 failed once" in run.stdout
    assert "test_written.py::test_it" in run.stdout and "lost its way" in run.stdout


@pytest.mark.tests("def test_it(browser, closes):\n    if browser == 1:\n        closes.append('badly')\n")
def test_what_goes_wrong_as_the_browser_closes_counts_as_well(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 0
    assert "1 passed, 1 failed once" in run.stdout


@pytest.mark.tests("def test_it(browser):\n    assert browser == 3\n")
def test_what_fails_twice_has_failed(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 1
    assert "1 failed, 1 failed once" in run.stdout


@pytest.mark.tests("def test_it():\n    runs['here'] += 1\n    assert runs['here'] == 2\n")
def test_without_a_browser_there_is_no_second_look(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 1
    assert "1 failed in" in run.stdout


@pytest.mark.tests(f"{MANY}def test_it(number, browser):\n    assert browser == 2 or number > {AT_MOST}\n", "-n2")
def test_so_many_are_no_accident(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 1
    assert f"20 passed, {AT_MOST + 1} failed once" in run.stdout


@pytest.mark.tests(f"{MANY}def test_it(number, browser):\n    assert browser == 2 or number >= {AT_MOST}\n", "-n2")
def test_a_few_are(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 0
    assert f"20 passed, {AT_MOST} failed once" in run.stdout
