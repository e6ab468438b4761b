"""Remember which of our players and games are meant by names in files of other programs."""

from __future__ import annotations

from collections.abc import Iterable

from webapp.database import Database

Match = tuple[str, str, str, str]  # source, kind ("player" or "game"), theirs, ours


def of_source(db: Database, club_id: int, source: str) -> dict[tuple[str, str], str]:
    """Return what players and games of ours the names in files of the program `source`, such as "BG Stats", mean. The
    keys are pairs of a kind ("player" or "game") and the name in the file. The values are our players' names and our
    games' ids."""
    rows = db.execute("SELECT kind, theirs, ours FROM matches WHERE club_id = ? AND source = ?", [club_id, source])
    return {(kind, theirs): ours for kind, theirs, ours in rows.fetchall()}


def remember(db: Database, club_id: int, matches: Iterable[Match]) -> None:
    """Store what players and games of ours the names in a file mean. What was stored about these names is replaced."""
    db.executemany(
        """INSERT INTO matches (club_id, source, kind, theirs, ours) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (club_id, source, kind, theirs) DO UPDATE SET ours = excluded.ours""",
        [(club_id, *match) for match in matches],
    )


def add(db: Database, club_id: int, match: Match) -> None:
    """Store what player or game of ours the name in a file means, unless something is stored about it already."""
    sql = "INSERT INTO matches (club_id, source, kind, theirs, ours) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    db.execute(sql, [club_id, *match])


def rename_player(db: Database, club_id: int, before: str, after: str) -> None:
    """Rename our player `before` to `after` in all stored matches between names in files and our players."""
    db.execute(
        "UPDATE matches SET ours = ? WHERE club_id = ? AND kind = 'player' AND ours = ?", [after, club_id, before]
    )


def forget(db: Database, club_id: int, name: str) -> None:
    """Delete every match between a name in a file and a player of ours, if either has this name."""
    db.execute(
        "DELETE FROM matches WHERE club_id = ? AND kind = 'player' AND (ours = ? OR theirs = ?)", [club_id, name, name]
    )
