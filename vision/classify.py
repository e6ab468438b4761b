"""What stands on each square: a small network over the upright patches, averaged over several views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import rectify
from vision.contract import Pieces
from vision.reading import Square
from vision.rectify import Floats, Image

Ints = NDArray[np.intp]

AT_ONCE = 16
MOST_ON_TOP = 3  # cubes on one piece


@dataclass(frozen=True, slots=True)
class Limits:
    """Thresholds and measured constants of this stage."""

    slope: float = 2.0  # of the log odds that the network gives, and
    offset: float = 0.6  # what is added to them: fitted by `vision.training.calibrate`
    again: float = 0.997  # below this a square is looked at again, mirrored and from shifted corners
    harsh: float = 0.92  # mean share of a board's likeliest labels below which the light is taken for harsh
    shifts: float = 0.012  # of the board's side
    tell: float = 0.01  # runners-up below this are not worth telling
    on_top: float = 0.5


LIMITS = Limits()


@lru_cache(maxsize=2)
def _network(model: Path) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(model))


def answers(stack: Image, models: Sequence[Path]) -> Floats:
    """The raw answers, averaged, for patches (n x PATCH x PATCH x 4): labels, then 0 to 3 cubes of each sort."""
    return np.asarray(np.mean([_answers(stack, model) for model in models], axis=0))


def _answers(stack: Image, model: Path) -> Floats:
    network, parts = _network(model), []
    for start in range(0, len(stack), AT_ONCE):
        # Always as many at a time, since the network plans its memory anew for every other number.
        part = np.zeros((AT_ONCE, 4, rectify.PATCH, rectify.PATCH), np.float32)
        some = stack[start : start + AT_ONCE]
        part[: len(some)] = some.transpose(0, 3, 1, 2) / np.float32(255)
        network.setInput(part)
        parts.append(np.array(network.forward()[: len(some)], float))
    return np.concatenate(parts)


def shares(raw: Floats) -> Floats:
    """Softmax over the last axis."""
    grown = np.exp(raw - raw.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True))


def odds(share: float) -> float:
    """The logarithm of how much likelier than not, bounded."""
    return float(np.log(np.clip(share, 1e-6, 1) / np.clip(1 - share, 1e-6, 1)))


def confidence_of(share: float) -> float:
    """How often a square is read right to which the network gives this share."""
    return float(1 / (1 + np.exp(-(LIMITS.slope * odds(share) + LIMITS.offset))))


def classify(picture: Image, corners: Floats, pieces: Pieces) -> tuple[tuple[Square, ...], ...]:
    """The grid of a board, row 0 from corner 0 to corner 1."""
    raw, views, again = looked(picture, corners, pieces)
    labels, tops = _both(raw[None], pieces)
    if len(again):
        labels[again], tops[again] = _both(np.concatenate([raw[None, again], views]), pieces)
    squares = [_square(labels[i], tops[i], pieces) for i in range(16)]
    return tuple(tuple(squares[row * 4 : row * 4 + 4]) for row in range(4))


def looked(picture: Image, corners: Floats, pieces: Pieces) -> tuple[Floats, Floats, Ints]:
    """What is answered for all squares; in further views, for those that are not sure; and which these are.

    The network for harsh light is asked as well if the first one is unsure of the board as a whole.
    """
    stack = rectify.patches(picture, corners)
    networks = [pieces.network]
    raw = answers(stack, networks)
    if shares(raw[:, : len(pieces.labels)]).max(axis=1).mean() < LIMITS.harsh:
        networks.append(pieces.harsh)
        raw = (raw + answers(stack, networks[1:])) / 2
    best = shares(raw[:, : len(pieces.labels)]).max(axis=1)
    again = np.flatnonzero([confidence_of(share) < LIMITS.again for share in best])
    if not len(again):
        return raw, np.zeros((0, *raw.shape)), again
    seen = [stack[again], *(rectify.patches(picture, moved, again) for moved in _shifted(corners))]
    more = [*seen[1:], *(patches[:, :, ::-1] for patches in seen)]
    return raw, answers(np.concatenate(more), networks).reshape(len(more), len(again), -1), again


def _both(raw: Floats, pieces: Pieces) -> tuple[Floats, Floats]:
    """Chances of the labels and of the cubes on top, averaged over the views (first axis)."""
    split, cubes = len(pieces.labels), len(pieces.cubes)
    labels = shares(raw[..., :split].mean(axis=0))
    tops = shares(raw[..., split:].reshape(*raw.shape[:-1], cubes, MOST_ON_TOP + 1)).mean(axis=0)
    return labels, tops


def _shifted(corners: Floats) -> list[Floats]:
    """The corners a little farther apart and closer together: an answer that hangs on them is a doubtful one."""
    middle = corners.mean(axis=0)
    return [middle + (corners - middle) * (1 + 2 * step) for step in (LIMITS.shifts, -LIMITS.shifts)]


def _square(chances: Floats, tops: Floats, pieces: Pieces) -> Square:
    order, labels = np.argsort(-chances), pieces.labels
    best = int(order[0])
    sure = confidence_of(float(chances[best]))
    left = (1 - sure) / max(1 - float(chances[best]), 1e-6)  # the runners-up share what the first one leaves
    others = tuple((labels[i], float(chances[i]) * left) for i in order[1:4] if chances[i] * left >= LIMITS.tell)
    on_top = _cubes(tops, pieces.cubes) if labels[best] == pieces.carrier else ()
    return Square(labels[best], sure, others, on_top)


def _cubes(tops: Floats, cubes: Sequence[str]) -> tuple[str, ...]:
    """The cubes on a piece, three at most, the likeliest first."""
    found: list[tuple[float, str]] = []
    for colour, chances in zip(cubes, tops, strict=True):
        for count in range(1, MOST_ON_TOP + 1):
            likely = float(chances[count:].sum())
            if likely >= LIMITS.on_top:
                found.append((likely, colour))
    found.sort(key=lambda pair: -pair[0])
    return tuple(colour for _, colour in found[:MOST_ON_TOP])
