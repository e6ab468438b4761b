"""Train the board finder: `python -m vision.training.train_finder FOLDER OUT.pt --passes 5 --seed 1`.

The folder has photos with their truth, as `vision.training.photos` makes them; it may grow meanwhile. Each pass looks
at a picture in another size, tone and part, and at close-ups of what looks like a board.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from vision.games.tiny_towns import SHAPE
from vision.lattice import STRIDE, UNIT, lattice_of
from vision.rectify import Image
from vision.training.learning import learn, options
from vision.training.looks import Looked, close, whole
from vision.training.nets import FINDER_OUT, Finder

Array = NDArray[Any]
SIDES = (384, 448, 512, 512, 512, 640, 768)  # of the looks at whole pictures
SIZE = 8  # whole pictures of 512 pixels in a batch
AT_ONCE = 64  # photos mixed with each other


def target(corners: Iterable[Array], side: int) -> Array:
    """Return the four maps with which the network should answer: boards, their corners, crossings on edges, crossings
    inside. They are an array of 4 x `side` x `side` from 0 to 1. `corners` has the corners of each board, in pixels
    of the picture."""
    out = np.zeros((FINDER_OUT, side, side), np.float32)
    rows, columns = np.mgrid[0:side, 0:side].astype(np.float32)
    for board in corners:
        flat = cv2.getPerspectiveTransform(UNIT, (board / STRIDE - 0.375).astype(np.float32))
        shrunk = cv2.perspectiveTransform((UNIT[None] - 0.5) * 0.95 + 0.5, flat)[0]
        mask = np.zeros((side, side), np.uint8)
        cv2.fillPoly(mask, [np.round(np.clip(shrunk, -999, 999) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        out[0] = np.maximum(out[0], mask / 255)
        lattice = lattice_of(SHAPE)
        points = cv2.perspectiveTransform(lattice.points[None], flat)[0]
        spread = float(np.clip(0.03 * np.sqrt(cv2.contourArea(shrunk)), 0.75, 1.5))
        for (x, y), kind in zip(points, lattice.kinds, strict=True):
            if not (-3 < x < side + 3 and -3 < y < side + 3):
                continue
            x0, y0 = max(int(x) - 5, 0), max(int(y) - 5, 0)
            window = np.s_[y0 : int(y) + 7, x0 : int(x) + 7]
            bump = np.exp(-((columns[window] - x) ** 2 + (rows[window] - y) ** 2) / (2 * spread**2))
            out[kind][window] = np.maximum(out[kind][window], bump)
    return out


def batches(files: list[Path], rng: np.random.Generator) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Yield batches of whole pictures or of close-ups, turned and mirrored at random, each with the right maps."""
    truth = json.loads((files[0].parent / "truth.json").read_text())
    files = [file for file in files if file.name in truth]
    for at in range(0, len(files), AT_ONCE):
        taken = [(_pixels(file), truth[file.name]) for file in files[at : at + AT_ONCE]]
        jobs: list[list[Looked]] = []
        order = rng.permutation(len(taken))
        while len(order):
            side = int(rng.choice(SIDES))
            count = min(SIZE, round(SIZE * (512 / side) ** 2))
            jobs.append([whole(rng, image, words, side) for image, words in (taken[k] for k in order[:count])])
            order = order[count:]
        looks = [look for image, words in taken for look in close(rng, image, words)]
        order = rng.permutation(len(looks))
        jobs += [[looks[k] for k in order[start : start + 2 * SIZE]] for start in range(0, len(looks), 2 * SIZE)]
        for k in rng.permutation(len(jobs)):
            yield _turned(np.stack([look for look, _ in jobs[k]]), [boards for _, boards in jobs[k]], rng)


def _pixels(file: Path) -> Image:
    return np.asarray(cv2.imread(str(file)), np.uint8)


def _turned(images: Image, boards: list[list[Array]], rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    side = images.shape[1]
    turns, mirror = int(rng.integers(4)), rng.random() < 0.5
    pixels: Array = np.rot90(images, turns, axes=(1, 2))
    if mirror:
        pixels = pixels[:, :, ::-1]

    def moved(corners: Array) -> Array:
        corners = corners + 0.5
        for _ in range(turns):
            corners = np.stack([corners[..., 1], side - corners[..., 0]], -1)
        return (np.stack([side - corners[..., 0], corners[..., 1]], -1) if mirror else corners) - 0.5

    tint = np.exp(rng.normal(0, 0.1, (len(images), 1, 1, 3))).astype(np.float32)
    pixels = np.clip(pixels * (tint * np.exp(rng.normal(0, 0.12))), 0, 255).astype(np.float32) / 255
    maps = np.stack([target([moved(board) for board in there], side // STRIDE) for there in boards])
    return torch.from_numpy(np.ascontiguousarray(pixels.transpose(0, 3, 1, 2))), torch.from_numpy(maps)


def loss_of(got: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
    """Return the loss: how far the network's maps `got` are from the right maps `want`. It is cross-entropy and overlap
    for boards, plus a focal loss for crossings. A crossing answered slightly beside the right cell costs less."""
    got = got.clamp(1e-5, 1 - 1e-5)
    mask, real = got[:, 0], want[:, 0]
    cross = torch.nn.functional.binary_cross_entropy(mask, real)
    overlap = 1 - (2 * (mask * real).sum() + 1) / (mask.sum() + real.sum() + 1)
    peaks, bumps = got[:, 1:], want[:, 1:]
    top = (bumps > 0.85).float()
    away = (1 - bumps) ** 4 * peaks**2 * torch.log(1 - peaks) * (1 - top)
    hit = (1 - peaks) ** 2 * torch.log(peaks) * top
    points = -(away.sum() + hit.sum()) / top.sum().clamp(min=1)
    return cross + overlap + 0.5 * points


def main() -> None:
    given = options(__doc__, passes=5)
    torch.manual_seed(given.seed)
    cv2.setNumThreads(1)
    learn(given, Finder(), batches, loss_of, per_file=0.35, decay=1e-4, files="*.jpg")


if __name__ == "__main__":
    main()
