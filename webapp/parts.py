"""Find the parts of a page that changed after a tap, so that only these are sent to the phone.

A part is an element with the attribute data-part. Its tag is a checksum that changes with its content, but not with the
content of parts inside it. A part with data-shape, such as a board, is not replaced while somebody works on it. Its tag
is its shape. A part with data-tag is not drawn at all for a phone that has this tag.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from flask import current_app
from markupsafe import Markup, escape

from webapp import i18n

ELEMENTS = re.compile(r"<(/?)(div|p|span)\b([^>]*)>")
NAME = re.compile(r'\bdata-part="([^"]*)"')
GIVEN = re.compile(r'\bdata-(shape|tag)="([^"]+)"')
PLACE = ' data-tags=""'  # where the page gets the tags of its parts
EMPTY = "0"  # the tag of an empty part, which is left out
LONGEST = 20_000  # characters of the tags that a phone sends


class Part(NamedTuple):
    """Hold the tag of a part, and the position of its content in the page."""

    name: str
    tag: str
    given: str  # the attribute that gives the tag, "shape" or "tag"; "" if the content does
    start: int
    end: int


def drawn_if_new(
    name: str, values: Sequence[Any], tags: Mapping[str, str], kind: str = "", *, caller: Callable[[], str]
) -> Markup:
    """Return the part `name` of a page, with what `caller`, a `call` block of a template, draws.

    If `tags` show that the phone has the same content already, the part is empty and nothing is drawn. `kind` is the
    class of its element. Everything that can change what the block draws has to be among the `values`.
    """
    tag = tag_of(f"{values} {i18n.language_tag()} {current_app.static_url_path}")
    content = "" if tags.get(name) == tag else caller()
    return Markup('<div class="{}" data-part="{}" data-tag="{}">{}</div>').format(kind, name, tag, content)


def tag_of(text: str) -> str:
    return f"{crc32(text.encode()):x}"


def parts_of(page: str) -> list[Part]:
    """Return the parts of a page (its elements with the attribute data-part), from the top. A part that contains others
    comes before them."""
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
            given = GIVEN.search(attributes)
            tag = given[2] if given else tag_of(own_content(page, start, match.start(), found))
            found.append(Part(named[1], tag, given[1] if given else "", start, match.start()))
    return sorted(found, key=lambda part: part.start)


def own_content(page: str, start: int, end: int, found: Sequence[Part]) -> str:
    """Return what stands between two positions of the page, without the content and the tags of the parts inside.

    `found` are the parts that end before `end`, in the order of their ends.
    """
    pieces = []
    for inner in reversed(found):
        if inner.start < start:
            break
        if inner.end <= end:
            pieces.append(page[inner.end : end])
            end = inner.start
    own = "".join([page[start:end], *reversed(pieces)])
    return GIVEN.sub("", own) if pieces else own


def tagged(page: str) -> str:
    """Return the page with the tags of its parts in the attribute `data-tags`, where the page's script reads them."""
    tags = {part.name: part.tag for part in parts_of(page) if part.tag != EMPTY}
    return page.replace(PLACE, f' data-tags="{escape(json.dumps(tags))}"', 1)


def known(tags: str | None) -> dict[str, str] | None:
    """Return the tags by part's name from the JSON text `tags` that a phone sent. Return None if it sent none that can
    be read; then it needs the whole page."""
    if tags is None or len(tags) > LONGEST:
        return None
    try:
        found = json.loads(tags)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def changed(page: str, tags: Mapping[str, str], whole: bool = False) -> dict[str, dict[str, str]] | None:
    """Return the parts of the page that changed, by name, each with its new "tag" and "html".

    `tags` are the tags by part's name that the phone has. A part inside a changed part comes with its tag only. Return
    None if the phone needs the whole page, which is impossible with `whole`. That is so if a part has another shape, or
    a changed part contains one that was not drawn.
    """
    found: dict[str, dict[str, str]] = {}
    end = 0
    for part in parts_of(page):
        is_known = tags.get(part.name, EMPTY) == part.tag
        if part.start < end:
            if part.given == "tag" and is_known and not whole:
                return None
            found[part.name] = {"tag": part.tag}
        elif not is_known:
            if part.given == "shape" and not whole:
                return None
            found[part.name] = {"tag": part.tag, "html": page[part.start : part.end].strip()}
            end = part.end
    return found
