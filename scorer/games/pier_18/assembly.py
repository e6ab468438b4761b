"""Put a pier together from its cards (rulebook, gameplay).

Each card lies on the sea end of the previous card. It may cover some of the last sections of that card, but never all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorer.contract import UNKNOWN_LETTER, Problem
from scorer.games.pier_18.cards import CHARACTERS
from scorer.games.pier_18.pier import EMPTY, SIDES
from scorer.record import Reader, shown
from scorer.sentences import Sentence, in_a_row, say

LETTERS = in_a_row([say("{letter} {name}", letter=one.letter, name=one.lower) for one in CHARACTERS.values()])
SECTION = re.compile(rf"[{EMPTY}{UNKNOWN_LETTER}{''.join(CHARACTERS)}]{{{SIDES}}}")


@dataclass(frozen=True, slots=True)
class Card:
    """Hold the sections of a card from the shore to the sea, and how many sections of the previous card it covers."""

    sections: tuple[str, ...]
    covers: int = 0


def read_cards(cards: Sequence[Reader]) -> tuple[Card, ...]:
    """Read the cards of a record; `card_faults` checks later whether their numbers of covered sections are possible."""
    found = []
    for card in cards:
        card.as_object()
        sections = tuple(read_section(section) for section in card.elements("sections"))
        found.append(Card(sections, card.amount("covers") or 0))
    return tuple(found)


def read_sections(sections: Reader) -> tuple[str, ...]:
    """Return the sections of a pier or a card from the shore to the sea. Each is two letters, for left and right: "S."
    is a flower seller and an empty space."""
    return tuple(read_section(section) for section in sections.as_list())


def read_rows(sections: Reader) -> tuple[str, ...]:
    """Return the sections of a pier from the shore on, each as two letters: "S." is flower seller and empty. A space
    "?" is unknown; it is noted as a fault, which `core.load` makes an open fact."""
    rows = sections.as_list()
    for section in rows:
        section.as_letters(SIDES, SECTION.fullmatch)
        section.note_unknown_letters(SECTION.fullmatch)
    return tuple(read_section(section) for section in rows)


def read_section(section: Reader) -> str:
    return section.as_capitals(section.as_text(), SECTION.fullmatch)


def assemble(cards: Sequence[Card]) -> tuple[str, ...]:
    """Return the sections that remain visible when each card covers some of the previous one, from the shore on."""
    rows: list[str] = []
    for card in cards:
        if card.covers > 0:
            del rows[-card.covers :]
        rows += card.sections
    return tuple(rows)


def card_faults(cards: Sequence[Card], sections_per_card: int | None, where: str) -> Iterator[Problem]:
    """Yield a problem for each reason why these cards cannot form a pier; `where` is the JSON Pointer of their list.
    Each card must have `sections_per_card` sections or, if that is None, as many as the first."""
    wanted = sections_per_card or (len(cards[0].sections) if cards else 0)
    for index, card in enumerate(cards):
        place = f"{where}/{index}"
        if not card.sections or len(card.sections) != wanted:
            message = other_sections(max(wanted, 1), len(card.sections))
            yield Problem("card_sections", message, f"{place}/sections")
        most = min(len(cards[index - 1].sections), len(card.sections)) - 1 if index else 0
        if not 0 <= card.covers <= max(most, 0):
            message = say(
                "A card can cover 0 to {most} sections. At least one section of the previous card must stay visible.",
                most=max(most, 0),
            )
            message = message if index else say("The foundation is the first card, so it can’t cover another.")
            yield Problem("overlap_range", message, f"{place}/covers")
        yield from row_faults(card.sections, f"{place}/sections")


def other_sections(wanted: int, found: int) -> Sentence:
    return say(
        "All cards in a game have the same number of sections. The others have {wanted}, but this one has {found}.",
        wanted=wanted,
        found=found,
    )


def row_faults(rows: Sequence[str], where: str) -> Iterator[Problem]:
    """Yield a problem for each section that has not exactly two spaces, and for each letter that stands for no
    character. `rows` are the sections, and `where` is the JSON Pointer of their list."""
    for index, row in enumerate(rows):
        place = f"{where}/{index}"
        if len(row) != SIDES:
            message = say(
                "Enter two letters or dots for each section: left and right. {row} has {count}.",
                row=shown(row),
                count=len(row),
            )
            yield Problem("row_width", message, place)
        for symbol in dict.fromkeys(row):
            if symbol != EMPTY and symbol not in CHARACTERS:
                message = say(
                    "{symbol} stands for no character of the game. Use {letters}, or {empty} for an empty space.",
                    symbol=shown(symbol),
                    letters=LETTERS,
                    empty=EMPTY,
                )
                yield Problem("unknown_symbol", message, place)
