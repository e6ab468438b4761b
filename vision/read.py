"""Read one photo from its bytes to a `Reading`, stage by stage."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import cv2
import numpy as np

from scorer.contract import Problem
from vision import closeup, games, locate, network
from vision.cards import read_cards
from vision.closeup import Found
from vision.contract import Cards, GameReader, Grid
from vision.decode import Photo, PhotoFile
from vision.lattice import in_likelier_order, is_sane, lattice_of, square_of
from vision.locate import Located
from vision.problems import problem
from vision.reading import Board, Card, Point, Reading, VisionError
from vision.rectify import Floats, Image, Shape, plane_of, view_of


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the limits for reading a photo again with more pixels, for warnings, and for what counts as a board."""

    fine: float = 40.0  # pixels along a square that are enough: at 56 no more squares were right
    finest: int = 2600  # pixels along the picture's longer side
    small: float = 22.0  # pixels along a square; below, pieces can't be distinguished
    low: float = 28.0  # degrees above the table below which pieces hide each other
    told: float = -0.6  # mean log odds of a board's squares below which they are guesses: it is no board
    surest: float = 0.9999  # confidence of a square that counts for that


LIMITS = Limits()
log = logging.getLogger(__name__)


def read(
    photo: bytes | str | Path,
    corners: Sequence[Point] | None = None,
    cards: bool = True,
    reader: GameReader | None = None,
) -> Reading:
    """Return the boards on a photo, and its cards if `cards`; problems are in the result, not raised.

    `corners` (in pixels of the upright photo) names the only board to read. The default `reader` is that of our only
    game that has one.
    """
    if isinstance(photo, bytes):
        return read_file(PhotoFile(photo), corners, cards, reader or games.only())
    name = Path(photo).name
    try:
        data = _contents(Path(photo))
    except VisionError as fault:
        return Reading(file=name, problems=[Problem(fault.code, fault.message)])
    return replace(read_file(PhotoFile(data), corners, cards, reader or games.only()), file=name)


def read_file(
    file: PhotoFile,
    corners: Sequence[Point] | None,
    cards: bool,
    reader: GameReader,
    boards_read: Callable[[Reading], None] | None = None,
) -> Reading:
    """Read a photo as `read` does, from a `PhotoFile` that the caller can use afterwards.

    If cards are read too, `boards_read` is called before that, with the boards.
    """
    reading = Reading()
    try:
        found = _read(reading, file, corners, reader)
        known = reader.cards.known if cards else None
        if known:
            if boards_read:
                boards_read(replace(reading, problems=list(reading.problems), stages=dict(reading.stages)))
            network.forget()
            with _timed(reading, "cards"):
                _read_cards(reading, file.decoded(LIMITS.finest), known)
        if not found and not reading.cards:
            reading.problems.append(problem("no_board"))
    except VisionError as fault:
        reading.problems.append(Problem(fault.code, fault.message))
    return reading


class Unreadable(VisionError):
    code = "unreadable"


def _contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise Unreadable(problem("unreadable", reason=fault.strerror or str(fault)).message) from fault


def _read(reading: Reading, file: PhotoFile, corners: Sequence[Point] | None, reader: GameReader) -> list[Found]:
    """Add the boards and hints for a better photo to the reading, and return where the boards are."""
    with _timed(reading, "decode"):
        picture = file.decoded()
    reading.size = picture.size
    with _timed(reading, "locate"):
        located = _located(picture, corners, reader)
    with _timed(reading, "decode"):
        finer = _finer(file, picture, located.boards, reader.shape)
    with _timed(reading, "squares"):
        ratio = finer.pixels.shape[1] / picture.pixels.shape[1]
        read = [
            (place, _board(finer, replace(place, corners=place.corners * ratio), reader)) for place in located.boards
        ]
    unexplained = located.unexplained
    if corners is None:
        unexplained += [place.corners.mean(axis=0) for place, board in read if not _says_something(board, reader)]
        read = [
            (place, board.doubted() if place.is_badly_placed else board)
            for place, board in read
            if _says_something(board, reader)
        ]
        if any(place.is_doubtful for place, _ in read):
            reading.problems.append(problem("unsure"))
    found, reading.boards = [place for place, _ in read], [board for _, board in read]
    reading.problems += advice_on(picture, found, reader.shape)
    if found:
        reading.problems += _others(unexplained, picture)
    return found


def _says_something(board: Board, reader: GameReader) -> bool:
    """Return whether the squares of a board were read with enough certainty on average. If not, it is probably no
    board. Boards that the game's reader has found itself always pass."""
    told = np.array([square.confidence for row in board.grid for square in row]).clip(1 - LIMITS.surest, LIMITS.surest)
    return reader.boards is not None or float(np.log(told / (1 - told)).mean()) >= LIMITS.told


@contextmanager
def _timed(reading: Reading, stage: str) -> Iterator[None]:
    start = perf_counter()
    try:
        yield
    finally:
        reading.stages[stage] = reading.stages.get(stage, 0.0) + (perf_counter() - start) * 1000


class BadCorners(VisionError):
    code = "bad_corners"


def _located(picture: Photo, corners: Sequence[Point] | None, reader: GameReader) -> Located:
    """Return the boards in a picture, or the one with these `corners`.

    The game's reader looks for boards itself if it can; otherwise our own search does.
    """
    if corners is not None:
        return _given(picture, corners, reader)
    if reader.boards is None:
        return locate.locate(picture.pixels, reader.shape)
    with _trusting(reader):
        return Located(list(reader.boards(picture.pixels)), [])


