"""Compute Copenhagen by brute force. Only the printed patterns of the tiles are taken from the scorer."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Mapping

from scorer.games.copenhagen.shapes import ALL, SPECIALS, Stock

Space = tuple[int, int]  # column and floor, from 1
Laid = frozenset[Space]
COATS = {(3, 3), (5, 5), (2, 7), (4, 9)}
COAT_FLOORS = [2, 4, 6]
PATTERNS = [shape.kinds[0].pattern for shape in ALL]


def letters(rows: list[str]) -> dict[Space, str]:
    return {
        (column, 9 - row): letter
        for row, line in enumerate(rows)
        for column, letter in enumerate(line, 1)
        if letter != "."
    }


def rows_of(house: Mapping[Space, str]) -> list[str]:
    return ["".join(house.get((column, floor), ".") for column in range(1, 6)) for floor in range(9, 0, -1)]


@functools.cache
def images(shape: int) -> tuple[tuple[frozenset[Space], Space], ...]:
    """Return the spaces and the brick of a shape in all rotations and reflections, with the brick at (0, 0)."""
    cells = {
        (x, -y): letter for y, line in enumerate(PATTERNS[shape]) for x, letter in enumerate(line) if letter != "."
    }
    bx, by = next(space for space, letter in cells.items() if letter == "B")
    found = set()
    for flip in (1, -1):
        spaces = [((x - bx) * flip, y - by) for x, y in cells]
        for _ in range(4):
            spaces = [(y, -x) for x, y in spaces]
            found.add(frozenset(spaces))
    return tuple((spaces, (0, 0)) for spaces in sorted(found, key=sorted))


def covers(house: Mapping[Space, str], stock: Stock) -> Iterator[list[tuple[Laid, bool]]]:
    """Yield every way to cut the house into tiles of the stock. A tile is its spaces and whether it is special."""
    brick = next((space for space, letter in house.items() if letter == "B"), None)
    if brick is None:
        if len(house) <= stock[SPECIALS]:
            yield [(frozenset([space]), True) for space in house]
        return
    for shape in range(SPECIALS):
        if not stock[shape]:
            continue
        fewer = (*stock[:shape], stock[shape] - 1, *stock[shape + 1 :])
        for spaces, _ in images(shape):
            tile = frozenset((x + brick[0], y + brick[1]) for x, y in spaces)
            if all(house.get(space) == ("B" if space == brick else "W") for space in tile):
                rest = {space: letter for space, letter in house.items() if space not in tile}
                for others in covers(rest, fewer):
                    yield [(tile, False), *others]


def coats(filled: set[Space]) -> int:
    return len(filled & COATS) + sum(all((column, floor) in filled for column in range(1, 6)) for floor in COAT_FLOORS)


def points(house: Mapping[Space, str]) -> int:
    floors = [[house.get((column, floor)) for column in range(1, 6)] for floor in range(1, 10)]
    columns = [[house.get((column, floor)) for floor in range(1, 10)] for column in range(1, 6)]
    worth = [(1, line) for line in floors] + [(2, line) for line in columns]
    return sum(each * (1 if "B" in line else 2) for each, line in worth if None not in line)


def has_order(tiles: list[tuple[Laid, bool]], house: Mapping[Space, str] | None = None, goal: int = 99) -> bool:
    """Return whether some order lays every tile on something, and each special tile when a coat of arms allows it.

    All orders are tried. A coloured tile begins a turn, and unused coats of the turn before are lost. Nobody lays a
    tile once the house has the points that end the game.
    """
    start = frozenset[int](), 0
    seen, open_ = {start}, [start]
    while open_:
        done, unused = open_.pop()
        if len(done) == len(tiles):
            return True
        filled = {space for index in done for space in tiles[index][0]}
        is_over = house is not None and points({space: house[space] for space in filled}) >= goal
        for index in set(range(len(tiles))) - done:
            tile, is_special = tiles[index]
            if is_over and not is_special:
                continue
            rests = any(floor == 1 or ((column, floor - 1) in filled) for column, floor in tile)
            earned = coats(filled | tile) - coats(filled)
            now = done | {index}, unused - 1 + earned if is_special else earned
            if rests and (unused > 0 or not is_special) and now not in seen:
                seen.add(now)
                open_.append(now)
    return False


def can_be_formed(rows: list[str], stock: Stock) -> bool:
    return any(has_order(tiles) for tiles in covers(letters(rows), stock))


def random_house(chance: random.Random, turns: int) -> dict[Space, str]:
    """Return a house built by the rules, turn by turn. The stock is ignored."""
    house: dict[Space, str] = {}
    for _ in range(turns):
        places = [drop for _ in range(60) if (drop := random_drop(chance, house))]
        if not places:
            break
        tile, brick = min(chance.sample(places, min(3, len(places))), key=lambda found: max(y for _, y in found[0]))
        before = coats(set(house))
        house |= {space: "B" if space == brick else "W" for space in tile}
        earned = coats(set(house)) - before
        while earned and chance.random() < 0.7:
            free = [
                (x, y)
                for x in range(1, 6)
                for y in range(1, 10)
                if (x, y) not in house and (y == 1 or (x, y - 1) in house)
            ]
            if not free:
                break
            before = coats(set(house))
            house[chance.choice(free)] = "W"
            earned += coats(set(house)) - before - 1
    return house


def random_drop(chance: random.Random, house: Mapping[Space, str]) -> tuple[Laid, Space] | None:
    spaces, _ = chance.choice(images(chance.randrange(SPECIALS)))
    brick = chance.randint(1, 5), chance.randint(1, 9)
    tile = frozenset((x + brick[0], y + brick[1]) for x, y in spaces)
    fits = all(1 <= x <= 5 and 1 <= y <= 9 and (x, y) not in house for x, y in tile)
    rests = any(y == 1 or (x, y - 1) in house for x, y in tile)
    return (tile, brick) if fits and rests else None
