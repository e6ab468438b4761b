"""Give the same work to one server on a file, one on PostgreSQL, and three behind Caddy: `make bench-nodes`.

Tables of six phones, each in its own club, first tap at the pace of an evening and listen. Then they tap as fast as
they can, and then they play whole games. At the end a crowd only listens. Everything runs on this machine, and what was
acknowledged is on disk in all three cases.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.bench_listeners import Room, open_streams
from tests.bench_live import Form, Phone, Table, check, found, lay_table, p95, usage
from tests.deploy.balanced import balanced
from tests.webapp.cluster import Cluster
from tests.webapp.engines import order_at
from tests.webapp.visitor import serving
from webapp import clubs
from webapp.database import connect

PHONES = 6
REST_S = 3.0
NAMES = ("Ann", "Bob")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Site:
    """Hold the address that phones use, and the processes behind it."""

    name: str
    address: str
    database: str
    servers: list[int]
    cluster: Cluster | None = None

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or 80

    def invitations(self, number: int) -> list[str]:
        """Create so many clubs and return their invitations."""
        with closing(connect(self.database)) as db:
            made = [clubs.create(db, f"Club {n}") for n in range(number)]
            return [f"/join/{clubs.links(db, club)['owner']}" for club in made]

    def memory(self) -> tuple[float, float]:
        """Return the MB used by the servers and by PostgreSQL, counting shared memory once."""
        return sum(usage(pid)[0] for pid in self.servers), sum(map(proportional, self.of_database()))

    def processor(self) -> tuple[float, float]:
        """Return the CPU seconds of the servers and of PostgreSQL."""
        return sum(usage(pid)[2] for pid in self.servers), sum(map(worked, self.of_database()))

    def of_database(self) -> list[int]:
        if self.cluster is None:
            return []
        first = int((self.cluster.folder / "data" / "postmaster.pid").read_text().split()[0])
        return [first, *(int(pid) for pid in Path(f"/proc/{first}/task/{first}/children").read_text().split())]


def proportional(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has just ended
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def worked(pid: int) -> float:
    """Return the CPU seconds of a process, including its ended children."""
    try:
        ticks = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(map(int, ticks[11:15])) / TICKS


@contextmanager
def on_a_file(folder: Path) -> Iterator[Site]:
    with serving(folder / "bench.db") as one:
        yield Site("one, SQLite", one.address, str(folder / "bench.db"), [one.process.pid])


@contextmanager
def on_a_server(folder: Path) -> Iterator[Site]:
    with clustered() as (cluster, address), serving(address, beside=folder) as one:
        yield Site("one, PostgreSQL", one.address, address, [one.process.pid], cluster)


@contextmanager
def three(folder: Path) -> Iterator[Site]:
    with clustered() as (cluster, address), balanced(address, folder) as site:
        yield Site("three, PostgreSQL", site.site, address, [node.process.pid for node in site.nodes], cluster)


@contextmanager
def clustered() -> Iterator[tuple[Cluster, str]]:
    cluster = Cluster(("shared_buffers=128MB",))
    try:
        order_at(cluster, "CREATE DATABASE bench")
        yield cluster, cluster.address("bench")
    finally:
        cluster.close()


# -- the work ---


async def evening(tables: Sequence[Table], seconds: float, every: float) -> None:
    """Let all phones listen and tap now and then."""
    phones = [phone for table in tables for phone in table.phones]
    end = time.perf_counter() + seconds
    listening = [asyncio.create_task(phone.listen(end + REST_S)) for phone in phones]
    await asyncio.sleep(1)
    await asyncio.gather(*(phone.live(end, every) for phone in phones))
    await asyncio.gather(*listening)


async def as_fast_as_answered(phones: Sequence[Phone], seconds: float) -> tuple[float, list[float]]:
    """Return the taps per second, and how long each took."""
    end, began = time.perf_counter() + seconds, time.perf_counter()
    before = [len(phone.saves) for phone in phones]

    async def tap(phone: Phone) -> None:
        while time.perf_counter() < end:
            await phone.tap(again=False)

    await asyncio.gather(*map(tap, phones))
    took = [save for phone, known in zip(phones, before, strict=True) for save in phone.saves[known:]]
    return len(took) / (time.perf_counter() - began), took


async def games(phones: Sequence[Phone], seconds: float) -> float:
    """Return how many whole games per second were created, entered and saved."""
    end, began = time.perf_counter() + seconds, time.perf_counter()

    async def play(phone: Phone) -> int:
        saved = 0
        while time.perf_counter() < end:
            await play_one(phone)
            saved += 1
        return saved

    return sum(await asyncio.gather(*map(play, phones))) / (time.perf_counter() - began)


async def play_one(phone: Phone) -> None:
    page = await phone.press((await phone.follow("/")).text, "/tables", {"game": "tiny_towns"})
    key = found(r"/tables/([\w-]+)/setup", page.text)
    for name in NAMES:
        if f'<span class="name">{name}<' not in page.text:
            fields = {**Form(page.text).fields, "add": name}
            page = await phone.press(page.text, f"/tables/{key}/setup", fields)
    for seat, piece in ((0, "empty"), (1, "cottage")):
        page = await phone.press(page.text, f"/tables/{key}/seats/{seat}", {"grid/0/0": piece})
    page = await phone.follow(f"/tables/{key}/result")
    await phone.press(page.text, f"/tables/{key}/save", {"shared": "1"})


async def bench(options: argparse.Namespace, site: Site) -> list[str]:
    invitations = site.invitations(options.tables)
    tables = [await lay_table(site.port, n, invitations[n], PHONES) for n in range(options.tables)]
    phones, hosts = [phone for table in tables for phone in table.phones], [table.phones[0] for table in tables]
    await evening(tables, options.seconds, options.every)
    faults, delays = check(tables, site.database)
    calm = [save for phone in phones for save in phone.saves]
    before, began = site.processor(), time.perf_counter()
    taps, hurried = await as_fast_as_answered(phones, options.seconds)
    after, took = site.processor(), time.perf_counter() - began
    played = await games(hosts, options.seconds)
    memory = site.memory()
    rooms = [Room(host) for host in hosts]
    await open_streams(rooms, options.listeners)
    with_listeners = site.memory()[0]
    for room in rooms:
        for stream in room.streams:
            stream.transport.close()
    load = os.getloadavg()[0]
    print(f"\n{site.name} ({options.tables} tables x {PHONES} phones, load of the machine {load:.1f})")
    print(f"{'a tap, to all phones':<28}p95 {p95(delays) * 1000:.0f} ms, saved p95 {p95(calm) * 1000:.0f} ms")
    print(f"{'taps a second, at most':<28}{taps:.0f}, p95 {p95(hurried) * 1000:.0f} ms")
    work = [(one - other) / took for one, other in zip(after, before, strict=True)]
    print(f"{'  processor meanwhile':<28}{work[0]:.0%} of a core for Tidemark, {work[1]:.0%} for PostgreSQL")
    print(f"{'games a second, at most':<28}{played:.1f}")
    each = (with_listeners - memory[0]) * 1024 / options.listeners
    print(f"{'memory':<28}{memory[0]:.0f} MB of Tidemark, {memory[1]:.0f} MB of PostgreSQL", end="")
    print(f"; {each:.0f} kB for each of {options.listeners} phones that listen")
    print(f"{'lost or doubled':<28}{len(faults)}", flush=True)
    return [f"{site.name}: {fault}" for fault in (*faults, *(fault for phone in phones for fault in phone.faults))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each part")
    parser.add_argument("--every", type=float, default=3.0, help="seconds between two taps of a phone in an evening")
    parser.add_argument("--listeners", type=int, default=300)
    options = parser.parse_args()
    faults = []
    for way in (on_a_file, on_a_server, three):
        with tempfile.TemporaryDirectory() as folder, way(Path(folder)) as site:
            faults += asyncio.run(bench(options, site))
    print("\n".join(faults[:20]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
