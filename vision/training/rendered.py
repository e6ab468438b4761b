"""Make crowded tables in the light of a path tracer: `python -m vision.training.rendered FOLDER --count 40 --seed 1`.

The finder learns from drawn tables only, so these measure it in light that it never saw. With a seed never used before,
and read once, they are an honest test set. A picture takes about 10 s on one core; a stopped run can be resumed.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from vision.training import cloths, paint
from vision.training.photos import truth_of
from vision.training.studio import Studio

QUALITY = 92


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unlearned", choices=cloths.UNLEARNED, help="a look that nothing learned from")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    words = given.folder / "truth.json"
    truth = json.loads(words.read_text()) if words.exists() else {}
    shelf = paint.shelf(given.seed)
    with Studio() as studio:
        for number in range(len(truth), given.count):
            taken = studio.crowd(np.random.default_rng([given.seed, number]), shelf, given.unlearned or "")
            name = f"{number:03}.jpg"
            cv2.imwrite(str(given.folder / name), taken.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            truth[name] = truth_of(taken)
            words.write_text(json.dumps(truth, indent=1) + "\n")


if __name__ == "__main__":
    main()
