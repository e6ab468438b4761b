"""Finding boards: where they are, which corner comes first, and refusing where there is none."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.conftest import drawn, file_of
from vision import blobs, classify, closeup, lattice, locate, looking, read
from vision.games.tiny_towns import SHAPE
from vision.lattice import Lattice, lattice_of
from vision.looking import Look, Views
from vision.network import network
from vision.rectify import Floats, Image, Shape
from vision.scores import worst_corner
from vision.training import paint

FOUR = lattice_of(SHAPE)
CORNERS = np.array([(120, 40), (300, 70), (320, 250), (90, 230)], float)


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("step", [1, -1])
def test_corners_run_clockwise_from_the_smallest_x_plus_y(turn: int, step: int) -> None:
    mixed = np.roll(CORNERS, turn, axis=0)[::step]
    assert np.array_equal(lattice.in_order(mixed), CORNERS)


def test_a_letterbox_keeps_the_picture_whole_and_tells_where_it_went() -> None:
    picture = np.full((300, 600, 3), 200, np.uint8)
    small, frame = looking.letterbox(picture, 384)
    assert small.shape == (384, 384, 3)
    assert small[:90].max() == 0 and small[100:280].min() == 200
    assert np.allclose(frame @ [600, 300, 1], [384, 288])


def lattice_maps(corners: np.ndarray, side: int, board: Lattice = FOUR) -> np.ndarray:
    """Return what a perfect network would answer for one board."""
    out = np.zeros((4, side, side))
    plane = cv2.getPerspectiveTransform(lattice.UNIT, corners.astype(np.float32))
    mask = np.zeros((side, side), np.uint8)
    cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 1)
    out[0] = mask
    rows, columns = np.mgrid[0:side, 0:side]
    for (x, y), kind in zip(cv2.perspectiveTransform(board.points[None], plane)[0], board.kinds, strict=True):
        out[kind] = np.maximum(out[kind], np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 2))
    return out


def test_rough_corners_snap_to_the_crossings() -> None:
    corners = np.array([(20.3, 12.1), (70.2, 20.4), (76.0, 71.5), (13.8, 66.2)])
    rough = corners + np.array([(3, -2), (-2, 2), (2, 3), (-3, -1)])
    snapped = lattice.snapped(lattice_maps(corners, 96), rough, FOUR)
    assert np.abs(snapped - corners).max() < 0.35


def test_six_of_the_crossings_hidden_do_not_move_the_corners() -> None:
    corners = np.array([(20.3, 12.1), (70.2, 20.4), (76.0, 71.5), (13.8, 66.2)])
    seen = lattice_maps(corners, 96)
    seen[1:, :40, :45] = 0  # a hand over the first corner
    assert np.abs(lattice.snapped(seen, corners + 1.5, FOUR) - corners).max() < 0.8


PLACE = np.array([(18.0, 18.5), (46.0, 17.5), (47.0, 45.0), (17.5, 46.0)])


@pytest.mark.parametrize("step", [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)])
def test_a_lattice_taken_for_the_next_one_is_put_right(step: tuple[int, int]) -> None:
    """Half of the crossings are where they are expected even if all are a square off."""
    off = lattice._within(PLACE, lattice.UNIT + np.array(step) / 4)
    assert np.abs(lattice.stepped(lattice_maps(PLACE, 64), off, FOUR)[0] - PLACE).max() < 0.01


def test_a_lattice_some_squares_off_has_a_side_that_is_hardly_seen() -> None:
    seen = lattice_maps(PLACE, 64)
    off = lattice._within(PLACE, lattice.UNIT + np.array([0.5, 0]))  # two columns lie beyond the board
    right, wrong = (lattice.worst_side(lattice.agreement(seen, corners, FOUR)[1], FOUR) for corners in (PLACE, off))
    assert right > 0.95 and wrong < 0.1


def test_the_lattice_of_a_board_that_is_no_square_is_fitted_along_its_rows() -> None:
    board = lattice_of(Shape(3, 5))
    assert len(board.points) == 24 and (board.kinds == 1).sum() == 4 and (board.kinds == 3).sum() == 8
    corners = np.array([(10.3, 22.1), (80.2, 25.4), (84.0, 69.5), (8.8, 66.2)])
    seen = lattice_maps(corners, 96, board)
    for rows_along in lattice.orders(lattice.in_order(corners + 1), board):
        found = lattice.snapped(seen, rows_along, board)
        is_right = bool(np.abs(found - corners).max() < 0.5)
        assert (lattice.agreement(seen, found, board)[0] > 0.7) is is_right
    assert np.abs(lattice.in_likelier_order(corners[[2, 3, 0, 1]], board, (96, 96)) - corners).max() == 0
    upright = np.roll(corners[:, ::-1][::-1], 1, axis=0)  # the same board, its rows running down the picture
    turned = lattice.in_likelier_order(upright, board, (96, 96))
    assert np.linalg.norm(turned[1] - turned[0]) > np.linalg.norm(turned[2] - turned[1])
    assert np.array_equal(lattice.from_first(turned, board), turned)


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (100, 0), (20, 20), (0, 100)],
        [(0, 0), (1, 0), (1, 1), (0, 1)],
        [(0, 0), (5000, 0), (5000, 20), (0, 20)],
        [(float("nan"), 0), (9, 0), (9, 9), (0, 9)],
    ],
)
def test_shapes_no_board_can_have_are_not_sane(corners: list[tuple[float, float]]) -> None:
    assert not lattice.is_sane(np.array(corners, float))


def clear(seed: int) -> bool:
    """Return whether the picture's first board is what a player would send: whole, not tiny, not under a hand."""
    taken = drawn(seed)
    if not taken.towns or max(taken.towns[0].hidden) > 0.1:
        return False
    corners, size = taken.towns[0].corners, np.array(taken.image.shape[1::-1])
    side = np.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))) / 4
    return bool(side > 28 and (corners > 4).all() and (corners < size - 4).all())


