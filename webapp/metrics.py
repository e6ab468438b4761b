"""Count requests and times of a running server, in the text format of Prometheus."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Histogram:
    """Count values, such as seconds, in ranges whose upper limits are `bounds`. One more range has no limit."""

    def __init__(self, bounds: tuple[float, ...] = SECONDS) -> None:
        self.bounds = bounds
        self.lock = threading.Lock()
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        with self.lock:
            self.counts[bisect_left(self.bounds, value)] += 1
            self.sum += value

    def lines(self, name: str, **labels: str) -> Iterator[str]:
        with self.lock:
            counts, total = list(self.counts), self.sum
        so_far = 0
        for bound, count in zip((*map(str, self.bounds), "+Inf"), counts, strict=True):
            so_far += count
            yield f"{name}_bucket{labelled({**labels, 'le': bound})} {so_far}"
        yield f"{name}_sum{labelled(labels)} {total:.6f}"
        yield f"{name}_count{labelled(labels)} {so_far}"


class Requests:
    """Count the requests of an app by route and status, with their times and those in progress."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.counts: dict[tuple[str, str, int], int] = {}
        self.times: dict[str, Histogram] = {}
        self.under_way: dict[str, int] = {}

    def begin(self, route: str) -> None:
        with self.lock:
            self.under_way[route] = self.under_way.get(route, 0) + 1

    def end(self, route: str) -> None:
        with self.lock:
            self.under_way[route] -= 1

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        with self.lock:
            key = (method, route, status)
            self.counts[key] = self.counts.get(key, 0) + 1
            times = self.times.setdefault(route, Histogram())
        times.observe(seconds)

    def waiting(self, routes: Iterable[str]) -> int:
        """Return how many requests are in progress on these routes."""
        with self.lock:
            return sum(self.under_way.get(route, 0) for route in routes)

    def lines(self) -> Iterator[str]:
        with self.lock:
            counts, times = sorted(self.counts.items()), sorted(self.times.items())
        yield from heading("tidemark_requests_total", "counter", "Requests answered.")
        for (method, route, status), count in counts:
            labels = {"method": method, "route": route, "status": str(status)}
            yield f"tidemark_requests_total{labelled(labels)} {count}"
        yield from heading("tidemark_request_seconds", "histogram", "How long an answer took to make.")
        for route, histogram in times:
            yield from histogram.lines("tidemark_request_seconds", route=route)


def heading(name: str, kind: str, words: str) -> Iterator[str]:
    yield f"# HELP {name} {words}"
    yield f"# TYPE {name} {kind}"


def gauge(name: str, words: str, value: float) -> Iterator[str]:
    yield from heading(name, "gauge", words)
    yield f"{name} {value:g}"


def labelled(labels: Mapping[str, str]) -> str:
    inside = ",".join(f'{name}="{escaped(value)}"' for name, value in labels.items())
    return f"{{{inside}}}" if inside else ""


def escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


# One for the process, since all its apps wait for the same writer.
WRITE_WAITS = Histogram()
