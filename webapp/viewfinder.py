"""Read frames of a camera for the viewfinder: limit who may have one read now, and build the answer.

A frame is read in memory and dropped. Frames are read by low-priority processes that together use at most `SHARE` of
the machine. A request that comes too early is told so at once.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from flask import current_app

from scorer.contract import Json
from scorer.sentences import Sentence, say
from vision.reading import Reading
from vision.worker import LIMITS, Pool

MOST_FRAME = 60 * 1024  # bytes
AT_ONCE = 2  # frames read at the same time
SHARE = 0.4  # of the machine's processors
AHEAD_S = 0.5  # of processor time that may be used in advance, so that two viewers need not take turns
QUICK = replace(LIMITS, patience=0.0, idle=20.0, nice=10)

# Problems with a hint for each, most important first; only one hint is shown.
HINTS: dict[str, Sentence] = {
    "cut": say("Show all four corners"),
    "small": say("Closer"),
    "low": say("From higher up"),
    "glare": say("Glare here"),
    "covered": say("Part of the board is covered"),
}


@dataclass
class Viewfinder:
    """Read frames of cameras, and limit how many are read at once and how much processor time that takes."""

    pool: Pool
    share: float = SHARE * (os.cpu_count() or 1)  # of one processor
    busy: set[str] = field(default_factory=set)
    paid_at: float = 0.0  # when the average use is back at the share
    lock: threading.Lock = field(default_factory=threading.Lock)

    def read(self, frame: bytes, game: str, viewer: str) -> Reading | None:
        """Return the reading of a frame; None if a frame of this viewer is being read or no processor time is left."""
        with self._turn(viewer) as may_read:
            if not may_read:
                return None
            began = time.monotonic()
            reading = self.pool.glance(frame, game, viewer)
            with self.lock:  # a killed process does not report its time
                spent = sum(reading.stages.values()) / 1000 or time.monotonic() - began
                self.paid_at = max(self.paid_at, time.monotonic()) + spent / self.share
            return reading

    @contextmanager
    def _turn(self, viewer: str) -> Iterator[bool]:
        with self.lock:
            early = self.paid_at - time.monotonic() > AHEAD_S
            may_read = not early and viewer not in self.busy and len(self.busy) < AT_ONCE
            if may_read:
                self.busy.add(viewer)
        try:
            yield may_read
        finally:
            if may_read:
                with self.lock:
                    self.busy.remove(viewer)


def viewfinder() -> Viewfinder:
    """Return the viewfinder of this server; its processes start with the first frame and end after the last."""
    found: Viewfinder = current_app.extensions.setdefault("viewfinder", Viewfinder(Pool(AT_ONCE, QUICK)))
    return found


def answer(reading: Reading | None) -> Json:
    """Return what the phone draws: outlines of "boards", one "hint" and its place ("at"), and whether a photo would be
    "good".

    Positions are shares of the frame's width and height. If `reading` is None, the answer is that the server is busy.
    """
    if reading is None or not reading.size[0]:
        return {"busy": True}
    wide, high = reading.size
    problems = {one.code: one for one in reading.problems}
    code = next((code for code in HINTS if code in problems), "")
    place = problems[code].message.values if code else {}
    return {
        "boards": [[[x / wide, y / high] for x, y in board.corners] for board in reading.boards],
        "hint": HINTS.get(code, ""),
        "at": [int(place["x"]) / wide, int(place["y"]) / high] if "x" in place else None,
        "good": bool(reading.boards) and not problems,
    }
