"""Check the origin of a play: what another program said about it that Tidemark doesn't use.

We hand it back when the play is exported.
"""

from __future__ import annotations

import json
from math import isfinite

from scorer.contract import Json
from webapp.exchange.checks import Where, text_of
from webapp.exchange.import_errors import refused

LONGEST = 16_000  # letters
OBJECTS, LISTS = {"play", "game", "place"}, {"scores", "expansions"}
TEXTS = {"uuid", "name"}


def check(value: Json, where: Where) -> None:
    """Raise Refused if the origin in `value`, a play in a file of ours, does not have the right form. `where` names the
    play in the message."""
    found = text_of(value, "origin", where, LONGEST)
    try:
        origin = json.loads(found)
    except (ValueError, RecursionError):
        origin = None
    if not _is_origin(origin):
        raise refused("field", where=where, field="origin")


def is_plain(value: Json) -> bool:
    """Return whether the value is a string, a finite number or a boolean."""
    return isinstance(value, str | int) or (isinstance(value, float) and isfinite(value))


def _is_origin(value: Json) -> bool:
    if not isinstance(value, dict) or set(value) != OBJECTS | LISTS:
        return False
    if not all(isinstance(value[key], list) for key in LISTS):
        return False
    every = [*(value[key] for key in OBJECTS), *value["scores"], *value["expansions"]]
    return all(
        isinstance(one, dict) and all(isinstance(one[key], str) if key in TEXTS else is_plain(one[key]) for key in one)
        for one in every
    )
