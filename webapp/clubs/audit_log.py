"""Log who did what and when, for 90 days: saving, editing, deleting, importing, replacing links and so on.

Each entry is written in the transaction of its action, so neither exists without the other. An entry has the name and
role that the device had then; while the device exists, its current name is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from flask import has_request_context

from scorer.contract import Json
from scorer.names import folded
from webapp.clubs import access
from webapp.clubs.audit_entry import COMMAND, GUEST, STANDINGS, WHAT, AuditEntry
from webapp.database import Database, ago, now, pack

KEPT_DAYS = 90
SHOWN = 50  # on a page
LONGEST = 80  # characters of each text in an entry


# -- noting ---


def note(db: Database, club_id: int, what: str, *about: str, play_id: int | None = None) -> int:
    """Log that this device or the command line has done `what`, such as "renamed"; return the entry's id. `about` says
    whom or what it concerned, such as names. The entry is written in the caller's transaction."""
    assert what in WHAT
    row = {"club_id": club_id, "at": now(), "action": what, "play_id": play_id, **_doer(club_id)}
    return db.insert("audit_log", **row, about=pack(list(about)))


def note_of_game(db: Database, play_id: int, what: str) -> None:
    """Log in the club of a saved game that somebody has done `what` with it, such as "deleted"."""
    row = db.row("SELECT club_id FROM play_keys WHERE id = ?", play_id)
    assert row is not None
    note(db, row["club_id"], what, play_id=play_id)


def _doer(club_id: int) -> dict[str, Any]:
    if not has_request_context():
        return {"device_id": None, "role": COMMAND, "name": "", "kind": ""}
    membership = access.in_club(club_id)
    if membership is None:
        return {"device_id": None, "role": GUEST, "name": "", "kind": access.agent()}
    device = membership.device
    return {"device_id": device.id, "role": device.role, "name": device.name, "kind": device.kind}


# -- looking ---


def current_name(db: Database, club_id: int, name: str) -> str:
    """Return the name that a player of this name has now, after renaming and merging."""
    for (about,) in db.execute(
        """SELECT about FROM audit_log
        WHERE club_id = ? AND action IN ('renamed', 'merged') AND imported = 0 ORDER BY id""",
        [club_id],
    ).fetchall():
        before, after = two_names(about)
        if folded(before) == folded(name):
            name = after
    return name


def two_names(about: str) -> tuple[str, str]:
    """Return the names before and after a change, from `about`, the JSON text of a log entry. A missing name is ""."""
    names = json.loads(about)
    before, after, *_ = [*names, "", ""] if isinstance(names, list) else ["", ""]
    return str(before or ""), str(after or "")


def forget_name(db: Database, club_id: int, name: str) -> None:
    """Delete the entries on renaming, merging and removing a player, also under earlier names."""
    notes = db.execute(
        """SELECT id, about FROM audit_log
        WHERE club_id = ? AND action IN ('renamed', 'merged', 'unlisted') ORDER BY at DESC, id DESC""",
        [club_id],
    ).fetchall()
    names = {folded(name)}
    for number, about in notes:
        before, after = map(folded, two_names(about))
        if names & {before, after}:
            names |= {before} if after in names else set()
            db.execute("DELETE FROM audit_log WHERE id = ?", [number])


def rename_devices(db: Database, club_id: int, change: Callable[[str], str]) -> None:
    """Replace each name of a device by what `change` returns for it, also in the log."""
    for table in ("devices", "audit_log"):
        rows = db.execute(f"SELECT id, name FROM {table} WHERE club_id = ? AND name <> ''", [club_id]).fetchall()
        changed = [(new, number) for number, name in rows if (new := change(name)) != name]
        if changed:
            db.executemany(f"UPDATE {table} SET name = ? WHERE id = ?", changed)


def withdraw(db: Database, number: int | None) -> None:
    """Delete the log entry with the id `number`, because its action was undone. None deletes nothing."""
    db.execute("DELETE FROM audit_log WHERE id = ?", [number])


def update_entry(db: Database, number: int | None, *about: str) -> None:
    """Replace the texts `about` of the log entry with the id `number`, as more is known. None changes nothing."""
    db.execute("UPDATE audit_log SET about = ? WHERE id = ?", [pack(list(about)), number])


COLUMNS = """log.at, action AS what, log.role, coalesce(nullif(devices.name, ''), log.name) AS name, log.kind,
    log.about, imported AS brought, clubs.zone"""
WITH_DEVICES = """audit_log AS log JOIN clubs ON clubs.id = log.club_id
    LEFT JOIN devices ON devices.id = log.device_id"""


