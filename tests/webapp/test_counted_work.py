"""Tell what a tap, a page and a save cost, counted: a record is read once, and nothing is asked of the file twice."""

from __future__ import annotations

import html
import itertools
import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask

from scorer import core
from scorer.contract import Game, Json, Loaded
from tests.conftest import EXAMPLES, GAMES, Example
from tests.webapp.conftest import Device, lay_towns
from webapp.cli import demo_tables
from webapp.database import Database
from webapp.table import Entries, Seat, Table, json_paths, kinds, seats, tables

pytestmark = pytest.mark.sqlite  # it counts what SQLite is asked; a server is asked the same

MOST_LOADS = 2  # before and after a tap
MOST_STATEMENTS = 20  # of a tap or a page
MOST_BYTES = 3000  # of the answer to a tap on one square
QUERIES_OF_A_SAVE, QUERIES_FOR_A_PLAYER = 16, 2
KINDS_OF_STATEMENTS_OF_A_SAVE = 55
AT_THE_TABLE = ["Ann", "Bob", "Cid", "Dot"]


@dataclass
class Work:
    """Hold what a request made the scorer and the file do."""

    loads: int = 0
    statements: list[str] = field(default_factory=list)

    @property
    def queries(self) -> list[str]:
        return [text for text in self.statements if text.upper().startswith(("SELECT", "PRAGMA"))]

    @property
    def asked_twice(self) -> list[str]:
        """Queries that were asked more than once, with the same values."""
        return [text for text, times in Counter(self.queries).items() if times > 1]

    @property
    def savepoints(self) -> list[str]:
        return [text for text in self.statements if "SAVEPOINT" in text.upper()]


