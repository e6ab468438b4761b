"""Make photos with their truth, to look at and for tests: `python -m vision.training.photos FOLDER --count 12`.

The folder suits `python -m vision.evaluate`. A photo takes about 0.15 s on one core. With --plates the photos are of
rendered tables that are set aside from learning (see `vision.training.renders`). With --crowded 0.7 this share of them
are tables that are hard to search (see `vision.training.crowd`). The finder learns from such a folder. With --from 100
more photos are added to a folder, from number 100 on.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.training import paint, renders
from vision.training.crowd import crowd
from vision.training.phone import Picture, photographed
from vision.training.pictures import picture
from vision.training.scene import Scene, Town
from vision.training.villagers import Visited

PER_SHELF = 250  # crowded pictures that share a stock of painted things
KEPT_EVERY = 100  # pictures after which the truth is written
HIDDEN = 0.4  # share of a square under a hand; above, nobody can see its piece


def truth_of(taken: Picture) -> dict[str, Any]:
    """Return the truth about a picture as truth.json holds it: its size, boards and decoys."""
    size = list(taken.image.shape[1::-1])
    boards = [town for town in taken.towns if not town.is_decoy]
    truth: dict[str, Any] = {"size": size, "boards": [board_of(one, size, one is boards[0]) for one in boards]}
    if decoys := [np.round(town.corners, 1).tolist() for town in taken.towns if town.is_decoy]:
        truth["decoys"] = decoys
    return truth


def board_of(town: Town, size: list[int], main: bool) -> dict[str, Any]:
    labels = ["unknown" if hidden > HIDDEN else label for label, hidden in zip(town.grid, town.hidden, strict=True)]
    tops = {f"{i // 4},{i % 4}": cubes[0] if len(cubes) == 1 else sorted(cubes) for i, cubes in town.on_top.items()}
    return {
        "corners": np.round(town.corners, 1).tolist(),
        "grid": [labels[row : row + 4] for row in range(0, 16, 4)],
        "on_top": tops,
        "inside": bool(((town.corners > 0) & (town.corners < size)).all()),
        "main": main,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=4000)
    parser.add_argument("--quality", type=int, default=80)
    parser.add_argument("--plates", type=Path)
    parser.add_argument("--villagers", action="store_true", help="on a part of the boards that are drawn")
    parser.add_argument("--crowded", type=float, default=0.0)
    parser.add_argument("--from", dest="first", type=int, default=0)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    plates = renders.plates(given.plates, aside=True)[: given.count] if given.plates else []
    stage = Visited if given.villagers else Scene
    truth: dict[str, Any] = {}
    words = given.folder / "truth.json"
    if given.first:
        truth = json.loads(words.read_text())
    for number in range(given.first, given.first + (len(plates) if given.plates else given.count)):
        rng = np.random.default_rng([given.seed, number])
        if plates:
            taken = photographed(rng, renders.load(plates[number - given.first]))
        elif rng.random() < given.crowded:
            taken = crowd(rng, paint.shelf(given.seed * 1000 + number // PER_SHELF))
        else:
            taken = picture(rng, paint.shelf(given.seed), stage)
        name = f"{number:02}.jpg"
        cv2.imwrite(str(given.folder / name), taken.image, [cv2.IMWRITE_JPEG_QUALITY, given.quality])
        truth[name] = truth_of(taken)
        if number % KEPT_EVERY == KEPT_EVERY - 1:
            _keep(truth, words)
    _keep(truth, words)


def _keep(truth: dict[str, Any], words: Path) -> None:
    """Write the truth into the file `words` in one step, so that a training meanwhile finds a complete file."""
    half = words.with_suffix(".half")
    half.write_text(json.dumps(truth, indent=1) + "\n")
    half.rename(words)


if __name__ == "__main__":
    main()
