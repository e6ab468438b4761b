"""The answers to taps, put together, give the same page as a reload."""

from __future__ import annotations

import html
import json
import random
import re
from typing import Any

import pytest

from tests.conftest import Example
from tests.webapp.conftest import Device
from tests.webapp.test_counted_work import changed, each_game, lay, tapped
from webapp import parts
from webapp.database import Database

TAPS = 6


class Phone:
    """Keep a page as `live.js` does: the content of each part that an answer brings is exchanged."""

    def __init__(self, page: str) -> None:
        self.page = page
        self.tags: dict[str, str] = json.loads(html.unescape(re.findall(r'data-tags="([^"]*)"', page)[0]))

    def take(self, answer: Any) -> None:
        self.tags |= {name: part["tag"] for name, part in answer["parts"].items()}
        for name, part in answer["parts"].items():
            if "html" in part:
                [old] = [old for old in parts.parts_of(self.page) if old.name == name]
                self.page = self.page[: old.start] + part["html"] + self.page[old.end :]


def shown(page: str) -> dict[str, list[str]]:
    """Return the content of each part of a page. Squares are left out, because scripts paint them."""
    found: list[parts.Part] = []
    contents = {}
    for part in sorted(parts.parts_of(page), key=lambda part: part.end):
        content = parts.own_content(page, part.start, part.end, found)
        found.append(part)
        if part.given != "shape":
            contents[part.name] = content.split()
    return contents


def taps(page: str, chance: random.Random) -> dict[str, str]:
    """Return something that can be tapped on a page: a radio button, or a button that changes the board."""
    radios = re.findall(r'type="radio" name="([^"]+)" value="([^"]*)"', page)
    buttons = re.findall(r"""<button name="(put|open|drop)" value=("[^"]*"|'[^']*')""", page)
    name, value = chance.choice([one for one in radios + buttons if not one[0].startswith("palette")])
    return {name: html.unescape(value.strip("\"'"))}


@each_game
@pytest.mark.parametrize("seed", range(2))
def test_the_parts_sent_after_taps_make_the_page(
    member: Device, db: Database, club: int, example: Example, seed: int
) -> None:
    path = lay(db, club, example.game, json.loads(json.dumps(example.record))) + "/seats/0"
    phone, chance = Phone(member.get(path)), random.Random(seed)
    for _ in range(TAPS):
        fields = taps(phone.page, chance) if chance.random() < 0.7 else changed(example.game, example.record)
        opened = re.findall(r'name="opened" value="([^"]*)"', phone.page)
        answer = tapped(member, path, json.dumps(phone.tags), **{"opened": "".join(opened), **fields})
        phone.take(answer.json)
        address = re.findall(r'name="opened" value="([^"]*)"', phone.page)
        assert shown(phone.page) == shown(member.get(f"{path}?open={''.join(address)}"))


def test_a_part_changes_only_with_what_is_outside_the_parts_inside_it() -> None:
    page = '<div data-part="town"><p>{}</p><div data-part="street"><span data-part="card">{}</span></div>{}</div>'
    tags = {part.name: part.tag for part in parts.parts_of(page.format("a", "b", "c"))}
    assert list(parts.changed(page.format("a", "x", "c"), tags) or {}) == ["card"]
    after = parts.changed(page.format("a", "b", "x"), tags) or {}
    assert list(after) == ["town", "street", "card"] and "html" not in after["street"] | after["card"]
