"""Build the documentation as a site with Sphinx: `make docs` writes it into build/site.

The sources are the Markdown pages as they are. The tables of docs/README.md are the navigation of the site, and Sphinx
warns of a page that is in none of them.
"""

from __future__ import annotations

import re
from pathlib import Path

from pygments.lexers.html import XmlLexer
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

project = "Tidemark"
extensions = ["myst_parser"]
root_doc = "docs/README"
include_patterns = ["docs/**", "vision/training/README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]
exclude_patterns = [".*", "build"]  # folders that need not be searched
myst_heading_anchors = 4
html_theme = "furo"
html_title = "Tidemark"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
START = (
    '<!doctype html><meta charset="utf-8"><title>Tidemark</title><meta http-equiv="refresh" content="0; url={page}">\n'
)


def navigation(text: str) -> str:
    """Return the navigation for the pages that an index in Markdown links to, with a part for each of its headings."""
    parts = []
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        title, _, body = section.partition("\n")
        pages = dict.fromkeys(re.findall(r"\]\(([^)#]+)\.md\)", body))
        parts.append("\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```"]))
    return "\n\n".join(parts)


def add_navigation(_app: Sphinx, page: str, content: list[str]) -> None:
    """Add the navigation to the index."""
    if page == root_doc:
        content[0] += f"\n{navigation(content[0])}\n"


def write_start(app: Sphinx, fault: Exception | None) -> None:
    """Write a start page that leads to the index."""
    if fault is None:
        Path(app.outdir, "index.html").write_text(START.format(page=f"{root_doc}.html"), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Register what is above; Sphinx calls this."""
    app.add_lexer("caddyfile", TextLexer)
    app.add_lexer("svg", XmlLexer)
    app.connect("source-read", add_navigation)
    app.connect("build-finished", write_start)
