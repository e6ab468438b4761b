"""The patron phase on a page: the piers as they are painted so far, and the characters on the patron's card.

What players have noted is {"round": {"symbols": ["P", "F"], "dates": {"0": "03-02"}}}, with places at the table as
the keys of the dates.
"""

from __future__ import annotations

from scorer.contract import Companion, Input, Json, Loaded
from scorer.games.pier_18.inputs import SYMBOLS
from scorer.games.pier_18.patrons import patron_phase
from scorer.reading import mapping, seated
from scorer.sentences import say

PICTURED = Input("round/symbols", say("Characters on the patron’s card"), "choices", SYMBOLS[1:])


def asks(loaded: Loaded, notes: Json) -> tuple[Input, ...]:
    """The pictured characters, and the dates of the last cards once there is a tie or they are entered."""
    dates = mapping(mapping(mapping(notes).get("round")).get("dates"))
    tied = answer(loaded, notes)["ask"]
    names = [player.get("name") for player in seated(loaded.record)]
    return (
        PICTURED,
        *(
            Input(f"round/dates/{seat}", say("Date on the last card of {name}", name=str(name)), "date", optional=True)
            for seat, name in enumerate(names)
            if name in tied or str(seat) in dates
        ),
    )


def answer(loaded: Loaded, notes: Json) -> Json:
    """Whom the patron joins. What nobody has painted is an empty pier."""
    here = mapping(mapping(notes).get("round"))
    dates = mapping(here.get("dates"))
    drafters = []
    for seat, player in enumerate(seated(loaded.record)):
        pier = {"cards": player["cards"]} if "cards" in player else {"rows": player.get("rows", [])}
        date = {"date": dates[str(seat)]} if str(seat) in dates else {}
        drafters.append({"name": player.get("name"), **pier, **date})
    across = mapping(mapping(loaded.record).get("table")).get("lovers_across")
    ruling = {} if across is None else {"lovers_across": across}
    return patron_phase({"symbols": here.get("symbols", []), "players": drafters, **ruling})


PATRON_PHASE = Companion(
    name=say("Patron phase"),
    text=say("Paint every pier as it lies now, then tap the characters on the patron’s card."),
    asks=asks,
    answer=answer,
    blank={"round": {}},
)
