"""A whole number, with a button for one less and one more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scorer.contract import UNKNOWN, Json, NumberInput
from webapp.table.kinds.fields import NumberField, digits
from webapp.table.kinds.kind import Kind


class Number(Kind[NumberInput]):
    of = NumberInput
    template = "kinds/number.html"

    def field(self) -> Any:
        return NumberField(self.asked.label, description=self.asked.help, render_kw=digits(self.asked))

    def ticked(self, value: Json) -> Iterator[tuple[str, str]]:
        if value == UNKNOWN:
            yield self.asked.name, UNKNOWN


KINDS = (Number,)
