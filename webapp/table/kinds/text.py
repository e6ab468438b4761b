"""A line of text, and a day of the year, which is typed as "MM-DD"."""

from __future__ import annotations

from typing import Any, ClassVar

from wtforms import Field, StringField

from scorer.contract import Json
from scorer.sentences import say
from webapp.table.kinds.kind import Kind
from webapp.table.paths import ABSENT


class Text(Kind):
    name = "text"
    template = "kinds/text.html"
    looks: ClassVar[dict[str, Any]] = {"maxlength": 40}

    def field(self) -> Any:
        return StringField(self.asked.label, description=self.asked.help, render_kw=self.looks)

    def entered(self, field: Field) -> Json:
        return (field.data or "").strip() or ABSENT


class Date(Text):
    name = "date"
    looks: ClassVar[dict[str, Any]] = {"placeholder": say("MM-DD"), "maxlength": 5}


KINDS = (Text, Date)
