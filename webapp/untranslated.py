"""Marks English on a page in another language, where the package of a game brings no translation into it.

Only the finished page shows where a sentence stands, so the sentence is printed between marks. They become elements
with `lang="en"` where an element may stand, and nothing inside a tag or a drawing.
"""

from __future__ import annotations

import re
import secrets

from werkzeug.wrappers import Response

_SECRET = secrets.token_hex(4)  # so that nobody types a mark
BEGINS, ENDS = f"\ue000{_SECRET}\ue000", f"\ue001{_SECRET}\ue001"
IN_ENGLISH = '<span lang="en">'
# A tag, a comment, an element that cannot hold another, or the text between them.
PART = re.compile(r"<!--.*?-->|<(script|style|title|textarea|option)\b.*?</\1\s*>|<[^>]*>|[^<]+", re.DOTALL)


class InEnglish:
    """The language of a package without a catalogue: marked, until it is known where on the page a sentence stands."""

    def gettext(self, message: str, /) -> str:
        """Return the message between marks."""
        return f"{BEGINS}{message}{ENDS}"

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """Return the message for so many between marks."""
        return self.gettext(one if n == 1 else many)


def unmarked(text: str) -> str:
    """Return the text without marks."""
    return text.replace(BEGINS, "").replace(ENDS, "")


def marked(page: str) -> str:
    """Return the page with elements in place of the marks; none where no element may stand: in tags and drawings."""
    drawings, parts = 0, []
    for found in PART.finditer(page):
        part = found[0]
        if part.startswith("<svg") and not part.endswith("/>"):
            drawings += 1
        elif part.startswith("</svg"):
            drawings -= 1
        if drawings or part.startswith("<"):
            parts.append(unmarked(part))
        else:
            parts.append(part.replace(BEGINS, IN_ENGLISH).replace(ENDS, "</span>"))
    return "".join(parts)


def settle(response: Response) -> None:
    """Put elements in the place of the marks in a page, if it has any, and nothing in anything that is no page."""
    if response.is_sequence and BEGINS.encode() in response.get_data():
        text = response.get_data(as_text=True)
        response.set_data(marked(text) if response.mimetype == "text/html" else unmarked(text))
