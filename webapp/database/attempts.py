"""Attempts of visitors, counted in memory, which is enough where one process serves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

MANY = 10_000  # names remembered for each limit; whoever came longest ago is forgotten first


@dataclass(frozen=True, slots=True)
class Limit:
    """Hold how many attempts at what, in how many seconds, each of those who try has."""

    what: str
    attempts: int
    seconds: float


class Attempts:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.lock = threading.Lock()
        self.seen: dict[Limit, dict[str, list[float]]] = {}

    def allow(self, limit: Limit, who: str) -> bool:
        """Count an attempt, unless it is one too many."""
        with self.lock:
            moment, seen = self.clock(), self.seen.setdefault(limit, {})
            recent = [past for past in seen.pop(who, []) if past > moment - limit.seconds]
            allowed = len(recent) < limit.attempts
            seen[who] = [*recent, moment] if allowed else recent
            if len(seen) > MANY:
                del seen[next(iter(seen))]
            return allowed

    def forgive(self, limit: Limit, who: str) -> None:
        """Take the latest attempt back."""
        with self.lock:
            if seen := self.seen.get(limit, {}).get(who):
                seen.pop()

    def forget(self) -> None:
        """Forget the attempts of every visitor."""
        with self.lock:
            self.seen.clear()
