"""Export and import a club's games: our own JSON, CSV, BG Stats, and the SQLite file of one club."""

from webapp.exchange import (
    bgstats_out,
    club_sqlite,
    corrections,
    differences,
    export_files,
    exports,
    file_formats,
    files,
    foreign,
    identity,
    import_report,
    imports,
    table_layout,
    table_preview,
    tables,
    tables_out,
)
from webapp.exchange.bgg import bgg_ids
from webapp.exchange.foreign import Matches
from webapp.exchange.import_errors import Refused
from webapp.exchange.import_report import Outcome
from webapp.exchange.imports import Import

__all__ = [
    "Import",
    "Matches",
    "Outcome",
    "Refused",
    "bgg_ids",
    "bgstats_out",
    "club_sqlite",
    "corrections",
    "differences",
    "export_files",
    "exports",
    "file_formats",
    "files",
    "foreign",
    "identity",
    "import_form",
    "import_report",
    "imports",
    "table_layout",
    "table_preview",
    "tables",
    "tables_out",
]
