"""Plays for BG Stats: the link that creates one, and files in the form of its own export.

Formats: www.bgstatsapp.com/support, "Push plays to BG Stats", and its JSON export. The app is strict and silent when it
refuses: every boolean is always present, numbers are numbers, times are UTC and the end of the play.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from scorer import games
from scorer.contract import Game
from webapp import clubs, days
from webapp.database import Database, pack
from webapp.exchange.identity import place_of_birth, stable, uuid_of
from webapp.history import Archived, Play
from webapp.statistics import way_label

LINK = "https://app.bgstatsapp.com/createPlay.html?data="
ABOUT = (
    "This is a Play file that can be read by Board Game Stats. If you see this text, try to use a share, export or "
    "open-in function to open it with Board Game Stats."
)
SOURCE = "Tidemark"
BOARDS_APART = "\N{FULLWIDTH SOLIDUS}"  # BG Stats splits boards here, not at /


def moment(at: str) -> str:
    """A time of ours as BG Stats writes times."""
    return at[:19].replace("T", " ")


def create_play(db: Database, play: Play, bgg: Mapping[str, int]) -> str:
    """The link that opens BG Stats with this play filled in."""
    game = games.find(play.game)
    assert game is not None
    people = numbers(db, play.club_id)
    link: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": play.key,
        "playDate": moment(play.played_at),
        "location": play.place or SOURCE,  # left out, it shows as "No location"
        "board": board(game, play),
        "comments": play.notes,
        "game": {"name": game.name, "sourceGameId": game.id, "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": name,
                "sourcePlayerId": stable("player", place_of_birth(db), people.get(name, name)),
                "score": "" if seat.total is None else seat.total,
                "rank": seat.rank or 0,
                "winner": bool(seat.winner),
                "startPlayer": False,
            }
            for name, seat in zip(play.names, play.decision.seats, strict=True)
        ],
    }
    if game.id in bgg:
        link["game"]["bggId"] = bgg[game.id]
    if play.minutes:
        link["durationMin"] = play.minutes
    return LINK + quote(json.dumps(link, ensure_ascii=False, separators=(",", ":")), safe="")


def board(game: Game, play: Play) -> str:
    """What BG Stats calls boards: the parts of the way that was played, in English whoever asks."""
    ways = play.variant.split("|")
    return BOARDS_APART.join(str(way_label(game, way)) for way in ways if way)


def numbers(db: Database, club_id: int) -> dict[str, int]:
    return dict(db.execute("SELECT name, id FROM players WHERE club_id = ?", [club_id]).fetchall())


def play_file(db: Database, one: Archived, bgg: Mapping[str, int]) -> str:
    """A `.bgsplay` file."""
    kept = "".join(collection(db, one.play.club_id, iter([one]), bgg))
    return json.dumps({"about": ABOUT, **json.loads(kept)}, ensure_ascii=False, indent=1)


def collection(db: Database, club_id: int, plays: Iterator[Archived], bgg: Mapping[str, int]) -> Iterator[str]:
    """Plays, and then the games, players and places they refer to, by numbers that hold within the file."""
    born, people, zone = place_of_birth(db), numbers(db, club_id), clubs.zone_of(db, club_id)
    seen_games: dict[str, int] = {}
    seen_people: dict[str, int] = {}
    seen_places: dict[str, int] = {}
    before = '{"plays":['
    for one in plays:
        play = one.play
        game_ref = seen_games.setdefault(play.game, len(seen_games) + 1)
        place_ref = seen_places.setdefault(play.place or SOURCE, len(seen_places) + 1)
        for name in play.names:
            seen_people.setdefault(name, len(seen_people) + 1)
        yield before + pack(_play(one, game_ref, place_ref, seen_people, zone))
        before = ","
    if before != ",":
        yield before
    changed = {"modificationDate": "2020-01-01 00:00:00"}
    rest = {
        "games": [_game(game, ref, bgg) for game, ref in seen_games.items()],
        "players": [
            {
                "id": ref,
                "uuid": stable("player", born, people.get(name, name)),
                "name": name,
                "isAnonymous": False,
                "bggUsername": "",
                **changed,
            }
            for name, ref in seen_people.items()
        ],
        "locations": [
            {"id": ref, "uuid": stable("place", name), "name": name, **changed} for name, ref in seen_places.items()
        ],
        "challenges": [],
        "deletedObjects": [],
        "groups": [],
        "tags": [],
        "userInfo": {"meRefId": 0, "appVersion": SOURCE, "device": "", "systemVersion": ""},
    }
    yield "]," + pack(rest)[1:]


def _game(name: str, ref: int, bgg: Mapping[str, int]) -> dict[str, Any]:
    game = games.find(name)
    assert game is not None
    return {
        "id": ref,
        "uuid": stable("game", game.id),
        "name": game.name,
        "bggId": bgg.get(game.id, 0),
        "bggName": game.name,
        "bggYear": 0,
        "cooperative": False,
        "highestWins": True,
        "noPoints": False,
        "usesTeams": False,
        "isBaseGame": 1,
        "isExpansion": 0,
        "minPlayerCount": game.players[0],
        "maxPlayerCount": game.players[-1],
        "minPlayTime": 0,
        "maxPlayTime": 0,
        "minAge": 0,
        "designers": "",
        "urlThumb": "",
        "urlImage": "",
        "rating": 0,
        "preferredImage": 0,
        "copies": [],
        "modificationDate": "2020-01-01 00:00:00",
    }


def _play(one: Archived, game_ref: int, place_ref: int, people: Mapping[str, int], zone: str) -> dict[str, Any]:
    """Its date is told by the club's clock, as BG Stats does."""
    play = one.play
    game = games.find(play.game)
    assert game is not None
    row: dict[str, Any] = {
        "uuid": uuid_of(play.key, play.source, play.source_id),
        "gameRefId": game_ref,
        "locationRefId": place_ref,
        "playDate": moment(days.local(play.played_at, zone).isoformat()),
        "playDateYmd": int(play.day.replace("-", "")),
        "entryDate": moment(play.saved_at),
        "modificationDate": moment(play.saved_at),
        "durationMin": play.minutes or 0,
        "rounds": 0,
        "rating": 0,
        "scoringSetting": 0,
        "usesTeams": False,
        "manualWinner": play.decision.decided_by != "points",  # BG Stats knows no tie-breaks
        "ignored": False,
        "bggId": 0,
        "importPlayId": 0,
        "nemestatsId": 0,
        "playImages": "[]",
        "expansionPlays": [],
        "comments": "\n".join(part for part in (play.notes, breakdown(play)) if part),
        "playerScores": [
            {
                "playerRefId": people[name],
                "score": "" if seat.total is None else str(seat.total),
                "winner": bool(seat.winner),
                "startPlayer": False,
                "newPlayer": False,
                "rank": seat.rank or 0,
                "seatOrder": number,
            }
            for number, (name, seat) in enumerate(zip(play.names, play.decision.seats, strict=True), start=1)
        ],
    }
    if play.variant:
        row["board"] = board(game, play)
    return row


def breakdown(play: Play) -> str:
    """Return the score sheet in words, for the comments: nothing else carries it across."""
    game = games.find(play.game)
    rules = game.rules if game else {}
    found = []
    for name, seat in zip(play.names, play.decision.seats, strict=True):
        points: dict[str, int] = {}
        for rule, _, amount in seat.lines:
            points[rule] = points.get(rule, 0) + amount
        if parts := [f"{label} {points[rule]}" for rule, label in rules.items() if rule in points]:
            found.append(f"{name}: {', '.join(parts)}")
    return "\n".join(found)
