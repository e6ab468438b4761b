"""Make files as version 0.7 leaves them, with everything that a club can be doing. It runs with the code of 0.7.

    cd <0.7> && PYTHONPATH=. python <this file> folder

It writes `evening.db`, with an evening in progress, several clubs and every game. It also writes `halfway.db`, from a
process killed while merging, forgetting, importing, moving to a time zone and ending a club. Both are packed for the
tests, with an export of the evening's first club.
"""

from __future__ import annotations

import copy
import json
import lzma
import random
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from webapp.cli.opening import opened

from scorer import games
from scorer.core import score, score_as
from scorer.result import can_be_kept
from scorer.sentences import say
from vision.reading import Board, Card, Look, Problem, Reading, Square
from webapp import clubs, create_app
from webapp.cli import demo
from webapp.exchange import imports, reading, writing
from webapp.history import NewPlay, chores, forgetting, kept, merging, people, plays, zones
from webapp.history import ending as ending_club
from webapp.table import cardboxes, photos, tables

Json = Any
ODD_NAMES = ("standard", "A1", "unknown", 'Quo"te\\', "Ŝlosilo 🦊", "cottage")
GULLS = {
    "name": "Gull house",
    "deck": "terrace",
    "base": "terrace",
    "edges": ["sea", "terrace"],
    "score": {"type": "per", "target": "seagull", "points": 2, "range": "gold"},
}
TITLE = Card("farm", "FARM", 0.9, ((0, 0), (1, 0), (1, 1), (0, 1)))
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9")  # a picture of nothing


def by_key(db: Any, key: str) -> Any:
    play = kept.find(db, key)
    assert play is not None
    return play


def person(db: Any, club_id: int, name: str) -> Any:
    found = people.by_name(db, club_id, name)
    assert found is not None
    return found


def called(record: Json, names: tuple[str, ...]) -> Json:
    """Return the record with other names, also in its table."""
    text = json.dumps(record)
    for number, player in enumerate(record["players"]):
        text = text.replace(json.dumps(player["name"]), json.dumps(f"@{number}@"))
    for number in range(len(record["players"])):
        text = text.replace(json.dumps(f"@{number}@"), json.dumps(names[number]))
    return json.loads(text)


def new(record: Json, day: int, **more: Any) -> NewPlay | None:
    """Return a game to save.

    Return None if it can't be saved, or its tie is open: 0.7 counts all tied players as winners.
    """
    result = score(record)
    return (
        NewPlay(record, result, f"2025-{day % 12 + 1:02}-{day % 28 + 1:02}T20:00:00Z", **more)
        if can_be_kept(result) and not result["needs"]
        else None
    )


def examples() -> list[Json]:
    return [record for game in games.everything() for record in demo.laid(game)]


