"""Photographs of a table, from the shutter to the accepted towns. Unless somebody keeps one, it is forgotten.

Each board on a photo is somebody's, nobody's, or still asked about; what was said of its squares is kept with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vision.reading import Board, Look, Point, Reading
from webapp.database import Database, ago, new_key, now, pack
from webapp.table.tables import Table

NOBODY = -1  # in the place of a seat: a board that nobody played on
CARDS = -1  # in the place of a board: the cards that somebody has chosen since
PATIENCE_DAYS = 1 / 1440  # after a minute no cards will come any more: whoever read them is gone
MOST_AT_A_TABLE = 12  # photos under review; the oldest make place


@dataclass(frozen=True, slots=True)
class Given:
    """Whose a board is, None while that is asked, and its squares as somebody said they are: {"0/3": "well"}."""

    seat: int | None = None
    looked: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo of a table: what was read on it, and the picture without anything a camera writes into files."""

    id: int
    key: str
    table_id: int | None
    play_id: int | None
    device: str  # which took it
    reading: Reading
    cards_follow: bool  # the boards are read, the cards not yet
    given: tuple[Given, ...] = ()  # for each board of the reading
    told: tuple[str, ...] = ()  # the fields of cards that somebody has chosen since

    @property
    def marks(self) -> list[list[Point]]:
        """The corners of each board, and where those of one that was not found wait to be dragged."""
        wide, high = self.reading.size
        waiting = [(wide * x, high * y) for x, y in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))]
        return [*(list(board.corners) for board in self.reading.boards), waiting]


def store(db: Database, table: Table, look: Look, device: str = "", digest: str = "", seat: int | None = None) -> str:
    """Keep the photo for the time of the review; its key. Of a photo for one seat the largest board is hers.

    The same photo sent once more is the one that is there.
    """
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
    """The key of the same photo by the same device, if it is under review, at that table or anywhere."""
    if not digest:
        return None
    sql = "SELECT key FROM photos WHERE table_id > 0 AND kept = 0 AND digest = ? AND device = ?"
    row = db.row(f"{sql} AND table_id = coalesce(?, table_id) ORDER BY id DESC", digest, device, table_id)
    return row["key"] if row else None


def _drop_those_of(db: Database, table: Table, seat: int) -> None:
    """A photo that was taken for this seat alone makes place for the next one."""
    for photo in of_table(db, table):
        owners = {given.seat for given in photo.given}
        if seat in owners and owners <= {seat, NOBODY}:
            take_back(db, photo)


def _make_place(db: Database, table: Table) -> None:
    there = "FROM photos WHERE table_id = ? AND kept = 0"
    latest = f"SELECT id {there} ORDER BY id DESC LIMIT ?"
    db.execute(f"DELETE {there} AND id NOT IN ({latest})", [table.id, table.id, MOST_AT_A_TABLE])


def cards_came(db: Database, key: str, reading: Reading) -> Photo | None:
    """The cards were read after the boards, which may have been looked over meanwhile; the photo, if it is there."""
    with db.atomic(club_of(db, find(db, key))):
        photo = find(db, key)
        if photo is None or not photo.cards_follow:
            return None
        whole = replace(photo.reading, cards=reading.cards, problems=reading.problems)
        db.execute("UPDATE photos SET reading = ?, cards_follow = 0 WHERE id = ?", [pack(whole.to_keep()), photo.id])
    return replace(photo, reading=whole, cards_follow=False)


def put_board(db: Database, photo: Photo, number: int, board: Board, picture: bytes) -> None:
    """A board where somebody marked its corners: in the place of one that was read, or one more."""
    boards = [*photo.reading.boards[:number], board, *photo.reading.boards[number + 1 :]]
    reading = replace(photo.reading, boards=boards, problems=_but_for_boards(photo.reading))
    with db.atomic(club_of(db, photo)):
        db.execute("UPDATE photos SET reading = ? WHERE id = ?", [pack(reading.to_keep()), photo.id])
        db.upsert("pictures", ("photo_id", "number"), photo_id=photo.id, number=number + 1, jpeg=picture)
        db.execute(
            "UPDATE photo_boards SET looked = '{}' WHERE photo_id = ? AND number = ?", [photo.id, number]
        )  # what was said of other squares


