"""Tell who did what: noted with the deed, shown on the game's and the club's page, kept 90 days, taken along in
files.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webapp.bringing import begun, bring, leave, taken_out, without_imports
from tests.webapp.conftest import Device, Laid
from tests.webapp.plays import database, draft, towns
from webapp import clubs
from webapp.cli.command import main
from webapp.cli.open_database import opened
from webapp.clubs import audit_log
from webapp.database import Database, ago
from webapp.exchange import club_sqlite, import_steps, imports
from webapp.history import forget_player, player_profiles, plays, saved_plays

ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36"


@pytest.fixture
def ada(device: Callable[[str], Device], db: Database, club: int) -> Device:
    """A member's telephone that has been given a name."""
    made = device("")
    made.client.environ_base["HTTP_USER_AGENT"] = ANDROID
    made.get(f"/join/{clubs.links(db, club)['member']}")
    made.get("/club")
    number = re.search(r"/club/devices/(\d+)/name", made.page)
    assert number is not None
    made.post(number[0], {"name": "Ada’s phone"})
    made.get("/club")
    return made


@pytest.fixture
def play(db: Database, club: int) -> str:
    [number] = plays.save_all(db, club, [draft(towns({"Ann": 4, "Bob": 2}))])
    return saved_plays.key_of(db, number)


def noted(db: Database, club: int) -> list[tuple[str, str, str]]:
    """Return what, by whom, with what right: the latest first."""
    return [(deed.what, str(deed.who), deed.role) for deed in audit_log.of_club(db, club)]


@pytest.mark.either
def test_a_device_has_a_plain_name_until_it_is_given_one(
    ada: Device, device: Callable[[str], Device], db: Database
) -> None:
    assert ("called", "Ada’s phone", "member") in noted(db, 1)
    assert "“Phone, Chrome on Android” renamed “Ada’s phone”" in ada.page
    assert "A device" in device("owner").get("/club")


def test_what_is_done_to_a_game_stands_on_its_page(
    ada: Device, viewer: Device, play: str, db: Database, club: int
) -> None:
    path = f"/plays/{play}"
    for action, data in (
        ("notes", {"day": "2026-01-02", "notes": "At the harbour"}),
        ("delete", {}),
        ("delete", {}),  # once more changes nothing, and is nothing
        ("restore", {}),
    ):
        ada.get(path)
        ada.post(f"{path}/{action}", data)
    table = str(ada.post(f"{path}/edit").location).rpartition("/seats")[0]
    ada.get(f"{table}/seats/0")
    assert str(ada.post(f"{table}/save").location).endswith(path)
    kinds = ["corrected", "restored", "deleted", "described"]
    assert [what for what, who, role in noted(db, club) if (who, role) == ("Ada’s phone", "member")][:4] == kinds
    page = viewer.get(path)
    assert re.search(r"Edited · Ada’s phone, \d{1,2} \w{3} \d\d:\d\d", page)
    assert re.search(r"Deleted · Ada’s phone, \d{1,2} \w{3} \d\d:\d\d", page)
    assert "Edited · Ada’s phone" in ada.get("/club")
    assert "Who changed what" not in viewer.get("/club")


def test_notes_that_stay_the_same_are_no_deed(ada: Device, play: str, db: Database, club: int) -> None:
    before = noted(db, club)
    ada.get(f"/plays/{play}")
    ada.post(f"/plays/{play}/notes", {"day": "2026-01-01", "notes": "", "place": "", "minutes": ""})
    assert noted(db, club) == before


def test_saving_at_a_table_is_noted_for_members_and_for_guests(
    laid: Laid, stranger: Device, db: Database, club: int
) -> None:
    laid.seat(stranger, 1)
    laid.enter_all(done=True)
    stranger.get(f"{laid.path}/result")
    assert stranger.post(f"{laid.path}/reveal").status_code == 303
    [(what, who, role), *_] = noted(db, club)
    assert (what, who, role) == ("saved", "A device", "guest")


def test_what_is_done_to_the_club_stands_on_its_page(
    owner: Device, member: Device, db: Database, club: int, play: str
) -> None:
    ann, bob = (person.id for person in player_profiles.players_of(db, 1))
    owner.post(f"/players/{ann}/name", {"name": "Anna"})
    plays.save_all(db, club, [draft(towns({"Bobby": 4, "Cid": 2}))])
    bobby = next(person.id for person in player_profiles.players_of(db, 2) if person.name == "Bobby")
    owner.post(f"/players/{bobby}/merge", {"into": str(bob)})
    owner.post("/club/name", {"name": "Friday"})
    owner.post("/club/renew/viewer")
    file = taken_out(db, club).encode()
    owner.post("/data/import", {"file": (io.BytesIO(file), "all.json")}, content_type="multipart/form-data")
    [number] = [one.id for one in clubs.devices.listed(db, club) if one.role == "member"]
    owner.post(f"/club/devices/{number}/remove")
    assert [what for what, _, _ in noted(db, club)] == ["removed", "imported", "renewed", "named", "merged", "renamed"]
    page = owner.get("/club")
    for words in (
        "A device removed · A device",
        "0 games imported · A device",
        "Viewers’ link replaced · A device",
        "Club renamed Friday · A device",
        "Player Bobby merged into Bob · A device",
        "Player Ann renamed Anna · A device",
    ):
        assert words in page


