"""Load networks for OpenCV's older engine, which needs a third less processor time for ours than the newer one."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2

from vision import memory


@lru_cache(maxsize=8)
def network(model: Path, is_wide: bool = False) -> cv2.dnn.Net:  # noqa: ARG001  part of the key of the cache
    """Return the network in a file, which takes 2 ms to load and is cached.

    `is_wide` returns another copy, for large pictures: a network needs 5 ms to plan its memory for another size.
    """
    return cv2.dnn.readNetFromONNX(str(model), cv2.dnn.ENGINE_CLASSIC)


def forget() -> None:
    """Free the memory of all networks, some 70 MB, which reading cards needs."""
    network.cache_clear()
    memory.give_back()
