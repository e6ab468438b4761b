"""Tidy the names that people type, refuse harmful characters, and compare names.

Invisible characters would make two persons of one name, and characters that change the writing direction would make it
look like another name. But Persian, the scripts of India and emoji need some of them. They are allowed there, and
ignored when names are compared.
"""

from __future__ import annotations

import re
import unicodedata

# Characters that show nothing by themselves (Unicode: Default_Ignorable_Code_Point), and the blank of Braille.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Control characters, line breaks, surrogate halves, and code points that are never characters.
CONTROL = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
# Scripts whose letters join: Arabic and its neighbours, the scripts of India, Burmese, Khmer, Mongolian.
JOINING = "\u0620-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18aa\ua840-\ua87f\ua8e0-\ua8ff\ufb50-\ufdff\ufe70-\ufefc"
VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u103a\u17d2"
PICTURES = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff"
)
IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"

INVISIBLE_LETTER, CONTROL_LETTER = re.compile(f"[{INVISIBLE}]"), re.compile(f"[{CONTROL}]")
BLANKS = re.compile("[ \xa0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
# Invisible characters in places where a script or an emoji needs them.
NEEDED = re.compile(
    f"(?<=[{VIRAMA}])[\u200c\u200d]"
    f"|(?<=[{JOINING}])[\u200c\u200d](?=[{JOINING}])"
    f"|(?<=[{PICTURES}\ufe0f])\u200d(?=[{PICTURES}])"
    f"|(?<=[{PICTURES}])[\ufe0e\ufe0f]|[\ufe0e\ufe0f](?=\u20e3)"  # emoji or text style; keycaps
    f"|(?<=[{IDEOGRAPHS}])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"  # the variant of an ideograph
    "|(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f]"  # the same in Mongolian
    "|(?<=\U0001f3f4)[\U000e0020-\U000e007e]+\U000e007f"  # flags of regions
)


def folded(name: str) -> str:
    """Return the form in which names are compared: case, blanks and ways to write accents make no difference."""
    if name.isascii():
        return " ".join(name.casefold().split())
    text = unicodedata.normalize("NFC", INVISIBLE_LETTER.sub("", name)).casefold()
    return " ".join(unicodedata.normalize("NFC", text).split())


def tidied(name: str) -> str:
    """Return the name with composed accents and single blanks; line breaks inside stay and are refused later."""
    return BLANKS.sub(" ", unicodedata.normalize("NFC", name.strip()))


def cleaned(text: str) -> str:
    """Return the text without control and invisible characters, which names from other programs may have."""
    return tidied(_without_invisible(CONTROL_LETTER.sub(" ", text)))


def has_control(text: str) -> bool:
    """Return whether a text has control characters, line breaks or incomplete characters (surrogate halves)."""
    return CONTROL_LETTER.search(text) is not None


def is_writable(text: str) -> bool:
    """Return whether a text has no needless invisible characters, and none that `has_control` finds."""
    if text.isascii():
        return text.isprintable()
    if has_control(text):
        return False
    return not INVISIBLE_LETTER.search(text) or not INVISIBLE_LETTER.search(NEEDED.sub("", text))


def _without_invisible(text: str) -> str:
    """Return the text without the invisible characters that its script does not need."""
    needed = {at for found in NEEDED.finditer(text) for at in range(*found.span())}
    return "".join(letter for at, letter in enumerate(text) if at in needed or not INVISIBLE_LETTER.fullmatch(letter))
