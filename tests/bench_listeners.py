"""Let many phones listen to one server, a hundred in each room, during ten taps a second: `make bench-listeners`.

It measures what a listening phone costs, and how long a tap takes to reach the phones of its room. It uses only the
loopback device.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench_live import Phone, lay_table, p95, start_server, usage

OF_A_ROOM = 100
AT_ONCE = 64  # streams that are being opened at the same time
SEAT = re.compile(rb'"seat":0,[^}]*?"version":(\d+)')


@dataclass
class Room:
    """Hold a table whose host taps, and the streams of the phones that listen."""

    host: Phone
    streams: list[Stream] = field(default_factory=list)


class Stream(asyncio.Protocol):
    """Listen like a phone, and record when it heard of each version of the host's seat."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.heard: dict[int, float] = {}
        self.begun = asyncio.get_running_loop().create_future()
        self.rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        assert self.room.host.table
        path = f"/tables/{self.room.host.table.key}/events"
        transport.write(self.room.host.head("GET", path, "Accept: text/event-stream\r\n"))

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        *pieces, self.rest = (self.rest + data).split(b"\n\n")
        for piece in pieces:
            if found := SEAT.search(piece):
                self.heard.setdefault(int(found[1]), now)
                if not self.begun.done():
                    self.begun.set_result(None)

    def connection_lost(self, _: Exception | None) -> None:
        if not self.begun.done():
            self.begun.set_exception(ConnectionError("no stream"))


async def open_streams(rooms: list[Room], number: int) -> None:
    places, loop = asyncio.Semaphore(AT_ONCE), asyncio.get_running_loop()

    async def open_one(n: int) -> None:
        room = rooms[n % len(rooms)]
        address = f"127.{100 + n % len(rooms)}.0.{1 + n // len(rooms)}"
        async with places:
            _, stream = await loop.create_connection(
                lambda: Stream(room), "127.0.0.1", room.host.port, local_addr=(address, 0)
            )
            room.streams.append(stream)
            await stream.begun

    await asyncio.gather(*(open_one(n) for n in range(number)))


def delays(rooms: list[Room]) -> Iterator[float]:
    for room in rooms:
        for version, sent, _ in room.host.changes:
            for stream in room.streams:
                heard = [when for told, when in stream.heard.items() if told >= version]
                yield min(heard) - sent if heard else float("inf")


async def bench(options: argparse.Namespace, invitation: str, pid: int) -> None:
    number = -(-options.listeners // OF_A_ROOM)
    rooms = [Room((await lay_table(options.port, n, invitation, 2)).phones[0]) for n in range(number)]
    before, began = usage(pid), time.perf_counter()
    await open_streams(rooms, options.listeners)
    opened = time.perf_counter() - began
    there, began = usage(pid), time.perf_counter()
    await asyncio.sleep(options.seconds)
    quiet, lasted = usage(pid), time.perf_counter() - began
    end = time.perf_counter() + options.seconds
    began, tapped = time.perf_counter(), 0
    while time.perf_counter() < end:
        await rooms[tapped % number].host.tap(again=False)
        tapped += 1
        await asyncio.sleep(max(0, began + tapped / options.taps - time.perf_counter()))
    busy, took = usage(pid), time.perf_counter() - began
    await asyncio.sleep(2)
    taken = list(delays(rooms))
    saves = [save for room in rooms for save in room.host.saves]
    descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    print(f"{options.listeners} listeners in {number} rooms, {descriptors} files open, {there[1]} threads")
    print(f"opened                  {options.listeners / opened:.0f} a second")
    print(f"a phone that listens    {(there[0] - before[0]) * 1024 / options.listeners:.1f} kB of {busy[0]:.0f} MB")
    print(f"processor               {(quiet[2] - there[2]) / lasted:.0%} of a core quiet", end=", ")
    print(f"{(busy[2] - quiet[2]) / took:.0%} with {tapped / took:.1f} taps a second")
    print(
        f"tap to every phone      p95 {p95(taken) * 1000:.0f} ms, median {sorted(taken)[len(taken) // 2] * 1000:.0f} ms"
    )
    print(f"save of a tap           p95 {p95(saves) * 1000:.0f} ms; not heard of {taken.count(float('inf'))}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listeners", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=20.0, help="without taps, and with them")
    parser.add_argument("--taps", type=float, default=10.0, help="a second, in all")
    parser.add_argument("--port", type=int, default=8767)
    options = parser.parse_args()
    os.environ["TIDEMARK_LISTENERS"] = str(options.listeners)
    with tempfile.TemporaryDirectory() as folder:
        server, invitation = start_server(Path(folder), options.port)
        try:
            asyncio.run(bench(options, invitation, server.pid))
        finally:
            server.terminate()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
