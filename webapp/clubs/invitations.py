"""Invitations: the three links of a club, and what each allows."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

from webapp.database import Database

ROLES = ("viewer", "member", "owner")  # each may do all that those before it may
TOKEN_BYTES = 16


@dataclass(frozen=True, slots=True)
class Invitation:
    """Hold what a link lets its holder do, and the generation of the link."""

    club_id: int
    role: str
    generation: int


def invite(db: Database, club_id: int) -> None:
    """The links of a new club."""
    for role in ROLES:
        db.put("links", club_id=club_id, role=role, token=new_token())


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def admit(db: Database, token: str) -> Invitation | None:
    """Return what the invitation lets its holder do, if it is one.

    The index looks the token up by its bytes, so the comparison in constant time is a second wall, not the first: what
    keeps guessing hopeless is that a token has 128 random bits.
    """
    link = db.row("SELECT club_id, role, token, generation FROM links WHERE token = ?", token)
    if link is None or not hmac.compare_digest(link["token"].encode(), token.encode()):
        return None
    return Invitation(link["club_id"], link["role"], link["generation"])


def is_current(db: Database, invitation: Invitation) -> bool:
    """Return whether the club's link for that role is still the one that was followed."""
    link = db.row("SELECT generation FROM links WHERE club_id = ? AND role = ?", invitation.club_id, invitation.role)
    return link is not None and link["generation"] == invitation.generation


def renew(db: Database, club_id: int, role: str) -> None:
    """A new link for the role: the old one opens nothing any more, nor does an old cookie made by it."""
    with db.atomic(club_id):
        db.execute(
            "UPDATE links SET token = ?, generation = generation + 1 WHERE club_id = ? AND role = ?",
            [new_token(), club_id, role],
        )


def links(db: Database, club_id: int) -> dict[str, str]:
    return {row["role"]: row["token"] for row in db.query("SELECT role, token FROM links WHERE club_id = ?", [club_id])}
