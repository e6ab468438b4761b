"""Prepare a town for scoring: find the squares of each building and type, and choose which buildings are fed."""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.games.tiny_towns import feeding, monasteries
from scorer.games.tiny_towns.cards import BUILDINGS, COTTAGE, EMPTY, MONUMENT, MONUMENTS, UNREAD
from scorer.games.tiny_towns.feeding_values import CASTLE_COTTAGES, COIN, NOBODY_FED, Feeding, FeedingFacts
from scorer.games.tiny_towns.rulings import Rulings
from scorer.games.tiny_towns.squares import BESIDE, Squares, each
from scorer.games.tiny_towns.state import Town

UNKNOWN = -1  # nobody has entered what the other player has
NOBODY = -2  # there is no such player


@dataclass(frozen=True, slots=True)
class Around:
    """Hold the facts outside a town that its points depend on: what other players have, and the rulings. A fact is
    UNKNOWN if it is not entered, and NOBODY if there is no such player."""

    feast_halls: int = UNKNOWN  # of the player on the right, or UNKNOWN, or NOBODY
    coins: int = UNKNOWN  # the same
    tower: int = NOBODY  # the tallest Folly Tower of the others; UNKNOWN while a taller one is possible
    ahead: int = NOBODY  # how many others have more points than this town has without its Larkstone
    fortune: bool = False
    rulings: Rulings = field(default_factory=Rulings)


@dataclass(frozen=True, slots=True)
class Board:
    """Hold one town with the squares of its buildings."""

    town: Town
    at: dict[str, Squares]  # building -> its squares, for buildings in the town; the monument under "monument"
    types: dict[str, Squares]  # colour -> squares of that type; Barrett Castle is of the Cottages' type
    empty: Squares
    monument: str  # the card, if its piece stands in the town
    castle: Squares
    coins: int
    coin_worth: int
    feeding: Feeding
    around: Around
    lesson: int  # points for a Schoolhouse beside a fed Cottage

    def cottages(self, squares: Squares) -> int:
        """Return how many Cottages stand on these squares, fed or not; Barrett Castle counts as two."""
        cottages = (squares & self.at.get(COTTAGE, 0)).bit_count()
        return cottages + CASTLE_COTTAGES if squares & self.castle else cottages

    def fed_cottages(self, squares: Squares) -> int:
        return self.cottages(squares & self.feeding.fed)

    def beside(self, index: int, *colours: str) -> Squares:
        """Return the squares beside the square number `index` that hold buildings of these colours, such as "green"."""
        found = 0
        for colour in colours:
            found |= BESIDE[index] & self.types.get(colour, 0)
        return found

    def types_on(self, squares: Squares) -> list[str]:
        return [colour for colour, standing in self.types.items() if standing & squares]


ALONE = Around()


def board_of(town: Town, around: Around = ALONE, meals: bool = True) -> Board:
    """Return the board of a town with the best feeding; with `meals` false, no building is fed. `around` has the facts
    of other players that matter."""
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
    coins = (town.coins or 0) if around.fortune else 0
    coin_worth = MONUMENTS[monument].each if monument == "estival_festival" else COIN
    lesson = 0
    if "schoolhouse" in at:
        card, rich = BUILDINGS["schoolhouse"], has_coins(coins, around)
        lesson = card.worth + (card.more if rich and around.rulings.schoolhouse == "together" else 0)
    fed = NOBODY_FED
    if meals:
        means = FeedingFacts(coins, coin_worth, lesson, around.rulings.feeding == "may")
        fed = (monasteries if "monastery" in at else feeding).feed(at, types, monument, means)
    return Board(town, at, types, empty, monument, castle, coins, coin_worth, fed, around, lesson)


def points_of_feeding(board: Board, beaten: int) -> int | None:
    """Return the points that the best feeding adds to an unfed town, or None if they are not more than `beaten`."""
    means = FeedingFacts(board.coins, board.coin_worth, board.lesson, board.around.rulings.feeding == "may")
    town = (board.at, board.types, board.monument, means)
    if "monastery" not in board.at:
        return feeding.most_value(*town, beaten)
    unfed = board.at["monastery"].bit_count()  # points: 1 each, as if nobody could be fed
    value = monasteries.most_value(*town, beaten + unfed)
    return None if value is None else value - unfed


def has_coins(coins: int, around: Around) -> bool:
    """Return whether a player with `coins` coins has at least as many as the player on the right; False if unknown.
    Coins count as they were before anybody paid for food."""
    return coins >= around.coins >= 0


def by_value(squares: Squares, values: dict[int, int]) -> list[tuple[int, Squares]]:
    """Group squares by their number in `values`, which is keyed by square. Return each number with its squares, the
    highest first."""
    found: dict[int, Squares] = {}
    for index in each(squares):
        found[values[index]] = found.get(values[index], 0) | 1 << index
    return sorted(found.items(), reverse=True)
