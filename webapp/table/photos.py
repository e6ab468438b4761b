"""Store photos of a table, from taking them to accepting their boards. A photo is deleted unless somebody keeps it.

Each board on a photo belongs to a player or to nobody, or people are still asked whose it is. Corrections of its
squares are stored with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vision.reading import Board, Look, Point, Reading
from webapp.database import Database, ago, new_key, now, pack
from webapp.table.tables import Table

NOBODY = -1  # used as a seat, for a board that nobody played
CARDS = -1  # used as a board's number, for cards that people have chosen by hand
PATIENCE_DAYS = 1 / 1440  # after a minute we no longer wait for cards, because their reader must have failed
MOST_AT_A_TABLE = 12  # photos under review; older ones are deleted


@dataclass(frozen=True, slots=True)
class Given:
    """Hold what people have said about one board on a photo: whose it is, and which squares they have checked.

    `seat` is None while people are asked, and -1 for a board of nobody. `looked` has the checked pieces by row and
    column, such as {"0/3": "well"}.
    """

    seat: int | None = None
    looked: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Photo:
    """Hold a photo of a table and what was read on it. The stored picture has no metadata of the camera."""

    id: int
    key: str
    table_id: int | None
    play_id: int | None
    device: str  # the device that took it
    reading: Reading
    cards_follow: bool  # the boards have been read, the cards have not
    given: tuple[Given, ...] = ()  # for each board of the reading
    told: tuple[str, ...] = ()  # the fields of cards that people have chosen by hand

    @property
    def marks(self) -> list[list[Point]]:
        """Return four corners for each board that was read, in pixels. The last entry has four corners to drag, for one
        more board that was not found."""
        wide, high = self.reading.size
        waiting = [(wide * x, high * y) for x, y in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))]
        return [*(list(board.corners) for board in self.reading.boards), waiting]


def store(db: Database, table: Table, look: Look, device: str = "", digest: str = "", seat: int | None = None) -> str:
    """Store a photo for its review and return its key. `look` has its picture and what was read on it. With `seat`, the
    largest board is that player's. If the device sent a photo with the same `digest` before, only return that
    photo's key."""
    key, pictures = new_key(), [look.picture or b"", *look.boards]
    with db.atomic(table.club_id):
        twin = known(db, device, digest, table.id)
        if twin is not None:
            return twin
        photo_id = db.insert(
            "photos",
            key=key,
            table_id=table.id,
            device=device,
            digest=digest,
            reading=pack(look.reading.to_keep()),
            cards_follow=int(look.cards_follow),
            created_at=now(),
        )
        for number, picture in enumerate(pictures):
            db.put("pictures", photo_id=photo_id, number=number, jpeg=picture)
        if seat is not None:
            _drop_those_of(db, table, seat)
            for number in range(len(look.reading.boards)):
                give(db, table, photo_id, number, NOBODY if number else seat)
        _make_place(db, table)
    return key


def known(db: Database, device: str, digest: str, table_id: int | None = None) -> str | None:
    """Return the key of an earlier copy of a photo that this device sent and that is still under review, or None.

    Copies are found by their checksum, `digest`. With `table_id`, only photos of that table count.
    """
    if not digest:
        return None
    sql = "SELECT key FROM photos WHERE table_id > 0 AND kept = 0 AND digest = ? AND device = ?"
    row = db.row(f"{sql} AND table_id = coalesce(?, table_id) ORDER BY id DESC", digest, device, table_id)
    return row["key"] if row else None


def _drop_those_of(db: Database, table: Table, seat: int) -> None:
    """Delete earlier photos that were taken for this seat alone."""
    for photo in of_table(db, table):
        owners = {given.seat for given in photo.given}
        if seat in owners and owners <= {seat, NOBODY}:
            take_back(db, photo)


def _make_place(db: Database, table: Table) -> None:
    there = "FROM photos WHERE table_id = ? AND kept = 0"
    latest = f"SELECT id {there} ORDER BY id DESC LIMIT ?"
    db.execute(f"DELETE {there} AND id NOT IN ({latest})", [table.id, table.id, MOST_AT_A_TABLE])


def cards_came(db: Database, key: str, reading: Reading) -> Photo | None:
    """Add to a photo the cards that were read after its boards. Return the photo, or None if it is gone."""
    with db.atomic(club_of(db, find(db, key))):
        photo = find(db, key)
        if photo is None or not photo.cards_follow:
            return None
        whole = replace(photo.reading, cards=reading.cards, problems=reading.problems)
        db.execute("UPDATE photos SET reading = ?, cards_follow = 0 WHERE id = ?", [pack(whole.to_keep()), photo.id])
    return replace(photo, reading=whole, cards_follow=False)


def put_board(db: Database, photo: Photo, number: int, board: Board, picture: bytes) -> None:
    """Store a board whose corners a user placed, with its straightened `picture`.

    It replaces board `number` of the photo, or is added.
    """
    boards = [*photo.reading.boards[:number], board, *photo.reading.boards[number + 1 :]]
    reading = replace(photo.reading, boards=boards, problems=_but_for_boards(photo.reading))
    with db.atomic(club_of(db, photo)):
        db.execute("UPDATE photos SET reading = ? WHERE id = ?", [pack(reading.to_keep()), photo.id])
        db.upsert("pictures", ("photo_id", "number"), photo_id=photo.id, number=number + 1, jpeg=picture)
        db.execute(
            "UPDATE photo_boards SET looked = '{}' WHERE photo_id = ? AND number = ?", [photo.id, number]
        )  # corrections of the old squares


