"""Find out how many files this process may have open, which limits how many phones get live updates."""

from __future__ import annotations

import contextlib

from scorer.sentences import Sentence, say

SPARE = 200  # for the database, copies, static files, photos and temporary files of `spool`
LEAST_CONNECTIONS = 500  # for pages, besides listeners
OF_MACOS = 10_240  # macOS gives no more, even if it says otherwise
NO_LIMIT = 2**31  # as on Windows


def needed(listeners: int) -> int:
    """Return how many open files the process needs, including those of `listeners` phones with live updates."""
    return listeners + LEAST_CONNECTIONS + SPARE


def how_to_allow(limit: int, wanted: int) -> Sentence:
    """Return a sentence that says how to allow `wanted` open files instead of `limit`."""
    return say(
        "Allow {n} open files instead of {limit}: “ulimit -n {n}”, or LimitNOFILE in systemd.", n=wanted, limit=limit
    )


def raise_limit(wanted: int) -> int:
    """Raise the limit of open files to `wanted` if possible, and return the limit that holds now."""
    try:
        import resource
    except ImportError:
        return NO_LIMIT
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    for number in (most, min(most, OF_MACOS)):
        if 0 <= soft < number:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
                soft = number
    return NO_LIMIT if soft == resource.RLIM_INFINITY else soft


def limit() -> int:
    """Return the highest number of open files that the process could ask for."""
    try:
        import resource
    except ImportError:
        return NO_LIMIT
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return NO_LIMIT if hard == resource.RLIM_INFINITY else hard
