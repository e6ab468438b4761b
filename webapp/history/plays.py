"""Plays: saved games with the end state, the result and every earlier version. Nothing acknowledged is ever lost.

Whatever changes a play changes in the same transaction what is counted of it (`scores`, `tallies`, `replay`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scorer.contract import Json
from scorer.result import Result, can_be_kept
from webapp import clubs, days
from webapp.database import Database, ago, new_key, now
from webapp.history import dealt, kept, wording
from webapp.history.careers import Moment
from webapp.history.kept import BATCH, seated
from webapp.history.kept import Play as Play
from webapp.history.kept import by_id as by_id
from webapp.history.kept import find as find
from webapp.history.kept import key_of as key_of
from webapp.history.kept import saved_from as saved_from
from webapp.history.kept import unpacked as unpacked
from webapp.history.naming import hidden, told
from webapp.history.replay import tell_again, tell_or_put_off
from webapp.history.scores import put_on, take_off
from webapp.history.tallies import CountedPlay, Tallies, summary, variant_of
from webapp.looks import Look

UNDO_DAYS = 30
FEW = 50  # plays that go at once
YEARS = range(1900, 3000)  # in which games are played
LONGEST_NOTES = 2000
LONGEST_GAME = 24 * 60  # minutes


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
    worn: Mapping[str, Look] | None = None,
) -> int:
    """Put a game into the history; its id."""
    [play_id] = save_all(db, club_id, [NewPlay(record, result, played_at, notes, table_key=table_key)], worn=worn)
    return play_id


Telling = Callable[[Database, int, str, Moment], None]  # see `replay`


def save_all(
    db: Database,
    club_id: int,
    new: Iterable[NewPlay],
    tell: Telling = tell_again,
    worn: Mapping[str, Look] | None = None,
) -> list[int]:
    """Put games into the history, all of them or none; their ids. Newcomers keep the looks that they have `worn`."""
    ids: list[int] = []
    since: dict[str, Moment] = {}
    people = clubs.People(db, club_id, worn)
    tallies = Tallies()
    batch: list[CountedPlay] = []
    with db.atomic(club_id):
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
            tell(db, club_id, game, moment)
    return ids


def bring_all(db: Database, club_id: int, new: Iterable[NewPlay]) -> list[int]:
    """The same for a piece of many: careers that go on for long after it are told when all of them are in."""
    return save_all(db, club_id, new, tell_or_put_off)


def _insert(db: Database, club_id: int, new: NewPlay, people: clubs.People, zone: str) -> CountedPlay:
    _assert_won(new.result)
    record, result, texts = as_called(people, new.record, new.result)
    moment = now()
    row = {
        "key": new.key or new_key(),
        "club_id": club_id,
        "game": result["game"],
        "played_at": new.played_at or moment,
        "day": days.day_of(new.played_at or moment, zone),
        "saved_at": new.saved_at or moment,
        "version": new.version,
        "record": texts[0],
        "result": texts[1],
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
    play_id = db.insert("kept_plays", **row)
    player_ids = seated(people, result)
    kept.seat(db, play_id, new.version, player_ids)
    for old in new.versions:
        _, before, texts = as_called(people, old["record"], old["result"])
        db.execute(
            "INSERT INTO play_versions VALUES (?, ?, ?, ?, ?, ?)",
            [play_id, old["version"], old["saved_at"], *texts, old["rules_version"]],
        )
        kept.seat(db, play_id, old["version"], seated(people, before))
    whose = (play_id, club_id, row["game"], row["played_at"], row["day"], new.place, new.minutes)
    return CountedPlay(*whose, row["variant"], record, result, player_ids)


def as_called(people: clubs.People, record: Json, result: Result) -> tuple[Json, Result, tuple[str, str]]:
    """The game with everybody called as the club calls them, unless two at the table would then be one; as kept."""
    names = [player["name"] for player in result["players"]]
    people.look_up(names)
    ours = [people.spelling(name) for name in names]
    texts = hidden(record, result)
    if ours != names and len(set(ours)) == len(ours):
        record, result = (json.loads(told(text, ours)) for text in texts)
    return record, result, texts


def _assert_won(result: Result) -> None:
    """Only games with a winner are saved. Those who tie share the victory while nobody knows what settles it."""
    assert can_be_kept(result)


def counted(db: Database, play: Play, people: clubs.People | None = None) -> CountedPlay:
    """The play as far as it counts."""
    people = people or clubs.People(db, play.club_id)
    whose = (play.id, play.club_id, play.game, play.played_at, play.day, play.place, play.minutes)
    return CountedPlay(*whose, variant_of(play.record), play.record, play.result, seated(people, play.result))


def known_of(play: Play, zone: str) -> dict[str, Any]:
    """What lists should know of the play: columns that follow from the others."""
    return {**summary(play.record, play.result), "day": days.day_of(play.played_at, zone)}


def _recounted(db: Database, before: Play, after: Play, tell: Telling) -> None:
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
        tell(db, after.club_id, after.game, min(moments))


def correct(db: Database, play: Play, record: Json, result: Result, table_key: str | None = None) -> None:
    """Replace a saved game by its next version; the one before is kept."""
    _assert_won(result)
    with db.atomic(play.club_id):
        before = _as_it_stands(db, play)
        people = clubs.People(db, play.club_id)
        record, result, texts = as_called(people, record, result)
        changed = {
            "record": texts[0],
            "result": texts[1],
            "rules_version": result["rules_version"],
            "saved_at": now(),
            "version": before.version + 1,
            **({} if table_key is None else {"table_key": table_key}),
            **summary(record, result),
        }
        db.execute(
            """INSERT INTO play_versions (play_id, version, saved_at, record, result, rules_version)
            SELECT id, version, saved_at, record, result, rules_version FROM kept_plays WHERE id = ?""",
            [play.id],
        )
        kept.seat(db, play.id, before.version + 1, seated(people, result))
        _change(db, before, changed)


def describe(db: Database, play: Play, notes: str, place: str, minutes: int | None, played_at: str) -> None:
    """What people say about a game besides its boards."""
    with db.atomic(play.club_id):
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
    wording.remove(db, before.id)
    _update(db, before.id, columns)
    wording.add(db, [before.id])
    dealt.move(db, before.id, columns["place"])
    tallies.add(counted(db, _as_it_stands(db, before)))
    tallies.write(db)


def delete(db: Database, play: Play, tell: Telling = tell_again) -> None:
    """Out of the history, to be undone for a month."""
    with db.atomic(play.club_id):
        before = _as_it_stands(db, play)
        if before.deleted_at is None:
            _change(db, before, {"deleted_at": now()}, tell)


def unbring(db: Database, club_id: int, play_id: int) -> None:
    """As if it had never come; careers are told when all that came with it are gone."""
    play = by_id(db, play_id, json.loads)
    if play is not None and play.club_id == club_id:
        delete(db, play, tell_or_put_off)
        db.execute("DELETE FROM kept_plays WHERE id = ?", [play_id])


def restore(db: Database, play: Play) -> None:
    with db.atomic(play.club_id):
        _change(db, _as_it_stands(db, play), {"deleted_at": None})


def _as_it_stands(db: Database, play: Play) -> Play:
    """The play read again inside the transaction: somebody else may have changed it since."""
    found = by_id(db, play.id, json.loads)
    assert found is not None, "plays go for good only after a month of being deleted"
    return found


def _change(db: Database, before: Play, columns: dict[str, Any], tell: Telling = tell_again) -> None:
    _update(db, before.id, columns)
    _recounted(db, before, _as_it_stands(db, before), tell)


def _update(db: Database, play_id: int, columns: dict[str, Any]) -> None:
    sets = ", ".join(f"{column} = ?" for column in columns)
    db.execute(f"UPDATE kept_plays SET {sets} WHERE id = ?", [*columns.values(), play_id])


def purge(db: Database) -> None:
    """Deleted games that nobody wanted back in time are gone for good, a few at a time."""
    gone = 1
    while gone:
        with db.atomic():
            gone = db.execute(
                "DELETE FROM kept_plays WHERE id IN (SELECT id FROM kept_plays WHERE deleted_at < ? LIMIT ?)",
                [ago(days=UNDO_DAYS), FEW],
            ).rowcount


def each(db: Database, club_id: int, deleted: bool = False) -> Iterator[Play]:
    """The club's games in the order they came, some hundred in memory at a time; reasons are plain texts."""
    for row in kept.each(db, club_id, deleted):
        yield kept.play_of(row, json.loads)


def versions(db: Database, play: Play) -> list[dict[str, Any]]:
    """The earlier versions, the latest first."""
    return kept.versions(db, play.id)
