"""Limit what requests store while they are answered: bodies, uploads and answers, in memory and on disk.

Each household, which is one IPv4 address or one IPv6 network, has a limit. All households together have another. The
last fifth of each total is reserved for households that use little, so that heavy users never block the others.
"""

from __future__ import annotations

import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, Any

from flask import Request
from werkzeug.exceptions import ServiceUnavailable

from webapp.clubs import address

KB, MB = 2**10, 2**20
IN_MEMORY = 256 * KB  # of a body, an upload or an answer; larger ones are on disk
COUNTED = "tidemark.counted"  # the key in the WSGI environment of a function that makes counted files
AGAIN_S = 10  # when the browser may try again


class NoRoom(ServiceUnavailable):
    """Signal that too much is stored already, for one sender (an IPv4 address or IPv6 network) or for all."""

    def __init__(self) -> None:
        super().__init__(retry_after=AGAIN_S)


class Account:
    """Count how much of one resource (memory, disk or files) each household uses, and all of them together. A household
    is one IPv4 address or one IPv6 network."""

    def __init__(self, most: int, most_of_a_household: int, little: int) -> None:
        self.most, self.most_of_a_household, self.little = most, most_of_a_household, little
        self.used = 0
        self.of: Counter[str] = Counter()

    def take(self, who: str, number: int, own: int = 0) -> None:
        """Count `number` bytes or files more for `who`, an IPv4 address or IPv6 network; raise NoRoom above a limit.

        There is a limit for each sender and one for all. `own` is what the same file uses already. A single file, such
        as the export of a large club, may exceed its sender's limit.
        """
        mine = self.of[who] + number
        total = self.most if mine <= self.little else self.most * 4 // 5
        if self.used + number > total or (mine > self.most_of_a_household and self.of[who] > own):
            raise NoRoom
        self.used += number
        self.of[who] = mine

    def give_back(self, who: str, number: int) -> None:
        self.used -= number
        self.of[who] -= number
        if self.of[who] <= 0:
            del self.of[who]


@dataclass
class Accounts:
    """Hold three accounts: for bytes in memory, for bytes on disk, and for the number of files.

    Their limits allow for the largest import. It counts twice: as the body of the request, and as the file in that
    body.
    """

    memory: Account = field(default_factory=lambda: Account(128 * MB, 48 * MB, 1 * MB))
    disk: Account = field(default_factory=lambda: Account(512 * MB, 192 * MB, 48 * MB))
    files: Account = field(default_factory=lambda: Account(100, 40, 4))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def counted(self, who: str) -> Callable[[], CountedFile]:
        return lambda: CountedFile(self, who)


class CountedFile(tempfile.SpooledTemporaryFile[bytes]):
    """Count the bytes of a temporary file for its sender, an IPv4 address or IPv6 network, until it is closed."""

    def __init__(self, accounts: Accounts, who: str) -> None:
        super().__init__(max_size=IN_MEMORY, mode="w+b")
        self.accounts, self.who, self.size, self.on_disk = accounts, who, 0, False

    def write(self, data: Any) -> int:
        with self.accounts.lock:
            if not self.on_disk and self.size + len(data) > IN_MEMORY:
                self._move()
            (self.accounts.disk if self.on_disk else self.accounts.memory).take(self.who, len(data), self.size)
            self.size += len(data)
        return super().write(data)

    def _move(self) -> None:
        self.accounts.files.take(self.who, 1)
        try:
            self.accounts.disk.take(self.who, self.size)
        except NoRoom:
            self.accounts.files.give_back(self.who, 1)
            raise
        self.accounts.memory.give_back(self.who, self.size)
        self.on_disk = True

    def close(self) -> None:
        with self.accounts.lock:
            if self.on_disk:
                self.accounts.files.give_back(self.who, 1)
            (self.accounts.disk if self.on_disk else self.accounts.memory).give_back(self.who, self.size)
            self.size, self.on_disk = 0, False
        super().close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


ACCOUNTS = Accounts()  # used without our front server


class BoundedRequest(Request):
    """Represent a request whose uploads count towards the limits of its sender, an IPv4 address or an IPv6 network."""

    def _get_file_stream(self, *_args: Any, **_options: Any) -> IO[bytes]:
        """Return the file into which Werkzeug writes an upload: in memory up to 256 KB, else on disk."""
        counted = self.environ.get(COUNTED) or ACCOUNTS.counted(address())
        return counted()
