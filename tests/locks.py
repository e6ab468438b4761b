"""Measure how long changes of the past lock the database: `python -m tests.locks 1000 10000 100000`.

For each change, it prints the time of the request, the longest time of the write lock, and the same for the work in the
background. Then it measures searches, which take no lock. A file may be named instead of a number of games; it is
copied first.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from unittest.mock import patch

from scorer.games import all_games
from webapp import clubs, create_app, jobs
from webapp.cli import demo
from webapp.database import Database, connect
from webapp.history import Filter, Person, Play, job_steps, listing, player_profiles, plays, rebuild, saved_plays
from webapp.jobs import Job

GAME = "tiny_towns"


class Measured:
    """Measure every transaction from its beginning to its end."""

    def __init__(self) -> None:
        self.held: list[tuple[float, float]] = []
        self.plain = Database.atomic

    def watching(self) -> AbstractContextManager[object]:
        return patch.object(Database, "atomic", lambda db, club=None: self.atomic(db, club))

    @contextmanager
    def atomic(self, db: Database, club: int | None = None) -> Iterator[Database]:
        if db.in_transaction:
            with self.plain(db, club):
                yield db
            return
        with self.plain(db, club):
            start, cpu = time.perf_counter(), time.thread_time()
            yield db
        self.held.append(((time.perf_counter() - start) * 1000, (time.thread_time() - cpu) * 1000))

    def longest(self) -> str:
        """Return the longest lock by the clock and in processor time, which differ on a busy machine."""
        found = max(self.held, default=(0.0, 0.0)), max((cpu for _, cpu in self.held), default=0.0)
        self.held.clear()
        return f"lock {found[0][0]:6.1f} ms ({found[1]:.1f} of work)"


def play(db: Database, order: str) -> Play:
    sql = f"SELECT id FROM all_plays WHERE game = ? ORDER BY played_at {order} LIMIT 1"
    [play_id] = db.execute(sql, [GAME]).fetchone()
    found = saved_plays.by_id(db, play_id)
    assert found is not None
    return found


def person(db: Database, order: str) -> Person:
    sql = f"SELECT player_id FROM all_scores GROUP BY 1 ORDER BY count(*) {order} LIMIT 1"
    found = player_profiles.find(db, db.execute(sql).fetchone()[0])
    assert found is not None
    return found


def changes(db: Database, home: int) -> Iterator[tuple[str, Callable[[], object]]]:
    oldest, latest, busiest, rarest = play(db, "ASC"), play(db, "DESC"), person(db, "DESC"), person(db, "ASC")
    stranger = player_profiles.find(db, clubs.player_id(db, home, "Nobody yet"))
    assert stranger is not None
    yield "save", lambda: plays.save(db, home, latest.record, latest.result)
    yield "edit the oldest", lambda: plays.edit(db, oldest, latest.record, latest.decision)
    yield "delete the oldest", lambda: plays.delete(db, oldest)
    yield "restore the oldest", lambda: plays.restore(db, oldest)
    yield "rename the busiest", lambda: player_profiles.rename(db, busiest, "Renamed")
    yield "merge two", lambda: player_profiles.merge(db, rarest, stranger)
    yield "rebuild", lambda: rebuild.rebuild(db)


def searches(db: Database, home: int) -> Iterator[tuple[str, Filter]]:
    nobody, busiest = clubs.player_id(db, home, "Nobody at all"), person(db, "DESC").id
    yield "words", Filter(words="birthday")
    yield "words of nobody", Filter(words="birthday", player=nobody)
    yield "words before all days", Filter(words="birthday", until="2001-01-01")
    yield "words that never meet", Filter(words="birthday rain")
    yield "no such word", Filter(words="unheard")
    yield "a player in no such way", Filter(player=busiest, way="mode=nothing")


def measure(path: Path, games: int) -> None:
    create_app({"DATABASE": str(path)})
    all_games()  # as the server has
    measured = Measured()
    with closing(connect(path)) as db:
        row = db.row("SELECT min(id) AS id FROM clubs")
        home = row["id"] if row and row["id"] else demo.seed(db, games)
        with measured.watching():
            background(db, measured, "taking the file up")
            for name, change in changes(db, home):
                start = time.perf_counter()
                change()
                took = (time.perf_counter() - start) * 1000
                print(f"{name:<26}{took:>11.1f} ms, {measured.longest()}", end="")
                background(db, measured, "; then")
        for name, chosen in searches(db, home):
            times = []
            for _ in range(5):
                start = time.perf_counter()
                listing.page(db, home, chosen)
                times.append((time.perf_counter() - start) * 1000)
            print(f"search: {name:<26}{sorted(times)[2]:>8.2f} ms", flush=True)


def background(db: Database, measured: Measured, what: str) -> None:
    start, steps = time.perf_counter(), 0
    for job in jobs.under_way(db):
        left: Job | None = job
        while left is not None:
            left, steps = jobs.take(db, left, job_steps.STEPS), steps + 1
    print(f"{what} {time.perf_counter() - start:.1f} s in {steps} steps, {measured.longest()}", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for size in sys.argv[1:] or ["1000", "10000", "100000"]:
            print(f"-- {size}", flush=True)
            target = Path(folder) / "measured.db"
            if size.isdecimal():
                target = Path(folder) / f"{size}.db"
            else:
                shutil.copy(size, target)
            measure(target, int(size) if size.isdecimal() else 0)
            target.unlink()
