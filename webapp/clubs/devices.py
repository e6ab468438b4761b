"""Store the devices of a club in a row each. Ending a row ends every copy of the cookie that names it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.sentences import Sentence
from webapp.clubs import invitations, user_agents
from webapp.clubs.invitations import Invitation, new_token
from webapp.database import Database, ago, now

SEEN_DAYS = 1 / 24  # how exact "last seen" is: reading pages costs at most one write in this time
ENDED_DAYS = 400  # as long as browsers keep a cookie


@dataclass(frozen=True, slots=True)
class Device:
    """Represent a device in a club. `role` is what its link allowed; `phone` is its secret id in rooms."""

    id: int
    club_id: int
    key: str
    role: str
    way: str  # how it joined: "link" or "founded"
    name: str  # given by people, "" until then
    kind: str  # as `user_agents` recognised it
    phone: str
    since: str
    seen_at: str
    ended_at: str | None

    @property
    def called(self) -> str | Sentence:
        return self.name or user_agents.in_words(self.kind)

    @property
    def seen_long_ago(self) -> bool:
        """Return whether `seen_at` should be updated: it is over an hour old, or a wrong clock set it ahead."""
        return not ago(SEEN_DAYS) <= self.seen_at <= now()


def find(db: Database, club_id: int, key: str) -> Device | None:
    """Return the device with this key if it is still in the club, or None."""
    row = db.row("SELECT * FROM devices WHERE key = ? AND club_id = ? AND ended_at IS NULL", key, club_id)
    return Device(**row) if row else None


def by_id(db: Database, club_id: int, number: int) -> Device | None:
    row = db.row("SELECT * FROM devices WHERE id = ? AND club_id = ? AND ended_at IS NULL", number, club_id)
    return Device(**row) if row else None


def listed(db: Database, club_id: int) -> list[Device]:
    """Return the club's devices, last seen first."""
    rows = db.query(
        "SELECT * FROM devices WHERE club_id = ? AND ended_at IS NULL ORDER BY seen_at DESC, id DESC", [club_id]
    )
    return [Device(**row) for row in rows]


def add_device(
    db: Database, invitation: Invitation, phone: str, kind: str, before: Device | None = None, way: str = "link"
) -> Device | None:
    """Add a device that followed an invitation; return None if the invitation has been replaced.

    `phone` is its secret id in rooms, and `kind` is as in `user_agents`. Its row `before` ends, so that a copy of its
    old cookie doesn't get the new role. `way` is how the device came, such as "link" or "founded".
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
    """Remove the device from the club, with every copy of its cookie."""
    with db.atomic(device.club_id):
        db.execute("UPDATE devices SET ended_at = ? WHERE id = ? AND ended_at IS NULL", [now(), device.id])


def renew(db: Database, club_id: int, role: str, but: int | None = None) -> list[Device]:
    """Replace the link of a role and remove all devices with the role; return the removed devices.

    The device with the id `but` stays.
    """
    with db.atomic(club_id):
        invitations.renew(db, club_id, role)
        gone = [device for device in listed(db, club_id) if device.role == role and device.id != but]
        for device in gone:
            end(db, device)
    return gone


def rename(db: Database, device: Device, name: str) -> None:
    with db.atomic(device.club_id):
        db.execute("UPDATE devices SET name = ? WHERE id = ?", [name, device.id])


def note_visit(db: Database, device: Device, kind: str) -> None:
    """Store that the device was here just now, and its kind, such as "phone|Chrome|Android"."""
    with db.atomic(device.club_id):
        db.execute("UPDATE devices SET seen_at = ?, kind = ? WHERE id = ?", [now(), kind or device.kind, device.id])


def purge(db: Database) -> None:
    """Delete the rows of devices that left their club or were removed more than 400 days ago."""
    with db.atomic():
        db.execute("DELETE FROM devices WHERE ended_at < ?", [ago(ENDED_DAYS)])
