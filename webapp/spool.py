"""Tell what is uploaded lies in files for a moment: so many bytes of all, and so many of one address, and no more.

Rights come first: a room that takes uploads asks for them before anything of the body is read.
"""

from __future__ import annotations

import tempfile
import threading
from typing import IO, Any

from flask import Request
from werkzeug.exceptions import TooManyRequests

from webapp.clubs import address

MOST = 100 * 1000 * 1000  # bytes of this process
MOST_OF_ONE = 80 * 1000 * 1000  # of one address: the largest import, and a photo beside it
IN_MEMORY = 256 * 1024  # what is smaller never reaches the disk


class Spool:
    """Hold how many bytes lie in files now, by address."""

    def __init__(self, most: int = MOST, most_of_one: int = MOST_OF_ONE) -> None:
        self.most, self.most_of_one = most, most_of_one
        self.lock = threading.Lock()
        self.held: dict[str, int] = {}

    def take(self, who: str, size: int) -> None:
        """Note that so many more bytes lie there; too many are refused."""
        with self.lock:
            mine = self.held.get(who, 0) + size
            if mine > self.most_of_one or sum(self.held.values()) + size > self.most:
                raise TooManyRequests
            self.held[who] = mine

    def give_back(self, who: str, size: int) -> None:
        with self.lock:
            left = self.held.pop(who, 0) - size
            if left > 0:
                self.held[who] = left


SPOOL = Spool()  # files are the process's, whichever app made them


class Spooled(tempfile.SpooledTemporaryFile[bytes]):
    """An uploaded file whose bytes are counted until it is closed."""

    def __init__(self, spool: Spool, who: str) -> None:
        super().__init__(max_size=IN_MEMORY, mode="rb+")
        self.spool, self.who, self.counted = spool, who, 0

    def write(self, data: Any) -> int:
        self.spool.take(self.who, len(data))
        self.counted += len(data)
        return super().write(data)

    def close(self) -> None:
        self.spool.give_back(self.who, self.counted)
        self.counted = 0
        super().close()

    def __del__(self) -> None:
        self.close()


class BoundedRequest(Request):
    """A request whose uploads are counted."""

    def _get_file_stream(self, *_args: Any, **_options: Any) -> IO[bytes]:
        """Return what Werkzeug puts the bytes of a file into."""
        return Spooled(SPOOL, address())
