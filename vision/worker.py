"""Reads photos in processes of their own, each with a limit on memory and time.

A hostile file costs one worker; the next photo gets a new one. `python -m vision.worker` is the child: it takes jobs on
its standard input and answers on its standard output, each a line of JSON and as many bytes as its "size" says. Before
the first job it gives up what it does not need (sandbox.py). It ends when nothing has come for a while, and after a job
that leaves it holding much memory.
"""

from __future__ import annotations

import itertools
import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from scorer.contract import Problem
from scorer.sentences import say
from vision import memory, sandbox
from vision.reading import Look, Point, Reading
from vision.turns import Turns

try:
    import resource
except ImportError:  # Windows: limits are the clock's alone
    resource = None  # type: ignore[assignment]

Json = dict[str, Any]
Data = bytes | Callable[[], bytes]  # a photo, or how to get it once it is its turn
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one photo may cost."""

    memory: int = 1_600_000_000  # bytes of addresses, of which far fewer are ever touched
    seconds: float = 20.0  # by the clock
    processor: int = 40  # seconds of processor time: two cores for the whole of it
    patience: float = 30.0  # seconds to wait for one's turn
    idle: float = 300.0  # seconds without a job, after which a worker ends
    idle_memory: int = 200_000_000  # bytes; a worker that holds more after its job ends at once
    file: int = 200_000_000  # bytes of a file that tesseract is handed


LIMITS = Limits()
BUSY = Problem("wait", say("Other photos are being read just now. Try again in a few seconds."))
GAVE_UP = Problem(
    "too_hard",
    say("This photo could not be read within the time and memory we allow. Send a smaller or another one."),
)


# What the child is told of our environment. Secrets stand in the rest of it.
TOLD = ("PATH", "LANG", "LANGUAGE", "HOME", "TESSDATA_PREFIX", "OMP_THREAD_LIMIT", "LD_LIBRARY_PATH", "SYSTEMROOT")
# glibc gives back more, sooner; and numpy starts no threads when it is imported, which the sandbox would not hold.
SET = {"MALLOC_ARENA_MAX": "2", "MALLOC_TRIM_THRESHOLD_": "131072", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class Worker:
    """One child process, started when first needed, replaced after every failure, ended when it has nothing to do."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.child: subprocess.Popen[bytes] | None = None
        self.guards: sandbox.Guards | None = None  # what the last child gave up
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._lock = threading.RLock()
        self._idle: threading.Timer | None = None

    def ask(self, job: Json, data: bytes = b"") -> tuple[Json, bytes] | None:
        """The child's answer, or None if it died or took too long."""
        with self._lock:
            self._stay()
            answer = self._answer(job, data)
            if answer is None or answer[0]["held"] > self.limits.idle_memory:
                self.close()
            else:
                self._end_when_idle()
        if answer is not None:
            self._tell_guards(sandbox.Guards(*answer[0]["guards"]))
        return answer

    def _answer(self, job: Json, data: bytes) -> tuple[Json, bytes] | None:
        child = self._running()
        timer = threading.Timer(self.limits.seconds, child.kill)
        timer.start()
        try:
            assert child.stdin
            assert child.stdout
            _send(child.stdin, job, data)
            head: Json = json.loads(child.stdout.readline())
            body = child.stdout.read(head["size"])
            if len(body) == head["size"]:
                return head, body
        except (OSError, ValueError):
            pass  # it died in the middle of a line, or before one
        finally:
            timer.cancel()
        return None

    def close(self) -> None:
        with self._lock:
            self._stay()
            if self.child:
                self.child.kill()
                self.child.wait()
                for pipe in (self.child.stdin, self.child.stdout):
                    if pipe:
                        with suppress(OSError):
                            pipe.close()
                self.child = None
            if self._folder:
                self._folder.cleanup()
                self._folder = None

    def _end_when_idle(self) -> None:
        def end() -> None:
            with self._lock:
                if self._idle is timer:  # else there has been another job meanwhile
                    self.close()

        self._idle = timer = threading.Timer(self.limits.idle, end)
        timer.daemon = True
        timer.start()

    def _stay(self) -> None:
        if self._idle:
            self._idle.cancel()
            self._idle = None

    def _tell_guards(self, guards: sandbox.Guards) -> None:
        if self.guards is None:
            for sentence in sandbox.lacking(guards):
                log.warning("%s", sentence)
        self.guards = guards

    def _running(self) -> subprocess.Popen[bytes]:
        if self.child is None or self.child.poll() is not None:
            self.close()
            self._folder = tempfile.TemporaryDirectory(prefix="tidemark-photo-")
            limits = f"{self.limits.memory},{self.limits.processor},{self.limits.file}"
            told = {name: text for name, text in os.environ.items() if name in TOLD or name.startswith("LC_")}
            self.child = subprocess.Popen(  # noqa: S603  our own interpreter and module
                [sys.executable, "-m", "vision.worker", limits],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=told | SET | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": self._folder.name},
            )
        return self.child


