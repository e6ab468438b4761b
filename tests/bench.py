"""`make bench`: how long things take here, and as a ratio to something else measured in the same run."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from scorer.core import score
from tests.conftest import EXAMPLES, GAMES

SECONDS = 1.0  # how long each thing is repeated


def seconds_each(action: Callable[[], Any]) -> float:
    """The median of several batches, so that a neighbour's burst of work does not count."""
    action()
    batches, stop = [], time.perf_counter() + SECONDS
    while time.perf_counter() < stop or len(batches) < 5:
        start = time.perf_counter()
        action()
        batches.append(time.perf_counter() - start)
    return sorted(batches)[len(batches) // 2]


def bench_scoring() -> None:
    print(f"{'game':<20}{'records/s':>12}{'ms/record':>12}{'x json.loads':>14}")
    for game in GAMES:
        records = [example.record for example in EXAMPLES if example.game is game]
        texts = [json.dumps(record) for record in records]
        scoring = seconds_each(lambda records=records: [score(record) for record in records]) / len(records)
        reading = seconds_each(lambda texts=texts: [json.loads(text) for text in texts]) / len(records)
        print(f"{game.id:<20}{1 / scoring:>12.0f}{scoring * 1000:>12.3f}{scoring / reading:>14.1f}")


def bench_start() -> None:
    def run(*command: str) -> float:
        return seconds_each(lambda: subprocess.run(command, input=b"", capture_output=True, check=False))

    bare = run(sys.executable, "-c", "pass")
    ours = run(sys.executable, "-m", "webapp.cli", "score")
    print(f"\ntidemark score starts in {ours * 1000:.0f} ms, {ours / bare:.1f} x a bare interpreter")


if __name__ == "__main__":
    bench_scoring()
    bench_start()