def test_what_is_done_to_names_is_noted_without_those_that_are_forgotten(
    owner: Device, play: str, db: Database, club: int
) -> None:
    ann, _ = (person.id for person in player_profiles.players_of(db, 1))
    dot = clubs.player_id(db, club, "Dot")
    owner.get("/club")
    owner.post(f"/players/{dot}/remove")
    owner.post(f"/players/{ann}/name", {"name": "Anna"})
    owner.post(f"/players/{ann}/forget")
    assert [(deed.what, deed.about) for deed in audit_log.of_club(db, club)] == [
        ("forgotten", ("Somebody",)),
        ("unlisted", ("Dot",)),
    ]
    page = owner.get("/club")
    assert "Player Dot removed · A device" in page
    assert "Player’s name deleted. The player is now shown as Somebody · A device" in page


@pytest.mark.parametrize("word", ["Ann", "Anna"])
def test_a_forgotten_name_stands_in_no_note_whatever_it_was_before(db: Database, club: int, word: str) -> None:
    """Notes of a file come in after those that are here, though they are older."""
    ann = clubs.player_id(db, club, "Ann")
    with db.atomic():
        clubs.player_id(db, club, "Bea")
        audit_log.note(db, club, "renamed", "Ann", "Anna")
        audit_log.note(db, club, "renamed", "Bee", "Bea")
        db.execute("UPDATE players SET name = 'Anna' WHERE id = ?", [ann])
    older = {"at": "2026-05-03T21:40:00Z", "play": None, "role": "member", "name": "", "kind": ""}
    with db.atomic():
        audit_log.AuditLogImport(db, club).take({**older, "what": "merged", "about": ["Annie", "Ann"]})
        audit_log.AuditLogImport(db, club).take({**older, "what": "unlisted", "about": ["ANN"]})
    person = player_profiles.find(db, ann)
    assert person is not None
    forget_player.forget(db, person, "Somebody")
    assert [deed.about for deed in audit_log.of_club(db, club)] == [("Somebody",), ("Bee", "Bea")]


