"""A game on its way into the history, with earlier versions if it comes from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.contract import Json
from webapp.history.decision import Decision


@dataclass(frozen=True, slots=True)
class NewVersion:
    """An earlier version of a game that comes from elsewhere."""

    version: int
    saved_at: str
    record: Json
    decision: Decision


@dataclass(frozen=True, slots=True)
class NewPlay:
    """A game to be saved, perhaps with a history of its own from elsewhere."""

    record: Json
    decision: Decision
    played_at: str = ""
    notes: str = ""
    place: str = ""
    minutes: int | None = None
    table_key: str | None = None
    key: str = ""
    saved_at: str = ""
    version: int = 1
    deleted_at: str | None = None
    source: str = ""
    source_id: str = ""
    versions: tuple[NewVersion, ...] = field(default=())
    origin: str = ""  # JSON of what the program it came from told besides