def _given(picture: Photo, corners: Sequence[Point], reader: GameReader) -> Located:
    """Return the board whose corners a person marked; raise BadCorners if no board can have them."""
    try:
        points = np.array([(float(x), float(y)) for x, y in corners], float)
    except (TypeError, ValueError, OverflowError) as fault:
        raise BadCorners(problem("bad_corners").message) from fault
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise BadCorners(problem("bad_corners").message)
    points = in_likelier_order(points / picture.scale, lattice_of(reader.shape), picture.pixels.shape[1::-1])
    if not is_sane(points):
        raise BadCorners(problem("bad_corners").message)
    return Located([Found(points, _fit(picture, points, reader))], [])


def _fit(picture: Photo, corners: Floats, reader: GameReader) -> float:
    """Return how well the corners fit a board, or 1 if the game's reader looks for boards itself."""
    return closeup.fitted(picture.pixels, corners, reader.shape) if reader.boards is None else 1.0


def _finer(file: PhotoFile, picture: Photo, found: list[Found], shape: Shape) -> Photo:
    """Return the photo with more pixels if its file has them and a board in `found` needs them, else `picture`. A board
    needs them if its squares are smaller than `LIMITS.fine` pixels."""
    if not found or picture.scale < 1.1:
        return picture
    side = min(square_of(board.corners, shape) for board in found)
    if side >= LIMITS.fine:
        return picture
    wanted = max(picture.pixels.shape) * LIMITS.fine / max(side, 1.0)
    return file.decoded(int(min(wanted, LIMITS.finest)))


def _board(picture: Photo, found: Found, reader: GameReader) -> Board:
    with _trusting(reader):
        grid = reader.squares(picture.pixels, found.corners)
        _check(grid, reader)
    corners = tuple((float(x), float(y)) for x, y in found.corners * picture.scale)
    return Board(corners, found.confidence, grid).doubted(_outside(found.corners, picture.pixels, reader.shape))


class BrokenReader(VisionError):
    code = "broken_reader"


@contextmanager
def _trusting(reader: GameReader) -> Iterator[None]:
    """Turn errors in the code of a game's own reader into BrokenReader; a lack of memory is raised as it is."""
    try:
        yield
    except (VisionError, MemoryError, cv2.error):
        raise
    except Exception as fault:
        log.exception("the reader %s fails", reader.photo.reader)
        raise BrokenReader(problem("broken_reader").message) from fault


def _check(grid: Grid, reader: GameReader) -> None:
    """Raise ValueError unless a grid has the rows and columns of the game's board. Its labels must be among those that
    the game's reader names."""
    said = {square.label for row in grid for square in row}
    if [len(row) for row in grid] != [reader.shape.columns] * reader.shape.rows or not said <= {*reader.photo.labels}:
        raise ValueError(f"not {reader.photo.rows} rows of {reader.photo.columns} of its labels: {grid}")


def _outside(corners: Floats, picture: Image, shape: Shape) -> set[tuple[int, int]]:
    """Return row and column of each square whose middle is outside the picture, so that its label is a guess. `corners`
    are those of the board."""
    squares = list(np.ndindex(shape))
    middles = np.array([(column + 0.5, row + 0.5) for row, column in squares])
    seen = cv2.perspectiveTransform(middles[None], plane_of(corners, shape))[0]
    within = ((seen > 0) & (seen < picture.shape[1::-1])).all(axis=1)
    return {(row, column) for (row, column), is_within in zip(squares, within, strict=True) if not is_within}


def _read_cards(reading: Reading, picture: Photo, known: Cards) -> None:
    boards = [np.array(board.corners) / picture.scale for board in reading.boards]
    cards, problems = read_cards(picture.pixels, known, boards)
    reading.cards = [_full_size(card, picture.scale) for card in cards]
    reading.problems += problems


def _full_size(card: Card, scale: float) -> Card:
    return Card(card.id, card.text, card.confidence, tuple((x * scale, y * scale) for x, y in card.box))


def _others(middles: Sequence[Floats], picture: Photo) -> list[Problem]:
    """Return a problem for each ninth of the picture in which a board may have been missed.

    `middles` are the middles of such boards.
    """
    high, wide = picture.pixels.shape[:2]
    places = {(min(int(3 * y / high), 2), min(int(3 * x / wide), 2)): None for x, y in middles if x >= 0 and y >= 0}
    return [problem("more_boards", row=row, column=column) for row, column in places]


def advice_on(picture: Photo, found: list[Found], shape: Shape) -> list[Problem]:
    """Return problems that say how to take a better photo. `found` are the boards, largest first; only the first
    counts."""
    if not found:
        return []
    corners, size = found[0].corners, (picture.pixels.shape[1], picture.pixels.shape[0])
    advice = []
    if square_of(corners, shape) * picture.scale < LIMITS.small:
        advice.append(problem("small"))
    if view_of(corners, size, shape).elevation < LIMITS.low:
        advice.append(problem("low"))
    if found[0].is_covered:
        advice.append(problem("covered"))
    if (corners < -0.02 * max(size)).any() or (corners > np.array(size) + 0.02 * max(size)).any():
        advice.append(problem("cut"))
    return advice
