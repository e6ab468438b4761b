"""Trains the reader of squares: `python -m vision.training.train_squares FOLDER OUT.pt --passes 12 --seed 1`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from vision.games.tiny_towns import LABELS
from vision.rectify import PATCH
from vision.training.learning import learn, options
from vision.training.nets import Squares

Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
BATCH = 128
AT_ONCE = 5  # files mixed with each other
WORN = 0.45  # share of the patches that are coarser or more compressed than they were taken
VAGUE = 0.2  # share of the patches that show too little to learn from
FACTORY = LABELS.index("factory")


def batches(files: list[Path], rng: np.random.Generator) -> Iterator[Batch]:
    for at in range(0, len(files), AT_ONCE):
        stacks, labels, tops = [], [], []
        for file in files[at : at + AT_ONCE]:
            data = np.load(file)
            labels.append(data["labels"])
            keep = (labels[-1] > 0) | (rng.random(len(labels[-1])) < 0.35)  # half of all squares are empty ones
            labels[-1] = labels[-1][keep]
            patches, top = data["patches"][keep], data["tops"][keep]
            clear = _detail(patches)
            clear = clear > np.quantile(clear, VAGUE)
            labels[-1] = labels[-1][clear]
            stacks.append(patches[clear])
            tops.append(top[clear])
        stack, label, top = np.concatenate(stacks), np.concatenate(labels), np.concatenate(tops)
        order = rng.permutation(len(stack))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            part = order[start : start + BATCH]
            yield _varied(stack[part], rng), torch.from_numpy(label[part]).long(), torch.from_numpy(top[part]).long()


def _detail(stack: NDArray[Any]) -> NDArray[Any]:
    """How much there is to see in each patch: the spread of the differences between neighbouring pixels."""
    grey = stack[:, ::2, ::2, 1].astype(np.int16)
    return np.asarray(np.abs(np.diff(grey, axis=2)).mean(axis=(1, 2)))


def _stretched(patch: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """Pieces a little thicker or lower than ours, corners found a little off, and both ways round."""
    middle = (PATCH - 1) / 2
    change = np.eye(2) + rng.normal(0, [[0.07, 0.06], [0.06, 0.07]])
    if rng.random() < 0.5:
        change[:, 0] *= -1
    moved = np.array([middle, middle]) - change @ [middle, middle] + rng.normal(0, 1.0, 2)
    frame = np.column_stack([change, moved])
    return np.asarray(cv2.warpAffine(patch, frame, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE))


def _worn(patch: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """A board farther away, or in a file that was packed too tightly: the outline stays as it is."""
    pixels: NDArray[Any] = np.ascontiguousarray(patch[..., :3])
    if rng.random() < 0.7:
        few = max(round(PATCH * rng.uniform(0.3, 0.9)), 8)
        pixels = cv2.resize(cv2.resize(pixels, (few, few), interpolation=cv2.INTER_AREA), (PATCH, PATCH))
    if rng.random() < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(10, 60))]
        pixels = np.asarray(cv2.imdecode(cv2.imencode(".jpg", pixels, quality)[1], cv2.IMREAD_COLOR))
    return np.dstack([pixels, patch[..., 3]])


def _varied(stack: NDArray[Any], rng: np.random.Generator) -> torch.Tensor:
    """Mirrored, stretched, tinted, brightened, now and then blotted: what the painter did not vary enough."""
    worn = [_worn(patch, rng) if rng.random() < WORN else patch for patch in stack]
    pixels = np.stack([_stretched(patch, rng) for patch in worn]).astype(np.float32) / 255
    each = (len(pixels), 1, 1, 1)
    # Colour tells eight families; which of a family it is, a theater or a wheat cube, only the shape tells.
    grey = pixels[..., :3].mean(axis=3, keepdims=True)
    vivid = np.where(rng.random(each) < 0.8, rng.uniform(0.75, 1.3, each), rng.uniform(0.35, 1.6, each))
    seen = grey + (pixels[..., :3] - grey) * vivid
    tint = np.exp(rng.normal(0, 0.1, (len(pixels), 1, 1, 3)) + rng.normal(0, 0.12, each))
    seen = seen * tint + rng.normal(0, 0.05, (len(pixels), 1, 1, 3))
    pixels[..., :3] = np.clip(seen, 0, 1) ** np.exp(rng.normal(0, 0.12, each))
    for i in np.flatnonzero(rng.random(len(pixels)) < 0.15):
        x, y = rng.integers(0, 56, 2)
        w, h = rng.integers(4, 16, 2)
        pixels[i, y : y + h, x : x + w, :3] = rng.random(3)
    return torch.from_numpy(np.ascontiguousarray(pixels.transpose(0, 3, 1, 2), np.float32))


def loss_of(got: torch.Tensor, label: torch.Tensor, top: torch.Tensor) -> torch.Tensor:
    loss = cross_entropy(got[:, :14], label, label_smoothing=0.02)
    black = label == FACTORY
    if black.any():
        counts = got[black, 14:].reshape(-1, 5, 4).permute(0, 2, 1)
        loss = loss + 0.5 * cross_entropy(counts, top[black].clamp(max=3))
    return loss


def main() -> None:
    given = options(__doc__, passes=12)
    torch.manual_seed(given.seed)
    net = Squares()
    net(torch.zeros(2, 4, PATCH, PATCH))  # tells its lazy layer how wide it is
    learn(given, net, batches, loss_of, per_file=18, decay=1e-3)


if __name__ == "__main__":
    main()
