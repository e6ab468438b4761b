"""One of the choices, or any of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wtforms import Field, SelectMultipleField
from wtforms.fields.choices import SelectChoice
from wtforms.form import BaseForm
from wtforms.widgets import CheckboxInput, ListWidget

from scorer.contract import ChoiceInput, ChoicesInput, Json
from webapp.table.kinds.fields import ChoiceField, chosen
from webapp.table.kinds.kind import Kind, Named
from webapp.table.paths import ABSENT


class OneOf(Kind[ChoiceInput]):
    of = ChoiceInput
    template = "kinds/choice.html"

    def field(self) -> Any:
        asked = self.asked
        return ChoiceField(asked.choices, asked.optional, label=asked.label, description=asked.help)

    def fill(self, value: Json) -> Iterator[Named]:
        yield self.asked.name, "" if value is None else str(value)

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

    def fill(self, value: Json) -> Iterator[Named]:
        yield self.asked.name, [str(one) for one in value] if isinstance(value, list) else []

    def ticked(self, value: Json) -> Iterator[tuple[str, str]]:
        for name, shown in self.fill(value):
            yield from ((name, one) for one in shown)

    def entered(self, field: Field) -> Json:
        by_text = {str(choice.value): choice.value for choice in self.asked.choices}
        return [by_text.get(one, one) for one in field.data]


class ChoicesField(SelectMultipleField):
    """Check boxes."""

    widget = ListWidget(prefix_label=False)
    option_widget = CheckboxInput()


KINDS = (OneOf, AnyOf)
