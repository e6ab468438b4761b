"""Refuse files with a code and values, which can be stored, and a sentence made from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorer.sentences import Sentence, Value, say
from webapp.clubs import quotas

NO_VALUES: Mapping[str, str | int] = {}
UNKNOWN_KIND = say("The file has a set-up, card or link of an unknown kind.")


def _no_valid(where: Value, field: str) -> Sentence:
    return say("{where} has no valid {field}.", where=where, field=field)


def _other_scores(where: Value) -> Sentence:
    return say("{where} has scores that don’t fit its record.", where=where)


def _bad_sheet(where: Value) -> Sentence:
    return say("{where} has a player without a valid score sheet.", where=where)


def _bad_version(where: Value) -> Sentence:
    return say("{where} has an earlier version that doesn’t fit.", where=where)


# Each code with its sentence. `where` is the number of a game in the file, or the name of another part of it.
SENTENCES: dict[str, Callable[..., Sentence]] = {
    "unreadable": lambda: say("The file is damaged or incomplete. Export it again."),
    "not_json": lambda line, column: say(
        "The file is not JSON at line {line}, column {column}.", line=line, column=column
    ),
    "twice": lambda line, column, key: say(
        "Line {line}, column {column}: {key} appears twice. Remove one of them.",
        line=line,
        column=column,
        key=key,
    ),
    "nested": lambda: say("The file is nested too deeply."),
    "newer": lambda: say("This file is from a newer Tidemark. Update this server first."),
    "full": lambda: quotas.full_of_plays(),
    "list": lambda part, most: say("{list} must be a list with at most {most} entries.", list=part, most=most),
    "remembered": lambda: UNKNOWN_KIND,
    "card": lambda: UNKNOWN_KIND,
    "match": lambda: UNKNOWN_KIND,
    "no_object": lambda where: say("{where} is not a JSON object.", where=where),
    "program": lambda where: say("{where} comes from an unknown program.", where=where),
    "origin": lambda where: _no_valid(where, "origin"),
    "minutes": lambda where: _no_valid(where, "minutes"),
    "no_version": lambda where: _no_valid(where, "version"),
    "no_number": _bad_version,
    "other_game": _bad_version,
    "unknown_game": lambda where: say("{where} has an unknown title.", where=where),
    "not_installed": lambda game: say("The file needs the game “{game}”. Install it first.", game=game),
    "result": _other_scores,
    "scores": _other_scores,
    "line": _bad_sheet,
    "total": _other_scores,
    "points": _other_scores,
    "unshown": lambda where: say("{where} has a record that can’t be shown.", where=where),
    "score_pad": _bad_sheet,
    "tie_break": _bad_sheet,
    "field": _no_valid,
    "bad_name": lambda where: say("{where} has a name with invisible characters.", where=where),
    "no_key": lambda where: _no_valid(where, "key"),
    "time": lambda where, field: say(
        "{where} has no {field} in UTC, such as 2026-01-31T20:00:00Z.", where=where, field=field
    ),
}


def sentence_of(code: str, values: Mapping[str, Any]) -> Sentence:
    """Return the sentence of a code, filled with its values."""
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
    """Return the exception for this code, to be raised."""
    return Refused(sentence_of(code, values), code, values)
