"""Make the names that residents and accolades have until players name them.

A record holds them in English, like any name; pages translate them.
"""

from __future__ import annotations

from scorer.contract import Json
from scorer.games.tenby.cards import THINGS, Thing
from scorer.sentences import Sentence, as_it_is, say


def resident(number: int) -> Sentence:
    return say("Resident {number}", number=number)


def accolade(number: int) -> Sentence:
    return say("Accolade {number}", number=number)


def goal(thing: Thing) -> Sentence:
    """Return the name of an accolade by its target, such as "Most benches"."""
    return say("Most {things}", things=thing.many)


GOALS = {str(goal(thing)): goal(thing) for thing in THINGS.values()}
NUMBERED = {"Resident": resident, "Accolade": accolade}


def named(name: str) -> Sentence:
    """Return a name as a sentence. A name made here can be translated, and any other stays as players entered it."""
    return GOALS.get(name) or numbered(name) or as_it_is(name)


def numbered(name: str) -> Sentence | None:
    """Return a name such as "Resident 2" as a sentence that can be translated, or None for any other name."""
    kind, _, number = name.partition(" ")
    if kind not in NUMBERED or not number.isdecimal():
        return None
    ours = NUMBERED[kind](int(number))
    return ours if ours == name else None


def is_named(name: Json) -> bool:
    """Return whether players chose this name; names that begin with "Resident " or "Accolade " are ours."""
    return isinstance(name, str) and bool(name) and not name.startswith(tuple(f"{kind} " for kind in NUMBERED))
