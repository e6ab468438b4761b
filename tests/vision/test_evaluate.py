"""The judge of readings: rotations, unknown squares, missed and false boards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.vision.conftest import PHOTOS
from vision import evaluate
from vision.games.tiny_towns import LABELS
from vision.reading import Board, Reading, Square

CORNERS = ((10.0, 10.0), (90.0, 12.0), (95.0, 88.0), (8.0, 92.0))
LETTERS = [[LABELS[(4 * i + j) % 14] for j in range(4)] for i in range(4)]


def board(cells: list[list[str]], corners: tuple[tuple[float, float], ...] = CORNERS) -> Board:
    return Board(corners, 0.9, tuple(tuple(Square(label, 0.95) for label in row) for row in cells))


@pytest.mark.parametrize("quarters", range(4))
def test_any_of_the_four_rotations_counts(quarters: int) -> None:
    turned = evaluate._turned(LETTERS, quarters)
    truth = {"corners": CORNERS, "grid": LETTERS}
    score = evaluate.compare("a", truth, board(turned))
    assert (score.right, score.squares, score.mistakes) == (16, 16, [])


def test_unknown_squares_do_not_count_and_mistakes_are_named() -> None:
    wanted = [row[:] for row in LETTERS]
    wanted[0][0] = "unknown"
    seen = [row[:] for row in LETTERS]
    seen[2][3] = "monument"
    score = evaluate.compare("a", {"corners": CORNERS, "grid": wanted}, board(seen))
    assert (score.right, score.squares) == (14, 15)
    assert score.mistakes == [("2,3", wanted[2][3], "monument", 0.95)]


def test_a_board_that_was_not_found_has_no_square_right() -> None:
    photo = evaluate.judge("a", {"boards": [{"corners": CORNERS, "grid": LETTERS}]}, Reading())
    assert (photo.boards[0].found, photo.boards[0].right) == (False, 0)


def test_boards_where_there_is_none_are_counted() -> None:
    photo = evaluate.judge("a", {"boards": []}, Reading(boards=[board(LETTERS)]))
    assert photo.false_boards == 1


def test_corners_may_start_anywhere_and_run_either_way() -> None:
    truth = {"boards": [{"corners": CORNERS[::-1], "grid": LETTERS}]}
    assert evaluate.judge("a", truth, Reading(boards=[board(LETTERS)])).boards[0].found


def test_the_command_prints_a_table_and_writes_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = json.loads((PHOTOS / "truth.json").read_text())
    name = min(truth)
    (tmp_path / "truth.json").write_text(json.dumps({name: truth[name]}))
    (tmp_path / name).write_bytes((PHOTOS / name).read_bytes())
    assert evaluate.main([str(tmp_path), "--csv", str(tmp_path / "out.csv")]) == 0
    assert "squares right" in capsys.readouterr().out
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 2
