"""How the game can have ended: at once with 12 points, or with the End of Game card (rulebook, "Ending the Game")."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from scorer.contract import Problem
from scorer.games.copenhagen.facade import Facade, points, union
from scorer.games.copenhagen.laying import GROUND, block, lay_all
from scorer.games.copenhagen.score import look
from scorer.games.copenhagen.state import BY_CARD, BY_POINTS, State, Tile
from scorer.games.copenhagen.tiles import SPECIAL
from scorer.games.copenhagen.tiling import facade_of
from scorer.sentences import say

Found = Iterator[Problem]
GOAL = 12


def ended_wrongly(state: State) -> Found:
    """What the totals say against the end as entered; houses must be sound. Typed totals are taken as they are."""
    totals = {index: points(look(house)) for index, house in state.houses}
    there = [index for index, total in totals.items() if total >= GOAL]
    if len(there) > 1:
        message = say(
            "The game ends at once when somebody has {goal} points, so only one player can have reached them.",
            goal=GOAL,
        )
        yield Problem("two_players_at_12", message, "/players")
    if there and state.end == BY_CARD:
        message = say(
            "{player} has {points} points, so the game ended with them and not with the card.",
            player=state.players[there[0]].name,
            points=totals[there[0]],
        )
        yield Problem("end_card_but_someone_at_12", message, "/table/end")
    if not there and state.end == BY_POINTS and len(totals) == len(state.players):
        message = say(
            "Nobody has {goal} points; the most are {most}. Did the card end the game?",
            goal=GOAL,
            most=max(totals.values(), default=0),
        )
        yield Problem("end_points_but_nobody_at_12", message, "/table/end")
    for index, house in state.houses:
        if index in there and house.tiles is not None and not has_last_turn(house.tiles):
            message = say(
                "Without its last tile this house had {goal} points already, whichever tile that was: "
                "the game should have ended earlier.",
                goal=GOAL,
            )
            yield Problem("game_should_have_ended_earlier", message, f"/players/{index}/tiles")


def has_last_turn(tiles: Sequence[Tile]) -> bool:
    """Whether one turn can have brought the 12 points.

    A turn lays one coloured tile and, for the coats of arms it reaches, special tiles. So without some coloured tile,
    and perhaps some special ones, the rest must stand and score less.
    """
    specials = [facade_of([tile]) for tile in tiles if tile.kind == SPECIAL]
    coloured = [facade_of([tile]) for tile in tiles if tile.kind != SPECIAL]
    for last in reversed(coloured):
        earlier = [one for one in coloured if one is not last]
        if points(joined(earlier)) >= GOAL:
            continue
        for count in range(len(specials), -1, -1):
            for kept in itertools.combinations(specials, count):
                before = [*earlier, *kept]
                if points(joined(before)) < GOAL and stands(before):
                    return True
    return False


def joined(tiles: Sequence[Facade]) -> Facade:
    return Facade(union(tile.windows for tile in tiles), union(tile.bricks for tile in tiles))


def stands(tiles: Sequence[Facade]) -> bool:
    """Whether they can be laid in some order."""
    return not lay_all(GROUND, [block(tile.filled) for tile in tiles])[1]
