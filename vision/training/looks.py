"""Cut pictures for training the finder out of photos: whole ones in many sizes and tones, and close-ups."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision import looking, rectify
from vision.games.tiny_towns import SHAPE
from vision.lattice import CLOSE, UNIT, is_convex, is_sane, lattice_of
from vision.rectify import Floats, Image
from vision.training.drawing import Rng

Looked = tuple[Image, list[Floats]]  # a square picture and the boards' corners in it
Words = dict[str, Any]  # what `truth.json` says of a photo
PARTS = 0.3  # share of the whole looks that see a part of the picture
EVENED, SOFTENED = 0.15, 0.1  # shares of the looks in other tones
DECOYS = 4  # things that look like a board, of each photo
ANYWHERE = 2  # looks from close by at no matter what, of each photo
STEPPED = 0.2  # share of the looks from close by that are some squares off


def _corners(boards: list[dict[str, Any]]) -> list[Floats]:
    return [np.array(board["corners"], float) for board in boards]


def whole(rng: Rng, image: Image, words: Words, side: int) -> Looked:
    """Return the picture, or a part, in a square of `side` pixels, and the boards' corners there.

    `words` is what truth.json says about the photo.
    """
    image = _prepared(rng, image)
    corner = np.zeros(2)
    if rng.random() < PARTS:
        size = np.array(image.shape[1::-1])
        part = np.ceil(size * rng.uniform(0.3, 0.8)).astype(int)
        corner = (rng.uniform(0, 1, 2) * (size - part)).astype(int)
        image = image[corner[1] : corner[1] + part[1], corner[0] : corner[0] + part[0]]
    look, frame = looking.letterbox(image, side, rng.choice([1.0, 1.0, rng.uniform(0.6, 1.0)]))
    return look, [(board - corner) * frame[0, 0] + frame[:, 2] for board in _corners(words["boards"])]


def close(rng: Rng, image: Image, words: Words) -> list[Looked]:
    """Return flattened close-ups of boards, of decoys and of random places, each with the boards' corners in it. The
    corners used for flattening are slightly wrong. `words` is what truth.json says about the photo."""
    boards = _corners(words["boards"])
    rough = [_rough(rng, board) for board in boards]
    rough += [_rough(rng, np.array(decoy)) for decoy in words.get("decoys", [])[:DECOYS]]
    size = np.array(image.shape[1::-1])
    for _ in range(ANYWHERE):
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.exp(rng.uniform(*np.log((0.03, 0.4)))) * size.min()
        spread = square[2, 0] * rng.uniform(0.0, 0.3)
        rough.append(square + rng.uniform(0.1, 0.9, 2) * size + rng.normal(0, spread, (4, 2)))
    looks = []
    for corners in rough:
        if not is_sane(corners):
            continue
        frame = rectify.flat_frame(
            np.roll(corners, int(rng.integers(4)), axis=0), (CLOSE, CLOSE), lattice_of(SHAPE).filled
        )
        look = _prepared(rng, np.asarray(cv2.warpPerspective(image, frame, (CLOSE, CLOSE)), np.uint8))
        moved = [cv2.perspectiveTransform(board[None], frame)[0] for board in boards if _is_before(board, frame)]
        looks.append((look, [np.asarray(one) for one in moved]))
    return looks


def _rough(rng: Rng, corners: Floats) -> Floats:
    """Return the corners slightly wrong, as a first look finds them; sometimes they are off by whole squares."""
    side = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))))
    if rng.random() < STEPPED and is_convex(corners):
        plane = cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32))
        step = rng.integers(-2, 3, 2) / 4
        corners = cv2.perspectiveTransform(UNIT[None].astype(float) + step, plane)[0]
    return np.asarray(corners + rng.normal(0, 1, (4, 2)) * side * rng.choice([0.01, 0.03, 0.07]))


def _prepared(rng: Rng, image: Image) -> Image:
    """Return the picture, sometimes with its tones evened or its noise smoothed, as the slower search sees it."""
    if rng.random() < EVENED:
        image = looking.evened(image)
    if rng.random() < SOFTENED:
        image = np.asarray(cv2.medianBlur(image, 5), np.uint8)
    return image


def _is_before(corners: Floats, frame: Floats) -> bool:
    depth = np.column_stack([corners, np.ones(4)]) @ frame[2]
    return bool((depth > 0.05).all() or (depth < -0.05).all())
