"""Score Cottages and the red buildings that feed them; feeding.py chooses which Cottages are fed."""

from __future__ import annotations

from scorer.games.tiny_towns.board import Board
from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE
from scorer.games.tiny_towns.shapes import Rule, Score
from scorer.games.tiny_towns.squares import AROUND, IN_LINE, NAMES, Squares, at, each, names
from scorer.sentences import Sentence, cached_sentence, in_clauses, listed, say, say_count


def cottage(board: Board) -> Score:
    """Score the fed Cottages; with the Grand Mausoleum the unfed ones score too, but remain unfed."""
    fed = board.at[COTTAGE] & board.feeding.fed
    unfed = board.at[COTTAGE] & ~fed
    mausoleum = board.monument == "grand_mausoleum_of_the_rodina"
    scoring = board.at[COTTAGE] if mausoleum else fed
    return BUILDINGS[COTTAGE].worth * scoring.bit_count(), fed_in_words(fed, unfed, mausoleum)


@cached_sentence
def fed_in_words(fed: Squares, unfed: Squares, mausoleum: bool) -> Sentence:
    """Say which Cottages are fed and which are not, and what they score; with `mausoleum`, unfed ones score too."""
    worth = BUILDINGS[COTTAGE].worth
    parts = []
    if fed:
        parts.append(
            say_count(
                "{squares} is fed: {worth}",
                "{squares} are fed: {worth} each",
                fed.bit_count(),
                squares=at(fed),
                worth=worth,
            )
        )
    if unfed and mausoleum:
        parts.append(
            say_count(
                "{squares} is not fed, but the Grand Mausoleum makes it worth {worth}",
                "{squares} are not fed, but the Grand Mausoleum makes them worth {worth} each",
                unfed.bit_count(),
                squares=at(unfed),
                worth=worth,
            )
        )
    elif unfed:
        parts.append(
            say_count("{squares} is not fed: 0", "{squares} are not fed: 0", unfed.bit_count(), squares=at(unfed))
        )
    return in_clauses(parts)


def farm(board: Board) -> Score:
    fed = board.feeding.fed
    if not fed:
        return 0, say("There is nothing to feed")
    return 0, chosen(board.at["farm"], at(fed), board.feeding.reach & ~fed != 0)


def greenhouse(board: Board) -> Score:
    fed = board.feeding.fed
    groups = tuple(group & fed for group in board.feeding.chosen if group & fed)
    if not groups:
        return 0, say("There is nothing to feed")
    return 0, chosen(board.at["greenhouse"], in_groups(groups), board.feeding.reach & ~fed != 0)


@cached_sentence
def in_groups(groups: tuple[Squares, ...]) -> Sentence:
    """Return groups of squares as a list in words: "A1+B1+A2 and D1"."""
    return listed(["+".join(names(group)) for group in groups])


@cached_sentence
def chosen(feeders: Squares, fed: Sentence, others: bool) -> Sentence:
    """Say that the buildings on `feeders` feed what `fed` names. If `others`, add that feeding other buildings would
    not score more."""
    why = say_count("{squares} feeds {fed}", "{squares} feed {fed}", feeders.bit_count(), squares=at(feeders), fed=fed)
    return in_clauses([why, say("Feeding other buildings instead would not score more")]) if others else why


def feeder_in_place(card_id: str, reach: tuple[Squares, ...]) -> Rule:
    """Return the rule of Granaries or Orchards, whose place decides what they feed. `reach` has, for each square, the
    squares that a building there feeds."""

    def score(board: Board) -> Score:
        parts = []
        for index in each(board.at[card_id]):
            fed = reach[index] & board.feeding.fed
            parts.append(feeding(index, fed))
        return 0, in_clauses(parts)

    return score


@cached_sentence
def feeding(index: int, fed: Squares) -> Sentence:
    """Say that the building on the square number `index` feeds the squares `fed`."""
    if not fed:
        return say("{square} feeds nothing", square=NAMES[index])
    return say("{square} feeds {fed}", square=NAMES[index], fed=at(fed))


def feedable(board: Board) -> Squares:
    """Return the squares of all buildings with the feed symbol."""
    vineyard = board.at["monument"] if board.monument == "eraflage_vineyard" else 0
    return board.at.get(COTTAGE, 0) | board.castle | vineyard


RULES: dict[str, Rule] = {
    "cottage": cottage,
    "farm": farm,
    "granary": feeder_in_place("granary", AROUND),
    "orchard": feeder_in_place("orchard", IN_LINE),
    "greenhouse": greenhouse,
}
