"""Fit confidences to how often they are right: `python -m vision.training.calibrate FOLDER... --every 3`.

The folders are those of `python -m vision.evaluate`; nothing was learned from them. Every photo is read plain and in
its disturbances, half of which are left for reporting (`evaluate.half_of`). The output has the numbers for
`classify.LIMITS`. For thresholds (`reading.DOUBTFUL`) it says how many mistakes lie above, and how many right squares
below.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision import classify, evaluate
from vision.reading import DOUBTED
from vision.rectify import Floats
from vision.scores import Score

THRESHOLDS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99)
TURNS = 50
HOLD = 1e-3  # keeps the fit where it is when every square is right


def fit(rows: Floats, right: NDArray[np.bool_]) -> Floats:
    """Return the weight of each column of `rows` that best predicts which rows are `right` (logistic regression).

    It uses Newton's method; the first weight starts at 1, the others at 0.
    """
    start = np.eye(rows.shape[1])[0]
    line = start
    for _ in range(TURNS):
        sure = 1 / (1 + np.exp(-rows @ line))
        curve = (rows * (sure * (1 - sure))[:, None]).T @ rows + HOLD * np.eye(len(line))
        line = line + np.linalg.solve(curve, rows.T @ (right - sure) - HOLD * (line - start))
    return np.asarray(line)


def _rows(score: Score) -> tuple[Floats, list[bool]]:
    """Return three numbers for each square (log odds, their mean on the board, 1), and whether each was read right.
    Squares whose confidence was lowered to DOUBTED are left out."""
    told = [(right, sure) for right, sure in score.told if sure != DOUBTED]
    raw = classify.odds(np.array([sure for _, sure in told]))
    mean = np.minimum(raw, classify.LIMITS.most).mean() if told else 0.0
    return np.column_stack([raw, np.full(len(told), mean), np.ones(len(told))]), [right for right, _ in told]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="without disturbances")
    given = parser.parse_args()
    classify.LIMITS = replace(classify.LIMITS, slope=1.0, board=0.0, offset=0.0)
    if given.plain:
        photos = [photo for folder in given.folders for photo in evaluate.measure(folder)]
    else:
        groups = [evaluate.measure_disturbed(folder, given.every, evaluate.CHOOSE) for folder in given.folders]
        photos = [photo for group in groups for kind in group.values() for photo in kind]
    scores = [score for photo in photos for score in photo.boards if score.found]
    parts, answers = zip(*map(_rows, scores), strict=True)
    rows, right = np.concatenate(parts), np.concatenate(answers).astype(bool)
    line = fit(rows, right)
    print(f"{len(scores)} boards, {len(right)} squares: slope {line[0]:.2f}, board {line[1]:.2f}, offset {line[2]:.2f}")
    now = 1 / (1 + np.exp(-rows @ line))
    print(f"surest mistake {now[~right].max(initial=0):.3f}")
    for threshold in THRESHOLDS:
        above, rings = (~right & (now >= threshold)).sum(), (right & (now < threshold)).sum()
        hidden = (~right & (now < threshold)).sum() / max((now < threshold).sum(), 1)
        print(
            f"threshold {threshold:.3f}: {above} mistakes above, {rings / len(scores):.2f} rings a board on what is "
            f"right, a mistake behind {100 * hidden:.0f}% of the rings"
        )


if __name__ == "__main__":
    main()
