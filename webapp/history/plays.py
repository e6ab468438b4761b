"""Plays: saved games with the end state, the result and every earlier version. Nothing acknowledged is ever lost.

Whatever changes a play changes in the same transaction what is counted of it (`scores`, `tallies`, `replay`).
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from scorer.contract import Json
from scorer.result import Result, can_be_kept, revived
from webapp import clubs, days
from webapp.database import Database, ago, new_key, now, pack
from webapp.history import remarks
from webapp.history.careers import Moment
from webapp.history.renaming import renamed_record, renamed_result
from webapp.history.replay import replay
from webapp.history.scores import BATCH, put_on, seated, take_off
from webapp.history.tallies import CountedPlay, Tallies, summary, variant_of

UNDO_DAYS = 30
YEARS = range(1900, 3000)  # in which games are played
LONGEST_NOTES = 2000
LONGEST_GAME = 24 * 60  # minutes


@dataclass(frozen=True, slots=True)
class Play:
    """A saved game."""

    id: int
    key: str
    club_id: int
    game: str
    played_at: str
    day: str  # at the club, which may be another than in UTC
    saved_at: str
    version: int
    record: Json
    result: Result
    notes: str
    place: str
    minutes: int | None
    source: str
    deleted_at: str | None


@dataclass(frozen=True, slots=True)
class NewPlay:
    """A game to be saved: won, and perhaps with a history of its own from elsewhere."""

    record: Json
    result: Result
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
    record: Json,
    result: Result,
    table_key: str | None = None,
    played_at: str = "",
    notes: str = "",
) -> int:
    """Put a game into the history; its id."""
    [play_id] = save_all(db, club_id, [NewPlay(record, result, played_at, notes, table_key=table_key)])
    return play_id


def save_all(db: Database, club_id: int, new: Iterable[NewPlay]) -> list[int]:
    """Put games into the history, all of them or none; their ids."""
    ids: list[int] = []
    since: dict[str, Moment] = {}
    people = clubs.People(db, club_id)
    tallies = Tallies()
    batch: list[CountedPlay] = []
    with db.atomic():
        zone = clubs.zone_of(db, club_id)
        for one in new:
            play = _insert(db, club_id, one, people, zone)
            ids.append(play.id)
            if one.deleted_at is None:
                moment = (play.played_at, play.id)
                since[play.game] = min(since.get(play.game, moment), moment)
                batch.append(play)
            if len(batch) == BATCH:
                put_on(db, batch, tallies)
                batch = []
        put_on(db, batch, tallies)
        tallies.write(db)
        for game, moment in since.items():
            replay(db, club_id, game, moment)
    return ids


def _insert(db: Database, club_id: int, new: NewPlay, people: clubs.People, zone: str) -> CountedPlay:
    _assert_won(new.result)
    record, result = as_called(people, new.record, new.result)
    moment = now()
    row = {
        "key": new.key or new_key(),
        "club_id": club_id,
        "game": result["game"],
        "played_at": new.played_at or moment,
        "day": days.day_of(new.played_at or moment, zone),
        "saved_at": new.saved_at or moment,
        "version": new.version,
        "record": pack(record),
        "result": pack(result),
        "rules_version": result["rules_version"],
        "notes": new.notes,
        "place": new.place,
        "minutes": new.minutes,
        "table_key": new.table_key,
        "deleted_at": new.deleted_at,
        "source": new.source,
        "source_id": new.source_id,
        **summary(record, result),
    }
    columns, marks = ", ".join(row), ", ".join("?" * len(row))
    play_id = db.conn.execute(f"INSERT INTO kept_plays ({columns}) VALUES ({marks})", list(row.values())).lastrowid
    assert play_id is not None
    for old in new.versions:
        packed = map(pack, as_called(people, old["record"], old["result"]))
        db.execute(
            "INSERT INTO play_versions VALUES (?, ?, ?, ?, ?, ?)",
            [play_id, old["version"], old["saved_at"], *packed, old["rules_version"]],
        )
    return CountedPlay(
        play_id,
        club_id,
        row["game"],
        row["played_at"],
        row["day"],
        new.place,
        new.minutes,
        row["variant"],
        record,
        result,
        seated(people, result),
    )


def as_called(people: clubs.People, record: Json, result: Result) -> tuple[Json, Result]:
    """The game with everybody called as the club calls them, unless two at the table would then be one."""
    names = [player["name"] for player in result["players"]]
    people.look_up(names)
    ours = [people.spelling(name) for name in names]
    if ours != names and len(set(ours)) == len(ours):
        result = revived(copy.deepcopy(result))
        for name, called in zip(names, ours, strict=True):
            if name != called:
                record, result = renamed_record(record, name, called), renamed_result(result, name, called)
    return record, result


def _assert_won(result: Result) -> None:
    """Only games with a winner are saved. Those who tie share the victory while nobody knows what settles it."""
    assert can_be_kept(result)


def counted(db: Database, play: Play) -> CountedPlay:
    """The play as far as it counts."""
    return CountedPlay(
        play.id,
        play.club_id,
        play.game,
        play.played_at,
        play.day,
        play.place,
        play.minutes,
        variant_of(play.record),
        play.record,
        play.result,
        seated(clubs.People(db, play.club_id), play.result),
    )


def _recounted(db: Database, before: Play, after: Play) -> None:
    """Count a play that has changed: as it stood no longer, as it stands instead, unless it is deleted."""
    tallies = Tallies()
    moments = []
    if before.deleted_at is None:
        take_off(db, counted(db, before), tallies)
        moments.append((before.played_at, before.id))
    if after.deleted_at is None:
        put_on(db, [counted(db, after)], tallies)
        moments.append((after.played_at, after.id))
    tallies.write(db)
    if moments:
        replay(db, after.club_id, after.game, min(moments))


def correct(db: Database, play: Play, record: Json, result: Result, table_key: str | None = None) -> None:
    """Replace a saved game by its next version; the one before is kept."""
    _assert_won(result)
    record, result = as_called(clubs.People(db, play.club_id), record, result)
    changed = {
        "record": pack(record),
        "result": pack(result),
        "rules_version": result["rules_version"],
        "saved_at": now(),
        **({} if table_key is None else {"table_key": table_key}),
        **summary(record, result),
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
    """What people say about a game besides its boards."""
    with db.atomic():
        before = _as_it_stands(db, play)
        day = days.day_of(played_at, clubs.zone_of(db, play.club_id))
        columns = {"notes": notes, "place": place, "minutes": minutes, "played_at": played_at, "day": day}
        if before.deleted_at is None and played_at == before.played_at:
            _reword(db, before, columns)
        else:
            _change(db, before, columns)


def _reword(db: Database, before: Play, columns: dict[str, Any]) -> None:
    """Words and minutes: nobody's score or place in time changes, so all careers stay as they are."""
    tallies = Tallies()
    tallies.subtract(counted(db, before))
    remarks.remove(db, before.id, before.played_at)
    _update(db, before.id, columns)
    remarks.add(db, [before.id])
    tallies.add(counted(db, _as_it_stands(db, before)))
    tallies.write(db)


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
    found = play_of(db.row("SELECT * FROM kept_plays WHERE id = ?", play.id), json.loads)
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


def unpacked(result: str) -> Result:
    """A result as it was packed, with its texts as sentences again."""
    return revived(json.loads(result))


def play_of(row: dict[str, Any] | None, read: Callable[[str], Result] = unpacked) -> Play | None:
    """A row of `kept_plays`, unpacked; `json.loads` reads it faster where nobody is told of reasons."""
    if row is None:
        return None
    plain = {name: row[name] for name in Play.__dataclass_fields__ if name not in {"record", "result"}}
    return Play(**plain, record=json.loads(row["record"]), result=read(row["result"]))


def key_of(db: Database, play_id: int) -> str:
    [key] = db.execute("SELECT key FROM kept_plays WHERE id = ?", [play_id]).fetchone()
    return str(key)


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
