"""Save, edit and delete games. An edit keeps the version before, so nothing that was saved is lost.

Ratings, achievements and all else that follows from a game change in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from scorer import games
from scorer.contract import Json
from scorer.record_names import with_seats
from scorer.result import Result, can_be_saved
from webapp import clubs, days
from webapp.avatars import Avatar
from webapp.database import Database, ago, new_key, now, pack
from webapp.history import achievements, play_rows, search, standings
from webapp.history.decision import Decision, decision_of
from webapp.history.new_play import NewPlay, NewVersion
from webapp.history.play_rows import PlayData
from webapp.history.saved_plays import Play, by_id
from webapp.history.standings import Moment

UNDO_DAYS = 30
BATCH = 200  # games whose rows are written together
FEW = 50  # deleted games purged in one transaction
YEARS = range(1900, 3000)  # in which a game can have been played
LONGEST_NOTES = 2000
LONGEST_GAME = 24 * 60  # minutes


def save(
    db: Database,
    club_id: int,
    record: Json,
    result: Result,
    table_key: str | None = None,
    played_at: str = "",
    notes: str = "",
    worn: Mapping[str, Avatar] | None = None,
    guests: Collection[str] = (),
) -> int:
    """Save a game that has been scored, and return its id. Tied players share the win while the tie-break is unknown.
    `table_key` is the key of its table, and `played_at` is by default the present. `worn` has the avatars of new
    players by name; new names in `guests` do not become players of the club."""
    assert can_be_saved(result), "views ask before they save"
    new = NewPlay(record, decision_of(record, result), played_at, notes, table_key=table_key)
    [play_id] = save_all(db, club_id, [new], worn, guests)
    return play_id


def save_all(
    db: Database,
    club_id: int,
    new: Iterable[NewPlay],
    worn: Mapping[str, Avatar] | None = None,
    guests: Collection[str] = (),
    rebuild: bool = True,
) -> list[int]:
    """Save all of these games or none, and return their ids. `worn` has the avatars of new players by name; `guests`
    are names that do not become players of the club. With `rebuild=False` the caller must update the standings."""
    ids: list[int] = []
    since: dict[str, Moment] = {}
    people = clubs.People(db, club_id, worn, guests)
    batch: list[PlayData] = []
    with db.atomic(club_id):
        zone = clubs.zone_of(db, club_id)
        for one in new:
            play, moment = _insert(db, club_id, one, people, zone)
            ids.append(play.id)
            batch.append(play)
            if one.deleted_at is None:
                game = play.record["game"]
                since[game] = min(since.get(game, moment), moment)
            if len(batch) == BATCH:
                _derive(db, batch)
                batch = []
        _derive(db, batch)
        for game, moment in since.items() if rebuild else ():
            standings.update(db, club_id, game, moment)
    return ids


def add_converted(db: Database, columns: Mapping[str, Any], new: NewPlay, player_ids: Sequence[Sequence[int]]) -> None:
    """Add a game from another Tidemark database under its old id, in the caller's transaction.

    `columns` are those of `all_plays` that don't follow from `new`. `player_ids` has the players of the game, then of
    each earlier version. The caller must update the standings.
    """
    db.put("all_plays", **columns, **_columns(new.record, new.decision))
    for old, ids in zip(new.versions, player_ids[1:], strict=True):
        _keep_version(db, columns["id"], old, ids)
    _derive(db, [PlayData(columns["id"], new.record, new.decision, player_ids[0])])


def _derive(db: Database, plays: Sequence[PlayData]) -> None:
    play_rows.write(db, plays)
    achievements.award(db, plays)
    search.add(db, [play.id for play in plays])


def _insert(db: Database, club_id: int, new: NewPlay, people: clubs.People, zone: str) -> tuple[PlayData, Moment]:
    moment = now()
    played_at = new.played_at or moment
    play_id = db.insert(
        "all_plays",
        key=new.key or new_key(),
        club_id=club_id,
        played_at=played_at,
        day=days.day_of(played_at, zone),
        saved_at=new.saved_at or moment,
        notes=new.notes,
        place=new.place,
        minutes=new.minutes,
        table_key=new.table_key,
        deleted_at=new.deleted_at,
        source=new.source,
        source_id=new.source_id,
        origin=new.origin,
        version=new.version,
        **_columns(new.record, new.decision),
    )
    for old in new.versions:
        _keep_version(db, play_id, old, _player_ids(people, old.record))
    return PlayData(play_id, new.record, new.decision, _player_ids(people, new.record)), (played_at, play_id)


def _columns(record: Json, decision: Decision) -> dict[str, Any]:
    """Return the columns of `all_plays` that follow from the record and the decision."""
    return {
        "game": record["game"],
        "player_count": len(decision.seats),
        "variant": play_rows.variant_of(record),
        "margin": decision.margin,
        **_of_version(record, decision),
    }


def _of_version(record: Json, decision: Decision) -> dict[str, Any]:
    game = games.find(record["game"])
    saved, places = with_seats(record, game.names if game else ())
    return {
        "basis": decision.basis,
        "rules_version": decision.rules_version,
        "decided_by": decision.decided_by,
        "record": pack(saved),
        "name_places": pack(places),
    }


def _keep_version(db: Database, play_id: int, old: NewVersion, player_ids: Sequence[int]) -> None:
    db.put(
        "play_versions",
        play_id=play_id,
        version=old.version,
        saved_at=old.saved_at,
        **_of_version(old.record, old.decision),
    )
    play = PlayData(play_id, old.record, old.decision, player_ids)
    db.executemany(
        """INSERT INTO version_scores (play_id, version, seat, player_id, total, rank, winner, final, lines)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [
            (play_id, old.version, *row[1:], pack(seat.lines))
            for row, seat in zip(play_rows.score_rows(play), old.decision.seats, strict=True)
        ],
    )


