"""Map a board to the picture: find the lens and the upward direction, and cut a patch for every square.

A board is four corners in the picture, clockwise, and a shape. Board coordinates are in squares, with (0, 0) at corner
0. x runs towards corner 1 (along a row), y towards corner 3, z up from the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

PATCH = 96  # pixels along a patch
REACH = 1.7  # squares a patch spans
RAISE = 0.26  # height above the board that a patch is centred on, about half a building
USUAL_FOCAL = 0.85  # of the picture's longer side: a phone held a little closer than its widest
FOCALS = np.geomspace(0.5, 4, 13)  # of the longer side: what lenses and crops there are
WHITE = 235  # of every channel, from where on a camera tells nothing apart
GRAIN = 16  # pixels along a square of a board that is flattened to measure its light


class Shape(NamedTuple):
    """Hold the number of rows and columns of a board; rows run from corner 0 towards corner 1."""

    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class View:
    """Hold how the camera saw one board: matrices from the board to the picture, and its angle above the table."""

    plane: Floats  # board plane -> picture, 3 x 3
    camera: Floats  # board space -> picture, 3 x 4
    elevation: float  # degrees above the table


def plane_of(corners: Floats, shape: Shape) -> Floats:
    """Return the homography from board coordinates to the picture."""
    rows, columns = shape
    board = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(board, np.asarray(corners, np.float32)), float)


def view_of(corners: Floats, size: tuple[int, int], shape: Shape) -> View:
    """Return how the camera saw the board with these corners, in a picture of `size` (width, height)."""
    plane = plane_of(corners, shape)
    centre_of_board = np.array([shape.columns / 2, shape.rows / 2, 1])
    centre = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, 1.0]])
    lens = _lens(centre @ plane, max(size))
    basis = np.linalg.inv(lens) @ centre @ plane
    basis /= (np.linalg.norm(basis[:, 0]) + np.linalg.norm(basis[:, 1])) / 2
    if basis[2] @ centre_of_board < 0:
        basis = -basis  # the board is in front of the camera
    x, y = basis[:, 0], basis[:, 1]
    up = np.cross(x, y)
    up /= np.linalg.norm(up) + 1e-12
    middle = basis @ centre_of_board
    if up @ middle > 0:  # up is the side that the camera looks from
        up = -up
    camera = np.linalg.inv(centre) @ lens @ np.column_stack([x, y, up, basis[:, 2]])
    sine = float(np.clip(-(up @ middle) / (np.linalg.norm(middle) + 1e-12), 0, 1))
    return View(plane, camera, float(np.degrees(np.arcsin(sine))))


def _lens(plane: Floats, longest: int) -> Floats:
    """Return the 3 x 3 matrix of the lens through which the board looks rectangular.

    `plane` maps the board to the picture, whose longer side is `longest`. If the corners allow many lenses, take a
    usual one.
    """
    a, b = plane[:, 0] / longest, plane[:, 1] / longest
    a, b = a * [1, 1, longest], b * [1, 1, longest]
    # With w = 1 / focal^2: a.b = 0 and a.a = b.b are linear in w.
    rows = np.array([[a[0] * b[0] + a[1] * b[1]], [a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2]])
    wanted = np.array([-a[2] * b[2], b[2] ** 2 - a[2] ** 2])
    scale = a[0] ** 2 + a[1] ** 2 + b[0] ** 2 + b[1] ** 2
    prior, weight = 1 / USUAL_FOCAL**2, 0.03 * scale
    w = (rows[:, 0] @ wanted + weight**2 * prior) / (rows[:, 0] @ rows[:, 0] + weight**2)
    focal = longest / np.sqrt(np.clip(w, 1 / 3.0**2, 1 / 0.55**2))
    return np.diag([focal, focal, 1.0])


def skew(corners: Floats, size: tuple[int, int], shape: Shape) -> float:
    """Return how far these corners are from those of any board of this shape, seen by a usual lens. It is 0 if they
    fit; it combines how far angles and squares are from right ones. `size` is the picture's width and height."""
    wide, high = size
    centre = np.array([[1, 0, -wide / 2], [0, 1, -high / 2], [0, 0, 1.0]])
    plane = centre @ plane_of(corners, shape)
    least = np.inf
    for focal in FOCALS * max(size):
        x, y = (plane / [[focal], [focal], [1]])[:, :2].T
        lengths = np.linalg.norm(x), np.linalg.norm(y)
        least = min(least, float(np.hypot(np.log(lengths[0] / lengths[1]), x @ y / (lengths[0] * lengths[1]))))
    return least


