"""Find the parts of a page that changed after a tap, so that only these are sent to the phone.

A part is an element with the attribute data-part. Its tag is a checksum that changes with its content. A part with
data-shape, such as a board, is not replaced while somebody works on it. Its tag is its shape, and what changes inside
it is in parts of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple
from zlib import crc32

from markupsafe import escape

ELEMENTS = re.compile(r"<(/?)(div|p|span)\b([^>]*)>")
NAME = re.compile(r'\bdata-part="([^"]*)"')
SHAPE = re.compile(r'\bdata-shape="([^"]*)"')
PLACE = ' data-tags=""'  # where the page gets the tags of its parts
EMPTY = "0"  # the tag of an empty part, which is left out
LONGEST = 20_000  # characters of the tags that a phone sends


class Part(NamedTuple):
    """Hold the position of a part's content in the page."""

    name: str
    shape: str
    start: int
    end: int

    def tag(self, page: str) -> str:
        return self.shape or f"{crc32(page[self.start : self.end].encode()):x}"


def parts_of(page: str) -> list[Part]:
    """Return the parts of a page, each before those inside it."""
    opened: list[tuple[str, int, str]] = []
    found: list[Part] = []
    for match in ELEMENTS.finditer(page):
        closes, element, attributes = match.groups()
        if not closes:
            opened.append((element, match.end(), attributes))
            continue
        while opened:
            name, start, attributes = opened.pop()
            if name == element:
                break
        else:
            continue
        if named := NAME.search(attributes):
            shape = SHAPE.search(attributes)
            found.append(Part(named[1], shape[1] if shape else "", start, match.start()))
    return sorted(found, key=lambda part: part.start)


def tagged(page: str) -> str:
    """Return the page with the tags of its parts in the attribute `data-tags`, where the page's script reads them."""
    tags = {part.name: tag for part in parts_of(page) if (tag := part.tag(page)) != EMPTY}
    return page.replace(PLACE, f' data-tags="{escape(json.dumps(tags))}"', 1)


def known(tags: str | None) -> dict[str, str] | None:
    """Return the tags in the JSON text that a phone sent, or None if it has none and needs the whole page."""
    if tags is None or len(tags) > LONGEST:
        return None
    try:
        found = json.loads(tags)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def changed(page: str, tags: Mapping[str, str], reshaped: bool = False) -> dict[str, dict[str, str]] | None:
    """Return the changed parts by name, each with its new tag and HTML.

    `tags` are the tags that the phone has. A part inside a changed part comes with its tag only. Return None if the
    shape of a part changed, unless `reshaped` allows that.
    """
    found: dict[str, dict[str, str]] = {}
    end = 0
    for part in parts_of(page):
        tag = part.tag(page)
        if part.start < end:
            found[part.name] = {"tag": tag}
        elif tags.get(part.name, EMPTY) != tag:
            if part.shape and not reshaped:
                return None
            found[part.name] = {"tag": tag, "html": page[part.start : part.end].strip()}
            end = part.end
    return found
