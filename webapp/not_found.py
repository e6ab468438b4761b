"""Describe what was looked for at an address that has no page, so that the error page can say where to go."""

from __future__ import annotations

from typing import NamedTuple

from flask import request

from scorer.sentences import NOTHING, Sentence, say
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
DELETED = say("It was deleted, or this device isn’t in its club.")
NOTHING_THERE = say("Page not found"), say("Check the address, or open the club’s invitation.")
LOST = {
    "table": (say("Game not found"), say("It was saved or discarded, or this device hasn’t joined it.")),
    "play": (say("Game not found"), DELETED),
    "player": (say("Player not found"), DELETED),
    "table's link": (
        say("This game is closed"),
        say("The game is over, or its link was replaced. Ask for the new code."),
    ),
    "club's link": (say("This invitation no longer works"), say("It was replaced. Ask the club for the new one.")),
}
PHOTOS = say("We delete the photo once you’ve checked it, unless you keep it.")
PHOTO_SAMPLES = say("We delete the photo within a day, unless you keep it.")


class LostAddress(NamedTuple):
    """Hold what was looked for, such as "photo", and the key of the saved game if the visitor may read it."""

    what: str
    saved_as: str = ""

    def explanation(self, samples: bool) -> tuple[Sentence, Sentence]:
        """Return a title and a sentence on what to do; `samples` says whether photos may be kept for training."""
        if self.saved_as:
            return say("This game is saved"), NOTHING
        if self.what == "photo":
            return say("This photo is gone"), PHOTO_SAMPLES if samples else PHOTOS
        return LOST.get(self.what, NOTHING_THERE)


def lost_address() -> LostAddress:
    what = ROOMS.get(request.blueprint or "", "")
    key = (request.view_args or {}).get("key", "")
    if what == "table" and key:
        play = history.saved_plays.saved_from(get_db(), key)
        if play is not None and access.in_club(play.club_id):
            return LostAddress(what, play.key)
    return LostAddress(what)
