"""The documentation holds together: links lead somewhere, names exist, sentences are short, a word has one meaning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.documents import (
    DOCS,
    FOR_EVERYBODY,
    INLINE,
    LINK,
    PAGES,
    PICTURES,
    README,
    anchors,
    blocks,
    name,
    prose,
    sentences,
    text,
    words,
)
from tests.test_voice import BANNED

OTHER_MEANINGS = {"host", "evening", "renews"}  # a host name, a measured evening, a certificate
PATH = re.compile(r"(?:deploy|docs|scorer|templates|tests|vision|webapp)(?:/[\w*][\w.*-]*)+/?")
DEVELOPERS = DOCS / "developers"
PICTURE = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")
TUTORIAL = DEVELOPERS / "add-a-game.md"  # names files of a package, which tests/test_wheel.py makes


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        target, _, anchor = link.partition("#")
        if "://" in target:
            continue
        there = (page.parent / target).resolve() if target else page
        assert there.is_file(), link
        assert not anchor or anchor in anchors(there), link


@pytest.mark.parametrize("page", [page for page in PAGES if page != TUTORIAL], ids=name)
def test_every_file_that_is_named_exists(page: Path) -> None:
    for path in filter(PATH.fullmatch, INLINE.findall(prose(page))):
        assert any(ROOT.glob(path.rstrip("/"))), path


@pytest.mark.parametrize("page", sorted(DEVELOPERS.glob("*.md")), ids=name)
def test_every_file_in_a_drawing_exists(page: Path) -> None:
    files = [f"/{name(file)}" for pattern in ("*.py", "*.js") for file in (ROOT / "webapp").rglob(pattern)]
    named = re.findall(r"[\w/]+\.(?:py|js)\b", "".join(blocks(page, "text")))
    assert [file for file in named if not any(there.endswith(f"/{file}") for there in files)] == []


def test_the_index_lists_every_page() -> None:
    """Every page for players, server owners and developers is in one of the three folders, and in the index."""
    index = DOCS / "README.md"
    listed = {(DOCS / link).resolve() for link in LINK.findall(text(index)) if "#" not in link}
    pages = set(DOCS.rglob("*.md")) - {index}
    assert {page.parent.name for page in pages} == {"players", "servers", "developers"}
    assert len(pages) > 35
    assert pages <= listed


def test_pictures_are_small_and_each_is_on_a_page() -> None:
    """`make pictures` makes them; none is in the wheel."""
    shown = {(page.parent / link).resolve() for page in PAGES for link in PICTURE.findall(text(page))}
    sizes = {picture: picture.stat().st_size for picture in PICTURES.iterdir()}
    assert set(sizes) == shown
    assert sum(sizes.values()) < 1_500_000
    assert max(sizes.values()) < 400_000


def test_the_readme_is_short() -> None:
    assert 450 <= sum(words(sentence) for sentence in sentences(README)) <= 750


@pytest.mark.parametrize("page", [README, *FOR_EVERYBODY], ids=name)
def test_pages_for_players_and_server_owners_use_one_word_for_one_thing(page: Path) -> None:
    found = (word[0].lower() for sentence in sentences(page) for word in BANNED.finditer(INLINE.sub("code", sentence)))
    assert set(found) <= OTHER_MEANINGS


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_sentence_is_long(page: Path) -> None:
    assert [sentence for sentence in sentences(page) if words(sentence) > 25] == []


def test_the_glossary_has_one_meaning_for_a_word() -> None:
    """It has at most 60 terms, each of them once."""
    [glossary] = re.findall(r"^## Glossary\n(.*?)(?=^## |\Z)", text(DEVELOPERS / "architecture.md"), re.M | re.S)
    terms = re.findall(r"^\| \*\*([^*]+)\*\* \| [^|]+ \|$", glossary, re.M)
    assert 30 <= len(terms) <= 60
    assert len(set(terms)) == len(terms)
