"""Recognise the pieces on squares: one small network sees each upright patch, another compares those of a board.

Unless every square is clear, the mirrored board is read too, and the answers are averaged. A square with glare is in
doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision import rectify
from vision.contract import Pieces
from vision.network import network
from vision.reading import Square
from vision.rectify import Floats, Image

MOST_ON_TOP = 3  # cubes on one piece


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the thresholds and measured constants for recognising pieces."""

    # Confidence from the log odds that the network gives a square, and from their mean on its board, on which all
    # squares are in one light and equally far. Fitted by `vision.training.calibrate`.
    slope: float = 1.42
    board: float = 0.84
    offset: float = -1.71
    most: float = 4.7  # log odds of a square that count for its board
    clear: float = 0.93  # share of every square from which on the mirrored board tells nothing new
    dazzled: float = 0.2  # share of a square above which something may stand there unseen
    tell: float = 0.01  # runners-up below this are not worth telling
    on_top: float = 0.5


LIMITS = Limits()


def seen(stack: Image, model: Path) -> Floats:
    """Return an array with a row of numbers for each patch (the picture of a square). The network in the file `model`
    makes them; only `compared` can interpret them. `stack` has n x PATCH x PATCH x 4 values: blue, green, red and
    the square's outline."""
    net, told = network(model), []
    for patch in stack:  # one by one is as fast, and a network plans its memory again for each size of a batch
        net.setInput(np.ascontiguousarray(patch.transpose(2, 0, 1)[None], np.float32) / np.float32(255))
        told.append(net.forward()[0].copy())
    return np.stack(told)


def compared(board: Floats, model: Path) -> Floats:
    """Return the numbers with which the second network answers for all squares of a board, one row for each square.
    `board` holds what `seen` returned. A row has a number for each label. Then it has four for each colour of cube:
    for 0, 1, 2 and 3 cubes."""
    net = network(model)
    net.setInput(board)
    return np.array(net.forward(), float)


def shares(raw: Floats) -> Floats:
    """Return the numbers `raw` as positive shares that add up to 1 along the last axis (softmax)."""
    grown = np.exp(raw - raw.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True))


def odds(share: Floats) -> Floats:
    """Return the logarithm of the odds of each share p: log(p / (1 - p)), limited near 0 and 1."""
    return np.asarray(np.log(np.clip(share, 1e-6, 1) / np.clip(1 - share, 1e-6, 1)))


def confidences(told: Floats) -> Floats:
    """Return the probability that each square of a board was read right.

    `told` has the network's share for the chosen label of each square.
    """
    raw = odds(told)
    mean = np.minimum(raw, LIMITS.most).mean()
    return np.asarray(1 / (1 + np.exp(-(LIMITS.slope * raw + LIMITS.board * mean + LIMITS.offset))))


def classify(picture: Image, corners: Floats, pieces: Pieces) -> tuple[tuple[Square, ...], ...]:
    """Return the squares of a board with their pieces, row by row; row 0 runs from corner 0 to corner 1."""
    stack = rectify.patches(picture, corners, pieces.shape, pieces.daylight)
    raw, split = answers(stack, pieces), len(pieces.labels)
    labels, tops = shares(raw[:, :split]), shares(raw[:, split:].reshape(len(raw), len(pieces.cubes), MOST_ON_TOP + 1))
    sure = confidences(labels.max(axis=1))
    squares = [_square(*told, pieces) for told in zip(labels, tops, map(float, sure), strict=True)]
    for i in np.flatnonzero(rectify.dazzled(picture, corners, pieces.shape) > LIMITS.dazzled):
        squares[i] = squares[i].doubted()
    wide = pieces.shape.columns
    return tuple(tuple(squares[start : start + wide]) for start in range(0, len(squares), wide))


def answers(stack: Image, pieces: Pieces) -> Floats:
    """Return a row of raw numbers for each square of a board. A row has one for each label, then four for each colour
    of cube. `stack` has the patch (picture) of each square. Unless every square is clear, the mirrored patches are
    read too, and the results are averaged."""
    plain = compared(seen(stack, pieces.squares), pieces.board)
    least = float(shares(plain[:, : len(pieces.labels)]).max(axis=1).min())
    if least >= LIMITS.clear:
        return plain
    return (plain + compared(seen(stack[:, :, ::-1], pieces.squares), pieces.board)) / 2


def _square(chances: Floats, tops: Floats, sure: float, pieces: Pieces) -> Square:
    order, labels = np.argsort(-chances), pieces.labels
    best = int(order[0])
    left = (1 - sure) / max(1 - float(chances[best]), 1e-6)  # the runners-up share what the first one leaves
    others = tuple((labels[i], float(chances[i]) * left) for i in order[1:4] if chances[i] * left >= LIMITS.tell)
    on_top = _cubes(tops, pieces.cubes) if labels[best] == pieces.carrier else ()
    return Square(labels[best], sure, others, on_top)


def _cubes(tops: Floats, cubes: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of up to three cubes on a piece, likeliest first.

    `tops` has, for each label in `cubes`, the chances of 0, 1, 2 and 3 such cubes.
    """
    found: list[tuple[float, str]] = []
    for colour, chances in zip(cubes, tops, strict=True):
        for count in range(1, MOST_ON_TOP + 1):
            likely = float(chances[count:].sum())
            if likely >= LIMITS.on_top:
                found.append((likely, colour))
    found.sort(key=lambda pair: -pair[0])
    return tuple(colour for _, colour in found[:MOST_ON_TOP])
