"""Reads photos in processes of their own, each with a limit on memory and time.

A hostile file costs one worker; the next photo gets a new one. `python -m vision.worker` is the child: it takes jobs on
its standard input and answers on its standard output, each a line of JSON and as many bytes as its "size" says.
"""

from __future__ import annotations

import itertools
import json
import os
import queue
import resource
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from scorer.contract import Problem
from scorer.sentences import say
from vision.reading import Look, Point, Reading

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one photo may cost."""

    memory: int = 1_600_000_000  # bytes of addresses, of which far fewer are ever touched
    seconds: float = 20.0  # by the clock
    processor: int = 40  # seconds of processor time: two cores for the whole of it
    patience: float = 4.0  # seconds to wait for a worker that is free


LIMITS = Limits()
BUSY = Problem("wait", say("Other photos are being read just now. Try again in a few seconds."))
GAVE_UP = Problem(
    "too_hard",
    say("This photo could not be read within the time and memory we allow. Send a smaller or another one."),
)


class Worker:
    """One child process, started when first needed and replaced after every failure."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.child: subprocess.Popen[bytes] | None = None

    def ask(self, job: Json, data: bytes = b"") -> tuple[Json, bytes] | None:
        """The child's answer, or None if it died or took too long."""
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
        self.close()
        return None

    def close(self) -> None:
        if self.child:
            self.child.kill()
            self.child.wait()
            for pipe in (self.child.stdin, self.child.stdout):
                if pipe:
                    with suppress(OSError):
                        pipe.close()
            self.child = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self.child is None or self.child.poll() is not None:
            self.close()
            limits = f"{self.limits.memory},{self.limits.processor}"
            self.child = subprocess.Popen(  # noqa: S603  our own interpreter and module
                [sys.executable, "-m", "vision.worker", limits],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            )
        return self.child


class Pool:
    """Some workers for many askers; whoever finds them all busy for too long is told to wait."""

    def __init__(self, size: int = 1, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.workers = [Worker(limits) for _ in range(size)]
        self.free: queue.LifoQueue[Worker] = queue.LifoQueue()
        for worker in self.workers:
            self.free.put(worker)

    def read(
        self,
        data: bytes,
        corners: Sequence[Point] | None = None,
        cards: bool = True,
        file: str = "",
        game: str | None = None,
    ) -> Json:
        """The reading of a photo as JSON; a problem `wait` if all workers are busy."""
        job = {"game": game, "corners": corners, "cards": cards, "pictures": False}
        return self._do(job, data).reading.to_json() | {"file": file}

    def look(
        self,
        data: bytes,
        corners: Sequence[Point] | None = None,
        cards: bool = True,
        keep: bool = True,
        game: str | None = None,
    ) -> Look:
        """The reading and the pictures that a page shows; without a clean copy if it is not to be kept."""
        job = {"game": game, "corners": corners, "cards": cards, "pictures": True, "keep": keep}
        return self._do(job, data)

    def _do(self, job: Json, data: bytes) -> Look:
        """What the next free worker makes of it."""
        try:
            worker = self.free.get(timeout=self.limits.patience)
        except queue.Empty:
            return Look(Reading(problems=[BUSY]))
        try:
            answer = worker.ask(job, data)
        finally:
            self.free.put(worker)
        return Look(Reading(problems=[GAVE_UP])) if answer is None else _unpacked(*answer)

    def close(self) -> None:
        for worker in self.workers:
            worker.close()


def _send(pipe: IO[bytes], head: Json, body: bytes = b"") -> None:
    pipe.write(json.dumps(head | {"size": len(body)}).encode() + b"\n")
    pipe.write(body)
    pipe.flush()


def _limit(memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _allow(seconds: int) -> None:
    """So much processor time from now on; the limit counts from the start of the process."""
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
    memory, processor = (int(part) for part in sys.argv[1].split(","))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not mix with the answers
    _limit(memory)
    from vision import games, pictures, read  # after the limit is set

    def done(job: Json, data: bytes) -> Look:
        reader = (games.find(job["game"]) if job["game"] else None) or games.only()
        if job["pictures"]:
            return pictures.look(data, reader, job["corners"], job["cards"], job["keep"])
        return Look(read(data, job["corners"], job["cards"], reader))

    while line := sys.stdin.buffer.readline():
        job = json.loads(line)
        data = sys.stdin.buffer.read(job["size"])
        _allow(processor)
        _send(answers, *_packed(done(job, data)))


if __name__ == "__main__":
    main()