def found_club(db: Any, name: str, number: int, chance: random.Random) -> int:
    """Create a club with demo games, examples with odd names, edits, deletions, and games by older rules."""
    club_id = clubs.found(db, name)
    pools = {game.id: list(demo.pool(game, chance, 12)) for game in games.everything()}
    plays.save_all(db, club_id, demo.evenings(chance, {game: pool for game, pool in pools.items() if pool}, number))
    odd = [
        new(called(record, tuple(chance.sample(ODD_NAMES, len(record["players"])))), day, notes="A1 began, in standard")
        for day, record in enumerate(examples())
        if len(record["players"]) <= len(ODD_NAMES)
    ]
    plays.save_all(db, club_id, [one for one in odd if one])
    keys = [row["key"] for row in kept.each(db, club_id, columns="id, key, version, record, result")]
    for key in chance.sample(keys, len(keys) // 5):
        for _ in range(chance.randint(1, 3)):
            play = by_key(db, key)
            game = games.find(play.game)
            record = demo.changed(game, play.record, chance)
            if can_be_kept(corrected := score_as(game, record)) and not corrected["needs"]:
                plays.correct(db, play, record, corrected)
    for key in chance.sample(keys, len(keys) // 10):
        plays.delete(db, by_key(db, key))
    old_rules(db, club_id, [by_key(db, key) for key in chance.sample(keys, 6)])
    return club_id


def old_rules(db: Any, club_id: int, some: list[Any]) -> None:
    """Change games to results of other rules: other points, another order of lines, and rescored since."""
    found = []
    for number, play in enumerate(some):
        result = copy.deepcopy(play.result)
        result["rules_version"] = "0"
        player = result["players"][0]
        if player["lines"]:
            player["lines"][0]["points"] += 40
            player["total"] += 40
        for each in result["players"]:
            each["rank"] = 1 + sum(other["total"] > each["total"] for other in result["players"])
            each["winner"] = each["rank"] == 1
        result["winners"] = [each["name"] for each in result["players"] if each["winner"]]
        result["decided_by"] = "points"
        if sum(each["winner"] for each in result["players"]) == 1 and len(result["players"]) > 1:
            found.append(NewPlay(play.record, result, f"2023-01-{number + 1:02}T12:00:00Z", place="The old pier"))
    ids = plays.save_all(db, club_id, found)
    for play_id in ids[::2]:  # scored again by the rules of 0.7: the first version keeps its points
        play = plays.by_id(db, play_id)
        plays.correct(db, play, play.record, score(play.record))


def bring(db: Any, club_id: int, content: str) -> None:
    opened_file, key = reading.in_memory(content.encode()), imports.begin(db, club_id)
    one = imports.look(db, key, opened_file, len(content))
    if one.state == "asking":
        imports.answer(db, one, imports.guessed(db, one))
    imports.go_on(db, key, opened_file, lambda *_: None)


def of_bg_stats(number: int) -> str:
    """Return a file of BG Stats: all scores, unknown scores or places, shared, cooperative, and many players."""
    people_there = [{"id": at, "uuid": f"P{at}", "name": name} for at, name in enumerate(("Ada", "Bo", "Cy", "Di"), 1)]
    told = [
        [("12", 1, True), ("10", 2, False)],
        [("", 1, True), ("10", 2, False), ("7", 3, False)],
        [("", 0, True), ("", 0, False)],
        [("8", 0, False), ("", 0, False)],
        [("9", 1, True), ("9", 1, True), ("", 0, False)],
        [("", 0, False), ("", 0, False), ("", 0, False)],
        [("5", 0, False), ("5", 0, False)],
        [("31", 1, True)],
        [("3", 1, True), ("30", 2, False), ("1", 3, False), ("0", 4, False)],
    ]
    return json.dumps(
        {
            "plays": [
                {
                    "uuid": f"U{number}-{at}",
                    "gameRefId": 1 + at % 2,
                    "playDate": f"2024-03-{at + 1:02} 19:00:00",
                    "playerScores": [
                        {"playerRefId": seat, "score": points, "rank": rank, "winner": winner}
                        for seat, (points, rank, winner) in enumerate(scores, 1)
                    ],
                }
                for at, scores in enumerate(told)
            ],
            "games": [
                {"id": 1, "uuid": "G1", "name": "Tiny Towns", "bggId": 0},
                {"id": 2, "uuid": "G2", "name": "Pier 18", "bggId": 0},
            ],
            "players": people_there,
            "locations": [],
        }
    )


CSV = """date,game,player,total,winner
2024-05-01,Copenhagen,Ada,20,yes
2024-05-01,Copenhagen,Farid,18,no
2024-05-02,Tiny Towns,Ada,-3,no
2024-05-02,Tiny Towns,Grete,4,yes
"""


class Phone:
    """Act as a device with its cookies."""

    def __init__(self, app: Any) -> None:
        self.client, self.page = app.test_client(), ""

    def get(self, path: str) -> str:
        self.page = self.client.get(path, follow_redirects=True).get_data(as_text=True)
        if f'action="{path}" class="invited"' in self.page and path.startswith("/join/"):
            self.page = self.post(path, follow_redirects=True).get_data(as_text=True)
        return self.page

    def post(self, path: str, data: Json = None, **how: Any) -> Any:
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.page)
        return self.client.post(path, data={**(data or {}), "csrf_token": token.group(1) if token else ""}, **how)


def evening(path: Path, club_id: int) -> None:
    """Let three phones use a room after its first game: half-entered boards, two versions of one, an open reveal."""
    app = create_app({"DATABASE": str(path), "TESTING": True, "SECRET_KEY": "for the tests"})
    with closing(app.extensions["connections"]), opened(str(path)) as db:
        host, bob, guest = (Phone(app) for _ in range(3))
        host.get(f"/join/{clubs.links(db, club_id)['member']}")
        host.get("/")
        table = laid_by(host, "tiny_towns", "Ann", "Bob", "Cid")
        host.post(f"{table}/open")
        build(host, table)
        host.get(f"{table}/result")
        for seat in (0, 2):
            host.post(f"{table}/confirm", {"question": f"/players/{seat}/grid:sixteen_buildings"})
        around = str(host.post(f"{table}/save").location)
        assert around.startswith("/rooms/"), around
        host.get(around)
        next_table = host.post(f"{around}/next", {"game": "tiny_towns", "after": table.split("/")[2]})
        table = str(next_table.location).removesuffix("/setup")
        link = re.search(r"/at/[A-Za-z0-9_-]+", host.get(f"{table}/seats"))
        assert link is not None
        for phone, seat in ((bob, "1"), (guest, "2")):
            phone.get(link[0])
            phone.post(link[0], {"seat": seat})
        build(host, table)
        host.get(f"{table}/result")
        host.post(f"{table}/confirm", {"question": "/players/0/grid:sixteen_buildings"})
        assert tables.find(db, table.split("/")[2]).setup["confirmed"]
        part = {"headers": {"X-Tidemark": "part"}}
        bob.get(f"{table}/seats/1")
        bob.post(f"{table}/seats/1", {"version": "2", "change": "one", "grid/0/0": "farm"}, **part)
        host.post(f"{table}/seats/1", {"version": "2", "grid/0/0": "chapel"}, **part)
        assert db.row("SELECT count(*) AS n FROM drafts")["n"] == 1
        photograph(db, tables.find(db, table.split("/")[2]))
        guest.get(table)
        companion(host, db)
        correcting(host, db, club_id)


def build(host: Phone, table: str) -> None:
    """Enter three towns of sixteen buildings."""
    pieces = ["cottage", "well", "farm", "tavern"]
    for seat in range(3):
        host.get(f"{table}/seats/{seat}")
        town = {f"grid/{row}/{column}": pieces[column if row >= seat else 0] for row in range(4) for column in range(4)}
        host.post(f"{table}/seats/{seat}", town)


def laid_by(host: Phone, game: str, *names: str) -> str:
    path = str(host.post("/tables", {"game": game}).location).removesuffix("/setup")
    for _ in range(8):  # those who sat there last
        page = host.get(f"{path}/setup")
        if 'name="remove"' not in page:
            break
        host.post(f"{path}/setup", {"remove": "0"})
    for name in names:
        host.post(f"{path}/setup", {"add": name})
    return path


def photograph(db: Any, table: Any) -> None:
    """Store a photo under review, with problems and corrections."""
    square = Square("well", 0.7, (("farm", 0.2),))
    board = Board(((0, 0), (9, 0), (9, 9), (0, 9)), 0.8, ((square,) * 4,) * 4)
    problems = [
        Problem("small", say("The board is small on this photo."), level="warning"),
        Problem("too_small", say("This photo has only {wide} × {high} pixels.", wide=300, high=200)),
    ]
    read = Reading("a.jpg", (300, 200), [board], [TITLE], problems)
    key = photos.store(db, table, Look(read, JPEG, [JPEG]), "device", "digest", seat=0)
    assert photos.find(db, key) is not None


def companion(host: Phone, db: Any) -> None:
    """Store names in the companion of Old London Bridge."""
    host.get("/")
    table = laid_by(host, "old_london_bridge", "Ann", "A1")
    host.get(f"{table}/setup")
    host.post(f"{table}/setup", {"scoring/chapel": "per_round_leader"})
    host.get(f"{table}/companion")
    host.post(f"{table}/companion", {"chapel_order/0": "A1", "chapel_order/1": "Ann"})
    host.post(f"{table}/companion", {"put": '["rounds/-", {}]'})
    found = tables.find(db, table.split("/")[2])
    rounds = [{"cards": {"0": {"1": 3}}, "chapel_order": ["Ann", "A1"]}, {}]
    tables.keep_setup(db, found, {**found.setup, "companion": {**found.setup["companion"], "rounds": rounds}})


def correcting(host: Phone, db: Any, club_id: int) -> None:
    """Begin to edit a saved game."""
    row = db.row("SELECT key FROM kept_plays WHERE club_id = ? AND deleted_at IS NULL AND source = ''", club_id)
    host.get(f"/plays/{row['key']}")
    host.post(f"/plays/{row['key']}/edit")


def evening_file(path: Path) -> None:
    chance = random.Random(18)
    with opened(str(path), new=True) as db:
        first = found_club(db, "The Harbour Club", 20, chance)
        bring(db, first, of_bg_stats(1))
        bring(db, first, CSV)
        second = found_club(db, "Zweiter Klub", 4, chance)
        people.rename(db, person(db, first, "Grete"), "Greta-Lena")
        forgetting.forget(db, person(db, first, "Hiro"), "Somebody", also_in_words=True)
        people.merge(db, person(db, second, "Ada"), person(db, second, "Björn"))
        cardboxes.describe(db, first, games.find("tenby"), "town_cards", GULLS)
        zones.settle(db, first, "Pacific/Auckland")
    evening(path, first)
    whole(path)


def halfway_file(path: Path) -> None:
    """Write a file like that of a process killed in the middle of several jobs."""
    chance = random.Random(19)
    with opened(str(path), new=True) as db:
        first = found_club(db, "Halfway", 16, chance)
        ending = found_club(db, "Ending", 2, chance)
        moving = found_club(db, "Moving", 2, chance)
        importing = found_club(db, "Importing", 2, chance)
        assert people.begin_merge(db, *apart(db, first))
        [number] = chores.of_club(db, first, "merge")
        chores.taken(db, number, first, chores.of_club(db, first, "merge")[number], merging.go_on)
        forgetting._forget(db, person(db, first, "Edith"), "Somebody", True)
        ending_club.begin(db, ending)
        [number] = chores.of_club(db, ending, "club")
        for _ in range(2):
            about = chores.of_club(db, ending, "club")[number]
            chores.taken(db, number, ending, about, ending_club.go_on)
        clubs.set_zone(db, moving, "America/Los_Angeles")
        db.insert("chores", kind="zone", club_id=moving, about=json.dumps({"club": moving, "after": 0}), total=9)
        half_an_import(db, importing)
    whole(path)


def apart(db: Any, club_id: int) -> Any:
    """Return two players with many games who never met."""
    rows = db.execute(
        """SELECT players.name, count(*) FROM kept_seats JOIN players ON players.id = player_id
        WHERE club_id = ? GROUP BY 1 ORDER BY 2 DESC, 1""",
        [club_id],
    ).fetchall()
    names = [name for name, _ in rows]
    for one in names:
        for other in names:
            first, second = person(db, club_id, one), person(db, club_id, other)
            if one != other and not merging.have_sat_together(db, first.id, second.id):
                return first, second
    raise AssertionError("all of them have met")


def half_an_import(db: Any, club_id: int) -> None:
    """Leave an import after its first games are saved."""
    content = of_bg_stats(2).encode()
    opened_file, key = reading.in_memory(content), imports.begin(db, club_id)
    one = imports.look(db, key, opened_file, len(content))
    imports.answer(db, one, imports.guessed(db, one))
    imports.FIRST = 3
    imports.go_on(db, key, opened_file, lambda *_: None, until=0.0)
    assert imports.find(db, key).state == "saving", imports.find(db, key).state


def whole(path: Path) -> None:
    """Move everything from the log into the file."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode = DELETE")


def packed(path: Path) -> None:
    """Write the packed file for the tests, without statistics of 0.7 that nobody reads any more."""
    copy_of = path.with_suffix(".copy")
    copy_of.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(copy_of, isolation_level=None)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if table.startswith("tally_") or table in COUNTED:
                db.execute(f"DELETE FROM {table}")
        db.execute("VACUUM")
    path.with_suffix(".db.xz").write_bytes(lzma.compress(copy_of.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    copy_of.unlink()


COUNTED = {"kept_scores", "kept_lines", "kept_cards", "kept_words", "earned"}
FILES = {"evening": evening_file, "halfway": halfway_file}


def make(path: str, kind: str) -> None:
    """Make one of the files."""
    FILES[kind](Path(path))


if __name__ == "__main__":
    for each in FILES:
        file = Path(sys.argv[1]) / f"{each}.db"
        make(str(file), each)
        packed(file)
    with opened(f"{sys.argv[1]}/evening.db") as club_of_evening:
        export = "".join(writing.write(club_of_evening, 1, "json"))
    Path(sys.argv[1], "evening.json.xz").write_bytes(lzma.compress(export.encode(), preset=9 | lzma.PRESET_EXTREME))
