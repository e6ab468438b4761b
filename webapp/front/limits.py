"""Tell how long a connection may take, how many there may be, and how many bytes they may make us keep."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

KB, MB = 2**10, 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """Generous for 200 phones behind one router: each opens six connections at most, and sends what a hand taps."""

    head_s: float = 10.0  # from the first moment to the end of the headers
    body_s: float = 30.0  # for the body, and as much more as a line of the least speed would take
    answer_s: float = 30.0  # likewise for whoever takes the answer
    least_speed: float = 16 * KB  # bytes a second
    idle_s: float = 15.0  # between two requests
    linger_s: float = 2.0  # until somebody who was refused in the middle of sending has read why
    grace_s: float = 3.0  # for what is being answered when we are told to stop
    drain_s: float = 5.0  # before that, for whoever sends us requests to notice: a balancer, if one has asked of late
    of_late_s: float = 60.0
    head: int = 16 * KB
    unasked: int = 64 * KB  # of a body that is taken, and kept in memory, before anybody asks whether it may come
    connections: int = 4_000  # without streams
    connections_of_a_household: int = 1_500  # without streams
    bodies: int = 100 * MB
    bodies_of_a_household: int = 80 * MB  # the largest import, and a photo beside it
    answers: int = 100 * MB
    answers_of_a_household: int = 32 * MB
    pages: int = 16  # threads


class Budget:
    """Bytes that are kept for others: so many in all, so many for one household."""

    def __init__(self, most: int, most_of_a_household: int) -> None:
        self.most, self.most_of_a_household = most, most_of_a_household
        self.used = 0
        self.of: Counter[str] = Counter()

    def take(self, who: str, number: int) -> bool:
        """Return whether there is room for them; if so, it is taken. One single thing always finds room at first."""
        mine = self.of[who]
        if mine and (mine + number > self.most_of_a_household or self.used + number > self.most):
            return False
        self.used += number
        self.of[who] += number
        return True

    def give_back(self, who: str, number: int) -> None:
        self.used -= number
        self.of[who] -= number
        if self.of[who] <= 0:
            del self.of[who]
