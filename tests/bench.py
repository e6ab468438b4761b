"""Measure how long things take, also as ratios to something else measured in the same run: `make bench`."""

from __future__ import annotations

import contextlib
import json
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from scorer.core import score
from scorer.games.copenhagen.buildable import build
from scorer.games.copenhagen.facade import from_rows
from scorer.games.copenhagen.shapes import stock
from tests.conftest import EXAMPLES, GAMES, Example
from tests.scorer import by_force
from tests.scorer.houses import HARD
from tests.webapp.test_backup import accept
from webapp import clubs
from webapp.database import Database, connect
from webapp.table import seats, tables

SECONDS = 1.0  # how long each thing is repeated


def seconds_each(action: Callable[[], Any]) -> float:
    """Return the median time of several batches, so that a burst of other work does not count."""
    action()
    batches: list[float] = []
    stop = time.perf_counter() + SECONDS
    while time.perf_counter() < stop or len(batches) < 5:
        start = time.perf_counter()
        action()
        batches.append(time.perf_counter() - start)
    return sorted(batches)[len(batches) // 2]


def seconds_for_each(action: Callable[[Any], Any], things: Sequence[Any]) -> float:
    return seconds_each(lambda: [action(thing) for thing in things]) / len(things)


def bench_scoring() -> None:
    print(f"{'game':<20}{'records/s':>12}{'ms/record':>12}{'x json.loads':>14}")
    for game in GAMES:
        records = [example.record for example in EXAMPLES if example.game is game]
        texts = [json.dumps(record) for record in records]
        scoring = seconds_for_each(score, records)
        reading = seconds_for_each(json.loads, texts)
        print(f"{game.id:<20}{1 / scoring:>12.0f}{scoring * 1000:>12.3f}{scoring / reading:>14.1f}")


def bench_houses() -> None:
    """Measure how long it takes to find whether tiles can form a plain Copenhagen house, without a cache."""
    chance = random.Random(0)
    played = [(4, by_force.rows_of(by_force.random_house(chance, 20))) for _ in range(50)]
    hard = [(players, rows.split()) for players, rows, _ in HARD]
    print(f"\n{'houses':<20}{'median ms':>12}{'worst ms':>12}")
    for name, grids in (("as built in play", played), ("hardest known", hard)):
        facades = [(from_rows(rows), stock(players)) for players, rows in grids]
        each = sorted(percentiles(partial(build.__wrapped__, *one), 9)[0] for one in facades)
        print(f"{name:<20}{each[len(each) // 2] * 1000:>12.2f}{each[-1] * 1000:>12.1f}")


def bench_start() -> None:
    def run(*command: str) -> float:
        return seconds_each(lambda: subprocess.run(command, input=b"", capture_output=True, check=False))

    bare = run(sys.executable, "-c", "pass")
    ours = run(sys.executable, "-m", "webapp.cli", "score")
    print(f"\ntidemark score starts in {ours * 1000:.0f} ms, {ours / bare:.1f} x a bare interpreter")


def bench_taps() -> None:
    """Measure a tap on loopback: the seat is saved on disk and scored, and the page is returned."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "bench.db") as (address, db, club_id):
        visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        accept(visitor, f"{address}/join/{clubs.links(db, club_id)['member']}")
        idle = percentiles(lambda: visitor.open(f"{address}/api/v1/games").read())
        print(f"\n{'a tap at':<20}{'median ms':>12}{'p95 ms':>10}{'x an idle request':>20}")
        for game in GAMES:
            example = max((e for e in EXAMPLES if e.game is game), key=lambda e: len(e.record["players"]))
            tap = tapping(visitor, address, lay(db, club_id, example))
            median, high = percentiles(tap)
            print(f"{game.id:<20}{median * 1000:>12.1f}{high * 1000:>10.1f}{median / idle[0]:>20.1f}")


def lay(db: Database, club_id: int, example: Example) -> str:
    """Create the example's table with everything entered. Return its key."""
    record = example.record
    key = tables.add(db, club_id, example.game, record.get("table", {}), [p["name"] for p in record["players"]])
    table = tables.find(db, key)
    assert table is not None
    for number, player in enumerate(record["players"]):
        seats.keep(db, table, number, {name: value for name, value in player.items() if name != "name"})
    return key


def tapping(visitor: urllib.request.OpenerDirector, address: str, key: str) -> Callable[[], Any]:
    seat = f"{address}/tables/{key}/seats/0"
    page = visitor.open(seat).read().decode()
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token is not None
    body = urllib.parse.urlencode({"csrf_token": token.group(1)}).encode()
    request = urllib.request.Request(seat, body, {"X-Tidemark": "part"})
    return lambda: visitor.open(request).read()


def percentiles(action: Callable[[], Any], times: int = 200) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    action()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        taken.append(time.perf_counter() - start)
    taken.sort()
    return taken[times // 2], taken[times * 95 // 100]


@contextlib.contextmanager
def served(path: Path) -> Iterator[tuple[str, Database, int]]:
    """Start the server as `make serve` does, for this machine only, until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "webapp.cli",
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--db",
        str(path),
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        while True:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{address}/api/v1/games").close()
                break
            time.sleep(0.1)
        db = connect(path)
        club_id = clubs.first_club(db)
        assert club_id is not None
        yield address, db, club_id
        db.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    bench_scoring()
    bench_houses()
    bench_start()
    bench_taps()
