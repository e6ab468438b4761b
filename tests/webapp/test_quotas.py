"""Tell what a club may keep: at the limit nothing is lost, and nothing more comes in."""

from __future__ import annotations

import io
import json

from flask import Flask

from scorer.games.tenby import GAME as TENBY
from tests.webapp.conftest import Device
from tests.webapp.test_cardboxes import GULLS, PIER, boxed
from tests.webapp.test_table import lay, one_of_each
from webapp.database import Database
from webapp.history import listing
from webapp.table import cardboxes


def kept(db: Database, club: int) -> int:
    return len(listing.recent(db, club))


def test_a_full_club_keeps_the_table_that_cannot_be_saved(app: Flask, owner: Device, db: Database, club: int) -> None:
    first, second = (lay(owner, db, club, example) for example in one_of_each()[:2])
    app.config["QUOTA_PLAYS"] = 1
    owner.get(f"{first}/result")
    assert owner.post(f"{first}/save").status_code == 303
    owner.get(f"{second}/result")
    refused = owner.post(f"{second}/save")
    assert refused.status_code == 507
    assert (
        "limit of 1 game. The server owner can raise TIDEMARK_QUOTA_PLAYS." in refused.text
        and "Try again" in refused.text
    )
    assert kept(db, club) == 1
    app.config["QUOTA_PLAYS"] = 2
    owner.get(f"{second}/result")
    assert owner.post(f"{second}/save").location.startswith("/plays/")
    assert kept(db, club) == 2


def test_corrections_need_no_room(app: Flask, owner: Device, db: Database, club: int) -> None:
    table = lay(owner, db, club, one_of_each()[0])
    owner.get(f"{table}/result")
    play = owner.post(f"{table}/save").location
    app.config["QUOTA_PLAYS"] = 1
    owner.get(play)
    again = owner.post(f"{play}/edit").location.removesuffix("/seats/0")
    owner.get(f"{again}/result")
    assert owner.post(f"{again}/save").location == play


def test_another_clubs_games_take_no_room(app: Flask, owner: Device, db: Database, club: int) -> None:
    table = lay(owner, db, club, one_of_each()[0])
    app.config["QUOTA_PLAYS"] = 1
    db.execute(
        """INSERT INTO clubs (id, name, created_at) VALUES (?, 'Elsewhere', '2026-01-01T00:00:00Z')""", [club + 7]
    )
    owner.get(f"{table}/result")
    assert owner.post(f"{table}/save").location.startswith("/plays/")


def test_a_full_card_box_stays_as_it_is(app: Flask, owner: Device, db: Database, club: int) -> None:
    app.config["QUOTA_CARDS"] = 1
    owner.get("/cards/tenby")
    file = (io.BytesIO(json.dumps(boxed(GULLS, PIER)).encode()), "box.json")
    answer = owner.post("/cards/tenby/file", {"box": file}, content_type="multipart/form-data")
    assert (
        answer.status_code == 507 and "limit of 1 card. The server owner can raise TIDEMARK_QUOTA_CARDS." in answer.text
    )
    assert cardboxes.box_of(db, club, TENBY)["town_cards"] == []
