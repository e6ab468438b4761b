"""Make random and broken records of every game, the same ones for the same seed.

Nothing here imports a game's code, so a rewrite can't change what is compared. The contents of each box come from the
card and tile files of version 0.7. Most random records are legal; `broken` breaks a record in one to three places.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Json = Any
Maker = Callable[["Box", random.Random], Json]
Space = tuple[int, int]  # column and floor, from 1

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Zoë", "unknown", "a/b~c", "Ann B.", "李", "total")
SQUARES = [f"{column}{row}" for row in "1234" for column in "ABCD"]
RESOURCES = ("wood", "wheat", "brick", "glass", "stone")
NEW_CARDS = ("friendly_local_game_store", "larkstone")  # that 0.7 does not know
TWIN = 0.15  # how often a player has the same as the one before, so that they tie
TYPED = 0.12  # how often a player only typed the points of each line


class Box:
    """Hold the contents of the games' boxes, from the games' own files."""

    def __init__(self, games: Path) -> None:
        def read(file: str) -> dict[str, Any]:
            return tomllib.loads((games / file).read_text("utf-8"))

        towns, self.tiles, bridge = (
            read(f"{name}.toml") for name in ("tiny_towns/cards", "copenhagen/tiles", "old_london_bridge/cards")
        )
        self.buildings = {card["id"]: card for card in towns["building"]}
        self.monuments = {card["id"]: card for card in towns["monument"]}
        self.kinds = {kind["id"]: turned(kind["pattern"]) for kind in self.tiles["kind"]}
        self.faces: dict[str, list[Json]] = {}
        for face in bridge["face"]:
            self.faces.setdefault(face["zone"], []).append(face)
        self.zeros: dict[str, int] = bridge["zeros"]


def seated(chance: random.Random, least: int, most: int) -> list[str]:
    """Draw the names of the players, which are simple at most tables."""
    count = chance.randint(least, most)
    return chance.sample(NAMES, count) if chance.random() < 0.2 else list(NAMES[:count])


def players(
    chance: random.Random, names: Sequence[str], own: Callable[[int], Json], typed: Callable[[], dict[str, int]]
) -> list[Json]:
    """Give every player a board, typed lines, or a copy of the previous player's."""
    found: list[Json] = []
    for seat, name in enumerate(names):
        if found and chance.random() < TWIN:
            found.append({**copy.deepcopy(found[-1]), "name": name})
        elif chance.random() < TYPED:
            lines = typed() if chance.random() < 0.8 else {"total": chance.randint(-5, 60)}
            found.append({"name": name, "typed": lines})
        else:
            found.append({"name": name, **own(seat)})
    return found


def some(chance: random.Random, low: int, high: int, share: float = 1.0) -> int | None:
    """Draw a number, or None for a value that nobody has entered."""
    return chance.randint(low, high) if chance.random() < share else None


def known(**facts: Json) -> dict[str, Json]:
    """Leave out values that nobody has entered."""
    return {name: value for name, value in facts.items() if value is not None}


# -- Tiny Towns --------------------------------------------------------------------------------------------------------


# Points that 3 buildings can bring together at most, in any town: no version doubts them.
SHOWN = {
    "tavern": (2, 5, 9),
    "inn": (3, 6, 9),
    "shed": (1, 2, 3),
    "bank": (4, 8),
    "trading_post": (1, 2, 3),
    "abbey": (3, 6),
    "gamblers_den": (2, 4),
    "jeweler": (4, 8),
    "citadel": (1, 2),
}


