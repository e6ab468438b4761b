"""Manage clubs: their players, links, roles and devices, and the audit log."""

from __future__ import annotations

from webapp.clubs import access, audit_log, devices, matches, players, quotas
from webapp.clubs.access import Membership, needs, require
from webapp.clubs.club import create, first_club, name_of, remove, rename, set_zone, zone_of
from webapp.clubs.cookies import Sessions
from webapp.clubs.devices import Device, renew
from webapp.clubs.invitations import ROLES, Invitation, find_invitation, links, new_token
from webapp.clubs.players import People, avatars_at_table, avatars_of, last_players, player_id, roster, spelling
from webapp.clubs.rate_limits import Limit, address, forgive
from webapp.clubs.user_agents import in_words as kind_in_words

__all__ = [
    "ROLES",
    "Device",
    "Invitation",
    "Limit",
    "Membership",
    "People",
    "Sessions",
    "access",
    "address",
    "audit_log",
    "avatars_at_table",
    "avatars_of",
    "create",
    "devices",
    "find_invitation",
    "first_club",
    "forgive",
    "kind_in_words",
    "last_players",
    "links",
    "matches",
    "name_of",
    "needs",
    "new_token",
    "player_id",
    "players",
    "quotas",
    "remove",
    "rename",
    "renew",
    "require",
    "roster",
    "set_zone",
    "spelling",
    "zone_of",
]
