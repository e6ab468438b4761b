"""Several nodes on one PostgreSQL: a phone may come to another one with every request, and any of them may go."""

from __future__ import annotations

import itertools
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.webapp import engines, test_live_stateful
from tests.webapp.cluster import Cluster
from tests.webapp.nodes import PATIENCE_S, Nodes, Phone
from webapp import clubs, create_app, jobs
from webapp.clubs import Limit
from webapp.database import borrowed, connect, engine_of, waiting
from webapp.exchange import exports
from webapp.schema.upgrade import opened
from webapp.table import events
from webapp.table.events import join_nodes
from webapp.views import home

pytestmark = pytest.mark.either

NAMES = ("Ann", "Bob", "Cid")
PIECES = ("cottage", "farm", "well")


@pytest.fixture
def nodes(address: str, tmp_path: Path) -> Iterator[Nodes]:
    """Three, started at once on a database without tables; some of them go."""
    with Nodes(3, address, tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Nodes, str]]:
    """The same, for tests that leave them as they are; and the address of their database."""
    with engines.empty() as address, Nodes(3, address, tmp_path_factory.mktemp("nodes")) as made:
        yield made, address


def lay(nodes: Nodes) -> tuple[str, list[Phone]]:
    """A table of three, each on a phone: its address and the phones, of which the first is the host's."""
    host = Phone(nodes)
    host.come_in(nodes.invitation)
    host.open("/")
    host.press("/tables", game="tiny_towns")
    table = host.path.removesuffix("/setup")
    for name in NAMES:
        if f'name">{name}<' not in host.page:  # or she has sat there the last time
            host.press(f"{table}/setup", add=name)
    host.press(f"{table}/open")
    found = re.search(r'href="http://[^/]+(/at/[\w-]+)"', host.page)
    assert found is not None
    host.press(f"{table}/seats/0/play")
    phones = [host]
    for seat in (1, 2):
        guest = Phone(nodes)
        guest.open(found[1])
        guest.press(found[1], seat=str(seat))
        phones.append(guest)
    for seat, phone in enumerate(phones):
        phone.sit_down(table, seat)
    return table, phones


def all_square(address: str, table: str, phones: list[Phone]) -> None:
    """Nothing is lost and nothing doubled: each seat has been changed as often as its phone has tapped."""
    db = connect(address)
    try:
        key = table.removeprefix("/tables/")
        rows = list(
            db.query(
                """SELECT seat, seats.version, state FROM seats JOIN tables ON tables.id = table_id
                WHERE key = ? ORDER BY seat""",
                [key],
            )
        )
    finally:
        db.close()
    for row, phone in zip(rows, phones, strict=True):
        assert phone.form is not None
        assert str(row["version"]) == phone.form.fields["version"]


def test_nodes_started_at_once_make_one_database_and_one_club(shared: tuple[Nodes, str]) -> None:
    nodes, address = shared
    assert nodes.invitation
    db = connect(address)
    try:
        assert db.execute("SELECT count(*) FROM clubs").fetchone() == (1,)
        assert db.execute("SELECT count(*) FROM settings WHERE name = 'secret_key'").fetchone() == (1,)
    finally:
        db.close()


def test_a_tap_at_one_node_is_heard_at_all(shared: tuple[Nodes, str]) -> None:
    nodes, _ = shared
    table, phones = lay(nodes)
    stop = threading.Event()
    for phone, node in zip(phones, nodes.all, strict=True):
        phone.only = node
        phone.listen(table, stop)
    for number in range(4):
        began = time.monotonic()
        phones[0].tap(f"grid/0/{number}", PIECES[number % 3])
        assert phones[0].form is not None
        version = int(phones[0].form.fields["version"])
        for phone in phones:
            took = phone.wait_to_hear_of(0, version) - began
            assert took < events.HEARTBEAT_S / 2, "not with the next heartbeat"
    stop.set()


def test_attempts_at_all_nodes_are_counted_together(shared: tuple[Nodes, str]) -> None:
    nodes, address = shared
    place = waiting(address)
    counted = engine_of(address).attempts(place)
    counted.forget()
    stranger = Phone(nodes)
    answers = [stranger.ask(f"/join/{number:022}").status for number in range(home.joining.attempts + 3)]
    assert answers == [404] * home.joining.attempts + [429] * 3
    counted.forget()
    place.close()


