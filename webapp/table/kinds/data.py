"""A value that a page of the game's own edits as a whole, by buttons that put JSON at a path."""

from __future__ import annotations

from webapp.table.kinds.kind import Kind


class Data(Kind):
    name = "data"
    has_fields = False


KINDS = (Data,)
