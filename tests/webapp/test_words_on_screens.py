"""Hold how many words the wordiest screens show before anything is tapped."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.webapp.words_on_screens import counted, table

pytestmark = pytest.mark.either

MOST = {
    "How we count": 400,
    "Statistics of Tiny Towns": 450,
    "Player": 400,
    "Saved game of Tenby": 350,
    "Achievements": 250,
    "Statistics": 250,
    "Club": 90,
    "Your data": 100,
    "Time zone": 40,
}
MOST_OF_ALL = 4000


def test_screens_show_few_words(browser: Browser, tmp_path: Path) -> None:
    words = counted(browser, tmp_path)
    assert {name: number for name, number in words.items() if number > MOST.get(name, MOST_OF_ALL)} == {}, table(words)
    assert sum(words.values()) <= MOST_OF_ALL, table(words)
