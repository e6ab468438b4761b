"""Reads photos in processes of their own, each with a limit on memory and time.

A hostile file costs one worker; the next photo gets a new one. `python -m vision.worker` is the child: it takes jobs on
its standard input and answers on its standard output, each a line of JSON and as many bytes as its "size" says.
"""

from __future__ import annotations

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

from vision.reading import Point, Problem, Reading, VisionError

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one photo may cost."""

    memory: int = 1_600_000_000  # bytes of addresses, of which far fewer are ever touched
    seconds: float = 20.0  # by the clock
    processor: int = 40  # seconds of processor time: two cores for the whole of it
    patience: float = 4.0  # seconds to wait for a worker that is free


LIMITS = Limits()
BUSY = Problem("wait", "Other photos are being read just now. Try again in a few seconds.")
GAVE_UP = Problem(
    "too_hard", "This photo could not be read within the time and memory we allow. Send a smaller or another one."
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
            assert child.stdin and child.stdout
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
            self.child = subprocess.Popen(
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
        cards: bool | None = None,
        file: str = "",
    ) -> Json:
        """The reading of a photo as JSON; a problem `wait` if all workers are busy."""
        answer = self._ask({"task": "read", "corners": corners, "cards": cards}, data)
        if isinstance(answer, Problem):
            return Reading(file=file, problems=[answer]).to_json()
        told: Json = json.loads(answer)
        return told | {"file": file}

    def straightened(self, data: bytes, corners: Sequence[Point]) -> bytes | Problem:
        """A board seen from above, as a JPEG."""
        return self._ask({"task": "straighten", "corners": corners}, data)

    def kept(self, data: bytes) -> bytes | Problem:
        """A clean copy of the photo, as a JPEG."""
        return self._ask({"task": "keep"}, data)

    def _ask(self, job: Json, data: bytes) -> bytes | Problem:
        """What the next free worker answers."""
        try:
            worker = self.free.get(timeout=self.limits.patience)
        except queue.Empty:
            return BUSY
        try:
            answer = worker.ask(job, data)
        finally:
            self.free.put(worker)
        if answer is None:
            return GAVE_UP
        head, body = answer
        return Problem(head["problem"], head["message"]) if "problem" in head else body

    def warm(self) -> None:
        """Have every worker ready before the first photo comes."""
        for worker in self.workers:
            worker.ask({"task": "warm"})

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


def main() -> None:
    memory, processor = (int(part) for part in sys.argv[1].split(","))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not mix with the answers
    _limit(memory)
    from vision import pictures, read, warm  # after the limit is set

    def done(job: Json, data: bytes) -> bytes:
        match job["task"]:
            case "read":
                return json.dumps(read(data, job["corners"], job["cards"]).to_json()).encode()
            case "straighten":
                return pictures.straightened(data, job["corners"])
            case "keep":
                return pictures.kept(data)
            case _:
                warm()
                return b""

    while line := sys.stdin.buffer.readline():
        job = json.loads(line)
        data = sys.stdin.buffer.read(job["size"])
        _allow(processor)
        try:
            _send(answers, {}, done(job, data))
        except VisionError as fault:
            _send(answers, {"problem": fault.code, "message": fault.message})


if __name__ == "__main__":
    main()
