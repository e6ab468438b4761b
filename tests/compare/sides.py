"""Run the two sides as processes, and prepare the worktree and environment of version 0.7."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

ROOT = Path(__file__).resolve().parent.parent.parent
OLD = "48a7c1e"  # the commit of version 0.7
BUILD = ROOT / "build" / "compare"
WORKTREE = BUILD / "0.7"
PLAIN = {"LC_ALL": "C.UTF-8", "LANGUAGE": "en", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": ""}


class Asked(Protocol):
    """Describe a side that answers questions: a process, or a test's replacement."""

    def ask(self, name: str, given: Mapping[str, Any]) -> None: ...

    def answer(self) -> Any: ...


class Fault(Exception):
    """Raised when a side could not answer. The text is its traceback."""


class Side:
    """Run a process that answers questions in the order they were asked."""

    def __init__(self, command: Sequence[str | Path], folder: Path) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, **PLAIN, "PYTHONPATH": str(folder)},
            encoding="utf-8",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the process by closing its input."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)

    def ask(self, name: str, given: Mapping[str, Any]) -> None:
        """Send a question without waiting for its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([name, given]) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        """Wait for the next answer."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise Fault(f"the process ended: {self.process.args!r}")
        said = json.loads(line)
        if "fault" in said:
            raise Fault(said["fault"])
        return said["answer"]


def old() -> Side:
    """Start version 0.7. Its worktree and environment are created if needed."""
    python = os.environ.get("COMPARE_PYTHON") or environment(worktree())
    return Side([python, Path(__file__).with_name("old.py")], WORKTREE)


def new() -> Side:
    """Start today's code."""
    return Side([sys.executable, "-m", "tests.compare.new"], ROOT)


def worktree() -> Path:
    """Check out version 0.7 in the build folder."""
    if not (WORKTREE / "pyproject.toml").exists():
        print(f"Checking out {OLD} in {WORKTREE.relative_to(ROOT)} ...", file=sys.stderr)
        git("worktree", "prune")
        git("worktree", "add", "--force", "--detach", WORKTREE, OLD)
    return WORKTREE


def git(*arguments: str | Path) -> None:
    subprocess.run(["git", "-C", ROOT, *arguments], check=True, stdout=subprocess.DEVNULL)


def environment(folder: Path) -> Path:
    """Install what version 0.7 needs, in the versions of its own lock, once."""
    home = folder / ".venv"
    python, done = home / "bin" / "python", home / "installed"
    if not done.exists():
        print(f"Installing what {OLD} needs in {home.relative_to(ROOT)} ...", file=sys.stderr)
        venv.create(home, with_pip=True, clear=True)
        pip: list[str | Path] = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, "--require-hashes", "--requirement", folder / "requirements.txt"], check=True)
        done.touch()
    return python
