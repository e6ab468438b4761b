"""Let 24 phones tap in four rooms, and cut off two of them at a time: `make bench-dying`.

A phone is cut off in the middle of a tap, after part of the request or all of it was sent. It returns after a moment
and sends the tap again, as its queue would. At the end every seat must have each change of its phone once.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from urllib.parse import urlencode

from tests.bench_live import Phone, lay_table, lost, p95, start_server
from webapp.database import connect

ROOMS, OF_A_ROOM = 4, 6
AWAY_S = 0.3  # a phone that died, on average


@dataclass
class Mortal:
    """Tap like a phone that may be cut off at any time."""

    phone: Phone
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def tap(self, over: asyncio.Event, pause: float) -> None:
        while not over.is_set():
            async with self.lock:
                await self.phone.tap(again=False)
            await asyncio.sleep(random.expovariate(1 / pause))

    async def die(self) -> None:
        """Cut the connection in the middle of a tap, then return with the same tap."""
        async with self.lock:
            phone, fields = self.phone, self.phone.change()
            body = urlencode(fields).encode()
            more = "X-Tidemark: part\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            request = phone.head("POST", phone.board, f"{more}Content-Length: {len(body)}\r\n") + body
            _, writer = await phone.open()
            writer.write(request[: random.choice((len(request), random.randrange(len(request))))])
            await writer.drain()
            await asyncio.sleep(random.uniform(0, 0.02))
            writer.transport.abort()
            if phone.connection is not None:
                phone.connection[1].transport.abort()
                phone.connection = None
            await asyncio.sleep(random.expovariate(1 / AWAY_S))
            await phone.send(fields)


async def bench(port: int, invitation: str, database: Path, pause: float) -> list[str]:
    tables = [await lay_table(port, number, invitation, OF_A_ROOM) for number in range(ROOMS)]
    phones = [Mortal(phone) for table in tables for phone in table.phones]
    over, began = asyncio.Event(), time.perf_counter()
    tapping = [asyncio.create_task(one.tap(over, pause)) for one in phones]
    pairs = list(combinations(phones, 2))
    random.shuffle(pairs)
    for pair in pairs:
        await asyncio.gather(*(one.die() for one in pair))
    over.set()
    await asyncio.gather(*tapping)
    took, faults = time.perf_counter() - began, []
    db = connect(database)
    for table in tables:
        for phone in table.phones:
            sql = (
                "SELECT seats.version, state FROM seats JOIN tables ON tables.id = table_id WHERE key = ? AND seat = ?"
            )
            row = db.row(sql, table.key, phone.seat)
            assert row is not None, "nobody removes a player"
            faults += [f"{table.key}/{phone.seat}: {fault}" for fault in [*phone.faults, *lost(phone, row)]]
    db.close()
    changes = sum(len(one.phone.changes) for one in phones)
    saves = [save for one in phones for save in one.phone.saves]
    print(f"{len(phones)} phones in {ROOMS} rooms, {len(pairs)} pairs died, {took:.0f} s")
    print(f"{changes} taps, {changes / took:.0f} a second, p95 of a save {p95(saves) * 1000:.0f} ms")
    print(f"lost or doubled: {len(faults)}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8767)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two taps of a phone, on average")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, invitation = start_server(Path(folder), options.port)
        try:
            faults = asyncio.run(bench(options.port, invitation, Path(folder) / "bench.db", options.pause))
        finally:
            server.terminate()
            server.wait()
    print("\n".join(faults[:20]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
