"""Tell why a file cannot be taken in: a code and its values, which can be kept, and the sentence that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorer.sentences import Sentence, Value, say
from webapp.clubs import quotas

NO_VALUES: Mapping[str, str | int] = {}
# Each code with its sentence. `where` is the number of a game in the file, or the name of another part of it.
SENTENCES: dict[str, Callable[..., Sentence]] = {
    "unreadable": lambda: say("The file can’t be read to its end."),
    "not_json": lambda line, column: say(
        "This is not JSON from line {line}, column {column}.", line=line, column=column
    ),
    "twice": lambda line, column, key: say(
        "Line {line}, column {column}: {key} stands twice in one object. Leave one of them out.",
        line=line,
        column=column,
        key=key,
    ),
    "nested": lambda: say("The file is nested too deeply, or has far too many values in one place."),
    "newer": lambda: say("This file was made by a newer Tidemark than this one."),
    "full": lambda: quotas.full_of_plays(),
    "list": lambda part, most: say("{list} should be a list of at most {most}.", list=part, most=most),
    "remembered": lambda: say("The file remembers something that no table begins with."),
    "card": lambda: say("The file has a card that no box holds."),
    "match": lambda: say("The file has matches of an unknown kind."),
    "no_object": lambda where: say("{where} is no object.", where=where),
    "program": lambda where: say("{where} comes from a program that we do not know.", where=where),
    "origin": lambda where: say("{where} has an origin that we can’t read.", where=where),
    "minutes": lambda where: say("{where} has no sensible minutes.", where=where),
    "no_version": lambda where: say("{where} has no version.", where=where),
    "no_number": lambda where: say("{where} has an earlier version without a number.", where=where),
    "other_game": lambda where: say("{where} has an earlier version of another game.", where=where),
    "unknown_game": lambda where: say("{where} is of no game that we know.", where=where),
    "not_installed": lambda game: say(
        "The file has something of the game “{game}”. Install that game, then import the file again.", game=game
    ),
    "result": lambda where: say("{where} has a result that does not fit its record.", where=where),
    "scores": lambda where: say("{where} has scores that do not fit its record.", where=where),
    "line": lambda where: say("{where} has a line that is none.", where=where),
    "total": lambda where: say("{where} has a total that is not the sum of its lines.", where=where),
    "points": lambda where: say("{where} has points that the rules do not give.", where=where),
    "unshown": lambda where: say("{where} has a record that no page could show.", where=where),
    "score_pad": lambda where: say("{where} has a player without a score pad.", where=where),
    "tie_break": lambda where: say("{where} has a tie-break that is none.", where=where),
    "field": lambda where, field: say("{where} has no {field} that could be kept.", where=where, field=field),
    "bad_name": lambda where: say("{where} has a name that cannot be written.", where=where),
    "no_key": lambda where: say("{where} has no key.", where=where),
    "time": lambda where, field: say(
        "{where} has no {field} in UTC, as in 2026-01-31T20:00:00Z.", where=where, field=field
    ),
}


def told(code: str, values: Mapping[str, Any]) -> Sentence:
    """Return the sentence of a code with its values."""
    where: dict[str, Value] = {}
    if isinstance(values.get("where"), int):
        where = {"where": say("play {number}", number=values["where"])}
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
    return Refused(told(code, values), code, values)
