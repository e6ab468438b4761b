"""Write comments on messages for translators: where each is shown and what its placeholders hold.

The texts are in `comments.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from scorer.sentences import PLACE

TABLE = tomllib.loads((Path(__file__).parent / "comments.toml").read_text(encoding="utf-8"))
SHORT = 3  # words: a longer message without placeholders explains itself
# Matches the element around a message in a template, or the attribute or argument that it fills.
WITHIN = re.compile(
    r"""([\w-]+)="?(?:\{\{-?\s*)?$|\bui\.(action)\([^{}]*,\s*$|<(\w+)(?:[^<>"]|"[^"]*")*>(?:(?!ui\.action)[^<>])*$"""
)


def needs_comment(forms: Iterable[str]) -> bool:
    """Return whether a message with these forms needs a comment: whether it is short or has a placeholder."""
    return any(PLACE.search(text) or len(text.split()) <= SHORT for text in forms)


def where(file: str) -> str:
    """Return where the messages of a file are shown, or "" if `comments.toml` does not say."""
    return next((said for pattern, said in TABLE["files"].items() if fnmatch(file, pattern)), "")


def element(lines: str, message: str) -> str:
    """Return what a message is in a template, such as a button; "" if it is ordinary text or can't be found.

    `lines` are the lines of the template up to the message.
    """
    before, found, _ = re.sub(r'_as\("[^"]*", |_\(\s+', "_(", lines).rpartition(f'_("{message}"')
    within = WITHIN.search(before) if found else None
    return TABLE["elements"].get(within[within.lastindex or 0], "") if within else ""


def holds(place: str, file: str) -> str:
    """Return what the placeholder `place` holds in this file, or "" if `comments.toml` does not say."""
    for table in TABLE["placeholders"]:
        if any(fnmatch(file, pattern) for pattern in table["files"]):
            for said, names in table.items():
                if said != "files" and place in names.split():
                    return str(said)
    return ""


def of_message(forms: tuple[str, ...], file: str, what: str = "") -> Iterator[str]:
    """Yield the comments for translators on a message in this file. `forms` are its singular and plural; `what` is its
    kind of element, such as a button, if known."""
    if needs_comment(forms):
        if place := where(file):
            yield f"{place}, {what}." if what else f"{place}."
        for place in dict.fromkeys(place for text in forms for place in PLACE.findall(text)):
            yield f"{{{place}}}: {holds(place, file)}."