@cache
def clear_ones() -> list[int]:
    """Eight such pictures."""
    return list(islice(filter(clear, range(60)), 8))


def test_boards_in_drawn_pictures_are_found_where_they_are() -> None:
    right = 0
    for seed in clear_ones():
        taken = drawn(seed)
        wanted = lattice.in_order(taken.towns[0].corners)
        found = locate.locate(taken.image, SHAPE).boards
        right += any(worst_corner(wanted, board.corners)[0] < 0.05 for board in found)
    assert right >= 0.85 * len(clear_ones())  # lamps mirrored all over a board and the like are among them


def test_a_picture_turned_by_a_quarter_holds_the_same_board() -> None:
    picture = drawn(clear_ones()[0]).image
    upright = locate.locate(picture, SHAPE).boards[0]
    turned = locate.locate(np.ascontiguousarray(np.rot90(picture, -1)), SHAPE).boards[
        0
    ]  # clockwise: (x, y) -> (high - 1 - y, x)
    back = np.column_stack([turned.corners[:, 1], picture.shape[0] - 1 - turned.corners[:, 0]])
    assert worst_corner(upright.corners, back)[0] < 0.02


@pytest.mark.parametrize("kind", [paint.wood, paint.checked, paint.cloth, paint.clutter])
def test_tables_without_a_board_are_refused(kind: Callable[[np.random.Generator], Floats]) -> None:
    for seed in range(3):
        table = np.clip(kind(np.random.default_rng(seed)), 0, 255).astype(np.uint8)
        assert locate.locate(table, SHAPE).boards == []


