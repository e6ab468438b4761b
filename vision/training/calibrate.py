"""Fits confidences to how often they are right: `python -m vision.training.calibrate FOLDER... --every 3`.

The folders are those of `python -m vision.evaluate`, none of which was learned from. Every photo is read plain and in
its disturbances, of which half is left for reporting (`evaluate.half_of`). Told are the slope and the offset for
`classify.LIMITS`, and for thresholds (`reading.DOUBTFUL`) how many mistakes lie above and how many right squares below.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision import classify, evaluate
from vision.reading import DOUBTED

Array = NDArray[Any]
THRESHOLDS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99)
TURNS = 50
HOLD = 1e-3  # keeps the fit where it is when every square is right


def fit(told: Array, right: Array) -> tuple[float, float]:
    """Slope and offset of the line from the odds told to the odds of being right, by Newton's method."""
    line, rows = np.array([1.0, 0.0]), np.column_stack([told, np.ones(len(told))])
    for _ in range(TURNS):
        sure = 1 / (1 + np.exp(-rows @ line))
        curve = (rows * (sure * (1 - sure))[:, None]).T @ rows + HOLD * np.eye(2)
        line = line + np.linalg.solve(curve, rows.T @ (right - sure) - HOLD * (line - [1.0, 0.0]))
    return float(line[0]), float(line[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    groups = [evaluate.measure_disturbed(folder, given.every, evaluate.CHOOSE) for folder in given.folders]
    scores = [s for group in groups for photos in group.values() for photo in photos for s in photo.boards if s.found]
    told = [(right, sure) for s in scores for right, sure in s.told if sure != DOUBTED]
    right, sure = (np.array(column) for column in zip(*told, strict=True))
    was = np.array([classify.odds(share) for share in sure])
    slope, offset = fit((was - classify.LIMITS.offset) / classify.LIMITS.slope, right)
    print(f"{len(scores)} boards, {len(right)} squares: slope {slope:.2f}, offset {offset:.2f}")
    now = 1 / (1 + np.exp(-(slope * (was - classify.LIMITS.offset) / classify.LIMITS.slope + offset)))
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
