"""Check that a package has the form that the contract of a game asks for.

The functions of the package are not called here; the tests of a game do that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

from scorer import about
from scorer.cardbox import CardBox
from scorer.contract import (
    BoardInput,
    Cards,
    Companion,
    Count,
    Deal,
    Editor,
    Entry,
    Fact,
    Game,
    GridInput,
    Input,
    Photo,
    Step,
    TypedLines,
    WhatIf,
)
from scorer.record import TOTAL
from scorer.sentences import Sentence, say

SHAPES: dict[str, type | tuple[type, ...]] = {
    "name": Sentence,
    "players": range,
    "rules": Mapping,
    "ladder": tuple,
    "inputs": tuple,
    "names": tuple,
    "facts": Mapping,
    "version": str,
    "typed": TypedLines,
    "cards": Cards,
    "editor": Editor,
    "companion": (Companion, type(None)),
    "cardbox": (CardBox, type(None)),
    "deal": (Deal, type(None)),
    "what_if": (WhatIf, type(None)),
    "photo": (Photo, type(None)),
}
READER = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
MOST_SQUARES = 30  # in a row or a column: a photo cannot show more
FUNCTIONS = ("load", "dump", "validate", "score")


class NotAdmitted(Exception):
    """Report that a package does not keep the contract; `why` says what is wrong."""

    def __init__(self, why: Sentence) -> None:
        self.why = why
        super().__init__(why)


def admit(name: str, module: ModuleType) -> Game:
    """Return the module's `GAME`, whose id must be `name`; raise NotAdmitted if it does not keep the contract."""
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game) or not hasattr(module, "__path__"):
        raise NotAdmitted(say("{module} must be a folder that defines GAME = Game(…).", module=module.__name__))
    if game.id != name:
        raise NotAdmitted(say("GAME.id “{id}” must be the folder’s name, “{name}”.", id=str(game.id), name=name))
    for check in (_shapes, _contents, _typed_lines, _photo):
        for why in check(game):
            raise NotAdmitted(why)
    try:
        _compare(game, Path(module.__path__[0]))
    except about.UnreadableFile as fault:
        raise NotAdmitted(fault.message) from fault
    return game


def _shapes(game: Game) -> Iterator[Sentence]:
    for name, shape in SHAPES.items():
        if not isinstance(getattr(game, name), shape):
            wanted = shape if isinstance(shape, type) else shape[0]
            yield wrong_type(name, wanted.__name__)
    for name in (*FUNCTIONS, *(["asks"] if game.asks is not None else [])):
        if not callable(getattr(game, name)):
            yield wrong_type(name, "Callable")


def wrong_type(field: str, wanted: str) -> Sentence:
    return say("GAME.{field} must be of type {type}.", field=field, type=wanted)


def empty(field: str) -> Sentence:
    return say("GAME.{field} is empty.", field=field)


def twice(name: str, field: str) -> Sentence:
    return say("“{name}” is in GAME.{field} twice.", name=name, field=field)


def _contents(game: Game) -> Iterator[Sentence]:
    if not game.players or game.players[0] < 1 or game.players.step != 1:
        yield say("GAME.players must be a range such as range(2, 5).")
    if not game.rules:
        yield empty("rules")
    of_type: dict[str, tuple[Iterable[object], type]] = {
        "rules": (game.rules.values(), Sentence),
        "ladder": (game.ladder, Step),
        "inputs": (game.inputs, Input),
        "names": (game.names, str),
        "facts": (game.facts.values(), Fact),
        "typed.counts": (game.typed.counts, Count),
        "cards.catalogue": (game.cards.catalogue, Entry),
    }
    for name, (values, wanted) in of_type.items():
        if not all(isinstance(value, wanted) for value in values):
            yield wrong_type(name, f"Collection[{wanted.__name__}]")
    seen = set()
    for asked in game.inputs:
        if not hasattr(type(asked), "kind"):
            yield say("The input “{name}” needs a class such as NumberInput.", name=asked.name)
        if (asked.section, asked.name) in seen:
            yield twice(asked.name, "inputs")
        seen.add((asked.section, asked.name))


def _typed_lines(game: Game) -> Iterator[Sentence]:
    named = (*game.typed.limits, *(count.rule for count in game.typed.counts))
    for rule in named:
        if rule not in game.rules and rule != TOTAL:
            yield unknown_rule(rule, "GAME.typed")


def _photo(game: Game) -> Iterator[Sentence]:
    if game.photo is None:
        return
    reader, shape, labels = game.photo.reader, (game.photo.rows, game.photo.columns), game.photo.labels
    if not isinstance(reader, str) or not READER.fullmatch(reader):
        yield say("GAME.photo.reader must look like “package.module:READER”.")
    if not isinstance(labels, tuple) or not labels or not all(isinstance(label, str) for label in labels):
        yield wrong_type("photo.labels", "tuple[str, ...]")
    board = next((asked for asked in game.inputs if isinstance(asked, BoardInput)), None)
    fits = all(isinstance(side, int) and 0 < side <= MOST_SQUARES for side in shape)
    if not fits or not isinstance(board, GridInput) or board.size != shape:
        yield say("GAME.photo needs the size of the first GridInput, at most {most} by {most}.", most=MOST_SQUARES)


def _compare(game: Game, folder: Path) -> None:
    """Raise NotAdmitted if `about.toml` or `achievements.toml` in the folder contradicts the game."""
    players = about.about(folder).players
    if players not in (None, game.players):
        raise NotAdmitted(say("GAME.players must match about.toml."))
    for one in about.achievements(folder, game.id):
        if one.line and one.line not in game.rules:
            raise NotAdmitted(unknown_rule(one.line, "achievements.toml"))


def unknown_rule(rule: str, where: str) -> Sentence:
    return say("“{rule}” in {where} is not in GAME.rules.", rule=rule, where=where)
