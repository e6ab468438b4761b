"""Measure what exports and imports cost as histories grow: `python -m tests.carrying 1000 10000 100000`.

For each size and kind of file, it prints the seconds, the size, and the rise in memory. A file is imported into an
empty club, then into the past of an equally large one. Beside that stand the longest time of the write lock, and the
time to compute the standings. Memory is read from /proc, so this needs Linux.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.locks import Measured
from webapp import clubs, create_app, jobs
from webapp.cli import demo
from webapp.database import Database, connect
from webapp.exchange import export_files, files, imports
from webapp.history import job_steps


@contextmanager
def risen() -> Iterator[list[float]]:
    """Yield a list that receives by how many MB the memory of this process rose at most."""
    found = [0.0]
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmHWM")
    yield found
    found[0] = resident("VmHWM") - before


def resident(name: str) -> float:
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name)]
    return int(line.split()[1]) / 1024


def out(db: Database, home: int, kind: str, path: Path) -> None:
    start = time.perf_counter()
    with risen() as memory, path.open("w", encoding="utf-8") as file:
        for piece in export_files.write(db, home, kind):
            file.write(piece)
    seconds = time.perf_counter() - start
    print(
        f"out  {kind:<22}{seconds:>8.1f} s {path.stat().st_size / 1e6:>8.1f} MB {memory[0]:>6.0f} MB memory", flush=True
    )


def bring(db: Database, home: int, path: Path, what: str) -> None:
    measured = Measured()
    with measured.watching():
        key = brought(db, home, path, what, measured)
    found = imports.find(db, key)
    assert found is not None and found.state == "done" and not found.refusal


def brought(db: Database, home: int, path: Path, what: str, measured: Measured) -> str:
    start = time.perf_counter()
    key = imports.begin(db, home)
    with risen() as memory:
        with path.open("rb") as file:
            size = files.keep(db, imports.job_of(db, key), file)
        one = imports.inspect(db, key, size)
        if one.state == "asking":
            imports.answer(db, one, imports.guessed(db, one))
        imports.finish(db, key)
    seconds = time.perf_counter() - start
    print(f"in   {what:<22}{seconds:>8.1f} s, {measured.longest()}, {memory[0]:>4.0f} MB memory", end="", flush=True)
    start = time.perf_counter()
    jobs.finish(db, job_steps.STEPS)
    print(f"; standings {time.perf_counter() - start:.1f} s, {measured.longest()}", flush=True)
    return key


def measure(folder: Path, size: int) -> None:
    there, here = folder / "there.db", folder / "here.db"
    create_app({"DATABASE": str(there)})
    create_app({"DATABASE": str(here)})
    with closing(connect(there)) as source, closing(connect(here)) as target:
        home = demo.seed(source, size)
        for kind in export_files.KINDS:
            out(source, home, kind, folder / kind)
        bring(target, clubs.create(target, "Empty"), folder / "json", "json, empty club")
        bring(target, clubs.create(target, "Empty"), folder / "bgstats", "bgstats, empty club")
        full = clubs.create(target, "Full")
        bring(target, full, folder / "bgstats", "bgstats, once more")
        bring(target, full, folder / "json", "json, into the past")
    for path in (there, here):
        for one in folder.glob(f"{path.name}*"):
            os.unlink(one)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        for games in sys.argv[1:] or ["1000", "10000", "100000"]:
            print(f"-- {games}", flush=True)
            measure(Path(name), int(games))
