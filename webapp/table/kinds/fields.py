"""The WTForms fields that several kinds are made of. They judge nothing: what cannot be read stays as it was typed."""

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
    """Return what a field of text or of a number shows; that nobody remembers has a box to tick beside it."""
    return "" if field.data in (None, UNKNOWN) else str(field.data)


def tag(kind: str, **attributes: Any) -> Markup:
    """The opening tag of a field. WTForms makes the same, in ten times the time; a page has dozens of fields."""
    given = {name: value for name, value in sorted(attributes.items()) if value is not False}
    shown = " ".join(name if value is True else f'{name}="{escape(value)}"' for name, value in given.items())
    return Markup(f"<{kind} {shown}>")  # noqa: S704, values are escaped above


class Line:
    """A text input."""

    def __call__(self, field: Field, **attributes: Any) -> Markup:
        return tag(
            "input", **{"id": field.id, "name": field.name, "type": "text", "value": as_typed(field), **attributes}
        )


class Box:
    """A check box."""

    def __call__(self, field: Field, **attributes: Any) -> Markup:
        ticked = bool(getattr(field, "checked", field.data))
        named = {"id": field.id, "name": field.name, "type": "checkbox", "value": field._value(), "checked": ticked}
        return tag("input", **{**named, **attributes})


class LineField(StringField):
    """A line of text."""

    widget = Line()


class NumberField(Field):
    """A whole number; anything else that was typed is kept as it stands, which a number input would swallow."""

    widget = Line()

    def process_formdata(self, valuelist: list[str]) -> None:
        if not valuelist:
            return
        text = UNKNOWN if UNKNOWN in valuelist[1:] else valuelist[0].strip()
        self.data = (
            int(text) if text.removeprefix("-").isdecimal() and len(text) < 12 and text.isascii() else text or None
        )


def menu(choices: Sequence[Choice], chosen: str | None, blank: bool = False, **attributes: Any) -> Markup:
    """A select."""
    offered = tuple((str(choice.value), str(i18n.translate(choice.label))) for choice in choices)
    options = drawn(((("", "–"),) if blank else ()) + offered, chosen)
    return tag("select", **attributes) + options + Markup("</select>")


@lru_cache(maxsize=4096)
def drawn(choices: tuple[tuple[str, str], ...], chosen: str | None) -> Markup:
    """The options of a select with one of them chosen."""
    plain, selected = Markup('<option value="{}">{}</option>'), Markup('<option selected value="{}">{}</option>')
    return Markup("").join((selected if value == chosen else plain).format(value, label) for value, label in choices)


class ChoiceField(Field):
    """One of the choices; values may be numbers or text."""

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
    """One of the choices on every square of a board, by the names of the squares."""

    data: dict[str, str]

    def __init__(self, choices: Sequence[Choice], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = choices

    def process(self, formdata: Mapping[str, str] | None, data: Any = None, extra_filters: Any = None) -> None:  # noqa: ARG002
        """Take what was posted of each square; a square that was not keeps what it has."""
        self.data = {name: formdata.get(name, piece) for name, piece in data.items()} if formdata else data

    def square(self, name: str, label: str) -> Markup:
        return menu(self.choices, self.data[name], False, **{"id": name, "name": name, "aria-label": label})


def chosen(form: BaseForm, name: str) -> Json:
    """The value of the choice that the field holds, None if there is none."""
    field = form[name]
    assert isinstance(field, ChoiceField), f"{name} is no choice"
    return field.value()


def digits(asked: NumberInput | TilesInput) -> dict[str, Any]:
    """Return how a field for a number of this input is typed into."""
    # The phone's keypad of digits has no minus.
    low = asked.low if isinstance(asked, NumberInput) else 0
    keys = "numeric" if low >= 0 else "text"
    return {"data-low": low, "data-high": asked.high, "inputmode": keys, "maxlength": 6}
