"""Convert a database of Tidemark 0.7 into a new one of this version.

Every saved game and each of its earlier versions is compared with the original: totals, ranks, winners, lines and the
deciding tie-break. If anything differs, nothing is converted. The old database stays as it was. Nobody may use it
during the conversion.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from scorer.core import CONFIRMED
from scorer.sentences import Sentence, say, say_count
from webapp import days, jobs
from webapp.database import Database, copying, engine_of, errors, files, pack
from webapp.history import NewPlay, NewVersion, database_07, from_07, plays, rebuild, saved_plays, standings
from webapp.operator_errors import Refusal
from webapp.schema import migrations
from webapp.table import renaming

ENDING = ".0.7"  # added to the old database's name

# Tables that are copied, some with other names of columns.
SAME = (
    *("settings", "clubs", "links", "players", "remembered", "matches", "tables", "seats"),
    *("seat_versions", "drafts", "changes", "photos", "photo_boards", "pictures"),
    *("box_cards", "devices", "audit_log"),
)
RENAMED_TABLES = {"box_cards": "cards", "audit_log": "deeds"}
RENAMED_COLUMNS = {"audit_log": {"action": "what", "imported": "brought"}}
AFTER_GAMES = {"tables", "seats", "seat_versions", "drafts", "changes", "photos", "audit_log"}
AFTER_GAMES |= {"photo_boards", "pictures"}

ADDED = {"practice", "guest"}  # columns that 0.7 did not have
ROOMLESS = {"tables": ("room_id", "revealed_at"), "seats": ("holder",)}  # rooms end, so these are empty

# Columns of a game that stay as they are.
KEPT = (
    *("id", "key", "club_id", "played_at", "saved_at", "version", "notes", "place", "minutes"),
    *("table_key", "deleted_at", "source", "source_id"),
)

Report = Callable[[int, int], None]


class ConversionError(Refusal):
    """Signal that the database can't be converted; the message says why. Nothing has changed."""


@dataclass(slots=True)
class Converted:
    """Hold the outcome of a conversion, with notes for the server owner."""

    games: int = 0
    versions: int = 0
    clubs: int = 0
    kept: str = ""  # the name of the old database
    notes: list[Sentence] = field(default_factory=list)


def convert_if_needed(address: str | Path, report: Report) -> Converted | None:
    """Convert the database if Tidemark 0.7 wrote it, and return the outcome; otherwise return None."""
    engine = engine_of(address)
    steps = engine.steps_of(address)
    if not steps or files.BASELINE in steps:
        return None
    if files.LAST_OF_07 not in steps:
        raise ConversionError(run_07())
    try:
        with engine.replacing(address, migrations.steps, ENDING) as (old, new, kept):
            done = convert(old, new, report)
            done.kept = kept
        return done
    except errors(OSError) as fault:
        raise ConversionError(engine.refusal_of(address, fault)) from None


def before() -> Iterator[Sentence]:
    """Yield what the server owner should read before a conversion."""
    yield say("Converting the database. You can stop at any time. Nothing changes before the end.")


def in_words(done: Converted) -> Iterator[Sentence]:
    """Yield what the server owner should read after a conversion."""
    yield say_count(
        "{n} game converted, with the same scores and ranks.",
        "{n} games converted, with the same scores and ranks.",
        done.games,
    )
    yield from done.notes
    yield old_one(done.kept)


def old_one(name: str) -> Sentence:
    return say("The old database is now {file}. It also holds deleted data.", file=name)


def run_07() -> Sentence:
    return say("Start Tidemark 0.7 with this database for a few minutes first.")


def convert(old: Database, new: Database, report: Report) -> Converted:
    """Fill the new database with everything in the old one, in the caller's transaction."""
    if old.row("SELECT 1 FROM chores WHERE kind = 'names'") is not None:
        raise ConversionError(run_07())
    conversion = Conversion(old, new, report)
    return conversion.run()


