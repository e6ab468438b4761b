"""Measure how many of a sample of small changes the tests notice: `python -m tests.mutants scorer`.

    make mutants                                 400 changes of the scorer, 200 of the code for permissions
    make mutants MUTANTS="--number 50"           smaller samples

First all tests of the area run once, and we note which functions each of them calls. For each change the tests that
call the changed function run, the nearest and quickest first, until one fails or the time is up. If no test calls it,
or it is outside of functions, these are the nearest tests as in `make quick`. Changes that no test notices are printed.
"""

from __future__ import annotations

import argparse
import ast
import importlib.machinery
import os
import pickle
import random
import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tests.mutants import changes
from tests.mutants.changes import Change
from tests.touched import FURTHEST, ROOT, nearest

SECONDS = 20.0  # of processor time that the tests of one change take at most
ENDLESS = 40  # more seconds in a single test are noticed
PERMISSIONS = [f"webapp/clubs/{name}.py" for name in ("access", "devices", "invitations", "rate_limits", "quotas")]
# How many changes, of which files, and the tests that may notice them.
AREAS = {
    "scorer": (400, ["scorer"], ["tests/scorer", "tests/test_check_game.py"]),
    "permissions": (200, [*PERMISSIONS, "webapp/table/acts.py", "webapp/table/context.py"], ["tests/webapp"]),
}
OPTIONS = ["-q", "-p", "no:xdist", "-W", "ignore::pytest.PytestAssertRewriteWarning"]

Function = tuple[str, str]  # its file and qualified name


class Hurry:
    """Leave out browsers, don't look for simpler examples, and skip the remaining tests once the time is up."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def pytest_sessionstart(self) -> None:
        from hypothesis import Phase, settings

        settings.register_profile("mutants", settings(), phases=[Phase.explicit, Phase.generate])
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if not {"browser", "browsers"} & set(item.fixturenames)]

    def pytest_runtest_protocol(self) -> bool | None:
        return True if time.process_time() > self.seconds else None


class Calls(Hurry):
    """Note for each test how long it takes and which functions of the given files it calls."""

    def __init__(self, files: set[Path]) -> None:
        super().__init__(float("inf"))
        self.names = {str(file): str(file.relative_to(ROOT)) for file in files}
        self.seen: set[Function] = set()
        self.tests: dict[str, tuple[float, set[Function]]] = {}

    def pytest_runtest_logstart(self) -> None:
        self.seen, self.began = set(), time.process_time()
        sys.settrace(self.called)

    def called(self, frame: FrameType, *_: object) -> None:
        if name := self.names.get(frame.f_code.co_filename):
            self.seen.add((name, frame.f_code.co_qualname.replace(".<locals>", "")))

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        sys.settrace(None)
        self.tests[nodeid] = (time.process_time() - self.began, self.seen)

    def callers(self) -> dict[Function, list[str]]:
        """Return the tests that call each function, the quickest first."""
        found = defaultdict[Function, list[str]](list)
        for test, (_, seen) in sorted(self.tests.items(), key=lambda item: item[1][0]):
            for function in seen:
                found[function].append(test)
        return dict(found)


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


def apart(work: Callable[[], int]) -> int:
    """Run `work` silently in a process of its own, which has not imported our code. Return its exit status."""
    child = os.fork()
    if not child:
        with tempfile.TemporaryFile() as said:
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            os._exit(work())
    return os.waitpid(child, 0)[1]


def recorded(files: set[Path], places: Sequence[str]) -> dict[Function, list[str]]:
    """Run all tests in `places`. Return the tests that call each function of these files."""
    import pytest

    with tempfile.TemporaryDirectory() as place:
        kept = Path(place) / "callers"

        def work() -> int:
            calls = Calls(files)
            code = pytest.main([*OPTIONS, *places], plugins=[calls])
            kept.write_bytes(pickle.dumps(calls.callers()))
            return int(code)

        if apart(work):
            sys.exit("The tests fail without a change.")
        found: dict[Function, list[str]] = pickle.loads(kept.read_bytes())
        return found


def noticed(path: Path, made: ast.Module, tests: Sequence[str]) -> bool:
    """Return whether a test fails on the changed code."""
    import pytest

    def work() -> int:
        most = int(time.process_time() + SECONDS + ENDLESS)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
        in_its_place(path, made)
        code = pytest.main(["-x", *OPTIONS, *tests], plugins=[Hurry(time.process_time() + SECONDS)])
        return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)

    return bool(tests) and apart(work) != 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--number", type=int)
    parser.add_argument("--seed", type=int, default=35)
    given = parser.parse_args(arguments)
    number, places, tests = AREAS[given.area]
    import hypothesis  # noqa: F401  # once, for all processes
    import pytest  # noqa: F401

    picked, lived = sample(places, given.number or number, given.seed), 0
    callers = recorded({path for path, _ in picked}, tests)
    for done, (path, change) in enumerate(picked, 1):
        file, made = str(path.relative_to(ROOT)), changes.changed(path.read_text("utf-8"), change)
        near = {test: far for test, far in nearest([file]).items() if test.startswith(tuple(tests))}
        calling = sorted(
            callers.get((file, change.function), []), key=lambda test: near.get(test.split("::")[0], FURTHEST)
        )
        if not noticed(path, made, calling or list(near)):
            lived += 1
            print(f"{file}:{change.line} {change.function}: {change.text}", flush=True)
        if done % 10 == 0 or done == len(picked):
            print(f"{done - lived} of {done} noticed ({(done - lived) / done:.0%})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
