"""Store samples: boards on photos, as people corrected them, that a club lets us keep to measure the photo reader.

The server owner has to turn this on. A photo whose boards were entered waits at its table until somebody is asked after
the result. Without an answer it is deleted with the table, and after a day at the latest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.contract import Json
from scorer.sentences import say
from vision.pictures import KEPT, frame
from vision.reading import Board, Look, Square
from webapp.database import Database, ago, new_key, now, pack
from webapp.table import photos
from webapp.table.review import Review, Seen
from webapp.table.tables import Table

WAITING_DAYS = 1
UNKNOWN = "unknown"  # the label of a square that is not evaluated (vision/evaluate.py)
PERMISSION = say(
    "May we keep the boards on this photo to test and improve how Tidemark reads photos? "
    "They stay on this server until your club deletes them."
)
COLUMNS = "id, key, club_id, game, boards, permission, permitted_at"


@dataclass(frozen=True, slots=True)
class Sample:
    """Hold a photo with its corrected boards. `permitted_at` is None while we wait for permission."""

    id: int
    key: str
    club_id: int
    game: str
    boards: list[Json]
    permission: str
    permitted_at: str | None


# -- asking ---


def ask_later(review: Review) -> None:
    """Store the photos of accepted boards until somebody is asked whether we may keep them.

    Call it in the transaction that enters the boards.
    """
    for photo in review.photos:
        boards = [_truth(review, seen) for seen in review.given.values() if seen.photo.id == photo.id]
        if boards:
            review.context.db.insert(
                "samples",
                key=new_key(),
                club_id=review.table.club_id,
                table_id=review.table.id,
                game=review.table.game.id,
                boards=pack(boards),
                jpeg=photos.picture(review.context.db, photo, 0),
                created_at=now(),
            )


def _truth(review: Review, seen: Seen) -> Json:
    """Return a board's "corners" on the stored photo, and its "grid": for each square the label of the photo reader."""
    board, labels = seen.photo.reading.boards[seen.number], _labels(review)
    share = min(1.0, KEPT / max(seen.photo.reading.size))  # how much smaller the stored photo is
    rows = zip(board.grid, seen.doubts, seen.squares, seen.as_read, strict=True)
    return {
        "corners": [[x * share, y * share] for x, y in board.corners],
        "grid": [[_label(labels, *square) for square in zip(*row, strict=True)] for row in rows],
    }


def _label(labels: Mapping[str, str], square: Square, doubt: bool, piece: str, read: str) -> str:
    if doubt:
        return UNKNOWN
    return square.label if piece == read else labels.get(piece, UNKNOWN)


def _labels(review: Review) -> dict[str, str]:
    """Return for each piece at this table the label of the photo reader that stands for it, the first of several."""
    found: dict[str, str] = {}
    for label in review.reader.photo.labels:
        rows, columns = review.reader.shape
        full = Board((), 1.0, ((Square(label, 1.0),) * columns,) * rows)
        found.setdefault(review.pieces(review.part_of_record(full))[0][0], label)
    return found


def permit(db: Database, sample: Sample, text: str, look: Look) -> None:
    """Keep each board as its own picture, cut out of the photo (`look`), and delete the photo.

    `text` is the request to which somebody agreed.
    """
    with db.atomic(sample.club_id):
        if not delete(db, sample):
            return  # somebody else has just answered
        for board, jpeg in zip(sample.boards, look.boards, strict=True):
            left, top, _, _ = frame(board["corners"], look.reading.size)
            corners = [[x - left, y - top] for x, y in board["corners"]]
            db.insert(
                "samples",
                key=new_key(),
                club_id=sample.club_id,
                game=sample.game,
                boards=pack([{**board, "corners": corners}]),
                jpeg=jpeg,
                created_at=now(),
                permission=text,
                permitted_at=now(),
            )


def delete(db: Database, sample: Sample) -> bool:
    """Delete a sample for good. Return whether it existed."""
    with db.atomic(sample.club_id):
        return db.execute("DELETE FROM samples WHERE id = ?", [sample.id]).rowcount == 1


def forget_unanswered(db: Database) -> None:
    with db.atomic():
        db.execute("DELETE FROM samples WHERE permitted_at IS NULL AND created_at < ?", [ago(days=WAITING_DAYS)])


# -- finding samples ---


def find(db: Database, key: str) -> Sample | None:
    return next(iter(_found(db, "key = ?", key)), None)


def asked_at(db: Database, table: Table) -> list[Sample]:
    """Return the photos of this table for which nobody has said yet whether we may keep them."""
    return _found(db, "table_id = ?", table.id)


def asked_of_play(db: Database, play_id: int) -> list[Sample]:
    """Return the photos of a saved game for which nobody has said yet whether we may keep them."""
    saved = "SELECT id FROM tables WHERE play_id = ? AND saved_at IS NOT NULL"
    return _found(db, f"table_id IN ({saved})", play_id)


def of_club(db: Database, club_id: int, before: int = 2**62, most: int = 50) -> list[Sample]:
    """Return up to `most` samples that the club lets us keep, latest first, among those with an id below `before`."""
    return _found(db, "permitted_at IS NOT NULL AND club_id = ? AND id < ?", club_id, before, most=most)


def permitted(db: Database) -> Iterator[Sample]:
    """Yield the permitted samples of all clubs."""
    after = 0
    while some := _found(db, "permitted_at IS NOT NULL AND id > ?", after, order="id"):
        yield from some
        after = some[-1].id


def _found(db: Database, where: str, *values: Any, order: str = "id DESC", most: int = 50) -> list[Sample]:
    sql = f"SELECT {COLUMNS} FROM samples WHERE {where} ORDER BY {order} LIMIT ?"
    return [Sample(**{**row, "boards": json.loads(row["boards"])}) for row in db.query(sql, [*values, most])]


def picture(db: Database, sample: Sample) -> bytes:
    row = db.row("SELECT jpeg FROM samples WHERE id = ?", sample.id)
    return row["jpeg"] if row else b""


def table_key(db: Database, sample: Sample) -> str | None:
    """Return the key of the table at which people are asked about the photo, or None."""
    row = db.row("SELECT key FROM tables WHERE id = (SELECT table_id FROM samples WHERE id = ?)", sample.id)
    return row["key"] if row else None
