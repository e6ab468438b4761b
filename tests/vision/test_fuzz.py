"""Damaged, truncated, huge, tiny, mislabelled files: a reading with a problem, never a crash."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.conftest import drawn, file_of
from vision import decode, looking, read
from vision.reading import VisionError

FILES = 2200
TURNED = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06"  # to be shown turned by a quarter
SMALL = drawn(3).image[::4, ::4]


def seeds() -> list[bytes]:
    """One small file of each format, with orientation and profile in some."""
    return [
        file_of(SMALL, "JPEG", quality=60),
        file_of(SMALL, "JPEG", quality=60, progressive=True, exif=TURNED),
        file_of(SMALL[::2, ::2], "PNG", icc_profile=bytes(300)),
        file_of(SMALL, "WEBP"),
        file_of(SMALL, "WEBP", lossless=True),
        file_of(SMALL, "HEIF"),
    ]  # fmt: skip


def damaged(rng: np.random.Generator, whole: bytes, other: bytes) -> bytes:
    """The file cut short, with bytes changed, dropped, repeated, or with another file's beginning or end."""
    data = bytearray(whole)
    for _ in range(int(rng.integers(1, 4))):
        at, to = sorted(int(v) for v in rng.integers(0, len(data) + 1, 2))
        match int(rng.integers(7)):
            case 0:
                data = data[:to]
            case 1:
                for place in rng.integers(0, max(len(data), 1), int(rng.integers(1, 30))):
                    if data:
                        data[int(place) % len(data)] = int(rng.integers(256))
            case 2:
                del data[at : min(to, at + 200)]
            case 3:
                data[at:at] = data[at : min(to, at + 200)]
            case 4:
                data = bytearray(other[:at]) + data[at:]
            case 5:
                head = rng.integers(0, 256, min(64, len(data)), np.uint8).tobytes()
                data[: len(head)] = head
            case _:
                for place in rng.integers(0, min(400, max(len(data), 1)), 3):  # headers hold what parsers believe
                    if data:
                        data[int(place) % len(data)] = int(rng.choice([0, 1, 127, 128, 255]))
    return bytes(data)


def test_thousands_of_damaged_files_never_crash_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "maps", lambda look, _: np.zeros((4, look.shape[0] // 4, look.shape[0] // 4)))
    rng = np.random.default_rng(7)
    files = seeds()
    refused = 0
    for number in range(FILES):
        whole, other = files[number % len(files)], files[int(rng.integers(len(files)))]
        reading = read(damaged(rng, whole, other), cards=False)
        assert not reading.ok and reading.problems[0].message
        reading.to_json()
        refused += reading.problems[0].code != "no_board"
    assert refused > FILES // 4  # most damage is noticed; the rest decodes to some picture


def test_damaged_files_that_still_decode_are_read_to_the_end() -> None:
    rng = np.random.default_rng(8)
    whole, done = seeds()[0], 0
    while done < 6:
        data = damaged(rng, whole, whole)
        try:
            decode.decode(data)
        except VisionError:
            continue
        assert read(data, cards=False).to_json()["size"] != [0, 0]
        done += 1


@pytest.mark.parametrize("side", [64, 65, 100, 333])
@pytest.mark.parametrize("tone", [0, 128, 255])
def test_blank_pictures_hold_no_board(side: int, tone: int) -> None:
    reading = read(file_of(np.full((side, side, 3), tone, np.uint8)), cards=False)
    assert not reading.ok and reading.boards == []
    assert reading.problems[0].code == "no_board"


@pytest.mark.parametrize(
    "corners",
    [[], [(0, 0)], [(0, 0)] * 4, [(0, 0), (1, 1), (2, 2), (3, 3)], [(float("nan"), 0)] * 4,
     [(1e30, 0), (0, 1e30), (5, 5), (9, 9)], [(0, 0), (10, 0), (10, 10)],
     [("a", "b")] * 4, [None] * 4, [(0, 0, 0)] * 4],
)  # fmt: skip
def test_corners_that_cannot_be_a_board_are_refused_with_advice(corners: list[Any]) -> None:
    reading = read(file_of(SMALL), corners)
    assert not reading.ok and reading.problems[0].code == "bad_corners"
