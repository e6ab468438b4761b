"""Yes or no, as a switch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wtforms import BooleanField

from scorer.contract import FlagInput, Json
from webapp.table.kinds.kind import Kind


class Flag(Kind[FlagInput]):
    of = FlagInput
    template = "kinds/flag.html"

    def field(self) -> Any:
        return BooleanField(self.asked.label, description=self.asked.help)

    def ticked(self, value: Json) -> Iterator[tuple[str, str]]:
        if value:
            yield self.asked.name, "y"


KINDS = (Flag,)
