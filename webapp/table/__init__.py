"""Hold games while they are entered, by one phone or many, from the first tap to the reveal."""

from __future__ import annotations

from webapp.table.context import (
    RoomContext,
    TableContext,
    changing,
    find_room_context,
    find_table_context,
    inward,
    onward,
    room_context,
    table_context,
)
from webapp.table.entries import Entries, Preview
from webapp.table.json_paths import COMPANION
from webapp.table.rooms import Room
from webapp.table.seats import Sending
from webapp.table.tables import Seat, Table

__all__ = [
    "COMPANION",
    "Entries",
    "Preview",
    "Room",
    "RoomContext",
    "Seat",
    "Sending",
    "Table",
    "TableContext",
    "acts",
    "cardboxes",
    "changing",
    "events",
    "example",
    "find_room_context",
    "find_table_context",
    "forms",
    "inward",
    "json_paths",
    "kinds",
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
    "room_context",
    "rooms",
    "samples",
    "seats",
    "streams",
    "table_context",
    "tables",
    "tv_pairing",
]
