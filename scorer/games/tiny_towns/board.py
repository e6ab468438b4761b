"""A town as the rules look at it: where each building and each type stands, and who is fed."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE, EMPTY, MONUMENT, MONUMENTS, UNREAD
from scorer.games.tiny_towns.feeding import CASTLE_COTTAGES, Feeding, feed
from scorer.games.tiny_towns.squares import BESIDE, Squares, each
from scorer.games.tiny_towns.state import Town

COIN = 1  # point for each coin left (Fortune)
UNKNOWN = -1  # nobody has said how many Feast Halls the player on the right has
NOBODY = -2  # no player sits on the right


@dataclass(frozen=True, slots=True)
class Board:
    """One town with its buildings found."""

    town: Town
    at: dict[str, Squares]  # building -> its squares; only what stands; the monument under "monument"
    types: dict[str, Squares]  # colour -> squares of that type; Barrett Castle is of the Cottages' type
    empty: Squares
    monument: str  # the card, if its piece stands in the town
    castle: Squares
    coins: int
    coin_worth: int
    feeding: Feeding
    right: int  # Feast Halls of the right-hand neighbour, or UNKNOWN, or NOBODY

    def cottages(self, squares: Squares) -> int:
        """How many Cottages these squares count as, fed or not."""
        cottages = (squares & self.at.get(COTTAGE, 0)).bit_count()
        return cottages + CASTLE_COTTAGES if squares & self.castle else cottages

    def fed_cottages(self, squares: Squares) -> int:
        return self.cottages(squares & self.feeding.fed)

    def beside(self, index: int, *colours: str) -> Squares:
        """The buildings of these types beside the square."""
        found = 0
        for colour in colours:
            found |= BESIDE[index] & self.types.get(colour, 0)
        return found

    def types_on(self, squares: Squares) -> list[str]:
        """The building types that stand on these squares."""
        return [colour for colour, standing in self.types.items() if standing & squares]


def look(town: Town, fortune: bool = False, right: int = UNKNOWN) -> Board:
    """Find the buildings of a town and the best feeding for them."""
    at: dict[str, Squares] = {}
    bit = 1
    for piece in town.grid:
        at[piece] = at.get(piece, 0) | bit
        bit <<= 1
    empty = at.pop(EMPTY, 0)
    at.pop(UNREAD, 0)
    types = {BUILDINGS[piece].colour: squares for piece, squares in at.items() if piece != MONUMENT}
    standing = at.get(MONUMENT, 0)
    monument = town.monument if standing else ""
    castle = standing if monument == "barrett_castle" else 0
    if castle:
        types["blue"] = types.get("blue", 0) | castle
    elif standing:
        types["purple"] = standing
    coins = (town.coins or 0) if fortune else 0
    coin_worth = MONUMENTS[monument].each if monument == "estival_festival" else COIN
    feeding = feed(at, monument, coins, coin_worth)
    return Board(town, at, types, empty, monument, castle, coins, coin_worth, feeding, right)


def by_value(squares: Squares, values: dict[int, int]) -> list[tuple[int, Squares]]:
    """The squares gathered by equal values, the highest first."""
    found: dict[int, Squares] = {}
    for index in each(squares):
        found[values[index]] = found.get(values[index], 0) | 1 << index
    return sorted(found.items(), reverse=True)
