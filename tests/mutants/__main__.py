"""Measure how many of a sample of small changes the tests notice: `python -m tests.mutants scorer`.

    make mutants                                 400 changes of the scorer, 200 of the code for permissions
    make mutants MUTANTS="--number 50"           smaller samples

For each change the tests of its module run, the nearest first as in `make quick`, until one fails or the time is up.
Changes that no test notices are printed.
"""

from __future__ import annotations

import argparse
import ast
import importlib.machinery
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from tests.mutants import changes
from tests.mutants.changes import Change
from tests.touched import ROOT, nearest

SECONDS = 20.0  # of processor time that the tests of one change take at most
ENDLESS = 40  # more seconds in a single test are noticed
CLUBS = ("access", "devices", "invitations", "rate_limits", "quotas")
WEB = ("access", "roles", "devices", "rooms", "audit_log", "quotas", "at_tables", "table", "shared")
# How many changes, of which files, and the tests that may notice them.
AREAS = {
    "scorer": (400, ["scorer"], ["tests/scorer/"]),
    "permissions": (
        200,
        [*(f"webapp/clubs/{name}.py" for name in CLUBS), "webapp/table/acts.py", "webapp/table/visit.py"],
        [f"tests/webapp/test_{name}.py" for name in WEB],
    ),
}


class Hurry:
    """Skip the remaining tests once the time is up."""

    def pytest_runtest_protocol(self) -> bool | None:
        return True if time.process_time() > SECONDS else None


def modules(places: Sequence[str]) -> Iterator[Path]:
    for place in places:
        found = ROOT / place
        yield from sorted(found.rglob("*.py")) if found.is_dir() else [found]


def sample(places: Sequence[str], number: int, seed: int) -> list[tuple[Path, Change]]:
    found = [(path, change) for path in modules(places) for change in changes.changes(path.read_text("utf-8"))]
    return random.Random(seed).sample(found, min(number, len(found)))


def in_its_place(path: Path, made: ast.Module) -> None:
    """Make this process import the changed module instead of the file."""
    plain: Callable[..., Any] = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
        found: CodeType | None
        if Path(loader.path) == path:
            found = compile(made, str(path), "exec", dont_inherit=True)
        else:
            found = plain(loader, name)
        return found

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]


def noticed(path: Path, made: ast.Module, tests: Sequence[str]) -> bool:
    """Return whether a test fails on the changed code. Run it in a process that has not imported our code."""
    child = os.fork()
    if not child:
        with tempfile.TemporaryFile() as said:
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            most = int(time.process_time() + SECONDS + ENDLESS)
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
            in_its_place(path, made)
            import pytest

            options = ["-x", "-q", "-p", "no:xdist", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
            os._exit(pytest.main([*options, *tests], plugins=[Hurry()]))
    return os.waitpid(child, 0)[1] != 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--number", type=int)
    parser.add_argument("--seed", type=int, default=35)
    given = parser.parse_args(arguments)
    number, places, allowed = AREAS[given.area]
    import hypothesis  # noqa: F401  # once, for all processes
    import pytest  # noqa: F401

    picked, lived = sample(places, given.number or number, given.seed), 0
    for done, (path, change) in enumerate(picked, 1):
        file = str(path.relative_to(ROOT))
        tests = [test for test in nearest([file]) if test.startswith(tuple(allowed))]
        if done == 1 and noticed(path, ast.parse(path.read_text("utf-8")), tests[:1]):
            sys.exit("The tests fail without a change.")
        if not noticed(path, changes.changed(path.read_text("utf-8"), change), tests):
            lived += 1
            print(f"{file}:{change.line} {change.function}: {change.text}", flush=True)
        if done % 10 == 0 or done == len(picked):
            print(f"{done - lived} of {done} noticed ({(done - lived) / done:.0%})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
