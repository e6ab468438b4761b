"""The judge of readings: rotations, unknown squares, missed and false boards."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.vision.conftest import PHOTOS, drawn
from vision import disturb, evaluate, scores
from vision.games.tiny_towns import LABELS
from vision.reading import Board, Reading, Square

CORNERS = ((10.0, 10.0), (90.0, 12.0), (95.0, 88.0), (8.0, 92.0))
LETTERS = [[LABELS[(4 * i + j) % 14] for j in range(4)] for i in range(4)]


def board(cells: list[list[str]], corners: tuple[tuple[float, float], ...] = CORNERS) -> Board:
    return Board(corners, 0.9, tuple(tuple(Square(label, 0.95) for label in row) for row in cells))


@pytest.mark.parametrize("quarters", range(4))
def test_any_of_the_four_rotations_counts(quarters: int) -> None:
    turned = scores._turned(LETTERS, quarters)
    truth = {"corners": CORNERS, "grid": LETTERS}
    score = scores.compare("a", truth, board(turned))
    assert (score.right, score.squares, score.mistakes) == (16, 16, [])


def test_unknown_squares_do_not_count_and_mistakes_are_named() -> None:
    wanted = [row[:] for row in LETTERS]
    wanted[0][0] = "unknown"
    seen = [row[:] for row in LETTERS]
    seen[2][3] = "monument"
    score = scores.compare("a", {"corners": CORNERS, "grid": wanted}, board(seen))
    assert (score.right, score.squares) == (14, 15)
    assert score.mistakes == [("2,3", wanted[2][3], "monument", 0.95)]


def test_a_ring_on_a_right_square_and_a_mistake_without_one_are_counted() -> None:
    doubtful = [[Square(label, 0.1 if label == "well" else 0.99) for label in row] for row in LETTERS]
    doubtful[0][0] = Square("monument", 0.99)  # "empty" in truth
    read = Board(CORNERS, 0.9, tuple(tuple(row) for row in doubtful))
    photo = scores.Photo("a", [scores.compare("a", {"corners": CORNERS, "grid": LETTERS}, read)], 0, {})
    sums = scores.Sums.of([photo])
    wells = sum(label == "well" for row in LETTERS for label in row)
    assert (sums.sure_and_wrong, sums.rings) == (1, wells)
    low, high = (line.split() for line in evaluate.reliability([photo])[1:])
    assert (low[3], low[4]) == (str(wells), "100.0%")
    assert (high[3], high[4]) == (str(16 - wells), f"{100 * (15 - wells) / (16 - wells):.1f}%")


def test_a_board_that_was_not_found_has_no_square_right() -> None:
    photo = scores.judge("a", {"boards": [{"corners": CORNERS, "grid": LETTERS}]}, Reading())
    assert (photo.boards[0].found, photo.boards[0].right) == (False, 0)


def test_boards_where_there_is_none_are_counted() -> None:
    photo = scores.judge("a", {"boards": []}, Reading(boards=[board(LETTERS)]))
    assert photo.false_boards == 1


def test_corners_may_start_anywhere_and_run_either_way() -> None:
    truth = {"boards": [{"corners": CORNERS[::-1], "grid": LETTERS}]}
    assert scores.judge("a", truth, Reading(boards=[board(LETTERS)])).boards[0].found


def test_the_command_prints_a_table_and_writes_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = json.loads((PHOTOS / "truth.json").read_text())
    name = min(truth)
    (tmp_path / "truth.json").write_text(json.dumps({name: truth[name]}))
    (tmp_path / name).write_bytes((PHOTOS / name).read_bytes())
    assert evaluate.main([str(tmp_path), "--csv", str(tmp_path / "out.csv")]) == 0
    assert "squares right" in capsys.readouterr().out
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 2


def test_every_disturbance_is_the_same_each_time_and_changes_the_picture() -> None:
    image = drawn(2).image
    first, again = list(disturb.disturbed("a", image)), list(disturb.disturbed("a", image))
    assert len(first) == 22
    for (kind, one, frame), (_, two, _) in zip(first, again, strict=True):
        assert np.array_equal(one, two), kind
        assert one.shape != image.shape or np.abs(one.astype(int) - image).mean() > 0.5, kind
        corners = np.array([(0, 0, 1), (image.shape[1], image.shape[0], 1)]) @ frame.T
        assert (corners > -1).all(), kind
        assert (corners[:, :2] < np.array(one.shape[1::-1]) + 1).all(), kind


@pytest.mark.parametrize("kind", [kind for kind in disturb.KINDS if kind.startswith(("turned", "half as", "640"))])
def test_truth_goes_where_the_picture_goes(kind: str) -> None:
    """A white spot on black, looked for where the frame says that it went."""
    image = np.zeros((300, 400, 3), np.uint8)
    image[95:105, 55:65] = 255
    moved, frame = disturb.KINDS[kind](image, np.random.default_rng(1))
    x, y, _ = frame @ [60.0, 100.0, 1]
    rows, columns = np.nonzero(moved[..., 0] > 128)
    assert (columns.mean() + 0.5, rows.mean() + 0.5) == pytest.approx((x, y), abs=1.0)


def test_the_command_tells_plain_and_disturbed_for_every_group(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = json.loads((PHOTOS / "truth.json").read_text())
    name = "06.jpg"
    for group in ("drawings", "real"):
        (tmp_path / group).mkdir()
        (tmp_path / group / "truth.json").write_text(json.dumps({name: truth[name]}))
        (tmp_path / group / name).write_bytes((PHOTOS / name).read_bytes())
    kinds = ("turned 90 degrees", "JPEG quality 40")
    monkeypatch.setattr(disturb, "KINDS", {kind: disturb.KINDS[kind] for kind in kinds})
    assert evaluate.main(["--disturbed", str(tmp_path / "drawings"), str(tmp_path / "real")]) == 0
    lines = capsys.readouterr().out.splitlines()
    starts = [line[:28].strip() for line in lines]
    groups = ["drawings, plain", "drawings, disturbed", "real, plain", "real, disturbed"]
    assert starts[:10] == ["group", *groups, "", "found, % of squares", "plain", *kinds]
    assert lines[11].split() == ["confidence", "squares", "right", "said"]
    assert "2/2" in lines[2]  # both kinds found where the truth was moved to


def test_disturbed_figures_go_into_no_file(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        evaluate.main(["--disturbed", "--csv", str(tmp_path / "out.csv"), str(PHOTOS)])
