"""Train the reader of boards: `python -m vision.training.train_squares FOLDER OUT.pt --passes 12 --seed 1`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from vision.classify import MOST_ON_TOP
from vision.games.tiny_towns import CUBES, LABELS
from vision.rectify import PATCH
from vision.training.dataset import UNSEEN
from vision.training.learning import learn, options
from vision.training.nets import Reader

Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
Array = NDArray[Any]
BOARDS = 10  # in a batch
PER_FILE = 70  # batches, about
AT_ONCE = 4  # files mixed with each other
WORN = 0.25  # share of the boards that are coarser or more compressed than they were taken
ZOOM = 0.08  # spread of the size that all pieces of a board have, as a logarithm
VAGUE = 0.12  # share of the patches that show too little to learn from
EMPTY = 0.4  # weight of an empty square: half of all are
FACTORY = LABELS.index("factory")
IGNORED = -100  # no label


def batches(files: list[Path], rng: np.random.Generator) -> Iterator[Batch]:
    for at in range(0, len(files), AT_ONCE):
        stacks, labels, tops = [], [], []
        for file in files[at : at + AT_ONCE]:
            data = np.load(file)
            stacks.append(data["patches"])
            tops.append(data["tops"])
            detail = _detail(stacks[-1].reshape(-1, *stacks[-1].shape[2:])).reshape(data["labels"].shape)
            seen = (data["labels"] != UNSEEN) & (detail > np.quantile(detail, VAGUE))
            labels.append(np.where(seen, data["labels"].astype(int), IGNORED))
        stack, label, top = np.concatenate(stacks), np.concatenate(labels), np.concatenate(tops)
        order = rng.permutation(len(stack))
        for start in range(0, len(order) - BOARDS + 1, BOARDS):
            part = order[start : start + BOARDS]
            truth = (torch.from_numpy(one[part].astype(int)).flatten(0, 1) for one in (label, top))
            yield _varied(stack[part], rng), *truth


def _detail(stack: Array) -> Array:
    """Return one number for each patch of the stack: how much neighbouring pixels differ on average. It is near 0 for a
    patch that shows hardly anything."""
    grey = stack[:, ::2, ::2, 1].astype(np.int16)
    return np.asarray(np.abs(np.diff(grey, axis=2)).mean(axis=(1, 2)))


def _stretched(board: Array, rng: np.random.Generator) -> Array:
    """Return a board's patches slightly stretched, turned and moved, each a little differently, sometimes mirrored."""
    middle = (PATCH - 1) / 2
    change = np.eye(2) + rng.normal(0, [[0.06, 0.05], [0.05, 0.06]])
    change *= np.exp(rng.normal(0, ZOOM))
    change[:, 0] *= rng.choice([-1, 1])
    out = np.empty_like(board)
    for index, patch in enumerate(board):
        own = change @ (np.eye(2) + rng.normal(0, 0.035, (2, 2)))
        moved = np.array([middle, middle]) - own @ [middle, middle] + rng.normal(0, PATCH / 64, 2)
        frame = np.column_stack([own, moved])
        out[index] = cv2.warpAffine(patch, frame, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE)
    return out


def _worn(board: Array, rng: np.random.Generator) -> Array:
    """Return patches as of a board farther away or in a strongly compressed file; the outlines stay."""
    few = max(round(PATCH * rng.uniform(0.3, 0.9)), 8) if rng.random() < 0.7 else PATCH
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(10, 60))] if rng.random() < 0.5 else None
    out = board.copy()
    for patch in out:
        pixels: Array = np.ascontiguousarray(patch[..., :3])
        if few < PATCH:
            pixels = cv2.resize(cv2.resize(pixels, (few, few), interpolation=cv2.INTER_AREA), (PATCH, PATCH))
        if quality:
            pixels = np.asarray(cv2.imdecode(cv2.imencode(".jpg", pixels, quality)[1], cv2.IMREAD_COLOR))
        patch[..., :3] = pixels
    return out


def _varied(boards: Array, rng: np.random.Generator) -> torch.Tensor:
    """Return boards mirrored, stretched, tinted, brightened and sometimes blotted at random, as a tensor.

    The drawn boards vary too little. A board's squares share one change of light, and each differs a little.
    """
    worn = [_worn(board, rng) if rng.random() < WORN else board for board in boards]
    pixels = np.stack([_stretched(board, rng) for board in worn]).astype(np.float32) / 255
    board, square = (len(boards), 1, 1, 1, 1), (*pixels.shape[:2], 1, 1, 1)
    colours = pixels[..., :3]
    # Colour tells eight families; which of a family it is, a theater or a wheat cube, only the shape tells.
    grey = colours.mean(axis=4, keepdims=True)
    vivid = np.where(rng.random(board) < 0.8, rng.uniform(0.75, 1.3, board), rng.uniform(0.35, 1.6, board))
    seen = grey + (colours - grey) * vivid.astype(np.float32)
    tint = np.exp(rng.normal(0, 0.09, (*board[:4], 3)) + rng.normal(0, 0.11, board) + rng.normal(0, 0.05, square))
    shift = rng.normal(0, 0.045, (*board[:4], 3)) + rng.normal(0, 0.02, square)
    seen = np.clip(seen * tint.astype(np.float32) + shift.astype(np.float32), 0, 1)
    pixels[..., :3] = seen ** np.exp(rng.normal(0, 0.12, board)).astype(np.float32)
    flat = pixels.reshape(-1, *pixels.shape[2:])
    for i in np.flatnonzero(rng.random(len(flat)) < 0.12):
        x, y = rng.integers(0, PATCH * 7 // 8, 2)
        w, h = rng.integers(PATCH // 16, PATCH // 4, 2)
        flat[i, y : y + h, x : x + w, :3] = rng.random(3)
    return torch.from_numpy(np.ascontiguousarray(flat.transpose(0, 3, 1, 2)))


def loss_of(got: torch.Tensor, label: torch.Tensor, top: torch.Tensor) -> torch.Tensor:
    weights = torch.ones(len(LABELS))
    weights[LABELS.index("empty")] = EMPTY
    loss = cross_entropy(got[:, : len(LABELS)], label, weights, ignore_index=IGNORED, label_smoothing=0.02)
    black = label == FACTORY
    if black.any():
        counts = got[black, len(LABELS) :].reshape(-1, len(CUBES), MOST_ON_TOP + 1).permute(0, 2, 1)
        loss = loss + 0.5 * cross_entropy(counts, top[black].clamp(max=MOST_ON_TOP))
    return loss


def main() -> None:
    given = options(__doc__, passes=12)
    torch.manual_seed(given.seed)
    learn(given, Reader(), batches, loss_of, per_file=PER_FILE, decay=1e-3)


if __name__ == "__main__":
    main()
