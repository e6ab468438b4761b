"""Read photos in separate processes, each with limits on memory and time.

A harmful file ends only one process, and the next photo gets a new one. `child.py` runs in the process; `wire.py`
defines the messages. If a photo's cards are wanted too, there are two answers: the boards as soon as they are read,
then everything. A process ends when idle for a while, and after a job that leaves it holding much memory.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace

from vision import games, memory, sandbox
from vision.problems import problem
from vision.reading import Look, Point, Reading
from vision.turns import Turns
from vision.wire import Json, receive, send, unpacked

Data = bytes | Callable[[], bytes]  # a photo, or how to get it once it is its turn
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the limits on memory and time for reading one photo, and for an idle worker."""

    memory: int = 1_600_000_000  # bytes of address space; far fewer are used
    resident: int = 400_000_000  # bytes of memory that the process may hold; watched by us
    watch: float = 0.05  # seconds between two looks at what it holds
    seconds: float = 20.0  # by the clock
    processor: int = 5  # seconds of processor time for the boards, and once more for the cards
    patience: float = 30.0  # seconds to wait for one's turn
    idle: float = 300.0  # seconds without a job, after which a worker ends
    idle_memory: int = 200_000_000  # bytes; a worker that holds more after its job ends at once
    file: int = 200_000_000  # bytes of a file that tesseract is handed
    nice: int = 0  # how far all else on the machine goes before it


LIMITS = Limits()

