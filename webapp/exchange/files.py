"""Store the file of an import in the database, and open it as often as it has to be read."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Callable, Iterator
from typing import IO, BinaryIO

from scorer.contract import Json
from webapp.database import Database, pack
from webapp.jobs import Job

PIECE = 512 * 1024
NOTES = -1  # the number of the piece that holds the notes instead of a part of the file
Open = Callable[[], BinaryIO]
ReadProgress = Callable[[int], None]  # called with the number of bytes read so far


def ignore(_: int) -> None:
    """Do nothing; used where nobody wants to know how many bytes were read."""


def keep(db: Database, job: Job, file: IO[bytes]) -> int:
    """Store the file of an import in the database in compressed pieces until the import is done; return its size."""
    size = number = 0
    while piece := file.read(PIECE):
        with db.atomic(job.club_id):
            _put(db, job, number, piece)
        size += len(piece)
        number += 1
    return size


def import_file(db: Database, job: Job) -> Open:
    """Return a function that opens the stored file of an import for reading."""
    return lambda: io.BufferedReader(_Pieces(_pieces(db, job)), PIECE)  # type: ignore[type-var]


def _pieces(db: Database, job: Job) -> Iterator[bytes]:
    number = 0
    while piece := _piece(db, job, number):
        yield piece
        number += 1


def keep_notes(db: Database, job: Job, notes: Json) -> None:
    """Store `notes` (the questions about the file of an import, and their answers) in the caller's transaction."""
    db.execute("DELETE FROM import_pieces WHERE job_id = ? AND number = ?", [job.id, NOTES])
    _put(db, job, NOTES, pack(notes).encode())


def notes(db: Database, job: Job) -> Json:
    """Return the stored questions about the file of an import and their answers, or {} once it is done."""
    return json.loads(_piece(db, job, NOTES) or b"{}")


def drop(db: Database, job: Job) -> None:
    """Delete the file of an import, in the caller's transaction."""
    db.execute("DELETE FROM import_pieces WHERE job_id = ?", [job.id])


def _put(db: Database, job: Job, number: int, content: bytes) -> None:
    db.execute("INSERT INTO import_pieces VALUES (?, ?, ?)", [job.id, number, zlib.compress(content, 1)])


def _piece(db: Database, job: Job, number: int) -> bytes:
    row = db.execute("SELECT content FROM import_pieces WHERE job_id = ? AND number = ?", [job.id, number]).fetchone()
    return zlib.decompress(row[0]) if row else b""


class _Pieces(io.RawIOBase):
    """Read a series of pieces like a file."""

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
