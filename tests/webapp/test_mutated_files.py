"""Test that every page can show what an import accepts, with files that were changed in one place."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from tests.webapp.bringing import as_of_07, bring, taken_out
from tests.webapp.conftest import Device
from tests.webapp.plays import database, draft, towns, typed
from webapp import clubs
from webapp.cli import demo
from webapp.database import Database
from webapp.exchange import Refused
from webapp.history import listing, saved_plays
from webapp.history import plays as history
from webapp.table import tables

FILES = 60  # that this test tries
SEED = 16
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 10**30, 0.5, "", "x", "standard", "Ann", "/players/9/x", "\u202e", "0" * 50,
    [], [1], ["x"], [[]], {}, {"x": 1}, {"name": None}, [None],
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a file, with the way to it."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


def mutated(value: Any, chance: random.Random) -> Any:
    """The file with one thing changed, taken out, added or moved."""
    changed = copy.deepcopy(value)
    path = chance.choice([path for path in places(changed) if path])
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    way = chance.randrange(5)
    if way == 0 and isinstance(holder, dict):
        del holder[path[-1]]
    elif way == 1 and isinstance(holder, dict):
        holder["extra"] = chance.choice(VALUES)
    elif way == 2 and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[path[-1]]))
    else:
        holder[path[-1]] = chance.choice(VALUES)
    if chance.random() < 0.6:  # rules that nobody knows check nothing
        for play in changed.get("plays") or () if isinstance(changed.get("plays"), list) else ():
            if isinstance(play, dict) and isinstance(play.get("result"), dict):
                play["result"]["rules_version"] = "0"
            elif isinstance(play, dict):
                play |= {"basis": "old_rules", "rules_version": "0"}
    return changed


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a club with a game of each kind, a corrected one, cards, and what it remembers."""
    with database(tmp_path_factory.mktemp("original") / "club.db") as db:
        return written(db)


def written(db: Database) -> str:
    home = demo.seed(db, 12)
    history.save_all(db, home, [draft(towns({"Ann": 4, "Bob": 2}), notes="fine", place="here", minutes=30)])
    history.save_all(db, home, [draft(typed({"Ann": 4, "Bob": 2}))])
    play = saved_plays.find(db, listing.recent(db, home)[0].key)
    assert play is not None
    history.edit(db, play, play.record, play.decision)
    tables.remember(db, home, "tenby", {"accolades": {"mode": "high_tide"}})
    bring(db, home, "play,date,game,player,total\n1,2026-01-01,Tenby,Ada,12\n1,2026-01-01,Tenby,Bob,\n")
    return taken_out(db, home)


def visits(db: Database, club_id: int) -> Iterator[str]:
    """Every page that shows what came in."""
    yield from ("/", "/plays", "/stats", "/players", "/cards/tenby", "/data", "/club")
    for (number,) in db.execute("SELECT id FROM players WHERE club_id = ?", [club_id]).fetchall()[:3]:
        yield f"/players/{number}"
    for game in ("tiny_towns", "tenby", "old_london_bridge", "pier_18", "copenhagen"):
        yield from (f"/stats/{game}", f"/new/{game}")
    for (key,) in db.execute("SELECT key FROM all_plays WHERE club_id = ?", [club_id]).fetchall():
        yield from (f"/plays/{key}", f"/plays/{key}/sheet", f"/plays/{key}/bgstats", f"/plays/{key}/play.bgsplay")
    for key, version in db.execute(
        """SELECT key, play_versions.version FROM play_versions JOIN all_plays ON all_plays.id = play_id
        WHERE club_id = ?""",
        [club_id],
    ).fetchall():
        yield f"/plays/{key}/versions/{version}"


def failures(app: Flask, db: Database, club_id: int) -> list[str]:
    """The pages that break."""
    visitor = Device(app.test_client())
    app.extensions["attempts"].forget()
    visitor.get(f"/join/{clubs.links(db, club_id)['owner']}")
    visitor.get("/club")
    wrong = []
    for page in visits(db, club_id):
        answer = visitor.client.get(page)
        if answer.status_code >= 500:
            wrong.append(page)
    for (key,) in db.execute("SELECT key FROM all_plays WHERE club_id = ?", [club_id]).fetchall():
        opened = visitor.post(f"/plays/{key}/edit")
        if opened.status_code >= 500 or visitor.client.get(opened.location).status_code >= 500:
            wrong.append(f"/plays/{key}/edit")
    return wrong


@pytest.fixture
def careless(app: Flask) -> Flask:
    app.config.update(PROPAGATE_EXCEPTIONS=False, TESTING=False)
    return app


@pytest.mark.either
@pytest.mark.parametrize("of_07", [False, True])
def test_whatever_an_import_accepts_every_page_can_show(
    careless: Flask, db: Database, original: str, of_07: bool
) -> None:
    chance = random.Random(SEED)
    value = as_of_07(original) if of_07 else json.loads(original)
    one_play = {**value, "plays": []}
    accepted = 0
    for number in range(FILES):
        file = mutated({**one_play, "plays": [chance.choice(value["plays"])]}, chance)
        there = clubs.create(db, f"Club {number}")
        try:
            bring(db, there, json.dumps(file))
        except Refused:
            continue
        accepted += 1
        assert failures(careless, db, there) == [], json.dumps(file)
    assert accepted > FILES // 10, "most of what is changed is said in words, and those may be any"


@pytest.mark.either
@pytest.mark.parametrize(
    "change",
    [
        "file['remembered'] = {'pier_18': 'x'}",
        "file['remembered'] = {'tenby': {'accolades': []}}",
        "file['remembered'] = {'chess': {}}",
        "file['cards'] = [{'game': 'tenby', 'kind': 'town_cards', 'name': 'x', 'card': None}]",
        "file['cards'] = [{'game': 'tenby', 'kind': 'town_cards', 'name': 'x', 'card': {}}]",
        "file['cards'] = [{'game': 'pier_18', 'kind': 'town_cards', 'name': 'x', 'card': {'name': 'x'}}]",
        "play['versions'] = [play['versions'][0]] * 2 if play['versions'] else [{}]",
        "play['source'] = 'somebody'; play['source_id'] = 'x'",
        "old['result']['rules_version'] = '0'; old['result']['problems'] = [{'message': 'x'}]",
        "old['result']['rules_version'] = '0'; old['result']['players'][0]['rank'] = 3",
        "old['result']['rules_version'] = '0'; old['record']['table'] = []",
        "play['basis'] = 'old_rules'; play['scores'][0]['rank'] = 13",
        "play['basis'] = 'old_rules'; play['scores'][0]['lines'] = [['cottage', 'x' * 2001, 0]]",
        "play['basis'] = 'old_rules'; play['record']['table'] = []",
    ],
)
def test_what_would_break_a_page_later_is_refused(db: Database, original: str, change: str) -> None:
    file = as_of_07(original) if "old[" in change else json.loads(original)
    exec(change, {"file": file, "play": file["plays"][0], "old": file["plays"][0]})
    there = clubs.create(db, "Another")
    with pytest.raises(Refused):
        bring(db, there, json.dumps(file))
