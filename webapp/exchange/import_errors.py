"""Refuses a file with a code and its values, which can be stored, and the sentence that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorer.sentences import Sentence, Value, say
from webapp.clubs import quotas

NO_VALUES: Mapping[str, str | int] = {}
# Each code with its sentence. `where` is the number of a game in the file, or the name of another part of it.
SENTENCES: dict[str, Callable[..., Sentence]] = {
    "unreadable": lambda: say("The file is damaged or incomplete. Export it again."),
    "not_json": lambda line, column: say(
        "The file is not valid JSON at line {line}, column {column}.", line=line, column=column
    ),
    "twice": lambda line, column, key: say(
        "Line {line}, column {column}: {key} appears twice. Remove one of them.",
        line=line,
        column=column,
        key=key,
    ),
    "nested": lambda: say("The file is not from Tidemark or BG Stats: it is nested too deeply."),
    "newer": lambda: say("This file is from a newer Tidemark. Update this server, then import it again."),
    "full": lambda: quotas.full_of_plays(),
    "list": lambda part, most: say("{list} must be a list with at most {most} entries.", list=part, most=most),
    "remembered": lambda: say("The file has a set-up that doesn’t fit its game."),
    "card": lambda: say("The file has a card of an unknown kind."),
    "match": lambda: say("The file links players or games in an unknown way."),
    "no_object": lambda where: say("{where} is not a JSON object.", where=where),
    "program": lambda where: say("{where} comes from an unknown program.", where=where),
    "origin": lambda where: say("{where} has no valid origin.", where=where),
    "minutes": lambda where: say("{where} has no valid number of minutes.", where=where),
    "no_version": lambda where: say("{where} has no valid version number.", where=where),
    "no_number": lambda where: say("{where} has an earlier version without a valid number.", where=where),
    "other_game": lambda where: say("{where} has an earlier version with a different title.", where=where),
    "unknown_game": lambda where: say("{where} has an unknown title.", where=where),
    "not_installed": lambda game: say(
        "The file needs the game “{game}”. Install it, then import the file again.", game=game
    ),
    "result": lambda where: say("{where} has a result that doesn’t fit its record.", where=where),
    "scores": lambda where: say("{where} has scores that don’t fit its record.", where=where),
    "line": lambda where: say("{where} has a line that is not valid.", where=where),
    "total": lambda where: say("{where} has a total that is not the sum of its lines.", where=where),
    "points": lambda where: say("{where} has points that don’t match its rules.", where=where),
    "unshown": lambda where: say("{where} has a record that can’t be shown.", where=where),
    "score_pad": lambda where: say("{where} has a player without a valid score sheet.", where=where),
    "tie_break": lambda where: say("{where} has a tie-break that is not valid.", where=where),
    "field": lambda where, field: say("{where} has no valid {field}.", where=where, field=field),
    "bad_name": lambda where: say("{where} has a name with invisible characters.", where=where),
    "no_key": lambda where: say("{where} has no valid key.", where=where),
    "time": lambda where, field: say(
        "{where} has no {field} in UTC, as in 2026-01-31T20:00:00Z.", where=where, field=field
    ),
}


def sentence_of(code: str, values: Mapping[str, Any]) -> Sentence:
    """Return the sentence of a code with its values."""
    where: dict[str, Value] = {}
    if isinstance(values.get("where"), int):
        where = {"where": say("Game {number}", number=values["where"])}
    return SENTENCES[code](**{**values, **where})


class Refused(ValueError):
    """The file cannot be taken in; the message says why."""

    def __init__(
        self, message: Sentence, code: str = "unreadable", values: Mapping[str, str | int] = NO_VALUES
    ) -> None:
        super().__init__(message)
        self.message, self.error = message, {"code": code, **values}


def refused(code: str, **values: str | int) -> Refused:
    """Return the refusal with this code, to be raised."""
    return Refused(sentence_of(code, values), code, values)
