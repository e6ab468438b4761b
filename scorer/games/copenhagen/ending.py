"""Check how the game can have ended: with 12 points, or with the End of Game card (rulebook, "Ending the Game")."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.contract import Problem
from scorer.games.copenhagen.buildable import build
from scorer.games.copenhagen.facade import points
from scorer.games.copenhagen.last_turn import GOAL, grid_has_last_turn, tiles_have_last_turn
from scorer.games.copenhagen.score import house_facade
from scorer.games.copenhagen.shapes import Stock
from scorer.games.copenhagen.state import BY_CARD, BY_POINTS, House, State
from scorer.games.copenhagen.supply import unused
from scorer.games.copenhagen.tiles import SPECIAL
from scorer.games.copenhagen.tiling import spaces_of
from scorer.record import TOTAL, Typed
from scorer.sentences import say

Found = Iterator[Problem]


def ended_wrongly(state: State) -> Found:
    """Yield a problem for each conflict between the totals and the way the game ended. Houses and points entered by
    hand must have no errors."""
    totals = totals_of(state)
    there = [index for index, total in totals.items() if total >= GOAL]
    if len(there) > 1:
        message = say(
            "Only one player can reach {goal} points, because the game then ends at once. Check the scores.",
            goal=GOAL,
        )
        yield Problem("two_players_at_12", message, "/players")
    if there and state.end == BY_CARD:
        message = say(
            "{player} has {points} points, so the End of Game card did not end the game. Choose the other ending.",
            player=state.players[there[0]].name,
            points=totals[there[0]],
        )
        yield Problem("end_card_but_someone_at_12", message, "/table/end")
    if not there and state.end == BY_POINTS and len(totals) == len(state.players):
        message = say(
            "No player has {goal} points. The highest score is {most}. Did the End of Game card end the game?",
            goal=GOAL,
            most=max(totals.values(), default=0),
        )
        yield Problem("end_points_but_nobody_at_12", message, "/table/end")
    for index, house in state.houses:
        if index in there:
            yield from ended_too_late(house, f"/players/{index}", unused(state))


def totals_of(state: State) -> dict[int, int]:
    """Return the known totals of players, keyed by seat."""
    totals = {index: points(house_facade(house)) for index, house in state.houses}
    for index, player in enumerate(state.players):
        if isinstance(player, Typed) and player.points:
            total = player.of(TOTAL)
            totals[index] = sum(number for _, number in player.points) if total is None else total
    return totals


def ended_too_late(house: House, where: str, in_stock: Stock) -> Found:
    """Yield a problem if no single turn can have brought a house to 12 points; unbuildable grids are skipped. `where`
    is the JSON Pointer of the player, `in_stock` the tiles that can form a grid."""
    facade = house_facade(house)
    if house.tiles is not None:
        coloured = [spaces_of(tile) for tile in house.tiles if tile.kind != SPECIAL]
        specials = [spaces_of(tile) for tile in house.tiles if tile.kind == SPECIAL]
        if not tiles_have_last_turn(coloured, specials, facade):
            message = say(
                "This house had {goal} points before its last tile, so the game should have ended by then. Check "
                "the tiles.",
                goal=GOAL,
            )
            yield Problem("game_should_have_ended_earlier", message, f"{where}/tiles")
    elif (answer := build(facade, in_stock)).is_buildable:
        has_last_turn = grid_has_last_turn(facade, in_stock, answer.tiles)
        if has_last_turn is False:
            message = say(
                "This house had {goal} points before its last tile, so the game should have ended by then. Is one "
                "space wrong?",
                goal=GOAL,
            )
            yield Problem("game_should_have_ended_earlier", message, f"{where}/grid")
        elif has_last_turn is None:
            message = say("This house doesn’t seem possible at the end of a game. Is it right?")
            yield Problem("game_should_have_ended_earlier", message, f"{where}/grid", "warning")
