"""Pictures cut up for the two networks: `python -m vision.training.dataset FOLDER --pictures 12000 --seed 1`.

Every file of the folder holds, for 200 pictures, the whole pictures and looks at single boards (for the finder), and
the sixteen patches of every board (for the reader of squares). About 0.12 s a picture on one core. With --plates the
pictures are photographs of what `vision.training.renders` has rendered, --times of each, without those that are set
aside. A share of them, --harsh, are in such light and so packed as few photos are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision import locate, rectify
from vision.games.tiny_towns import CUBES, LABELS
from vision.lattice import CLOSE, MARGIN
from vision.training import paint, renders
from vision.training.drawing import Rng
from vision.training.phone import Picture, photographed
from vision.training.pictures import picture
from vision.training.pieces import Floats, Image
from vision.training.scene import Town
from vision.training.villagers import Visited

PER_FILE = 200
KINDS = ("whole", "whole_corners", "close", "close_corners", "patches", "labels", "tops")
MOST = 12  # boards in a picture
SMALLEST = 11.0  # pixels along a square that are worth reading
UNSEEN = 255  # instead of a label: a square under a hand or outside the picture
FEWEST = 8  # squares of a board that must be seen


def squares_of(rng: Rng, image: Image, town: Town) -> tuple[Image, list[int], list[list[int]]]:
    """All patches of a board whose corners were found a little off, their labels and the cubes on top."""
    side = float(np.sqrt(abs(cv2.contourArea(town.corners.astype(np.float32)))))
    off = side * rng.choice([0.0, 0.006, 0.012, 0.02])
    stack = rectify.patches(image, town.corners + rng.normal(0, 1, (4, 2)) * off)
    middles = rectify.project(
        rectify.view_of(town.corners, (image.shape[1], image.shape[0])).camera,
        np.array([(i % 4 + 0.5, i // 4 + 0.5, 0.1) for i in range(16)]),
    )
    inside = np.all((middles > 2) & (middles < np.array(image.shape[1::-1]) - 2), axis=1)
    seen = inside & (np.array(town.hidden) < 0.4)
    labels = [LABELS.index(label) if there else UNSEEN for label, there in zip(town.grid, seen, strict=True)]
    tops = [[town.on_top.get(i, []).count(cube) for cube in CUBES] for i in range(16)]
    return stack, labels, tops


def whole(image: Image, towns: list[Town]) -> tuple[Image, list[Floats]]:
    """The picture as the finder sees it first, and the boards' corners in it."""
    small, frame = locate.letterbox(image, locate.WIDE)
    return small, [town.corners * frame[0, 0] + frame[:, 2] for town in towns]


def close(rng: Rng, image: Image, towns: list[Town], town: Town) -> tuple[Image, list[Floats]]:
    """One board as the finder sees it at its second look: flattened by corners that are roughly right."""
    side = float(np.sqrt(abs(cv2.contourArea(town.corners.astype(np.float32)))))
    rough = town.corners + rng.normal(0, 1, (4, 2)) * side * rng.choice([0.01, 0.03, 0.07])
    frame = rectify.flat_frame(np.roll(rough, rng.integers(4), axis=0), CLOSE, MARGIN)
    look = cv2.warpPerspective(image, frame, (CLOSE, CLOSE))
    moved = [cv2.perspectiveTransform(t.corners[None].astype(np.float64), frame)[0] for t in towns if _before(t, frame)]
    return np.asarray(look, np.uint8), [np.asarray(m) for m in moved]


def _before(town: Town, frame: Floats) -> bool:
    depth = np.column_stack([town.corners, np.ones(4)]) @ frame[2]
    return bool((depth > 0.05).all() or (depth < -0.05).all())


def cut(rng: Rng, taken: Picture, into: dict[str, list[Any]]) -> None:
    """Add one picture's pieces of training material."""
    small, corners = whole(taken.image, taken.towns)
    into["whole"].append(small)
    into["whole_corners"].append(corners)
    for town in taken.towns:
        area = abs(cv2.contourArea(town.corners.astype(np.float32)))
        bounds = np.array(taken.image.shape[1::-1])
        visible = (np.clip(town.corners, 0, bounds) == town.corners).all(1).sum()
        if area < (4 * SMALLEST) ** 2 or visible < 2:
            continue
        look, seen = close(rng, taken.image, taken.towns, town)
        into["close"].append(look)
        into["close_corners"].append(seen)
        stack, labels, tops = squares_of(rng, taken.image, town)
        if sum(label != UNSEEN for label in labels) >= FEWEST:
            into["patches"].append(stack)
            into["labels"].append(labels)
            into["tops"].append(tops)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plates", type=Path)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--harsh", type=float, default=0.6)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.plates:
        plates = renders.plates(given.plates, aside=False) * given.times
        np.random.default_rng(given.seed).shuffle(plates)
        write(given, len(plates), lambda rng, number, harsh: photographed(rng, renders.load(plates[number]), harsh))
    else:

        def drawn(rng: Rng, number: int, harsh: bool) -> Picture:
            return picture(rng, paint.shelf(given.seed * 1000 + number // PER_FILE // 3), Visited, harsh=harsh)

        write(given, given.pictures, drawn)


def write(given: argparse.Namespace, pictures: int, take: Callable[[Rng, int, bool], Picture]) -> None:
    """Files of `PER_FILE` pictures, the last one with what is left."""
    folder, seed = given.folder, given.seed
    for part in range(-(-pictures // PER_FILE)):
        rng = np.random.default_rng([seed, part])
        into: dict[str, list[Any]] = {kind: [] for kind in KINDS}
        for number in range(part * PER_FILE, min((part + 1) * PER_FILE, pictures)):
            cut(rng, take(rng, number, rng.random() < given.harsh), into)
        arrays: dict[str, Any] = {k: np.array(v, np.uint8) for k, v in into.items() if not k.endswith("corners")}
        for kind in ("whole", "close"):
            lists = into[f"{kind}_corners"]
            packed = np.full((len(lists), MOST, 4, 2), np.nan, np.float32)
            for i, boards in enumerate(lists):
                for j, board in enumerate(boards[:MOST]):
                    packed[i, j] = board
            arrays[f"{kind}_corners"] = packed
        half = folder / f"{seed:03d}-{part:04d}.half"  # a training that runs meanwhile finds whole files only
        with half.open("wb") as file:
            np.savez(file, **arrays)
        half.rename(half.with_suffix(".npz"))


if __name__ == "__main__":
    main()
