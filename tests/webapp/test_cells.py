"""Every cell of the sums, worked out another way from the saved records: play by play, without the code that counts."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.webapp.plays import CARDS, club, database, draft, towns, typed
from webapp import days
from webapp.database import Database
from webapp.history import people, recount
from webapp.history import plays as history
from webapp.statistics import cards
from webapp.statistics import game as game_statistics
from webapp.statistics.scope import Scope, span

Cells = dict[tuple[Any, ...], list[int]]


def raw(db: Database) -> list[dict[str, Any]]:
    rows = db.query("SELECT * FROM plays")
    return [{**row, "record": json.loads(row["record"]), "result": json.loads(row["result"])} for row in rows]


def kept(db: Database, table: str, keys: int) -> Cells:
    return {tuple(row[:keys]): list(row[keys:]) for row in db.execute(f"SELECT * FROM {table}").fetchall()}


def cells(play: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    day = play["played_at"][:10]  # the demo club goes by UTC
    for place, period, way in product({"", play["place"]}, periods_of(day), ("*", play["variant"])):
        yield place, period, way, play["game"], play["player_count"]


def periods_of(day: str) -> set[str]:
    quarter = {"01": 1, "02": 1, "03": 1, "04": 2, "05": 2, "06": 2, "07": 3, "08": 3, "09": 3}.get(day[5:7], 4)
    return {"", day[:4], f"{day[:4]}Q{quarter}", day[:7]}


def expected(db: Database) -> dict[str, Cells]:
    """The sums of the cube, by table."""
    found: dict[str, Cells] = defaultdict(lambda: defaultdict(lambda: [0] * 10))
    names = {name: number for number, name in db.execute("SELECT id, name FROM players").fetchall()}
    for play in raw(db):
        players = play["result"]["players"]
        contest = len(players) > 1
        for cell in cells(play):
            here = (play["club_id"], *cell)
            totals = [player["total"] for player in players]
            put(found["tally_plays"][here], 1, int(play["minutes"] is not None), play["minutes"] or 0)
            put(found["tally_plays"][here], 0, 0, 0, len(totals), sum(totals), sum(total**2 for total in totals))
            for seat, player in enumerate(players):
                put(found["tally_totals"][(*here, player["total"])], 1)
                if contest:
                    put(found["tally_seats"][(*here, seat)], 1, player["winner"])
                hers = found["tally_players"][(names[player["name"]], *cell)]
                put(hers, 1, contest, contest and player["winner"], player["total"], player["total"] ** 2, 1)
                for rule in {line["rule"] for line in player["lines"]}:
                    points = sum(line["points"] for line in player["lines"] if line["rule"] == rule)
                    put(found["tally_lines"][(*here, rule)], 1, points)
            for card in set(play["record"]["table"].get("cards", {}).values()):
                mine = found["tally_cards"][(*here, card)]
                put(mine, 1)
                for player, entered in zip(players, play["record"]["players"], strict=True):
                    lines = [line["points"] for line in player["lines"] if line["rule"] == card]
                    built, won = bool(lines), contest and player["winner"]
                    pieces = sum(row.count(card) for row in entered["grid"])
                    put(mine, 0, 1, sum(lines), player["total"], built, pieces, contest, won)
                    put(mine, 0, 0, 0, 0, 0, 0, 0, 0, built and contest, built and won)
    return found


def put(sums: list[int], *amounts: Any) -> None:
    for place, amount in enumerate(amounts):
        sums[place] += int(amount)


@pytest.mark.parametrize(
    ("table", "keys"),
    [("tally_plays", 6), ("tally_totals", 7), ("tally_seats", 7), ("tally_lines", 7), ("tally_players", 6)],
)
def test_every_cell_is_the_sum_of_its_plays(harbour: tuple[Database, int], table: str, keys: int) -> None:
    db, _ = harbour
    stored, worked_out = kept(db, table, keys), expected(db)[table]
    assert len(stored) > 300
    assert {key: row + [0] * (10 - len(row)) for key, row in stored.items()} == dict(worked_out)


def test_every_card_is_the_sum_of_its_tables(harbour: tuple[Database, int]) -> None:
    db, _ = harbour
    dealt = {key: row for key, row in expected(db)["tally_cards"].items()}
    stored = {key: row for key, row in kept(db, "tally_cards", 7).items() if key in dealt}
    assert len(dealt) > 500
    assert stored == dealt


def test_days_weekdays_and_places_are_counted(harbour: tuple[Database, int]) -> None:
    db, home = harbour
    by_day: Counter[Any] = Counter()
    by_weekday: Counter[Any] = Counter()
    by_place: Counter[Any] = Counter()
    for play in raw(db):
        day = datetime.fromisoformat(play["played_at"])
        by_day[home, play["played_at"][:10]] += 1
        for period in ("", play["played_at"][:4]):
            by_weekday[home, period, play["game"], day.weekday()] += 1
        for place, period in product({"", play["place"]}, periods_of(play["played_at"][:10])):
            by_place[home, period, place] += 1
    for table, keys, found in (
        ("tally_days", 2, by_day),
        ("tally_weekdays", 4, by_weekday),
        ("tally_places", 3, by_place),
    ):
        assert {key: row[0] for key, row in kept(db, table, keys).items()} == dict(found)


@pytest.mark.parametrize(
    ("first", "last", "periods"),
    [
        ("2026-03", "2026-03", ("2026-03",)),
        ("2025-01", "2025-12", ("2025",)),
        ("2024-11", "2026-02", ("2024-11", "2024-12", "2025", "2026-01", "2026-02")),
        ("2024-02", "2024-12", ("2024-02", "2024-03", "2024Q2", "2024Q3", "2024Q4")),
        ("2025-12", "2026-11", ("2025-12", "2026Q1", "2026Q2", "2026Q3", "2026-10", "2026-11")),
        ("2024-01", "2026-06", ("2024", "2025", "2026Q1", "2026Q2")),
        ("2026-05", "2026-06", ("2026-05", "2026-06")),
    ],
)
def test_a_span_of_months_is_made_of_few_periods(first: str, last: str, periods: tuple[str, ...]) -> None:
    assert span(first, last) == periods


def test_any_part_of_the_cube_has_the_scores_of_its_plays(harbour: tuple[Database, int]) -> None:
    """Periods, places, numbers of players and ways in combination: 4 x 3 x 3 of them."""
    db, home = harbour
    checked = 0
    for periods, place, count in product(
        (("",), ("2025",), span("2024-06", "2025-05"), span("2024-02", "2026-09")),
        ("", "The Anchor", "Ada's kitchen"),
        (None, 2, 3),
    ):
        scope = Scope(home, "tiny_towns", players=count, place=place, periods=periods)
        mine = [
            play
            for play in raw(db)
            if play["game"] == "tiny_towns"
            and place in ("", play["place"])
            and count in (None, play["player_count"])
            and not periods_of(play["played_at"][:10]).isdisjoint(periods)
        ]
        totals = sorted(player["total"] for play in mine for player in play["result"]["players"])
        spread = game_statistics.spread(game_statistics.by_player_count(db, scope))
        assert sorted(total for total, times in spread.counts.items() for _ in range(times)) == totals
        checked += len(totals)
    assert checked > 300


def test_a_line_is_averaged_over_tables_that_had_the_card(tmp_path: Path) -> None:
    with database(tmp_path / "t.db") as db:
        home = club(db)
        with_theater = towns({"Ann": 2, "Bob": 1}, cards={**CARDS, "yellow": "theater"})
        with_theater["players"][0]["grid"][3][3] = "theater"
        history.save_all(
            db, home, [draft(with_theater), draft(towns({"Ann": 1, "Bob": 0})), draft(towns({"Cid": 3, "Dee": 0}))]
        )
        game = next(line for line in lines_of(db, home) if line.rule == "theater")
        # One point for the single kind of building in its row or column beside it, on one of the two sheets.
        assert (game.sheets, game.of) == (1, 2)
        assert game.mean == game.points / 2


def lines_of(db: Database, home: int) -> list[game_statistics.LineAverage]:
    from scorer import games

    game = games.find("tiny_towns")
    assert game is not None
    scope = Scope(home, "tiny_towns")
    return game_statistics.lines(db, scope, game, cards.dealt(db, scope))


def test_an_evening_in_new_york_stays_on_its_day(tmp_path: Path) -> None:
    """Half past ten on New Year's Eve is four hours or five into the next year in UTC."""
    with database(tmp_path / "t.db") as db:
        home = club(db)
        db.execute("UPDATE clubs SET zone = 'America/New_York'")
        history.save_all(db, home, [draft(typed({"Ann": 3, "Bob": 1}), "2026-01-01T03:30:00Z", place="Home")])
        history.save_all(db, home, [draft(typed({"Ann": 3, "Bob": 1}), "2026-07-02T03:30:00Z")])
        assert [day for (day,) in db.execute("SELECT day FROM kept_plays ORDER BY id").fetchall()] == [
            "2025-12-31",
            "2026-07-01",
        ]
        periods = {period for (period,) in db.execute("SELECT DISTINCT period FROM tally_plays").fetchall()}
        assert periods == {"", "2025", "2025Q4", "2025-12", "2026", "2026Q3", "2026-07"}
        assert recount.recount(db, repair=False) == []


