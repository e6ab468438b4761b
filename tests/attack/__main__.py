"""Run every attack against every way to run Tidemark, and print what phones noticed: `make attack`.

At the end all servers but one are killed. Of 200 taps one may show an error page, and none may be lost.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.attack.evening import Evening, spend
from tests.attack.sites import SITES
from tests.attack.strangers import ATTACKS

P95_S = 0.3  # the longest that 19 of 20 pages and taps may take
TAPS_A_FAULT = 200  # while all servers but one are killed


def holds(seen: Evening) -> bool:
    return not seen.faults and not seen.lost and seen.p95 <= P95_S


def survives(seen: Evening) -> bool:
    return not seen.lost and len(seen.faults) * TAPS_A_FAULT <= seen.taps


def tell(name: str, seen: Evening, is_right: bool) -> None:
    print(f"{'' if is_right else '! '}{name:<38}{seen}", flush=True)
    print("".join(f"    {fault}\n" for fault in sorted(set(seen.faults))[:5]), end="", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="for each attack")
    parser.add_argument("--only", default="", help="attacks whose names contain this")
    parser.add_argument("--site", choices=SITES, action="append", help="one way to run it; all if left out")
    options = parser.parse_args()
    chosen = {name: [attack] for name, attack in ATTACKS.items() if options.only in name}
    failed = 0
    for way in options.site or SITES:
        with tempfile.TemporaryDirectory() as folder, SITES[way](Path(folder)) as site:
            print(f"\n{way}", flush=True)
            for name, attacks in {"nobody attacks": [], **chosen, "all of it at once": list(ATTACKS.values())}.items():
                seen = spend(site, attacks, options.seconds)
                failed += not holds(seen)
                tell(name, seen, holds(seen))
                if seen.faults:
                    print(site.said(), flush=True)
            if len(site.servers) > 1:
                seen = spend(site, [], options.seconds, site.kill_all_but_one)
                failed += not survives(seen)
                tell("all servers but one are killed", seen, survives(seen))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