def test_no_picture_is_looked_at_more_often_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everywhere there may be a board, and nowhere is one."""
    sides: list[int] = []

    def everywhere(look: Image, _: Path) -> Floats:
        sides.append(look.shape[0])
        noise = cv2.GaussianBlur(np.random.default_rng([0, len(sides)]).random((64, 64, 4)), (0, 0), 2)
        noise = (noise - noise.min()) / (noise.max() - noise.min())
        seen = cv2.resize(noise, (look.shape[1] // 4, look.shape[0] // 4))
        return np.asarray(seen.transpose(2, 0, 1), float)

    monkeypatch.setattr(looking, "maps", everywhere)
    locate.locate(np.zeros((300, 400, 3), np.uint8), SHAPE)
    assert sides.count(looking.WIDE) <= 3 + len(looking.AGAIN) + 2 * locate.LIMITS.parts
    searches, last = locate.LIMITS.parts + 2, 2 * closeup.LIMITS.looks - 1  # the last candidate of each may be followed
    most = locate.LIMITS.first + searches * locate.LIMITS.checks + (searches + 1) * last
    assert sides.count(lattice.CLOSE) <= most


def test_a_picture_without_crossings_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it is marked as a board, but no lanes cross there."""
    sides: list[int] = []

    def marked(look: Image, _: Path) -> Floats:
        sides.append(look.shape[0])
        return np.stack([np.ones((128, 128)), *np.zeros((3, 128, 128))])

    monkeypatch.setattr(looking, "maps", marked)
    assert locate.locate(np.zeros((300, 400, 3), np.uint8), SHAPE).boards == []
    assert sides == [looking.WIDE]


def test_what_is_marked_where_no_lanes_cross_is_reported_and_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.asarray(cv2.copyMakeBorder(table_of_two(), 0, 500, 0, 0, cv2.BORDER_REPLICATE), np.uint8)
    maps, looks = looking.maps, []
    fitted: list[Floats] = []

    def noted(seen: Floats, quad: Floats, board: Lattice) -> Floats:
        fitted.append(quad)
        return lattice.snapped(seen, quad, board)

    def marked(look: Image, model: Path) -> Floats:
        seen = maps(look, model)
        if look.shape[0] == looking.WIDE:
            looks.append(model)
            seen[0, 105:120, 50:75] = 1
        return seen

    monkeypatch.setattr(looking, "maps", marked)
    monkeypatch.setattr(locate, "snapped", noted)
    located = locate.locate(picture, SHAPE)
    assert len(located.boards) == 2 and looks == [looking.MODEL]
    assert fitted and max(quad.mean(axis=0)[1] for quad in fitted) < 105
    [middle] = located.unexplained
    assert abs(middle[1] / picture.shape[0] - 0.87) < 0.05


@pytest.mark.parametrize(("side", "is_part"), [(20, True), (60, False)])
def test_only_a_small_part_of_a_picture_gets_a_look_of_its_own(side: int, is_part: bool) -> None:
    search = locate._Search(np.zeros((512, 512, 3), np.uint8), FOUR)
    seen = np.zeros((4, 128, 128))
    seen[0, 30 : 30 + side, 30 : 30 + side] = 1
    search.seen[looking.FIRST] = looking.Seen(seen, 0.25, np.zeros(2))
    [(look, level)] = search.closer_looks()
    assert (look.part != looking.WHOLE) is is_part
    assert (look.model, level) == ((looking.CROWDED, locate.LIKELY) if is_part else (looking.MODEL, locate.PERHAPS))


@pytest.mark.parametrize("bridge", [1, 4, 9])
def test_boards_marked_as_one_are_told_apart(bridge: int) -> None:
    seen = np.zeros((4, 128, 128))
    for left in (20, 52):
        seen[0, 40:70, left : left + 30] = 1  # thirty cells a side, two apart
    seen[0, 50 : 50 + bridge, 50:52] = 1
    middles = sorted(quad.mean(axis=0).tolist() for quad in blobs.quads(seen[0], locate.LIKELY))
    assert len(middles) == 3, "both, and the two of them as one"
    assert np.abs(np.array(middles) - [(34.5, 54.5), (50.5, 54.5), (66.5, 54.5)]).max() < 2


def ragged() -> Image:
    blob = np.zeros((64, 64), np.uint8)
    blob[20:44, 20:44] = 1
    blob[20:23, 30:34] = 0
    blob[44:46, 24:27] = 1
    return blob


@pytest.mark.parametrize("blob", [ragged(), np.ones((64, 64), np.uint8)], ids=["ragged", "everything"])
def test_one_board_is_not_taken_apart(blob: Image) -> None:
    [part] = blobs.parts(blob)
    assert np.array_equal(part, blob)


