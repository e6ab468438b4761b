"""Tell where something stood that is gone, the page says what happened and leads on."""

from __future__ import annotations

import pytest

from tests.webapp.conftest import Device, lay_towns
from tests.webapp.plays import draft, towns
from webapp import clubs
from webapp.database import Database
from webapp.history import plays

pytestmark = pytest.mark.either


def saved_table(member: Device) -> tuple[str, str]:
    """A table whose game is saved, and the game."""
    path = lay_towns(member)
    for number in range(3):
        member.post(f"{path}/seats/{number}", {f"grid/0/{column}": "cottage" for column in range(number)})
    return path, str(member.post(f"{path}/save").location)


@pytest.mark.parametrize("page", ["setup", "seats/0", "result", "seats", "facts"])
def test_going_back_to_a_saved_table_leads_to_its_game(member: Device, page: str) -> None:
    path, play = saved_table(member)
    answer = member.get(f"{path}/{page}")
    assert "Saved" in answer and f'href="{play}"' in answer


def test_whoever_may_not_see_the_game_is_not_told_of_it(member: Device, stranger: Device) -> None:
    path, play = saved_table(member)
    answer = stranger.get(f"{path}/result", 404)
    assert "Game not found" in answer and play not in answer and 'href="/join"' in answer


def test_a_cleared_table_leads_to_the_start_and_to_the_history(member: Device) -> None:
    path = lay_towns(member)
    member.post(f"{path}/clear")
    answer = member.get(f"{path}/seats/0", 404)
    assert "Game not found" in answer and 'href="/plays"' in answer


def test_a_deleted_game_is_put_back_from_its_page_and_one_gone_for_good_leads_to_the_others(
    owner: Device, db: Database, club: int
) -> None:
    [play_id] = plays.save_all(db, club, [draft(towns({"Ann": 4, "Bob": 2}))])
    row = db.row("SELECT key FROM plays WHERE id = ?", play_id)
    assert row is not None
    path = f"/plays/{row['key']}"
    owner.get(path)
    owner.post(f"{path}/delete")
    page = owner.get(path)
    assert "This game has been deleted." in page and page.count("Restore game") == 1
    gone = owner.get("/plays/gone", 404)
    assert "Game not found" in gone and 'href="/plays/bin"' in gone


def test_links_that_hold_no_longer_say_whom_to_ask(stranger: Device, db: Database, club: int) -> None:
    old = clubs.links(db, club)["viewer"]
    clubs.renew(db, club, "viewer")
    assert "This invitation no longer works" in stranger.get(f"/join/{old}", 404)
    assert "This game is closed" in stranger.get("/at/gone", 404)


@pytest.mark.parametrize("path", ["/nowhere", "/rooms/x/tv", "/photos/x", "/players/9", "/plays/x/sheet"])
def test_no_page_leaves_anybody_without_a_way_on(member: Device, path: str) -> None:
    answer = member.client.get(path)
    page = answer.get_data(as_text=True)
    assert answer.status_code in {200, 404} and 'href="/"' in page and "Nothing here" not in page
