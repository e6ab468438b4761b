"""Several nodes on one PostgreSQL: a phone may come to another one with every request, and any of them may go."""

from __future__ import annotations

import itertools
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.webapp import engines
from tests.webapp.nodes import Nodes, Phone
from webapp.clubs import Limit
from webapp.database import connect, engine_of, waiting
from webapp.schema.opening import opened
from webapp.views import home

NAMES = ("Ann", "Bob", "Cid")
PIECES = ("cottage", "farm", "well")
numbers = itertools.count()


@pytest.fixture
def address() -> Iterator[str]:
    """An empty database on the tests' server."""
    name = f"nodes{next(numbers)}"
    engines.order(f"CREATE DATABASE {name}")
    yield engines.cluster().address(name)
    engines.order(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def nodes(address: str, tmp_path: Path) -> Iterator[Nodes]:
    """Three, started at once on a database without tables."""
    with Nodes(3, address, tmp_path) as made:
        yield made


def lay(nodes: Nodes) -> tuple[str, list[Phone]]:
    """A table of three, each on a phone: its address and the phones, of which the first is the host's."""
    host = Phone(nodes)
    host.come_in(nodes.invitation)
    host.open("/")
    host.press("/tables", game="tiny_towns")
    table = host.path.removesuffix("/setup")
    for name in NAMES:
        host.press(f"{table}/setup", add=name)
    host.press(f"{table}/open")
    found = re.search(r'href="http://[^/]+(/at/[\w-]+)"', host.page)
    assert found is not None
    host.press(f"{table}/seats/0/claim")
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


def test_nodes_started_at_once_make_one_database_and_one_club(nodes: Nodes, address: str) -> None:
    assert nodes.invitation
    db = connect(address)
    try:
        assert db.execute("SELECT count(*) FROM clubs").fetchone() == (1,)
        assert db.execute("SELECT count(*) FROM settings WHERE name = 'secret_key'").fetchone() == (1,)
    finally:
        db.close()


def test_a_tap_at_one_node_is_heard_at_all(nodes: Nodes) -> None:
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
            took = phone.wait_to_hear_of(0, version, 5) - began
            assert took < 3, "not with the next heartbeat"
    stop.set()


def test_attempts_at_all_nodes_are_counted_together(nodes: Nodes) -> None:
    stranger = Phone(nodes)
    answers = [stranger.ask(f"/join/{number:022}").status for number in range(home.joining.attempts + 3)]
    assert answers == [404] * home.joining.attempts + [429] * 3


def test_a_limit_is_exact_and_forgets_after_its_time(address: str) -> None:
    opened(address).close()
    places = [waiting(address) for _ in range(2)]
    here, there = (engine_of(address).attempts(place) for place in places)
    limit, other = Limit("one", 3, 1.0), Limit("other", 3, 1.0)
    assert [one.allow(limit, "Ann") for one in (here, there, here, there, here)] == [True] * 3 + [False] * 2
    assert there.allow(other, "Ann") and there.allow(limit, "Bob")
    time.sleep(1.1)
    with ThreadPoolExecutor(8) as many:
        allowed = list(many.map(lambda number: (here, there)[number % 2].allow(limit, "Ann"), range(40)))
    assert allowed.count(True) == 3
    here.forget()
    assert there.allow(limit, "Ann")
    for place in places:
        place.close()
