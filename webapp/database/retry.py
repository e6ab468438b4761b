"""Tries again when two transactions conflict and the database has refused one of them."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")

TRIES = 6
FIRST_PAUSE_S = 0.02  # before the second try, at most; before each other twice as long


def tries() -> Iterator[bool]:
    """Yield whether this one is the last, for each try; between two of them a pause that is never the same for both."""
    chance = random.SystemRandom()
    for number in range(TRIES):
        if number:
            time.sleep(chance.uniform(0, FIRST_PAUSE_S * 2 ** (number - 1)))
        yield number == TRIES - 1


def run_with_retries(action: Callable[[], T], is_in_the_way: Callable[[BaseException], bool]) -> T:
    """Run an action, and run it again while it conflicts with another."""
    for is_last in tries():
        try:
            return action()
        except Exception as fault:
            if is_last or not is_in_the_way(fault):
                raise
    raise AssertionError("the last try returns or raises")
