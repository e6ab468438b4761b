"""Describe what an address without a page led to, for a page that says where to go instead."""

from __future__ import annotations

from typing import NamedTuple

from flask import request

from webapp import history
from webapp.clubs import access
from webapp.database import get_db

ROOMS = {
    **dict.fromkeys(("setup", "table", "companion", "room", "result", "tv"), "table"),
    "photo": "photo",
    "play": "play",
    "players": "player",
    "join": "table's link",
    "home": "club's link",
}


class LostAddress(NamedTuple):
    """Hold the kind of thing that was looked for, and the key of the game saved from that table if readable."""

    what: str
    saved_as: str = ""


def lost_address() -> LostAddress:
    what = ROOMS.get(request.blueprint or "", "")
    key = (request.view_args or {}).get("key", "")
    if what == "table" and key:
        play = history.saved_plays.saved_from(get_db(), key)
        if play is not None and access.in_club(play.club_id):
            return LostAddress(what, play.key)
    return LostAddress(what)
