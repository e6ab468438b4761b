"""Define the WTForms fields that several kinds of input use. Text that makes no sense is not refused, but kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape
from wtforms import Field, StringField
from wtforms.form import BaseForm

from scorer.contract import UNKNOWN, Choice, Json, NumberInput, TilesInput
from webapp import i18n


def as_typed(field: Field) -> str:
    """Return the text of a text or number field as it was entered. UNKNOWN gives "", as it has its own check box."""
    return "" if field.data in (None, UNKNOWN) else str(field.data)


def tag(kind: str, **attributes: Any) -> Markup:
    """Return the opening tag of the HTML element `kind`, such as "input", with these attributes. This is ten times
    faster than WTForms."""
    given = {name: value for name, value in sorted(attributes.items()) if value is not False}
    shown = " ".join(name if value is True else f'{name}="{escape(value)}"' for name, value in given.items())
    return Markup(f"<{kind} {shown}>")  # noqa: S704, values are escaped above


class Line:
    """Draw a text input."""

    def __call__(self, field: Field, **attributes: Any) -> Markup:
        return tag(
            "input", **{"id": field.id, "name": field.name, "type": "text", "value": as_typed(field), **attributes}
        )


class Box:
    """Draw a check box."""

    def __call__(self, field: Field, **attributes: Any) -> Markup:
        ticked = bool(getattr(field, "checked", field.data))
        named = {"id": field.id, "name": field.name, "type": "checkbox", "value": field._value(), "checked": ticked}
        return tag("input", **{**named, **attributes})


class LineField(StringField):
    """Ask for a line of text."""

    widget = Line()


class NumberField(Field):
    """Ask for a whole number. Other text is kept as entered, which an HTML number input would drop."""

    widget = Line()

    def process_formdata(self, valuelist: list[str]) -> None:
        if not valuelist:
            return
        text = UNKNOWN if UNKNOWN in valuelist[1:] else valuelist[0].strip()
        self.data = (
            int(text) if text.removeprefix("-").isdecimal() and len(text) < 12 and text.isascii() else text or None
        )


def menu(choices: Sequence[Choice], chosen: str | None, blank: bool = False, **attributes: Any) -> Markup:
    """Return a select element with these choices, where the value `chosen` is selected. With `blank`, an empty choice
    comes first. `attributes` are those of the element, such as its name."""
    offered = tuple((str(choice.value), str(i18n.translate(choice.label))) for choice in choices)
    options = drawn(((("", "–"),) if blank else ()) + offered, chosen)
    return tag("select", **attributes) + options + Markup("</select>")


@lru_cache(maxsize=4096)
def drawn(choices: tuple[tuple[str, str], ...], chosen: str | None) -> Markup:
    """Return the options of a select element. `choices` are pairs of a value and a label; the value `chosen` is
    selected."""
    plain, selected = Markup('<option value="{}">{}</option>'), Markup('<option selected value="{}">{}</option>')
    return Markup("").join((selected if value == chosen else plain).format(value, label) for value, label in choices)


class ChoiceField(Field):
    """Ask for one of the choices, whose values may be numbers or texts."""

    def __init__(self, choices: Sequence[Choice], optional: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices, self.optional = choices, optional

    def widget(self, field: Field, **attributes: Any) -> Markup:
        return menu(self.choices, self.data, self.optional, **{"id": field.id, "name": field.name, **attributes})

    def process_data(self, value: Any) -> None:
        self.data = None if value is None else str(value)

    def value(self) -> Json:
        return next((choice.value for choice in self.choices if str(choice.value) == self.data), self.data or None)


class BoardField(Field):
    """Ask for one of the choices for each square of a board. Its `data` has the piece on each square by the name of the
    square's field, such as "grid/0/1"."""

    data: dict[str, str]

    def __init__(self, choices: Sequence[Choice], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = choices

    def process(self, formdata: Mapping[str, str] | None, data: Any = None, extra_filters: Any = None) -> None:  # noqa: ARG002
        """Set `data` to the posted piece of each square. A square that was not posted keeps its piece."""
        self.data = {name: formdata.get(name, piece) for name, piece in data.items()} if formdata else data

    def square(self, name: str, label: str) -> Markup:
        return menu(self.choices, self.data[name], False, **{"id": name, "name": name, "aria-label": label})


def chosen(form: BaseForm, name: str) -> Json:
    """Return the value that is chosen in the field `name`, or None."""
    field = form[name]
    assert isinstance(field, ChoiceField), f"{name} is no choice"
    return field.value()


def digits(asked: NumberInput | TilesInput) -> dict[str, Any]:
    """Return the HTML attributes of a number field: "data-low", "data-high", "inputmode" and "maxlength"."""
    # A phone's number keypad has no minus.
    low = asked.low if isinstance(asked, NumberInput) else 0
    keys = "numeric" if low >= 0 else "text"
    return {"data-low": low, "data-high": asked.high, "inputmode": keys, "maxlength": 6}
