"""Define how long connections may take, and how many there may be. `webapp.spool` limits their memory."""

from __future__ import annotations

from dataclasses import dataclass

KB = 2**10


@dataclass(frozen=True, slots=True)
class Limits:
    """Limit time, size and number of connections.

    The limits are generous for 200 phones behind one router. Each phone opens at most six connections and sends little.
    """

    head_s: float = 10.0  # from the start to the end of the headers
    body_s: float = 30.0  # for the body, plus the time that it takes at the least speed
    answer_s: float = 30.0  # for sending the answer, likewise
    least_speed: float = 16 * KB  # bytes a second
    idle_s: float = 15.0  # between two requests
    linger_s: float = 2.0  # for a client to read why its request was refused
    grace_s: float = 3.0  # for running requests when the server stops
    drain_s: float = 5.0  # before that, for a balancer to notice, if one has asked within `of_late_s`
    of_late_s: float = 60.0
    head: int = 16 * KB
    unasked: int = 64 * KB  # largest body that is received without asking the application
    connections: int = 4_000  # without streams
    connections_of_a_household: int = 1_500  # without streams
    pages: int = 16  # threads
    pages_of_a_household: int = 8
