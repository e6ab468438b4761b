"""The documentation as a site: it builds without a warning, has every page, and asks nobody else for anything."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.documents import PAGES, README, name

LOADED = re.compile(r"""<(?:link|script|img|iframe|source)\b[^>]*?\b(?:href|src|srcset)=["'](?:https?:)?//[^"']+""")
STYLED = re.compile(r"""(?:url\(|@import )\s*["']?(?:https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make docs` does, and return its folder."""
    folder = tmp_path_factory.mktemp("site")
    options = f"--quiet --fail-on-warning --keep-going --conf-dir docs --doctree-dir {folder}/doctrees . {folder}/site"
    command = [sys.executable, "-m", "sphinx", *options.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def test_every_page_is_in_the_navigation(site: Path) -> None:
    """Sphinx also warns of a page that no table of the index has."""
    home = site / "docs" / "README.html"
    [menu] = re.findall(r'<div class="sidebar-tree">(.*?)</div>', home.read_text(encoding="utf-8"), re.S)
    linked = {(home.parent / link).resolve() for link in re.findall(r'href="([^"#]+)', menu)}
    pages = {(site / name(page)).with_suffix(".html") for page in PAGES if page != README}
    assert pages - linked <= {home}
    assert all(page.is_file() for page in linked)


def test_the_address_of_the_site_leads_to_the_index(site: Path) -> None:
    [target] = re.findall(r'url=([^"]+)"', (site / "index.html").read_text(encoding="utf-8"))
    assert (site / target).is_file()


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    files = [file for file in site.rglob("*") if file.suffix in {".html", ".css"}]
    assert len(files) > 40
    for file in files:
        pattern = LOADED if file.suffix == ".html" else STYLED
        assert pattern.findall(file.read_text(encoding="utf-8")) == [], file
