"""Plays: saved games with the end state, the result and every earlier version. Nothing acknowledged is ever lost.

Whatever changes a play changes in the same transaction what is counted of it (`counting`, `achievements`, `chronicle`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from webapp import clubs
from webapp.database import Database, ago, new_key, now, pack
from webapp.history import achievements, chronicle, counting, remarks
from webapp.history.counting import Counted, Tallies

UNDO_DAYS = 30
YEARS = range(1900, 3000)  # in which games are played
BATCH = 500


@dataclass(frozen=True, slots=True)
class Play:
    """A saved game."""

    id: int
    key: str
    club_id: int
    game: str
    played_at: str
    saved_at: str
    version: int
    record: dict[str, Any]
    result: dict[str, Any]
    notes: str
    place: str
    minutes: int | None
    source: str
    deleted_at: str | None


@dataclass(frozen=True, slots=True)
class Draft:
    """A game to be saved: decided, and perhaps with a history of its own from elsewhere."""

    record: dict[str, Any]
    result: dict[str, Any]
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
    versions: tuple[dict[str, Any], ...] = field(default=())


def save(
    db: Database,
    club_id: int,
    record: dict[str, Any],
    result: dict[str, Any],
    table_key: str | None = None,
    played_at: str = "",
    notes: str = "",
) -> int:
    """Put a game into the history; its id."""
    [play_id] = save_all(db, club_id, [Draft(record, result, played_at, notes, table_key=table_key)])
    return play_id


def save_all(db: Database, club_id: int, drafts: Iterable[Draft]) -> list[int]:
    """Put games into the history, all of them or none; their ids."""
    ids: list[int] = []
    since: dict[str, chronicle.Moment] = {}
    people: dict[str, int] = {}
    tallies = Tallies()
    batch: list[Counted] = []
    with db.atomic():
        for draft in drafts:
            assert draft.result["ok"] and not draft.result["needs"], "only decided games are saved"
            played = _insert(db, club_id, draft, people)
            ids.append(played.id)
            if draft.deleted_at is None:
                moment = (played.played_at, played.id)
                since[played.game] = min(since.get(played.game, moment), moment)
                batch.append(played)
            if len(batch) == BATCH:
                put_on(db, batch, tallies)
                batch = []
        put_on(db, batch, tallies)
        tallies.write(db)
        for game, moment in since.items():
            chronicle.replay(db, club_id, game, moment)
    return ids


def _insert(db: Database, club_id: int, draft: Draft, people: dict[str, int]) -> Counted:
    moment = now()
    row = {
        "key": draft.key or new_key(),
        "club_id": club_id,
        "game": draft.result["game"],
        "played_at": draft.played_at or moment,
        "saved_at": draft.saved_at or moment,
        "version": draft.version,
        "record": pack(draft.record),
        "result": pack(draft.result),
        "rules_version": draft.result["rules_version"],
        "notes": draft.notes,
        "place": draft.place,
        "minutes": draft.minutes,
        "table_key": draft.table_key,
        "deleted_at": draft.deleted_at,
        "source": draft.source,
        "source_id": draft.source_id,
        **told(draft.record, draft.result),
    }
    columns, marks = ", ".join(row), ", ".join("?" * len(row))
    play_id = db.conn.execute(f"INSERT INTO kept_plays ({columns}) VALUES ({marks})", list(row.values())).lastrowid
    assert play_id is not None
    db.conn.executemany(
        "INSERT INTO play_versions VALUES (?, ?, ?, ?, ?, ?)",
        [
            (play_id, old["version"], old["saved_at"], pack(old["record"]), pack(old["result"]), old["rules_version"])
            for old in draft.versions
        ],
    )
    for player in draft.result["players"]:
        if player["name"] not in people:
            people[player["name"]] = clubs.player_id(db, club_id, player["name"])
    seated = tuple(people[player["name"]] for player in draft.result["players"])
    return Counted(play_id, club_id, row["game"], row["played_at"], draft.minutes, draft.record, draft.result, seated)


def told(record: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """What lists and records want to know of a play without reading it."""
    behind, rule = counting.comeback(result)
    return {
        "player_count": len(result["players"]),
        "variant": counting.variant_of(record),
        "margin": counting.margin(result),
        "comeback": behind,
        "comeback_rule": rule,
        "decided_by": result["decided_by"],
    }


def put_on(db: Database, plays: list[Counted], tallies: Tallies) -> None:
    """Count these plays; the tallies are written and the chronicle told by whoever asks."""
    counting.write_scores(db, plays)
    achievements.award(db, plays)
    remarks.add(db, [play.id for play in plays])
    for play in plays:
        tallies.add(play)


def take_off(db: Database, play: Play, tallies: Tallies) -> None:
    """Count the play no longer. Its lines and achievements go with its scores."""
    tallies.add(counted(db, play), -1)
    remarks.remove(db, play.id, play.played_at)
    db.execute("DELETE FROM kept_scores WHERE play_id = ?", [play.id])


def counted(db: Database, play: Play) -> Counted:
    """The play as far as it counts."""
    seated = tuple(clubs.player_id(db, play.club_id, player["name"]) for player in play.result["players"])
    return Counted(play.id, play.club_id, play.game, play.played_at, play.minutes, play.record, play.result, seated)


def _recounted(db: Database, before: Play, after: Play) -> None:
    """Count a play that has changed: as it stood no longer, as it stands instead, unless it is deleted."""
    tallies = Tallies()
    moments = []
    if before.deleted_at is None:
        take_off(db, before, tallies)
        moments.append((before.played_at, before.id))
    if after.deleted_at is None:
        put_on(db, [counted(db, after)], tallies)
        moments.append((after.played_at, after.id))
    tallies.write(db)
    if moments:
        chronicle.replay(db, after.club_id, after.game, min(moments))


def correct(
    db: Database, play: Play, record: dict[str, Any], result: dict[str, Any], table_key: str | None = None
) -> None:
    """Replace a saved game by its next version; the one before is kept."""
    assert result["ok"] and not result["needs"], "only decided games are saved"
    changed = {
        "record": pack(record),
        "result": pack(result),
        "rules_version": result["rules_version"],
        "saved_at": now(),
        **({} if table_key is None else {"table_key": table_key}),
        **told(record, result),
    }
    with db.atomic():
        before = _as_it_stands(db, play)
        db.execute(
            """INSERT INTO play_versions (play_id, version, saved_at, record, result, rules_version)
            SELECT id, version, saved_at, record, result, rules_version FROM kept_plays WHERE id = ?""",
            [play.id],
        )
        db.execute("UPDATE kept_plays SET version = version + 1 WHERE id = ?", [play.id])
        _change(db, before, changed)


def describe(db: Database, play: Play, notes: str, place: str, minutes: int | None, played_at: str) -> None:
    """What people tell about a game besides its boards."""
    with db.atomic():
        before = _as_it_stands(db, play)
        told = {"notes": notes, "place": place, "minutes": minutes, "played_at": played_at}
        if before.deleted_at is None and played_at == before.played_at:
            _retell(db, before, told)
        else:
            _change(db, before, told)


def _retell(db: Database, before: Play, columns: dict[str, Any]) -> None:
    """Words and minutes: nobody's score or place in time changes, so the chronicle stays as it was told."""
    tallies = Tallies()
    tallies.add(counted(db, before), -1)
    remarks.remove(db, before.id, before.played_at)
    _update(db, before.id, columns)
    remarks.add(db, [before.id])
    tallies.add(counted(db, _as_it_stands(db, before)))
    tallies.write(db)


