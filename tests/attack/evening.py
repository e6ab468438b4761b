"""Let two phones play while strangers attack, and record what the phones notice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.attack.sites import Site
from tests.attack.strangers import Attack, Attacking
from tests.deploy.tapping import Tapping
from vision import memory

PHONES = 2
PAUSE_S = 0.1  # between two taps of a phone


@dataclass(frozen=True)
class Evening:
    """Record what the phones noticed."""

    taps: int
    faults: list[str]
    lost: int
    p95: float  # seconds for a page or a tap
    attempts: int  # of the strangers
    megabytes: int  # of the servers at the end

    def __str__(self) -> str:
        return (
            f"{self.taps:6} taps {len(self.faults):4} errors {self.lost:4} lost   p95 {self.p95 * 1000:5.0f} ms   "
            f"{self.attempts:6} attempts   {self.megabytes:5} MB"
        )


def held_by(process: int) -> int:
    """Return the memory in bytes of a process and all its children."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()
    return memory.held(process) + sum(held_by(int(child)) for child in children)


def spend(site: Site, attacks: Iterable[Attack], seconds: float, halfway: Callable[[], None] | None = None) -> Evening:
    phones = [Tapping(site.member, PAUSE_S) for _ in range(PHONES)]
    strangers = [Attacking(site.address, attack) for attack in attacks]
    everybody: list[Tapping | Attacking] = [*strangers, *phones]
    for thread in everybody:
        thread.start()
    time.sleep(seconds / 2)
    if halfway:
        halfway()
    time.sleep(seconds / 2)
    held = sum(held_by(server.process.pid) for server in site.servers if server.process.poll() is None)
    for thread in everybody:
        thread.over.set()
    for thread in everybody:
        thread.join()
    lost = sum(phone.count_lost() for phone in phones)
    times = sorted(second for phone in phones for second in phone.seconds)
    return Evening(
        taps=sum(phone.asked for phone in phones),
        faults=[fault for phone in phones for fault in phone.faults],
        lost=lost,
        p95=times[int(len(times) * 0.95)],
        attempts=sum(stranger.done for stranger in strangers),
        megabytes=held // 2**20,
    )
