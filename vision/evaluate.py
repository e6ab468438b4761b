"""Measure how well folders of photos with `truth.json` are read: `python -m vision.evaluate FOLDER... [--csv FILE]`.

Per photo and in total: boards found, corner error, squares and whole boards right, confidence of mistakes, milliseconds
by stage. The most frequent mistakes are listed as "truth > read". The best-fitting of the four rotations counts.
Squares that the truth calls unknown do not count. Boards whose `inside` in the truth is false (partly outside the
picture) do not count either.

With --disturbed every photo is read plain and in the 22 kinds of `disturb.py`. The sums of all folders are printed side
by side; three folders suit best: drawings, renders, real photos. --every 5 takes only every fifth photo. Of the
disturbed photos, --half 1 takes those that networks and thresholds were chosen by, --half 2 the others.

A ring marks a square in doubt (`reading.DOUBTFUL`). `sure, wrong` are mistakes without a ring; `rings` are rings on
right squares, for each board found. Below both tables: how often the squares of each confidence are right.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import zlib
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision import disturb
from vision.contract import GameReader
from vision.decode import decode
from vision.read import read
from vision.reading import DOUBTFUL
from vision.rectify import Floats, Image
from vision.scores import Photo, Sums, judge

STEPS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)  # of confidence, for the table of reliability
PLAIN = "plain"
CHOOSE, REPORT = 1, 2
MAX_SIDE = 1 << 16  # pixels: whole photos, as they are


def measure(folder: Path, corners: bool = False, reader: GameReader | None = None) -> list[Photo]:
    """Return the scores of reading each photo that `truth.json` in the folder describes.

    With `corners`, only each photo's main board is read, with its true corners given.
    """
    truth = json.loads((folder / "truth.json").read_text())
    photos = []
    for name, photo in sorted(truth.items()):
        boards = sorted(photo["boards"], key=lambda b: not b.get("main", False))
        if corners and boards:
            photos.append(judge(name, {"boards": boards[:1]}, read(folder / name, boards[0]["corners"], reader=reader)))
        else:
            photos.append(judge(name, photo, read(folder / name, reader=reader)))
    return photos


def half_of(name: str, kind: str) -> int:
    """Return to which half a disturbed photo belongs: 1 for choosing thresholds, 2 for reporting. `name` is that of the
    photo, `kind` that of the disturbance."""
    return CHOOSE if zlib.crc32(f"{name} {kind}".encode()) & 32 == 0 else REPORT


def measure_disturbed(folder: Path, every: int = 1, half: int = 0) -> dict[str, list[Photo]]:
    """Return by kind of disturbance the scores of reading each photo of a folder; PLAIN has those of undisturbed
    photos. Only every `every`th photo is read. `half` is 1 or 2 for one half of the disturbed photos (see
    `half_of`), 0 for both."""
    truth = json.loads((folder / "truth.json").read_text())
    photos: dict[str, list[Photo]] = {kind: [] for kind in (PLAIN, *disturb.KINDS)}
    for name, photo in sorted(truth.items())[::every]:
        data = (folder / name).read_bytes()
        photos[PLAIN].append(judge(name, photo, read(data, cards=False)))
        upright = decode(data, enough=MAX_SIDE).pixels
        # Truth and pixels are of one size only if nothing was shrunk on the way.
        size = np.array(photo.get("size", upright.shape[1::-1]), float)
        fit = np.diag([*(upright.shape[1::-1] / size), 1.0])
        for kind, image, frame in disturb.disturbed(name, upright):
            if half and half_of(name, kind) != half:
                continue
            moved = {**photo, "boards": [_moved(board, frame @ fit) for board in photo["boards"]]}
            photos[kind].append(judge(name, moved, read(_file_of(image), cards=False)))
    return photos


def _moved(board: dict[str, Any], frame: Floats) -> dict[str, Any]:
    corners = np.column_stack([np.array(board["corners"], float), np.ones(4)]) @ frame.T
    return {**board, "corners": (corners[:, :2] / corners[:, 2:]).tolist()}


def _file_of(image: Image) -> bytes:
    return cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()


def report_disturbed(groups: dict[str, dict[str, list[Photo]]]) -> list[str]:
    """Return the lines of a report: for each folder plain and disturbed photos, then for each kind of disturbance.

    `groups` has the results of `measure_disturbed` by the folder's name.
    """
    head = f"{'group':28}{'boards found':>14}{'false':>7}{'squares right':>22}{'whole boards':>20}"
    lines = [f"{head}{'sure, wrong':>13}{'rings':>8}"]
    for name, photos in groups.items():
        lines.append(_group_line(f"{name}, plain", photos[PLAIN]))
        lines.append(_group_line(f"{name}, disturbed", [p for kind in disturb.KINDS for p in photos[kind]]))
    lines += ["", f"{'found, % of squares':28}" + "".join(f"{name[:20]:>22}" for name in groups)]
    for kind in (PLAIN, *disturb.KINDS):
        sums = [Sums.of(photos[kind]) for photos in groups.values()]
        lines.append(f"{kind:28}" + "".join(f"{f'{s.found}/{s.boards}':>12}{s.share:>9.1f}%" for s in sums))
    every = [photo for photos in groups.values() for kind in photos.values() for photo in kind]
    return [*lines, "", *reliability(every)]


def reliability(photos: Iterable[Photo]) -> list[str]:
    """Return the lines of a table that says how often squares of each confidence were read right."""
    told = [one for photo in photos for score in photo.boards for one in score.told]
    lines = [f"{'confidence':>14}{'squares':>9}{'right':>9}{'said':>9}"]
    for low, high in pairwise(STEPS):
        part = [(right, sure) for right, sure in told if low <= sure < high]
        if part:
            right, said = (100 * float(np.mean(column)) for column in zip(*part, strict=True))
            lines.append(f"{f'{low} to {min(high, 1)}':>14}{len(part):>9}{right:>8.1f}%{said:>8.1f}%")
    return lines


def _group_line(name: str, photos: list[Photo]) -> str:
    s = Sums.of(photos)
    found, false = f"{s.found}/{s.boards}", str(s.false_boards)
    squares = f"{s.right}/{s.squares} {s.share:.2f}%"
    whole = f"{s.whole}/{s.boards} {100 * s.whole / max(s.boards, 1):.1f}%"
    return f"{name:28}{found:>14}{false:>7}{squares:>22}{whole:>20}{s.sure_and_wrong:>13}{s.rings_each:>8.2f}"


def report(photos: Iterable[Photo]) -> list[str]:
    """Return the lines of a report on photos: one for each board, then the sums, then the table of `reliability`."""
    photos = list(photos)
    lines = ["photo                            board  corner  squares  top   ms    mistakes (truth > read, confidence)"]
    for photo in photos:
        for score in photo.boards:
            mistakes = "; ".join(f"{at} {a} > {b} {sure:.2f}" for at, a, b, sure in score.mistakes)
            lines.append(
                f"{score.name[:32]:32} {'found' if score.found else 'MISSED':6} {score.corner_error:6.3f} "
                f"{score.right:3}/{score.squares:<3} {score.tops_right:3}/{score.tops:<2}"
                f"{sum(photo.stages.values()):5.0f}    {mistakes}"
            )
    return [*lines, "", *_sums(photos), *reliability(photos)]


def _sums(photos: list[Photo]) -> list[str]:
    scores = [score for photo in photos for score in photo.boards]
    if not scores:
        return ["no boards in the truth"]
    sums, found = Sums.of(photos), [s for s in scores if s.found]
    mistakes = [m for s in scores for m in s.mistakes]
    pairs = Counter(f"{a} > {b}" for _, a, b, _ in mistakes).most_common(12)
    stages = {k: [p.stages[k] for p in photos if k in p.stages] for k in ("decode", "locate", "squares", "cards")}
    return [
        f"boards found {sums.found}/{sums.boards}, false boards {sums.false_boards}",
        f"worst corner, median of found {np.median([s.corner_error for s in found] or [np.nan]):.4f} of the side, "
        f"largest {max([s.corner_error for s in found], default=float('nan')):.4f}",
        f"squares right {sums.right}/{sums.squares} = {sums.share:.2f}%",
        f"whole boards right {sums.whole}/{sums.boards} = {100 * sums.whole / sums.boards:.1f}%",
        f"cubes on top right {sum(s.tops_right for s in scores)}/{sum(s.tops for s in scores)}",
        f"wrong without a ring (at {DOUBTFUL} or surer) {sums.sure_and_wrong}; rings on what is right {sums.rings}, "
        f"{sums.rings_each:.2f} a board found",
        "pairs: " + (", ".join(f"{pair} x{n}" for pair, n in pairs) or "none"),
        "ms (median): " + ", ".join(f"{k} {np.median(v):.0f}" for k, v in stages.items() if v),
    ]


def _csv(photos: list[Photo], path: Path) -> None:
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["board", "found", "corner_error", "squares", "right", "mistakes", "false_boards", "ms"])
        for photo in photos:
            for s in photo.boards:
                mistakes = "; ".join(f"{at} {a}>{b} {c:.2f}" for at, a, b, c in s.mistakes)
                ms = round(sum(photo.stages.values()))
                rows.writerow([s.name, s.found, s.corner_error, s.squares, s.right, mistakes, photo.false_boards, ms])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--csv", type=Path, help="write one row a board here as well")
    parser.add_argument("--corners", action="store_true", help="give the true corners: measures the squares alone")
    parser.add_argument("--disturbed", action="store_true", help="plain and in 22 kinds of disturbance")
    parser.add_argument("--every", type=int, default=1, help="of the disturbed ones only every so many photos")
    parser.add_argument("--half", type=int, default=0, choices=(0, CHOOSE, REPORT), help="1 to choose by, 2 to report")
    given = parser.parse_args(arguments)
    if given.disturbed and (given.csv or given.corners):
        parser.error("--disturbed goes with neither --csv nor --corners")
    if given.disturbed:
        groups = {f.name: measure_disturbed(f, given.every, given.half) for f in given.folders}
        print("\n".join(report_disturbed(groups)))
        return 0
    photos = []
    for folder in given.folders:
        photos.append(measure(folder, given.corners))
        print("\n".join(report(photos[-1])))
    if given.csv:
        _csv([photo for group in photos for photo in group], given.csv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
