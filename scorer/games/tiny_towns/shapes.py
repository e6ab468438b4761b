"""Make the scoring functions that several building cards share."""

from __future__ import annotations

from collections.abc import Callable

from scorer.games.tiny_towns.board import Board, by_value
from scorer.games.tiny_towns.cards import BUILDINGS
from scorer.games.tiny_towns.squares import BESIDE, Squares, at, each
from scorer.sentences import Sentence, cached_sentence, in_clauses, say, say_count

Score = tuple[int, Sentence]  # points, and why
Rule = Callable[[Board], Score]
Test = Callable[[Board, int], object]
Earning = Callable[[int, Sentence, int], Sentence]  # how many squares, which ones, and what each of them scores
Idle = Callable[[int, Sentence], Sentence]  # how many squares, and which ones
COUNTED = say("The player counted the points")


def flat(card_id: str) -> Rule:
    """Return the rule of the building `card_id`, each of which scores the same points wherever it stands."""
    worth = BUILDINGS[card_id].worth

    def score(board: Board) -> Score:
        number = board.at[card_id].bit_count()
        return number * worth, built(number, worth)

    return score


@cached_sentence
def built(number: int, worth: int) -> Sentence:
    return say_count("{n} built: {worth}", "{n} built: {worth} each", number, worth=worth)


def nothing(card_id: str) -> Rule:
    """Return the rule of the building `card_id`, which scores 0 points; the reason says how many were built."""

    @cached_sentence
    def why(number: int) -> Sentence:
        return say_count(
            "{n} built: no points of its own",
            "{n} built: no points of their own",
            number,
        )

    def score(board: Board) -> Score:
        return 0, why(board.at[card_id].bit_count())

    return score


def typed(card_id: str) -> Rule:
    """Return the rule of an unlisted card, which scores the points that the player counted."""

    def score(board: Board) -> Score:
        return board.town.typed_points.get(card_id, 0), COUNTED

    return score


def by_count(card_id: str) -> Rule:
    """Return the rule of a building for which the card prints the total points by the number of such buildings.
    Buildings beyond the highest printed number add nothing."""
    card = BUILDINGS[card_id]
    most = len(card.totals)

    @cached_sentence
    def why(number: int, total: int) -> Sentence:
        together = say_count("{n} built: {total}", "{n} built: {total} together", number, total=total)
        if number <= most:
            return together
        return in_clauses([together, say_count("At most {n} counts", "At most {n} count", most)])

    def score(board: Board) -> Score:
        number = board.at[card_id].bit_count()
        total = card.totals[min(number, most) - 1]
        return total, why(number, total)

    return score


def if_so(card_id: str, test: Test, so: Earning, otherwise: Idle) -> Rule:
    """Return the rule of a building that scores its worth if `test(board, square)` is true, and otherwise nothing. `so`
    makes the reason from the number of scoring squares, their names, and the worth of each. `otherwise` makes it
    from the number and the names of the other squares."""
    worth = BUILDINGS[card_id].worth

    @cached_sentence
    def why(scoring: Squares, others: Squares) -> Sentence:
        parts = [so(scoring.bit_count(), at(scoring), worth)] if scoring else []
        parts += [otherwise(others.bit_count(), at(others))] if others else []
        return in_clauses(parts)

    def score(board: Board) -> Score:
        standing = board.at[card_id]
        scoring: Squares = sum([1 << index for index in each(standing) if test(board, index)])
        return worth * scoring.bit_count(), why(scoring, standing & ~scoring)

    return score


def beside_fed(card_id: str) -> Rule:
    """Return the rule of the building `card_id`. Each scores its worth if as many fed Cottages as the card needs are
    beside it, otherwise 0."""
    card = BUILDINGS[card_id]

    def score(board: Board) -> Score:
        standing = board.at[card_id]
        fed = {index: board.fed_cottages(BESIDE[index]) for index in each(standing)}
        points, parts = 0, []
        for number, squares in by_value(standing, fed):
            worth = card.worth if number >= card.needs else 0
            points += worth * squares.bit_count()
            parts.append(with_fed_beside(squares, number, worth))
        return points, in_clauses(parts)

    return score


@cached_sentence
def with_fed_beside(squares: Squares, number: int, worth: int) -> Sentence:
    """Say that each building on `squares` has `number` fed Cottages beside it and scores `worth`."""
    if not number:
        return say_count(
            "{squares} has no fed Cottage beside it: 0",
            "{squares} have no fed Cottage beside them: 0",
            squares.bit_count(),
            squares=at(squares),
        )
    return say_count(
        "{squares} scores {worth} (fed Cottages beside it: {number})",
        "{squares} score {worth} each (fed Cottages beside each: {number})",
        squares.bit_count(),
        squares=at(squares),
        worth=worth,
        number=number,
    )


def for_each(where: Sentence, points: int, squares: Squares) -> Sentence:
    """Return the reason that each of `squares` scores `points`; it begins with `where`, which says which buildings
    count."""
    return in_clauses([where, earning(squares, points)])


def earning(squares: Squares, points: int) -> Sentence:
    return say_count(
        "{squares} scores {points}",
        "{squares} score {points} each",
        squares.bit_count(),
        squares=at(squares),
        points=points,
    )