def _but_for_boards(reading: Reading) -> list[Any]:
    """Return the photo's problems, without those about boards that were not found."""
    return [problem for problem in reading.problems if problem.code not in {"no_board", "bad_corners", "unsure"}]


# -- finding photos ---


def find(db: Database, key: str) -> Photo | None:
    found = _found(db, "key = ?", key)
    return found[0] if found else None


def of_table(db: Database, table: Table) -> list[Photo]:
    """Return the photos of a table that are under review, in the order they were taken."""
    return _found(db, "kept = 0 AND table_id = ?", table.id)


def _found(db: Database, where: str, value: Any) -> list[Photo]:
    rows = list(db.query(f"SELECT * FROM photos WHERE {where} ORDER BY id", [value]))
    given: dict[int, dict[int, Given]] = {}
    for row in db.query(f"SELECT * FROM photo_boards WHERE photo_id IN (SELECT id FROM photos WHERE {where})", [value]):
        given.setdefault(row["photo_id"], {})[row["number"]] = Given(row["seat"], json.loads(row["looked"]))
    late = ago(days=PATIENCE_DAYS)
    found = []
    for row in rows:
        reading = Reading.from_json(json.loads(row["reading"]))
        boards = tuple(given.get(row["id"], {}).get(number, Given()) for number in range(len(reading.boards)))
        told = tuple(given.get(row["id"], {}).get(CARDS, Given()).looked or ())
        follow = bool(row["cards_follow"]) and row["created_at"] > late
        found.append(
            Photo(row["id"], row["key"], row["table_id"], row["play_id"], row["device"], reading, follow, boards, told)
        )
    return found


def table_key(db: Database, photo: Photo) -> str | None:
    row = db.row("SELECT key FROM tables WHERE id = ?", photo.table_id)
    return row["key"] if row else None


def picture(db: Database, photo: Photo, number: int) -> bytes | None:
    """Return a picture as JPEG, or None: `number` 0 is the photo itself, 1 and higher are its straightened boards."""
    row = db.row("SELECT jpeg FROM pictures WHERE photo_id = ? AND number = ?", photo.id, number)
    return row["jpeg"] if row else None


def club_of(db: Database, photo: Photo | None) -> int:
    """Return the id of the photo's club, or 0 if the photo is gone."""
    if photo is None:
        return 0
    if photo.table_id is not None:
        return db.club_of("tables", id=photo.table_id)
    return db.club_of("play_keys", id=photo.play_id)


# -- corrections ---


def give(db: Database, table: Table, photo_id: int, number: int, seat: int | None) -> None:
    """Assign board `number` of a photo to a seat, which loses its other board, if any. With None, people are asked
    whose it is."""
    with db.atomic(table.club_id):
        if seat is not None and seat != NOBODY:
            db.execute(
                "UPDATE photo_boards SET seat = NULL WHERE seat = ? AND photo_id IN "
                "(SELECT id FROM photos WHERE table_id = ? AND kept = 0)",
                [seat, table.id],
            )
        db.upsert("photo_boards", ("photo_id", "number"), photo_id=photo_id, number=number, seat=seat)


def look_over(db: Database, photo_id: int, number: int, looked: Mapping[str, str]) -> None:
    """Store what people have checked or corrected on board `number` of a photo: pieces by square, such as {"0/3":
    "well"}."""
    db.upsert("photo_boards", ("photo_id", "number"), photo_id=photo_id, number=number, looked=pack(looked))


def reseated(db: Database, table: Table, places: Mapping[int, int]) -> None:
    """Move boards with their players. `places` maps old seats to new.

    People are asked again about the boards of players who left.
    """
    sql = "SELECT photo_id, number, seat FROM photo_boards JOIN photos ON photos.id = photo_id WHERE table_id = ?"
    for row in list(db.query(f"{sql} AND seat >= 0", [table.id])):
        db.execute(
            "UPDATE photo_boards SET seat = ? WHERE photo_id = ? AND number = ?",
            [places.get(row["seat"]), row["photo_id"], row["number"]],
        )


def take_back(db: Database, photo: Photo) -> None:
    with db.atomic(club_of(db, photo)):
        db.execute("DELETE FROM photos WHERE id = ?", [photo.id])


def accepted(db: Database, taken: Sequence[Photo], kept: bool) -> None:
    """With `kept`, mark the photos in `taken`, whose boards were entered, to be kept with the game; otherwise delete
    them."""
    with db.atomic(club_of(db, next(iter(taken), None))):
        for photo in taken:
            if kept:
                db.execute("UPDATE photos SET kept = 1 WHERE id = ?", [photo.id])
            else:
                take_back(db, photo)


def go_with(db: Database, table: Table, play_id: int) -> None:
    """Attach the photos that are to be kept to the saved game, and delete the table's other photos."""
    with db.atomic(table.club_id):
        db.execute(
            "UPDATE photos SET play_id = ?, table_id = NULL WHERE table_id = ? AND kept = 1", [play_id, table.id]
        )
        db.execute("DELETE FROM photos WHERE table_id = ?", [table.id])


def of_play(db: Database, play_id: int) -> list[dict[str, Any]]:
    """Return for each photo of a saved game its key ("key") and the seats whose boards it shows ("seats")."""
    rows = db.query(
        """SELECT key, (
            SELECT json_group_array(seat) FROM photo_boards WHERE photo_id = photos.id AND seat >= 0
        ) AS seats FROM photos WHERE play_id = ? ORDER BY id""",
        [play_id],
    )
    return [{"key": row["key"], "seats": sorted(json.loads(row["seats"] or "[]"))} for row in rows]
