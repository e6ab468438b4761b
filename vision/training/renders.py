"""Render tables into a folder, one by one: `python -m vision.training.renders FOLDER --boards 3000 --seed 700`.

Every picture is a plate, not yet photographed: NUMBER.png, and NUMBER.json with the boards' corners and pieces, written
last. With the same seed a stopped run continues. A picture takes about 6 s on one core.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from vision import rectify
from vision.games.tiny_towns import SHAPE
from vision.training import paint
from vision.training.phone import Plate
from vision.training.scene import Town
from vision.training.studio import Studio

AT_A_TIME = 100  # pictures that share painted boards and tables, and one Blender, which grows with what it has seen
ASIDE = "9"  # the last digit of those
TRIES = 3  # when Blender stops
MOST = 10  # squares
LARGE = 90.0  # pixels along a board


def save(plate: Plate, stem: Path) -> None:
    """Write a plate as two files, `stem` with .png and with .json. The latter is written last and in one step, so that
    a plate with a .json is complete."""
    cv2.imwrite(str(stem.with_suffix(".png")), plate.image)
    words = {"shrink": plate.shrink, "blur": plate.blur, "towns": []}
    words["towns"] = [{**asdict(town), "corners": town.corners.tolist()} for town in plate.towns]
    half = stem.with_suffix(".half")
    half.write_text(json.dumps(words) + "\n")
    half.rename(stem.with_suffix(".json"))


def load(words: Path) -> Plate:
    """Return the plate that this .json file and the picture beside it hold."""
    said = json.loads(words.read_text())
    towns = [
        Town(
            np.array(town["corners"]),
            town["grid"],
            {int(at): cubes for at, cubes in town["on_top"].items()},
            town["hidden"],
            town.get("is_decoy", False),
        )
        for town in said["towns"]
    ]
    image = np.asarray(cv2.imread(str(words.with_suffix(".png"))), np.uint8)
    return Plate(image, towns, said["shrink"], said["blur"])


def plates(folder: Path, aside: bool) -> list[Path]:
    """Return the .json files of the plates to learn from; with `aside`, those of every tenth, kept for other uses."""
    return [words for words in sorted(folder.glob("*.json")) if (words.stem[-1] == ASIDE) == aside]


def boards_in(words: Path) -> int:
    """Return how many boards of a plate are worth learning from: large enough and mostly in the picture. `words` is the
    plate's .json file."""
    plate, good = load(words), 0
    for town in plate.towns:
        if town.is_decoy:
            continue
        squares = np.array([(i % 4 + 0.5, i // 4 + 0.5, 1) for i in range(16)])
        middles = rectify.plane_of(town.corners, SHAPE) @ squares.T
        seen = (middles[:2] / middles[2]).T
        inside = ((seen > 0) & (seen < plate.image.shape[1::-1])).all(1).sum() >= MOST
        good += bool(inside and cv2.contourArea(town.corners.astype(np.float32)) > LARGE**2)
    return good


def render(folder: Path, seed: int, boards: int, crowded: bool = False) -> Iterator[tuple[Path, int]]:
    """Render pictures until there are `boards` boards; yield each new picture's path without its ending, and the boards
    so far. Pictures of earlier runs with this `seed` and folder are kept and counted. With `crowded`, the tables are
    those of `crowd.py`."""
    part, done = 0, 0
    while done < boards:
        names = [folder / f"{seed:04d}-{part * AT_A_TIME + k:05d}" for k in range(AT_A_TIME)]
        missing = [stem for stem in names if not stem.with_suffix(".json").exists()]
        done += sum(boards_in(stem.with_suffix(".json")) for stem in names if stem not in missing)
        if missing:
            shelf = paint.shelf(seed * 1000 + part)
            with Studio() as studio:
                lay = studio.crowded_plate if crowded else studio.plate
                for stem in missing:
                    if done >= boards:
                        return
                    save(lay(np.random.default_rng([seed, int(stem.name.split("-")[1])]), shelf), stem)
                    done += boards_in(stem.with_suffix(".json"))
                    yield stem, done
        part += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--boards", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=700)
    parser.add_argument("--crowded", action="store_true", help="tables that are hard to search (vision.training.crowd)")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    given.folder.mkdir(parents=True, exist_ok=True)
    left, began = TRIES, time.time()
    while left:
        try:
            for stem, done in render(given.folder, given.seed, given.boards, given.crowded):
                print(f"{stem.name} {done} boards, {time.time() - began:.0f} s", flush=True)
                left = TRIES
            return
        except (RuntimeError, OSError) as problem:
            left -= 1
            print(f"stopped: {problem!r}", flush=True)
    raise SystemExit("Blender stopped again and again")


if __name__ == "__main__":
    main()
