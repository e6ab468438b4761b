"""Run a step of the training: `python -m vision.training make FOLDER`, then `train`, `calibrate` and `measure`.

`make` and `measure` need Blender; `train` needs PyTorch and the package `onnx`. `train` starts from the committed
networks, averages what it learned with them and writes to vision/model; `git checkout vision/model` restores the old
ones.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

STEPS = {
    "make": (
        "photos {folder}/photos --crowded 0.85 --seed 3300 --count 6000 --quality 94",
        "dataset {folder}/boards --crowded 0.5 --seed 501 --pictures 2400 --harsh 0.25",
        "renders {folder}/plates --crowded --seed 2300 --boards 140",
        "dataset {folder}/boards --plates {folder}/plates --times 8 --seed 611 --harsh 0.35",
        "rendered {folder}/choose --seed 21 --count 36",
    ),
    "train": (
        "restore finder {folder}/photos {folder}/finder0.pt",
        "train_finder {folder}/photos {folder}/finder1.pt --start {folder}/finder0.pt --frozen --passes 10 --rate 8e-4",
        "restore squares {folder}/boards {folder}/squares0.pt",
        "train_squares {folder}/boards {folder}/squares1.pt --start {folder}/squares0.pt --frozen --rate 4e-4",
        "export --finder-crowded {folder}/finder0.pt {folder}/finder1.pt",
        "export --squares {folder}/squares0.pt {folder}/squares1.pt",
    ),
    "calibrate": ("calibrate {folder}/choose",),
    "measure": (
        "rendered {folder}/honest-{seed} --seed {seed} --count 40 --unlearned paper",
        "evaluate {folder}/choose {folder}/honest-{seed}",
    ),
}


def commands(step: str, folder: Path, seed: int) -> list[list[str]]:
    """Return the commands of a step of the training, as lists of words after `python -m`. `folder` and `seed` are among
    the words."""
    made = []
    for line in STEPS[step]:
        module, *words = line.split()
        package = "vision" if module == "evaluate" else "vision.training"
        made.append([f"{package}.{module}", *(word.format(folder=folder, seed=seed) for word in words)])
    return made


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1, help="of the honest set; take one that nobody used before")
    given = parser.parse_args()
    for command in commands(given.step, given.folder, given.seed):
        print(" ".join(command), flush=True)
        subprocess.run([sys.executable, "-m", *command], check=True)  # noqa: S603  our own modules


if __name__ == "__main__":
    main()