def _player_ids(people: clubs.People, record: Json) -> tuple[int, ...]:
    """Return the ids of the record's players, adding those who are new to the club.

    Names are matched by the club's spelling, unless that would make two of them the same player.
    """
    names = [player["name"] for player in record["players"]]
    people.look_up(names)
    ours = [people.spelling(name) for name in names]
    return tuple(people.id_of(name) for name in (ours if len(set(ours)) == len(ours) else names))


def edit(
    db: Database,
    play: Play,
    record: Json,
    decision: Decision,
    table_key: str | None = None,
    guests: Collection[str] = (),
) -> None:
    """Replace a saved game by a new version and keep the version before. `table_key` is the key of the table where it
    was edited; None keeps the stored one. New names in `guests` do not become players of the club."""
    with db.atomic(play.club_id):
        before = _reread(db, play)
        old = NewVersion(before.version, before.saved_at, before.record, before.decision)
        _keep_version(db, before.id, old, before.player_ids)
        columns = {"version": before.version + 1, "saved_at": now(), **_columns(record, decision)}
        _update(db, before.id, columns if table_key is None else {**columns, "table_key": table_key})
        _delete_derived(db, before.id)
        people = clubs.People(db, play.club_id, guests=guests)
        _derive(db, [PlayData(before.id, record, decision, _player_ids(people, record))])
        if before.deleted_at is None:
            standings.update(db, before.club_id, before.game, (before.played_at, before.id))


def _delete_derived(db: Database, play_id: int) -> None:
    play_rows.remove(db, play_id)
    search.remove(db, play_id)
    db.execute("DELETE FROM achievements WHERE play_id = ?", [play_id])


def describe(db: Database, play: Play, notes: str, place: str, minutes: int | None, played_at: str) -> None:
    """Replace the notes, place, minutes and time of a saved game. `minutes` is None if unknown. The search words and
    the standings are updated."""
    with db.atomic(play.club_id):
        before = _reread(db, play)
        day = days.day_of(played_at, clubs.zone_of(db, play.club_id))
        search.remove(db, before.id)
        _update(db, before.id, {"notes": notes, "place": place, "minutes": minutes, "played_at": played_at, "day": day})
        search.add(db, [before.id])
        if before.deleted_at is None and played_at != before.played_at:
            earlier = min((before.played_at, before.id), (played_at, before.id))
            standings.update(db, before.club_id, before.game, earlier)


def delete(db: Database, play: Play) -> None:
    """Delete a game; it can be restored for a month."""
    _set_deleted(db, play, now())


def restore(db: Database, play: Play) -> None:
    _set_deleted(db, play, None)


def _set_deleted(db: Database, play: Play, deleted_at: str | None) -> None:
    with db.atomic(play.club_id):
        before = _reread(db, play)
        if (before.deleted_at is None) == (deleted_at is None):
            return
        _update(db, before.id, {"deleted_at": deleted_at})
        search.remove(db, before.id)
        search.add(db, [before.id])
        standings.update(db, before.club_id, before.game, (before.played_at, before.id))


def remove(db: Database, club_id: int, play_ids: Sequence[int]) -> None:
    """Remove games of the club for good, in the caller's transaction; ids of other clubs' games are ignored."""
    since: dict[str, Moment] = {}
    for play_id in play_ids:
        row = db.row(
            """SELECT game, played_at, EXISTS (SELECT 1 FROM ratings WHERE play_id = all_plays.id) AS is_rated
            FROM all_plays WHERE id = ? AND club_id = ?""",
            play_id,
            club_id,
        )
        if row is not None:
            db.execute("DELETE FROM all_plays WHERE id = ?", [play_id])
            if row["is_rated"]:
                moment = (row["played_at"], play_id)
                since[row["game"]] = min(since.get(row["game"], moment), moment)
    for game, moment in since.items():
        standings.update(db, club_id, game, moment)


def _reread(db: Database, play: Play) -> Play:
    """Return the game as it is now, since another request may have changed it before this transaction."""
    found = by_id(db, play.id)
    assert found is not None, "games are purged only a month after they were deleted"
    return found


def _update(db: Database, play_id: int, columns: dict[str, Any]) -> None:
    sets = ", ".join(f"{column} = ?" for column in columns)
    db.execute(f"UPDATE all_plays SET {sets} WHERE id = ?", [*columns.values(), play_id])


def purge(db: Database) -> None:
    """Remove for good all games that were deleted more than a month ago, a few in each transaction."""
    gone = 1
    while gone:
        with db.atomic():
            gone = db.execute(
                "DELETE FROM all_plays WHERE id IN (SELECT id FROM all_plays WHERE deleted_at < ? LIMIT ?)",
                [ago(days=UNDO_DAYS), FEW],
            ).rowcount
