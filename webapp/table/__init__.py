"""Hold games while they are entered, by one phone or many, from the first tap to the reveal."""

from __future__ import annotations

from webapp.table.entries import Entries, Preview
from webapp.table.json_paths import COMPANION
from webapp.table.rooms import Room
from webapp.table.seats import Sending
from webapp.table.tables import Seat, Table
from webapp.table.visit import Stay, Visit, changing, come_into, come_to, inward, look_at, look_into, onward

__all__ = [
    "COMPANION",
    "Entries",
    "Preview",
    "Room",
    "Seat",
    "Sending",
    "Stay",
    "Table",
    "Visit",
    "acts",
    "cardboxes",
    "changing",
    "come_into",
    "come_to",
    "events",
    "example",
    "forms",
    "inward",
    "json_paths",
    "kinds",
    "look_at",
    "look_into",
    "lots",
    "merging",
    "new_table",
    "next_game",
    "onward",
    "pad",
    "phones",
    "photos",
    "relevant_inputs",
    "renaming",
    "result_page",
    "result_picture",
    "reveal",
    "review",
    "review_form",
    "review_page",
    "rooms",
    "samples",
    "seats",
    "streams",
    "tables",
    "tv_pairing",
]