def test_a_limit_is_exact_and_forgets_after_its_time(address: str) -> None:
    opened(address).close()
    places = [waiting(address) for _ in range(2)]
    here, there = (engine_of(address).attempts(place) for place in places)
    limit, other = Limit("one", 3, 600.0), Limit("other", 3, 600.0)
    assert [one.allow(limit, "Ann") for one in (here, there, here, there, here)] == [True] * 3 + [False] * 2
    assert there.allow(other, "Ann") and there.allow(limit, "Bob")
    with closing(connect(address)) as db:  # its time is over
        db.execute("UPDATE attempts SET moments = ARRAY(SELECT one - 600 FROM unnest(moments) AS one)")
    with ThreadPoolExecutor(8) as many:
        allowed = list(many.map(lambda number: (here, there)[number % 2].allow(limit, "Ann"), range(40)))
    assert allowed.count(True) == 3
    here.forget()
    assert there.allow(limit, "Ann")
    for place in places:
        place.close()


def test_whoever_is_sent_away_at_one_node_hears_the_end_at_another(shared: tuple[Nodes, str]) -> None:
    nodes, _ = shared
    table, phones = lay(nodes)
    stop = threading.Event()
    guest, host = phones[1], phones[0]
    guest.only = nodes.all[1]
    guest.listen(table, stop)
    guest.wait_to_hear_of(1, 1)
    host.only = nodes.all[0]
    host.open(f"{table}/seats")
    room = re.search(r"/rooms/([\w-]+)", host.page)
    assert room is not None
    host.open(f"/rooms/{room[1]}")
    marks = re.findall(rf"/rooms/{room[1]}/remove/(\w+)", host.page)
    streams, turned_away = guest.streams, guest.turned_away
    for mark in marks:
        host.press(f"/rooms/{room[1]}/remove/{mark}")
    wait_until(lambda: guest.turned_away > turned_away, "the stream goes on")
    # Whoever goes ends the streams of all at the table, and this phone may have come again before its own turn to go.
    assert guest.streams - streams < len(marks) and guest.ask(f"{table}/seats/1").status == 404
    stop.set()


def test_a_phone_that_comes_to_another_node_every_time_plays_a_whole_game(shared: tuple[Nodes, str]) -> None:
    nodes, address = shared
    table, phones = lay(nodes)
    for number in range(12):
        for phone in phones:
            phone.tap(f"grid/{number % 4}/{number // 4}", PIECES[number % 3])
    all_square(address, table, phones)
    host = phones[0]
    host.open(f"{table}/seats")
    host.press(f"{table}/reveal")
    host.open(f"{table}/result")
    host.press(f"{table}/save?shared=1")  # all three built the same
    assert host.path.startswith("/rooms/")
    db = connect(address)
    try:
        assert db.execute("SELECT count(*), min(player_count) FROM plays").fetchone() == (1, 3)
    finally:
        db.close()
    assert {status for phone in phones for status in phone.statuses} <= {200, 303}


def test_a_killed_node_costs_its_phones_one_reconnect_and_not_a_tap(nodes: Nodes, address: str) -> None:
    table, phones = lay(nodes)
    stop = threading.Event()
    for phone in phones:
        phone.listen(table, stop)
    threads = [threading.Thread(target=tap_on, args=[phone, 40]) for phone in phones]
    for thread in threads:
        thread.start()
    wait_until(lambda: all(phone.sent >= 8 for phone in phones), "nobody taps")
    listening = [phone.streams for phone in phones]
    nodes.all[1].process.kill()
    for thread in threads:
        thread.join()
    assert [phone.sent for phone in phones] == [40] * 3
    all_square(address, table, phones)
    for phone in phones:
        for seat, other in enumerate(phones):
            assert other.form is not None
            phone.wait_to_hear_of(seat, int(other.form.fields["version"]))
    assert all(phone.streams <= before + 1 for phone, before in zip(phones, listening, strict=True))
    assert {status for phone in phones for status in phone.statuses} <= {200, 303}
    stop.set()


def test_a_database_that_was_killed_and_started_anew_has_all_that_was_acknowledged(tmp_path: Path) -> None:
    cluster = Cluster(settings=())  # it waits for the disk, as a real one does
    try:
        engines.order_at(cluster, "CREATE DATABASE shared")
        with Nodes(2, cluster.address("shared"), tmp_path) as nodes:
            table, phones = lay(nodes)
            stop = threading.Event()
            for phone, node in zip(phones[:2], nodes.all, strict=True):
                phone.only = node
                phone.listen(table, stop)
            phones[0].tap("grid/0/0", "cottage")
            phones[1].wait_to_hear_of(0, 2)
            cluster.stop("immediate")
            assert phones[0].form is not None
            answer = phones[0].ask(phones[0].path, {**phones[0].form.fields, "grid/0/1": "theater"})
            assert answer.status == 507 and 'name="grid/0/1" value="theater"' in answer.text, "what was entered is kept"
            assert [phone.ask("/readyz").status for phone in phones[:2]] == [503, 503]
            assert [phone.ask("/healthz").status for phone in phones[:2]] == [200, 200]
            cluster.start()
            with closing(connect(cluster.address("shared"))) as db:
                assert db.execute("SELECT version FROM seats WHERE seat = 0").fetchone() == (2,)
            phones[0].tap("grid/0/1", "farm")
            phones[1].wait_to_hear_of(0, 3)
            phones[1].tap("grid/0/1", "farm")
            phones[0].wait_to_hear_of(1, 2)
            stop.set()
    finally:
        cluster.close()