def tiny_towns(box: Box, chance: random.Random) -> Json:
    """Draw a table with any expansions, monuments and rulings, and all facts that its cards ask for."""
    expansions = [one for one in ("fortune", "villagers") if chance.random() < 0.45]
    names = seated(chance, 1, 6 if chance.random() < 0.3 else 4)
    mode = chance.choice(("standard", "standard", "solo" if len(names) == 1 else "town_hall"))

    def may_be_played(card: Json) -> bool:
        return card.get("expansion", "") in ("", *expansions) and mode not in card.get("removed_in", ())

    colours: dict[str, list[str]] = {}
    for card in box.buildings.values():
        if card["colour"] != "blue" and may_be_played(card):
            colours.setdefault(card["colour"], []).append(card["id"])
    cards = {colour: chance.choice(ids) for colour, ids in colours.items()}
    monuments = [card["id"] for card in box.monuments.values() if may_be_played(card)]
    chance.shuffle(monuments)
    table: dict[str, Json] = {"mode": mode, "cards": cards}
    if expansions:
        table["expansions"] = expansions
    if chance.random() < 0.2:
        table["rulings"] = {
            "feeding": chance.choice(("must", "may")),
            "blacksmith_cube": chance.choice(("counts", "removed")),
            "schoolhouse": chance.choice(("together", "apart")),
        }
    if "villagers" in expansions and chance.random() < 0.2:
        table["villager_cards"], table["tiny_tears"] = ["scrap", "renovate"], chance.random() < 0.5

    def own(seat: int) -> Json:
        monument = monuments[seat] if chance.random() < 0.7 else ""
        return town(chance, list(cards.values()), monument, expansions, mode, len(names))

    def typed() -> dict[str, int]:
        lines = {"cottage": 3 * chance.randint(0, 4), "empty": -chance.randint(0, 4)}
        some = [card for card in sorted(cards.values()) if card in SHOWN]
        lines |= {card: chance.choice(SHOWN[card]) for card in chance.sample(some, min(len(some), 2))}
        return {rule: points for rule, points in lines.items() if points or chance.random() < 0.5}

    found = players(chance, names, own, typed)
    for player in found:
        if mode == "standard" and chance.random() < 0.7:
            player["master_builder_turns"] = chance.choice((1, 2, 3, 3, "unknown"))
        if "typed" in player and chance.random() < 0.5:
            lines = player["typed"]
            player |= {"empty_squares": -lines.get("empty", 0), "cottages": lines.get("cottage", 0) // 3}
    held: set[str] = set()
    for player in found:  # there is one of each monument
        if player.get("monument") in held:
            player["monument"] = next((card for card in monuments if card not in held), "")
            player.setdefault("shrine_count", 1)
        held.add(player.get("monument", ""))
    return {"game": "tiny_towns", "table": table, "players": found}


def town(
    chance: random.Random, cards: list[str], monument: str, expansions: list[str], mode: str, count: int
) -> dict[str, Json]:
    """Draw a town with these cards, and the facts that its squares do not show."""
    palette = [*cards, *chance.choices(cards, k=2), *["cottage"] * chance.randint(2, 7), *["empty"] * 3]
    grid = [chance.choice(palette) for _ in range(16)]
    if monument and chance.random() < 0.85:
        grid[chance.randrange(16)] = "monument"
    for piece, most in (("folly_tower", 1), ("bank", 5)):
        for index in [index for index, one in enumerate(grid) if one == piece][most:]:
            grid[index] = "empty"
    standing = {*grid, monument if "monument" in grid else ""}
    at = {
        piece: [cell for cell, one in zip(SQUARES, grid, strict=True) if one == piece]
        for piece in ("warehouse", "bank", "blacksmith", "cottage")
    }
    built = 16 - grid.count("empty")
    resources = chance.sample(RESOURCES, 5)
    facts = known(
        monument=monument or None,
        warehouse_cubes={cell: chance.randint(0, 3) for cell in at["warehouse"]} or None,
        bank_resources=dict(zip(at["bank"], resources, strict=False)) if chance.random() < 0.6 else None,
        blacksmith_cubes={cell: chance.randint(0, 1) for cell in at["blacksmith"]} or None,
        shrine_count=chance.randint(1, built or 1) if "shrine_of_the_elder_tree" in standing else None,
        starloom_place=chance.randint(1, count) if "the_starloom" in standing else None,
        hollow_hill_swaps=some(chance, 0, 4) if "hollow_hill" in standing else None,
        folly_tower_height=some(chance, 1, 4) if "folly_tower" in standing else None,
        tallest_other_tower=some(chance, 0, 4, 0.5) if "folly_tower" in standing and count == 1 else None,
        right_feast_halls=some(chance, 0, 4, 0.7) if count == 1 and mode != "solo" else None,
        right_coins=some(chance, 0, 4, 0.7) if count == 1 and mode != "solo" and "fortune" in expansions else None,
        coins=some(chance, 0, 4, 0.9) if "fortune" in expansions else None,
        cavern_cubes=some(chance, 0, 2, 0.1),
        typed_points={card: chance.randint(-2, 9) for card in sorted(standing) if is_typed(card)} or None,
        villagers=chance.sample(SQUARES, chance.randint(0, 3)) if "villagers" in expansions else None,
    )
    if "statue_of_the_bondmaker" in standing and at["cottage"]:
        facts["bondmaker_cubes"] = {chance.choice(at["cottage"]): chance.choice(RESOURCES)}
    if "opaleyes_watch" in standing:
        facts["opaleye_remaining"] = chance.sample(cards, chance.randint(0, 3))
    return {"grid": [grid[start : start + 4] for start in range(0, 16, 4)], **facts}


def is_typed(card: str) -> bool:
    """Return whether the players count the points of this card themselves."""
    return card.startswith("other_")


# -- Copenhagen --------------------------------------------------------------------------------------------------------

COATS = {(3, 3), (5, 5), (2, 7), (4, 9)}
COAT_FLOORS = (2, 4, 6)
SPECIAL = "white-1"


def turned(pattern: Sequence[str]) -> list[list[Space]]:
    """Return every way to lay a tile as its spaces. The brickwork, if any, is first, at (0, 0)."""
    cells = [(x, -y, letter) for y, row in enumerate(pattern) for x, letter in enumerate(row) if letter != "."]
    cells.sort(key=lambda cell: cell[2] != "B")
    zero_x, zero_y, _ = cells[0]
    found = set()
    for flip in (1, -1):
        spaces = [((x - zero_x) * flip, y - zero_y) for x, y, _ in cells]
        for _ in range(4):
            spaces = [(y, -x) for x, y in spaces]
            found.add((spaces[0], *sorted(spaces[1:])))
    return [list(one) for one in sorted(found)]


def copenhagen(box: Box, chance: random.Random) -> Json:
    """Draw a table of houses built turn by turn from one stock, as grids or as tiles."""
    names = seated(chance, 2, 4)
    sizes = box.tiles["copies"][str(len(names))]
    stock = Counter({kind: sizes[kind[-1]] for kind in box.kinds if kind != SPECIAL})
    stock[SPECIAL] = box.tiles["special"]["copies"]

    def own(_: int) -> Json:
        tiles = laid(box, chance, stock)
        if chance.random() < 0.5:
            return {"tiles": tiles}
        letters = {tuple(cell): "W" for tile in tiles for cell in tile["cells"]}
        letters |= {tuple(tile["brick"]): "B" for tile in tiles if "brick" in tile}
        return {"grid": ["".join(letters.get((x, y), ".") for x in range(1, 6)) for y in range(9, 0, -1)]}

    def typed() -> dict[str, int]:
        return {"floors": chance.randint(0, 5), "window_floors": 2 * chance.randint(0, 2), "columns": 2}

    found = players(chance, names, own, typed)
    for player in found:
        if "typed" in player and chance.random() < 0.5:
            player["empty_spaces"] = chance.randint(0, 45)
    end = chance.choice(("card", "card", "points", None, None, None, None, None))
    return {"game": "copenhagen", "table": known(end=end), "players": found}


def laid(box: Box, chance: random.Random, stock: Counter[str]) -> list[Json]:
    """Build a house by the rules: low tiles first, and a special tile as soon as a coat of arms is earned."""
    house: set[Space] = set()
    tiles: list[Json] = []
    for _ in range(chance.choice((0, 3, 8, 12, 14))):
        drops = [drop for _ in range(50) if (drop := dropped(box, chance, house, stock))]
        if not drops:
            break
        kind, cells = min(drops[:3], key=lambda found: max(floor for _, floor in found[1]))
        before = coats(house)
        house.update(cells)
        stock[kind] -= 1
        tiles.append({"tile": kind, "cells": [list(cell) for cell in sorted(cells)], "brick": list(cells[0])})
        earned = coats(house) - before
        while earned and stock[SPECIAL] and chance.random() < 0.7:
            free = [(x, y) for x in range(1, 6) for y in range(1, 10) if (x, y) not in house and rests([(x, y)], house)]
            if not free:
                break
            cell, before = chance.choice(free), coats(house)
            house.add(cell)
            stock[SPECIAL] -= 1
            tiles.append({"tile": SPECIAL, "cells": [list(cell)]})
            earned += coats(house) - before - 1
    return tiles


def dropped(
    box: Box, chance: random.Random, house: set[Space], stock: Mapping[str, int]
) -> tuple[str, list[Space]] | None:
    """Try to lay a random tile at a random place."""
    kind = chance.choice([kind for kind in box.kinds if kind != SPECIAL and stock[kind] > 0] or [""])
    if not kind:
        return None
    column, floor = chance.randint(1, 5), chance.randint(1, 9)
    cells = [(x + column, y + floor) for x, y in chance.choice(box.kinds[kind])]
    fits = all(1 <= x <= 5 and 1 <= y <= 9 and (x, y) not in house for x, y in cells)
    return (kind, cells) if fits and rests(cells, house) else None


def rests(cells: Sequence[Space], house: set[Space]) -> bool:
    """Return whether a tile lies on the ground or on another tile."""
    return any(y == 1 or (x, y - 1) in house for x, y in cells)


def coats(house: set[Space]) -> int:
    """Return the number of special actions that a house has earned."""
    floors = sum(all((x, floor) in house for x in range(1, 6)) for floor in COAT_FLOORS)
    return len(COATS & house) + floors


# -- Old London Bridge -------------------------------------------------------------------------------------------------


def old_london_bridge(box: Box, chance: random.Random) -> Json:
    """Draw a table with base or expert faces: bridges by building, or only counted."""
    names = seated(chance, 2, 4)
    count = len(names)
    expert = chance.random() < 0.7
    faces = {zone: chance.choice(found) if expert else found[0] for zone, found in box.faces.items()}
    numbers = chance.sample(range(1, 61), 60)
    by_steps = chance.choices(range(13), k=count)
    zeros = box.zeros[str(count)]
    squared = faces["gate"]["id"] == "unused_tiles_squared"  # pays for the tiles instead

    def own(seat: int) -> Json:
        built = bridge(chance, [numbers.pop() for _ in range(15)], 12 if chance.random() < 0.75 else 10)
        gate = chance.randint(0, 14)
        cards = {str(value): number for value in range(1, 5) if (number := chance.randint(0, 2))}
        rounds = {zone: chance.randint(0, 6) for zone, face in faces.items() if face.get("per_round")}
        return known(
            coins=chance.randint(0, 40),
            chapel_steps=by_steps[seat],
            gate_steps=gate,
            cards={"0": zeros, **cards} if chance.random() < 0.8 else cards,
            unused_tiles=chance.randint(0, min(gate // 3, 4)),
            last_coin_space=chance.choice((0, 1, 2, 3, 5)),
            round_winnings=rounds if rounds and chance.random() < 0.7 else None,
            replaced=12 - len(built) if chance.random() < 0.3 else None,
            **({"bridge": built} if chance.random() < 0.5 else {"summary": counted(chance, built)}),
        )

    def typed() -> dict[str, int]:
        return {"coins": chance.randint(0, 40), "chapel": 0, **({} if squared else {"bonus": chance.randint(0, 3)})}

    found = players(chance, names, own, typed)
    for before, player in itertools.pairwise(found):
        if "bridge" in player and player["bridge"] == before.get("bridge"):  # no number is there twice
            player["summary"] = counted(chance, player.pop("bridge"))
    steps = {player["name"]: player.get("chapel_steps", by_steps[seat]) for seat, player in enumerate(found)}
    for player in found:
        if "typed" in player and chance.random() < 0.5:
            player["chapel_steps"] = steps[player["name"]]
        elif "chapel_steps" in player and faces["chapel"]["id"] == "base" and chance.random() < 0.1:
            player["chapel_moved"] = player.pop("chapel_steps") > 0
    order = sorted(chance.sample(names, count), key=lambda name: -steps[name])
    table: dict[str, Json] = {"empty_costs": {"1": 1, "2": 3, "3": 6, "4": 10, "5+": 15}}
    if expert:
        table["scoring"] = {zone: face["id"] for zone, face in faces.items()}
    if chance.random() < 0.8:
        table["chapel_order"] = order
    if chance.random() < 0.2:
        table["hand_8plus"] = chance.choice((9, 11))
    return {"game": "old_london_bridge", "table": table, "players": found}


def bridge(chance: random.Random, numbers: list[int], length: int) -> list[str]:
    """Lay numbers in random order, with a garden wherever a number would rise."""
    found: list[str] = []
    last = 61
    for number in sorted(numbers, reverse=True) if chance.random() < 0.6 else numbers:
        if number >= last or chance.random() < 0.1:
            found.append("P")
            last = 61
        if number < last:
            found.append(f"{chance.choice('CGIEU')}{number}")
            last = number
    return found[:length]


def counted(chance: random.Random, built: Sequence[str]) -> Json:
    """Count the buildings of a bridge, without some values that follow from others."""
    rows = [list(row) for garden, row in itertools.groupby(built, lambda one: one == "P") if not garden]
    types = Counter(one[0] for one in built)
    summary = {
        "buildings": len(built),
        "types": {letter: types[letter] for letter in "CGIEUP"},
        "longest": max(map(len, rows), default=0),
        "low30": sum(one != "P" and int(one[1:]) <= 30 for one in built),
        "sets": min(types[letter] for letter in "CGIEUP"),
    }
    if chance.random() < 0.3:
        del summary[chance.choice(["types", "longest", "low30", "sets"])]
    return summary


# -- Pier 18 -----------------------------------------------------------------------------------------------------------


def pier_18(_: Box, chance: random.Random) -> Json:
    """Draw a table of piers, as rows or card by card, with plans."""
    names = seated(chance, 2, 3)
    cards, patrons = {2: (6, 4), 3: (5, 3)}[len(names)]
    each = chance.choice((2, 3))
    days = chance.sample([f"{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29)], len(names))

    def section() -> str:
        return "".join(chance.choice("SPLF....") for _ in "AB")

    def own(_seat: int) -> Json:
        if chance.random() < 0.5:
            return {"rows": [section() for _ in range(chance.randint(cards - 1 + each, cards * each))]}
        pier: list[Json] = [{"sections": [section() for _ in range(each)]} for _ in range(cards)]
        for card in pier[1:]:
            card |= known(covers=some(chance, 0, each - 1, 0.6))
        return {"cards": pier}

    def typed() -> dict[str, int]:
        lines = {rule: chance.randint(0, 4) for rule in ("flower_sellers", "poets", "fishers", "plan")}
        return {**lines, "lovers": 2 * chance.randint(0, 2)}

    found = players(chance, names, own, typed)
    left = patrons
    for seat, player in enumerate(found):
        mine = left if seat == len(found) - 1 else chance.randint(0, left)
        left -= mine
        if "typed" in player:
            if "total" not in player["typed"]:
                player["typed"]["patrons"] = mine
            if chance.random() < 0.6:
                player |= {"symbols": chance.randint(14, 16), "plan_date": days[seat]}
            continue
        if seat < len(found) - 1 or chance.random() < 0.7:
            player["patrons"] = mine
        achieved = chance.random() < 0.4
        date = days[seat] if chance.random() < 0.7 else None
        points = some(chance, 1, 6, 0.2)
        player["plan"] = {"achieved": achieved, **known(date=date, points=points)}
        if chance.random() < 0.2:
            player["plan"]["card"] = {"name": f"Plan {seat}", "points": 3, "sections": [".."] * each}
    table = known(
        sections_per_card=each if chance.random() < 0.6 else None,
        lovers_across=chance.choice(("ignore", "must_be_empty", None)),
        plan_points=some(chance, 2, 5, 0.2),
    )
    return {"game": "pier_18", "table": table, "players": found}


# -- Tenby -------------------------------------------------------------------------------------------------------------

FEATURES = {
    "bench": 2,
    "bin": 2,
    "binoculars": 1,
    "chimney": 2,
    "cloud": 4,
    "flower_box": 3,
    "lamp_post": 2,
    "lobster_box": 3,
    "porch": 1,
    "seagull": 3,
    "shutters": 3,
}
ICONS = ("town", "terrace", "home", "business", "pier", "landmark")
COLOURS = ("red", "yellow", "green", "blue", "purple")
COUNTABLE = (*FEATURES, *ICONS, *COLOURS, "unique_colours", "completed_streets")
MODES = ("open_sea", "ebb_flow", "high_tide")


def tenby(_: Box, chance: random.Random) -> Json:
    """Draw a table of towns or of scoring cards alone, with any accolades and rulings."""
    names = seated(chance, 1, 5 if chance.random() < 0.2 else 3)

    def own(_seat: int) -> Json:
        people = [resident(chance) for _ in range(chance.randint(0, 2))]
        if chance.random() < 0.15:
            paid = [{"name": f"Resident {n}", "type": "typed", "points": chance.randint(0, 9)} for n in range(2)]
            cards = [quick_card(chance) for _ in range(chance.randint(0, 8))]
            return {"cards": cards, "residents": paid, **known(completed_streets=some(chance, 0, 3, 0.5))}
        return {"streets": [street(chance) for _ in range(chance.randint(0, 4))], "residents": people}

    def typed() -> dict[str, int]:
        return {"card": chance.randint(0, 40), "resident": chance.randint(0, 15)}

    found = players(chance, names, own, typed)
    for player in found:
        if "typed" in player and chance.random() < 0.5:
            player |= {"completed_streets": chance.randint(0, 3), "resident_cards": chance.randint(1, 2)}
    table: dict[str, Json] = {}
    if chance.random() < 0.5:
        table["rulings"] = {
            "gold_unique_own": chance.choice(("exclude", "include")),
            "secret_tie": chance.choice(("full", "share")),
            "zero_accolade": chance.choice(("share", "nobody")),
        }
    mode = chance.choice(("", *MODES))
    if mode:
        modes = {mode, *([chance.choice(MODES)] if chance.random() < 0.3 else [])}
        cards = [card for one in sorted(modes) for card in accolades(chance, one, one == mode, found)]
        table["accolades"] = {"mode": mode, "cards": chance.sample(cards, len(cards))}
    return {"game": "tenby", "table": table, "players": found}


def target(chance: random.Random) -> Json:
    """Draw what a card counts: one thing, or two together."""
    if chance.random() < 0.2:
        return chance.sample((*FEATURES, *ICONS, "completed_streets"), 2)
    return chance.choice(COUNTABLE)


def quick_card(chance: random.Random) -> Json:
    """Draw a scoring card whose matches are already counted."""
    kind = chance.choice(({"type": "flat"}, {"type": "per", "seen": chance.randint(0, 5)}))
    return {**kind, "points": chance.randint(0, 5)}


def street(chance: random.Random) -> Json:
    """Lay cards with matching edges, the sea only at the ends, and one landmark at most."""
    edges = [
        chance.choice(("sea", "pier", "terrace")),
        *chance.choices(("pier", "terrace"), k=chance.randint(0, 4)),
        chance.choice(("sea", "pier", "terrace")),
    ]
    if edges == ["sea", "sea"]:
        edges[1] = "pier"
    cards: list[Json] = []
    for left, right in itertools.pairwise(edges):
        cards.append(town_card(chance, left, right, all(card["deck"] != "landmark" for card in cards)))
    return cards


def town_card(chance: random.Random, left: str, right: str, landmark: bool) -> Json:
    """Draw a town card with these edges."""
    base = "terrace" if "terrace" in (left, right) else "pier"
    card: dict[str, Json] = {
        "deck": chance.choice((base, base, "landmark") if landmark else (base,)),
        "base": base,
        "edges": [left, right],
        "features": {name: chance.randint(0, FEATURES[name]) for name in chance.sample(sorted(FEATURES), 3)},
        "buildings": chance.choices((*COLOURS, "white"), k=chance.randint(0, 2)),
    }
    if chance.random() < 0.5:
        card["subtype"] = chance.choice(("home", "business", "none"))
    if chance.random() < 0.15:
        card["icons"] = {chance.choice(ICONS): chance.randint(0, 3)}
    kind = chance.choice(("none", "flat", "per", "per", "per"))
    if kind == "flat":
        card["score"] = {"type": "flat", "points": chance.randint(0, 9)}
    elif kind == "per":
        range_ = chance.choice(("white", "grey", "gold"))
        score = {"type": "per", "target": target(chance), "points": chance.randint(1, 5), "range": range_}
        if range_ == "grey":
            score["direction"] = chance.choice(("both", "left", "right"))
        if "unique_colours" in score["target"] and not card["buildings"]:
            card["buildings"] = [chance.choice(COLOURS)]
        card["score"] = score
    return card


def resident(chance: random.Random) -> Json:
    """Draw a resident whose higher tiers need more and pay no less."""
    tiers, at_least, low, high = [], 0, 0, 0
    for _ in range(chance.randint(1, 3)):
        at_least, low, high = at_least + chance.randint(1, 3), low + chance.randint(0, 2), high + chance.randint(0, 3)
        tiers.append({"at_least": at_least, "incomplete": low, "complete": max(low, high)})
    kind = chance.choice(("each", "each", "single", "single", "single", "typed"))
    if kind == "each":
        return {"name": "Every street", "type": "each", "target": target(chance), **tiers[0]}
    if kind == "typed":
        return {"name": "Neither", "type": "typed", "points": low}
    return {"name": "One street", "type": "single", "target": target(chance), "tiers": chance.sample(tiers, len(tiers))}


def accolades(chance: random.Random, mode: str, is_main: bool, found: Sequence[Json]) -> list[Json]:
    """Draw the accolades of one mode. Only cards of another mode than the table's name their mode."""
    number = {"open_sea": chance.randint(1, 3), "ebb_flow": len(found), "high_tide": len(found) + 1}[mode]
    cards: list[Json] = [{"name": f"{mode} {index}", "target": target(chance)} for index in range(number)]
    names = [player["name"] for player in found]
    for index, card in enumerate(cards):
        if mode == "ebb_flow":
            card |= {"holder": names[index], **known(revealed=chance.choice((True, False, True, False, None)))}
        if mode == "high_tide":
            card |= known(active=chance.choice((True, False, True, False, None)))
        if not is_main:
            card["mode"] = mode
        if chance.random() < 0.15 or any("streets" not in player for player in found):
            card["amounts"] = {name: chance.randint(0, 6) for name in names}
            if chance.random() < 0.4:
                del card["target"]
    return cards


MAKERS: Mapping[str, Maker] = {
    "copenhagen": copenhagen,
    "old_london_bridge": old_london_bridge,
    "pier_18": pier_18,
    "tenby": tenby,
    "tiny_towns": tiny_towns,
}
# Questions that somebody at the table has answered, as `table/confirmed` names them.
CONFIRMED = {
    "old_london_bridge": (
        "/players/0/bridge:fewer_than_12_buildings",
        "/players/1/summary/buildings:fewer_than_12_buildings",
    ),
    "tenby": ("/players/0/streets/0/0/buildings:white_building", "/players/0/residents/0/target:never_reached"),
    "tiny_towns": ("/players/0/coins:coins_not_given", "/players/1/warehouse_cubes:warehouse_cubes_not_given"),
}


def made(game: str, box: Box, chance: random.Random) -> Json:
    """Draw a record of this game, sometimes with answered questions."""
    record = MAKERS[game](box, chance)
    if game in CONFIRMED and chance.random() < 0.1:
        record["table"]["confirmed"] = chance.sample(CONFIRMED[game], chance.randint(1, 2))
    return record


# -- broken ------------------------------------------------------------------------------------------------------------

WRONG: tuple[Json, ...] = (None, True, False, 0, 1, -1, 7, 10**6, 2.5, "", "?", "unknown", [], {}, ["A1"], {"x": 1})


def places(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside a record."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in inside:
        yield (*path, key)
        yield from places(child, (*path, key))


def broken(record: Json, chance: random.Random) -> Json:
    """Break a record in one to three places, sometimes as slightly as a typing error."""
    record = copy.deepcopy(record)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        found = list(places(record))
        if not found:
            break
        spoil(record, found, chance)
    return record


def spoil(record: Json, found: Sequence[tuple[Any, ...]], chance: random.Random) -> None:
    """Change, copy, swap, remove or add one value."""
    *way, last = chance.choice(found)
    inner = at(record, way)
    value, what = inner[last], chance.random()
    if what < 0.15:
        del inner[last]
    elif what < 0.25 and isinstance(inner, list):
        inner.insert(last, copy.deepcopy(value))
    elif what < 0.3 and isinstance(inner, dict):
        inner[chance.choice(("shoe size", "typed", "grid", "A1", "name"))] = copy.deepcopy(chance.choice(WRONG))
    elif what < 0.55 and isinstance(inner, list):
        other = chance.randrange(len(inner))
        inner[last], inner[other] = inner[other], value
    elif what < 0.65 and isinstance(value, int):
        inner[last] = value + chance.choice((-1, 1, 2, 10))
    elif what < 0.8:
        inner[last] = copy.deepcopy(at(record, chance.choice(found)))
    else:
        inner[last] = copy.deepcopy(chance.choice(WRONG))


def at(value: Json, path: Sequence[Any]) -> Json:
    """Return the value at a path."""
    for step in path:
        value = value[step]
    return value


def stands_at(record: Json, where: str) -> Json:
    """Return the value at a JSON Pointer, or None if there is no such place."""
    for step in where.split("/")[1:]:
        if isinstance(record, list):
            record = record[int(step)] if step.isdecimal() and int(step) < len(record) else None
        else:
            record = record.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(record, dict) else None
    return record


# -- what is in files --------------------------------------------------------------------------------------------------


def is_known(record: Json) -> bool:
    """Return whether 0.7 knows the game and all its cards. Monuments may be named by their cards."""
    text = json.dumps(record)
    return record["game"] in MAKERS and not any(card in text or monument(card) in text for card in NEW_CARDS)


def monument(card: str) -> str:
    """Return a record's value for a monument that is named by its card's title."""
    return f'"monument": "{card.replace("_", " ").title()}"'


def examples(*folders: Path) -> Iterator[Json]:
    """Yield the records of the games' own examples, each once."""
    seen: set[str] = set()
    for file in sorted(file for games in folders for file in games.glob("*/examples/*.toml")):
        record = tomllib.loads(file.read_text("utf-8"))["state"]
        packed = json.dumps(record, sort_keys=True)
        if packed not in seen:
            seen.add(packed)
            yield record


def collected(folder: Path) -> Iterator[Json]:
    """Yield the records in a folder of JSON Lines. A line is a record, or has one as `record`."""
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            if line.strip():
                one = json.loads(line)
                yield one.get("record", one)
