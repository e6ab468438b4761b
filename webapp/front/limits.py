"""Say how long a connection may take, and how many there may be. What is kept for them is counted by `webapp.spool`."""

from __future__ import annotations

from dataclasses import dataclass

KB = 2**10


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
    unasked: int = 64 * KB  # of a body that is taken before anybody asks whether it may come
    connections: int = 4_000  # without streams
    connections_of_a_household: int = 1_500  # without streams
    pages: int = 16  # threads
    pages_of_a_household: int = 8
