"""Clubs: the people who share a link, what each link allows, and the names that play."""

from __future__ import annotations

import hmac
import json
import secrets
from dataclasses import dataclass
from typing import Any

from webapp.database import Database, now, pack

ROLES = ("viewer", "member", "owner")  # each may do all that those before it may
TOKEN_BYTES = 16


@dataclass(frozen=True, slots=True)
class Membership:
    """What a device may do in a club, and the generation of the link it came by."""

    club_id: int
    role: str
    generation: int

    def may(self, role: str) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)


def found(db: Database, name: str) -> int:
    """A new club with its three links."""
    with db.atomic():
        club_id = int(db["clubs"].insert({"name": name, "created_at": now()}).last_pk)
        for role in ROLES:
            db["links"].insert({"club_id": club_id, "role": role, "token": new_token()})
    return club_id


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def admit(db: Database, token: str) -> Membership | None:
    """What the invitation lets its holder do, if it is one.

    The index looks the token up by its bytes, so the comparison in constant time is a second wall, not the first: what
    keeps guessing hopeless is that a token has 128 random bits.
    """
    link = db.row("SELECT club_id, role, token, generation FROM links WHERE token = ?", token)
    if link is None or not hmac.compare_digest(link["token"].encode(), token.encode()):
        return None
    return Membership(link["club_id"], link["role"], link["generation"])


def is_current(db: Database, membership: Membership) -> bool:
    """Whether the link the device came by is still the club's link for that role."""
    link = db.row("SELECT generation FROM links WHERE club_id = ? AND role = ?", membership.club_id, membership.role)
    return link is not None and link["generation"] == membership.generation


def renew(db: Database, club_id: int, role: str) -> Membership:
    """A new link for the role. Devices that came by the old one are shut out."""
    with db.atomic():
        db.execute(
            "UPDATE links SET token = ?, generation = generation + 1 WHERE club_id = ? AND role = ?",
            [new_token(), club_id, role],
        )
        link = db.row("SELECT generation FROM links WHERE club_id = ? AND role = ?", club_id, role)
    assert link is not None
    return Membership(club_id, role, link["generation"])


def links(db: Database, club_id: int) -> dict[str, str]:
    return {row["role"]: row["token"] for row in db.query("SELECT role, token FROM links WHERE club_id = ?", [club_id])}


def name_of(db: Database, club_id: int) -> str:
    row = db.row("SELECT name FROM clubs WHERE id = ?", club_id)
    return row["name"] if row else ""


def rename(db: Database, club_id: int, name: str) -> None:
    with db.atomic():
        db["clubs"].update(club_id, {"name": name})


def first_club(db: Database) -> int | None:
    row = db.row("SELECT min(id) AS id FROM clubs")
    return row["id"] if row else None


def roster(db: Database, club_id: int) -> list[str]:
    """The club's names, those who played last first."""
    rows = db.query(
        """SELECT name FROM players WHERE club_id = ?
        ORDER BY (
            SELECT played_at FROM kept_scores WHERE player_id = players.id ORDER BY played_at DESC LIMIT 1
        ) DESC NULLS LAST, id""",
        [club_id],
    )
    return [row["name"] for row in rows]


def last_players(db: Database, club_id: int, most: int) -> list[str]:
    """Who sat at the club's latest game, in seat order."""
    rows = db.query(
        """SELECT name FROM kept_scores JOIN players ON players.id = player_id WHERE play_id = (
            SELECT id FROM kept_plays WHERE club_id = ? AND deleted_at IS NULL ORDER BY played_at DESC, id DESC LIMIT 1
        ) ORDER BY seat LIMIT ?""",
        [club_id, most],
    )
    return [row["name"] for row in rows]


def player_id(db: Database, club_id: int, name: str) -> int:
    """The club's player of that name, a new one if nobody has had it."""
    row = db.row("SELECT id FROM players WHERE club_id = ? AND name = ?", club_id, name)
    if row:
        return int(row["id"])
    return int(db["players"].insert({"club_id": club_id, "name": name, "created_at": now()}).last_pk)


def remember(db: Database, club_id: int, game: str, setup: dict[str, Any]) -> None:
    """Keep what was chosen, so that the next table begins with it."""
    row = {"club_id": club_id, "game": game, "setup": pack(setup)}
    db["remembered"].upsert(row, pk=("club_id", "game"))


def recall(db: Database, club_id: int, game: str) -> dict[str, Any]:
    row = db.row("SELECT setup FROM remembered WHERE club_id = ? AND game = ?", club_id, game)
    return json.loads(row["setup"]) if row else {}