def table_of_two() -> Image:
    """Two copies of a board side by side."""
    taken = drawn(clear_ones()[0])
    x0, y0 = np.maximum(taken.towns[0].corners.min(axis=0) - 20, 0).astype(int)
    x1, y1 = (taken.towns[0].corners.max(axis=0) + 20).astype(int)
    one = cv2.resize(taken.image[y0:y1, x0:x1], (400, 400), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.copyMakeBorder(np.hstack([one, one]), 60, 60, 60, 60, cv2.BORDER_REPLICATE), np.uint8)


def test_what_no_board_explains_is_reported_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = table_of_two()
    assert len(locate.locate(picture, SHAPE).boards) == 2
    assert locate.locate(picture, SHAPE).unexplained == []
    checked = closeup.checked

    def left_only(views: Views, corners: Floats, *way: Any) -> tuple[closeup.Found, int]:
        found, looks = checked(views, corners, *way)
        is_left = found.corners[:, 0].mean() < picture.shape[1] / 2
        return (found if is_left else closeup.Found(found.corners, 0.0)), looks

    monkeypatch.setattr(locate, "checked", left_only)
    located = locate.locate(picture, SHAPE)
    assert len(located.boards) == 1
    [middle] = located.unexplained
    assert abs(middle[0] - picture.shape[1] * 0.73) < 80 and abs(middle[1] - picture.shape[0] * 0.5) < 80
    reading = read(file_of(picture), cards=False)
    assert [problem.message for problem in reading.problems if problem.code == "more_boards"] == [
        "There may be another board in this photo."
    ]


def test_the_second_network_is_asked_where_something_is_unexplained(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, checked = table_of_two(), closeup.checked

    def right_for_the_second(views: Views, corners: Floats, board: Lattice, look: Look) -> tuple[closeup.Found, int]:
        found, looks = checked(views, corners, board, look)
        is_left = found.corners[:, 0].mean() < picture.shape[1] / 2
        return (found if is_left or look.model == looking.CROWDED else closeup.Found(found.corners, 0.0)), looks

    monkeypatch.setattr(locate, "checked", right_for_the_second)
    located = locate.locate(picture, SHAPE)
    assert len(located.boards) == 2 and located.unexplained == []


def test_the_second_network_is_not_asked_about_a_clear_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []

    def noted(model: Path, is_wide: bool) -> cv2.dnn.Net:
        asked.append(model)
        return network(model, is_wide)

    monkeypatch.setattr(looking, "network", noted)
    assert len(locate.locate(table_of_two(), SHAPE).boards) == 2
    assert set(asked) == {looking.MODEL}


@pytest.mark.parametrize(
    ("confidence", "worst_side", "certain"), [(0.64, 0.39, False), (0.64, 0.41, True), (0.66, 0.39, True)]
)
def test_no_square_of_a_badly_placed_board_is_certain(
    confidence: float, worst_side: float, certain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = drawn(clear_ones()[0])
    corners = lattice.in_order(taken.towns[0].corners)
    place = closeup.Found(corners, confidence, worst_side=worst_side)
    monkeypatch.setattr(locate, "locate", lambda *_: locate.Located([place], []))
    [board] = read(file_of(taken.image), cards=False).boards
    assert any(not square.is_doubtful for row in board.grid for square in row) is certain


def test_given_corners_are_judged_by_the_same_check() -> None:
    taken = drawn(clear_ones()[0])
    corners = lattice.in_order(taken.towns[0].corners)
    assert closeup.fitted(taken.image, corners, SHAPE) > 0.5
    assert closeup.fitted(taken.image, corners + np.array([0.12 * np.ptp(corners), 0]), SHAPE) < 0.5


@pytest.mark.parametrize(("sure", "boards"), [(0.3, 0), (0.5, 1), (0.96, 1)])
def test_a_place_whose_squares_are_all_guesses_is_no_board(
    sure: float, boards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = drawn(clear_ones()[0])
    place = closeup.Found(lattice.in_order(taken.towns[0].corners), 0.8)
    monkeypatch.setattr(locate, "locate", lambda *_: locate.Located([place], []))
    monkeypatch.setattr(classify, "confidences", lambda told: np.full(len(told), sure))
    reading = read(file_of(taken.image), cards=False)
    assert len(reading.boards) == boards
    assert any(problem.code == "no_board" for problem in reading.problems) is (boards == 0)
