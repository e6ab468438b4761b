"""The devices that are in a club, a row for each: what ends a row ends every copy of the cookie that names it.

A cookie says no more than which row is its own, so a right ends here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.sentences import Sentence
from webapp.clubs import invitations, user_agents
from webapp.clubs.invitations import Invitation, new_token
from webapp.database import Database, ago, now

SEEN_DAYS = 1 / 24  # how exact "last seen" is: what is only looked at costs no more than one write in that time
ENDED_DAYS = 400  # as long as browsers keep a cookie


@dataclass(frozen=True, slots=True)
class Device:
    """A device in a club. `role` is what its link allowed; `phone` the name it goes by at tables, which nobody sees."""

    id: int
    club_id: int
    key: str
    role: str
    way: str  # by which it came: "link" or "founded"
    name: str  # as people call it, "" until they do
    kind: str  # what it seems to be
    phone: str
    since: str
    seen_at: str
    ended_at: str | None

    @property
    def called(self) -> str | Sentence:
        return self.name or user_agents.in_words(self.kind)

    @property
    def seen_long_ago(self) -> bool:
        """Return whether its visit is worth a note; one in the future was noted by a clock that was wrong."""
        return not ago(SEEN_DAYS) <= self.seen_at <= now()


def find(db: Database, club_id: int, key: str) -> Device | None:
    """The device of that key, if it is still in the club."""
    row = db.row("SELECT * FROM devices WHERE key = ? AND club_id = ? AND ended_at IS NULL", key, club_id)
    return Device(**row) if row else None


def by_id(db: Database, club_id: int, number: int) -> Device | None:
    row = db.row("SELECT * FROM devices WHERE id = ? AND club_id = ? AND ended_at IS NULL", number, club_id)
    return Device(**row) if row else None


def listed(db: Database, club_id: int) -> list[Device]:
    """The club's devices, those who came last first."""
    rows = db.query(
        "SELECT * FROM devices WHERE club_id = ? AND ended_at IS NULL ORDER BY seen_at DESC, id DESC", [club_id]
    )
    return [Device(**row) for row in rows]


def add_device(
    db: Database, invitation: Invitation, phone: str, kind: str, before: Device | None = None, way: str = "link"
) -> Device | None:
    """Add a row for a device that came by the invitation, unless that has just been replaced.

    What the device held before ends, so that a copy of its cookie gains nothing by its step.
    """
    with db.atomic(invitation.club_id):
        if not invitations.is_current(db, invitation):
            return None
        if before is not None:
            end(db, before)
        row: dict[str, Any] = {
            "club_id": invitation.club_id,
            "key": new_token(),
            "role": invitation.role,
            "way": way,
            "name": before.name if before else "",
            "kind": kind,
            "phone": phone,
            "since": now(),
            "seen_at": now(),
        }
        return Device(**row, id=db.insert("devices", **row), ended_at=None)


def end(db: Database, device: Device) -> None:
    """Put the device out of the club, with every copy of its cookie."""
    with db.atomic(device.club_id):
        db.execute("UPDATE devices SET ended_at = ? WHERE id = ? AND ended_at IS NULL", [now(), device.id])


def renew(db: Database, club_id: int, role: str, but: int | None = None) -> list[Device]:
    """A new link for the role, and out with all who came by the old one, but for one; those who went."""
    with db.atomic(club_id):
        invitations.renew(db, club_id, role)
        gone = [device for device in listed(db, club_id) if device.role == role and device.id != but]
        for device in gone:
            end(db, device)
    return gone


def call(db: Database, device: Device, name: str) -> None:
    with db.atomic(device.club_id):
        db.execute("UPDATE devices SET name = ? WHERE id = ?", [name, device.id])


def saw(db: Database, device: Device, kind: str) -> None:
    """Note that the device was here."""
    with db.atomic(device.club_id):
        db.execute("UPDATE devices SET seen_at = ?, kind = ? WHERE id = ?", [now(), kind or device.kind, device.id])


def purge(db: Database) -> None:
    """Delete devices that ended long ago."""
    with db.atomic():
        db.execute("DELETE FROM devices WHERE ended_at < ?", [ago(ENDED_DAYS)])