class Conversion:
    def __init__(self, old: Database, new: Database, report: Report) -> None:
        self.old, self.new, self.report = old, new, report
        self.done = Converted()
        self.columns, self.old_columns = new.columns(), old.columns()
        self.merged = database_07.merges_under_way(old)
        self.names: dict[int, str] = {}

    def run(self) -> Converted:
        for table in (name for name in SAME if name not in AFTER_GAMES):
            self._take(table)
        [total] = self.old.execute("SELECT count(*) FROM kept_plays").fetchone()
        zones = dict(self.new.execute("SELECT id, zone FROM clubs").fetchall())
        self.report(0, total)
        for rows in database_07.batches(self.old):
            self._games(rows, zones)
            self.report(self.done.games, total)
        for table in (name for name in SAME if name in AFTER_GAMES):
            self._take(table)
        self._end_rooms()
        self._confirm_again()
        self._finish_merges()
        self._go_on_later()
        for club_id, game in self.new.execute("SELECT DISTINCT club_id, game FROM all_plays").fetchall():
            standings.rebuild(self.new, club_id, game)
        rebuild.update_labels(self.new)
        self._number_on()
        self.done.clubs = len(zones)
        return self.done

    # -- tables that stay as they are ---

    def _take(self, table: str) -> None:
        theirs = RENAMED_TABLES.get(table, table)
        columns, keys = [name for name in self.columns[table][0] if name not in ADDED], self.old_columns[theirs][1]
        renamed = RENAMED_COLUMNS.get(table, {})
        rows = copying.Table(self.old, theirs, [renamed.get(name, name) for name in columns], keys).rows()
        if table == "devices":  # this version has no "before", the way of devices from before 0.6
            way = columns.index("way")
            rows = ([*row[:way], row[way] if row[way] != "before" else "link", *row[way + 1 :]] for row in rows)
        if table == "settings":
            rows = (row for row in rows if row[0] != "definitions")
        if table in ROOMLESS:
            gone = {columns.index(name) for name in ROOMLESS[table]}
            rows = ([None if place in gone else value for place, value in enumerate(row)] for row in rows)
        if table == "photos":
            reading = columns.index("reading")
            rows = ([*row[:reading], from_07.reading_from_07(row[reading]), *row[reading + 1 :]] for row in rows)
        self.new.load(table, columns, rows)

    def _number_on(self) -> None:
        last = self.old.last_numbers()
        names = {"kept_plays": "all_plays", "cards": "box_cards", "deeds": "audit_log", "chores": "jobs"}
        numbers = {names.get(table, table): number for table, number in last.items()}
        self.new.number_on({table: number for table, number in numbers.items() if table in self.columns})

    # -- games ---

    def _games(self, rows: list[dict[str, Any]], zones: Mapping[int, str]) -> None:
        ids = [row["id"] for row in rows]
        earlier, seats = database_07.earlier_versions(self.old, ids), self._seats(ids)
        old = {
            row["id"]: [
                database_07.version_07(one, seats[row["id"], one["version"]])
                for one in [row, *earlier.get(row["id"], [])]
            ]
            for row in rows
        }
        for row in rows:
            self._game(row, old[row["id"]], zones[row["club_id"]])
        self._compare(rows, old)

    def _game(self, row: Mapping[str, Any], versions: Sequence[database_07.OldVersion], zone: str) -> None:
        latest, *others = [
            NewVersion(
                one.version,
                one.saved_at,
                from_07.record_from_07(one.record, one.result),
                from_07.decision_from_07(one.record, one.result, row["source"]),
            )
            for one in versions
        ]
        plays.add_converted(
            self.new,
            {**{name: row[name] for name in KEPT}, "day": days.day_of(row["played_at"], zone)},
            NewPlay(latest.record, latest.decision, versions=tuple(others)),
            [one.player_ids for one in versions],
        )
        self.done.games += 1
        self.done.versions += len(others)

    def _seats(self, ids: Sequence[int]) -> dict[tuple[int, int], list[tuple[int, str]]]:
        """Return for each saved game, by (id of the game, version), its players as (id, name) in seat order.

        A player who was merged into another has that player's id, unless both were in the game.
        """
        if not self.names:
            self.names = dict(self.new.execute("SELECT id, name FROM players").fetchall())
        rows = self.old.execute(
            """SELECT play_id, version, player_id FROM kept_seats
            WHERE play_id IN (SELECT value FROM numbers_in(?)) ORDER BY play_id, version, seat""",
            [pack(list(ids))],
        ).fetchall()
        found = {}
        for key, group in groupby(rows, key=lambda row: (row[0], row[1])):
            before = [player_id for _, _, player_id in group]
            after = [self.merged.get(player_id, player_id) for player_id in before]
            ours: list[int] = []
            for player_id, other in zip(before, after, strict=True):
                have_met = other in before or other in ours  # players of one game stay apart
                ours.append(player_id if have_met else other)
            found[key] = [(player_id, self.names[player_id]) for player_id in ours]
        return found

    # -- comparing ---

    def _compare(self, rows: Sequence[Mapping[str, Any]], old: Mapping[int, Sequence[database_07.OldVersion]]) -> None:
        """Raise ConversionError if a game of `rows`, which are from the old database, has become different in the new
        one. `old` has by the game's id all its versions in the old database."""
        ids = [row["id"] for row in rows]
        here = {play.id: play for play in saved_plays.by_ids(self.new, ids)}
        earlier = saved_plays.versions(self.new, ids)
        for row in rows:
            theirs = old[row["id"]]
            ours = [here[row["id"]], *earlier.get(row["id"], [])]
            if len(theirs) != len(ours) or not all(map(database_07.is_same, theirs, ours)):
                raise ConversionError(say("Game {key} would change, so nothing was converted.", key=row["key"]))

    # -- unfinished games and jobs ---

    def _end_rooms(self) -> None:
        """Delete tables of 0.7 whose games are saved, and note for the server owner that open rooms have ended."""
        for table in ("seats", "seat_versions", "drafts", "changes"):
            saved = "SELECT id FROM tables WHERE saved_at IS NOT NULL"
            self.new.execute(f"DELETE FROM {table} WHERE table_id IN ({saved})")
        self.new.execute("DELETE FROM tables WHERE saved_at IS NOT NULL")
        if self.old.row("SELECT 1 FROM rooms") is not None:
            self.done.notes.append(say("Open rooms have ended. Continue their games from the home page."))

    def _confirm_again(self) -> None:
        """Store in the new form which questions were confirmed in unfinished games; 0.7 stored their wording."""
        for table_id, game, setup in self.new.execute("SELECT id, game, setup FROM tables").fetchall():
            table = json.loads(setup)
            if isinstance(table, dict) and CONFIRMED in table:
                rows = self.new.execute(
                    "SELECT name, state FROM seats WHERE table_id = ? ORDER BY seat", [table_id]
                ).fetchall()
                players = [{"name": name, **(json.loads(state) if state else {})} for name, state in rows]
                record = from_07.confirmed_again({"game": game, "table": table, "players": players})
                self.new.execute("UPDATE tables SET setup = ? WHERE id = ?", [pack(record["table"]), table_id])

    def _finish_merges(self) -> None:
        """Delete merged players who are in no saved game, and rename them at unfinished games."""
        for person, other in self.merged.items():
            sits = any(
                self.new.row(f"SELECT 1 FROM {table} WHERE player_id = ?", person) is not None
                for table in ("all_scores", "version_scores")
            )
            if not sits:
                [club_id] = self.new.execute("SELECT club_id FROM players WHERE id = ?", [person]).fetchone()
                renaming.follow(self.new, club_id, self.names[person], self.names[other])
                self.new.execute("DELETE FROM players WHERE id = ?", [person])

    def _go_on_later(self) -> None:
        """Add the background jobs that 0.7 had not finished, and a note if an import has to be run again."""
        for kind, club_id, about in self.old.execute("SELECT kind, club_id, about FROM chores ORDER BY id").fetchall():
            subject = json.loads(about)
            if kind == "club":
                jobs.add(self.new, "club", subject["club"])
            elif kind == "words":
                jobs.add(self.new, "words", club_id, {"name": subject["name"], "word": subject["word"]})
        under_way = self.old.execute(
            "SELECT count(*) FROM imports WHERE state IN ('coming', 'checking', 'saving', 'stopping')"
        ).fetchone()[0]
        if under_way:
            self.done.notes.append(say("An import was still running. Import its file again."))
