"""`python -m tests.mutants scorer`: how many of a sample of small changes the tests notice.

    make mutants                                 400 changes of the scorer, 200 of what decides who may do what
    make mutants MUTANTS="--number 50"           smaller samples

For each change the tests that call the changed function run, those that take least first, until one fails. What no test
notices is printed. The tests' calls are noted first, in `build/mutants`; `--again` notes them anew.
"""

from __future__ import annotations

import argparse
import ast
import importlib.machinery
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from tests.mutants import changes
from tests.mutants.changes import Change
from tests.mutants.seen import NOTES, ROOT

BUILD = ROOT / "build" / "mutants"
FIRST, MOST = 30, 400  # tests of a change that run at first, and in all
LONGEST = 40.0  # seconds of tests for one change
PATIENCE = 30  # seconds of processor time beyond what the tests took
PASSED = 0
WEB = ["access", "roles", "devices", "rooms", "audit_log", "quotas", "at_tables", "table", "shared"]
AREAS = {
    "scorer": (400, ["scorer"], ["tests/scorer"]),
    "permissions": (
        200,
        [
            *(f"webapp/clubs/{name}.py" for name in ("access", "devices", "invitations", "rate_limits", "quotas")),
            *(f"webapp/table/{name}.py" for name in ("acts", "visit")),
        ],
        [f"tests/webapp/test_{name}.py" for name in WEB],
    ),
}
Tests = dict[str, tuple[float, list[str]]]


def modules(places: Sequence[str]) -> Iterator[Path]:
    for place in places:
        found = ROOT / place
        yield from sorted(found.rglob("*.py")) if found.is_dir() else [found]


def sample(places: Sequence[str], number: int, seed: int) -> list[tuple[Path, Change]]:
    found = [(path, change) for path in modules(places) for change in changes.changes(path.read_text("utf-8"))]
    return random.Random(seed).sample(found, min(number, len(found)))


def calls(area: str, tests: Sequence[str], again: bool) -> Tests:
    """Return how long each test takes and which functions it calls."""
    file = BUILD / f"{area}.json"
    if again or not file.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutants.seen", *tests]
        subprocess.run(command, cwd=ROOT, env={**os.environ, NOTES: str(file)}, check=True)
    found: Tests = json.loads(file.read_text(encoding="utf-8"))
    return found


def chosen(tests: Tests, path: Path, change: Change) -> list[str]:
    """Return the tests to run, the shortest first: those of the function, or of its module if it ran earlier."""
    module = str(path.relative_to(ROOT))
    wanted = f"{module}:{change.function}"
    of_function = {test: seconds for test, (seconds, called) in tests.items() if wanted in called}
    of_module = {
        test: seconds
        for test, (seconds, called) in tests.items()
        if any(name.startswith(f"{module}:") for name in called)
    }
    found = of_function or of_module or {test: seconds for test, (seconds, _) in tests.items()}
    picked, spent = [], 0.0
    for test, seconds in sorted(found.items(), key=lambda pair: pair[1])[:MOST]:
        spent += seconds
        if spent > LONGEST:
            break
        picked.append(test)
    return picked


def in_its_place(path: Path, made: ast.Module) -> None:
    """Let this process import the changed module instead of the file."""
    plain: Callable[..., Any] = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
        found: CodeType | None
        if Path(loader.path) == path:
            found = compile(made, str(path), "exec", dont_inherit=True)
        else:
            found = plain(loader, name)
        return found

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]


def fails(path: Path, change: Change, tests: Sequence[str]) -> bool:
    """Run these tests on the changed code, in a process that has imported none of ours yet."""
    child = os.fork()
    if not child:
        os.setsid()
        with tempfile.TemporaryFile() as said:
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE + int(LONGEST), PATIENCE + int(LONGEST) + 5))
            in_its_place(path, changes.changed(path.read_text("utf-8"), change))
            import pytest

            os._exit(pytest.main(["-x", "-q", "-p", "no:xdist", *tests]))
    return os.waitpid(child, 0)[1] != PASSED


def noticed(path: Path, change: Change, tests: Tests) -> bool:
    picked = chosen(tests, path, change)
    return any(fails(path, change, part) for part in (picked[:FIRST], picked[FIRST:]) if part)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--number", type=int)
    parser.add_argument("--seed", type=int, default=35)
    parser.add_argument("--again", action="store_true")
    given = parser.parse_args(arguments)
    number, places, folders = AREAS[given.area]
    tests = calls(given.area, folders, given.again)
    import hypothesis  # noqa: F401  # once, for all processes
    import pytest  # noqa: F401

    picked, lived = sample(places, given.number or number, given.seed), 0
    for done, (path, change) in enumerate(picked, 1):
        if not noticed(path, change, tests):
            lived += 1
            print(f"{path.relative_to(ROOT)}:{change.line} {change.function}: {change.text}", flush=True)
        if done % 20 == 0 or done == len(picked):
            print(f"{done - lived} of {done} noticed ({(done - lived) / done:.0%})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
