"""Opening files: formats, limits, which way is up, colours."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest
from PIL import Image, ImageCms

from tests.vision.conftest import file_of
from vision import decode
from vision.decode import Damaged, NotAPhoto, TooLarge, TooSlow, TooSmall
from vision.reading import VisionError

# Red, green, blue and white quarters: which is where tells how the picture was turned.
QUARTERS = np.zeros((120, 160, 3), np.uint8)
QUARTERS[:60, :80] = (0, 0, 255)
QUARTERS[:60, 80:] = (0, 255, 0)
QUARTERS[60:, :80] = (255, 0, 0)
QUARTERS[60:, 80:] = (255, 255, 255)


def corner_colours(pixels: np.ndarray) -> str:
    """The colours of the four quarters, clockwise from the top left."""
    high, wide = pixels.shape[:2]
    named = {(0, 0, 255): "r", (0, 255, 0): "g", (255, 0, 0): "b", (255, 255, 255): "w"}
    spots = [(1, 1), (1, 3), (3, 3), (3, 1)]
    seen = [pixels[high * y // 4, wide * x // 4].astype(int) for y, x in spots]
    return "".join(named[min(named, key=lambda tone: int(np.abs(np.array(tone) - s).sum()))] for s in seen)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_the_four_formats_are_read(kind: str) -> None:
    photo = decode.decode(file_of(QUARTERS, kind))
    assert photo.size == (160, 120)
    assert corner_colours(photo.pixels) == "rgwb"


@pytest.mark.parametrize(
    ("orientation", "colours"),
    [(1, "rgwb"), (2, "grbw"), (3, "wbrg"), (4, "bwgr"), (5, "rbwg"), (6, "brgw"), (7, "wgrb"), (8, "gwbr")],
)
def test_exif_orientation_is_applied(orientation: int, colours: str) -> None:
    exif = Image.Exif()
    exif[decode.ORIENTATION] = orientation
    photo = decode.decode(file_of(QUARTERS, "JPEG", exif=exif, quality=95))
    assert corner_colours(photo.pixels) == colours
    assert photo.size == ((120, 160) if orientation >= 5 else (160, 120))


def test_a_large_jpeg_is_decoded_small_and_knows_its_full_size() -> None:
    large = np.tile(QUARTERS, (20, 20, 1))
    photo = decode.decode(file_of(large))
    assert photo.size == (3200, 2400)
    assert decode.ENOUGH <= max(photo.pixels.shape) <= decode.MOST
    assert photo.scale == pytest.approx(3200 / photo.pixels.shape[1])


def p3_profile() -> bytes:
    """A profile with the primaries of Display P3 and a gamma of 2.2."""

    def s15(*values: float) -> bytes:
        return b"".join(struct.pack(">i", round(v * 65536)) for v in values)

    tags = {
        b"desc": b"desc" + bytes(4) + struct.pack(">I", 3) + b"P3\0" + bytes(78),
        b"wtpt": b"XYZ " + bytes(4) + s15(0.9642, 1.0, 0.8249),
        b"rXYZ": b"XYZ " + bytes(4) + s15(0.5151, 0.2412, -0.0011),
        b"gXYZ": b"XYZ " + bytes(4) + s15(0.2919, 0.6922, 0.0419),
        b"bXYZ": b"XYZ " + bytes(4) + s15(0.1572, 0.0666, 0.7841),
        **{tag: b"curv" + bytes(4) + struct.pack(">IHH", 1, 563, 0) for tag in (b"rTRC", b"gTRC", b"bTRC")},
    }
    table, body, at = struct.pack(">I", len(tags)), b"", 132 + 12 * len(tags)
    for name, value in tags.items():
        value += bytes(-len(value) % 4)
        table += name + struct.pack(">II", at + len(body), len(value))
        body += value
    head = bytes(4) + b"lcms" + struct.pack(">I", 0x02400000) + b"mntrRGB XYZ " + bytes(12) + b"acsp" + bytes(28)
    head += s15(0.9642, 1.0, 0.8249)
    profile = head.ljust(128, b"\0") + table + body
    return struct.pack(">I", len(profile)) + profile[4:]


def test_display_p3_is_brought_to_srgb() -> None:
    flat = np.full((80, 80, 3), (60, 160, 200), np.uint8)  # a muted yellow
    plain = decode.decode(file_of(flat, "PNG")).pixels[40, 40].astype(int)
    seen = decode.decode(file_of(flat, "PNG", icc_profile=p3_profile())).pixels[40, 40].astype(int)
    assert seen[2] > plain[2] + 3  # the same numbers in the wider space are a stronger colour
    assert seen[0] < plain[0] - 3


def test_display_p3_is_brought_to_srgb_where_there_is_transparency_too() -> None:
    flat = np.full((80, 80, 4), (200, 160, 60, 255), np.uint8)
    seen = []
    for profile in (None, p3_profile()):
        out = io.BytesIO()
        Image.fromarray(flat).save(out, "PNG", icc_profile=profile)
        seen.append(decode.decode(out.getvalue()).pixels[40, 40].astype(int))
    assert seen[1][2] > seen[0][2] + 3


def test_an_srgb_profile_changes_nothing_and_a_broken_one_is_passed_over() -> None:
    flat = np.full((80, 80, 3), (60, 160, 200), np.uint8)
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for profile in (srgb, b"not a profile at all", p3_profile()[:200]):
        pixels = decode.decode(file_of(flat, "PNG", icc_profile=profile)).pixels
        assert np.abs(pixels[40, 40].astype(int) - flat[0, 0]).max() <= 1


@pytest.mark.parametrize("mode", ["L", "LA", "RGBA", "P", "1", "I;16", "CMYK"])
def test_every_mode_of_pixels_becomes_blue_green_red(mode: str) -> None:
    out = io.BytesIO()
    if mode == "I;16":
        Image.fromarray(np.full((80, 80), 40_000, np.uint16)).save(out, "PNG")
    else:
        kind = "JPEG" if mode == "CMYK" else "PNG"
        Image.new("RGB", (80, 80), (200, 200, 200)).convert(mode).save(out, kind)
    photo = decode.decode(out.getvalue())
    assert photo.pixels.shape == (80, 80, 3)
    assert photo.pixels.mean() > 100


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "PPM", "ICO", "PDF"])
def test_formats_nobody_photographs_in_are_refused(kind: str) -> None:
    with pytest.raises(NotAPhoto):
        decode.decode(file_of(QUARTERS, kind))


@pytest.mark.parametrize(
    "data", [b"", b"\0", b"hello", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF....WEBP", b"<svg/>"]
)
def test_what_is_no_photo_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(VisionError) as fault:
        decode.decode(data)
    assert fault.value.message.endswith(".")


def test_a_truncated_file_is_damaged() -> None:
    data = file_of(np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8))
    with pytest.raises(Damaged):
        decode.decode(data[: len(data) // 2])


def test_thumbnails_are_too_small() -> None:
    with pytest.raises(TooSmall):
        decode.decode(file_of(QUARTERS[:40, :40]))


def png(wide: int, high: int, data: bytes, depth: int = 8, kind: int = 2, *, more: bytes = b"") -> bytes:
    """Return a PNG of this size, bit depth and colour type around compressed data; `more` are chunks before it."""
    head = struct.pack(">IIBBBBB", wide, high, depth, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png_header(wide: int, high: int) -> bytes:
    """A PNG that promises many pixels in a few bytes."""
    return png(wide, high, zlib.compress(bytes(1000)))


@pytest.mark.parametrize("size", [(8_000, 8_000), (12_000, 12_000), (60_000, 60_000), (30_000, 100)])
def test_pictures_of_too_many_pixels_are_refused_before_they_are_decoded(size: tuple[int, int]) -> None:
    with pytest.raises(TooLarge):
        decode.decode(png_header(*size))


@pytest.mark.parametrize("kind", ["WEBP", "HEIF"])
def test_formats_that_are_decoded_whole_have_a_lower_limit(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert decode.MAX_WHOLE < decode.MAX_PIXELS
    monkeypatch.setattr(decode, "MAX_WHOLE", 1_000_000)
    with pytest.raises(TooLarge):
        decode.decode(file_of(np.zeros((1000, 1001, 3), np.uint8), kind, quality=10))


PALETTE = chunk(b"PLTE", bytes(range(256)) * 3)
MODES = {
    "black and white": (1, 0, b""),
    "deep grey": (16, 0, b""),
    "colour": (8, 2, b""),
    "palette with transparency": (8, 3, PALETTE + chunk(b"tRNS", bytes(range(256)))),
    "colour with transparency": (8, 6, b""),
}
PEAK = """
import sys
from pathlib import Path
from vision import decode
photo = decode.decode(sys.stdin.buffer.read())
[peak] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print(max(photo.pixels.shape), peak.split()[1])
"""


@pytest.mark.parametrize("mode", MODES)
def test_no_mode_of_a_large_png_takes_much_memory(mode: str) -> None:
    depth, kind, more = MODES[mode]
    side, channels = 7000, {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    row, packer = bytes(1 + (side * channels * depth + 7) // 8), zlib.compressobj(1)
    data = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    ran = subprocess.run(
        [sys.executable, "-c", PEAK],
        input=png(side, side, data, depth, kind, more=more),
        capture_output=True,
        check=True,
    )
    longest, kilobytes = (int(word) for word in ran.stdout.split())
    assert decode.ENOUGH <= longest <= decode.MOST * 2
    assert kilobytes < 350_000  # the networks of a worker take up to 50 MB more


def test_bands_leave_no_seams_and_transparency_is_grey() -> None:
    rng = np.random.default_rng(1)
    tones = rng.integers(0, 255, (53, 41, 4), np.uint8).repeat(80, 0).repeat(80, 1)
    out = io.BytesIO()
    Image.fromarray(tones).save(out, "PNG", compress_level=1)
    photo = decode.decode(out.getvalue())
    share = tones[..., 3:] / 255
    expected = (tones[..., :3] * share + 128 * (1 - share))[40::80, 40::80, ::-1]
    step = 80 / photo.scale
    middles = (np.arange(53) + 0.5) * step
    seen = photo.pixels[middles.astype(int)][:, middles[:41].astype(int)]
    assert photo.scale >= 2
    assert np.abs(seen - expected).max() <= 2


def test_a_jpeg_of_very_many_scans_is_refused_before_it_is_decoded() -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (30, 40, 3), np.uint8).repeat(40, 0).repeat(40, 1)
    data = file_of(pixels, progressive=True)
    assert decode.decode(data).size == (1600, 1200)
    last = data.rindex(decode.SCAN)
    with pytest.raises(TooSlow):
        decode.decode(data[:last] + data[last:-2] * 1000 + data[-2:])


def test_files_of_too_many_bytes_are_refused() -> None:
    with pytest.raises(TooLarge):
        decode.decode(bytes(decode.MAX_BYTES + 1))
