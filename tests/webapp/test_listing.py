"""Lists of plays: every filter against a plain look through all, pages without gaps, search."""

from __future__ import annotations

import re
from typing import Any

import pytest

from webapp.database import Database
from webapp.history import listing, saved_plays
from webapp.history import plays as history
from webapp.history.listing import Filter


def everything(db: Database, club_id: int, chosen: Filter, size: int = 7) -> list[int]:
    """All pages of the list, one after another."""
    found: list[int] = []
    after = ""
    while True:
        page = listing.page(db, club_id, chosen, after, size)
        found += [play.id for play in page.plays]
        if not page.older:
            return found
        assert len(page.plays) == size or page.looked_back
        after = page.older


def fits(row: dict[str, Any], chosen: Filter, players: list[str]) -> bool:
    words = re.findall(r"\w+", f"{row['notes']} {row['place']}".lower())
    return (
        chosen.game in ("", row["game"])
        and (chosen.player is None or "Ada" in players)
        and (chosen.players is None or len(players) == chosen.players)
        and (not chosen.since or row["played_at"][:10] >= chosen.since)
        and (not chosen.until or row["played_at"][:10] <= chosen.until)
        and (not chosen.way or chosen.way in row["variant"].split("|"))
        and all(any(one.startswith(word) for one in words) for word in chosen.words.lower().split())
    )


@pytest.mark.parametrize(
    "chosen",
    [
        Filter(),
        Filter(game="tiny_towns"),
        Filter(player=0),
        Filter(player=0, game="tenby", players=2),
        Filter(players=3),
        Filter(since="2025-01-10", until="2025-12-31"),
        Filter(way="mode=town_hall"),
        Filter(words="anchor"),
        Filter(words="rain", player=0),
        Filter(words="rain", game="tiny_towns", since="2024-06-01"),
        Filter(words="unheard"),
        Filter(words='"; DROP'),
    ],
    ids=str,
)
def test_a_filter_finds_exactly_what_fits(harbour: tuple[Database, int], chosen: Filter) -> None:
    db, club_id = harbour
    row = db.row("SELECT id FROM players WHERE name = 'Ada'")
    assert row is not None
    if chosen.player is not None:
        chosen = Filter(**{name: getattr(chosen, name) for name in Filter.__slots__} | {"player": row["id"]})
    rows = list(db.query("SELECT * FROM plays ORDER BY played_at DESC, id DESC"))
    players = {one.id: one.names for one in saved_plays.each(db, club_id)}
    assert everything(db, club_id, chosen) == [one["id"] for one in rows if fits(one, chosen, players[one["id"]])]


def test_nothing_of_another_club_is_listed(harbour: tuple[Database, int]) -> None:
    db, club_id = harbour
    ada = db.row("SELECT id FROM players WHERE name = 'Ada'")
    assert ada is not None
    for chosen in (Filter(), Filter(words="anchor"), Filter(player=ada["id"])):
        assert listing.page(db, club_id + 1, chosen).plays == []


@pytest.mark.parametrize("after", ["x", "2026-01-01.x", "9" * 99, "2026-01-01T00:00:00Z.", "'--", "2026:2026:99.1"])
def test_a_strange_place_to_go_on_from_is_the_beginning(harbour: tuple[Database, int], after: str) -> None:
    db, club_id = harbour
    for chosen in (Filter(), Filter(words="rain")):
        assert listing.page(db, club_id, chosen, after).plays == listing.page(db, club_id, chosen).plays


def test_search_follows_what_is_changed(harbour: tuple[Database, int]) -> None:
    db, club_id = harbour
    [latest] = listing.recent(db, club_id, 1)
    play = saved_plays.find(db, latest.key)
    assert play is not None
    history.describe(db, play, "Zanzibar opened with a lighthouse", play.place, play.minutes, play.played_at)
    assert [found.key for found in listing.page(db, club_id, Filter(words="zanzi")).plays] == [latest.key]
    history.describe(db, play, play.notes, play.place, play.minutes, play.played_at)
    assert listing.page(db, club_id, Filter(words="zanzi")).plays == []