@contextmanager
def counted(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    """The work that is done meanwhile, on connections of its own."""
    app.extensions["connections"].close()
    work, load, connect = Work(), core.load, sqlite3.connect

    def counting_load(game: Game, record: Json) -> Loaded:
        work.loads += 1
        return load(game, record)

    def counting_connect(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **kwargs)
        connection.set_trace_callback(work.statements.append)
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(core, "load", counting_load)
        patch.setattr(sqlite3, "connect", counting_connect)
        yield work
    app.extensions["connections"].close()
    assert work.statements, "nothing was watched"


def four(example: Example) -> Json:
    """The example's record for four players, or as many as the game admits."""
    record = json.loads(json.dumps(example.record))
    boards = [{k: v for k, v in player.items() if k != "name"} for player in record["players"]]
    seated = itertools.islice(itertools.cycle(boards), min(4, example.game.players[-1]))
    names = [player["name"] for player in record["players"]] + AT_THE_TABLE
    record["players"] = [{"name": name, **board} for name, board in zip(dict.fromkeys(names), seated, strict=False)]
    return record


def lay(db: Database, club: int, game: Game, record: Json) -> str:
    """The record's table; its address. Who has no field but her name has not begun."""
    key = tables.add(db, club, game, record.get("table", {}), [player["name"] for player in record["players"]])
    for number, player in enumerate(record["players"]):
        state = {name: value for name, value in player.items() if name != "name"}
        table = tables.find(db, key)
        assert table is not None
        if state:
            seats.keep(db, table, number, state)
    return f"/tables/{key}"


def changed(game: Game, record: Json) -> dict[str, str]:
    """A tap at the first seat: what the button on it says."""
    before = record["players"][0]
    boards = (demo_tables.changed(game, record, random.Random(seed))["players"][0] for seed in range(40))
    after = next((board for board in boards if board != before), {**before, "typed": {}})
    parts = [(name, after[name]) for name in after if after[name] != before.get(name)]
    return {"put": json.dumps([part for pair in parts for part in pair])}


def entered(game: Game, record: Json) -> Entries:
    """Return what is entered at the record's table."""
    seated = [
        Seat(number, player["name"], {name: value for name, value in player.items() if name != "name"} or None, 1)
        for number, player in enumerate(record["players"])
    ]
    return Entries(Table(0, "", 0, game, record.get("table", {}), tuple(seated), None, ""))


LARGEST = [max((e for e in EXAMPLES if e.game is game), key=lambda e: len(e.record["players"])) for game in GAMES]
each_game = pytest.mark.parametrize("example", LARGEST, ids=str)


@each_game
@pytest.mark.parametrize("known", ["everything", "no facts of the table", "one board"])
def test_a_tap_reads_the_record_once_before_and_once_after_it(
    app: Flask, member: Device, db: Database, club: int, example: Example, known: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = entered(example.game, four(example)).record  # without values that nothing asks for any more
    if known == "no facts of the table":
        setup = record["table"]
        for asked in entered(example.game, record).facts:
            setup = json_paths.put(setup, json_paths.steps(asked.name), json_paths.ABSENT)
        record = {**record, "table": setup}
    if known == "one board":
        record = {**record, "players": [record["players"][0], *({"name": p["name"]} for p in record["players"][1:])]}
        record["table"] = entered(example.game, record).record["table"]
    path = lay(db, club, example.game, record) + "/seats/0"
    with counted(app, monkeypatch) as page:
        member.get(path)
    with counted(app, monkeypatch) as tap:
        fields = {**changed(example.game, record), "version": "2", "change": "once"}
        assert member.post(path, fields, headers={"X-Tidemark": "part"}).status_code == 200
    for work in (page, tap):
        assert work.loads <= MOST_LOADS
        assert len(work.statements) <= MOST_STATEMENTS
        assert work.asked_twice == [] and work.savepoints == []


def tapped(member: Device, path: str, tags: str, **fields: str) -> Any:
    """Return what a phone with these tags is answered."""
    return member.post(path, {**fields, "tags": tags}, headers={"X-Tidemark": "part"})


@each_game
def test_a_tap_is_answered_with_what_changed(member: Device, db: Database, club: int, example: Example) -> None:
    record = four(example)
    path = lay(db, club, example.game, record) + "/seats/0"
    [tags] = re.findall(r'data-tags="([^"]*)"', member.get(path))
    first = tapped(member, path, html.unescape(tags), put="[]")
    assert first.json["parts"] == {} and first.json["notice"] == "" and first.json["fields"] == {}
    if not kinds.painted(entered(example.game, record).inputs(0)):
        return
    after = tapped(member, path, html.unescape(tags), **changed(example.game, record))
    assert after.json["version"] == first.json["version"] + 1 and len(after.data) <= MOST_BYTES
    assert any(name.startswith("points") or name == "sheet" for name in after.json["parts"])
    typed = tapped(member, path, html.unescape(tags), put='["typed", {}]')
    assert "typed/total" in typed.json["parts"]["editor"]["html"]  # another editor comes as a whole


@pytest.mark.parametrize("tags", ["", "[]", "1", "{", "[" * 20_000, '{"tabs": 7}', '{"sheet": ["a"]}'])
def test_a_tap_with_broken_tags_is_kept_and_answered(member: Device, tags: str) -> None:
    path = lay_towns(member) + "/seats/0"
    answer = tapped(member, path, tags, **{"grid/0/0": "cottage"})
    assert answer.status_code == 200 and "sheet" in answer.text
    assert 'selected value="cottage"' in member.get(path)


@each_game
def test_what_nothing_asks_for_any_more_costs_one_reading_more(
    app: Flask, member: Device, db: Database, club: int, example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = four(example)
    path = lay(db, club, example.game, record) + "/seats/0"
    member.get(path)
    with counted(app, monkeypatch) as tap:
        member.post(path, {**changed(example.game, record), "version": "2"}, headers={"X-Tidemark": "part"})
    assert tap.loads <= MOST_LOADS + 1
    assert tap.asked_twice == [] and tap.savepoints == []


@each_game
def test_a_save_reads_the_record_once_and_asks_nothing_twice(
    app: Flask, member: Device, db: Database, club: int, example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = entered(example.game, example.record).record
    path = lay(db, club, example.game, record)
    member.get("/club")
    with counted(app, monkeypatch) as save:
        assert member.post(f"{path}/save").status_code == 303
    assert save.loads <= 1
    assert len(save.queries) <= QUERIES_OF_A_SAVE + QUERIES_FOR_A_PLAYER * len(record["players"])
    assert save.asked_twice == [] and save.savepoints == []
    # Everything that is counted has its row, but the kinds of rows are few, whatever was built.
    assert len({text[:30] for text in save.statements}) <= KINDS_OF_STATEMENTS_OF_A_SAVE