def project(camera: Floats, points: Floats) -> Floats:
    """Return points in board coordinates (n x 3) as points of the picture (n x 2); `camera` is that of a `View`."""
    seen = np.column_stack([points, np.ones(len(points))]) @ camera.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def patch_frame(view: View, row: int, column: int) -> Floats:
    """Return the 2 x 3 matrix from the picture to a square's patch, a small upright picture of it."""
    middle = np.array([column + 0.5, row + 0.5, 0.0])
    raised, higher = (middle + np.array([0, 0, height]) for height in (RAISE, RAISE + 0.1))
    around = [middle + d for d in ([0.5, 0, 0], [-0.5, 0, 0], [0, 0.5, 0], [0, -0.5, 0])]
    points = project(view.camera, np.array([raised, higher, *around]))
    # How long a length seen squarely is here: the longer half axis of the square's own ellipse.
    axes = np.array([points[2] - points[3], points[4] - points[5]])
    length = float(np.linalg.svd(axes, compute_uv=False)[0])
    upward = points[1] - points[0]
    if np.linalg.norm(upward) < 1e-6:
        upward = np.array([0.0, -1.0])
    cos, sin = -upward[1] / np.linalg.norm(upward), upward[0] / np.linalg.norm(upward)
    scale = PATCH / (REACH * max(length, 1e-6))
    turn = scale * np.array([[cos, sin], [-sin, cos]])
    return np.column_stack([turn, PATCH / 2 - turn @ points[0]])


def outline_of(view: View, row: int, column: int, frame: Floats) -> Floats:
    """Return the four corners of a square's base as points of its patch; `frame` is the result of `patch_frame`."""
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], float) + np.array([column, row, 0])
    return np.asarray(project(view.camera, square) @ frame[:, :2].T + frame[:, 2])


def board_gain(picture: Image, corners: Floats, shape: Shape, daylight: Sequence[float]) -> Floats:
    """Return for each colour channel the factor that turns the board's median into the one in `daylight`, within
    limits."""
    seen = np.median(_small(picture, corners, shape).reshape(-1, 3), axis=0)
    return np.asarray(np.clip(np.array(daylight) / np.maximum(seen, 8), 0.45, 4.0))


def dazzled(picture: Image, corners: Floats, shape: Shape) -> Floats:
    """Return for each square, row by row, the share of its pixels that is pure white, as in glare."""
    white = _small(picture, corners, shape).min(axis=2) >= WHITE
    return np.asarray(white.reshape(shape.rows, GRAIN, shape.columns, GRAIN).mean(axis=(1, 3)).ravel())


def _small(picture: Image, corners: Floats, shape: Shape) -> Image:
    return flattened(picture, corners, (shape.columns * GRAIN, shape.rows * GRAIN))


def flattened(picture: Image, corners: Floats, size: tuple[int, int], margin: float = 0.0) -> Image:
    """Return the board as if seen from straight above, in a picture of `size` (width, height).

    `margin` is left on each side, as a share of the board's width and height.
    """
    frame = flat_frame(corners, size, (1 / (1 + 2 * margin),) * 2)
    return np.asarray(cv2.warpPerspective(picture, frame, size), np.uint8)


def flat_frame(corners: Floats, size: tuple[int, int], filled: tuple[float, float] = (1, 1)) -> Floats:
    """Return the 3 x 3 matrix from the picture to one of `size` that shows the board from straight above.

    The board is in the middle and takes the shares `filled` of that picture's width and height.
    """
    (left, top), (right, bottom) = (np.array(size) * (1 + sign * np.array(filled)) / 2 for sign in (-1, 1))
    flat = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(np.asarray(corners, np.float32), flat), float)


def patches(picture: Image, corners: Floats, shape: Shape, daylight: Sequence[float]) -> Image:
    """Return an upright picture (a patch) of each square, row by row.

    The shape is n x PATCH x PATCH x 4; the fourth channel is the square's outline. `daylight` is the median blue, green
    and red of such a board in daylight, to which colours are brought.
    """
    view = view_of(corners, (picture.shape[1], picture.shape[0]), shape)
    tone = np.clip(np.arange(256)[:, None] * board_gain(picture, corners, shape, daylight), 0, 255).astype(np.uint8)
    stack = np.zeros((shape.rows * shape.columns, PATCH, PATCH, 4), np.uint8)
    for index, (row, column) in enumerate(np.ndindex(shape)):
        frame = patch_frame(view, row, column)
        cut = _shrunk(picture, frame)
        stack[index, :, :, :3] = cv2.LUT(cut, tone.reshape(1, 256, 3))
        stack[index, :, :, 3] = outline_mask(outline_of(view, row, column, frame))
    return stack


def outline_mask(outline: Floats) -> Image:
    mask = np.zeros((PATCH, PATCH), np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def _shrunk(picture: Image, frame: Floats) -> Image:
    """Return the patch to which the matrix `frame` maps the picture; a much finer picture is averaged, not sampled."""
    shrink = float(np.hypot(frame[0, 0], frame[1, 0]))
    if shrink > 0.6:
        return np.asarray(cv2.warpAffine(picture, frame, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    finer = int(min(np.ceil(1 / (shrink * 1.2)), 8))
    side = PATCH * finer
    widened = frame * finer
    widened[:, 2] += (finer - 1) / 2
    cut = cv2.warpAffine(picture, widened, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(cut, (PATCH, PATCH), interpolation=cv2.INTER_AREA), np.uint8)
