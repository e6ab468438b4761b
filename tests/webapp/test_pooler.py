"""Requests by way of PgBouncer, which gives each transaction another connection; all else straight to the server."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from tests.webapp import engines
from tests.webapp.cluster import OWNER
from tests.webapp.nodes import Nodes
from tests.webapp.plays import club, draft, typed
from tests.webapp.test_nodes import all_square, lay
from tests.writers import so_many
from webapp import create_app, jobs
from webapp.database import UnusableDatabase, connect, waiting
from webapp.history import job_steps, plays, rebuild, saved_plays
from webapp.schema.upgrade import opened
from webapp.table import events

pytestmark = pytest.mark.either

CONNECTIONS = 3  # that all share, so that none belongs to anybody
PROGRAM = "/usr/sbin/pgbouncer"  # where Debian keeps it, and not everybody looks
PORT = 6432  # only a part of the name of its socket


@dataclass(frozen=True, slots=True)
class Pooler:
    folder: Path

    def address(self, direct: str) -> str:
        """The way through it to the database of that address."""
        name = psycopg.conninfo.conninfo_to_dict(direct)["dbname"]
        return f"postgresql://tidemark@/{name}?host={quote(str(self.folder), safe='')}&port={PORT}"


@contextmanager
def pooling() -> Iterator[Pooler]:
    cluster = engines.cluster()
    folder = cluster.folder / "pooler"
    folder.mkdir(mode=0o700)
    (folder / "pgbouncer.ini").write_text(
        f"""[databases]
* = host={cluster.folder} user=tidemark
[pgbouncer]
pool_mode = transaction
auth_type = any
unix_socket_dir = {folder}
listen_port = {PORT}
logfile = {folder}/log
default_pool_size = {CONNECTIONS}
max_client_conn = 400
"""
    )
    if cluster.user:  # it does not run as root either
        for path in (folder, folder / "pgbouncer.ini"):
            shutil.chown(path, OWNER)
    process = subprocess.Popen([PROGRAM, "--quiet", folder / "pgbouncer.ini"], user=cluster.user, cwd=folder)
    end = time.monotonic() + 20
    while not (folder / f".s.PGSQL.{PORT}").exists():
        assert process.poll() is None and time.monotonic() < end, (folder / "log").read_text()
        time.sleep(0.05)
    try:
        yield Pooler(folder)
    finally:
        process.kill()
        process.wait(15)
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def pooler() -> Iterator[Pooler]:
    with pooling() as made:
        yield made


def test_people_play_at_nodes_behind_it(pooler: Pooler, address: str, tmp_path: Path) -> None:
    """The schema is made once, taps are heard at the other node, and a game is saved."""
    with Nodes(2, address, tmp_path, TIDEMARK_DATABASE_POOLED=pooler.address(address)) as nodes:
        table, phones = lay(nodes)
        stop = threading.Event()
        for phone in phones:
            phone.listen(table, stop)
        for number in range(8):  # as often as statements would be prepared
            for seat, phone in enumerate(phones):
                phone.tap(f"grid/{number // 4}/{number % 4}", ("cottage", "farm", "well")[(number + seat) % 3])
                assert phone.form is not None
                version = int(phone.form.fields["version"])
                began = time.monotonic()
                for other in phones:
                    assert other.wait_to_hear_of(seat, version) - began < events.HEARTBEAT_S / 2, (
                        "not with the next heartbeat"
                    )
        all_square(address, table, phones)
        host = phones[0]
        host.open(f"{table}/result")
        host.press(f"{table}/reveal")
        host.press(f"{table}/save", shared="1")
        stop.set()
    with closing(connect(address)) as db:
        assert saved_plays.by_id(db, 1) is not None
        assert rebuild.check(db) == []
        who = "SELECT count(*) FROM pg_locks JOIN pg_database ON oid = database WHERE locktype = 'advisory'"
        assert db.execute(f"{who} AND datname = current_database()").fetchone() == (0,), "nobody left a lock behind"


def test_many_write_by_few_connections(pooler: Pooler, address: str) -> None:
    opened(address).close()
    connections = waiting(address, pooler.address(address))
    more, faults = so_many(60), list[BaseException]()
    with closing(connect(address)) as db:
        home = club(db)

        def save() -> None:
            try:
                while more():
                    mine = connections.take()
                    plays.save_all(mine, home, [draft(typed({"Ann": 1, "Bob": 2}))])
                    connections.give_back(mine)
            except BaseException as fault:
                faults.append(fault)

        threads = [threading.Thread(target=save) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        assert db.execute("SELECT count(*) FROM all_plays").fetchone() == (60,)
        jobs.finish(db, job_steps.STEPS)
        assert rebuild.check(db) == []
    connections.close()


def test_two_ways_lead_to_one_database(pooler: Pooler, address: str, tmp_path: Path) -> None:
    with engines.empty() as another, pytest.raises(UnusableDatabase, match="are different databases"):
        create_app({"DATABASE": address, "DATABASE_POOLED": pooler.address(another)})
    with pytest.raises(UnusableDatabase, match="can’t use"):
        create_app({"DATABASE": address, "DATABASE_POOLED": f"postgresql://tidemark@/t?host={tmp_path}"})
    with pytest.raises(UnusableDatabase, match="not the address of a database"):
        create_app({"DATABASE": address, "DATABASE_POOLED": "the pooler"})
    with pytest.raises(UnusableDatabase, match="are different databases"):
        create_app({"DATABASE": str(tmp_path / "t.db"), "DATABASE_POOLED": pooler.address(address)})
