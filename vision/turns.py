"""Share a few workers fairly among many users, so that nobody who sends much keeps others out."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Generic, TypeVar

W = TypeVar("W")

AT_ONCE = 2  # workers that one asker may have at the same time
MOST_WAITING = 8  # askers in line; each of them holds a thread of the server


@dataclass(eq=False, slots=True)
class Turn(Generic[W]):
    """Represent one request for a worker in the queue.

    In the end `worker` is set or, if too many wait, `refused` is True.
    """

    whose: str
    worker: W | None = None
    refused: bool = False


@dataclass
class Turns(Generic[W]):
    """Hold the free workers and the queue of requests for them.

    The next worker goes to the user who has the fewest. Among equals, the user who was served longest ago comes first,
    then the one who came first. When the queue is full, the user with the most requests in it loses the newest one.
    """

    free: list[W]
    most: int = MOST_WAITING
    waiting: list[Turn[W]] = field(default_factory=list)
    working: Counter[str] = field(default_factory=Counter)
    served: dict[str, int] = field(default_factory=dict)  # who has had how many turns before them, the last time
    changed: threading.Condition = field(default_factory=threading.Condition)
    turns: int = 0

    def take(self, whose: str, patience: float) -> W | None:
        """Return a worker for the user `whose`, or None after `patience` seconds or if too many wait."""
        turn: Turn[W] = Turn(whose)
        with self.changed:
            self.waiting.append(turn)
            self._send_away()
            self._hand_out()
            self.changed.wait_for(lambda: turn.worker is not None or turn.refused, patience)
            if turn in self.waiting:
                self.waiting.remove(turn)
            return turn.worker

    def give_back(self, whose: str, worker: W) -> None:
        with self.changed:
            self.working[whose] -= 1
            if not self.working[whose]:
                del self.working[whose]
            self.free.append(worker)
            self._hand_out()

    def _send_away(self) -> None:
        in_line = Counter(turn.whose for turn in self.waiting)
        if len(self.waiting) > self.most + len(self.free):
            most = max(in_line.values())
            last = next(turn for turn in reversed(self.waiting) if in_line[turn.whose] == most)
            last.refused = True
            self.waiting.remove(last)
            self.changed.notify_all()

    def _hand_out(self) -> None:
        while self.free:
            able = [turn for turn in self.waiting if self.working[turn.whose] < AT_ONCE]
            if not able:
                break
            turn = min(able, key=lambda one: (self.working[one.whose], self.served.get(one.whose, -1)))
            self.waiting.remove(turn)
            turn.worker = self.free.pop()
            self.working[turn.whose] += 1
            self.turns += 1
            self.served[turn.whose] = self.turns
            self.changed.notify_all()
        if not self.waiting and not self.working:
            self.served.clear()  # nobody has a worker or waits
