"""A whole number, with a button for one less and one more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scorer.contract import UNKNOWN, Json
from webapp.table.kinds.fields import NumberField, digits
from webapp.table.kinds.kind import Kind
from webapp.table.paths import ABSENT


class Number(Kind):
    name = "number"
    template = "kinds/number.html"

    def field(self) -> Any:
        return NumberField(self.asked.label, description=self.asked.help, render_kw=digits(self.asked))

    def ticked(self, value: Json) -> Iterator[tuple[str, str]]:
        if value == UNKNOWN:
            yield self.asked.name, UNKNOWN

    def supposed(self, value: Json) -> Json:
        """As few as there may be, unless the input says how many there usually are."""
        if value is not ABSENT:
            return value
        return self.asked.low if self.asked.default is None else self.asked.default


KINDS = (Number,)
