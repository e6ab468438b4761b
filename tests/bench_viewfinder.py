"""Measure taps with and without viewfinders that look twice a second: `make bench-viewfinder`.

Both take turns, so that other work on the machine slows both down. It prints the 95th percentiles of the taps, their
ratio, the 95th percentile of the hints, and how much processor time the looks took.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

from tests.bench_live import Phone, found, lay_table, p95, read_answer, start_server, usage
from tests.vision import tables as drawn

EVERY = 0.5  # seconds between two looks
TAP = 0.2  # seconds between two taps, of all phones together
TOWNS = ("cf.w ..c. t... ..o.", "cc.. f..w .y.. ..b.")


def frame() -> bytes:
    """Return a picture of two towns in the size that the page sends."""
    pixels = cv2.imdecode(np.frombuffer(drawn.photo(TOWNS, ()), np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    small = cv2.resize(pixels, None, fx=(scale := 640 / max(pixels.shape)), fy=scale, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 75])[1].tobytes()


async def view(phone: Phone, picture: bytes, until: float) -> list[float]:
    """Look twice a second. Return how long each answer other than `busy` took."""
    path, times = f"{phone.board}/photo", []
    token = found(r'name="csrf_token" value="([^"]+)"', (await phone.follow(path)).text)
    while (began := time.perf_counter()) < until:
        more = f"X-CSRFToken: {token}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n"
        reader, writer = await phone.open()
        writer.write(phone.head("POST", f"{path}/look", f"{more}Connection: close\r\n") + picture)
        _, text = await read_answer(reader)
        writer.close()
        if "boards" in json.loads(text):
            times.append(time.perf_counter() - began)
        await asyncio.sleep(max(0.05, EVERY - (time.perf_counter() - began)))
    return times


async def tap(phones: list[Phone], until: float) -> list[float]:
    """Tap on one phone after another. Return how long each tap took."""
    for phone in phones:
        phone.saves.clear()
    turn = 0
    while time.perf_counter() < until:
        await phones[turn % len(phones)].tap(again=False)
        turn += 1
        await asyncio.sleep(TAP)
    return [seconds for phone in phones for seconds in phone.saves]


def of_looks(server: int) -> float:
    """Return the processor seconds used by the server's photo processes."""
    children = Path(f"/proc/{server}/task").glob("*/children")
    return sum(usage(int(child))[2] for file in children for child in file.read_text().split())


async def bench(options: argparse.Namespace, invitation: str, server: int) -> None:
    table = await lay_table(options.port, 1, invitation, 6)
    beside = await lay_table(options.port, 2, invitation, options.viewers)
    picture, alone, together, hints, spent = frame(), [], [], [], 0.0
    await asyncio.gather(*(view(phone, picture, time.perf_counter() + 8) for phone in beside.phones))  # they begin
    for _ in range(options.rounds):
        alone += await tap(table.phones, time.perf_counter() + options.seconds)
        before, until = of_looks(server), time.perf_counter() + options.seconds
        taps, *looks = await asyncio.gather(tap(table.phones, until), *(view(p, picture, until) for p in beside.phones))
        together += taps
        hints += [seconds for times in looks for seconds in times]
        spent += of_looks(server) - before
    share = spent / (options.rounds * options.seconds * (os.cpu_count() or 1))
    print(f"taps: p95 {1000 * p95(alone):.0f} ms alone, {1000 * p95(together):.0f} ms beside {options.viewers} viewers")
    print(f"ratio {p95(together) / p95(alone):.2f}, of the medians {median(together) / median(alone):.2f}")
    print(f"hints: {len(hints)}, p95 {1000 * p95(hints):.0f} ms, median {1000 * median(hints):.0f} ms")
    print(f"looks took {100 * share:.0f}% of the machine")


def median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2] if values else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=15.0, help="of each half of a round")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--port", type=int, default=8767)
    options = parser.parse_args()
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
