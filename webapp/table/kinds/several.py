"""Define kinds with several fields: an order of players, a row of tiles, counts that give points, a date."""

from __future__ import annotations

from collections.abc import Iterator

from wtforms.form import BaseForm

from scorer.contract import Choice, Count, CountsInput, DateInput, Json, NumberInput, OrderInput, TilesInput
from scorer.dates import MONTHS, day_named, day_numbered, is_day
from scorer.sentences import say
from webapp import i18n
from webapp.table.json_paths import ABSENT, get
from webapp.table.kinds.fields import ChoiceField, LineField, NumberField, as_typed, chosen, digits
from webapp.table.kinds.kind import Kind, Leaf


class Order(Kind[OrderInput]):
    """Ask for an order of the players. Its value lists their names, the first one first."""

    of = OrderInput
    template = "kinds/order.html"
    names_players = True

    @property
    def places(self) -> list[str]:
        return [f"{self.asked.name}/{place}" for place in range(len(self.asked.choices))]

    def leaves(self, value: Json) -> Iterator[Leaf]:
        for number, place in enumerate(self.places):
            name = get(value, (str(number),))
            field = ChoiceField(self.asked.choices, True, label=f"{self.asked.label} {number + 1}")
            yield place, field, "" if name is ABSENT else str(name)

    def read(self, form: BaseForm) -> Json:
        names = [chosen(form, place) for place in self.places]
        return [name for name in names if name] or ABSENT


class Tiles(Kind[TilesInput]):
    """Ask for a row of tiles from the left. Each is the letter of a choice, perhaps with a number, such as "C56"."""

    of = TilesInput
    template = "kinds/tiles.html"
    is_framed = False
    is_board = True

    @property
    def places(self) -> list[str]:
        return [f"{self.asked.name}/{place}" for place in range(self.asked.places)]

    def leaves(self, value: Json) -> Iterator[Leaf]:
        for number, place in enumerate(self.places):
            found = get(value, (str(number),))
            tile = "" if found is ABSENT else str(found)
            yield place, ChoiceField(self.asked.choices, True, label=f"{number + 1}"), tile[:1]
            yield f"{place}/number", NumberField(f"{number + 1}", render_kw=digits(self.asked)), tile[1:]

    def read(self, form: BaseForm) -> Json:
        """Return the tiles in the form, from the left and without the empty fields between them."""
        tiles = [f"{form[place].data or ''}{as_typed(form[f'{place}/number'])}" for place in self.places]
        return [tile for tile in tiles if tile]


class Counts(Kind[CountsInput]):
    """Ask how many pieces of each kind a player has. The record stores their points: 6 for 3 pieces worth 2 each."""

    of = CountsInput
    template = "kinds/counts.html"
    is_framed = False

    @property
    def numbers(self) -> list[NumberInput]:
        """Return a number input for each count."""
        return [
            NumberInput(f"{self.asked.name}/{count.rule}", count.label, high=count.high, help=count.help)
            for count in self.asked.counts
        ]

    def leaves(self, value: Json) -> Iterator[Leaf]:
        points = {count.rule: get(value, (count.rule,)) for count in self.asked.counts}
        for count, number in zip(self.asked.counts, self.numbers, strict=True):
            counted = how_many(points[count.rule], count)
            if is_whole(counted):
                parts = (how_many(points[part.rule], part) for part in self.parts(count))
                counted += sum(part for part in parts if is_whole(part))
            yield number.name, NumberField(number.label, description=number.help, render_kw=digits(number)), counted

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
    """Return how many of the things that `count` describes give these points; None without points. If the number is not
    whole, return the fraction, for the player to correct."""
    if points is ABSENT:
        return None
    if not is_whole(points):
        return points
    whole, rest = divmod(points, count.each)
    return points / count.each if rest else whole


CHOICES = tuple(Choice(f"{number:02}", month) for number, month in enumerate(MONTHS, 1))


def understood(text: str) -> str:
    """Return a day that was entered by hand, such as "14.6.", as records have it ("06-14"). Text that is no day is
    returned unchanged."""
    months = [i18n.translate(month) for month in MONTHS]
    return day_named(text, months) or day_named(text) or day_numbered(text) or text


class Date(Kind[DateInput]):
    """Ask for a day and its month. Both may be entered together in one field, such as "2 March" or "14.6."."""

    of = DateInput
    template = "kinds/date.html"

    @property
    def month(self) -> str:
        return f"{self.asked.name}/month"

    def leaves(self, value: Json) -> Iterator[Leaf]:
        month, _, day = str(value).partition("-") if isinstance(value, str) and value[2:3] == "-" else ("", "", value)
        day = str(int(day)) if isinstance(value, str) and is_day(value) else day
        yield (
            self.asked.name,
            LineField(self.asked.label, render_kw={"maxlength": 20, "placeholder": say("14 June")}),
            day,
        )
        yield self.month, ChoiceField(CHOICES, True, label=self.asked.label), month

    def read(self, form: BaseForm) -> Json:
        text, month = (form[self.asked.name].data or "").strip(), form[self.month].data or ""
        day = understood(text)
        if is_day(day) or not month:
            return day or ABSENT
        return f"{month}-{text.zfill(2) if text else ''}"


KINDS = (Order, Tiles, Counts, Date)
