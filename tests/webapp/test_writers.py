"""Sixteen who write at once over four clubs: nothing is lost, nothing doubled, and no club waits for another."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.webapp.engines import place
from tests.webapp.plays import draft, typed
from tests.writers import crowd, so_many, wrong
from webapp import clubs
from webapp.database import connect
from webapp.history import plays
from webapp.schema import upgrade

DEEDS = 12  # of each writer


def test_whatever_sixteen_write_at_once_is_kept_once_and_derived_as_from_nothing(tmp_path: Path) -> None:
    address = place(tmp_path / "t.db")
    writers = crowd(address, lambda: so_many(DEEDS))
    assert sum(writer.done.total() for writer in writers) == len(writers) * DEEDS
    assert wrong(address, writers) == []


@pytest.mark.postgres
def test_a_club_waits_for_none_but_its_own_writers(tmp_path: Path) -> None:
    address = place(tmp_path / "t.db")
    with closing(upgrade.opened(address)) as db:
        mine, other = clubs.create(db, "Mine"), clubs.create(db, "Another")
        saved: list[int] = []

        def save(home: int) -> None:
            with closing(connect(address)) as writer:
                saved.extend(plays.save_all(writer, home, [draft(typed({"Ann": 1, "Bob": 2}))]))

        threads = {home: threading.Thread(target=save, args=[home]) for home in (mine, other)}
        with db.atomic(mine):
            db.execute("UPDATE clubs SET name = 'Ours' WHERE id = ?", [mine])
            threads[mine].start()
            threads[other].start()
            threads[other].join(30)
            assert len(saved) == 1, "the other club has saved meanwhile"
            threads[mine].join(0.2)
            assert threads[mine].is_alive(), "our own writer waits"
        threads[mine].join(30)
        assert len(saved) == 2
