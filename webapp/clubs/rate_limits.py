"""Limit how many attempts an address has within some seconds."""

from __future__ import annotations

from flask import abort, current_app, request

from webapp.addresses import household
from webapp.database import attempts


class Limit(attempts.Limit):
    """Limit an address to so many `attempts` within so many `seconds`. `check` aborts the request after too many."""

    def check(self, who: str) -> None:
        """Count an attempt from the address `who`, or abort with 429 if it has made too many."""
        if not current_app.extensions["attempts"].allow(self, who):
            abort(429)


def forgive(limit: Limit, who: str) -> None:
    """Take back the latest counted attempt from the address `who`, because it succeeded."""
    current_app.extensions["attempts"].forgive(limit, who)


def address() -> str:
    """Return the address of the request. An IPv6 address is shortened to its network, such as "2001:db8::/64", because
    everybody in a home shares that."""
    return household(request.remote_addr or "unknown")