class Pool:
    """Some workers for many askers, who wait for their turn. Whoever waits in vain is told to come again."""

    def __init__(self, size: int = 1, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.workers = [Worker(limits) for _ in range(size)]
        self.turns = Turns(list(self.workers))

    def read(
        self,
        data: Data,
        corners: Sequence[Point] | None = None,
        cards: bool = True,
        file: str = "",
        game: str | None = None,
        whose: str = "",
    ) -> Json:
        """The reading of a photo as JSON; a problem `wait` if all workers are busy."""
        job = {"game": game, "corners": corners, "cards": cards, "pictures": False}
        return self._do(job, data, whose).reading.to_json() | {"file": file}

    def look(
        self,
        data: Data,
        corners: Sequence[Point] | None = None,
        cards: bool = True,
        keep: bool = True,
        game: str | None = None,
        whose: str = "",
    ) -> Look:
        """The reading and the pictures that a page shows; without a clean copy if it is not to be kept."""
        job = {"game": game, "corners": corners, "cards": cards, "pictures": True, "keep": keep}
        return self._do(job, data, whose)

    def _do(self, job: Json, data: Data, whose: str) -> Look:
        """What a worker makes of it when it is this asker's turn."""
        worker = self.turns.take(whose, self.limits.patience)
        if worker is None:
            return Look(Reading(problems=[BUSY]))
        try:
            answer = worker.ask(job, data if isinstance(data, bytes) else data())
        finally:
            self.turns.give_back(whose, worker)
            del data
            memory.give_back()
        return Look(Reading(problems=[GAVE_UP])) if answer is None else _unpacked(*answer)

    def close(self) -> None:
        for worker in self.workers:
            worker.close()


def _send(pipe: IO[bytes], head: Json, body: bytes = b"") -> None:
    pipe.write(json.dumps(head | {"size": len(body)}).encode() + b"\n")
    pipe.write(body)
    pipe.flush()


def _limit(memory: int, file: int) -> None:
    if resource:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_FSIZE, (file, file))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _allow(seconds: int) -> None:
    """So much processor time from now on; the limit counts from the start of the process."""
    if resource:
        spent = resource.getrusage(resource.RUSAGE_SELF)
        until = int(spent.ru_utime + spent.ru_stime) + seconds
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (until, hard))


def _packed(made: Look) -> tuple[Json, bytes]:
    """A line of JSON that says how long each picture is, and all of them in a row."""
    pictures = [*made.boards, *([made.picture] if made.picture else [])]
    head = {"reading": made.reading.to_keep(), "boards": len(made.boards), "lengths": [len(one) for one in pictures]}
    return head, b"".join(pictures)


def _unpacked(head: Json, body: bytes) -> Look:
    ends = list(itertools.accumulate(head["lengths"], initial=0))
    pictures = [body[start:end] for start, end in itertools.pairwise(ends)]
    boards, copies = pictures[: head["boards"]], pictures[head["boards"] :]
    return Look(Reading.from_json(head["reading"]), copies[0] if copies else None, tuple(boards))


def main() -> None:
    most, processor, file = (int(part) for part in sys.argv[1].split(","))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not mix with the answers
    _limit(most, file)
    # Before anything starts a thread, which would keep what this one gives up: the networks do, with the first photo.
    guards = sandbox.shut((), Path(tempfile.gettempdir()))
    from vision import games, pictures, read

    def done(job: Json, data: bytes) -> Look:
        reader = (games.find(job["game"]) if job["game"] else None) or games.only()
        if job["pictures"]:
            return pictures.look(data, reader, job["corners"], job["cards"], job["keep"])
        return Look(read(data, job["corners"], job["cards"], reader))

    while line := sys.stdin.buffer.readline():
        job = json.loads(line)
        data = sys.stdin.buffer.read(job["size"])
        _allow(processor)
        head, body = _packed(done(job, data))
        del data
        memory.give_back()
        _send(answers, head | {"held": memory.held(), "guards": [guards.files, guards.network]}, body)


if __name__ == "__main__":
    main()
