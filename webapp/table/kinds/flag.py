"""Yes or no, as a switch."""

from __future__ import annotations

from typing import Any

from wtforms import BooleanField

from webapp.table.kinds.kind import Kind


class Flag(Kind):
    name = "flag"
    template = "kinds/flag.html"

    def field(self) -> Any:
        return BooleanField(self.asked.label, description=self.asked.help)


KINDS = (Flag,)
