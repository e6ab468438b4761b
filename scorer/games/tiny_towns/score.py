"""Score a table: the lines of each player, their tie-breaks, and the title of a solo player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorer.contract import Line, Sheet, TieBreak
from scorer.games.tiny_towns import buildings, fortune, monuments, villagers
from scorer.games.tiny_towns.board import NOBODY, Board, board_of
from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE, EXPANSION_NAMES, MONUMENT, RULES
from scorer.games.tiny_towns.feeding import FEEDERS
from scorer.games.tiny_towns.other_towns import around, has_larkstone, missing, open_rules, players_ahead
from scorer.games.tiny_towns.squares import names
from scorer.games.tiny_towns.state import LADDER, State
from scorer.games.tiny_towns.typed import LIMITS
from scorer.record import STILL_TO_COUNT, Typed
from scorer.sentences import NOTHING, Sentence, as_it_is, cached_sentence, say, say_count

OF_BUILDINGS = {**buildings.RULES, **fortune.RULES, **villagers.RULES}
ORDER = {rule: place for place, rule in enumerate(RULES)}
# The chart of the solo rules: the least total for each title.
TITLES = (
    (38, say("Master Architect")),
    (32, say("Town Planner")),
    (25, say("Engineer")),
    (18, say("Carpenter")),
    (10, say("Builder’s Apprentice")),
)
LOWEST_TITLE = say("Aspiring Architect")
GAME_END = say("rulebook, game end")
CASTLE_TWICE = say("Barrett Castle counts as 2 Cottages here too (our ruling; the card sets no limit)")


def score(state: State) -> list[Sheet]:
    sheets = [sheet_of(state, index) for index in range(len(state.players))]
    for index, player in enumerate(state.players):
        if has_larkstone(player):
            least, most = players_ahead(state, index, [sheet.range for sheet in sheets])
            sheet = sheet_of(state, index, least)
            sheets[index] = sheet if most == least else with_larkstone(sheet, sheet_of(state, index, most))
    return [replace(sheet, rating=title(sheet.total)) for sheet in sheets] if state.mode == "solo" else sheets


def with_larkstone(least: Sheet, most: Sheet) -> Sheet:
    """Return the sheet `least` with open points for the Larkstone: at least its points there, at most those in `most`.
    The sheets are for the fewest and the most players that may have more points."""
    if least == most:
        return least
    ends = {line.rule: line.points for line in most.lines}
    lines = [
        replace(line, why=STILL_TO_COUNT, span=(line.points, ends[line.rule])) if line.rule == MONUMENT else line
        for line in least.lines
    ]
    return replace(least, lines=tuple(lines))


def sheet_of(state: State, index: int, ahead: int = NOBODY) -> Sheet:
    """Return the sheet of the player in seat `index`; `ahead` is how many have more points, for the Larkstone."""
    player = state.players[index]
    where = f"/players/{index}"
    if isinstance(player, Typed):
        return player.sheet(RULES, [step for step in LADDER if has_rung(state, step.rule)], where, LIMITS)
    board = board_of(player, around(state, index, ahead))
    needs = tuple(missing(board, where))
    more = open_rules(board)
    found = [
        with_open_points(line, more[line.rule]) if line.rule in more else line
        for line in lines(board, state.card_names)
    ]
    return Sheet(player.name, tuple(found), ties(state, board, where), needs)


def with_open_points(line: Line, more: int) -> Line:
    """Return a score line whose points a missing fact may raise by up to `more`."""
    return replace(line, span=(line.points, line.points + more))


def lines(board: Board, called: Mapping[str, str]) -> list[Line]:
    """Return the score lines of one town, in the order of RULES; `called` has the names of unlisted cards by colour."""
    found = []
    for rule in sorted(board.at, key=ORDER.__getitem__):
        if rule == MONUMENT and board.monument:
            monument, (points, why) = monuments.score(board)
            label, item = named(rule, board.town.monument_name if monument.typed else monument.name)
            found.append(Line(rule, label, points, why, names(board.at[rule]), monument.cite, item))
        elif rule != MONUMENT:
            points, why = OF_BUILDINGS[rule](board)
            cells = board.at[rule] | board.feeding.fed if rule in FEEDERS else board.at[rule]
            card = BUILDINGS[rule]
            label, item = named(rule, called.get(card.colour, "") if card.typed else "")
            found.append(Line(rule, label, points, why, names(cells), card.cite, item))
    if board.coins:
        found.append(Line("coins", RULES["coins"], *fortune.coins(board), cite=EXPANSION_NAMES["fortune"]))
    if board.empty:
        found.append(empty(board))
    return found


def named(rule: str, name: str) -> tuple[Sentence, str]:
    """Return the label and the item of a score line: both `name` or, without a name, the usual label and ""."""
    if not name:
        return RULES[rule], ""
    return name if isinstance(name, Sentence) else as_it_is(name), str(name)


def empty(board: Board) -> Line:
    number = board.empty.bit_count()
    free = board.monument == "cathedral_of_caterina"
    points, why = 0 if free else -number, cost_of_empty(number, free)
    return Line("empty", RULES["empty"], points, why, names(board.empty), GAME_END)


@cached_sentence
def cost_of_empty(number: int, free: bool) -> Sentence:
    if free:
        return say_count(
            "{n} empty square, free with the Cathedral of Caterina",
            "{n} empty squares, free with the Cathedral of Caterina",
            number,
        )
    return say_count("{n} empty square: −1", "{n} empty squares: −1 each", number)


def has_rung(state: State, rule: str) -> bool:
    """Return whether the tie-break `rule` applies: none does in solo games, and Town Hall has no Master Builder."""
    return state.mode == "standard" if rule == "master_builder_turns" else state.mode != "solo"


def ties(state: State, board: Board, where: str) -> tuple[TieBreak, ...]:
    """Return the tie-break values of a player, whose JSON Pointer is `where`. Empty squares count here even if they
    cost nothing (Cathedral)."""
    number = board.cottages(board.at.get(COTTAGE, 0) | board.castle)
    rungs = (
        TieBreak("master_builder_turns", board.town.master_builder_turns, NOTHING, f"{where}/master_builder_turns"),
        TieBreak("empty_squares", board.empty.bit_count()),
        TieBreak("cottages", number, CASTLE_TWICE if board.castle else NOTHING),
    )
    return tuple(rung for rung in rungs if has_rung(state, rung.rule))


def title(total: int) -> Sentence:
    """Return the title that a solo player earned with this total."""
    return next((title for least, title in TITLES if total >= least), LOWEST_TITLE)
