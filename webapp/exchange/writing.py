"""Writes a club's history out: which kinds there are, and each of them piece by piece."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from webapp.database import Database
from webapp.exchange import bgstats_out, tables, whole
from webapp.exchange.bgg import bgg_ids
from webapp.history import TALLIES, plays

# kind: the name of the file and its media type
KINDS = {
    "json": ("tidemark.json", "application/json"),
    "players": ("tidemark-players.csv", "text/csv"),
    "lines": ("tidemark-lines.csv", "text/csv"),
    "bgstats": ("tidemark-bgstats.json", "application/json"),
}


def kind_of(file_name: str) -> str:
    """What the ending of a file's name asks for."""
    if file_name.endswith(".csv"):
        return "players"
    return "bgstats" if file_name.endswith((".bgsplay", ".bgstats.json")) else "json"


def write(db: Database, club_id: int, kind: str, excel: bool = False) -> Iterator[str]:
    """The file in pieces. Excel takes a CSV file for UTF-8 only if it begins with a mark."""
    if excel and kind in {"players", "lines"}:
        yield tables.BOM
    if kind == "players":
        yield from tables.players(db, club_id)
    elif kind == "lines":
        yield from tables.lines(db, club_id)
    elif kind == "bgstats":
        yield bgstats(db, club_id, bgg_ids())
    else:
        yield from whole.write(db, club_id)


def bgstats(db: Database, club_id: int, bgg: Mapping[str, int]) -> str:
    """All plays as BG Stats would export them."""
    return json.dumps(bgstats_out.collection(db, club_id, plays.each(db, club_id), bgg), ensure_ascii=False)


# What hangs on no foreign key has to be taken out by name.
TALLIES_OF_CLUBS = [table for table, (keys, _) in TALLIES.items() if "club_id" in keys]
TALLIES_OF_PLAYERS = [table for table, (keys, _) in TALLIES.items() if "player_id" in keys]


def sqlite_file(db: Database, club_id: int) -> bytes:
    """The database with nothing but this club in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "club.db"
        with closing(sqlite3.connect(path)) as copy:
            db.conn.backup(copy)
            keep_only(copy, club_id)
            copy.execute("PRAGMA journal_mode = DELETE")
            copy.execute("VACUUM")
        return path.read_bytes()


def keep_only(copy: sqlite3.Connection, club_id: int) -> None:
    """Take out what belongs to others, and what only this server may know: keys, links, and tables still in play."""
    copy.execute("PRAGMA foreign_keys = ON")  # what hangs on a club, a play or a table goes with it
    copy.execute("DELETE FROM kept_plays WHERE club_id <> ?", [club_id])
    copy.execute("DELETE FROM tables")
    copy.execute("DELETE FROM clubs WHERE id <> ?", [club_id])
    for table in TALLIES_OF_CLUBS:
        copy.execute(f"DELETE FROM {table} WHERE club_id <> ?", [club_id])
    for table in TALLIES_OF_PLAYERS:
        copy.execute(f"DELETE FROM {table} WHERE player_id NOT IN (SELECT id FROM players)")
    copy.execute("DELETE FROM links")
    named = "SELECT id FROM devices WHERE name <> ''"
    copy.execute(
        f"UPDATE deeds SET name = (SELECT name FROM devices WHERE id = device_id) WHERE device_id IN ({named})"
    )
    copy.execute("DELETE FROM devices")
    copy.execute("DELETE FROM uploads")
    copy.execute("DELETE FROM settings WHERE name <> 'definitions'")
    copy.execute("DELETE FROM remarks WHERE club <> 'club' || ?", [club_id])
    copy.execute("INSERT INTO remarks (remarks) VALUES ('rebuild')")  # an index keeps the words of rows that are gone
    copy.commit()
