"""A missing fact for a tie blocks nothing: the game is saved without a winner, and can be settled later."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scorer.contract import Game
from scorer.core import score
from tests.conftest import GAMES
from tests.webapp.bringing import bring, taken_out
from tests.webapp.conftest import Device
from tests.webapp.plays import club as club_of
from tests.webapp.plays import database, towns, typed
from tests.webapp.test_odd_clubs import foreign
from webapp.database import Database
from webapp.history import listing, plays, rebuild, rescore, saved_plays

pytestmark = pytest.mark.either


def tie(member: Device, db: Database, game: Game) -> str:
    """Two players of that game who have typed one total; the table's address."""
    member.get("/")
    path = str(member.post("/tables", {"game": game.id}).location).removesuffix("/setup")
    for name in ("Ann", "Bob"):
        member.post(f"{path}/setup", {"new": name})
    for seat in (0, 1):
        member.post(f"{path}/seats/{seat}", {"put": '["typed", {"total": 11}]'})
    return path


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_no_missing_fact_blocks_the_saving(game: Game, member: Device, db: Database, club: int) -> None:
    path = tie(member, db, game)
    page = member.get(f"{path}/result")
    if game.id == "old_london_bridge":  # a victory is never shared there: the order on the chapel track is asked for
        return
    if "Save anyway" in page:
        assert member.post(f"{path}/save").location.endswith("/result"), "not without being told"
    member.post(f"{path}/save?shared=1")
    [saved] = listing.recent(db, club)
    assert saved.winners == []


def test_a_tie_is_settled_later_at_the_saved_game(member: Device, viewer: Device, db: Database) -> None:
    game = next(game for game in GAMES if game.id == "tiny_towns")
    path = tie(member, db, game)
    address = str(member.post(f"{path}/save?shared=1").location)
    page = member.get(address)
    assert "Ann and Bob are tied. Still to count: Turns as Master Builder" in page
    fields = re.findall(r'<input name="(/players/[^"]+)"', page)
    assert fields == ["/players/0/master_builder_turns", "/players/1/master_builder_turns"]
    assert "/players/0/master_builder_turns" not in viewer.get(address)
    viewer.get("/club")
    assert viewer.post(f"{address}/settle", {fields[0]: "3"}).status_code == 403
    member.post(f"{address}/settle", {fields[0]: "-3", fields[1]: "4"})
    assert "These answers can’t be scored" in member.get(address)
    member.post(f"{address}/settle", {fields[0]: "3", fields[1]: "4"})
    page = member.get(address)
    assert "Ann wins the tie" in page and "Break the tie" not in page and "Version 1" in page


def shared() -> dict[str, object]:
    record = towns({"Ann": 3, "Bob": 3})
    for player in record["players"]:
        del player["master_builder_turns"]
    return record


def test_statistics_count_no_win_and_files_carry_it(tmp_path: Path) -> None:
    record = shared()
    result = score(record)
    assert result["needs"] and result["decided_by"] is None
    with database(tmp_path / "a.db") as db:
        home = club_of(db)
        play_id = plays.save(db, home, record, result)
        assert not list(db.query("SELECT achievement FROM achievements WHERE play_id = ?", [play_id]))
        assert [(row["winner"], row["rank"]) for row in db.query("SELECT winner, rank FROM scores")] == [
            (None, None)
        ] * 2
        assert rebuild.check(db) == [] and list(rescore.outdated(db, home, everything=True)) == []
        exported = taken_out(db, home)
    with database(tmp_path / "b.db") as db:
        home = club_of(db)
        db.execute("UPDATE clubs SET name = 'The club'")
        assert bring(db, home, exported.encode()).added == 1
        assert json.loads(taken_out(db, home))["plays"] == json.loads(exported)["plays"]


def saved_page(member: Device, db: Database, club: int, record: dict[str, Any]) -> str:
    """Save the record and open the page of the game."""
    play = saved_plays.by_id(db, plays.save(db, club, record, score(record)))
    assert play is not None
    return member.get(f"/plays/{play.key}")


SHARED, BY_THE_BOOK = "Shared waters", "By the book"


def test_a_victory_that_the_rules_cannot_split_earns_what_a_shared_victory_earns(
    member: Device, db: Database, club: int
) -> None:
    record = typed({"Ann": 21, "Bob": 21}, "tiny_towns")
    for player in record["players"]:
        player |= {"master_builder_turns": 2, "empty_squares": 3, "cottages": 2}
    page = saved_page(member, db, club, record)
    assert page.count(SHARED) == 2 and BY_THE_BOOK not in page
    record["players"][0]["empty_squares"] = 1
    page = saved_page(member, db, club, record)
    assert page.count(BY_THE_BOOK) == 1 and SHARED not in page


def test_an_open_tie_earns_nothing_yet(member: Device, db: Database, club: int) -> None:
    record = typed({"Ann": 3, "Bob": 3, "Cid": 21}, "tiny_towns")
    for player in record["players"]:
        player["typed"]["tavern"] = 0 if player["name"] == "Cid" else 20
    assert score(record)["winners"] == ["Ann", "Bob"]
    page = saved_page(member, db, club, record)
    assert "Ann and Bob are tied. Still to count" in page
    assert not [name for name in (SHARED, BY_THE_BOOK) if name in page]
    [address] = re.findall(r'href="(/plays/[^/"]+/sheet)"', page)
    assert "Ann and Bob are tied. To break the tie, enter:" in member.get(address)


