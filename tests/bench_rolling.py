"""Restart three servers on PostgreSQL behind Caddy one after another: `make bench-rolling`.

Meanwhile, tables of six phones tap and listen as in `make bench-live`. Nothing may be lost or doubled, and no phone may
see an error.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from tests.bench_live import check, lay_table, p95
from tests.deploy.balanced import Balanced, balanced
from tests.webapp.cluster import Cluster
from tests.webapp.engines import order_at

WARM_UP_S, REST_S = 3.0, 4.0
PHONES = 6


def restart_all(site: Balanced) -> None:
    for number in range(len(site.nodes)):
        started = time.perf_counter()
        site.restart(number)
        print(f"server {number + 1} was started anew in {time.perf_counter() - started:.1f} s", flush=True)


async def bench(options: argparse.Namespace, site: Balanced) -> list[str]:
    port = urlsplit(site.site).port
    assert port is not None
    invitation = site.invitation.removeprefix(site.site)
    tables = [await lay_table(port, number, invitation, PHONES) for number in range(options.tables)]
    phones = [phone for table in tables for phone in table.phones]
    end = time.perf_counter() + options.seconds
    listening = [asyncio.create_task(phone.listen(end + REST_S)) for phone in phones]
    await asyncio.sleep(WARM_UP_S)
    restarting = asyncio.create_task(asyncio.to_thread(restart_all, site))
    await asyncio.gather(*(phone.live(end, options.every) for phone in phones))
    await restarting
    await asyncio.gather(*listening)
    faults, delays = check(tables, site.database)
    saves = [save for phone in phones for save in phone.saves]
    print(f"{len(tables)} tables x {PHONES} phones, {options.seconds:.0f} s, {len(saves)} changes")
    for what, times in (("update to every phone", delays), ("save of a tap", saves)):
        print(f"{what:<24}p95 {p95(times) * 1000:.0f} ms, worst {max(times) * 1000:.0f} ms, of {len(times)}")
    print(f"{'lost, doubled, refused':<24}{len(faults)}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=50.0, help="three servers need about ten each")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two taps of a phone, on average")
    options = parser.parse_args()
    cluster = Cluster()
    try:
        order_at(cluster, "CREATE DATABASE bench")
        with tempfile.TemporaryDirectory() as folder, balanced(cluster.address("bench"), Path(folder)) as site:
            faults = asyncio.run(bench(options, site))
    finally:
        cluster.close()
    print("\n".join(faults[:20]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
