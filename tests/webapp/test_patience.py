"""Tests with browsers wait for what they read: no page answers at once, and none knows when it is done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.either

ACTS = r"\.(?:click|tap|press|fill|check|uncheck|select_option|set_input_files)\(.*\)|follow\(.*\)"
AT_ONCE = r"\.(?:count|all|all_inner_texts|inner_text|text_content|is_\w+|input_value|get_attribute|content)\("
TOO_SOON = re.compile(rf"^( *)\S.*(?:{ACTS})(?:  #.*)?\n\1assert .*{AT_ONCE}.*$", re.M)
NEVER = re.compile(r"^.*wait_for_function\(.*$", re.M)  # our pages allow no eval, so it looks once and gives up
FILES = [file for file in Path(__file__).parent.glob("*.py") if "playwright" in file.read_text(encoding="utf-8")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_is_read_at_once_after_something_is_done(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    if file != Path(__file__):
        found = [one[0] for pattern in (TOO_SOON, NEVER) for one in pattern.finditer(text)]
        assert found == [], "expect(...) waits"


def test_a_read_that_comes_too_soon_is_seen() -> None:
    assert TOO_SOON.search('    page.click("text=Find")\n    assert page.locator("li").count() == 1\n')
    assert TOO_SOON.search('    page.get_by_role("button").click()  # why\n    assert page.locator("b").is_visible()\n')
    assert not TOO_SOON.search('    page.click("text=Find")\n    expect(page.locator("li")).to_have_count(1)\n')
