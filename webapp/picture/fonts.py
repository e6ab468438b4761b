"""Write text on pictures with our fonts.

Sansita writes texts with only Latin letters. DejaVu Sans writes Greek, Cyrillic, Hebrew, Arabic and more. An accent
that a font lacks is dropped, and any other missing letter becomes a dot.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import ImageDraw, ImageFont

FOLDER = Path(__file__).parent
PLAIN, DISPLAY = "DejaVuSansCondensed-Bold.ttf", "Sansita-ExtraBold.ttf"
DOT = "·"
SMALLEST = 0.5  # of the wanted size; a text that is still too long is cut


@functools.lru_cache(maxsize=64)
def font(size: int, name: str = PLAIN) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FOLDER / name), size)


@functools.cache
def _nothing(name: str) -> bytes:
    return bytes(font(12, name).getmask("\uffff"))  # the box that a font draws for a missing letter


@functools.lru_cache(maxsize=8192)
def has_letter(letter: str, name: str = PLAIN) -> bool:
    return letter == " " or (letter.isprintable() and bytes(font(12, name).getmask(letter)) != _nothing(name))


def writable(text: str) -> str:
    """Return the text with a dot for each letter that our fonts lack; a missing accent is dropped."""
    return "".join(_writable(unicodedata.normalize("NFC", text)))


def _writable(text: str) -> Iterator[str]:
    for letter in text:
        plain = unicodedata.normalize("NFKD", letter)[0]
        if has_letter(letter):
            yield letter
        elif has_letter(plain):
            yield plain
        elif not unicodedata.combining(letter):
            yield DOT


def is_legible(text: str) -> bool:
    """Return whether our fonts have at least half of the text's letters."""
    return writable(text).count(DOT) * 2 <= len(text)


def fitting(text: str, size: int, wide: float, display: bool = False) -> tuple[str, ImageFont.FreeTypeFont]:
    """Return the text and a font in which it fits into the width `wide`. If `size` is too large, a smaller font is
    tried, and at last the text is cut. With `display`, the font is Sansita if it has all the letters."""
    text = writable(text)
    name = DISPLAY if display and all(has_letter(letter, DISPLAY) for letter in text) else PLAIN
    least = round(size * SMALLEST)
    while size > least and font(size, name).getlength(text) > wide:
        size -= 1
    while len(text) > 2 and font(size, name).getlength(text) > wide:
        text = text[:-2].rstrip() + "…"
    return text, font(size, name)


def wrapped(text: str, size: int, wide: float, lines: int, display: bool = False) -> list[str]:
    """Return the text as at most `lines` lines of the width `wide` at this font size. The last may be longer. With
    `display`, the font is Sansita if it has all the letters."""
    words, found = writable(text).split(" "), [""]
    name = DISPLAY if display and all(has_letter(letter, DISPLAY) for letter in "".join(words)) else PLAIN
    total = font(size, name).getlength(" ".join(words))
    if total > wide:
        wide = min(wide, total / lines * 1.2)  # about as long as each other
    for word in words:
        longer = f"{found[-1]} {word}".strip()
        if len(found) < lines and found[-1] and font(size, name).getlength(longer) > wide:
            found.append(word)
        else:
            found[-1] = longer
    return found


def write(
    pen: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    size: int,
    colour: str,
    wide: float,
    anchor: str = "ls",
    display: bool = False,
) -> None:
    """Write one line of text at `at`, made smaller or cut to fit into the width `wide`.

    `anchor` is Pillow's: "ls" begins at the baseline's left end, "rs" ends at its right end. `display` prefers the font
    Sansita.
    """
    text, letters = fitting(text, size, wide, display)
    pen.text(at, text, colour, letters, anchor=anchor)


def write_lines(
    pen: ImageDraw.ImageDraw,
    at: tuple[float, float],
    lines: Sequence[str],
    size: int,
    colour: str,
    wide: float,
    display: bool = False,
) -> None:
    """Write lines below each other from `at` on, all in the size in which the longest fits into `wide`. `display`
    prefers the font Sansita."""
    size = min(round(fitting(line, size, wide, display)[1].size) for line in lines)
    for number, line in enumerate(lines):
        write(pen, (at[0], at[1] + number * round(size * 1.2)), line, size, colour, wide, display=display)
