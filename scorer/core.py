"""What all games have in common: the shapes they speak in, and `score`, which turns a record into a result.

A game is read, checked and scored by its own folder; this module only asks it to and wraps up what it says
(formats: README, "Records and results"). Three kinds of fault, never mixed:

    what is wrong                     how it is told
    cannot be read                    `load` raises StateError, which carries every Problem met while reading
    readable, but not legal           `validate` returns Problems, all at once; no totals are given
    legal, but worth a second look    a Problem of level "warning", which never blocks

`score` itself raises nothing, whatever it is given: records come from forms, files, photographs and strangers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scorer.cardbox import CardBox

Json = Any  # a value as `json.loads` gives it
Cell = str  # a square, "A1"; each game says in its docstring how it names its squares


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault, in words a player can act on, and the JSON Pointer of the value it concerns."""

    code: str
    message: str
    where: str = ""
    level: str = "error"


class StateError(ValueError):
    """The record cannot be read. `state` is what could be read all the same, so that it can be checked too."""

    def __init__(self, problems: Iterable[Problem], state: Any = None) -> None:
        self.problems = tuple(problems)
        self.state = state
        super().__init__("; ".join(f"{p.where or '/'}: {p.message}" for p in self.problems))


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the paper score pad."""

    rule: str
    label: str
    points: int
    why: str
    cells: tuple[Cell, ...] = ()
    cite: str = ""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """What a player brings to one rung of the ladder; `value` None if nobody has said, `where` to be said."""

    rule: str
    value: int | str | None
    why: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """A fact that changes the points and that nobody has entered; `where` it belongs.

    `label` asks for it in words where the input alone does not say which of several facts is meant.
    """

    input: str
    player: str
    where: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's score pad. The total is the sum of its lines and nothing else."""

    player: str
    lines: tuple[Line, ...]
    tiebreaks: tuple[TieBreak, ...] = ()
    needs: tuple[Need, ...] = ()
    rating: str = ""

    @property
    def total(self) -> int:
        return sum(line.points for line in self.lines)


