"""Run the tests of what has changed, the nearest first, within the time of `make quick`: `python -m tests.touched`.

Changed files are those that differ from main in git, committed or not. A test file is near to a changed file if it is
that file, has its name, or imports it; each import between them adds distance. Browser tests run only for changed
pages, by name.
"""

from __future__ import annotations

import argparse
import itertools
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("scorer", "vision", "webapp", "tests")
SECONDS = 35.0
FURTHEST, MOST = 4, 25  # imports, test files
IMPORT = re.compile(r"^\s*(?:from ([\w.]+) )?import (\([^)]*\)|.*)", re.MULTILINE)
PAGES = {".html", ".js", ".css", ".svg"}
WITHOUT_IMPORTS = {
    "docs": ["tests/test_docs.py", "tests/test_readme.py"],
    "README.md": ["tests/test_docs.py", "tests/test_readme.py"],
    "deploy": ["tests/deploy/test_files.py"],
    "requirements": ["tests/test_lock.py", "tests/test_supply.py"],
    "pyproject.toml": ["tests/test_lock.py", "tests/test_supply.py"],
    "templates": ["tests/webapp/test_game_pages.py"],
}


def git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def changed() -> list[str]:
    """Return the files that differ from where this branch left main, and untracked files."""
    [base] = git("merge-base", "HEAD", "main") or ["HEAD"]
    return sorted({*git("diff", "--name-only", base), *git("ls-files", "--others", "--exclude-standard")})


def modules() -> dict[str, str]:
    """Return the file of each module."""
    files = (file.relative_to(ROOT) for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return {".".join(file.with_suffix("").parts).removesuffix(".__init__"): str(file) for file in files}


def imported(file: str, known: dict[str, str]) -> Iterator[str]:
    """Yield the files of ours that this file imports. Parsing them all would take seconds."""
    for module, names in IMPORT.findall((ROOT / file).read_text(encoding="utf-8")):
        for name in re.findall(r"[\w.]+", names):
            inner = f"{module}.{name}" if module else name
            yield from (known[found] for found in [inner if inner in known else module] if found in known)


@cache
def importers() -> dict[str, set[str]]:
    """Return the files that import each file. The list of games counts as importing every game."""
    known, found = modules(), defaultdict[str, set[str]](set)
    for name, file in known.items():
        for other in imported(file, known):
            found[other].add(file)
        if name.startswith("scorer.games.") and name.count(".") == 2:
            found[file].add(known["scorer.games"])
    return found


def module_of(file: str) -> str:
    """Return the file itself, or for a data file its package."""
    path = Path(file)
    folders = (folder for folder in path.parents if (ROOT / folder / "__init__.py").exists())
    return file if path.suffix == ".py" else str(next(folders, path) / "__init__.py")


def words(name: str) -> str:
    return f"_{name.removeprefix('test_')}_".replace("s_", "_")


def named_alike(file: str, test: str) -> bool:
    """Return whether the test has the name of the file or of its folder."""
    path, called = Path(file), words(Path(test).stem)
    return any(words(name) in called for name in (path.stem, path.parent.name) if name and name != "__init__")


@cache
def tests() -> list[str]:
    return sorted(str(file.relative_to(ROOT)) for file in (ROOT / "tests").rglob("test_*.py"))


def nearest(files: Sequence[str]) -> dict[str, int]:
    """Return the test files for these changed files with their distances, the nearest first."""
    back, far = importers(), dict[str, int]()
    border = {module_of(file) for file in files}
    for distance in range(FURTHEST + 1):
        far |= {file: distance for file in border if file not in far}
        border = {other for file in border for other in back.get(file, ()) if other not in far}
    for file in files:
        near = [test for start, found in WITHOUT_IMPORTS.items() if file.startswith(start) for test in found]
        for test in (*near, *(test for test in tests() if named_alike(file, test))):
            far[test] = min(1, far.get(test, 1))
    there = [test for test in tests() if test in far]
    return dict(sorted(((test, far[test]) for test in there), key=lambda pair: (pair[1], len(pair[0]))))


class Hurry:
    """Run the nearest tests first, stop in time, and leave out browsers if no page has changed."""

    def __init__(self, seconds: float, found: dict[str, int], browsers: set[str]) -> None:
        self.seconds, self.found, self.browsers = seconds, found, browsers
        self.ends, self.left = 0.0, 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        def file(item: pytest.Item) -> str:
            return str(item.path.relative_to(ROOT))

        def browser(item: pytest.Item) -> bool:
            return bool({"browser", "browsers"} & set(getattr(item, "fixturenames", ())))

        items[:] = [item for item in items if file(item) in self.browsers or not browser(item)]
        items.sort(key=lambda item: (self.found[file(item)], browser(item)))
        self.ends, self.left = time.monotonic() + self.seconds, len(items)

    def pytest_runtest_logfinish(self) -> None:
        self.left -= 1

    def pytest_runtest_protocol(self) -> bool | None:
        """Skip a test once the time is up."""
        return True if time.monotonic() > self.ends else None

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left:
            terminalreporter.write_line(
                f"The time was up before {self.left} tests of these files. `make test` runs all."
            )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.touched")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    given = parser.parse_args(arguments)
    files = changed()
    found = dict(itertools.islice(nearest(files).items(), MOST))
    if not found:
        print("No test is about what has changed.")
        return 0
    pages = [file for file in files if Path(file).suffix in PAGES]
    with_browsers = {test for test in found if test in files or any(named_alike(page, test) for page in pages)}
    hurry = Hurry(given.seconds, found, with_browsers)
    code = pytest.main(["-q", *found], plugins=[hurry])
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
