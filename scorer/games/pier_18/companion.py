"""The patron phase on a page: the piers as they are painted so far, and the characters on the patron's card."""

from __future__ import annotations

from typing import Any

from scorer.contract import Companion, Input, Json, Loaded
from scorer.games.pier_18.inputs import SYMBOLS
from scorer.games.pier_18.patrons import patron_phase
from scorer.reading import mapping, sequence

PICTURED = Input("round/symbols", "Characters on the patron’s card", "choices", SYMBOLS[1:])


def asks(loaded: Loaded, told: Json) -> tuple[Input, ...]:
    """The pictured characters, and the dates of the last cards once there is a tie or they are entered."""
    dates = mapping(mapping(mapping(told).get("round")).get("dates"))
    record = loaded.record
    tied = answer(loaded, told)["ask"]
    return (
        PICTURED,
        *(
            Input(f"round/dates/{index}", f"Date on the last card of {name}", "date", optional=True)
            for index, name in enumerate(names(record))
            if name in tied or str(index) in dates
        ),
    )


def answer(loaded: Loaded, told: Json) -> Json:
    """Whom the patron joins. What nobody has painted is an empty pier."""
    record = loaded.record
    here = mapping(mapping(told).get("round"))
    dates = mapping(here.get("dates"))
    drafters = []
    for index, player in enumerate(players(record)):
        pier = {"cards": player["cards"]} if "cards" in player else {"rows": player.get("rows", [])}
        date = {"date": dates[str(index)]} if str(index) in dates else {}
        drafters.append({"name": player.get("name"), **pier, **date})
    across = mapping(mapping(record).get("table")).get("lovers_across")
    ruling = {} if across is None else {"lovers_across": across}
    return patron_phase({"symbols": here.get("symbols", []), "players": drafters, **ruling})


def players(record: Json) -> list[dict[str, Any]]:
    return [mapping(player) for player in sequence(mapping(record).get("players"))]


def names(record: Json) -> list[Json]:
    return [player.get("name") for player in players(record)]


PATRON_PHASE = Companion(
    name="Patron phase",
    text="Paint every pier as it lies now, then tap the characters on the patron’s card.",
    asks=asks,
    answer=answer,
    blank={"round": {}},
)
