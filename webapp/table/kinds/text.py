"""A line of text."""

from __future__ import annotations

from typing import Any, ClassVar

from wtforms import Field, StringField

from scorer.contract import Json, TextInput
from webapp.table.kinds.kind import Kind
from webapp.table.paths import ABSENT


class Text(Kind[TextInput]):
    of = TextInput
    template = "kinds/text.html"
    looks: ClassVar[dict[str, Any]] = {"maxlength": 40}

    def field(self) -> Any:
        return StringField(self.asked.label, description=self.asked.help, render_kw=self.looks)

    def entered(self, field: Field) -> Json:
        return (field.data or "").strip() or ABSENT


KINDS = (Text,)
