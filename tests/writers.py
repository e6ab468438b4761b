"""Let many threads write at once: `python -m tests.writers 60` runs sixteen for a minute over four clubs.

They save, edit, delete and restore games, rename and merge players, and tap at tables. Each has its own connection to a
new file or to a given empty database. At the end nothing is lost or doubled, and derived data equals a recount.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from scorer.games import find
from tests.webapp.plays import draft, towns, typed
from webapp import clubs, jobs
from webapp.database import Database, connect, retrying
from webapp.history import NewPlay, Person, Play, job_steps, player_profiles, plays, rebuild, saved_plays
from webapp.schema import upgrade
from webapp.table import seats, tables

CLUBS, WRITERS = 4, 16
NAMES = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Frida", "Gus", "Hiro")
PIECES = ("cottage", "farm", "well", "chapel", "tavern")


@dataclass
class Club:
    """Hold a club that several threads write to, and what was acknowledged to them."""

    number: int
    table: str
    saved: list[int] = field(default_factory=list)
    taps: Counter[int] = field(default_factory=Counter)  # by seat
    lock: threading.Lock = field(default_factory=threading.Lock)


class Writer:
    """Change one club again and again in a thread."""

    def __init__(self, address: str, club: Club, number: int) -> None:
        self.address, self.club, self.number = address, club, number
        self.chance = random.Random(number)
        self.done: Counter[str] = Counter()
        self.longest = 0.0
        self.fault: BaseException | None = None

    def run(self, more: Callable[[], bool]) -> None:
        deeds = (self.save, self.save, self.edit, self.delete, self.restore, self.rename, self.merge)
        try:
            with closing(connect(self.address)) as db:
                while more():
                    deed = self.chance.choice((*deeds, self.tap, self.tap, self.tap))
                    start = time.perf_counter()
                    retrying(lambda: deed(db))  # noqa: B023, it is done at once
                    self.longest = max(self.longest, time.perf_counter() - start)
                    self.done[deed.__name__] += 1
        except BaseException as fault:
            self.fault = fault

    def game(self) -> NewPlay:
        names = self.chance.sample(NAMES, 2)
        at = f"2026-{self.chance.randint(1, 12):02}-{self.chance.randint(1, 28):02}T20:00:00Z"
        points = {name: self.chance.randint(0, 9) for name in names}
        if self.chance.random() < 0.5:
            return draft(typed(points), at, notes="By the water")
        return draft(towns({name: count % 5 for name, count in points.items()}), at, place="Home")

    def save(self, db: Database) -> None:
        [number] = plays.save_all(db, self.club.number, [self.game()])
        with self.club.lock:
            self.club.saved.append(number)

    def any_play(self, db: Database) -> Play | None:
        with self.club.lock:
            number = self.chance.choice(self.club.saved or [0])
        return saved_plays.by_id(db, number)

    def edit(self, db: Database) -> None:
        play, other = self.any_play(db), self.game()
        if play is not None and play.game == other.record["game"]:
            plays.edit(db, play, other.record, other.decision)

    def delete(self, db: Database) -> None:
        if play := self.any_play(db):
            plays.delete(db, play)

    def restore(self, db: Database) -> None:
        if play := self.any_play(db):
            plays.restore(db, play)

    def somebody(self, db: Database) -> Person | None:
        rows = db.execute("SELECT id FROM players WHERE club_id = ? ORDER BY id", [self.club.number]).fetchall()
        return player_profiles.find(db, self.chance.choice(rows)[0]) if rows else None

    def rename(self, db: Database) -> None:
        if person := self.somebody(db):
            player_profiles.rename(db, person, self.chance.choice((*NAMES, "Ilse", "Jan")))

    def merge(self, db: Database) -> None:
        person, other = self.somebody(db), self.somebody(db)
        if person and other:
            player_profiles.merge(db, person, other)

    def tap(self, db: Database) -> None:
        """Put another piece on the first square of this writer's own seat."""
        table = tables.find(db, self.club.table)
        assert table is not None
        seat = table.seats[self.number // CLUBS]
        piece = PIECES[(self.done["tap"] + 1) % len(PIECES)]
        state = {"grid": [[piece, *["empty"] * 3], *[["empty"] * 4] * 3]}
        seats.enter(db, table, seat, state, seats.Sending(f"phone {self.number}", f"{self.number} {self.done['tap']}"))


def found(db: Database, number: int) -> Club:
    club = clubs.create(db, f"Club {number}")
    game = find("tiny_towns")
    assert game is not None
    return Club(club, tables.add(db, club, game, {}, [f"Seat {seat}" for seat in range(WRITERS // CLUBS)]))


def crowd(address: str, more: Callable[[], Callable[[], bool]]) -> list[Writer]:
    """Run all writers at once, each while its own `more` returns True."""
    with closing(upgrade.opened(address)) as db:
        founded = [found(db, number) for number in range(CLUBS)]
    writers = [Writer(address, founded[number % CLUBS], number) for number in range(WRITERS)]
    threads = [threading.Thread(target=writer.run, args=[more()]) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for writer in writers:
        if writer.fault is not None:
            raise writer.fault
    return writers


def wrong(address: str, writers: Sequence[Writer]) -> list[str]:
    """Return what is wrong after everything begun has been finished."""
    found = []
    with closing(connect(address)) as db:
        jobs.finish(db, job_steps.STEPS)
        found += rebuild.check(db)
        kept = Counter(dict(db.execute("SELECT club_id, count(*) FROM all_plays GROUP BY club_id").fetchall()))
        for club in {writer.club.number: writer.club for writer in writers}.values():
            if kept[club.number] != len(club.saved) or len(set(club.saved)) != len(club.saved):
                found.append(f"{len(club.saved)} games were saved in club {club.number}, {kept[club.number]} are there")
        for writer in writers:
            table = tables.find(db, writer.club.table)
            version = table.seats[writer.number // CLUBS].version if table else 0
            if version != 1 + writer.done["tap"]:
                found.append(f"{writer.done['tap']} taps of writer {writer.number} made version {version}")
    return found


def so_many(deeds: int) -> Callable[[], bool]:
    left = iter(range(deeds))
    return lambda: next(left, None) is not None


def main(seconds: float, address: str) -> int:
    end = time.monotonic() + seconds
    writers = crowd(address, lambda: lambda: time.monotonic() < end)
    done = sum((writer.done for writer in writers), Counter[str]())
    print(f"{done.total() / seconds:.0f} deeds a second: {dict(done)}")
    print(f"the longest took {max(writer.longest for writer in writers) * 1000:.0f} ms")
    for fault in (faults := wrong(address, writers)):
        print(fault)
    return len(faults)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        where = sys.argv[2] if len(sys.argv) > 2 else str(Path(folder) / "writers.db")
        sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0, where))