def test_a_name_is_not_taken_away_without_its_note(
    db: Database, club: int, play: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dot = player_profiles.find(db, clubs.player_id(db, club, "Dot"))
    ann = player_profiles.find(db, player_profiles.players_of(db, 1)[0].id)
    assert dot is not None and ann is not None

    def fail(*_: Any) -> None:
        raise OSError("full")

    monkeypatch.setattr(audit_log, "note", fail)
    with pytest.raises(OSError, match="full"):
        forget_player.remove(db, dot)
    with pytest.raises(OSError, match="full"):
        forget_player.forget(db, ann, "Somebody")
    assert player_profiles.find(db, dot.id) == dot and player_profiles.find(db, ann.id) == ann


def test_an_import_is_noted_as_it_begins_and_with_every_piece(
    db: Database, club: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [draft(towns({"Ann": 4, "Bob": 2}), f"2026-01-{day:02}T20:00:00Z") for day in range(1, 29)]
    with database(tmp_path / "other.db") as other:
        there = clubs.create(other, "Thursday")
        plays.save_all(other, there, games)
        file = taken_out(other, there).encode()
    key = begun(db, club, file)
    assert [(deed.what, deed.about) for deed in audit_log.of_club(db, club)] == [("imported", ("0",))]
    leave(db, key, lambda one: one.job.done == import_steps.FIRST)
    assert [deed.about for deed in audit_log.of_club(db, club)] == [(str(import_steps.FIRST),)]
    monkeypatch.setattr("webapp.jobs.worker.LEASE_S", 0.0)
    imports.finish(db, key)
    assert [deed.about for deed in audit_log.of_club(db, club)] == [("28",)]


def test_taking_a_correction_of_a_file_is_a_deed_of_the_game(owner: Device, db: Database, club: int, play: str) -> None:
    file = json.loads(taken_out(db, club))
    [changed] = file["plays"]
    changed["notes"] = "At the harbour"
    sent = {"file": (io.BytesIO(json.dumps(file).encode()), "all.json")}
    where = owner.post("/data/import", sent, content_type="multipart/form-data").location
    owner.get(str(where))
    owner.post(f"{where}/differences", {"play.1": "theirs"})
    assert [what for what, _, _ in noted(db, club)] == ["described", "imported"]
    assert "Date, place or notes changed · A device" in owner.get(f"/plays/{play}")


def test_a_deed_that_fails_is_not_noted(owner: Device, db: Database, club: int, play: str) -> None:
    ann, bob = (person.id for person in player_profiles.players_of(db, 1))
    owner.post(f"/players/{ann}/merge", {"into": str(bob)})  # they sat at one table
    owner.post(f"/players/{ann}/name", {"name": "Bob"})
    owner.post(
        "/data/import", {"file": (io.BytesIO(b'{"format": "tidemark club"}'), "x")}, content_type="multipart/form-data"
    )
    assert noted(db, club) == []


def test_the_last_deed_of_a_kind(db: Database, club: int, play: str, member: Device) -> None:
    assert audit_log.last_actions(db, [1], "deleted") == {}
    for action in ("delete", "restore", "delete"):
        member.get(f"/plays/{play}")
        member.post(f"/plays/{play}/{action}")
    found = audit_log.last_actions(db, [1], "deleted")[1]
    assert found.what == "deleted" and (found.sentence, found.who) == ("Deleted", "A device")
    assert audit_log.last_actions(db, [1], "corrected") == {}


def test_the_command_line_notes_what_it_imports(db: Database, club: int, play: str, app: Flask, tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    file.write_text(taken_out(db, club), encoding="utf-8")
    assert main(["import", str(file), "--db", app.config["DATABASE"]]) == 0
    assert noted(db, club) == [("imported", "the command line", "command")]


def test_deeds_go_with_the_file_and_come_back_once_marked(
    ada: Device, db: Database, club: int, play: str, tmp_path: Path
) -> None:
    ada.get(f"/plays/{play}")
    ada.post(f"/plays/{play}/delete")
    written = taken_out(db, club)
    [_, deleted] = json.loads(written)["deeds"]
    assert (deleted["what"], deleted["name"], deleted["role"], deleted["play"]) == (
        "deleted",
        "Ada’s phone",
        "member",
        play,
    )
    with database(tmp_path / "empty.db") as empty:
        there = clubs.create(empty, "Thursday")
        for _ in range(2):
            bring(empty, there, written)
            assert without_imports(taken_out(empty, there)) == without_imports(written)
        found = [(deed.what, deed.brought) for deed in audit_log.of_club(empty, there)]
        assert sorted(found) == [("called", True), ("deleted", True), ("imported", False), ("imported", False)]
        assert 1 in audit_log.last_actions(empty, [1], "deleted")
    copy = tmp_path / "copy.db"
    copy.write_bytes(b"".join(club_sqlite.pieces(db, club)))
    with opened(str(copy)) as alone:
        assert noted(alone, club)[0] == ("deleted", "Ada’s phone", "member")
        assert list(alone.query("SELECT * FROM devices")) == []


@pytest.mark.either
@pytest.mark.parametrize(
    "spoilt",
    [
        {"what": "stolen"},
        {"role": "king"},
        {"at": "yesterday"},
        {"at": "99999-01-01T00:00:00Z"},
        {"name": 7},
        {"name": "x" * 81},
        {"about": "Ann"},
        {"about": ["a", "b", "c"]},
        {"about": [None]},
        {"kind": "\ud800"},
        {"play": 3},
    ],
    ids=str,
)
def test_a_file_cannot_bring_a_deed_that_no_page_can_show(
    owner: Device, db: Database, club: int, spoilt: dict[str, object]
) -> None:
    good: dict[str, Any] = {
        "at": "2026-05-03T21:40:00Z",
        "what": "saved",
        "play": None,
        "role": "member",
        "name": "",
        "kind": "",
        "about": [],
    }
    bringing = audit_log.AuditLogImport(db, club)
    for one in (good, {**good, **spoilt}, 7, {}):
        bringing.take(one)
    assert len(audit_log.of_club(db, club)) == 1
    assert "Saved · A device, 3 May 21:40" in owner.get("/club")


def test_deeds_are_kept_for_ninety_days(db: Database, club: int) -> None:
    for days in (89, 91):
        with db.atomic():
            number = audit_log.note(db, club, "named", f"{days} days ago")
            db.execute("UPDATE audit_log SET at = ? WHERE id = ?", [ago(days), number])
    audit_log.purge(db)
    assert [deed.about for deed in audit_log.of_club(db, club)] == [("89 days ago",)]


def test_a_game_that_is_gone_for_good_leaves_its_deeds(db: Database, club: int, play: str, owner: Device) -> None:
    owner.get(f"/plays/{play}")
    owner.post(f"/plays/{play}/delete")
    with db.atomic():
        db.execute("DELETE FROM all_plays")
    assert "Deleted · A device" in owner.get("/club")
