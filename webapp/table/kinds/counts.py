"""Several counts that bring points: the fields ask how many there are, the record holds what they are worth."""

from __future__ import annotations

from collections.abc import Iterator

from wtforms.form import BaseForm

from scorer.contract import Count, CountsInput, Json, NumberInput
from webapp.table.kinds.fields import NumberField, digits
from webapp.table.kinds.kind import Kind, Named
from webapp.table.paths import ABSENT, get


class Counts(Kind[CountsInput]):
    of = CountsInput
    template = "kinds/counts.html"

    @property
    def numbers(self) -> list[NumberInput]:
        """Each count as an input of its own."""
        return [
            NumberInput(f"{self.asked.name}/{count.rule}", count.label, high=count.high, help=count.help)
            for count in self.asked.counts
        ]

    def leaves(self) -> Iterator[Named]:
        for number in self.numbers:
            yield number.name, NumberField(number.label, description=number.help, render_kw=digits(number))

    def fill(self, value: Json) -> Iterator[Named]:
        points = {count.rule: get(value, (count.rule,)) for count in self.asked.counts}
        for count, number in zip(self.asked.counts, self.numbers, strict=True):
            counted = how_many(points[count.rule], count)
            if is_whole(counted):
                parts = (how_many(points[part.rule], part) for part in self.parts(count))
                counted += sum(part for part in parts if is_whole(part))
            yield number.name, counted

    def read(self, form: BaseForm) -> Json:
        entered = {
            count.rule: form[number.name].data for count, number in zip(self.asked.counts, self.numbers, strict=True)
        }
        points = {}
        for count in self.asked.counts:
            counted = entered[count.rule]
            if is_whole(counted):
                parts = (entered[part.rule] for part in self.parts(count))
                counted = (counted - sum(part for part in parts if is_whole(part))) * count.each
            if counted is not None:
                points[count.rule] = counted
        return points

    def parts(self, count: Count) -> list[Count]:
        return [part for part in self.asked.counts if part.part_of == count.rule]


def is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def how_many(points: Json, count: Count) -> Json:
    """The number that brings so many points; a fraction of them is shown as such, for the player to correct."""
    if points is ABSENT:
        return None
    if not is_whole(points):
        return points
    whole, rest = divmod(points, count.each)
    return points / count.each if rest else whole


KINDS = (Counts,)
