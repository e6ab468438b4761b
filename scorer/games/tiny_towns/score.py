"""From a table to the players' sheets: their lines, what they bring to a tie, and the title of a solo player."""

from __future__ import annotations

from dataclasses import replace

from scorer.contract import Line, Missing, Sheet, TieBreak
from scorer.games.tiny_towns import buildings, fortune, monuments
from scorer.games.tiny_towns.board import NOBODY, UNKNOWN, Board, look
from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE, EXPANSION_NAMES, MONUMENT, RULES
from scorer.games.tiny_towns.feeding import FEEDERS
from scorer.games.tiny_towns.shapes import remembered
from scorer.games.tiny_towns.squares import names
from scorer.games.tiny_towns.state import LADDER, State, Town, town_on_the_right
from scorer.reading import Typed
from scorer.sentences import NOTHING, Sentence, say, say_count

OF_BUILDINGS = {**buildings.RULES, **fortune.RULES}
ORDER = {rule: place for place, rule in enumerate(RULES)}
# The chart of the solo rules: the least total for each title.
TITLES = (
    (38, say("Master Architect")),
    (32, say("Town Planner")),
    (25, say("Engineer")),
    (18, say("Carpenter")),
    (10, say("Builder's Apprentice")),
)
LOWEST_TITLE = say("Aspiring Architect")
GAME_END = say("rulebook, game end")
CASTLE_TWICE = say("Barrett Castle counts as 2 Cottages here too: the card sets no limit (our ruling)")


def score(state: State) -> list[Sheet]:
    sheets = [sheet_of(state, index) for index in range(len(state.players))]
    return [replace(sheet, rating=title(sheet.total)) for sheet in sheets] if state.mode == "solo" else sheets


def sheet_of(state: State, index: int) -> Sheet:
    """One player's sheet; her right-hand neighbour is the only other player it depends on."""
    player = state.players[index]
    where = f"/players/{index}"
    if isinstance(player, Typed):
        return player.sheet(RULES, [step for step in LADDER if has_rung(state, step.rule)], where)
    board = look(player, state.fortune, feast_halls_on_the_right(state, index, player))
    needs: tuple[Missing, ...] = ()
    if "feast_hall" in board.at and board.right == UNKNOWN:
        needs = (Missing("right_feast_halls", player.name, f"{where}/right_feast_halls"),)
    return Sheet(player.name, tuple(lines(board)), ties(state, board, where), needs)


def feast_halls_on_the_right(state: State, index: int, player: Town) -> int:
    """Counted in the record, or else what the player has said."""
    if state.mode == "solo":
        return NOBODY
    right = town_on_the_right(state, index)
    if right is not None:
        return right.grid.count("feast_hall")
    return UNKNOWN if player.right_feast_halls is None else player.right_feast_halls


def lines(board: Board) -> list[Line]:
    """The sheet of one town, in the order of RULES."""
    found = []
    for rule in sorted(board.at, key=ORDER.__getitem__):
        if rule == MONUMENT and board.monument:
            monument, (points, why) = monuments.score(board)
            found.append(Line(rule, monument.name, points, why, names(board.at[rule]), monument.cite))
        elif rule != MONUMENT:
            points, why = OF_BUILDINGS[rule](board)
            cells = board.at[rule] | board.feeding.fed if rule in FEEDERS else board.at[rule]
            found.append(Line(rule, RULES[rule], points, why, names(cells), BUILDINGS[rule].cite))
    if board.coins:
        found.append(Line("coins", RULES["coins"], *fortune.coins(board), cite=EXPANSION_NAMES["fortune"]))
    if board.empty:
        found.append(empty(board))
    return found


def empty(board: Board) -> Line:
    number = board.empty.bit_count()
    free = board.monument == "cathedral_of_caterina"
    points, why = 0 if free else -number, cost_of_empty(number, free)
    return Line("empty", RULES["empty"], points, why, names(board.empty), GAME_END)


@remembered
def cost_of_empty(number: int, free: bool) -> Sentence:
    if free:
        return say_count(
            "{n} square, which cost nothing with the Cathedral of Caterina",
            "{n} squares, which cost nothing with the Cathedral of Caterina",
            number,
        )
    return say_count("{n} square at the cost of 1 point", "{n} squares at the cost of 1 point each", number)


def has_rung(state: State, rule: str) -> bool:
    """The Town Hall rules have no Master Builder, so nobody had fewer turns; alone, nobody is tied."""
    return state.mode == "standard" if rule == "master_builder_turns" else state.mode != "solo"


def ties(state: State, board: Board, where: str) -> tuple[TieBreak, ...]:
    """What the player brings to the ladder. Squares that cost nothing (Cathedral) are empty all the same."""
    number = board.cottages(board.at.get(COTTAGE, 0) | board.castle)
    rungs = (
        TieBreak("master_builder_turns", board.town.master_builder_turns, NOTHING, f"{where}/master_builder_turns"),
        TieBreak("empty_squares", board.empty.bit_count()),
        TieBreak("cottages", number, CASTLE_TWICE if board.castle else NOTHING),
    )
    return tuple(rung for rung in rungs if has_rung(state, rung.rule))


def title(total: int) -> Sentence:
    """The skill a solo player has shown."""
    return next((title for least, title in TITLES if total >= least), LOWEST_TITLE)
