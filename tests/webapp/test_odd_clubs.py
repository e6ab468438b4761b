"""Clubs of odd shapes: whatever was played, and whoever played it, every page about the history opens."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator

import pytest

from scorer import games
from scorer.contract import Game
from tests.webapp.bringing import bring
from tests.webapp.conftest import Device
from tests.webapp.plays import draft, towns, typed
from tests.webapp.test_insight import town
from webapp.cli import demo_tables
from webapp.database import Database
from webapp.history import NewPlay, decision_of
from webapp.history import plays as history


def dealt(game: Game, seats: int, tables: int) -> Iterator[NewPlay]:
    """Yield games with all the cards and boards of the game's examples, some days apart."""
    chance = random.Random(seats)
    examples, best = demo_tables.finished_boards(game)
    for number, example in zip(range(tables), examples, strict=False):
        if found := demo_tables.varied_table(game, *example, chance, seats, best):
            text = json.dumps(found)
            for seat in range(seats):
                text = text.replace(demo_tables.seat_name(seat), "ABCDEF"[seat])
            record, result = json.loads(text)
            yield NewPlay(record, decision_of(record, result), f"2025-0{number + 1}-01T20:00:00Z")


def alone_after_many() -> list[NewPlay]:
    """Return enough games of two for every question about a card, and one of each game played alone."""
    found = []
    for game in games.all_games():
        found += [*dealt(game, 2, 5)] * 4
        found += dealt(game, 1, 9) if game.players[0] == 1 else []
    return found


def foreign(*scores: str, game: str = "Tiny Towns") -> str:
    """Return a BG Stats file with one game of which only these totals are known; "" where there is none."""
    return json.dumps(
        {
            "plays": [
                {
                    "uuid": "U",
                    "gameRefId": 1,
                    "playDate": "2025-03-01 19:00:00",
                    "playerScores": [
                        {"playerRefId": seat, "score": points, "rank": 0, "winner": False}
                        for seat, points in enumerate(scores)
                    ],
                }
            ],
            "games": [{"id": 1, "uuid": "G", "name": game, "bggId": 0}],
            "players": [{"id": seat, "uuid": f"P{seat}", "name": f"Player {seat}"} for seat in range(len(scores))],
            "locations": [],
        }
    )


SHAPES: dict[str, Callable[[], list[NewPlay] | str]] = {
    "no game": list,
    "one game": lambda: [draft(typed({"Ann": 9, "Bob": 4}))],
    "one game alone": lambda: [draft(typed({"Ann": 9}))],
    "only games alone": lambda: [play for game in games.all_games() for play in dealt(game, 1, 9)],
    "one game alone after many": alone_after_many,
    "the same town alone thirty times": lambda: [draft(towns({"Ann": 4}, mode="solo"))] * 30,
    "only ties": lambda: [draft(typed({"Ann": 7, "Bob": 7, "Cid": 7}))] * 30,
    "only zeros": lambda: [draft(typed({"Ann": 0, "Bob": 0}))] * 30,
    "only the same scores": lambda: [
        draft(typed({"Ann": 5, "Bob": 4}), f"{year}-01-01T20:00:00Z") for year in (2024, 2025) for _ in range(40)
    ],
    "scores far above": lambda: [draft(typed({"Ann": 999, "Bob": 0}, "old_london_bridge"))],
    "scores far below and above": lambda: foreign("9999", "-9999"),
    "a card in two games that one player alone has too": lambda: [
        *[town("Ann", "Ann")] * 12,
        *[town("Bob", None)] * 12,
        *[draft(towns({"Ann": 4}, mode="solo"))] * 3,
    ],
    "no total known": lambda: foreign("", ""),
    "alone without a total": lambda: foreign(""),
    "everybody at one table": lambda: foreign(*map(str, range(12)), game="Tenby"),
    "the first and the last day": lambda: [
        draft(typed({"Ann": 2, "Bob": 1}), f"{day}T00:00:00Z") for day in ("1900-01-01", "2999-12-31")
    ],
}
FILTERS = (
    "",
    "?players=1",
    "?players=2&period=2025",
    "?period=12",
    "?period=0000",
    "?period=9999",
    "?since=0001-01&until=9999-12",
    "?until=0000-01",
    "?since=9999-12",
    "?since=2025-02&until=2025-01",
    "?place=nowhere",
)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_page_about_the_history_opens(shape: str, db: Database, club: int, viewer: Device) -> None:
    played = SHAPES[shape]()
    if isinstance(played, str):
        bring(db, club, played)
    else:
        history.save_all(db, club, played)
    people = [row[0] for row in db.execute("SELECT id FROM players WHERE club_id = ?", [club])]
    years = {row[0][:4] for row in db.execute("SELECT played_at FROM plays")}
    for page in ["/", "/plays", "/players", "/stats/achievements"]:
        viewer.get(page)
    for narrow in FILTERS:
        viewer.get(f"/stats{narrow}")
    for year in years:
        viewer.get(f"/stats/years/{year}")
        assert viewer.client.get(f"/stats/years/{year}/tidemark.png").status_code == 200
    for person in people:
        viewer.get(f"/players/{person}")
        for other in people[:3]:
            if other != person:
                viewer.get(f"/players/{person}/against/{other}")
    played_games = {row[0] for row in db.execute("SELECT game FROM plays")}
    for game in games.all_games():
        page = viewer.get(f"/stats/games/{game.id}?open=cards&open=boards")
        if game.id not in played_games and game.id != "tenby":
            continue  # without a game all are alike
        cards = re.findall(r'games/[a-z_0-9]+\?(?:[^"]*&amp;)?card=([^"&]+)"', page)[:1]
        for narrow in (*FILTERS[1:], *(f"{one or '?'}&card={card}" for card in cards for one in FILTERS)):
            viewer.get(f"/stats/games/{game.id}{narrow}")
            viewer.get(f"/stats/games/{game.id}/cards{narrow}")
            viewer.get(f"/stats/games/{game.id}/boards{narrow}")
        for person in people:
            viewer.get(f"/players/{person}/games/{game.id}")
