"""Manage the three invitation links of a club, one for each role."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

from webapp.database import Database

ROLES = ("viewer", "member", "owner")  # each includes the rights of those before
TOKEN_BYTES = 16


@dataclass(frozen=True, slots=True)
class Invitation:
    """Hold the club and role that a link gives; `generation` counts how often that link was replaced."""

    club_id: int
    role: str
    generation: int


def invite(db: Database, club_id: int) -> None:
    """Make the links of a new club."""
    for role in ROLES:
        db.put("links", club_id=club_id, role=role, token=new_token())


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def find_invitation(db: Database, token: str) -> Invitation | None:
    """Return the invitation with this token, or None.

    Tokens have 128 random bits, which makes guessing hopeless. The comparison in constant time is a second safeguard.
    """
    link = db.row("SELECT club_id, role, token, generation FROM links WHERE token = ?", token)
    if link is None or not hmac.compare_digest(link["token"].encode(), token.encode()):
        return None
    return Invitation(link["club_id"], link["role"], link["generation"])


def is_current(db: Database, invitation: Invitation) -> bool:
    """Return whether the link of this invitation has not been replaced."""
    link = db.row("SELECT generation FROM links WHERE club_id = ? AND role = ?", invitation.club_id, invitation.role)
    return link is not None and link["generation"] == invitation.generation


def renew(db: Database, club_id: int, role: str) -> None:
    """Replace the link of a role: the old link stops working."""
    with db.atomic(club_id):
        db.execute(
            "UPDATE links SET token = ?, generation = generation + 1 WHERE club_id = ? AND role = ?",
            [new_token(), club_id, role],
        )


def links(db: Database, club_id: int) -> dict[str, str]:
    return {row["role"]: row["token"] for row in db.query("SELECT role, token FROM links WHERE club_id = ?", [club_id])}
