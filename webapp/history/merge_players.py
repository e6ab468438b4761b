"""Move the games of one player to another, to merge two names of one person."""

from __future__ import annotations

from webapp.database import Database
from webapp.history import standings


def played_together(db: Database, person: int, other: int) -> bool:
    """Return whether the players with these two ids played in the same version of a game, deleted or not."""
    for table, same in (("all_scores", "play_id"), ("version_scores", "play_id, version")):
        row = db.execute(
            f"""SELECT 1 FROM {table} AS one JOIN {table} AS other USING ({same})
            WHERE one.player_id = ? AND other.player_id = ? LIMIT 1""",
            [person, other],
        ).fetchone()
        if row is not None:
            return True
    return False


def transfer_games(db: Database, club_id: int, person: int, other: int) -> None:
    """Give all games of the player `person` to the player `other`, in the caller's transaction."""
    first = db.execute(
        """SELECT game, min(played_at), min(all_plays.id) FROM all_scores JOIN all_plays ON all_plays.id = play_id
        WHERE player_id = ? AND deleted_at IS NULL GROUP BY game""",
        [person],
    ).fetchall()
    for table in ("all_scores", "version_scores"):
        db.execute(f"UPDATE {table} SET player_id = ? WHERE player_id = ?", [other, person])
    db.execute("DELETE FROM standings WHERE player_id = ?", [person])
    for game, played_at, play_id in first:
        standings.update(db, club_id, game, (played_at, play_id))
