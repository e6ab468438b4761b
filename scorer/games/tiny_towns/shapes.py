"""Shapes of scoring that several building cards share. What is particular to a card stands in its own function."""

from __future__ import annotations

from collections.abc import Callable

from scorer.games.tiny_towns.board import Board, by_value
from scorer.games.tiny_towns.cards import BUILDINGS
from scorer.games.tiny_towns.phrases import apiece, counted, do, several
from scorer.games.tiny_towns.squares import BESIDE, each

Score = tuple[int, str]  # points, and why
Rule = Callable[[Board], Score]
Test = Callable[[Board, int], object]


def flat(card_id: str) -> Rule:
    """The same for each of them."""
    card = BUILDINGS[card_id]

    def score(board: Board) -> Score:
        number = board.at[card_id].bit_count()
        return number * card.worth, f"{counted(number, card.name, card.plural)}: {card.worth}{' each' * (number > 1)}"

    return score


def nothing(card_id: str) -> Rule:
    """For buildings that are useful in other ways."""
    card = BUILDINGS[card_id]

    def score(board: Board) -> Score:
        standing = board.at[card_id]
        whose = "their" if several(standing) else "its"
        return 0, f"{counted(standing.bit_count(), card.name, card.plural)}: no points of {whose} own"

    return score


def by_count(card_id: str) -> Rule:
    """All of them score together, by their number."""
    card = BUILDINGS[card_id]
    most = len(card.totals)

    def score(board: Board) -> Score:
        number = board.at[card_id].bit_count()
        total = card.totals[min(number, most) - 1]
        together = f" together: {total}" if number > 1 else f": {total}"
        beyond = f"; no more than {most} count" if number > most else ""
        return total, f"{counted(number, card.name, card.plural)}{together}{beyond}"

    return score


def if_so(card_id: str, test: Test, so: tuple[str, str], otherwise: tuple[str, str]) -> Rule:
    """All or nothing for each of them; the words for one and for several squares."""
    worth = BUILDINGS[card_id].worth

    def score(board: Board) -> Score:
        standing = board.at[card_id]
        happy = sum([1 << index for index in each(standing) if test(board, index)])
        sad = standing & ~happy
        parts = [f"{do(happy, *so)}: {worth}{apiece(happy)}"] if happy else []
        parts += [f"{do(sad, *otherwise)}: 0"] if sad else []
        return worth * happy.bit_count(), "; ".join(parts)

    return score


def beside_fed(card_id: str) -> Rule:
    """All or nothing, for fed Cottages beside it."""
    card = BUILDINGS[card_id]

    def score(board: Board) -> Score:
        standing = board.at[card_id]
        fed = {index: board.fed_cottages(BESIDE[index]) for index in each(standing)}
        points, parts = 0, []
        for number, squares in by_value(standing, fed):
            worth = card.worth if number >= card.needs else 0
            points += worth * squares.bit_count()
            too_few = "only " if 0 < number < card.needs else ""
            words = f"{too_few}{counted(number, 'fed Cottage')} beside {'them' if several(squares) else 'it'}"
            parts.append(f"{do(squares, 'has', 'have')} {words}: {worth}{apiece(squares) if worth else ''}")
        return points, "; ".join(parts)

    return score
