"""`score` turns a record into a result, whatever the game: read once, checked, scored, ranked, written down.

`score` itself raises nothing, whatever it is given: records come from forms, files, photographs and strangers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from scorer import games
from scorer.contract import Game, Json, Loaded, Problem, StateError
from scorer.ranking import rank
from scorer.reading import Typed
from scorer.result import Result, refused, scored
from scorer.sentences import in_a_row, say


def score(record: Json) -> Result:
    """The result of a record, or every reason why it has none."""
    if not isinstance(record, dict):
        return refused("", [Problem("unreadable", say("A record is a JSON object with game, table and players."))])
    name = record.get("game")
    game = games.find(name) if isinstance(name, str) else None
    if game is None:
        known = say("Name one of the games we know: {games}.", games=in_a_row(games.names()))
        return refused("", [Problem("unknown_game", known, "/game")])
    return score_as(game, record)


def score_as(game: Game, record: Json) -> Result:
    """Like `score`, for a game in hand."""
    return judge(game, load(game, record))


def load(game: Game, record: Json) -> Loaded:
    """The record as far as it can be read."""
    try:
        return Loaded(record, game.load(record))
    except StateError as unreadable:
        return Loaded(record, unreadable.state, unreadable.problems)


def judge(game: Game, loaded: Loaded) -> Result:
    """The result of a record that has been read."""
    if loaded.faults:
        return refused(game.id, [*loaded.faults, *_also_illegal(game, loaded)], game.version)
    problems = game.validate(loaded.state)
    if any(problem.level == "error" for problem in problems):
        return refused(game.id, problems, game.version)
    sheets = game.score(loaded.state)
    return scored(game, sheets, rank(sheets, game.ladder), problems)


def without(game: Game, loaded: Loaded, seats: Collection[int]) -> Loaded:
    """The same table with empty typed sheets in these seats, whose faults are then nobody's."""
    if not seats or loaded.state is None:
        return loaded
    players = tuple(
        Typed(player.name, ()) if number in seats else player for number, player in enumerate(loaded.state.players)
    )
    faults = tuple(fault for fault in loaded.faults if not _concerns(fault, seats))
    if any(f"{fault.where}/".startswith("/table/") for fault in faults) and all(isinstance(p, Typed) for p in players):
        return load(game, _emptied(loaded.record, seats))  # without a board the table may need less
    return Loaded(loaded.record, replace(loaded.state, players=players), faults)


def _concerns(fault: Problem, seats: Collection[int]) -> bool:
    """Whether the fault lies in what a player of these seats has; her name stays hers."""
    _, *parts = fault.where.split("/")
    return parts[:1] == ["players"] and parts[1:2] in [[str(seat)] for seat in seats] and parts[2:] != ["name"]


def _emptied(record: Json, seats: Collection[int]) -> Json:
    players = [
        {**{name: player[name] for name in ("name",) if name in player}, "typed": {}} if number in seats else player
        for number, player in enumerate(record["players"])
    ]
    return {**record, "players": players}


def _also_illegal(game: Game, loaded: Loaded) -> list[Problem]:
    """What the rules forbid in the readable part of a record.

    A value that could not be read leaves a hole, which `load` fills with something no rule objects to. What is said of
    the hole itself, or of something around it, may be its echo all the same and is not repeated.
    """
    if loaded.state is None:
        return []
    holes = [fault.where for fault in loaded.faults if fault.code != "unknown_field"]
    return [p for p in game.validate(loaded.state) if not any(_echoes(p.where, hole) for hole in holes)]


def _echoes(where: str, hole: str) -> bool:
    """Whether a fault found at `where` may come from the hole: it lies inside or around it.

    How many play concerns the table as a whole, but no player's own end state.
    """
    if hole == "/players":
        return not where.startswith("/players/")
    return (where + "/").startswith(hole + "/") or (hole + "/").startswith(where + "/")
