"""Asking the application whether a body may come, before any of it is taken."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from webapp.front.pages import Answer, page

ASKED = "tidemark.asked"  # the key under which the application finds who asks


class Wanted(BaseException):
    """Nothing stands against the body: the application would read it now. No fault, so nobody is to handle it."""


class Unread(io.RawIOBase):
    """A body that has not come yet. The application notes how much of it there may be."""

    def __init__(self, most: int) -> None:
        self.most = most

    def readable(self) -> bool:
        return True

    def readinto(self, _: Any) -> int:
        raise Wanted


def ask(app: Any, told: Mapping[str, Any], unasked: int) -> Answer | int:
    """Return how many bytes may come, or the answer to a request that need not be heard any further.

    An application that says nothing of it gets as many as come unasked.
    """
    unread = Unread(unasked)
    try:
        return page(app, {**told, "wsgi.input": unread, ASKED: unread})
    except Wanted:
        return unread.most
