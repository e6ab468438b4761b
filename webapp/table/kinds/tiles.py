"""A row of tiles from the left, each a letter of the choices and perhaps a number: "C56"."""

from __future__ import annotations

from collections.abc import Iterator

from wtforms.form import BaseForm

from scorer.contract import Json, TilesInput
from webapp.table.kinds.fields import ChoiceField, NumberField, as_typed, digits
from webapp.table.kinds.kind import Kind, Named
from webapp.table.paths import ABSENT, get


class Tiles(Kind[TilesInput]):
    of = TilesInput
    template = "kinds/tiles.html"
    is_board = True

    @property
    def places(self) -> list[str]:
        return [f"{self.asked.name}/{place}" for place in range(self.asked.places)]

    def leaves(self) -> Iterator[Named]:
        for number, place in enumerate(self.places, 1):
            yield place, ChoiceField(self.asked.choices, True, label=f"{number}")
            yield f"{place}/number", NumberField(f"{number}", render_kw=digits(self.asked))

    def fill(self, value: Json) -> Iterator[Named]:
        for number, place in enumerate(self.places):
            found = get(value, (str(number),))
            tile = "" if found is ABSENT else str(found)
            yield place, tile[:1]
            yield f"{place}/number", tile[1:]

    def read(self, form: BaseForm) -> Json:
        """The tiles that are there; a gap between them closes."""
        tiles = [f"{form[place].data or ''}{as_typed(form[f'{place}/number'])}" for place in self.places]
        return [tile for tile in tiles if tile]


KINDS = (Tiles,)
