"""Define kinds with one field: a switch, a number, a text, one choice or several; and a value without a field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wtforms import BooleanField, Field, SelectMultipleField
from wtforms.fields.choices import SelectChoice
from wtforms.form import BaseForm
from wtforms.widgets import ListWidget

from scorer.contract import UNKNOWN, ChoiceInput, ChoicesInput, DataInput, FlagInput, Json, NumberInput, TextInput
from webapp.table.json_paths import ABSENT
from webapp.table.kinds.fields import Box, ChoiceField, LineField, NumberField, chosen, digits
from webapp.table.kinds.kind import Kind, Leaf


class Data(Kind[DataInput]):
    """Wrap a value that has no form field. The game's own page changes it by buttons that put or remove parts of it."""

    of = DataInput
    has_fields = False


class Flag(Kind[FlagInput]):
    of = FlagInput
    template = "kinds/flag.html"

    def field(self) -> Any:
        return BooleanField(self.asked.label, description=self.asked.help, widget=Box())

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
        return LineField(self.asked.label, description=self.asked.help, render_kw={"maxlength": 40})

    def entered(self, field: Field) -> Json:
        return (field.data or "").strip() or ABSENT


class OneOf(Kind[ChoiceInput]):
    of = ChoiceInput
    template = "kinds/choice.html"

    def field(self) -> Any:
        asked = self.asked
        return ChoiceField(asked.choices, asked.optional, label=asked.label, description=asked.help)

    def leaves(self, value: Json) -> Iterator[Leaf]:
        yield self.asked.name, self.field(), "" if value is None else str(value)

    def read(self, form: BaseForm) -> Json:
        found = chosen(form, self.asked.name)
        return ABSENT if found is None else found

    def in_short(self, value: Json) -> str:
        return next((choice.mark for choice in self.asked.choices if choice.value == value), "")


class AnyOf(Kind[ChoicesInput]):
    of = ChoicesInput
    template = "kinds/choices.html"

    def field(self) -> Any:
        choices = [SelectChoice(str(choice.value), choice.label) for choice in self.asked.choices]
        label, description = self.asked.label, self.asked.help
        return ChoicesField(choices=choices, validate_choice=False, label=label, description=description)

    def leaves(self, value: Json) -> Iterator[Leaf]:
        yield self.asked.name, self.field(), [str(one) for one in value] if isinstance(value, list) else []

    def ticked(self, value: Json) -> Iterator[tuple[str, str]]:
        for name, _, shown in self.leaves(value):
            yield from ((name, one) for one in shown)

    def entered(self, field: Field) -> Json:
        by_text = {str(choice.value): choice.value for choice in self.asked.choices}
        return [by_text.get(one, one) for one in field.data]


class ChoicesField(SelectMultipleField):
    """Ask for any of the choices, by check boxes."""

    widget = ListWidget(prefix_label=False)
    option_widget = Box()


KINDS = (Data, Flag, Number, Text, OneOf, AnyOf)