# The environment of the child. Other variables have secrets.
TOLD = ("PATH", "LANG", "LANGUAGE", "HOME", "TESSDATA_PREFIX", "OMP_THREAD_LIMIT", "LD_LIBRARY_PATH", "SYSTEMROOT")
# glibc gives back more, sooner; and numpy starts no threads when it is imported, which the sandbox would not hold.
SET = {"MALLOC_ARENA_MAX": "2", "MALLOC_TRIM_THRESHOLD_": "131072", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class Worker:
    """Run one child process: started when needed, replaced after every failure, ended when idle."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.child: subprocess.Popen[bytes] | None = None
        self.guards: sandbox.Guards | None = None  # what the last child gave up
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._lock = threading.RLock()
        self._idle: threading.Timer | None = None

    def ask(
        self, job: Json, data: bytes = b"", first: Callable[[Json, bytes], None] | None = None
    ) -> tuple[Json, bytes] | None:
        """Send a job and its photo `data`. Return the child's last answer, or None if it died or took too long. An
        answer is JSON and bytes. If there are two answers, `first` is called with the first one."""
        with self._lock:
            self._stay()
            answer = self._answer(job, data, first)
            if answer is None or answer[0]["held"] > self.limits.idle_memory:
                self.close()
            else:
                self._end_when_idle()
        if answer is not None:
            self._tell_guards(sandbox.Guards(*answer[0]["guards"]))
        return answer

    def _answer(self, job: Json, data: bytes, first: Callable[[Json, bytes], None] | None) -> tuple[Json, bytes] | None:
        child = self._running()
        done = threading.Event()
        threading.Thread(target=self._watch, args=(child, done), name="photo", daemon=True).start()
        try:
            assert child.stdin
            assert child.stdout
            send(child.stdin, job, data)
            head, body = receive(child.stdout)
            if head["cards_follow"]:
                if first:
                    first(head, body)
                head, body = receive(child.stdout)
            return head, body
        except (OSError, ValueError):
            pass  # it died in the middle of a line, or before one
        finally:
            done.set()
        return None

    def _watch(self, child: subprocess.Popen[bytes], done: threading.Event) -> None:
        """End the child if it takes too long or holds too much memory. Stop watching when the event `done` is set."""
        until = time.monotonic() + self.limits.seconds
        while not done.wait(self.limits.watch):
            if time.monotonic() > until or memory.held(child.pid) > self.limits.resident:
                child.kill()
                return

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
        if self.guards is None and (missing := sandbox.lacking(guards)):
            log.warning("%s", missing)
        self.guards = guards

    def _running(self) -> subprocess.Popen[bytes]:
        if self.child is None or self.child.poll() is not None:
            self.close()
            self._folder = tempfile.TemporaryDirectory(prefix="tidemark-photo-")
            limits = f"{self.limits.memory},{self.limits.processor},{self.limits.file},{self.limits.nice}"
            told = {name: text for name, text in os.environ.items() if name in TOLD or name.startswith("LC_")}
            self.child = subprocess.Popen(  # noqa: S603  our own interpreter and module
                [sys.executable, "-m", "vision.child", limits, json.dumps(games.packages())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=told | SET | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": self._folder.name},
            )
        return self.child


class Pool:
    """Share some workers among many users. A user who waits too long for a turn has to try again."""

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
        """Return the reading of a photo as JSON, with the problem `wait` if all workers are busy. `corners` and `cards`
        are as in `vision.read.read`. Without `game`, take our only game with a reader. `whose` names the user, for
        fair turns; `file` is the name to put into the result."""
        job = {"reader": _reader_of(game), "corners": corners, "cards": cards, "pictures": False}
        return self._do(job, data, whose).reading.to_json() | {"file": file}

    def look(
        self,
        data: Data,
        corners: Sequence[Point] | None = None,
        cards: bool = True,
        keep: bool = True,
        game: str | None = None,
        whose: str = "",
        later: Callable[[Look], None] | None = None,
    ) -> Look:
        """Return the reading and the pictures for a page; `keep` adds a copy of the photo without metadata. With
        `later`, return as soon as the boards are read. If the result has `cards_follow`, `later` is called once, in
        another thread. It gets all, or a warning in place of the cards. Other parameters are as in `Pool.read`."""
        job = {"reader": _reader_of(game), "corners": corners, "cards": cards, "pictures": True, "keep": keep}
        return self._do(job, data, whose, later)

    def glance(self, frame: bytes, game: str, whose: str = "") -> Reading:
        """Return the boards in a camera's frame, and hints for taking a better photo; squares are not read."""
        worker = self.turns.take(whose, self.limits.patience)
        if worker is None:
            return Reading(problems=[problem("wait")])
        try:
            answer = worker.ask({"reader": _reader_of(game), "quick": True}, frame)
        finally:
            self.turns.give_back(whose, worker)
        return unpacked(*answer).reading if answer else Reading(problems=[problem("too_hard")])

    def cut_out(self, photo: bytes, boards: Sequence[Sequence[Point]], whose: str = "") -> Look:
        """Return a JPEG of each board, cut out of the photo in the order of `boards` (their corners). The result has no
        pictures but the problem `wait` if all workers are busy."""
        return self._do({"cut_out": boards}, photo, whose)

    def _do(self, job: Json, data: Data, whose: str, later: Callable[[Look], None] | None = None) -> Look:
        """Return a worker's answer once it is the turn of the user `whose`, or the problem `wait` if all are busy. With
        `later`, return the first answer and pass the last one to `later`."""
        worker = self.turns.take(whose, self.limits.patience)
        if worker is None:
            return Look(Reading(problems=[problem("wait")]))
        try:
            photo = data if isinstance(data, bytes) else data()
        except BaseException:
            self.turns.give_back(whose, worker)
            raise
        del data
        if later is None:
            return self._made(worker, job, photo, whose)
        return self._first_made(worker, job, photo, whose, later)

    def _first_made(self, worker: Worker, job: Json, data: bytes, whose: str, later: Callable[[Look], None]) -> Look:
        """Return a worker's first answer. If it has only the boards, a thread waits for the complete answer and calls
        `later` with it."""
        told: Future[Look] = Future()

        def work() -> None:
            try:
                look = self._made(worker, job, data, whose, told.set_result)
            except BaseException as fault:
                if told.done():
                    raise
                told.set_exception(fault)
                return
            if told.done():
                later(look)
            else:
                told.set_result(look)

        threading.Thread(target=work, name="cards", daemon=True).start()
        return told.result()

    def _made(
        self, worker: Worker, job: Json, data: bytes, whose: str, first: Callable[[Look], None] | None = None
    ) -> Look:
        """Return a worker's last answer; `first` is called with the boards before. If the worker died after the boards,
        return these with a warning."""
        seen: list[Look] = []

        def show_boards(head: Json, body: bytes) -> None:
            seen.append(unpacked(head, body))
            if first:
                first(seen[0])

        try:
            answer = worker.ask(job, data, show_boards)
        finally:
            self.turns.give_back(whose, worker)
            del data
            memory.give_back()
        if answer is None:
            return _without_cards(seen[0]) if seen else Look(Reading(problems=[problem("too_hard")]))
        last = unpacked(*answer)
        return replace(seen[0], reading=last.reading, cards_follow=False) if seen else last

    def close(self) -> None:
        for worker in self.workers:
            worker.close()


def _reader_of(game: str | None) -> str:
    """Return the import path of the game's photo reader; raise LookupError if it has none. Without a `game`, take our
    only game that has one."""
    reader = games.find(game) if game else games.only()
    if reader is None:
        raise LookupError(f"{game} cannot be read")
    return reader.photo.reader


def _without_cards(look: Look) -> Look:
    """Return a look with a warning that its cards were not read, since this cost too much time or memory."""
    reading = replace(look.reading, problems=[*look.reading.problems, problem("no_cards")])
    return replace(look, reading=reading, cards_follow=False)
