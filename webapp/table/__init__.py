"""Tables: games being entered, by one phone or many, from the first tap to the reveal."""

from __future__ import annotations

from webapp.table import (
    asking,
    cardboxes,
    entries,
    events,
    forms,
    pad,
    phones,
    photos,
    result_page,
    reveal,
    seats,
    tables,
    visit,
    ways,
)
from webapp.table.entries import Entries, Preview
from webapp.table.seats import Sending
from webapp.table.tables import Seat, Table
from webapp.table.visit import Visit, come_to, look_at

__all__ = [
    "Entries",
    "Preview",
    "Seat",
    "Sending",
    "Table",
    "Visit",
    "asking",
    "cardboxes",
    "come_to",
    "entries",
    "events",
    "forms",
    "look_at",
    "pad",
    "phones",
    "photos",
    "result_page",
    "reveal",
    "seats",
    "tables",
    "visit",
    "ways",
]
