"""Run the process of a worker: take jobs on standard input, and answer on standard output (wire.py).

Before the first job the process gives up what it does not need (sandbox.py).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import IO

from vision import memory, sandbox
from vision.reading import Look, Reading
from vision.wire import Json, packed, receive, send

try:
    import resource
except ImportError:  # Windows: limits are the clock's alone
    resource = None  # type: ignore[assignment]


def _limit(memory: int, file: int) -> None:
    if resource:
        for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, file), (resource.RLIMIT_CORE, 0)):
            with suppress(ValueError, OSError):  # macOS takes none on memory
                resource.setrlimit(what, (most, most))


def _allow(seconds: int) -> None:
    """Allow this process `seconds` more of processor time, besides what it has used already."""
    if resource:
        spent = resource.getrusage(resource.RUSAGE_SELF)
        until = int(spent.ru_utime + spent.ru_stime) + seconds
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (until, hard))


class Beside(MetaPathFinder):
    """Let `import` find the packages of games in `packages`, which has the main file of each by its name. This process
    can't search other folders."""

    def __init__(self, packages: Mapping[str, str]) -> None:
        self.packages = packages

    def find_spec(self, name: str, *_: Sequence[str] | ModuleType | None) -> ModuleSpec | None:
        return spec_from_file_location(name, self.packages[name]) if name in self.packages else None

    @property
    def readable(self) -> list[Path]:
        """Return the folders and files that this process must read to import the games' packages."""
        files = [Path(file) for file in self.packages.values()]
        return [file.parent if file.name == "__init__.py" else file for file in files]


class Child:
    """Receive one job after another, do it and answer."""

    def __init__(self, answers: IO[bytes], guards: sandbox.Guards, processor: int) -> None:
        self.answers, self.guards, self.processor = answers, guards, processor

    def serve(self) -> None:
        """Answer jobs until the input ends."""
        while True:
            try:
                job, data = receive(sys.stdin.buffer)
            except ValueError:
                break
            _allow(self.processor)
            left = self.done(job, data)
            del data
            if "quick" not in job:  # which holds little, and comes twice a second
                memory.give_back()
            self.answer(left)

    def answer(self, look: Look) -> None:
        head, body = packed(look)
        guards = [self.guards.files, self.guards.network]
        send(self.answers, head | {"held": memory.held(), "guards": guards}, body)

    def done(self, job: Json, data: bytes) -> Look:
        """Do a job on the photo in `data`: read it, look at it quickly, or cut out its boards. Return the last answer.
        If cards are wanted too, the boards (with any pictures) are sent first. The last answer then has no pictures."""
        from vision import games, pictures, quick
        from vision.decode import PhotoFile
        from vision.read import read_file

        if "cut_out" in job:
            return pictures.cut_out(data, job["cut_out"])
        reader = games.load(job["reader"])
        if "quick" in job:
            return Look(quick.look(data, reader))
        told: list[Look] = []

        def tell(look: Look) -> None:
            told.append(look)
            self.answer(look)
            _allow(self.processor)  # for the cards, which cost as much as the boards at most

        def tell_boards(reading: Reading) -> None:
            tell(Look(reading, cards_follow=True))

        if job["pictures"]:
            made = pictures.look(data, reader, job["corners"], job["cards"], job["keep"], tell)
        else:
            made = Look(read_file(PhotoFile(data), job["corners"], job["cards"], reader, tell_boards))
        return Look(made.reading) if told else made


def main() -> None:
    most, processor, file, nice = (int(part) for part in sys.argv[1].split(","))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server, which ends us when it has ended
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of libraries must not mix with the answers
    _limit(most, file)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    # Before anything starts a thread, which would keep what this one gives up: the networks do, with the first photo.
    beside = Beside(json.loads(sys.argv[2]))
    guards = sandbox.shut(beside.readable, Path(tempfile.gettempdir()))
    sys.meta_path.insert(0, beside)
    for stage in ("pictures", "quick"):  # and all that they import, before the time of a job counts
        import_module(f"vision.{stage}")
    Child(answers, guards, processor).serve()


if __name__ == "__main__":
    main()
