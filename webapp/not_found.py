"""Pages for addresses that no longer exist: they say what happened, and where to go from there."""

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
    """Hold what somebody looked for: the kind of thing, and the game saved from that table if she may see it."""

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
