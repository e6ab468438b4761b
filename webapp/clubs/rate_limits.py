"""Limits: at most so many attempts in so many seconds."""

from __future__ import annotations

from flask import abort, current_app, request

from webapp.addresses import household
from webapp.database import attempts


class Limit(attempts.Limit):
    """Hold how many attempts one address has; the rooms keep theirs beside what they limit."""

    def check(self, who: str) -> None:
        """Count an attempt; too many are told to wait."""
        if not current_app.extensions["attempts"].allow(self, who):
            abort(429)


def forgive(limit: Limit, who: str) -> None:
    """Take one attempt back: it was answered, and counts no more."""
    current_app.extensions["attempts"].forgive(limit, who)


def address() -> str:
    """Return who asks: an address, or the network of a household."""
    return household(request.remote_addr or "unknown")
