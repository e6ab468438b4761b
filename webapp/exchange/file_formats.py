"""Recognise the format of a file: a club's JSON, a file of BG Stats, or a text table such as CSV."""

from __future__ import annotations

from scorer.contract import Json
from scorer.sentences import say
from webapp.exchange import bgstats_in, club_json, json_stream, tables
from webapp.exchange.files import Open
from webapp.exchange.import_errors import Refused
from webapp.exchange.table_layout import Layout

# Limits of uploads; the command line has none. A table is read completely before its page is shown.
LARGEST = 64 * 1024 * 1024
MOST_LINES = 20_000  # of a table


def recognise(opened: Open, digest: Json | None = None) -> club_json.File | bgstats_in.File | tables.File:
    """Return a reader for the file; raise Refused if its format is unknown. `digest` is what was found out about the
    file before; its layout of a text table is used again."""
    with opened() as file:
        beginning = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    if beginning.startswith(b"["):
        raise Refused(say("This JSON is not from Tidemark or BG Stats."))
    if not beginning.startswith(b"{"):
        table = (digest or {}).get("table")
        return tables.File(opened, Layout.from_json(table["layout"]) if table else None)
    if is_ours(opened):
        return club_json.File(opened)
    return bgstats_in.File(opened)


def is_ours(opened: Open) -> bool:
    """Return whether a JSON file is a club of ours (True) or from BG Stats (False); raise Refused for others."""
    lists = set()
    with opened() as file:
        for kind, value in json_stream.members(file):
            if kind == "format":
                if value == club_json.FORMAT:
                    return True
                break
            if value is json_stream.START:
                lists.add(kind)
            if {"plays", "games"} <= lists:
                return False
    if not {"plays", "games"} <= lists:
        raise Refused(say("This JSON is not from Tidemark or BG Stats."))
    return False