def test_a_tie_break_that_nobody_remembers_splits_nothing_by_the_book(member: Device, db: Database, club: int) -> None:
    record = typed({"Ann": 21, "Bob": 21}, "tiny_towns")
    for player in record["players"]:
        player |= {"master_builder_turns": "unknown", "empty_squares": 3, "cottages": 2}
    page = saved_page(member, db, club, record)
    assert "Nobody counted" in page and SHARED not in page
    record["players"][0]["empty_squares"] = 1
    page = saved_page(member, db, club, record)
    assert "Ann wins the tie" in page and "Nobody counted" in page and BY_THE_BOOK not in page


def test_a_tie_from_another_program_knows_no_tie_break(member: Device, db: Database, club: int) -> None:
    bring(db, club, foreign("20", "20"))
    [play] = listing.recent(db, club)
    page = member.get(f"/plays/{play.key}")
    assert sorted(play.winners) == ["Player 0", "Player 1"]
    assert "win together." in page and SHARED not in page


def test_points_that_are_missing_are_no_tie(tmp_path: Path) -> None:
    cards = {
        "red": "farm",
        "grey": "well",
        "orange": "chapel",
        "green": "feast_hall",
        "yellow": "bakery",
        "black": "bank",
    }
    empty = [["empty"] * 4] * 3
    players = [
        {"name": "Ann", "grid": [["feast_hall", "empty", "empty", "empty"], *empty]},
        {"name": "Bob", "typed": {"total": -13}},
    ]
    record = {"game": "tiny_towns", "table": {"mode": "standard", "cards": cards}, "players": players}
    result = score(record)
    assert result["ok"] and result["needs"]
    with database(tmp_path / "a.db") as db:
        play = saved_plays.by_id(db, plays.save(db, club_of(db), record, result))
        assert play is not None and [seat.winner for seat in play.decision.seats] == [None, None]


def saved_state(db: Database, path: str, seat: int) -> dict[str, Any]:
    row = db.row("SELECT state FROM seats JOIN tables ON id = table_id WHERE key = ? AND seat = ?", path[8:], seat)
    assert row is not None
    state: dict[str, Any] = json.loads(row["state"])
    return state


TURNS = "master_builder_turns"


def tied_towns(member: Device) -> str:
    """Ann and Bob have no points apart from their empty squares, which are as many; the table's address."""
    member.get("/")
    path = str(member.post("/tables", {"game": "tiny_towns"}).location).removesuffix("/setup")
    for name in ("Ann", "Bob"):
        member.post(f"{path}/setup", {"new": name})
    for seat in (0, 1):
        member.post(f"{path}/seats/{seat}", {"grid/0/0": "cottage"})
    return path


def test_that_nobody_knows_is_an_answer_that_can_be_taken_back(member: Device, viewer: Device, db: Database) -> None:
    path = tied_towns(member)
    page = member.get(f"{path}/result")
    assert 'name="forgotten" value="master_builder_turns"' in page and "We don’t know" in page
    member.post(f"{path}/answers", {"forgotten": TURNS, f"/players/1/{TURNS}": "4"})
    assert (saved_state(db, path, 0)[TURNS], saved_state(db, path, 1)[TURNS]) == ("unknown", 4)
    page = member.get(f"{path}/result")
    assert "win together" in page and "Break the tie" not in page
    assert "Nobody counted the Master Builder turns, so the next tie-break decided." in page
    address = str(member.post(f"{path}/save").location)
    page = member.get(address)
    assert "Do you know the missing answers now?" in page and "win together" in page
    assert re.findall(r'<input name="(/players/[^"]+)"', page) == [f"/players/0/{TURNS}"]
    assert "Do you know the missing answers" not in viewer.get(address)
    member.post(f"{address}/settle", {f"/players/0/{TURNS}": "3"})
    page = member.get(address)
    assert "Ann wins the tie" in page and "Do you know the missing answers" not in page


def test_what_cannot_be_forgotten_has_no_such_answer(member: Device, db: Database) -> None:
    path = tie(member, db, next(game for game in GAMES if game.id == "tiny_towns"))
    member.post(f"{path}/answers", {"forgotten": TURNS})
    page = member.get(f"{path}/result")  # of typed totals the empty squares are asked for next
    assert "empty_squares" in page and 'name="forgotten"' not in page
    member.post(f"{path}/answers", {"forgotten": "empty_squares"})
    assert "empty_squares" not in saved_state(db, path, 0)


def test_the_editor_shows_that_nobody_knows_and_lets_it_be_corrected(member: Device, db: Database) -> None:
    path = tied_towns(member)
    member.post(f"{path}/answers", {"forgotten": TURNS})
    page = member.get(f"{path}/seats/0")
    assert re.search(rf'<input type="checkbox" name="{TURNS}" value="unknown"\s+checked>', page)
    assert re.search(rf'name="{TURNS}" type="text" value=""', page)
    grid = {"grid/0/0": "cottage"}
    member.post(f"{path}/seats/0", {**grid, TURNS: ["", "unknown"]})
    assert saved_state(db, path, 0)[TURNS] == "unknown"
    member.post(f"{path}/seats/0", {**grid, TURNS: "2"})
    assert saved_state(db, path, 0)[TURNS] == 2
