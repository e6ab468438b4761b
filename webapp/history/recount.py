"""Counts everything again from the saved plays, says what had been counted differently, and puts it right.

It looks at one moment of the file, from beginning to end, and keeps nobody waiting meanwhile. What was wrong then is
put right in small steps afterwards: every sum by the difference it was wrong by, which is as right after the plays that
have been saved or changed since; every play by itself; careers by telling them again from where they went wrong.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from webapp import clubs
from webapp.database import Database
from webapp.history import kept, parts, plays, replay
from webapp.history.careers import Moment
from webapp.history.replay import tell_again
from webapp.history.sums import TALLIES, Key, Sums
from webapp.history.tallies import CountedPlay, Tallies, statements

# Raised when a definition is added, so that the next start counts what is already there.
DEFINITIONS = "7"
AT_ONCE, FEW = 300, 5  # sums, and plays, put right in one transaction

KEYS = {
    "kept_scores": "play_id, seat",
    "kept_lines": "play_id, seat, position",
    "earned": "play_id, seat, achievement",
    "tally_earned": "club_id, achievement, player_id",
    "kept_cards": "play_id, card",
    "kept_words": "play_id, word",
    "kept_plays": "id",
    **{table: ", ".join(keys) for table, (keys, _) in TALLIES.items()},
}
COLUMNS = {
    "kept_plays": "id, day, player_count, variant, margin, comeback, comeback_rule, decided_by",
}
Tell = Callable[[int, int], None]


@dataclass
class Wrong:
    """What had been counted differently: tables, sums by how much, plays, and games with the moment it begins."""

    tables: set[str] = field(default_factory=set)
    sums: dict[str, dict[Key, Sums]] = field(default_factory=dict)
    plays: dict[int, set[str]] = field(default_factory=dict)  # with the tables
    games: dict[tuple[int, str], Moment] = field(default_factory=dict)
    earned: dict[Key, int] = field(default_factory=dict)

    turn: int = 0  # how often sums had been put right before

    def of_play(self, play_id: int, table: str) -> None:
        self.tables.add(table)
        self.plays.setdefault(play_id, set()).add(table)


def recount(db: Database, repair: bool = True, tell: Tell | None = None) -> list[str]:
    """The tables that had been counted wrongly, put right unless it is only a check."""
    tables: set[str] = set()
    while True:
        with db.looking():
            wrong = compared(db, tell)
        tables |= wrong.tables
        try:
            if repair:
                put_right(db, wrong)
        except Overtaken:
            continue
        return [table for table in KEYS if table in tables]


class Overtaken(Exception):
    """Somebody else has put sums right since they were compared: the same difference must not be added twice."""


def begin(db: Database) -> None:
    """In the caller's transaction: everything is to be counted anew, in the background."""
    [plays] = db.execute("SELECT count(*) FROM kept_plays").fetchone()
    if not db.execute("SELECT 1 FROM chores WHERE kind = 'recount' AND done = 0").fetchone():
        db.insert("chores", kind="recount", total=plays)


def if_due(db: Database) -> None:
    """Begin to count anew if what is in the file was counted by other definitions."""
    if is_counted(db):
        return
    with db.atomic():
        if is_counted(db):  # by another node that has just started
            return
        if db.row("SELECT 1 FROM kept_plays LIMIT 1"):
            begin(db)
        db.upsert("settings", ("name",), name="definitions", value=DEFINITIONS)


def is_counted(db: Database) -> bool:
    """Whether it is by our definitions that what is in the file was counted."""
    row = db.row("SELECT value FROM settings WHERE name = 'definitions'")
    return row is not None and row["value"] == DEFINITIONS


def compared(db: Database, tell: Tell | None = None) -> Wrong:
    """Everything counted from the plays, against what is kept."""
    wrong, tallies = Wrong(turn=_turn(db)), Tallies()
    [total] = db.execute("SELECT count(*) FROM kept_plays").fetchone()
    done = 0
    for rows, counted in batches(db):
        for row, known in rows:
            if any(row[column] != value for column, value in known.items()):
                wrong.of_play(row["id"], "kept_plays")
        for play in counted:
            tallies.add(play)
        for table, play_ids in parts.compared(db, [row["id"] for row, _ in rows], counted).items():
            for play_id in sorted(play_ids):
                wrong.of_play(play_id, table)
        done += len(rows)
        if tell is not None:
            tell(done, total)
    _compare_sums(db, tallies, wrong)
    _compare_careers(db, wrong)
    _compare_earned(db, wrong)
    return wrong


