"""A day of the year: its day and its month, which may also be typed together, as in "2 March" or "14.6."."""

from __future__ import annotations

from collections.abc import Iterator

from wtforms import StringField
from wtforms.form import BaseForm

from scorer.contract import Choice, DateInput, Json
from scorer.dates import MONTHS, day_named, day_numbered, is_day
from scorer.sentences import say
from webapp import i18n
from webapp.table.kinds.fields import ChoiceField
from webapp.table.kinds.kind import Kind, Named
from webapp.table.paths import ABSENT

CHOICES = tuple(Choice(f"{number:02}", month) for number, month in enumerate(MONTHS, 1))


def understood(text: str) -> str:
    """Return the day that somebody has typed, as records hold it; the text as it is if it is none."""
    months = [i18n.translate(month) for month in MONTHS]
    return day_named(text, months) or day_named(text) or day_numbered(text) or text


class Date(Kind[DateInput]):
    """Hold what was understood stands in the two fields when the page comes again: 2, March."""

    of = DateInput
    template = "kinds/date.html"

    @property
    def month(self) -> str:
        return f"{self.asked.name}/month"

    def leaves(self) -> Iterator[Named]:
        label = self.asked.label
        yield self.asked.name, StringField(label, render_kw={"maxlength": 20, "placeholder": say("14 June")})
        yield self.month, ChoiceField(CHOICES, True, label=label)

    def fill(self, value: Json) -> Iterator[Named]:
        month, _, day = str(value).partition("-") if isinstance(value, str) and value[2:3] == "-" else ("", "", value)
        yield self.asked.name, str(int(day)) if isinstance(value, str) and is_day(value) else day
        yield self.month, month

    def read(self, form: BaseForm) -> Json:
        text, month = (form[self.asked.name].data or "").strip(), form[self.month].data or ""
        day = understood(text)
        if is_day(day) or not month:
            return day or ABSENT
        return f"{month}-{text.zfill(2) if text else ''}"


KINDS = (Date,)
