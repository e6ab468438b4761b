"""Clubs: the people who share a link, what each link allows, and which device holds which right."""

from __future__ import annotations

from webapp.clubs import access, quotas
from webapp.clubs.access import needs, require
from webapp.clubs.club import People, first_club, found, last_players, name_of, player_id, rename, roster, spelling
from webapp.clubs.invitations import ROLES, Membership, admit, is_current, links, new_token, renew
from webapp.clubs.limits import Attempts, Limit, address

__all__ = [
    "ROLES",
    "Attempts",
    "Limit",
    "Membership",
    "People",
    "access",
    "address",
    "admit",
    "first_club",
    "found",
    "is_current",
    "last_players",
    "links",
    "name_of",
    "needs",
    "new_token",
    "player_id",
    "quotas",
    "rename",
    "renew",
    "require",
    "roster",
    "spelling",
]
