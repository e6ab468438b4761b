"""Measure the memory of a process, and return free memory that libraries would keep."""

from __future__ import annotations

import ctypes
import gc
import sys
from functools import cache
from pathlib import Path
from typing import Any

PAGES = "/proc/{process}/statm"
UNKNOWN = 0


def held(process: int | str = "self") -> int:
    """Return the bytes of memory that a process holds now, or UNKNOWN if the system does not say."""
    try:
        import resource

        return int(Path(PAGES.format(process=process)).read_text("ascii").split()[1]) * resource.getpagesize()
    except (ImportError, OSError, IndexError, ValueError):
        return UNKNOWN


def give_back() -> None:
    """Return memory that Python and the C library no longer use to the operating system."""
    gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    """Return the function malloc_trim, which gives unused memory back to the system; None if the C library is not
    glibc."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return None
