"""Draw clubs of odd shapes with Hypothesis: games, players, and later changes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from scorer.core import score
from scorer.result import can_be_saved
from tests.webapp.plays import CARDS, towns, typed
from webapp.database import Database
from webapp.history import (
    OLD_RULES,
    TOLD,
    Decision,
    NewPlay,
    SeatScore,
    decision_of,
    listing,
    player_profiles,
    plays,
    saved_plays,
)

NAMES = tuple("ABCDEFGHIJKL")
DAYS = ("2024-02-29", "2025-01-01", "2025-03-15", "2025-12-31", "2026-06-01")
PLACES = ("", "", "Home", "The pier")
Record = dict[str, Any]


@dataclass(frozen=True)
class Drawn:
    """Hold games and later changes, such as ("delete", 3), ("edit", 0) and ("merge", 2)."""

    games: list[NewPlay]
    changes: list[tuple[str, int]]


def seated(most: int, least: int = 1) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(NAMES[: most + 2]), min_size=least, max_size=most, unique=True)


@st.composite
def typed_games(draw: st.DrawFn) -> tuple[Record, Decision]:
    """Draw a table with only points by line. Ties and zeros are frequent."""
    game = draw(st.sampled_from(("tenby", "old_london_bridge", "tiny_towns")))
    names = draw(seated(4, 2 if game == "old_london_bridge" else 1))
    points = draw(st.lists(st.sampled_from((0, 0, 3, 7, 7, 20)), min_size=len(names), max_size=len(names)))
    return _scored(typed(dict(zip(names, points, strict=True)), game))


@st.composite
def boards(draw: st.DrawFn) -> tuple[Record, Decision]:
    """Draw towns with boards and cards, sometimes with only one player."""
    names = draw(seated(4))
    cottages = draw(st.lists(st.integers(0, 5), min_size=len(names), max_size=len(names)))
    green = draw(st.sampled_from(("tavern", "inn", "almshouse")))
    mode = "solo" if len(names) == 1 else "standard"
    record = towns(dict(zip(names, cottages, strict=True)), mode=mode, cards={**CARDS, "green": green})
    for player in record["players"]:
        if draw(st.booleans()):
            player["grid"][3][3] = green
    return _scored(record)


def _scored(record: Record) -> tuple[Record, Decision]:
    result = score(record)
    if not can_be_saved(result):  # points hang on an answer: another program tells it
        return _told(record, [(1, 1, True)] * len(record["players"]))
    return record, decision_of(record, result)


@st.composite
def told_games(draw: st.DrawFn) -> tuple[Record, Decision]:
    """Draw a game from another program: up to twelve players; any total, rank and winner may be open."""
    names = draw(seated(10))
    seats = st.tuples(
        st.none() | st.sampled_from((-5, 0, 4, 4, 30, 9999)), st.none() | st.integers(1, 3), st.none() | st.booleans()
    )
    facts = draw(st.lists(seats, min_size=len(names), max_size=len(names)))
    game = draw(st.sampled_from(("tenby", "copenhagen", "gone")))
    record = {"game": game, "table": {}, "players": [{"name": name} for name in names]}
    return _told(record, facts)


def _told(record: Record, facts: list[tuple[int | None, int | None, bool | None]]) -> tuple[Record, Decision]:
    record = json.loads(json.dumps(record))
    for player, (total, _, _) in zip(record["players"], facts, strict=True):
        name = player["name"]
        player.clear()
        player |= {"name": name, "typed": {} if total is None else {"total": total}}
    seats = [
        SeatScore(total, rank, winner, () if total is None else (("total", "", total),), total is not None)
        for total, rank, winner in facts
    ]
    basis = OLD_RULES if record["game"] == "gone" else TOLD
    return record, Decision(tuple(seats), None, "", basis)


@st.composite
def new_games(draw: st.DrawFn) -> NewPlay:
    record, decision = draw(st.one_of(typed_games(), boards(), told_games()))
    moment = f"{draw(st.sampled_from(DAYS))}T{draw(st.integers(10, 12))}:00:00Z"
    place, minutes = draw(st.sampled_from(PLACES)), draw(st.sampled_from((None, None, 30, 95)))
    return NewPlay(record, decision, moment, place=place, minutes=minutes)


CHANGES = st.tuples(st.sampled_from(("delete", "restore", "edit", "move", "merge", "save")), st.integers(0, 30))
CLUBS = st.builds(Drawn, st.lists(new_games(), max_size=14), st.lists(CHANGES, max_size=6))


def save(db: Database, club_id: int, drawn: Drawn) -> None:
    """Save all games at once, then make the changes one by one."""
    ids = plays.save_all(db, club_id, drawn.games)
    for what, number in drawn.changes:
        if what == "merge":
            _merge(db, club_id, number)
        elif what == "save" and drawn.games:
            again = drawn.games[number % len(drawn.games)]
            ids += plays.save_all(db, club_id, [NewPlay(again.record, again.decision, again.played_at)])
        elif ids:
            _change(db, what, ids, number)


def _change(db: Database, what: str, ids: list[int], number: int) -> None:
    play = saved_plays.by_id(db, ids[number % len(ids)])
    assert play is not None
    if what == "delete":
        plays.delete(db, play)
    elif what == "restore":
        plays.restore(db, play)
    elif what == "move":
        moment = f"{DAYS[number % len(DAYS)]}T11:30:00Z"
        plays.describe(db, play, play.notes, PLACES[number % len(PLACES)], play.minutes, moment)
    else:
        totals = [(number + seat, seat + 1, seat == 0) for seat in range(len(play.record["players"]))]
        record, decision = _told(play.record, list(totals))
        plays.edit(db, play, record, decision)


def _merge(db: Database, club_id: int, number: int) -> None:
    found = db.execute("SELECT id FROM players WHERE club_id = ? ORDER BY id", [club_id]).fetchall()
    if len(found) > 1:
        one, other = (player_profiles.find(db, found[place % len(found)][0]) for place in (number, number + 1))
        assert one is not None and other is not None
        player_profiles.merge(db, one, other)


def keys(db: Database, club_id: int) -> list[str]:
    return [play.key for play in listing.page(db, club_id, listing.Filter()).plays]
