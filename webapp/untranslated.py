"""Mark English on a page in another language, if the package of a game has no translation.

Only the finished page shows where a sentence is, so the sentence is printed between marks. The marks become elements
with `lang="en"`, or nothing inside a tag or a drawing, where no element may be.
"""

from __future__ import annotations

import re
import secrets

from werkzeug.wrappers import Response

_SECRET = secrets.token_hex(4)  # so that nobody can type a mark
BEGINS, ENDS = f"\ue000{_SECRET}\ue000", f"\ue001{_SECRET}\ue001"
IN_ENGLISH = '<span lang="en">'
# A tag, a comment, an element that cannot hold another, or the text between them.
PART = re.compile(r"<!--.*?-->|<(script|style|title|textarea|option)\b.*?</\1\s*>|<[^>]*>|[^<]+", re.DOTALL)


class MarkedEnglish:
    """Mark the sentences of a package without a catalogue."""

    def gettext(self, message: str, /) -> str:
        """Return the message between marks."""
        return f"{BEGINS}{message}{ENDS}"

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """Return the message `one` or `many`, depending on the number `n`, between marks."""
        return self.gettext(one if n == 1 else many)


def unmarked(text: str) -> str:
    """Return the text without marks."""
    return text.replace(BEGINS, "").replace(ENDS, "")


def marked(page: str) -> str:
    """Return the page with each mark replaced by an element, or removed inside tags and drawings."""
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


def replace_marks(response: Response) -> None:
    """Replace the marks around untranslated texts: by elements in English in an HTML page, by nothing in another
    response."""
    if response.is_sequence and BEGINS.encode() in response.get_data():
        text = response.get_data(as_text=True)
        response.set_data(marked(text) if response.mimetype == "text/html" else unmarked(text))
