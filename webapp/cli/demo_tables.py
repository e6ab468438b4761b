"""Make tables for the demo club from a game's examples, by small changes that the rules allow.

What players usually have at the end of a game is in the table `finished` of its `about.toml`.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files

from scorer.contract import Game, Json
from scorer.core import load, score_as
from scorer.result import Result
from webapp.database import pack
from webapp.table import json_paths, kinds, relevant_inputs
from webapp.themes import about

SEED = 19
CHANGES = 20  # changes tried on each table
TRIES = 12  # attempts to make a table legal and to settle its open facts
JOINED = 30  # boards made from parts of examples
SLACK = (0, 0, 1, 3)  # a change is kept if it leads at most so many points away from the goal
AIMS = (0.6, 1.05)  # players' goals, as shares of the points that their boards have or should have
# Shares of the best board among a game's examples. Many examples show only one rule.
LEAST = 0.25  # points of a board that can be developed into a finished one
FAIR = 0.5  # points that such a board should have
NEAR = 0.1  # how far the points may be from the goal
Scored = tuple[Json, Result]


def pool(game: Game, chance: random.Random, size: int) -> Iterator[str]:
    """Yield at most `size` texts, each a record of a finished game and its result, packed as JSON. The players are
    called @0@, @1@, …"""
    examples, best = finished_boards(game)
    made = 0
    for number in range(6 * size if examples else 0):
        seats = chance.randint(max(2, game.players[0]), min(4, game.players[-1]))
        table = varied_table(game, *examples[number % len(examples)], chance, seats, best)
        if table is not None:
            yield json.dumps(table, ensure_ascii=False)
            made += 1
            if made == size:
                return


def finished_boards(game: Game) -> tuple[list[tuple[Json, list[Json]]], int]:
    """Return pairs of an example and those of its boards that could end a game; then the best total of all examples."""
    scored = [(example, score_as(game, example)["players"]) for example in example_tables(game)]
    best = max((player["total"] for _, players in scored for player in players), default=0)
    found = []
    for example, players in scored:
        both = zip(example["players"], players, strict=True)
        boards = [board for board, player in both if player["total"] >= LEAST * best]
        found += [(example, boards)] if boards else []
    if "joined" in usual_end(game):
        boards = list(joined_boards(game, [board for _, boards in found for board in boards]))
        found = [(example, boards) for example, _ in found]
    return found, best


def joined_boards(game: Game, parts: Sequence[Json]) -> Iterator[Json]:
    """Yield at most 30 boards, each joined from random boards in `parts`. How many are joined is in the game's
    `about.toml`, and so are the points that the result must have."""
    chance, says = random.Random(SEED), usual_end(game)  # noqa: S311
    for number in range(JOINED):
        board = joined(chance.choices(parts, k=says["joined"]))
        players = [{**board, "name": seat_name(seat)} for seat in range(game.players[0])]
        result = score_as(game, {"game": game.id, "table": {}, "players": players})
        if result["ok"] and says["points"][0] <= result["players"][0]["total"] <= says["winner"][1]:
            yield {**board, "name": seat_name(number)}


def usual_end(game: Game) -> Json:
    """Return what players usually have at the end of the game: the table `finished` of its `about.toml`."""
    return about(game.id).get("finished", {})


def joined(boards: Sequence[Json]) -> Json:
    """Return one board whose lists, such as its streets, have all entries of the lists in these boards."""
    found: Json = {}
    for key in {key: None for board in boards for key in board}:
        values = [board[key] for board in boards if key in board]
        found[key] = [one for value in values for one in value] if isinstance(values[0], list) else values[0]
    return found


def example_tables(game: Game) -> Iterator[Json]:
    """Yield the records of the game's examples, except those whose points were entered by hand without boards."""
    folder = files("scorer.games").joinpath(game.id, "examples")
    for file in sorted(folder.iterdir() if folder.is_dir() else (), key=lambda file: file.name):
        record = tomllib.loads(file.read_text(encoding="utf-8"))["state"]
        if not any("typed" in player for player in record["players"]):
            yield record


def varied_table(
    game: Game, example: Json, boards: Sequence[Json], chance: random.Random, seats: int, best: int
) -> Scored | None:
    """Return a varied record for `seats` players, with its result, or None if it is unsuitable.

    Each player has one of `boards`. A record is unsuitable if it is illegal or two players have the same board. It is
    also unsuitable if a player's points are outside the limits that `goals` returns. `best` is the best total of all
    examples.
    """
    chosen = chance.sample(range(len(boards)), min(seats, len(boards)))
    chosen += chance.choices(range(len(boards)), k=seats - len(chosen))
    chance.shuffle(chosen)
    names = {boards[board]["name"]: seat_name(seat) for seat, board in reversed(list(enumerate(chosen)))}
    absent = {player["name"] for player in example["players"]}
    record = {
        "game": game.id,
        "table": with_seat_names(example.get("table", {}), absent, names, seats, chance),
        "players": [{**boards[board], "name": seat_name(seat)} for seat, board in enumerate(chosen)],
    }
    found = scored_legally(game, record, chance)
    if found is None:
        return None
    aims, will_do = goals(game, found[1], chance, best)
    for _ in range(CHANGES):
        far = [seat for seat, points in enumerate(distances(found[1], aims)) if points >= 1]
        if not far:
            break
        varied = scored_legally(game, changed(game, found[0], chance, chance.choice(far)), chance)
        if (
            varied
            and len(varied[1]["problems"]) <= len(found[1]["problems"])
            and sum(distances(varied[1], aims)) <= sum(distances(found[1], aims)) + chance.choice(SLACK)
        ):
            found = varied
    alike = Counter(pack({**player, "name": ""}) for player in found[0]["players"])
    fits = all(low <= one["total"] <= high for one, (low, high) in zip(found[1]["players"], will_do, strict=True))
    return found if fits and max(alike.values()) == 1 else None