def last_actions(db: Database, play_ids: Sequence[int], kind: str) -> dict[int, AuditEntry]:
    """Return the last entry of the kind `kind`, such as "deleted", about each game, by the game's id. Games without one
    are left out."""
    marks = ", ".join("?" * len(play_ids))
    found = list(
        db.query(
            f"""SELECT {COLUMNS}, play_id FROM {WITH_DEVICES} WHERE log.id IN (
                SELECT max(id) FROM audit_log WHERE play_id IN ({marks}) AND action = ? GROUP BY play_id)""",
            [*play_ids, kind],
        )
    )
    return {row.pop("play_id"): _entry(row) for row in found}


def of_play(db: Database, play_id: int) -> list[AuditEntry]:
    """Return the entries about the game, latest first."""
    sql = f"SELECT {COLUMNS} FROM {WITH_DEVICES} WHERE play_id = ? ORDER BY log.id DESC LIMIT ?"
    return list(_entries(db, sql, [play_id, SHOWN]))


def of_club(db: Database, club_id: int) -> list[AuditEntry]:
    """Return the entries of the club, latest first, each with the key of its game."""
    sql = f"""SELECT {COLUMNS}, play_keys.key AS play_key FROM {WITH_DEVICES}
        LEFT JOIN play_keys ON play_keys.id = log.play_id
        WHERE log.club_id = ? ORDER BY log.id DESC LIMIT ?"""
    return list(_entries(db, sql, [club_id, SHOWN]))


def _entries(db: Database, sql: str, values: list[Any]) -> Iterator[AuditEntry]:
    yield from map(_entry, db.query(sql, values))


def _entry(row: dict[str, Any]) -> AuditEntry:
    return AuditEntry(**{**row, "about": tuple(json.loads(row["about"])), "brought": bool(row["brought"])})


# -- out to a file, and in ---

WRITTEN = ("at", "what", "play", "role", "name", "kind", "about")
AS_WRITTEN = f"""SELECT {COLUMNS}, play_keys.key AS play FROM {WITH_DEVICES}
    LEFT JOIN play_keys ON play_keys.id = log.play_id WHERE log.club_id = ? ORDER BY log.id"""


def exported(db: Database, club_id: int) -> list[dict[str, Any]]:
    """Return all log entries of the club for its export file, oldest first. Each is a dictionary with "at", "what",
    "play", "role", "name", "kind" and "about". It has the name of the device, but not its id."""
    return [
        {name: json.loads(row[name]) if name == "about" else row[name] for name in WRITTEN}
        for row in db.query(AS_WRITTEN, [club_id])
    ]


class AuditLogImport:
    """Import log entries from a file, each once. They are marked as imported, since a file can claim anything."""

    def __init__(self, db: Database, club_id: int) -> None:
        self.db, self.club_id = db, club_id
        self.here = {_compared(one) for one in exported(db, club_id)}

    def take(self, deed: Json) -> None:
        if not _is_sound(deed) or _compared(deed) in self.here:
            return
        self.here.add(_compared(deed))
        play = self.db.row(
            """SELECT id FROM play_keys
            WHERE club_id = ?1 AND (key = ?2 OR source = 'tidemark' AND source_id = ?2)""",
            self.club_id,
            deed["play"],
        )
        plain = {name: deed[name] for name in ("at", "role", "name", "kind")}
        row = {**plain, "action": deed["what"], "about": pack(deed["about"]), "play_id": play["id"] if play else None}
        self.db.insert("audit_log", club_id=self.club_id, **row, imported=1)


def _compared(one: dict[str, Any]) -> str:
    return pack([one[name] for name in WRITTEN])


def _is_sound(one: Json) -> bool:
    """Return whether an imported log entry is complete and valid, so that every page can show it."""
    if not (isinstance(one, dict) and set(WRITTEN) <= set(one)):
        return False
    about, plain = one["about"], [one[name] for name in ("at", "what", "role", "name", "kind")]
    if not (isinstance(about, list) and len(about) <= 2 and isinstance(one["play"], str | None)):
        return False
    if not all(isinstance(text, str) and len(text) <= LONGEST and text.isprintable() for text in (*plain, *about)):
        return False
    return one["what"] in WHAT and one["role"] in STANDINGS and is_moment(one["at"])


def is_moment(text: str) -> bool:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").year >= 1970
    except ValueError:
        return False


def purge(db: Database) -> None:
    with db.atomic():
        db.execute("DELETE FROM audit_log WHERE at < ?", [ago(KEPT_DAYS)])
