"""A large export of BG Stats goes in and out unchanged. It is made here in the form of a real one of 924 plays."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.webapp.bringing import bring, taken_out
from tests.webapp.plays import club as home_of
from tests.webapp.plays import database
from webapp import clubs
from webapp.exchange import Refused
from webapp.history import forget_player, listing, player_profiles, plays, rebuild, saved_plays

pytestmark = pytest.mark.either

PLAYS = 300
TITLES = [
    ("Tiny Towns", 265736),
    ("Copenhagen", 269595),
    ("Pier 18", 346747),
    ("Tenby", 0),
    ("Old London Bridge", 354273),
]
NAMES = ["Ann", "Bob", "Cid", "Dan", "Eve", "Zoë", "Jörg", "Anonymous player"]
PLACES = ["Home", "Café", "At Bob’s"]
CHANGED = {"modificationDate": "2025-12-31 12:00:00"}


def played(number: int, chance: random.Random) -> dict[str, Any]:
    """A play as BG Stats has it: scores as words, ties broken by hand, guests, and fields that we know nothing of."""
    game = chance.randrange(len(TITLES))
    seats = chance.sample(range(1, len(NAMES)), chance.randint(2, 3)) + [len(NAMES)] * chance.choice([0, 0, 0, 1, 2])
    points = [chance.randint(5, 60) for _ in seats]
    if number % 7 == 0:
        points[1] = points[0] = max(points)
    manual = number % 7 == 0 or number % 11 == 0
    won = [seat == chance.randrange(len(seats)) for seat in range(len(seats))]
    if not manual or not any(won):
        won = [one == max(points) for one in points]
    written = [str(one) + chance.choice(["", "", ".0"]) for one in points]
    if number % 13 == 0:
        written[-1] = ""
    play: dict[str, Any] = {
        "uuid": f"PLAY-{number:04}",
        "gameRefId": game + 1,
        "playDate": f"20{chance.randint(18, 25)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02} "
        f"{chance.randrange(24):02}:{chance.randrange(60):02}:00",
        "entryDate": "2025-01-02 03:04:05",
        "modificationDate": "2025-01-02 03:04:06",
        "durationMin": chance.choice([0, 30, 45, 90]),
        "rounds": chance.choice([0, 3]),
        "rating": chance.choice([0, 8]),
        "scoringSetting": chance.choice([0, 1, 3]),
        "usesTeams": False,
        "manualWinner": manual,
        "ignored": False,
        "comments": chance.choice(["", "A good one", "First\nand second"]),
        "bggId": chance.choice([0, 70_000_000 + number]),
        "importPlayId": 0,
        "nemestatsId": 0,
        "playImages": "[]",
        "expansionPlays": [{"gameRefId": 6, "bggId": 0}, {"gameRefId": 7, "bggId": 5}]
        if game == 0 and number % 2
        else [],
        "playerScores": [
            {
                "playerRefId": seat,
                "score": written[at],
                "winner": won[at],
                "startPlayer": at == 0,
                "newPlayer": number == 0,
                "rank": chance.choice([0, 0, 1 + sum(other > points[at] for other in points)]) if not manual else 0,
                "seatOrder": chance.choice([0, at + 1]),
                **({"role": "Blue"} if number % 5 == 0 else {}),
            }
            for at, seat in enumerate(seats)
        ],
    }
    play["playDateYmd"] = int(play["playDate"][:10].replace("-", ""))
    if number % 4:
        play["locationRefId"] = chance.randint(1, len(PLACES))
    if number % 10 == 3:
        play["board"] = "Town Hall／Something of ours"
    if number % 17 == 0:
        play["metaData"] = '{"isOnlinePlay":true}'
    return play


def export(count: int = PLAYS) -> dict[str, Any]:
    chance = random.Random(6)
    games = [*TITLES, ("Tiny Towns: Fortune", 290000), ("A fan’s expansion", 0)]
    return {
        "games": [
            {
                "id": at,
                "uuid": f"GAME-{at}",
                "name": name,
                "bggId": number,
                "isExpansion": int(at > len(TITLES)),
                **CHANGED,
            }
            for at, (name, number) in enumerate(games, 1)
        ],
        "players": [
            {
                "id": at,
                "uuid": f"PLAYER-{at}",
                "name": name,
                "isAnonymous": at == len(NAMES),
                "bggUsername": "",
                **CHANGED,
            }
            for at, name in enumerate(NAMES, 1)
        ],
        "locations": [{"id": at, "uuid": f"PLACE-{at}", "name": name, **CHANGED} for at, name in enumerate(PLACES, 1)],
        "plays": [played(number, chance) for number in range(count)],
        "userInfo": {"meRefId": 1},
    }


def told(file: Any) -> list[Any]:
    """The plays with whatever their numbers stand for."""
    games = {one["id"]: (one["uuid"], one["name"], one["bggId"], one["isExpansion"]) for one in file["games"]}
    players = {one["id"]: (one["uuid"], one["name"], one["isAnonymous"]) for one in file["players"]}
    places = {one["id"]: (one["uuid"], one["name"]) for one in file["locations"]}
    return [
        {
            **play,
            "gameRefId": games[play["gameRefId"]],
            "locationRefId": places.get(play.get("locationRefId")),
            "expansionPlays": [{**one, "gameRefId": games[one["gameRefId"]]} for one in play["expansionPlays"]],
            "playerScores": [{**one, "playerRefId": players[one["playerRefId"]]} for one in play["playerScores"]],
        }
        for play in file["plays"]
    ]


def test_a_real_export_goes_in_and_out_unchanged(tmp_path: Path) -> None:
    file = export()
    with database(tmp_path / "t.db") as db:
        home, other = home_of(db), clubs.create(db, "Another")
        db.execute("UPDATE clubs SET zone = 'Europe/Berlin' WHERE id = ?", [home])
        assert bring(db, home, json.dumps(file)).added == PLAYS
        assert told(json.loads(taken_out(db, home, "bgstats"))) == told(file)
        again = bring(db, home, taken_out(db, home, "bgstats"))
        assert (again.added, again.known, again.differs) == (0, PLAYS, 0)
        bring(db, other, taken_out(db, home))
        assert [one["playerScores"] for one in told(json.loads(taken_out(db, other, "bgstats")))] == [
            one["playerScores"] for one in told(file)
        ], "our own JSON carries it on"
        assert rebuild.check(db) == []


def test_what_was_edited_here_counts_and_whoever_is_forgotten_is_gone(tmp_path: Path) -> None:
    file = export(8)
    with database(tmp_path / "t.db") as db:
        home = home_of(db)
        bring(db, home, json.dumps(file))
        play = saved_plays.find(db, listing.recent(db, home)[0].key)
        assert play is not None
        name = play.names[0]
        plays.edit(db, play, play.record, play.decision)
        at = next(number for number, one in enumerate(file["plays"]) if one["uuid"] == play.source_id)
        edited = json.loads(taken_out(db, home, "bgstats"))["plays"][at]
        assert [one["score"] for one in edited["playerScores"]] == [
            "" if seat.total is None else str(seat.total) for seat in play.decision.seats
        ]
        person = player_profiles.by_name(db, home, name)
        assert person is not None
        forget_player.forget(db, person, "Somebody")
        written = taken_out(db, home, "bgstats")
        uuid = next(one["uuid"] for one in file["players"] if one["name"] == name)
        assert uuid not in written and name not in [one["name"] for one in json.loads(written)["players"]]
        assert uuid not in taken_out(db, home)


@pytest.mark.parametrize(
    "told",
    [
        "[",
        "[]",
        '{"play":{}}',
        '{"play":{},"scores":{},"expansions":[],"game":{},"place":{}}',
        '{"play":{},"scores":[1],"expansions":[],"game":{},"place":{}}',
        '{"play":{},"scores":[],"expansions":[],"game":{"uuid":[]},"place":{}}',
        '{"play":{"rounds":{}},"scores":[],"expansions":[],"game":{},"place":{}}',
        '{"play":{"rounds":1e999},"scores":[],"expansions":[],"game":{},"place":{}}',
        "x" * 20_000,
    ],
)
def test_an_origin_of_another_form_is_refused(tmp_path: Path, told: str) -> None:
    with database(tmp_path / "t.db") as db:
        bring(db, home_of(db), json.dumps(export(1)))
        file = json.loads(taken_out(db, home_of(db)))
        file["plays"][0]["origin"] = told
        with pytest.raises(Refused, match="origin"):
            bring(db, clubs.create(db, "Another"), json.dumps(file))
