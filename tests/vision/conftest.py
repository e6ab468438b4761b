"""Provide pictures for the tests, drawn by the training generator from seeds that training never used."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from vision.training import paint
from vision.training.phone import Picture
from vision.training.pictures import picture

PHOTOS = Path(__file__).parent / "photos"
SEED = 993_000


@lru_cache(maxsize=64)
def drawn(seed: int) -> Picture:
    """Return a picture with everything in it, different for every seed."""
    return picture(np.random.default_rng(SEED + seed), paint.shelf(SEED, 6, 8), harsh=False)


def file_of(pixels: np.ndarray, kind: str = "JPEG", **options: object) -> bytes:
    """Return pixels (blue, green, red) as the bytes of a picture file."""
    out = io.BytesIO()
    Image.fromarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)).save(out, kind, **options)
    return out.getvalue()


def photo(name: str = "06.jpg") -> bytes:
    """Return one of the pictures stored beside the tests."""
    return (PHOTOS / name).read_bytes()
