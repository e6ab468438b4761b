"""The page of a saved game is worked out once, and always shows the game as it is now."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from scorer.core import score
from tests.conftest import EXAMPLES
from tests.webapp.conftest import Device
from webapp.database import Database
from webapp.history import decision_of, plays, saved_plays
from webapp.table import result_page

EXAMPLE = next(one for one in EXAMPLES if one.game.id == "tiny_towns" and len(one.record["players"]) > 1)


def keep(db: Database, club: int, record: Any) -> str:
    return saved_plays.key_of(db, plays.save(db, club, record, score(record)))


def named(name: str) -> Any:
    record = copy.deepcopy(EXAMPLE.record)
    record["players"][0]["name"] = name
    return record


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what was worked out so far, by its game."""
    done: list[str] = []
    shown = result_page.shown

    def counting(game: Any, *others: Any) -> dict[str, Any]:
        done.append(game.id)
        return shown(game, *others)

    monkeypatch.setattr(result_page, "shown", counting)
    return done


def test_a_result_is_worked_out_once(db: Database, club: int, viewer: Device, worked: list[str]) -> None:
    key = keep(db, club, EXAMPLE.record)
    first = viewer.get(f"/plays/{key}")
    assert viewer.get(f"/plays/{key}") == first and "Score sheet" in first
    viewer.get(f"/plays/{key}/sheet")
    assert worked == ["tiny_towns"]


def test_a_corrected_game_shows_what_it_is_now(db: Database, club: int, viewer: Device, worked: list[str]) -> None:
    key = keep(db, club, named("Zenobia"))
    assert "Zenobia" in viewer.get(f"/plays/{key}")
    play = saved_plays.find(db, key)
    assert play is not None
    record = named("Xanthippe")
    plays.edit(db, play, record, decision_of(record, score(record)))
    page = viewer.get(f"/plays/{key}")
    assert "Xanthippe" in page and "Zenobia" not in page
    assert "Zenobia" in viewer.get(f"/plays/{key}/versions/1")
    assert len(worked) == 2  # the old version was kept from when it was the game


def test_what_is_kept_gives_nobody_a_right(
    db: Database, club: int, member: Device, viewer: Device, stranger: Device
) -> None:
    key = keep(db, club, EXAMPLE.record)
    path = f"/plays/{key}"
    assert f"{path}/edit" in member.get(path)
    assert f"{path}/edit" not in viewer.get(path)
    stranger.get(path, 404)
    assert "csrf_token" not in kept_text(member)


def kept_text(device: Device) -> str:
    return "".join(values["drawn"] for values in device.client.application.extensions["results"].values())


def test_notes_are_seen_at_once(db: Database, club: int, member: Device) -> None:
    path = f"/plays/{keep(db, club, EXAMPLE.record)}"
    member.get(path)
    member.post(f"{path}/notes", {"notes": "With a storm outside.", "place": "", "minutes": "", "day": ""})
    assert "With a storm outside." in member.get(path)
