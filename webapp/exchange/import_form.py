"""Read the form of an import: how a text table is to be read, and which of our games and players are meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer import games
from webapp import clubs
from webapp.database import Database
from webapp.exchange import foreign, imports, table_layout
from webapp.exchange.foreign import Matches
from webapp.exchange.imports import Import


def layout(before: table_layout.Layout, form: Mapping[str, str]) -> dict[str, Any]:
    """Return the "roles" of columns, the "encoding" and the order of "dates" that people chose in the form. Fields that
    the form leaves out keep their value in `before`."""
    roles = [form.get(f"column.{number}", role) for number, role in enumerate(before.roles)]
    known = {*table_layout.ROLES, *table_layout.OF_LINES, table_layout.UNCLEAR}
    encoding, dates = form.get("encoding", before.encoding), form.get("dates", before.dates)
    return {
        "roles": [role if role in known else "" for role in roles],
        "encoding": encoding if encoding in table_layout.ENCODINGS else before.encoding,
        "dates": dates if dates in table_layout.ORDERS else before.dates,
    }


def matches(db: Database, club_id: int, one: Import, form: Mapping[str, str]) -> Matches:
    """Return which game or player of ours each one in the file is, as people chose in the form. The keys are ("game" or
    "player", its reference in the file). Where people chose nothing, our guess stands."""
    found, brought = imports.guessed(db, one), imports.survey(db, one)
    for place, ref in enumerate(brought.games):
        chosen = form.get(f"game.{place}")
        if chosen is not None:
            found["game", ref] = chosen if games.find(chosen) else ""
    known = set(clubs.roster(db, club_id))
    for place, (ref, written) in enumerate(brought.players.items()):
        chosen = form.get(f"player.{place}")
        if chosen is not None:
            found["player", ref] = chosen if chosen in known else foreign.name(written)
    return found