def test_days_are_those_of_the_zone() -> None:
    """By hand: New York is 5 hours behind in winter, 4 in summer; Kiritimati 14 ahead."""
    assert days.day_of("2026-01-15T04:59:59Z", "America/New_York") == "2026-01-14"
    assert days.day_of("2026-01-15T05:00:00Z", "America/New_York") == "2026-01-15"
    assert days.day_of("2026-07-15T03:59:59Z", "America/New_York") == "2026-07-14"
    assert days.day_of("2026-01-14T10:00:00Z", "Pacific/Kiritimati") == "2026-01-15"
    assert days.day_of("2026-01-15T23:00:00Z", "") == "2026-01-15"
    assert days.beginning("2026-03-08", "America/New_York") == "2026-03-08T05:00:00Z"
    assert days.end("2026-03-08", "America/New_York") == "2026-03-09T04:00:00Z"
    assert days.moved("2026-01-15T01:30:00Z", "2026-06-01", "America/New_York") == "2026-06-02T00:30:00Z"
    assert not days.is_zone("Europe/Atlantis")


def test_a_day_agrees_with_the_offset_of_the_hour() -> None:
    """A zone without summer time, worked out with a fixed offset: every hour of two days."""
    kolkata = timezone(timedelta(hours=5, minutes=30))
    for hour in range(48):
        moment = datetime(2026, 2, 27, tzinfo=UTC) + timedelta(hours=hour)
        assert (
            days.day_of(moment.strftime(days.MOMENT), "Asia/Kolkata") == moment.astimezone(kolkata).date().isoformat()
        )


def test_sums_survive_everything_that_happens_to_a_game(harbour: tuple[Database, int]) -> None:
    db, _ = harbour
    ids = [number for (number,) in db.execute("SELECT id FROM kept_plays ORDER BY id LIMIT 12").fetchall()]
    plays = [play for number in ids if (play := history.by_id(db, number))]
    for play in plays[:3]:
        history.delete(db, play)
    history.restore(db, plays[0])
    for play in plays[3:6]:
        history.describe(db, play, "elsewhere", "The Anchor", 77, "2024-02-29T20:00:00Z")
    for play in plays[6:9]:
        history.correct(db, play, play.record, play.result)
    ada = people.find(db, 1)
    assert ada is not None
    people.rename(db, ada, "Ada Lovelace")
    assert recount.recount(db, repair=False) == []
    for table, keys in (("tally_plays", 6), ("tally_players", 6), ("tally_lines", 7)):
        stored = {key: row + [0] * (10 - len(row)) for key, row in kept(db, table, keys).items()}
        assert stored == dict(expected(db)[table])
