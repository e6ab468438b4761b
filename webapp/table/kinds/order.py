"""An order among the players: the list of their names, the first one first."""

from __future__ import annotations

from collections.abc import Iterator

from wtforms.form import BaseForm

from scorer.contract import Json, OrderInput
from webapp.table.kinds.fields import ChoiceField, chosen
from webapp.table.kinds.kind import Kind, Named
from webapp.table.paths import ABSENT, get


class Order(Kind[OrderInput]):
    of = OrderInput
    template = "kinds/order.html"
    names_players = True

    @property
    def places(self) -> list[str]:
        return [f"{self.asked.name}/{place}" for place in range(len(self.asked.choices))]

    def leaves(self) -> Iterator[Named]:
        for number, place in enumerate(self.places, 1):
            yield place, ChoiceField(self.asked.choices, True, label=f"{self.asked.label} {number}")

    def fill(self, value: Json) -> Iterator[Named]:
        for number, place in enumerate(self.places):
            name = get(value, (str(number),))
            yield place, "" if name is ABSENT else str(name)

    def read(self, form: BaseForm) -> Json:
        names = [chosen(form, place) for place in self.places]
        return [name for name in names if name] or ABSENT


KINDS = (Order,)
