"""HTTP on the wire: an event loop that hears out every request and only then gives it to a thread for pages.

A connection costs a few kilobytes and no thread until its request is whole, and again as soon as its answer is known;
who is slow, or says nothing, is cut off by `deadlines`. Streams of news never cost a thread.
"""

from __future__ import annotations

from webapp.front.front import Front, listening
from webapp.front.limits import Limits
from webapp.front.pages import READY, STREAM
from webapp.front.preflight import ASKED

__all__ = ["ASKED", "READY", "STREAM", "Front", "Limits", "listening"]
