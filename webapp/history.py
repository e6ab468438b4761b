"""Plays: saved games with the end state, the result and every earlier version. Nothing acknowledged is ever lost."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from webapp import clubs
from webapp.database import Database, ago, new_key, now, pack

UNDO_DAYS = 30


@dataclass(frozen=True, slots=True)
class Play:
    """A saved game."""

    id: int
    key: str
    club_id: int
    game: str
    played_at: str
    version: int
    record: dict[str, Any]
    result: dict[str, Any]
    notes: str
    deleted_at: str | None


def save(
    db: Database,
    club_id: int,
    record: dict[str, Any],
    result: dict[str, Any],
    table_key: str | None = None,
    played_at: str = "",
    notes: str = "",
) -> int:
    """Put a game into the history; its id."""
    assert result["ok"] and not result["needs"], "only decided games are saved"
    moment = now()
    row = {
        "key": new_key(),
        "club_id": club_id,
        "game": result["game"],
        "played_at": played_at or moment,
        "saved_at": moment,
        "record": pack(record),
        "result": pack(result),
        "rules_version": result["rules_version"],
        "player_count": len(result["players"]),
        "notes": notes,
        "table_key": table_key,
    }
    with db.atomic():
        play_id = int(db["plays"].insert(row).last_pk)
        _write_scores(db, club_id, play_id, result)
    return play_id


def correct(
    db: Database, play: Play, record: dict[str, Any], result: dict[str, Any], table_key: str | None = None
) -> None:
    """Replace a saved game by its next version; the one before is kept."""
    assert result["ok"] and not result["needs"], "only decided games are saved"
    with db.atomic():
        db.execute(
            """INSERT INTO play_versions (play_id, version, saved_at, record, result, rules_version)
            SELECT id, version, saved_at, record, result, rules_version FROM plays WHERE id = ?""",
            [play.id],
        )
        db.execute(
            """UPDATE plays SET version = version + 1, saved_at = ?, record = ?, result = ?, rules_version = ?,
            player_count = ?, table_key = ? WHERE id = ?""",
            [now(), pack(record), pack(result), result["rules_version"], len(result["players"]), table_key, play.id],
        )
        db.execute("DELETE FROM scores WHERE play_id = ?", [play.id])
        _write_scores(db, play.club_id, play.id, result)


def _write_scores(db: Database, club_id: int, play_id: int, result: dict[str, Any]) -> None:
    for seat, player in enumerate(result["players"]):
        db["scores"].insert(
            {
                "play_id": play_id,
                "seat": seat,
                "player_id": clubs.player_id(db, club_id, player["name"]),
                "total": player["total"],
                "rank": player["rank"],
                "winner": int(player["winner"]),
            }
        )
        db["lines"].insert_all(
            {
                "play_id": play_id,
                "seat": seat,
                "position": position,
                "rule": line["rule"],
                "label": line["label"],
                "points": line["points"],
            }
            for position, line in enumerate(player["lines"])
        )


def find(db: Database, key: str) -> Play | None:
    return _play(db.row("SELECT * FROM plays WHERE key = ?", key))


def by_id(db: Database, play_id: int) -> Play | None:
    return _play(db.row("SELECT * FROM plays WHERE id = ?", play_id))


def _play(row: dict[str, Any] | None) -> Play | None:
    if row is None:
        return None
    return Play(
        row["id"],
        row["key"],
        row["club_id"],
        row["game"],
        row["played_at"],
        row["version"],
        json.loads(row["record"]),
        json.loads(row["result"]),
        row["notes"],
        row["deleted_at"],
    )


def saved_from(db: Database, table_key: str) -> str | None:
    """The key of the game that was saved from this table."""
    row = db.row("SELECT key FROM plays WHERE table_key = ?", table_key)
    return row["key"] if row else None


def annotate(db: Database, play: Play, notes: str) -> None:
    with db.atomic():
        db.execute("UPDATE plays SET notes = ? WHERE id = ?", [notes, play.id])


def recent(db: Database, club_id: int, limit: int = 20) -> list[dict[str, Any]]:
    """The latest plays with who played and who won, for lists."""
    plays = db.query(
        """SELECT id, key, game, played_at FROM plays WHERE club_id = ? AND deleted_at IS NULL
        ORDER BY played_at DESC, id DESC LIMIT ?""",
        [club_id, limit],
    )
    listed = {play["id"]: {**play, "names": [], "winners": [], "best": None} for play in plays}
    marks = ", ".join("?" * len(listed))
    scores = db.query(
        f"""SELECT scores.play_id, scores.total, scores.winner, players.name FROM scores
        JOIN players ON players.id = scores.player_id WHERE scores.play_id IN ({marks}) ORDER BY rank, seat""",
        list(listed),
    )
    for score in scores:
        play = listed[score["play_id"]]
        play["names"].append(score["name"])
        if score["winner"]:
            play["winners"].append(score["name"])
            play["best"] = score["total"]
    return list(listed.values())


def versions(db: Database, play: Play) -> list[dict[str, Any]]:
    """The earlier versions, the latest first."""
    return list(
        db.query(
            "SELECT version, saved_at, record, result FROM play_versions WHERE play_id = ? ORDER BY version DESC",
            [play.id],
        )
    )


def delete(db: Database, play: Play) -> None:
    """Out of the history, to be undone for a month."""
    with db.atomic():
        db.execute("UPDATE plays SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL", [now(), play.id])


def restore(db: Database, play: Play) -> None:
    with db.atomic():
        db.execute("UPDATE plays SET deleted_at = NULL WHERE id = ?", [play.id])


def purge(db: Database) -> None:
    """Deleted games that nobody wanted back in time are gone for good."""
    with db.atomic():
        db.execute("DELETE FROM plays WHERE deleted_at < ?", [ago(days=UNDO_DAYS)])
