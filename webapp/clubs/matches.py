"""Remember which of our players and games are meant by names in files of other programs."""

from __future__ import annotations

from collections.abc import Iterable

from webapp.database import Database

Match = tuple[str, str, str, str]  # source, kind ("player" or "game"), theirs, ours


def of_source(db: Database, club_id: int, source: str) -> dict[tuple[str, str], str]:
    """Return our player's name or game's id for each kind ("player" or "game") and name in files of `source`."""
    rows = db.execute("SELECT kind, theirs, ours FROM matches WHERE club_id = ? AND source = ?", [club_id, source])
    return {(kind, theirs): ours for kind, theirs, ours in rows.fetchall()}


def remember(db: Database, club_id: int, matches: Iterable[Match]) -> None:
    """Store which players and games of ours the names in a file mean, replacing what was stored before."""
    db.executemany(
        """INSERT INTO matches (club_id, source, kind, theirs, ours) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (club_id, source, kind, theirs) DO UPDATE SET ours = excluded.ours""",
        [(club_id, *match) for match in matches],
    )


def add(db: Database, club_id: int, match: Match) -> None:
    """Store which player or game of ours a name in a file means, unless that is stored already."""
    sql = "INSERT INTO matches (club_id, source, kind, theirs, ours) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    db.execute(sql, [club_id, *match])


def rename_player(db: Database, club_id: int, before: str, after: str) -> None:
    """Replace our player's old name by the new one in what is stored about names in files."""
    db.execute(
        "UPDATE matches SET ours = ? WHERE club_id = ? AND kind = 'player' AND ours = ?", [after, club_id, before]
    )


def forget(db: Database, club_id: int, name: str) -> None:
    """Delete every match between a name in a file and a player of ours, if either has this name."""
    db.execute(
        "DELETE FROM matches WHERE club_id = ? AND kind = 'player' AND (ours = ? OR theirs = ?)", [club_id, name, name]
    )
