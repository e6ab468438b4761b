"""Numbers as addresses and forms give them."""

from __future__ import annotations


def number(text: str | None) -> int | None:
    """A whole number, if it is one that the database can hold."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else None
