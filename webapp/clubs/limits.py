"""Limits: at most so many attempts in so many seconds. Kept in memory, each app's its own: we run as one process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from flask import abort, current_app, request

MANY = 10_000  # names remembered before those who have long stopped are forgotten


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
        self.seen: dict[Limit, dict[str, list[float]]] = {}

    def allow(self, limit: Limit, who: str) -> bool:
        """Count an attempt, unless it is one too many."""
        moment, seen = self.clock(), self.seen.setdefault(limit, {})
        since = moment - limit.seconds
        if len(seen) > MANY:
            seen = self.seen[limit] = {key: times for key, times in seen.items() if times[-1] > since}
        recent = [past for past in seen.get(who, []) if past > since]
        if len(recent) >= limit.attempts:
            return False
        seen[who] = [*recent, moment]
        return True


def address() -> str:
    return request.remote_addr or "unknown"
