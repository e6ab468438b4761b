"""Read the documentation for its tests: pages, code blocks, links and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

README = ROOT / "README.md"
DOCS = ROOT / "docs"
PICTURES = DOCS / "pictures"
FOR_EVERYBODY = sorted([*DOCS.glob("players/*.md"), *DOCS.glob("servers/*.md")])
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), ROOT / "vision" / "training" / "README.md"])

FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:(?<=\n\n)(?: {4}.*\n|\n(?= {4}))+)")
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def name(page: Path) -> str:
    """Return the path of a page in the repository."""
    return str(page.relative_to(ROOT))


def text(page: Path) -> str:
    """Return the text of a page."""
    return page.read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """Return the blocks of a page that are fenced as this language, without the indent of the fence."""
    return [
        re.sub(f"^{indent}", "", block, flags=re.M)
        for indent, found, block in FENCED.findall(text(page))
        if found == language
    ]


def commands(page: Path) -> list[str]:
    """Return the lines of all shell blocks, with continued lines joined."""
    return [line for block in blocks(page, "sh") for line in re.sub(r"\\\n\s*", "", block).splitlines()]


def our_commands(page: Path) -> list[str]:
    """Return the `tidemark` commands on a page, as typed in the folder of the database."""
    shown = (line.split("#")[0].strip() for line in commands(page))
    typed = (re.sub(r"^(sudo )?(\S*/)?tidemark ", "tidemark ", line) for line in shown)
    return [re.sub(r"/var/lib/tidemark/|/root/", "", line) for line in typed if line.startswith("tidemark ")]


def prose(page: Path) -> str:
    """Return a page without its code blocks."""
    return INDENTED.sub("\n", FENCED.sub("", text(page)))


def anchors(page: Path) -> set[str]:
    """Return the targets for links within a page: its headings and named places."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", text(page)), re.M)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)"', text(page)))


def sentences(page: Path) -> Iterator[str]:
    """Yield every sentence of a page. A heading, a list item and a table cell begin a new one."""
    shown = LINK.sub("]", prose(page))
    lines = (" | ".join(line.split("|")[1:-1]) if line.startswith("|") else line for line in shown.splitlines())
    pieces = re.split(r"\n\s*\n|\n(?=\s*(?:[-#]|\d+\.) )| \| |\n(?=.* \| )", "\n".join(lines))
    for piece in pieces:
        yield from re.split(r"(?<=[.!?])[*”)]*\s+", " ".join(piece.split()))


def words(sentence: str) -> int:
    """Return the number of words in a sentence. A piece of code counts as one."""
    return len(re.findall(r"\S*\w\S*", INLINE.sub("code", sentence)))