def goals(game: Game, result: Result, chance: random.Random, best: int) -> tuple[list[float], list[Json]]:
    """Return each player's goal in points, and then for each player the lowest and highest points that are near enough.
    If `about.toml` says which points are usual, both come from there, with those of a winner for the highest total.
    Otherwise both are derived from the player's own total and `best`, the best total of all examples."""
    totals, says = [player["total"] for player in result["players"]], usual_end(game)
    if "points" not in says:
        aims = [max(total, FAIR * best) * chance.uniform(*AIMS) for total in totals]
        return aims, [(aim - NEAR * best, aim + NEAR * best) for aim in aims]
    will_do = [says["points"] for _ in totals]
    will_do[totals.index(max(totals))] = says["winner"]
    return [chance.uniform(*ends) for ends in will_do], will_do


def distances(result: Result, aims: Sequence[float]) -> list[float]:
    """Return how far each player's total is above or below the goal in `aims`, in points without a sign."""
    return [abs(player["total"] - aim) for player, aim in zip(result["players"], aims, strict=True)]


def seat_name(seat: int) -> str:
    return f"@{seat}@"


def with_seat_names(table: Json, absent: set[str], names: dict[str, str], seats: int, chance: random.Random) -> Json:
    """Return a part of an example's table with the names of its players (`absent`) replaced.

    `names` has the new names of those whose boards are used. The other players become "@0@", and keys with their names
    are dropped. A list of players becomes a list of all `seats` new names in random order.
    """
    if isinstance(table, dict):
        values = {key: value for key, value in table.items() if key not in absent or key in names}
        return {
            names.get(key, key): with_seat_names(value, absent, names, seats, chance) for key, value in values.items()
        }
    if isinstance(table, list):
        if table and all(isinstance(one, str) and one in absent for one in table):
            everybody = [seat_name(seat) for seat in range(seats)]
            return chance.sample(everybody, seats)
        return [with_seat_names(value, absent, names, seats, chance) for value in table]
    if isinstance(table, str) and table in absent:
        return names.get(table, seat_name(0))
    return table


def scored_legally(game: Game, record: Json, chance: random.Random) -> Scored | None:
    """Return the record with its result as soon as that is legal and final, or None after twelve tries. Before each new
    try, random numbers break ties, or lists of names in an illegal table are shuffled."""
    for _ in range(TRIES):
        result = score_as(game, record)
        if result["ok"] and not result["needs"]:
            return record, result
        if result["ok"]:
            for need in result["needs"]:
                for where in need["where"]:
                    record = json_paths.put(record, json_paths.steps(where[1:]), chance.randint(0, 9))
        elif any(problem["where"].startswith("/players/") for problem in result["problems"]):
            return None
        else:
            record = {**record, "table": shuffled(record["table"], chance)}
    return None


def shuffled(table: Json, chance: random.Random) -> Json:
    """Return the table with every list of names in random order."""
    if isinstance(table, dict):
        return {key: shuffled(value, chance) for key, value in table.items()}
    if isinstance(table, list) and table and all(isinstance(one, str) and one.startswith("@") for one in table):
        return chance.sample(table, len(table))
    return table


def changed(game: Game, record: Json, chance: random.Random, seat: int | None = None) -> Json:
    """Return the record with one small random change on a board: a square, a number, or a piece less.

    The board is that of `seat` or, with None, of a random player.
    """
    seat = chance.randrange(len(record["players"])) if seat is None else seat
    player, inputs = record["players"][seat], relevant_inputs.inputs_of(game, load(game, record), seat)
    boards = [(board, json_paths.steps(board.asked.name)) for board in kinds.painted(inputs)]
    boards = [(board, path) for board, path in boards if json_paths.get(player, path) is not json_paths.ABSENT]
    if boards:
        board, path = chance.choice(boards)
        changed = json_paths.put(player, path, board.varied(json_paths.get(player, path), chance))
    else:
        path, value = chance.choice([*leaves(player)] or [(("name",), player["name"])])
        changed = (
            json_paths.put(player, path, max(0, value + chance.choice((-2, -1, 1, 2)))) if path != ("name",) else player
        )
    return {**record, "players": [changed if other is player else other for other in record["players"]]}


def leaves(value: Json, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the path and the value of each whole number in `value`, a part of a record at `path`."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, str(key)))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path, value