def annotate(db: Database, play: Play, notes: str) -> None:
    describe(db, play, notes, play.place, play.minutes, play.played_at)


def delete(db: Database, play: Play) -> None:
    """Out of the history, to be undone for a month."""
    with db.atomic():
        before = _as_it_stands(db, play)
        if before.deleted_at is None:
            _change(db, before, {"deleted_at": now()})


def restore(db: Database, play: Play) -> None:
    with db.atomic():
        _change(db, _as_it_stands(db, play), {"deleted_at": None})


def _as_it_stands(db: Database, play: Play) -> Play:
    """The play read again inside the transaction: somebody else may have changed it since."""
    found = by_id(db, play.id)
    assert found is not None, "plays go for good only after a month of being deleted"
    return found


def _change(db: Database, before: Play, columns: dict[str, Any]) -> None:
    _update(db, before.id, columns)
    _recounted(db, before, _as_it_stands(db, before))


def _update(db: Database, play_id: int, columns: dict[str, Any]) -> None:
    sets = ", ".join(f"{column} = ?" for column in columns)
    db.execute(f"UPDATE kept_plays SET {sets} WHERE id = ?", [*columns.values(), play_id])


def purge(db: Database) -> None:
    """Deleted games that nobody wanted back in time are gone for good."""
    with db.atomic():
        db.execute("DELETE FROM kept_plays WHERE deleted_at < ?", [ago(days=UNDO_DAYS)])


def find(db: Database, key: str) -> Play | None:
    return play_of(db.row("SELECT * FROM kept_plays WHERE key = ?", key))


def by_id(db: Database, play_id: int) -> Play | None:
    return play_of(db.row("SELECT * FROM kept_plays WHERE id = ?", play_id))


def play_of(row: dict[str, Any] | None) -> Play | None:
    """A row of `kept_plays`, unpacked."""
    if row is None:
        return None
    plain = {name: row[name] for name in Play.__dataclass_fields__ if name not in {"record", "result"}}
    return Play(**plain, record=json.loads(row["record"]), result=json.loads(row["result"]))


def saved_from(db: Database, table_key: str) -> str | None:
    """The key of the game that was saved from this table."""
    row = db.row("SELECT key FROM kept_plays WHERE table_key = ?", table_key)
    return row["key"] if row else None


def versions(db: Database, play: Play) -> list[dict[str, Any]]:
    """The earlier versions, the latest first."""
    return list(
        db.query(
            "SELECT version, saved_at, record, result FROM play_versions WHERE play_id = ? ORDER BY version DESC",
            [play.id],
        )
    )
