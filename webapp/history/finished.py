"""Save finished games at the reveal, or when a member confirms it."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.names import folded
from scorer.result import can_be_saved
from webapp.clubs import audit_log, quotas
from webapp.database import Database, ago
from webapp.history import plays, saved_plays, tonight, webhook
from webapp.history.decision import decision_of
from webapp.table import Table, TableContext, photos, tables

DUPLICATE_DAYS = 0.25  # an equal game within six hours may be the same one, entered twice


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Represent a saved game that may be the same as the game at the table."""

    id: int
    key: str
    saved_at: str


def save_at_reveal(context: TableContext, checked: bool = False) -> bool:
    """Save the game unless somebody has to look at it first, and return whether it was saved. It is saved if all boards
    are done, no question is open and no equal game was saved lately. `checked` means that somebody has looked at
    everything that may be wrong."""
    table = context.table
    with context.db.atomic(table.club_id):
        if table.practice or table.play_id is not None or not table.seats or not all(seat.done for seat in table.seats):
            return False
        if not may_be_saved(context) or context.entries.result["needs"] or duplicate(context) is not None:
            return False
        if context.entries.result["problems"] and not checked:
            return False
        save(context)
    return True


def may_be_saved(context: TableContext) -> bool:
    """Return whether the result is complete enough to save and no longer hidden."""
    hidden = context.table.hides_results
    return can_be_saved(context.entries.result) and not context.entries.waiting_for and not hidden


def save(context: TableContext) -> int:
    """Save the game of the table, new or as an edit, and close the table; return the id of the saved game."""
    db, table = context.db, context.table
    play_id = _save(context)
    photos.go_with(db, table, play_id)
    _close_table(db, table, play_id)
    return play_id


def _close_table(db: Database, table: Table, play_id: int) -> None:
    if table.room is not None:
        tonight.add(db, table.room, play_id)
    tables.put_by(db, table, play_id)


def close_as_duplicate(context: TableContext, play: Duplicate) -> None:
    """Close the table without saving, since its game is the same as the saved game `play`."""
    with context.db.atomic(context.table.club_id):
        _close_table(context.db, context.table, play.id)


def apply_late_change(context: TableContext) -> None:
    """Edit the saved game if a phone without network sent a change after the table was closed."""
    play = saved_plays.by_id(context.db, context.table.play_id) if context.table.play_id is not None else None
    if play is None or not can_be_saved(context.entries.result) or context.entries.record == play.record:
        return
    with context.db.atomic(context.table.club_id):
        _save(context)


def _save(context: TableContext) -> int:
    """Save the game of the table, new or as an edit, and leave the table open; return the id of the saved game."""
    db, table, record, result = context.db, context.table, context.entries.record, context.entries.result
    guests = [seat.name for seat in table.seats if seat.guest]
    if table.play_id is None:
        worn = {seat.name: seat.avatar for seat in table.seats}
        play_id = plays.save(db, table.club_id, record, result, table_key=table.key, worn=worn, guests=guests)
        quotas.check_plays(db, table.club_id, play_id)
        audit_log.note(db, table.club_id, "saved", play_id=play_id)
        webhook.add(db, table.club_id, play_id)
        return play_id
    play = saved_plays.by_id(db, table.play_id)
    assert play is not None, "deleting a play deletes its table"
    plays.edit(db, play, record, decision_of(record, result), table.key, guests)
    audit_log.note(db, table.club_id, "corrected", play_id=play.id)
    return play.id


def duplicate(context: TableContext) -> Duplicate | None:
    """Return the game that equals the one at the table in title, players and totals, or None. It must have been saved
    within the last six hours."""
    table, result = context.table, context.entries.result
    if table.play_id is not None or not result["ok"]:
        return None
    ours = {(folded(player["name"]), player["total"]) for player in result["players"]}
    rows = context.db.query(
        """SELECT all_plays.id, key, saved_at, players.name, total FROM all_plays
        JOIN all_scores ON play_id = all_plays.id JOIN players ON players.id = player_id
        WHERE all_plays.club_id = ? AND all_plays.game = ? AND saved_at >= ? AND deleted_at IS NULL""",
        [table.club_id, table.game.id, ago(days=DUPLICATE_DAYS)],
    )
    lately: dict[Duplicate, set[tuple[str, int | None]]] = {}
    for row in rows:
        one = Duplicate(row["id"], row["key"], row["saved_at"])
        lately.setdefault(one, set()).add((folded(row["name"]), row["total"]))
    return max((one for one, theirs in lately.items() if theirs == ours), key=lambda one: one.id, default=None)
