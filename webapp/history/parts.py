"""What is kept of single plays, compared with what the plays themselves say, and put right play by play."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from webapp import clubs
from webapp.database import Database, pack
from webapp.history import achievements, dealt, kept, plays, scores, wording
from webapp.history.replay import tell_or_put_off
from webapp.history.tallies import CountedPlay

SCORES = "play_id, seat, player_id, club_id, game, played_at, player_count, variant, total, rank, winner"
TABLES = {
    "kept_scores": f"SELECT {SCORES} FROM kept_scores WHERE play_id IN (SELECT value FROM numbers_in(?1))",
    "kept_lines": """SELECT play_id, seat, position, rule, label, points FROM kept_lines
        WHERE play_id IN (SELECT value FROM numbers_in(?1))""",
    "earned": """SELECT play_id, seat, achievement, player_id, club_id, game, played_at FROM earned
        WHERE play_id IN (SELECT value FROM numbers_in(?1)) AND achievement NOT IN (SELECT value FROM words_in(?2))""",
    "kept_cards": "SELECT * FROM kept_cards WHERE play_id IN (SELECT value FROM numbers_in(?1))",
    "kept_words": """SELECT play_id, word, club_id, played_at FROM kept_words
        WHERE play_id IN (SELECT value FROM numbers_in(?1))""",
}


def compared(db: Database, ids: Sequence[int], counted: Sequence[CountedPlay]) -> dict[str, set[int]]:
    """By table, those of these plays of which something else is kept than they say."""
    score_rows, line_rows = scores.rows(counted)
    should: dict[str, list[tuple[Any, ...]]] = {
        "kept_scores": score_rows,
        "kept_lines": line_rows,
        "earned": achievements.rows(counted),
        "kept_cards": dealt.rows(counted),
        "kept_words": wording.rows(db, [play.id for play in counted]),
    }
    stands = {
        table: db.execute(sql, [pack(list(ids)), pack(sorted(achievements.CAREER))][: sql.count("?")]).fetchall()
        for table, sql in TABLES.items()
    }
    found = {table: set(should[table]) ^ {tuple(row) for row in stands[table]} for table in should}
    return {table: {row[0] for row in rows} for table, rows in found.items()}


def put_right(db: Database, play_id: int, tables: Collection[str]) -> None:
    """In the caller's transaction: what these tables have of the play is what it says; sums are left alone."""
    play = kept.by_id(db, play_id, json.loads)
    if play is None:
        return
    counted = plays.counted(db, play) if play.deleted_at is None else None
    if "kept_words" in tables:
        wording.remove(db, play_id)
        wording.add(db, [play_id] if counted else [])
    if "kept_cards" in tables:
        dealt.remove(db, play_id)
        dealt.add(db, [counted] if counted else [])
    if set(tables) <= {"kept_words", "kept_cards"}:
        return
    known = plays.known_of(play, clubs.zone_of(db, play.club_id))
    sets = ", ".join(f"{column} = ?" for column in known)
    db.execute(f"UPDATE kept_plays SET {sets} WHERE id = ?", [*known.values(), play_id])
    db.execute("DELETE FROM kept_scores WHERE play_id = ?", [play_id])
    if counted:
        scores.write(db, [counted])
        achievements.award(db, [counted])
    tell_or_put_off(db, play.club_id, play.game, (play.played_at, play.id))
