"""Pages of saved games that today's rules would score differently: they show what was saved, and owners rescore it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from scorer.core import score
from tests.webapp.conftest import Device
from tests.webapp.plays import towns
from webapp.database import Database
from webapp.history import OLD_RULES, TOLD, Decision, NewPlay, SeatScore, decision_of, plays, saved_plays

pytestmark = pytest.mark.either

NOTE = "Today’s rules would score this game differently."
OFFER = "Rescore this game"


def saved(db: Database, club: int, new: NewPlay) -> str:
    """Save the game and return its address."""
    [play_id] = plays.save_all(db, club, [new])
    return f"/plays/{saved_plays.key_of(db, play_id)}"


def with_four_more(record: dict[str, Any], basis: str = OLD_RULES) -> NewPlay:
    """A game that was saved with four points more on the first player's first line, by rules of version 0."""
    today = decision_of(record, score(record))
    first, *others = today.seats
    (rule, item, points), *lines = first.lines
    assert first.total is not None
    more = SeatScore(first.total + 4, first.rank, first.winner, ((rule, item, points + 4), *lines))
    return NewPlay(record, Decision((more, *others), today.decided_by, "0", basis), "2026-01-01T20:00:00Z")


@pytest.fixture
def differing(db: Database, club: int) -> str:
    """The address of a game that Ann won with a point when it was saved.

    Today's rules give her 3 x 3 for fed cottages less 12 empty squares, and Bob 2 x 3 less 13.
    """
    record = towns({"Ann": 3, "Bob": 2})
    assert [player["total"] for player in score(record)["players"]] == [-3, -7]
    return saved(db, club, with_four_more(record))


def totals(page: str) -> list[str]:
    """The points on the podium, in order of places."""
    return re.findall(r"<strong>\w+</strong><b>([^<]+)</b></li>", page)


@pytest.mark.parametrize(("role", "offered"), [("viewer", False), ("member", False), ("owner", True)])
def test_the_page_shows_what_was_saved_and_says_so(
    device: Callable[[str], Device], differing: str, role: str, offered: bool
) -> None:
    page = device(role).get(differing)
    assert NOTE in page
    assert (OFFER in page) == offered
    assert totals(page) == ["1", "−7"]


def test_an_owner_scores_the_game_again_and_the_version_before_keeps_its_points(owner: Device, differing: str) -> None:
    page = owner.get(differing)
    [offer] = re.findall(rf'href="([^"]+)">{OFFER}', page)
    listed = owner.get(offer.replace("&amp;", "&"))
    assert differing in listed
    chosen = dict(re.findall(r'name="(play|after)" value="(\d+)"', listed))
    assert owner.post("/data/rescore", chosen).status_code == 303
    page = owner.get(differing)
    assert NOTE not in page
    assert totals(page) == ["−3", "−7"]
    assert totals(owner.get(f"{differing}/versions/1")) == ["1", "−7"]


def test_a_record_that_todays_rules_refuse_is_shown_as_it_was_saved(owner: Device, db: Database, club: int) -> None:
    record = towns({"Ann": 3, "Bob": 2})
    new = with_four_more(record)
    record["players"][0]["grid"][3][3] = "well of old"
    assert not score(record)["ok"]
    address = saved(db, club, new)
    page = owner.get(address)
    assert NOTE in page
    assert totals(page) == ["1", "−7"]
    owner.get(f"{address}/sheet")
    assert owner.client.get(f"{address}/wide.png").status_code == 200
    [offer] = re.findall(rf'href="([^"]+)">{OFFER}', page)
    assert "Today’s rules don’t allow this game" in owner.get(offer)


def test_what_another_program_decided_is_not_compared(owner: Device, db: Database, club: int) -> None:
    page = owner.get(saved(db, club, with_four_more(towns({"Ann": 3, "Bob": 2}), TOLD)))
    assert NOTE not in page
    assert totals(page) == ["1", "−7"]


def test_a_deleted_game_is_not_offered_to_be_scored_again(owner: Device, differing: str) -> None:
    owner.get(differing)
    owner.post(f"{differing}/delete")
    assert OFFER not in owner.get(differing)