def tap_on(phone: Phone, times: int) -> None:
    for number in range(times):
        phone.tap(f"grid/{number % 4}/{number // 4 % 4}", PIECES[(number + number // 16) % 3])
        time.sleep(0.05)


def wait_until(is_so: Callable[[], bool], otherwise: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, otherwise
        time.sleep(0.05)


# -- two apps of one process, as two nodes ---


@pytest.fixture
def apps(address: str) -> Iterator[list[Flask]]:
    made = [create_app({"DATABASE": address, "TESTING": True, "WTF_CSRF_ENABLED": False}) for _ in range(2)]
    for app in made:
        join_nodes(app)
    for app in made:
        assert app.extensions["wire"].connected.wait(PATIENCE_S)
    yield made
    for app in made:
        app.extensions["wire"].close()
        app.extensions["connections"].close()


def test_how_far_an_export_is_and_that_it_is_to_stop_is_known_at_all_nodes(apps: list[Flask], address: str) -> None:
    with closing(connect(address)) as db:
        job = exports.begin(db, clubs.create(db, "The club"), "a ticket, as typed", 3)
        sending = exports.Sending(apps[0], job)

        def pieces() -> Iterator[str]:
            for sending.done in range(1, 4):
                time.sleep(exports.PROGRESS_S)
                yield "piece"

        watched = sending.until_stopped(pieces())
        next(watched), next(watched)
        with borrowed(apps[1]) as there:
            seen = exports.find(there, job.club_id or 0, job.key)
            assert seen and (seen.done, seen.total, seen.state) == (1, 3, "sending")
            assert exports.find(there, (job.club_id or 0) + 1, job.key) is None
            exports.stop(there, seen)
        with pytest.raises(exports.Stopped):
            next(watched), next(watched)
        assert jobs.under_way(db) == [] and jobs.get(db, job.key).error == {"code": "stopped"}


def test_whoever_was_cut_off_looks_for_what_it_has_missed(apps: list[Flask], address: str) -> None:
    feed = apps[0].extensions["feed"]
    listener = feed.listen("nowhere", lambda: (1, b"here"), None)
    listener.look()
    assert listener.say().endswith(b"data: here\n\n")
    apps[0].extensions["wire"].connected.clear()
    engines.order("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    assert apps[0].extensions["wire"].connected.wait(PATIENCE_S)
    assert b"gone" in listener.say() and listener.is_over
    listener.close()


def test_many_keys_go_in_messages_that_the_server_takes(apps: list[Flask]) -> None:
    heard: set[str] = set()
    apps[1].extensions["wire"].hear = lambda what, keys: heard.update(keys) if what == "many" else None
    many = {f"{number:030}" for number in range(1000)}
    apps[0].extensions["wire"].tell("many", many)
    wait_until(lambda: heard == many, "not all were heard of")


# -- the model of an evening, at two nodes in turn ---


def test_an_evening_goes_the_same_way_if_every_request_comes_to_another_node(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def two(config: dict[str, Any]) -> Flask:
        apps = [create_app(config) for _ in range(2)]
        turn = itertools.cycle(apps)

        class InTurn(FlaskClient):
            def open(self, *args: Any, **kwargs: Any) -> Any:
                self.application = next(turn)
                return super().open(*args, **kwargs)

        for app in apps:
            app.test_client_class = InTurn
        made.extend(apps)
        return apps[0]

    made: list[Flask] = []
    engines.cluster()  # whose folder is not this test's
    monkeypatch.setattr(engines, "on_server", True)
    monkeypatch.setattr(test_live_stateful, "create_app", two)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    try:
        few = settings(max_examples=4, stateful_step_count=25)
        run_state_machine_as_test(test_live_stateful.SeveralPhones, settings=few)
    finally:
        for app in made:
            app.extensions["connections"].close()
        engines.clear(tmp_path)
