"""Tables: games being entered, by one phone or many, from the first tap to the reveal."""

from __future__ import annotations

from webapp.table import (
    asking,
    cardboxes,
    events,
    forms,
    guests,
    kinds,
    pad,
    paths,
    phones,
    photos,
    portrait,
    result_page,
    reveal,
    review,
    seats,
    tables,
)
from webapp.table.entries import Entries, Preview
from webapp.table.paths import COMPANION
from webapp.table.seats import Sending
from webapp.table.tables import Seat, Table
from webapp.table.visit import Visit, come_to, look_at
from webapp.table.ways import onward

__all__ = [
    "COMPANION",
    "Entries",
    "Preview",
    "Seat",
    "Sending",
    "Table",
    "Visit",
    "asking",
    "cardboxes",
    "come_to",
    "events",
    "forms",
    "guests",
    "kinds",
    "look_at",
    "onward",
    "pad",
    "paths",
    "phones",
    "photos",
    "portrait",
    "result_page",
    "reveal",
    "review",
    "seats",
    "tables",
]
