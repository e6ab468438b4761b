"""SECURITY.md keeps its word as far as a machine can tell: every point is there, every place it names exists."""

from __future__ import annotations

import re

from tests.conftest import ROOT
from webapp import photo_uploads
from webapp.views import api, club, home, join

TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| [^|]+ \| (yes|partly|no|none) \| ?([^|]*)\|$", re.M)

# Level 1 of version 5.0: of each section how many points of which group are asked for.
LEVEL_1 = """
1.2.1-5 1.3.1-2 1.5.1 2.1.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2 6.1.1 6.2.1-8
6.3.1-2 6.4.1-2 7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1 10.4.1-5 11.3.1-2 11.4.1 12.1.1 12.2.1-2 13.4.1
14.2.1 14.3.1 15.1.1 15.2.1 15.3.1
"""


def asked() -> list[str]:
    points = []
    for group in LEVEL_1.split():
        section, _, numbers = group.rpartition(".")
        first, _, last = numbers.partition("-")
        points += [f"{section}.{number}" for number in range(int(first), int(last or first) + 1)]
    return points


def test_every_point_of_level_1_is_answered_once() -> None:
    assert [point for point, _, _ in ROW.findall(TEXT)] == asked()
    assert len(asked()) == 70


def test_what_is_not_met_says_why() -> None:
    for point, met, why in ROW.findall(TEXT):
        if met in {"partly", "no"}:
            assert len(why.split()) > 5, point


def test_every_place_it_names_exists() -> None:
    named = re.findall(r"`((?:webapp|tests|vision|scorer)/[\w/.]+)`", TEXT) + re.findall(r"\]\(([\w/.]+)\)", TEXT)
    assert len(named) >= 5
    for place in named:
        assert (ROOT / place).exists(), place


def test_everybody_of_the_table_is_there() -> None:
    [table] = re.findall(r"^\| who \|.*?\n\n", TEXT, re.M | re.S)
    assert re.findall(r"^\| ([\w ]+) \|", table, re.M)[1:] == [
        *("stranger", "guest", "TV", "viewer", "member", "owner", "proxy", "server owner"),
    ]


def test_the_numbers_are_those_of_the_program() -> None:
    assert (home.joining.attempts, home.joining.seconds) == (30, 60)
    assert (join.by_link.attempts, join.by_link.seconds) == (60, 60)
    assert (join.CODES_PER_ADDRESS, join.CODES_PER_CODE, join.CODE_SECONDS) == (20, 30, 3600)
    assert (club.founding.attempts, club.founding.seconds) == (5, 3600)
    assert (api.scoring.attempts, api.scoring.seconds) == (600, 60)
    assert (photo_uploads.shooting.attempts, photo_uploads.shooting.seconds) == (30, 60)
    assert photo_uploads.MAX_UPLOAD == 20 * 2**20
