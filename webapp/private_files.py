"""Make files that only their owner can read, whatever the umask, and restrict existing ones."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from scorer.sentences import Sentence, in_a_row, say

FILE, FOLDER = 0o600, 0o700
BESIDE = ("", "-wal", "-shm", "-journal")  # SQLite gives these files the rights of the database


def in_words(files: Sequence[str]) -> Sentence:
    """Return a sentence which says that other users could read these files, and can't any more."""
    return say("other users could read {files}. Only you can now.", files=in_a_row(files))


def make(path: str | Path) -> None:
    """Make an empty private file unless the file exists, so that it is private when it is opened later."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))


def opener(path: str, flags: int) -> int:
    """Open a file so that a new one is readable only by its owner. It is the argument `opener` of `open`."""
    return os.open(path, flags, FILE)


def open_to_write(path: str | Path) -> IO[str]:
    """Open a text file for writing, private even if it existed before."""
    file = open(path, "w", encoding="utf-8", newline="", opener=opener)  # noqa: SIM115, the caller closes it
    restrict(path)
    return file


def folder(path: Path) -> None:
    path.mkdir(mode=FOLDER, exist_ok=True)


def restrict(path: str | Path) -> bool:
    """Remove the rights of other users to a file; return whether they had any."""
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) or not found.st_mode & 0o077:
            return False
        os.chmod(path, stat.S_IMODE(found.st_mode) & FOLDER)
    except OSError:  # of another user, or missing
        return False
    return not os.stat(path).st_mode & 0o077


def restrict_all(paths: Iterable[Path]) -> list[str]:
    """Make these files private; return the names of those that were not, except for the side files of SQLite."""
    return [path.name for path in paths if restrict(path) and not path.name.endswith(BESIDE[1:])]


def of_database(database: str | Path) -> list[Path]:
    """Return the database file, SQLite's files beside it, its lock, and its copies."""
    path = Path(database)
    beside = [path.with_name(path.name + ending) for ending in BESIDE]
    others = [*path.parent.glob(f"{path.name}.before-*"), *path.parent.glob(f"{path.name}.0.7*")]
    others += (path.parent / "backups").glob(f"{path.stem}-*.db")
    return [*beside, path.with_name(f"{path.name}.lock"), *sorted(others)]
