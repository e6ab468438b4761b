"""From a table to the players' sheets: their lines, what they bring to a tie, and the title of a solo player."""

from __future__ import annotations

from dataclasses import replace

from scorer.contract import Line, Missing, Sheet, TieBreak
from scorer.games.tiny_towns import buildings, fortune, monuments
from scorer.games.tiny_towns.board import NOBODY, UNKNOWN, Board, look
from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE, MONUMENT, RULES
from scorer.games.tiny_towns.feeding import FEEDERS
from scorer.games.tiny_towns.phrases import counted
from scorer.games.tiny_towns.squares import names
from scorer.games.tiny_towns.state import LADDER, Table, Town, town_on_the_right
from scorer.reading import Typed

OF_BUILDINGS = {**buildings.RULES, **fortune.RULES}
ORDER = {rule: place for place, rule in enumerate(RULES)}
# The chart of the solo rules: the least total for each title.
TITLES = (
    (38, "Master Architect"),
    (32, "Town Planner"),
    (25, "Engineer"),
    (18, "Carpenter"),
    (10, "Builder's Apprentice"),
)
LOWEST_TITLE = "Aspiring Architect"


def score(table: Table) -> list[Sheet]:
    sheets = [sheet_of(table, index) for index in range(len(table.players))]
    return [replace(sheet, rating=title(sheet.total)) for sheet in sheets] if table.mode == "solo" else sheets


def sheet_of(table: Table, index: int) -> Sheet:
    """One player's sheet; her right-hand neighbour is the only other player it depends on."""
    player = table.players[index]
    where = f"/players/{index}"
    if isinstance(player, Typed):
        return player.sheet(RULES, [step for step in LADDER if has_rung(table, step.rule)], where)
    board = look(player, table.fortune, feast_halls_on_the_right(table, index, player))
    needs: tuple[Missing, ...] = ()
    if "feast_hall" in board.at and board.right == UNKNOWN:
        needs = (Missing("right_feast_halls", player.name, f"{where}/right_feast_halls"),)
    return Sheet(player.name, tuple(lines(board)), ties(table, board, where), needs)


def feast_halls_on_the_right(table: Table, index: int, player: Town) -> int:
    """Counted in the record, or else what the player has said."""
    if table.mode == "solo":
        return NOBODY
    right = town_on_the_right(table, index)
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
        found.append(Line("coins", RULES["coins"], *fortune.coins(board), cite="Fortune"))
    if board.empty:
        found.append(empty(board))
    return found


def empty(board: Board) -> Line:
    number = board.empty.bit_count()
    points, why = -number, f"{counted(number, 'square')} at the cost of 1 point{' each' * (number > 1)}"
    if board.monument == "cathedral_of_caterina":
        points, why = 0, f"{counted(number, 'square')}, which cost nothing with the Cathedral of Caterina"
    return Line("empty", RULES["empty"], points, why, names(board.empty), "rulebook, game end")


def has_rung(table: Table, rule: str) -> bool:
    """The Town Hall rules have no Master Builder, so nobody had fewer turns; alone, nobody is tied."""
    return table.mode == "standard" if rule == "master_builder_turns" else table.mode != "solo"


def ties(table: Table, board: Board, where: str) -> tuple[TieBreak, ...]:
    """What the player brings to the ladder. Squares that cost nothing (Cathedral) are empty all the same."""
    number = board.cottages(board.at.get(COTTAGE, 0) | board.castle)
    castle = "Barrett Castle counts as 2 Cottages here too: the card sets no limit (our ruling)" if board.castle else ""
    rungs = (
        TieBreak("master_builder_turns", board.town.master_builder_turns, "", f"{where}/master_builder_turns"),
        TieBreak("empty_squares", board.empty.bit_count()),
        TieBreak("cottages", number, castle),
    )
    return tuple(rung for rung in rungs if has_rung(table, rung.rule))


def title(total: int) -> str:
    """The skill a solo player has shown."""
    return next((title for least, title in TITLES if total >= least), LOWEST_TITLE)
