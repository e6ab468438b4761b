"""Find the facts outside a town that its points depend on: the town on the right, and others' Folly Towers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer.contract import Missing
from scorer.games.tiny_towns.board import NOBODY, UNKNOWN, Around, Board
from scorer.games.tiny_towns.cards import BUILDINGS, MONUMENT, MONUMENTS
from scorer.games.tiny_towns.state import State, Town, town_on_the_right
from scorer.record import Typed
from scorer.spans import Span


def around(state: State, index: int, ahead: int = NOBODY) -> Around:
    """Return the facts outside the town in seat `index` that its points depend on. `ahead` is how many players have
    more points, which only the Larkstone needs."""
    town = state.players[index]
    if not isinstance(town, Town):
        return Around()
    halls, coins = NOBODY, NOBODY
    if state.mode != "solo":
        right = town_on_the_right(state, index)
        if right is not None:
            halls, coins = right.grid.count("feast_hall"), right.coins or 0
        else:
            halls, coins = or_unknown(town.right_feast_halls), or_unknown(town.right_coins)
    tower = tower_elsewhere(state, index, town) if "folly_tower" in town.grid else NOBODY
    return Around(halls, coins, tower, ahead, state.fortune, state.rulings)


def or_unknown(number: int | None) -> int:
    return UNKNOWN if number is None else number


def tower_elsewhere(state: State, index: int, town: Town) -> int:
    """Return the height of the tallest Folly Tower of other players, or UNKNOWN if an unentered town may have it."""
    mine = town.folly_tower_height or 0
    towers = [tower_of(player) for number, player in enumerate(state.players) if number != index]
    known = max([tower for tower in towers if tower is not None], default=NOBODY)
    if town.tallest_other_tower is not None:
        return max(known, town.tallest_other_tower)
    somebody_is_missing = None in towers or (len(state.players) == 1 and state.mode != "solo")
    return UNKNOWN if somebody_is_missing and known <= mine else known


def has_larkstone(player: Town | Typed) -> bool:
    return isinstance(player, Town) and player.monument == "larkstone" and MONUMENT in player.grid


def players_ahead(state: State, index: int, totals: Sequence[Span]) -> tuple[int, int]:
    """Return how many other players certainly have more points than the town in seat `index`, and how many may.
    `totals` has the least and most points of each player. If the record has only one town of a bigger game, the
    player enters the number."""
    town = state.players[index]
    if isinstance(town, Town) and len(totals) == 1 and state.mode != "solo":
        return or_unknown(town.players_ahead), or_unknown(town.players_ahead)
    (least, most), others = totals[index], [ends for other, ends in enumerate(totals) if other != index]
    certainly = [low for low, _ in others if low is not None and most is not None and low > most]
    maybe = [high for _, high in others if high is None or least is None or high > least]
    return len(certainly), len(maybe)


def tower_of(player: Town | Typed) -> int | None:
    """Return the levels of a player's Folly Tower: 0 without a tower, None if unknown. Points entered by hand are the
    levels, but 0 may also be the tallest tower, so it gives None."""
    if isinstance(player, Town):
        return (player.folly_tower_height or 0) if "folly_tower" in player.grid else 0
    points = player.of("folly_tower") or 0
    return points if points > 0 else None


def asks_for_tower(state: State, index: int, town: Town) -> bool:
    """Return whether a Folly Tower outside the record may be taller than the tower of this town."""
    without_answer = replace(town, tallest_other_tower=None)
    return "folly_tower" in town.grid and tower_elsewhere(state, index, without_answer) == UNKNOWN


ASKED_FOR = {
    "feast_hall": "right_feast_halls",
    "schoolhouse": "right_coins",
    "folly_tower": "tallest_other_tower",
    MONUMENT: "players_ahead",
}


def missing(board: Board, where: str) -> Iterator[Missing]:
    """Yield the missing facts about other towns that this town's points depend on; `where` is the JSON Pointer of the
    player."""
    for rule in open_rules(board):
        fact = ASKED_FOR[rule]
        yield Missing(fact, board.town.name, f"{where}/{fact}")


def open_rules(board: Board) -> dict[str, int]:
    """Return, keyed by rule, the most points that a missing fact about other towns can add: {"feast_hall": 2}."""
    found = {}
    if "feast_hall" in board.at and board.around.feast_halls == UNKNOWN:
        card = BUILDINGS["feast_hall"]
        found[card.id] = (card.more - card.worth) * board.at[card.id].bit_count()
    if "schoolhouse" in board.at and board.around.coins == UNKNOWN:
        card = BUILDINGS["schoolhouse"]
        found[card.id] = card.more * board.at[card.id].bit_count()
    if "folly_tower" in board.at and board.around.tower == UNKNOWN:
        card = BUILDINGS["folly_tower"]
        found[card.id] = card.worth * (board.town.folly_tower_height or 0)
    if has_larkstone(board.town) and board.around.ahead == UNKNOWN:
        found[MONUMENT] = MONUMENTS["larkstone"].totals[-1]
    return found
