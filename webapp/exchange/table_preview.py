"""Build the preview of a text table before its import: the first rows and the doubtful cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scorer.sentences import Sentence, say
from webapp.exchange.foreign import moment, summed, whole
from webapp.exchange.table_dates import read
from webapp.exchange.table_layout import Layout, rank_of
from webapp.exchange.table_words import NOTHING, folded_sign

SHOWN = 5  # first rows, which are always shown
MOST_DOUBTS = 30  # further rows, shown because a cell is doubtful
LONGEST_CELL = 60  # letters of a cell
SKIPPED = say("We can’t read this, so we’ll skip the game.")
OPEN = say("We’ll import this game without this score.")
# What will happen with a doubtful cell.
DOUBTS: dict[str, Sentence] = {
    "shifted": say("Too many or too few cells: we’ll skip this game."),
    "date": SKIPPED,
    "total": OPEN,
    "sum": say("We’ll add up these numbers."),
    "gap": OPEN,
    "rank": say("We can’t read this. We’ll try to find the winner without it."),
    "minutes": say("We can’t read this, so we’ll ignore it."),
    "player": SKIPPED,
}


@dataclass(slots=True)
class Preview:
    """Hold what the import page shows of a table before anything is saved. It has the first rows and more rows with a
    doubtful cell, and the number of all rows with one."""

    rows: list[tuple[int, list[str], dict[int, str]]] = field(default_factory=list)
    doubts: int = 0  # rows with a doubtful cell

    def take(self, number: int, cells: Sequence[str], doubts: dict[int, str]) -> None:
        self.doubts += bool(doubts)
        if number <= SHOWN or (doubts and self.doubts <= MOST_DOUBTS):
            self.rows.append((number, [cell[:LONGEST_CELL] for cell in cells], doubts))


def doubts(cells: Sequence[str], layout: Layout) -> dict[int, str]:
    """Return why cells of a row are doubtful: a code from `DOUBTS` by the number of the column."""
    if len(cells) != len(layout.headings):
        return {0: "shifted"}
    found = {
        column: _doubt(role, cells[column], layout)
        for column, role in enumerate(layout.roles)
        if role and (role != "named" or folded_sign(cells[column]) not in NOTHING)
    }
    return {column: code for column, code in found.items() if code}


def _doubt(role: str, text: str, layout: Layout) -> str:
    if role == "date":
        return "" if moment(read(text, layout.dates)) else "date"
    if role in ("total", "named"):
        if whole(text) is not None or (not text and (layout.is_wide or layout.is_of_lines)):
            return ""
        return "sum" if summed(text) is not None else "total" if text else "gap"
    if role == "rank":
        return "rank" if text and rank_of(text) is None else ""
    if role == "minutes":
        return "minutes" if text and whole(text) is None else ""
    return "player" if role == "player" and not text and not layout.is_wide else ""
