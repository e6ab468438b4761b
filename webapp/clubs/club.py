"""Read and write a club: its name and its time zone."""

from __future__ import annotations

from webapp.clubs.invitations import invite
from webapp.database import Database, now


def create(db: Database, name: str) -> int:
    """Add a club with its three links, and return its id."""
    with db.atomic(0):
        club_id = db.insert("clubs", name=name, created_at=now())
        invite(db, club_id)
    return club_id


def name_of(db: Database, club_id: int) -> str:
    return name_and_zone(db, club_id)[0]


def name_and_zone(db: Database, club_id: int) -> tuple[str, str]:
    """Return the name and the time zone of the club, each "" if unknown."""
    row = db.row("SELECT name, zone FROM clubs WHERE id = ?", club_id)
    return (row["name"], row["zone"]) if row else ("", "")


def zone_of(db: Database, club_id: int) -> str:
    """Return the club's time zone, or "" until it is set."""
    return name_and_zone(db, club_id)[1]


def set_zone(db: Database, club_id: int, zone: str) -> None:
    with db.atomic(club_id):
        db.execute("UPDATE clubs SET zone = ? WHERE id = ?", [zone, club_id])


def rename(db: Database, club_id: int, name: str) -> None:
    with db.atomic(club_id):
        db.execute("UPDATE clubs SET name = ? WHERE id = ?", [name, club_id])


def first_club(db: Database) -> int | None:
    """Return the id of the oldest club, or None. Clubs that are being deleted have no links and don't count."""
    row = db.row("SELECT min(club_id) AS id FROM links")
    return row["id"] if row else None


def remove(db: Database, club_id: int) -> None:
    """Delete a club of which nothing else is left in the database."""
    with db.atomic(club_id):
        db.execute("DELETE FROM clubs WHERE id = ?", [club_id])
