"""Limits: at most so many attempts in so many seconds. Kept in memory, each app's its own: we run as one process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from flask import abort, current_app, request

from webapp.addresses import household

MANY = 10_000  # names remembered for each limit; whoever came longest ago is forgotten first


@dataclass(frozen=True, eq=False, slots=True)
class Limit:
    """How many attempts in how many seconds one address has; the rooms keep theirs beside what they limit."""

    attempts: int
    seconds: float

    def check(self, who: str) -> None:
        """Count an attempt; too many are told to wait."""
        attempts: Attempts = current_app.extensions["attempts"]
        if not attempts.allow(self, who):
            abort(429)


class Attempts:
    """Who has tried what, and when: for one app."""

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


def address() -> str:
    """Who asks: an address, or the network of a household."""
    return household(request.remote_addr or "unknown")
