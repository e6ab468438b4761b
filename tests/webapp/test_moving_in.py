"""A file of before there were rooms: its open tables, with all their phones and links, go on in rooms of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlite_utils import Migrations

from webapp.database.sqlite import connect
from webapp.schema import migrations
from webapp.schema.opening import opened
from webapp.table import evening, phones, rooms, tables


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Written by the version before: a table with two phones and one that waits, a saved one, and a closed one."""
    path = tmp_path / "old.db"
    db = connect(path)
    before = Migrations("tidemark")
    for step in migrations.steps._migrations:
        if step.name < "m040":
            before()(step.fn)
    before.apply(db.utils)
    db.execute("INSERT INTO clubs (name, created_at) VALUES ('Thursday', '2026-01-01T00:00:00Z')")
    for key, code, saved in (
        ("open", "34679C", None),
        ("saved", "DFHJKM", "2026-11-18T22:00:00Z"),
        ("closed", None, None),
    ):
        table_id = db.insert(
            "tables", key=key, club_id=1, game="tiny_towns", setup="{}", created_at="2026-11-18T20:00:00Z",
            updated_at="2026-11-18T21:00:00Z", code=code, saved_at=saved,
        )  # fmt: skip
        db.put("seats", table_id=table_id, seat=0, name="Ann", holder="ann" if code else None)
        if code:
            for role in rooms.RIGHTS:
                db.put("table_links", table_id=table_id, role=role, token=f"{key} {role}")
            for device, role in (("ann", "host"), ("bob", "enter"), ("cid", "knock")):
                row = {"table_id": table_id, "device": device, "role": role, "wants": "enter", "sign": "346"}
                db.put("phones", **row, since="2026-11-18T20:30:00Z")
    db.close()
    return path


def test_open_tables_go_on_in_rooms_of_their_own(old: Path) -> None:
    db = opened(old)
    for key, code in (("open", "34679C"), ("saved", "DFHJKM")):
        table = tables.find(db, key)
        assert table is not None and table.room is not None
        room = rooms.by_code(db, code)
        assert room == table.room and room.phones == table.phones == 2
        assert rooms.by_link(db, f"{key} enter") == (room, "enter")
        assert phones.links(db, room) == {role: f"{key} {role}" for role in rooms.RIGHTS}
        row = phones.phone(db, room, "bob")
        assert row is not None and row["role"] == "enter"
        assert [waiting["sign"] for waiting in phones.at_the_door(db, room)] == ["346"]
        place = evening.place(db, room, "bob")
        assert place is not None and place.key == key
        assert table.seats[0].holder == "ann" and not room.is_over
    closed = tables.find(db, "closed")
    assert closed is not None and closed.room is None
    db.close()
