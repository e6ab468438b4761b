"""Count attempts of visitors in memory, for an app that runs in one process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

MANY = 10_000  # visitors remembered for each limit; the one who has been away longest is forgotten first


@dataclass(frozen=True, slots=True)
class Limit:
    """Allow each visitor `attempts` attempts within so many `seconds`; `what` is the name of the limit."""

    what: str
    attempts: int
    seconds: float


class Attempts:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.lock = threading.Lock()
        self.seen: dict[Limit, dict[str, list[float]]] = {}

    def allow(self, limit: Limit, who: str) -> bool:
        """Return whether the visitor `who`, an address, may try once more. An allowed attempt is counted."""
        with self.lock:
            moment, seen = self.clock(), self.seen.setdefault(limit, {})
            recent = [past for past in seen.pop(who, []) if past > moment - limit.seconds]
            allowed = len(recent) < limit.attempts
            seen[who] = [*recent, moment] if allowed else recent
            if len(seen) > MANY:
                del seen[next(iter(seen))]
            return allowed

    def forgive(self, limit: Limit, who: str) -> None:
        """Take back the latest counted attempt of the visitor `who`."""
        with self.lock:
            if seen := self.seen.get(limit, {}).get(who):
                seen.pop()

    def forget(self) -> None:
        """Forget the attempts of every visitor."""
        with self.lock:
            self.seen.clear()
