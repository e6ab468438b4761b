"""Describe a game that is to be saved, with earlier versions if it was imported."""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.contract import Json
from webapp.history.decision import Decision


@dataclass(frozen=True, slots=True)
class NewVersion:
    """Hold an earlier version of an imported game."""

    version: int
    saved_at: str
    record: Json
    decision: Decision


@dataclass(frozen=True, slots=True)
class NewPlay:
    """Hold a game to be saved; an imported game brings its key, times and versions."""

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
    origin: str = ""  # JSON of what else the other program said about it
