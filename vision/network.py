"""Load networks for OpenCV's older engine, which needs a third less processor time for ours than the newer one."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2

from vision import memory


@lru_cache(maxsize=8)
def network(model: Path, is_wide: bool = False) -> cv2.dnn.Net:  # noqa: ARG001  part of the key of the cache
    """Return the network in a file; it is loaded once and kept.

    `is_wide` gives another copy, for large pictures, since a network needs 5 ms to plan its memory for another size.
    """
    return cv2.dnn.readNetFromONNX(str(model), cv2.dnn.ENGINE_CLASSIC)


def forget() -> None:
    """Free the memory of all networks, some 70 MB, as reading cards needs it."""
    network.cache_clear()
    memory.give_back()
