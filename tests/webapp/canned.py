"""Provide a made-up reading, to test what follows without reading a photo."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from scorer.contract import Problem
from scorer.sentences import printed
from tests.vision.conftest import file_of
from vision.reading import Board, Look, Reading, Square
from vision.worker import LIMITS

PATIENT = replace(LIMITS, seconds=200, processor=400, patience=300)  # for machines that have much else to do


class Canned:
    """Replace the photo processes by a reading of two boards, each with one doubtful square."""

    def __init__(self) -> None:
        self.photos: list[bytes] = []
        self.asked_corners: list[Any] = []

    def look(self, data: Any, corners: Any = None, **_: object) -> Look:
        photo = data if isinstance(data, bytes) else data()
        pixels = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
        if pixels is None:
            return Look(Reading(problems=[Problem("unreadable", printed("This is not a photo."))]))
        high, wide = pixels.shape[:2]
        if corners is not None:
            self.asked_corners.append(corners)
            return Look(Reading("", (wide, high), [board(corners, "farm")]), None, (plain(200, 200),))
        self.photos.append(photo)
        boards = [
            board(square(wide * x, high * 0.3, high * 0.4), label) for x, label in ((0.1, "farm"), (0.55, "well"))
        ]
        return Look(Reading("", (wide, high), boards), photo, (plain(200, 200), plain(200, 200)))

    def close(self) -> None:
        pass


def square(x: float, y: float, side: float) -> list[tuple[float, float]]:
    return [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]


def board(corners: Any, doubted: str) -> Board:
    """Return a board with a cottage on A1, and on B1 a piece that may be a chapel."""
    sure = Square("empty", 0.999, (("cottage", 0.001),))
    first = (Square("cottage", 0.999), Square(doubted, 0.5, (("chapel", 0.4), ("tavern", 0.1))), sure, sure)
    return Board(tuple((x, y) for x, y in corners), 0.99, (first, *((sure,) * 4,) * 3))


def plain(wide: int, high: int) -> bytes:
    return file_of(np.full((high, wide, 3), 120, np.uint8))


def size_of(photo: bytes) -> tuple[int, int]:
    """Return the width and height of a photo."""
    pixels = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    return pixels.shape[1], pixels.shape[0]
