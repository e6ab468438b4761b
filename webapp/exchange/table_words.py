"""Read the words for columns and values in imported spreadsheets, from `table_words.toml`.

Texts are folded (lower case, no accents) to compare with them.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from importlib.resources import files

LETTERS = str.maketrans({"ł": "l", "ß": "ss", "ø": "o", "æ": "ae"})  # NFKD doesn't decompose these


def folded_word(text: str) -> str:
    """Return the text in lower case without accents, with one space for each run of other characters."""
    bare = unicodedata.normalize("NFKD", text[:200].casefold().translate(LETTERS))
    return " ".join(re.sub(r"[^\w]|_", " ", "".join(one for one in bare if not unicodedata.combining(one))).split())


def folded_sign(text: str) -> str:
    """Return the text as `folded_word` does; a text without letters or digits, such as "-", stays as it is."""
    return folded_word(text) or text.strip()


def _read() -> dict[str, dict[str, list[str]]]:
    read = tomllib.loads((files("webapp.exchange") / "table_words.toml").read_text(encoding="utf-8"))
    fold = {"cells": folded_sign}
    return {
        part: {name: list(map(fold.get(part, folded_word), words)) for name, words in lists.items()}
        for part, lists in read.items()
    }


WORDS = _read()
YES, NO, NOTHING, GUESTS, AND = (frozenset(WORDS["cells"][name]) for name in ("yes", "no", "nothing", "guests", "and"))
