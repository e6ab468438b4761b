"""Serve HTTP with an event loop that reads each request completely before a thread makes the page.

An open connection costs a few kilobytes. It uses a thread only while its answer is made. A connection that is slow or
silent is closed after a time (`limits`). Streams of news use no thread.
"""

from __future__ import annotations

from webapp.front.front import Front, listening
from webapp.front.limits import Limits
from webapp.front.pages import READY, STREAM
from webapp.front.preflight import ASKED

__all__ = ["ASKED", "READY", "STREAM", "Front", "Limits", "listening"]
