"""The names that residents and accolades have until somebody names them.

A record holds them in English, like any name; whoever reads them is told them in her own language.
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
    """An accolade for the most of something."""
    return say("Most {things}", things=thing.many)


GOALS = {str(goal(thing)): goal(thing) for thing in THINGS.values()}
NUMBERED = {"Resident": resident, "Accolade": accolade}


def named(name: str) -> Sentence:
    """A name to read: one of ours in the reader's language, any other as it is."""
    return GOALS.get(name) or numbered(name) or as_it_is(name)


def numbered(name: str) -> Sentence | None:
    """A name that tells no more than the kind and a number, None for any other."""
    kind, _, number = name.partition(" ")
    if kind not in NUMBERED or not number.isdecimal():
        return None
    ours = NUMBERED[kind](int(number))
    return ours if ours == name else None


def is_named(name: Json) -> bool:
    """Return whether somebody has chosen that name: what begins like a number of ours tells nobody what it is."""
    return isinstance(name, str) and bool(name) and not name.startswith(tuple(f"{kind} " for kind in NUMBERED))
