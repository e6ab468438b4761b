"""Cut up boards for the reader of squares: `python -m vision.training.dataset FOLDER --pictures 12000 --seed 1`.

Every file of the folder holds the sixteen patches of every board of 200 pictures. A picture takes about 0.12 s on one
core. With --plates the pictures are photos of what `vision.training.renders` has rendered, --times of each, without
those that are set aside. --harsh is the share in unusual light and with strong compression. --crowded is the share of
drawn pictures that are tables of `vision.training.crowd`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision import rectify
from vision.games.tiny_towns import CUBES, DAYLIGHT, LABELS, SHAPE
from vision.training import paint, renders
from vision.training.crowd import crowd
from vision.training.drawing import Rng
from vision.training.phone import Picture, photographed
from vision.training.pictures import picture
from vision.training.pieces import Image
from vision.training.scene import Town
from vision.training.villagers import Visited

PER_FILE = 200
KINDS = ("patches", "labels", "tops")
SMALLEST = 11.0  # pixels along a square that are worth reading
UNSEEN = 255  # instead of a label: a square under a hand or outside the picture
FEWEST = 8  # squares of a board that must be seen


def squares_of(rng: Rng, image: Image, town: Town) -> tuple[Image, list[int], list[list[int]]]:
    """Return for each square its patch (a picture), the number of its label, and its numbers of cubes by colour. The
    corners are made slightly wrong, as in reading. A square that is hardly seen gets the label UNSEEN."""
    side = float(np.sqrt(abs(cv2.contourArea(town.corners.astype(np.float32)))))
    off = side * rng.choice([0.0, 0.006, 0.012, 0.02])
    stack = rectify.patches(image, town.corners + rng.normal(0, 1, (4, 2)) * off, SHAPE, DAYLIGHT)
    middles = rectify.project(
        rectify.view_of(town.corners, (image.shape[1], image.shape[0]), SHAPE).camera,
        np.array([(i % 4 + 0.5, i // 4 + 0.5, 0.1) for i in range(16)]),
    )
    inside = np.all((middles > 2) & (middles < np.array(image.shape[1::-1]) - 2), axis=1)
    seen = inside & (np.array(town.hidden) < 0.4)
    labels = [LABELS.index(label) if there else UNSEEN for label, there in zip(town.grid, seen, strict=True)]
    tops = [[town.on_top.get(i, []).count(cube) for cube in CUBES] for i in range(16)]
    return stack, labels, tops


def cut(rng: Rng, taken: Picture, into: dict[str, list[Any]]) -> None:
    """Add each board of a picture to the lists in `into`. Patches go to "patches", their labels to "labels", their
    numbers of cubes to "tops". Boards that are too small or hardly visible are left out."""
    for town in taken.towns:
        if town.is_decoy:
            continue
        area = abs(cv2.contourArea(town.corners.astype(np.float32)))
        bounds = np.array(taken.image.shape[1::-1])
        visible = (np.clip(town.corners, 0, bounds) == town.corners).all(1).sum()
        if area < (4 * SMALLEST) ** 2 or visible < 2:
            continue
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
    parser.add_argument("--crowded", type=float, default=0.0)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.plates:
        plates = renders.plates(given.plates, aside=False) * given.times
        np.random.default_rng(given.seed).shuffle(plates)
        write(given, len(plates), lambda rng, number, harsh: photographed(rng, renders.load(plates[number]), harsh))
    else:

        def drawn(rng: Rng, number: int, harsh: bool) -> Picture:
            if rng.random() < given.crowded:
                return crowd(rng, paint.shelf(given.seed * 1000 + number // PER_FILE // 3))
            return picture(rng, paint.shelf(given.seed * 1000 + number // PER_FILE // 3), Visited, harsh=harsh)

        write(given, given.pictures, drawn)


def write(given: argparse.Namespace, pictures: int, take: Callable[[Rng, int, bool], Picture]) -> None:
    """Write the patches of `pictures` pictures into .npz files of up to `PER_FILE` pictures each. `given` has the
    options folder, seed and harsh. `take` makes a picture, given random numbers, its number, and whether it is
    harsh."""
    folder, seed = given.folder, given.seed
    for part in range(-(-pictures // PER_FILE)):
        rng = np.random.default_rng([seed, part])
        into: dict[str, list[Any]] = {kind: [] for kind in KINDS}
        for number in range(part * PER_FILE, min((part + 1) * PER_FILE, pictures)):
            cut(rng, take(rng, number, rng.random() < given.harsh), into)
        arrays: dict[str, Any] = {kind: np.array(values, np.uint8) for kind, values in into.items()}
        half = folder / f"{seed:03d}-{part:04d}.half"  # a training that runs meanwhile finds whole files only
        with half.open("wb") as file:
            np.savez(file, **arrays)
        half.rename(half.with_suffix(".npz"))


if __name__ == "__main__":
    main()
