"""A value that a page of the game's own edits as a whole, by buttons that put JSON at a path."""

from __future__ import annotations

from scorer.contract import DataInput
from webapp.table.kinds.kind import Kind


class Data(Kind[DataInput]):
    of = DataInput
    has_fields = False


KINDS = (Data,)
