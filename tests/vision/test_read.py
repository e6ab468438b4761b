"""A photo from beginning to end, on the pictures kept beside the tests."""

from __future__ import annotations

import importlib
import io
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.vision.conftest import PHOTOS, file_of, photo
from vision import evaluate, network, read
from vision.evaluate import measure
from vision.games.tiny_towns import LABELS, SHAPE
from vision.reading import DOUBTFUL, Point
from vision.rectify import Image as Pixels
from vision.rectify import plane_of
from vision.scores import compare, judge

TRUTH = json.loads((PHOTOS / "truth.json").read_text())


def test_the_kept_pictures_are_read_as_well_as_ever_and_no_board_is_seen_where_none_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cards take most of the time of a reading; test_cards.py looks for them in these pictures."""
    monkeypatch.setattr(evaluate, "read", partial(read, cards=False))
    measured = measure(PHOTOS)
    scores = [score for taken in measured for score in taken.boards]
    squares, right = sum(s.squares for s in scores), sum(s.right for s in scores)
    assert sum(s.found for s in scores) >= len(scores) - 1
    assert right / squares >= 0.94
    assert len([m for s in scores for m in s.mistakes if m[3] >= DOUBTFUL]) <= 1
    assert sum(taken.false_boards for taken in measured) == 0


def test_a_reading_has_the_shape_that_is_promised() -> None:
    reading = read(PHOTOS / "06.jpg").to_json()
    json.dumps(reading)
    assert set(reading) == {"file", "ok", "ms", "size", "boards", "cards", "problems"}
    assert reading["file"] == "06.jpg" and reading["ok"] is True and reading["ms"] > 0
    assert reading["size"] == TRUTH["06.jpg"]["size"]
    board = reading["boards"][0]
    assert set(board) == {"corners", "confidence", "grid"}
    sums = [x + y for x, y in board["corners"]]
    assert sums[0] == min(sums)
    assert [len(row) for row in board["grid"]] == [4, 4, 4, 4]
    for square in (s for row in board["grid"] for s in row):
        assert set(square) == {"label", "confidence", "alternatives", "on_top"}
        assert square["label"] in LABELS


def test_no_network_holds_memory_while_the_cards_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []

    def noted(*_: object) -> tuple[list[object], list[object]]:
        held.append(network.network.cache_info().currsize)
        return [], []

    monkeypatch.setattr(importlib.import_module("vision.read"), "read_cards", noted)
    assert len(read(PHOTOS / "06.jpg").boards) == 1
    assert held == [0]


def pixels() -> Pixels:
    """Those of the first kept picture."""
    decoded = cv2.imdecode(np.frombuffer(photo(), np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    return decoded.astype(np.uint8)


def agrees(data: bytes, corners: Sequence[Point] | None = None) -> int:
    """Return how many squares of the first kept picture are read right from these bytes."""
    truth = TRUTH["06.jpg"]["boards"][0]
    reading = read(data, corners, cards=False)
    assert reading.boards, reading.problems
    return compare("00", truth, reading.boards[0]).right


@pytest.mark.parametrize("quarters", range(4))
def test_orientation_never_matters(quarters: int) -> None:
    picture = pixels()
    assert agrees(file_of(np.rot90(picture, quarters), quality=92)) >= 15


@pytest.mark.parametrize("change", ["dark", "bright", "small", "coarse", "soft", "warm", "png", "webp", "heif"])
def test_the_grid_survives_what_telephones_do(change: str) -> None:
    picture = pixels()
    small = cv2.resize(picture, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    changes: dict[str, np.ndarray] = {
        "dark": picture * 0.62,
        "bright": np.clip(picture * 1.3, 0, 255),
        "small": small,
        "soft": cv2.GaussianBlur(picture, (0, 0), 1.1),
        "warm": np.clip(picture * [0.75, 1.0, 1.15], 0, 255),
    }
    changed = changes.get(change, picture).astype(np.uint8)
    kind = {"png": "PNG", "webp": "WEBP", "heif": "HEIF"}.get(change, "JPEG")
    assert agrees(file_of(changed, kind, quality=30 if change == "coarse" else 90)) >= 15


def test_corners_can_be_given_in_any_order() -> None:
    corners = TRUTH["06.jpg"]["boards"][0]["corners"]
    assert agrees(photo(), corners) >= 15
    assert agrees(photo(), corners[::-1]) >= 15


@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
def test_corners_may_lie_outside_the_picture(side: str) -> None:
    """A quarter and more of the board is cut off; what the picture shows is read, the rest is in doubt."""
    picture, truth = pixels(), TRUTH["06.jpg"]["boards"][0]
    corners = np.array(truth["corners"])
    left, top = (int(v) for v in corners.min(axis=0) + 0.3 * np.ptp(corners, axis=0))
    right, bottom = (int(v) for v in corners.max(axis=0) - 0.3 * np.ptp(corners, axis=0))
    part = {
        "left": picture[:, left:],
        "top": picture[top:],
        "right": picture[:, :right],
        "bottom": picture[:bottom],
    }[side]
    moved = corners - {"left": [left, 0], "top": [0, top]}.get(side, [0, 0])
    reading = read(file_of(part, quality=95), moved.tolist(), cards=False)
    assert "cut" in [problem.code for problem in reading.problems]
    plane = plane_of(np.array(reading.boards[0].corners), SHAPE)
    seen, doubtful = [], []
    for i, row in enumerate(reading.boards[0].grid):
        for j, square in enumerate(row):
            x, y, w = plane @ [j + 0.5, i + 0.5, 1]
            if 0 < x / w < part.shape[1] and 0 < y / w < part.shape[0]:
                seen.append(square)
            else:
                doubtful.append(square.is_doubtful)
    assert len(doubtful) >= 3 and all(doubtful)
    assert len(seen) >= 8
    assert compare("06", truth, reading.boards[0]).right >= len(seen) - 4  # those that the edge cuts through


def test_a_hand_over_the_board_is_told_and_pieces_are_none() -> None:
    picture, corners = pixels(), np.array(TRUTH["06.jpg"]["boards"][0]["corners"])
    assert "covered" not in [problem.code for problem in read(file_of(picture, quality=95), cards=False).problems]
    start, end = corners[0] * 1.2 - corners[2] * 0.2, corners[0] * 0.65 + corners[2] * 0.35
    reach = int(0.25 * np.linalg.norm(corners[2] - corners[0]))
    covered = cv2.line(picture.copy(), tuple(start.astype(int)), tuple(end.astype(int)), (120, 150, 205), reach)
    reading = read(file_of(covered.astype(np.uint8), quality=95), cards=False)
    assert reading.boards
    assert "covered" in [problem.code for problem in reading.problems]


def test_corners_are_those_of_the_upright_picture_in_full_size() -> None:
    picture = pixels()
    large = np.rot90(cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC))
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise by whoever shows it
    reading = read(file_of(large, quality=90, exif=exif), cards=False)
    assert reading.size == (3 * picture.shape[1], 3 * picture.shape[0])
    truth = {"boards": [b | {"corners": (3 * np.array(b["corners"])).tolist()} for b in TRUTH["06.jpg"]["boards"]]}
    assert judge("00", truth, reading).boards[0].corner_error < 0.05


def test_nothing_of_a_file_but_its_pixels_is_kept() -> None:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "the harbour at night"
    Image.open(io.BytesIO(photo())).save(out, "JPEG", exif=exif)
    assert "harbour" not in json.dumps(read(out.getvalue(), cards=False).to_json())


@pytest.mark.parametrize("path", ["nowhere.jpg", ".", "/dev/null"])
def test_a_path_that_is_no_photo_is_told(path: str, tmp_path: Path) -> None:
    reading = read(tmp_path / path)
    assert not reading.ok and reading.problems[0].message
