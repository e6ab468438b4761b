"""Define why a file can be refused: each reason has a code and values, which are stored, and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorer.jsontext import not_json, twice
from scorer.sentences import Sentence, Value, say
from webapp.clubs import quotas

NO_VALUES: Mapping[str, str | int] = {}

# Each code with its sentence. `where` is the number of a game in the file, or the name of another part of it.
SENTENCES: dict[str, Callable[..., Sentence]] = {
    "unreadable": lambda: say("The file is damaged or incomplete. Export it again."),
    "not_json": not_json,
    "twice": twice,
    "newer": lambda: say("This file is from a newer Tidemark. Update this server first."),
    "full": lambda: quotas.full_of_plays(),
    "not_installed": lambda game: say("The file needs the game “{game}”. Install it first.", game=game),
    "field": lambda where, field: say(
        "{where} has no valid “{field}”. Export the file again.", where=where, field=field
    ),
}


def sentence_of(code: str, values: Mapping[str, Any]) -> Sentence:
    """Return the sentence for the code of an error; `values` fill its placeholders."""
    where: dict[str, Value] = {}
    if isinstance(values.get("where"), int):
        where = {"where": say("Game {number}", number=values["where"])}
    return SENTENCES[code](**{**values, **where})


class Refused(ValueError):
    """Signal that a file can't be imported; the message says why."""

    def __init__(
        self, message: Sentence, code: str = "unreadable", values: Mapping[str, str | int] = NO_VALUES
    ) -> None:
        super().__init__(message)
        self.message, self.error = message, {"code": code, **values}


def refused(code: str, **values: str | int) -> Refused:
    """Return the exception for the code of an error, to be raised; `values` fill the placeholders of its sentence."""
    return Refused(sentence_of(code, values), code, values)
