"""Read saved games, and merges of players under way, from a database of Tidemark 0.7."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.contract import Json
from scorer.names import folded
from webapp.database import Database, pack
from webapp.history import from_07
from webapp.history.saved_plays import Version

BATCH = 200  # games converted together
NAMES = re.compile("[\ufdd0-\ufdef]")  # placeholders for the names of seats in texts of 0.7


@dataclass(frozen=True, slots=True)
class OldVersion:
    """Hold one version of a game saved by 0.7: its record and result, with players' names, and the players' ids."""

    version: int
    saved_at: str
    record: Json
    result: Json
    player_ids: tuple[int, ...]


def merges_under_way(old: Database) -> dict[int, int]:
    """Return the players whom 0.7 was merging when it stopped: by the id to replace, the id that stays."""
    rows = old.execute("SELECT about FROM chores WHERE kind = 'merge' ORDER BY id").fetchall()
    into = {about["person"]: about["other"] for (text,) in rows for about in [json.loads(text)]}
    people = {number for (number,) in old.execute("SELECT id FROM players").fetchall()}
    found = {}
    for person in into:
        other = person
        for _ in into:
            other = into.get(other, other)
        if person in people and other in people:
            found[person] = other
    return found


def batches(old: Database) -> Iterator[list[dict[str, Any]]]:
    last = 0
    sql = "SELECT * FROM kept_plays WHERE id > ? ORDER BY id LIMIT ?"
    while rows := list(old.query(sql, [last, BATCH])):
        yield rows
        last = rows[-1]["id"]


def earlier_versions(old: Database, ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    for row in old.query(
        "SELECT * FROM play_versions WHERE play_id IN (SELECT value FROM numbers_in(?)) ORDER BY play_id, version",
        [pack(list(ids))],
    ):
        found.setdefault(row["play_id"], []).append(row)
    return found


def version_07(row: Mapping[str, Any], seats: Sequence[tuple[int, str]]) -> OldVersion:
    names = [name for _, name in seats]
    record, result = (json.loads(_with_names(row[name], names)) for name in ("record", "result"))
    return OldVersion(row["version"], row["saved_at"], record, result, tuple(player for player, _ in seats))


def _with_names(text: str, names: Sequence[str]) -> str:
    inside = [json.dumps(name, ensure_ascii=False)[1:-1] for name in names]
    return NAMES.sub(lambda found: inside[ord(found[0]) - 0xFDD0], text)


def is_same(old: OldVersion, new: Version) -> bool:
    """Return whether a converted version equals the old one in scores, record, players, number and time.

    Capital letters in names are ignored.
    """
    return (
        from_07.numbers(old.record, old.result) == from_07.numbers_of(new.decision)
        and folded(pack(from_07.record_from_07(old.record, old.result))) == folded(pack(new.record))
        and (old.version, old.saved_at, old.player_ids) == (new.version, new.saved_at, new.player_ids)
    )