def batches(db: Database) -> Iterator[tuple[list[tuple[kept.Row, dict[str, Any]]], list[CountedPlay]]]:
    """All plays, some hundred at a time: as rows with what lists should know of them, and as far as they count."""
    people: dict[int, clubs.People] = {}
    zones: dict[int, str] = {}
    last = 0
    while rows := list(db.query("SELECT * FROM kept_plays WHERE id > ? ORDER BY id LIMIT ?", [last, kept.BATCH])):
        last = rows[-1]["id"]
        known, found = [], []
        for row in kept.with_names(db, rows):
            play = kept.play_of(row, json.loads)
            if play.club_id not in zones:
                zones[play.club_id] = clubs.zone_of(db, play.club_id)
            known.append((row, plays.known_of(play, zones[play.club_id])))
            if play.deleted_at is None:
                club = people.setdefault(play.club_id, clubs.People(db, play.club_id))
                found.append(replace(plays.counted(db, play, club), day=known[-1][1]["day"]))
        yield known, found


def _compare_sums(db: Database, tallies: Tallies, wrong: Wrong) -> None:
    for table, (keys, amounts) in TALLIES.items():
        expected = tallies.sums[table]
        differences: dict[Key, Sums] = {}
        for row in db.execute(f"SELECT {', '.join((*keys, *amounts))} FROM {table}"):
            key, stands = tuple(row[: len(keys)]), tuple(row[len(keys) :])
            should = expected.pop(key, (0,) * len(amounts))
            if should != stands or not any(stands):
                differences[key] = tuple(one - other for one, other in zip(should, stands, strict=True))
        differences.update((key, sums) for key, sums in expected.items() if any(sums))
        if differences:
            wrong.tables.add(table)
            wrong.sums[table] = differences


def _compare_careers(db: Database, wrong: Wrong) -> None:
    """Where each game's careers first go wrong, of what is not being told again anyway."""
    for club_id, game in db.execute("SELECT DISTINCT club_id, game FROM kept_scores").fetchall():
        found = replay.first_wrong(db, club_id, game)
        if found is not None:
            table, moment = found
            wrong.tables.add(table)
            wrong.games[club_id, game] = moment


def _compare_earned(db: Database, wrong: Wrong) -> None:
    expected = {
        tuple(row[:3]): row[3]
        for row in db.execute("SELECT club_id, achievement, player_id, count(*) FROM earned GROUP BY 1, 2, 3")
    }
    for row in db.execute("SELECT club_id, achievement, player_id, times FROM tally_earned"):
        more = expected.pop(tuple(row[:3]), 0) - row[3]
        if more or not row[3]:
            wrong.earned[tuple(row[:3])] = more
    wrong.earned.update(expected)
    if wrong.earned:
        wrong.tables.add("tally_earned")


def put_right(db: Database, wrong: Wrong) -> None:
    """Each part in a transaction of its own."""
    for table, sums in wrong.sums.items():
        put, clear = statements(table)
        keys = list(sums)
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            with db.atomic():
                _take_turn(db, wrong)
                db.executemany(put, [(*key, *sums[key]) for key in some])
                db.executemany(clear, some)
    with db.atomic():
        _take_turn(db, wrong)
        for key, more in wrong.earned.items():
            db.execute(
                """INSERT INTO tally_earned VALUES (?, ?, ?, ?)
                ON CONFLICT (club_id, achievement, player_id)
                DO UPDATE SET times = tally_earned.times + excluded.times""",
                [*key, more],
            )
        db.execute("DELETE FROM tally_earned WHERE times = 0")
    play_ids = list(wrong.plays)
    for start in range(0, len(play_ids), FEW):
        with db.atomic():
            for play_id in play_ids[start : start + FEW]:
                parts.put_right(db, play_id, wrong.plays[play_id])
    for (club_id, game), moment in wrong.games.items():
        with db.atomic(club_id):
            tell_again(db, club_id, game, moment)
    while replay.go_on(db):
        pass


def _turn(db: Database) -> int:
    row = db.row("SELECT value FROM settings WHERE name = 'put_right'")
    return int(row["value"]) if row else 0


def _take_turn(db: Database, wrong: Wrong) -> None:
    """In the caller's transaction: nobody has put sums right since they were compared, nor will others now."""
    if _turn(db) != wrong.turn:
        raise Overtaken
    wrong.turn += 1
    db.upsert("settings", ("name",), name="put_right", value=str(wrong.turn))


def fingerprints(db: Database) -> dict[str, str]:
    """All that is counted, each table brought down to a few letters."""
    return {table: fingerprint(db, table) for table in KEYS}


def fingerprint(db: Database, table: str) -> str:
    digest = hashlib.sha256()
    for row in db.execute(f"SELECT {COLUMNS.get(table, '*')} FROM {table} ORDER BY {KEYS[table]}"):
        digest.update(repr(tuple(row)).encode())
    return digest.hexdigest()