@dataclass(frozen=True, slots=True)
class Step:
    """A rung of the tie-break ladder: the id, the words for it, and which value wins."""

    rule: str
    label: str
    prefers: str  # "fewest" (also: earliest, first) or "most"
    kind: str = "number"  # how it is asked for: "number" or "date"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values of an input: its label, a short mark and a colour, never the colour alone."""

    value: Json
    label: str
    mark: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Input:
    """A field of the form. `name` is the path of its value below the player or the table, "plan/achieved".

    Kinds: number, choice, choices (a list), flag, text, date, order (a list of the players' names), and the boards
    that are painted with a palette of choices: grid (rows of values) and letters (rows of one letter a square). Kind
    tiles is a row, from the left, of a letter of the choices each and perhaps a number ("C56"); `size` has its places.
    Kind data stands for a value that a page edits as a whole.
    """

    name: str
    label: str
    kind: str
    choices: tuple[Choice, ...] = ()
    low: int = 0
    high: int = 99
    of: str = "player"  # or "setup" (chosen when the table is laid) or "table" (known at the end)
    size: tuple[int, int] = (0, 0)  # rows and columns of a board
    cells: tuple[tuple[Cell, ...], ...] = ()  # the names of its squares, where they are not A1 at the top left
    default: Json = None
    optional: bool = False  # may be left blank
    in_doubt: bool = False  # not shown until `needs` asks for it
    tonight: bool = False  # belongs to this game alone; the club's next table begins without it
    help: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A card, tile or piece in the game's catalogue, told in our own words."""

    id: str
    name: str
    group: str
    text: str
    pattern: tuple[str, ...] = ()
    points: str = ""
    expansion: str = ""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The best that one small change would have brought: "swap B2 and C3: 31 instead of 28"."""

    total: int
    cells: tuple[Cell, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Companion:
    """Help while the game is still being played.

    Both functions take the record entered so far and what the companion was told, which grows from `blank` and is no
    part of a finished record (drafts keep it at table/companion). They never raise. Nothing asked, nothing offered.
    """

    name: str
    text: str
    asks: Callable[[Json, Json], tuple[Input, ...]]
    answer: Callable[[Json, Json], Json]  # plain JSON for the game's own page
    blank: Json = None


@dataclass(frozen=True, slots=True)
class Game:
    """Everything the rest of Tidemark knows of a game."""

    id: str
    name: str
    players: range
    rules: Mapping[str, str]  # line rule -> label, in the order of the score pad
    ladder: tuple[Step, ...]
    load: Callable[[Json], Any]
    dump: Callable[[Any], Json]
    validate: Callable[[Any], list[Problem]]
    score: Callable[[Any], list[Sheet]]
    version: str = "1"  # raised when a ruling changes, so that saved games can be scored again
    inputs: tuple[Input, ...] = ()
    catalogue: tuple[Entry, ...] = ()
    # The inputs of the table that make it another way of playing: statistics keep their values apart.
    variants: tuple[str, ...] = ()
    # What the painted boards of player number n show (input name -> rows), where the record holds them in another form.
    shows: Callable[[Json, int], Mapping[str, Json]] | None = None
    what_if: Callable[[Any, int], WhatIf | None] | None = None
    # What matters now, given all that is entered: the inputs of player number n, or of the table (None).
    # A game without this asks for all its inputs. Of a player who typed her lines only those in doubt are asked.
    asks: Callable[[Json, int | None], tuple[Input, ...]] | None = None
    # What the game's own editor page wants to know, such as the numbers a bridge still admits.
    guide: Callable[[Json, int], Json] | None = None
    companion: Companion | None = None
    cardbox: CardBox | None = None  # for games whose cards the players describe themselves


def score(record: Json) -> dict[str, Json]:
    """The result of a record, or every reason why it has none."""
    from scorer import games  # games import this module

    if not isinstance(record, dict):
        return _refused("", [Problem("unreadable", "A record is a JSON object with game, table and players.")])
    name = record.get("game")
    game = games.find(name) if isinstance(name, str) else None
    if game is None:
        known = ", ".join(games.names())
        return _refused("", [Problem("unknown_game", f"Name one of the games we know: {known}.", "/game")])
    return score_as(game, record)


def score_as(game: Game, record: Json) -> dict[str, Json]:
    """Like `score`, for a game in hand."""
    try:
        state = game.load(record)
        problems = game.validate(state)
    except StateError as unreadable:
        return _refused(game.id, [*unreadable.problems, *_also_illegal(game, unreadable)], game.version)
    if any(problem.level == "error" for problem in problems):
        return _refused(game.id, problems, game.version)
    return _result(game, game.score(state), problems)


def _also_illegal(game: Game, unreadable: StateError) -> list[Problem]:
    """What the rules forbid in the readable part of a record.

    A value that could not be read leaves a hole, which `load` fills with something no rule objects to. What is said of
    the hole itself, or of something around it, may be its echo all the same and is not repeated.
    """
    if unreadable.state is None:
        return []
    holes = [p.where for p in unreadable.problems if p.code != "unknown_field"]
    return [p for p in game.validate(unreadable.state) if not any(_echoes(p.where, hole) for hole in holes)]


def _echoes(where: str, hole: str) -> bool:
    """Whether a fault found at `where` may come from the hole: it lies inside or around it.

    How many play concerns the table as a whole, but no player's own end state.
    """
    if hole == "/players":
        return not where.startswith("/players/")
    return (where + "/").startswith(hole + "/") or (hole + "/").startswith(where + "/")


def _refused(game_id: str, problems: Sequence[Problem], version: str = "") -> dict[str, Json]:
    """Errors first: a warning is worth asking about once nothing else is wrong."""
    errors = [p for p in problems if p.level == "error"]
    return {
        "game": game_id,
        "ok": False,
        "problems": [_problem(p) for p in dict.fromkeys(errors)],
        "needs": [],
        "players": [],
        "winners": [],
        "decided_by": None,
        "rules_version": version,
    }


def _problem(problem: Problem) -> dict[str, str]:
    return {
        "code": problem.code,
        "message": problem.message,
        "where": problem.where,
        "level": problem.level,
    }


def _result(game: Game, sheets: list[Sheet], warnings: list[Problem]) -> dict[str, Json]:
    from scorer.ranking import stand  # ranking imports this module

    standing = stand(sheets, game.ladder)
    result: dict[str, Json] = {
        "game": game.id,
        "ok": True,
        "problems": [_problem(p) for p in dict.fromkeys(warnings)],
        "needs": standing.needs,
        "players": [
            {
                "name": sheet.player,
                "total": sheet.total,
                "rank": rank,
                "winner": sheet.player in standing.winners,
                "lines": [_line(line) for line in sheet.lines],
                "tiebreaks": [_tiebreak(t) for t in sheet.tiebreaks if t.value is not None],
            }
            for sheet, rank in zip(sheets, standing.ranks, strict=True)
        ],
        "winners": list(standing.winners),
        "decided_by": standing.decided_by,
        "rules_version": game.version,
    }
    if sheets[0].rating:
        result["rating"] = sheets[0].rating
    return result


def _line(line: Line) -> dict[str, Json]:
    return {
        "rule": line.rule,
        "label": line.label,
        "points": line.points,
        "why": line.why,
        "cells": list(line.cells),
        "cite": line.cite,
    }


def _tiebreak(tiebreak: TieBreak) -> dict[str, Json]:
    told = {"rule": tiebreak.rule, "value": tiebreak.value}
    return {**told, "why": tiebreak.why} if tiebreak.why else told
