"""Whose turn it is to have a photo read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from vision.turns import AT_ONCE, Turns

SOON = 60.0


class Line:
    """Askers in threads of their own; each keeps its worker until it is told to go."""

    def __init__(self, turns: Turns[str]) -> None:
        self.turns = turns
        self.begun: list[str] = []
        self.refused: list[str] = []
        self.threads: list[threading.Thread] = []
        self.go = threading.Semaphore(0)

    def ask(self, whose: str, patience: float = SOON) -> None:
        waiting = len(self.turns.waiting)

        def wait() -> None:
            worker = self.turns.take(whose, patience)
            if worker is None:
                self.refused.append(whose)
                return
            self.begun.append(whose)
            self.go.acquire()
            self.turns.give_back(whose, worker)

        seen = len(self.begun) + len(self.refused) + waiting
        self.threads.append(threading.Thread(target=wait))
        self.threads[-1].start()
        until(lambda: len(self.begun) + len(self.refused) + len(self.turns.waiting) > seen)

    def finish(self) -> None:
        for _ in self.threads:
            self.go.release()
        for thread in self.threads:
            thread.join(SOON)


def until(true: Callable[..., bool], *values: int) -> None:
    end = time.monotonic() + SOON
    while not true(*values):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.002)


def test_one_asker_has_two_workers_at_most_and_the_rest_wait_their_turn() -> None:
    line = Line(Turns(["a", "b", "c"]))
    for _ in range(4):
        line.ask("Ann")
    assert line.begun == ["Ann"] * AT_ONCE and len(line.turns.waiting) == 2
    line.ask("Bob")
    assert line.begun == ["Ann", "Ann", "Bob"]
    line.finish()
    assert sorted(line.begun) == ["Ann"] * 4 + ["Bob"] and not line.refused


def test_who_sends_much_keeps_nobody_waiting_for_more_than_one() -> None:
    line = Line(Turns(["a"]))
    for _ in range(5):
        line.ask("Ann")
    line.ask("Bob")
    line.ask("Cid")
    for number in range(2, 8):
        line.go.release()
        until(lambda begun: len(line.begun) == begun, number)
    line.finish()
    assert line.begun == ["Ann", "Bob", "Cid", "Ann", "Ann", "Ann", "Ann"]


def test_a_full_line_sends_the_greediest_away_and_nobody_else() -> None:
    line = Line(Turns(["a"], most=3))
    for _ in range(4):
        line.ask("Ann")  # one has the worker, three wait
    line.ask("Ann")
    assert line.refused == ["Ann"]
    line.ask("Bob")
    until(lambda: line.refused == ["Ann", "Ann"])
    assert [turn.whose for turn in line.turns.waiting] == ["Ann", "Ann", "Bob"]
    line.finish()
    assert line.begun == ["Ann", "Bob", "Ann", "Ann"]


def test_who_has_waited_too_long_is_told_so_and_leaves_the_line() -> None:
    turns = Turns(["a"])
    worker = turns.take("Ann", SOON)
    assert worker == "a" and turns.take("Bob", 0.05) is None and turns.waiting == []
    turns.give_back("Ann", worker)
    assert turns.take("Bob", SOON) == "a"


def test_nothing_is_remembered_of_those_who_are_gone() -> None:
    turns = Turns(["a"])
    for number in range(100):
        assert turns.take(str(number), SOON) == "a"
        turns.give_back(str(number), "a")
    assert not turns.working and not turns.served and not turns.waiting
