"""Loads networks for OpenCV's older engine, which takes a third less processor time for ours than the newer one."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2

from vision import memory


@lru_cache(maxsize=8)
def network(model: Path, is_wide: bool = False) -> cv2.dnn.Net:  # noqa: ARG001  part of the key of the cache
    """Return a network, which takes 2 ms to load and is kept.

    A picture of another size makes it plan its memory again, which takes 5 ms. So large pictures have their own one.
    """
    return cv2.dnn.readNetFromONNX(str(model), cv2.dnn.ENGINE_CLASSIC)


def forget() -> None:
    """Give the system the memory of all networks back: they hold some 70 MB, which cards need more."""
    network.cache_clear()
    memory.give_back()
