"""Replace Greek by a made-up language that writes English in wide letters, without Latin letters in dates."""

from __future__ import annotations

import re
import string
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from webapp.translations import collect

LOCALE = "el"
WIDE = {ord(letter): ord(letter) + 0xFEE0 for letter in string.ascii_letters}
KEPT = re.compile(r"\{\w+\}|<[^>]*>|&\w+;|%(?:\(\w+\))?[rs]")  # places and markup stay as they are


def told(message: str) -> str:
    """Return the message in the made-up language."""
    kept = iter([*KEPT.findall(message), ""])
    return "".join(part.translate(WIDE) + next(kept) for part in KEPT.split(message))


def compiled(folder: Path) -> Path:
    """Return the folder, with the language's catalogue in it."""
    with collect.TEMPLATE.open("rb") as file:
        catalogue = read_po(file, locale=LOCALE)
    for message in catalogue:
        if message.id:
            message.string = told(message.id) if isinstance(message.id, str) else tuple(map(told, message.id))
    target = folder / LOCALE / "LC_MESSAGES" / "messages.mo"
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_mo(file, catalogue)
    return folder
