"""Let a phone play, and record each answer that is not a page and how long each answer took."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tests.webapp.visitor import Visitor

T = TypeVar("T")


class Tapping(threading.Thread):
    """Open a board and tap until stopped."""

    def __init__(self, member: Visitor, pause: float = 0.0) -> None:
        super().__init__()
        self.visitor = Visitor(member.site, member.cookies)
        self.faults, self.asked, self.over = list[str](), 0, threading.Event()
        self.pause = pause  # seconds between two taps
        self.seconds = list[float]()  # how long each page and each tap took
        self.path = self.visitor.lay_towns("Ann")
        self.first = self.version()

    def version(self) -> int:
        """Return how often the board has been changed."""
        found = re.search(r'name="version" value="(\d+)"', self.visitor.open(f"{self.path}/seats/0"))
        assert found
        return int(found[1])

    def run(self) -> None:
        while not self.over.wait(self.pause):
            piece = ("cottage", "farm")[(self.asked - len(self.faults)) % 2]  # never the one that is there
            try:
                version = self.timed(self.version)
                fields = {"grid/0/0": piece, "version": str(version)}
                self.timed(partial(self.visitor.press, f"{self.path}/seats/0", **fields))
            except OSError as fault:
                self.faults.append(str(fault))
            self.asked += 1

    def timed(self, ask: Callable[[], T]) -> T:
        began = time.monotonic()
        try:
            return ask()
        finally:
            self.seconds.append(time.monotonic() - began)

    def count_lost(self) -> int:
        """Return how many acknowledged taps are missing after the thread has ended; 0 if the board can't be read."""
        acknowledged = self.asked - len(self.faults)
        try:
            return self.first + acknowledged - self.version()
        except OSError as fault:
            self.faults.append(f"at the end: {fault}")
            return 0