def _but_for_boards(reading: Reading) -> list[Any]:
    """Return what was wrong with the photo, but for boards that were not found."""
    return [problem for problem in reading.problems if problem.code not in {"no_board", "bad_corners", "unsure"}]


# -- what is there ---


def find(db: Database, key: str) -> Photo | None:
    found = _found(db, "key = ?", key)
    return found[0] if found else None


def of_table(db: Database, table: Table) -> list[Photo]:
    """Those that are looked over, in the order in which they were taken."""
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
    """The key of the table whose review the photo waits for."""
    row = db.row("SELECT key FROM tables WHERE id = ?", photo.table_id)
    return row["key"] if row else None


def picture(db: Database, photo: Photo, number: int) -> bytes | None:
    """Picture 0 is the photo; 1 and on are its boards, straightened."""
    row = db.row("SELECT jpeg FROM pictures WHERE photo_id = ? AND number = ?", photo.id, number)
    return row["jpeg"] if row else None


def club_of(db: Database, photo: Photo | None) -> int:
    """The club whose table or game it belongs to; 0 if it is gone."""
    if photo is None:
        return 0
    if photo.table_id is not None:
        return db.club_of("tables", id=photo.table_id)
    return db.club_of("play_keys", id=photo.play_id)


# -- what is said of it ---


def give(db: Database, table: Table, photo_id: int, number: int, seat: int | None) -> None:
    """The board is that seat's. Whoever has one gives up another that was hers."""
    with db.atomic(table.club_id):
        if seat is not None and seat != NOBODY:
            db.execute(
                "UPDATE photo_boards SET seat = NULL WHERE seat = ? AND photo_id IN "
                "(SELECT id FROM photos WHERE table_id = ? AND kept = 0)",
                [seat, table.id],
            )
        db.upsert("photo_boards", ("photo_id", "number"), photo_id=photo_id, number=number, seat=seat)


def look_over(db: Database, photo_id: int, number: int, looked: Mapping[str, str]) -> None:
    """The squares of the board that somebody said are so."""
    db.upsert("photo_boards", ("photo_id", "number"), photo_id=photo_id, number=number, looked=pack(looked))


def reseated(db: Database, table: Table, places: Mapping[int, int]) -> None:
    """Boards go with their players to new seats (old place: new one), and are asked about again if they have gone."""
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
    """Their boards are entered: they wait to go with the game, or are forgotten."""
    with db.atomic(club_of(db, next(iter(taken), None))):
        for photo in taken:
            if kept:
                db.execute("UPDATE photos SET kept = 1 WHERE id = ?", [photo.id])
            else:
                take_back(db, photo)


def go_with(db: Database, table: Table, play_id: int) -> None:
    """At the save: photos to be kept go with the game, the others are forgotten."""
    with db.atomic(table.club_id):
        db.execute(
            "UPDATE photos SET play_id = ?, table_id = NULL WHERE table_id = ? AND kept = 1", [play_id, table.id]
        )
        db.execute("DELETE FROM photos WHERE table_id = ?", [table.id])


def of_play(db: Database, play_id: int) -> list[dict[str, Any]]:
    """The photos kept with a game, and whose boards are on each."""
    rows = db.query(
        """SELECT key, (
            SELECT json_group_array(seat) FROM photo_boards WHERE photo_id = photos.id AND seat >= 0
        ) AS seats FROM photos WHERE play_id = ? ORDER BY id""",
        [play_id],
    )
    return [{"key": row["key"], "seats": sorted(json.loads(row["seats"] or "[]"))} for row in rows]
