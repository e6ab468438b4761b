"""The card box of Tiny Towns: names of cards that are in no list, and how things of any box are renamed."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.games.pier_18.cardbox import CARDBOX as PIERS
from scorer.games.tiny_towns.cardbox import CARDBOX
from scorer.games.tiny_towns.cards import BUILDINGS, CARDS

COBBLER = {"name": "Cobbler"}


def box(*yellow: Any, **others: Any) -> dict[str, Any]:
    return {**CARDBOX.empty(), "yellow": list(yellow), **others}


def test_there_is_a_kind_for_every_card_that_is_in_no_list() -> None:
    colours = [card.colour for card in BUILDINGS.values() if card.typed]
    assert list(CARDBOX.kinds) == [*colours, "monuments"]
    assert [card.id for card in CARDS.values() if card.typed] == [
        *[f"other_{one}" for one in colours],
        "other_monument",
    ]


@pytest.mark.parametrize("wrong", ["", "  ", None, 4, {"name": "Cobbler"}, "x" * 41])
def test_what_is_no_name_stays_out(wrong: Any) -> None:
    assert CARDBOX.described("yellow", wrong)[0] is None


def test_a_record_holds_the_name_alone() -> None:
    assert CARDBOX.described("yellow", "Cobbler") == (COBBLER, [])
    assert CARDBOX.put(box(), "yellow", COBBLER).box == box(COBBLER)
    assert CARDBOX.put(box(COBBLER), "yellow", {"name": "cobbler"}).box == box(COBBLER)


def test_one_name_may_stand_for_a_card_of_each_colour() -> None:
    assert CARDBOX.merge(box(COBBLER), box(green=[COBBLER]), ()).box == box(COBBLER, green=[COBBLER])


def test_a_card_is_renamed_unless_another_has_the_name() -> None:
    two = box({"name": "Apothecary"}, COBBLER)
    assert CARDBOX.rename(two, "yellow", "COBBLER", "Shoemaker").box == box(
        {"name": "Apothecary"}, {"name": "Shoemaker"}
    )
    assert CARDBOX.rename(two, "yellow", "Cobbler", "cobbler").box["yellow"][1] == {"name": "cobbler"}
    refused = CARDBOX.rename(two, "yellow", "Cobbler", " apothecary ")
    assert (refused.box, [problem.code for problem in refused.problems]) == (two, ["duplicate_name"])
    assert CARDBOX.rename(two, "yellow", "Nobody", "Somebody").box == two


def test_a_name_that_cannot_be_read_is_refused() -> None:
    for wrong in ("", " ", "x" * 41, "a\nb"):
        refused = CARDBOX.rename(box(COBBLER), "yellow", "Cobbler", wrong)
        assert refused.box == box(COBBLER) and refused.problems


def test_all_else_that_is_known_of_a_thing_goes_along_with_its_new_name() -> None:
    poets = {"name": "Poets", "points": 5, "date": "06-14"}
    renamed = PIERS.rename({**PIERS.empty(), "plans": [poets]}, "plans", "Poets", "Three poets")
    assert renamed.box["plans"] == [{**poets, "name": "Three poets"}]
