"""Reads a file that somebody brings: what it is, whether it can be taken in, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.contract import Json
from scorer.jsontext import NotJson, read_json
from scorer.sentences import say
from webapp.database import Database
from webapp.exchange import bgstats_in, foreign, tables, whole
from webapp.exchange.bgg import bgg_ids
from webapp.exchange.foreign import Foreign, Outcome, Refused

LARGEST = 64 * 1024 * 1024
DEEPEST = 30


@dataclass(frozen=True, slots=True)
class Found:
    """What a file holds: all of a club, or plays of another program."""

    club: Json = None
    foreign: Foreign | None = None


def understand(content: bytes) -> Found:
    """What the file is. Anything that is none of ours is refused in words."""
    if len(content) > LARGEST:
        raise Refused(say("The file is larger than {size} MB.", size=LARGEST // 2**20))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(say("The file is not text in UTF-8. From Excel, save as “CSV UTF-8”.")) from None
    if not text.lstrip().startswith(("{", "[")):
        return Found(foreign=tables.read(text))
    try:
        value = read_json(text)
    except NotJson as fault:
        raise Refused(fault.message) from None
    if is_deep(value):
        raise Refused(say("The file is nested too deeply."))
    if whole.is_one(value):
        return Found(club=value)
    if bgstats_in.is_one(value):
        return Found(foreign=bgstats_in.read(value))
    raise Refused(say("This JSON is neither ours nor that of BG Stats."))


def is_deep(value: Json) -> bool:
    """Whether the value is nested deeper than anything we ever write."""
    level: list[Json] = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def take_in(db: Database, club_id: int, content: bytes) -> Outcome:
    """Take a file in, with the matches as remembered and otherwise by name."""
    found = understand(content)
    if found.foreign is None:
        return whole.read(db, club_id, found.club)
    matches = foreign.matches(db, club_id, found.foreign, bgg_ids())
    return foreign.take_in(db, club_id, found.foreign, matches)
