"""Tell how many files and connections this process may have open at once: from that follows how many phones may
listen.
"""

from __future__ import annotations

import contextlib

from scorer.sentences import Sentence, say

SPARE = 200  # the database, copies, static files, photos; and those that `spool` counts
LEAST_CONNECTIONS = 500  # of phones that ask for pages, beside those that listen
OF_MACOS = 10_240  # the most that macOS gives, whatever it says
NO_LIMIT = 2**31  # as on Windows


def needed(listeners: int) -> int:
    """Return what so many listeners need, and what has to be there besides."""
    return listeners + LEAST_CONNECTIONS + SPARE


def allow(number: int) -> Sentence:
    """Return what to do about it."""
    return say("Allow {n} open files: “ulimit -n {n}”, or LimitNOFILE in systemd.", n=number)


def ask_for(wanted: int) -> int:
    """Return how many there may be, after asking for so many."""
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
    """Return how many there could be, for whoever asks."""
    try:
        import resource
    except ImportError:
        return NO_LIMIT
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return NO_LIMIT if hard == resource.RLIM_INFINITY else hard
