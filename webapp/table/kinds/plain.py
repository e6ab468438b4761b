"""Kinds of one field: a switch, a whole number, a line of text; and a value without any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wtforms import BooleanField, Field, StringField

from scorer.contract import UNKNOWN, DataInput, FlagInput, Json, NumberInput, TextInput
from webapp.table.kinds.fields import NumberField, digits
from webapp.table.kinds.kind import Kind
from webapp.table.paths import ABSENT


class Data(Kind[DataInput]):
    """A value that a page of the game's own edits as a whole, by buttons that put JSON at a path."""

    of = DataInput
    has_fields = False


class Flag(Kind[FlagInput]):
    of = FlagInput
    template = "kinds/flag.html"

    def field(self) -> Any:
        return BooleanField(self.asked.label, description=self.asked.help)

    def ticked(self, value: Json) -> Iterator[tuple[str, str]]:
        if value:
            yield self.asked.name, "y"


class Number(Kind[NumberInput]):
    of = NumberInput
    template = "kinds/number.html"

    def field(self) -> Any:
        return NumberField(self.asked.label, description=self.asked.help, render_kw=digits(self.asked))

    def ticked(self, value: Json) -> Iterator[tuple[str, str]]:
        if value == UNKNOWN:
            yield self.asked.name, UNKNOWN


class Text(Kind[TextInput]):
    of = TextInput
    template = "kinds/text.html"

    def field(self) -> Any:
        return StringField(self.asked.label, description=self.asked.help, render_kw={"maxlength": 40})

    def entered(self, field: Field) -> Json:
        return (field.data or "").strip() or ABSENT


KINDS = (Data, Flag, Number, Text)
