"""Remember which names in files of other programs are which of our players and games."""

from __future__ import annotations

from collections.abc import Iterable

from webapp.database import Database

Match = tuple[str, str, str, str]  # source, kind ("player" or "game"), theirs, ours


def of_source(db: Database, club_id: int, source: str) -> dict[tuple[str, str], str]:
    """Return our name or id for each kind ("player" or "game") and name in files of the program `source`."""
    rows = db.execute("SELECT kind, theirs, ours FROM matches WHERE club_id = ? AND source = ?", [club_id, source])
    return {(kind, theirs): ours for kind, theirs, ours in rows.fetchall()}


def remember(db: Database, club_id: int, matches: Iterable[Match]) -> None:
    """Store these matches, replacing earlier ones."""
    db.executemany(
        """INSERT INTO matches (club_id, source, kind, theirs, ours) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (club_id, source, kind, theirs) DO UPDATE SET ours = excluded.ours""",
        [(club_id, *match) for match in matches],
    )


def add(db: Database, club_id: int, match: Match) -> None:
    """Store a match unless there is one already."""
    sql = "INSERT INTO matches (club_id, source, kind, theirs, ours) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    db.execute(sql, [club_id, *match])


def rename_player(db: Database, club_id: int, before: str, after: str) -> None:
    """Change the matches of a player who was renamed."""
    db.execute(
        "UPDATE matches SET ours = ? WHERE club_id = ? AND kind = 'player' AND ours = ?", [after, club_id, before]
    )


def forget(db: Database, club_id: int, name: str) -> None:
    """Delete all matches with a player's name, ours or theirs."""
    db.execute(
        "DELETE FROM matches WHERE club_id = ? AND kind = 'player' AND (ours = ? OR theirs = ?)", [club_id, name, name]
    )
