"""Writes a club's history out: which kinds there are, and each of them piece by piece."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from webapp import history
from webapp.database import Database
from webapp.exchange import bgstats_out, tables, whole
from webapp.exchange.bgg import bgg_ids

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
    rows = db.query("SELECT * FROM kept_plays WHERE club_id = ? AND deleted_at IS NULL ORDER BY id", [club_id])
    plays = (play for row in rows if (play := history.play_of(row)) is not None)
    return json.dumps(bgstats_out.collection(db, club_id, plays, bgg), ensure_ascii=False)


# What only this server may know, or what belongs to other clubs, does not leave with a club's own file.
OTHERS = (
    "DELETE FROM settings WHERE name <> 'definitions'",
    "DELETE FROM links",
    "DELETE FROM uploads",
    "DELETE FROM tables",
    "DELETE FROM clubs WHERE id <> ?1",
    "DELETE FROM earned WHERE club_id <> ?1",
    "DELETE FROM remarks WHERE club <> 'club' || ?1",
)
BY_CLUB = ("tally_plays", "tally_months", "tally_totals", "tally_seats", "tally_lines", "tally_squares", "tally_earned")
BY_PLAYER = ("tally_players", "tally_player_lines", "tally_pairs")


def sqlite_file(db: Database, club_id: int) -> bytes:
    """The database with nothing but this club in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "club.db"
        with closing(sqlite3.connect(path)) as copy:
            db.conn.backup(copy)
            copy.execute("PRAGMA foreign_keys = OFF")
            cascade(copy, club_id)
            copy.execute("PRAGMA journal_mode = DELETE")
            copy.execute("VACUUM")
        return path.read_bytes()


def cascade(copy: sqlite3.Connection, club_id: int) -> None:
    """Take out everything of other clubs, children first."""
    others = "SELECT id FROM kept_plays WHERE club_id <> ?1"
    for table in ("kept_lines", "play_versions"):
        copy.execute(f"DELETE FROM {table} WHERE play_id IN ({others})", [club_id])
    for table in ("kept_scores", *BY_CLUB, "matches", "remembered", "cards"):
        copy.execute(f"DELETE FROM {table} WHERE club_id <> ?1", [club_id])
    for table in BY_PLAYER:
        copy.execute(
            f"DELETE FROM {table} WHERE player_id NOT IN (SELECT id FROM players WHERE club_id = ?1)", [club_id]
        )
    for table in ("kept_plays", "players"):
        copy.execute(f"DELETE FROM {table} WHERE club_id <> ?1", [club_id])
    for statement in OTHERS:
        copy.execute(statement, [club_id] if "?1" in statement else [])
    copy.execute("DELETE FROM seats WHERE table_id NOT IN (SELECT id FROM tables)")
    copy.execute("INSERT INTO remarks (remarks) VALUES ('rebuild')")  # an index keeps the words of rows that are gone
    copy.commit()
