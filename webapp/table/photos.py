"""Photographs of boards, from the shutter to the accepted town. Unless somebody keeps one, it is forgotten."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vision.reading import Reading
from webapp.database import Database, new_key, now, pack
from webapp.table.tables import Table


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo of a seat's board: what was read on it, and the picture without anything a camera writes into files."""

    id: int
    key: str
    table_id: int | None
    play_id: int | None
    seat: int
    reading: Reading


def store(db: Database, table: Table, seat: int, reading: Reading, pictures: Sequence[bytes]) -> str:
    """Keep the photo for the time of the review; the seat's photo before it goes. Returns its key."""
    key = new_key()
    with db.atomic():
        db.execute("DELETE FROM photos WHERE table_id = ? AND seat = ?", [table.id, seat])
        row = {"key": key, "table_id": table.id, "seat": seat, "reading": pack(reading.to_keep()), "created_at": now()}
        photo_id = db.table("photos").insert(row).last_pk
        assert isinstance(photo_id, int)
        _store_pictures(db, photo_id, pictures)
    return key


def read_again(db: Database, photo: Photo, reading: Reading, pictures: Sequence[bytes]) -> None:
    """Replace the reading, after its corners were moved; the photo itself, picture 0, stays."""
    with db.atomic():
        db.execute("UPDATE photos SET reading = ? WHERE id = ?", [pack(reading.to_keep()), photo.id])
        db.execute("DELETE FROM pictures WHERE photo_id = ? AND number > 0", [photo.id])
        _store_pictures(db, photo.id, pictures, first=1)


def _store_pictures(db: Database, photo_id: int, pictures: Sequence[bytes], first: int = 0) -> None:
    for number, picture in enumerate(pictures, first):
        db.execute("INSERT INTO pictures (photo_id, number, jpeg) VALUES (?, ?, ?)", [photo_id, number, picture])


def find(db: Database, key: str) -> Photo | None:
    row = db.row("SELECT id, key, table_id, play_id, seat, reading FROM photos WHERE key = ?", key)
    if row is None:
        return None
    reading = Reading.from_json(json.loads(row["reading"]))
    return Photo(row["id"], row["key"], row["table_id"], row["play_id"], row["seat"], reading)


def table_key(db: Database, photo: Photo) -> str | None:
    """The key of the table whose review the photo waits for."""
    row = db.row("SELECT key FROM tables WHERE id = ?", photo.table_id)
    return row["key"] if row else None


def picture(db: Database, photo: Photo, number: int) -> bytes | None:
    """Picture 0 is the photo; 1 and on are its boards, straightened."""
    row = db.row("SELECT jpeg FROM pictures WHERE photo_id = ? AND number = ?", photo.id, number)
    return row["jpeg"] if row else None


def club_of(db: Database, photo: Photo) -> int:
    """The club whose game it was kept with."""
    row = db.row("SELECT club_id FROM kept_plays WHERE id = ?", photo.play_id)
    assert row is not None, "a photo goes with its game"
    return int(row["club_id"])


def keep(db: Database, photo: Photo, kept: bool) -> None:
    with db.atomic():
        db.execute("UPDATE photos SET kept = ? WHERE id = ?", [int(kept), photo.id])


def go_with(db: Database, table: Table, play_id: int) -> None:
    """At the save: photos to be kept go with the game, the others are forgotten."""
    with db.atomic():
        db.execute(
            "UPDATE photos SET play_id = ?, table_id = NULL WHERE table_id = ? AND kept = 1", [play_id, table.id]
        )
        db.execute("DELETE FROM photos WHERE table_id = ?", [table.id])


def of_play(db: Database, play_id: int) -> list[dict[str, Any]]:
    return list(db.query("SELECT key, seat FROM photos WHERE play_id = ? ORDER BY seat", [play_id]))
