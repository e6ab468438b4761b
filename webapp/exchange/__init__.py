"""Export and import: our own JSON, CSV, BG Stats, and the SQLite file of one club."""

from webapp.exchange import bgstats_out, foreign, reading, tables, uploads, whole, writing
from webapp.exchange.bgg import bgg_ids
from webapp.exchange.foreign import Foreign, Matches, Outcome, Refused

__all__ = [
    "Foreign",
    "Matches",
    "Outcome",
    "Refused",
    "bgg_ids",
    "bgstats_out",
    "foreign",
    "reading",
    "tables",
    "uploads",
    "whole",
    "writing",
]
