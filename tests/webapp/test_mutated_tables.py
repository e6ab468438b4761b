"""Tables with one thing changed at random: none breaks a page, and none makes somebody else win."""

from __future__ import annotations

import os
import random

import pytest
from flask import Flask

from tests.webapp.bringing import bring
from tests.webapp.foreign_tables import CASES, Case
from tests.webapp.test_mutated_files import careless, failures
from tests.webapp.test_tables_of_others import WISHES, outcomes
from webapp import clubs
from webapp.database import Database
from webapp.exchange import Refused

pytestmark = pytest.mark.either

__all__ = ["careless"]

FILES = int(os.environ.get("MUTATED_TABLES", "60"))
SEED = 28
GARBAGE = [
    "",
    "?",
    "abc",
    "1.2.3",
    "-",
    "NaN",
    "1e3",
    "9" * 30,
    "\u202e",
    "'",
    "=1+1",
    "28 VP",
    "½",
    "😀",
    "\x07",
    "x" * 300,
]
WIDE = ("wide", "markdown", "pandas_pivot", "bgg_numbered")
NOTHING = {"", "-", "NaN"}  # in a column of a player, that she did not play


def text_of(case: Case) -> str:
    if isinstance(case.content, str):
        return case.content
    encoding = {"excel_de_ansi": "cp1252", "excel_pl_ansi": "cp1250", "excel_unicode_text": "utf-16"}
    return case.content.decode(encoding.get(case.name, "utf-8-sig"))


def mutated(case: Case, text: str, chance: random.Random) -> str:
    """Return the table with a cell spoilt, a row doubled or cut short, a letter lost, or the end cut off.

    What it says of totals stays, or can't be read any more: another number would be another result.
    """
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    by = max(",;\t|", key=lines[0].count)
    cells = lines[at].rstrip("\r\n").split(by)
    way = chance.randrange(6)
    if way <= 1:
        spoilt = chance.choice([one for one in GARBAGE if one not in NOTHING or not case.name.startswith(WIDE)])
        cells[chance.randrange(len(cells))] = spoilt
        lines[at] = by.join(cells) + "\n"
    elif way == 2:
        lines.insert(at, lines[at])
    elif way == 3:
        del cells[chance.randrange(len(cells))]
        lines[at] = by.join(cells) + "\n"
    elif way == 4:
        lost = chance.choice([at for at, letter in enumerate(text) if letter not in "0123456789-−.,+"])
        return text[:lost] + chance.choice(["", '"', by, "\n"]) + text[lost + 1 :]
    else:
        return text[: chance.randrange(len(text))]
    return "".join(lines)


def test_no_changed_table_breaks_a_page_or_makes_somebody_else_win(careless: Flask, db: Database) -> None:
    chance = random.Random(SEED)
    accepted = 0
    for number in range(FILES):
        case = chance.choice([one for one in CASES if one.games])
        table = mutated(case, text_of(case), chance)
        there = clubs.create(db, f"Club {number}")
        try:
            bring(db, there, table, WISHES[case.asked])
        except Refused:
            continue
        found = outcomes(db, there)
        accepted += bool(found)
        for seats, won in found:
            assert is_shown(seats, won, case, table), (case.name, table, seats, won)
        assert failures(careless, db, there) == [], (case.name, table)
    assert accepted > FILES // 10


def is_shown(seats: list[tuple[str, int | None]], won: list[str], case: Case, table: str) -> bool:
    """Return whether nobody has won, or who won before, by another name perhaps.

    Without its heading a column of winners or ranks says nothing any more, and most points win.
    """
    totals = dict(seats)
    if len(seats) == 1 and text_of(case).startswith(table):
        return True  # the others were cut off
    first = 2 if case.name.startswith(("numbers", "excel_sep")) else 1
    if not won or table.splitlines()[:first] != text_of(case).splitlines()[:first]:
        return not won or {totals[name] for name in won} == {
            max((total for total in totals.values() if total is not None), default=None)
        }
    known = {name for _, _, players, _ in case.games for name in players}
    return any(
        set(won) == set(before.split(", "))
        or (
            set(totals) - known
            and sorted(str(totals[name]) for name in won) == sorted(str(players[name]) for name in before.split(", "))
        )
        for _, _, players, before in case.games
        if before
    )
