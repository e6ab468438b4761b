"""Read numbers in addresses and forms."""

from __future__ import annotations


def number(text: str | None) -> int | None:
    """Return the whole number in the text; None if there is no such number or it is too large for the database."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else None
