"""Export and import: our own JSON, CSV, BG Stats, and the SQLite file of one club."""

from webapp.exchange import (
    bgstats_out,
    corrections,
    differences,
    exports,
    files,
    foreign,
    identity,
    imports,
    outcome,
    own_file,
    reading,
    table_layout,
    table_preview,
    tables,
    tables_out,
    writing,
)
from webapp.exchange.bgg import bgg_ids
from webapp.exchange.foreign import Matches
from webapp.exchange.imports import Import
from webapp.exchange.outcome import Outcome
from webapp.exchange.refusal import Refused

__all__ = [
    "Import",
    "Matches",
    "Outcome",
    "Refused",
    "bgg_ids",
    "bgstats_out",
    "corrections",
    "differences",
    "exports",
    "files",
    "foreign",
    "identity",
    "imports",
    "outcome",
    "own_file",
    "reading",
    "table_layout",
    "table_preview",
    "tables",
    "tables_out",
    "writing",
]
