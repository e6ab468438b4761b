"""Try again when the database refused one of two conflicting transactions."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")

TRIES = 6
FIRST_PAUSE_S = 0.02  # longest pause before the second try; it doubles before each later one


def tries() -> Iterator[bool]:
    """Yield six times, once for each try: True for the last one, else False. Pause for a random time between tries."""
    chance = random.SystemRandom()
    for number in range(TRIES):
        if number:
            time.sleep(chance.uniform(0, FIRST_PAUSE_S * 2 ** (number - 1)))
        yield number == TRIES - 1


def run_with_retries(action: Callable[[], T], is_in_the_way: Callable[[BaseException], bool]) -> T:
    """Run an action and return its result. After an error that `is_in_the_way` calls a conflict, try again, at most six
    times in all. Raise the last error, and any other error at once."""
    for is_last in tries():
        try:
            return action()
        except Exception as fault:
            if is_last or not is_in_the_way(fault):
                raise
    raise AssertionError("the last try returns or raises")
