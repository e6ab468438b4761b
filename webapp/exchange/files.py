"""Files on their way in: opened as often as they have to be read, and known by how large they are."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from typing import IO, BinaryIO

from webapp.database import Database

PIECE = 512 * 1024
Open = Callable[[], BinaryIO]
Moved = Callable[[int], None]  # hears how many bytes have been read


def ignore(_: int) -> None:
    """For whom it is all the same how far a file has been read."""


def keep(db: Database, key: str, file: IO[bytes]) -> int:
    """Keep an upload in the database, packed and piece by piece, until it has been taken in; its size."""
    size = number = 0
    while piece := file.read(PIECE):
        with db.atomic(db.club_of("imports", key=key)):
            db.execute("INSERT INTO import_pieces VALUES (?, ?, ?)", [key, number, zlib.compress(piece, 1)])
        size += len(piece)
        number += 1
    return size


def kept(db: Database, key: str) -> Open:
    """An upload that is kept."""
    return lambda: io.BufferedReader(_Pieces(_pieces(db, key)), PIECE)  # type: ignore[type-var]


def still_kept(db: Database, key: str) -> Open | None:
    """Return an upload that is kept, or None if its file is elsewhere, as with imports on the command line."""
    here = db.row("SELECT 1 FROM import_pieces WHERE import_key = ?", key) is not None
    return kept(db, key) if here else None


def _pieces(db: Database, key: str) -> Iterator[bytes]:
    number = 0
    while row := db.execute(
        "SELECT content FROM import_pieces WHERE import_key = ? AND number = ?", [key, number]
    ).fetchone():
        yield zlib.decompress(row[0])
        number += 1


class _Pieces(io.RawIOBase):
    """Pieces in a row, read like a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces, self.rest = pieces, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        if not self.rest:
            self.rest = next(self.pieces, b"")
        part = self.rest[: len(buffer)]
        self.rest = self.rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)
