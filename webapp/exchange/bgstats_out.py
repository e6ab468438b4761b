"""Write plays for BG Stats: a link that creates one play, and files in the format of its export.

Formats: www.bgstatsapp.com/support, "Push plays to BG Stats", and its JSON export. The app gives no reason if it
refuses a file: every boolean must be there, numbers must be numbers, and times are UTC and the end of the play.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from scorer import games
from scorer.contract import Game, Json
from webapp import clubs, days
from webapp.database import Database, pack
from webapp.exchange.identity import BG_STATS, database_name, stable_uuid, uuid_of
from webapp.history import Archived, Decision, Play, missing_games
from webapp.statistics import variant_label

LINK = "https://app.bgstatsapp.com/createPlay.html?data="
ABOUT = (
    "This is a Play file that can be read by Board Game Stats. If you see this text, try to use a share, export or "
    "open-in function to open it with Board Game Stats."
)
SOURCE = "Tidemark"
CHANGED = {"modificationDate": "2020-01-01 00:00:00"}
OF_EVERY_PLAY: Json = {
    **{"rounds": 0, "rating": 0, "scoringSetting": 0, "bggId": 0, "importPlayId": 0, "nemestatsId": 0},
    "playImages": "[]",
}
BOARDS_APART = "\N{FULLWIDTH SOLIDUS}"  # BG Stats splits boards here, not at /


def moment(at: str) -> str:
    """Return a stored time in the format of BG Stats, such as "2026-01-31 20:15:00"."""
    return at[:19].replace("T", " ")


def create_play(db: Database, play: Play, bgg: Mapping[str, int]) -> str:
    """Return the link that opens BG Stats with this play filled in; `bgg` has BoardGameGeek numbers by game id."""
    game = missing_games.game_of(play)
    people = numbers(db, play.club_id)
    link: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": play.key,
        "playDate": moment(play.played_at),
        "location": play.place or SOURCE,  # left out, it shows as "No location"
        "board": board(game, play),
        "comments": "\n".join(part for part in (play.notes, still_open(play)) if part),
        "game": {"name": game.name, "sourceGameId": game.id, "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": name,
                "sourcePlayerId": stable_uuid("player", database_name(db), people.get(name, name)),
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
    """Return the text for the field `board` of BG Stats: the play's variant, in English."""
    options = play.variant.split("|")
    return BOARDS_APART.join(str(variant_label(game, option)) for option in options if option)


def numbers(db: Database, club_id: int) -> dict[str, int]:
    return dict(db.execute("SELECT name, id FROM players WHERE club_id = ?", [club_id]).fetchall())


def play_file(db: Database, one: Archived, bgg: Mapping[str, int]) -> str:
    """Return the text of a `.bgsplay` file with one play; `bgg` has BoardGameGeek numbers by game id."""
    text = "".join(collection(db, one.play.club_id, iter([one]), bgg))
    return json.dumps({"about": ABOUT, **json.loads(text)}, ensure_ascii=False, indent=1)


class Collected:
    """Collect the games, players and places that plays refer to, and number them within the file."""

    def __init__(self, db: Database, club_id: int) -> None:
        self.born, self.people = database_name(db), numbers(db, club_id)
        self.matches = clubs.matches.of_source(db, club_id, BG_STATS)
        self.entries: dict[str, dict[str, Json]] = {"games": {}, "players": {}, "locations": {}}

    def _ref(self, kind: str, uuid: str, **entry: object) -> int:
        held = self.entries[kind]
        found = held.setdefault(uuid, {"id": len(held) + 1, "uuid": uuid, **entry, **CHANGED})
        return int(found["id"])

    def game(self, game: Game, origin: Json, bgg: Mapping[str, int]) -> int:
        """Return the number of a game in the file, adding the game if it is new. `origin` is what an import from
        BG Stats stored about the game: its name, number and UUID. Without it they are ours; `bgg` has our BoardGameGeek
        numbers by game id."""
        ours = {**_game(game.id), "name": games.titles()[game.id], "bggId": bgg.get(game.id, 0)}
        theirs = {name: origin[name] for name in ("name", "bggId") if origin.get("uuid") and name in origin}
        return self._ref("games", origin.get("uuid") or stable_uuid("game", game.id), **{**ours, **theirs})

    def expansion(self, origin: Json) -> int:
        name = origin.get("name") or ""
        uuid = origin.get("uuid") or stable_uuid("expansion", name)
        return self._ref("games", uuid, name=name, bggId=origin.get("bggId", 0), isBaseGame=0, isExpansion=1)

    def player(self, name: str, origin: Json) -> int:
        """Return the number of a player in the file, adding the player if new.

        `origin` is what BG Stats said of the player. Its UUID is kept if that player is still matched with this name.
        """
        ours = self.matches.get(("player", origin.get("uuid") or ""), "")
        is_anonymous = origin.get("isAnonymous") is True
        is_theirs = name == ours or (is_anonymous and ours and name.removeprefix(f"{ours} ").isdecimal())
        if is_theirs:
            return self._ref("players", origin["uuid"], name=ours, isAnonymous=is_anonymous, bggUsername="")
        uuid = stable_uuid("player", self.born, self.people.get(name, name))
        return self._ref("players", uuid, name=name, isAnonymous=False, bggUsername="")

    def place(self, name: str, origin: Json) -> int:
        return self._ref("locations", origin.get("uuid") or stable_uuid("place", name), name=name)


def collection(db: Database, club_id: int, plays: Iterator[Archived], bgg: Mapping[str, int]) -> Iterator[str]:
    """Yield in pieces the JSON of the plays, then of the games, players and places that they refer to. `bgg` has
    BoardGameGeek numbers by game id."""
    collected, zone = Collected(db, club_id), clubs.zone_of(db, club_id)
    before = '{"plays":['
    for one in plays:
        yield before + pack(_play(one, collected, bgg, zone))
        before = ","
    if before != ",":
        yield before
    rest = {
        **{kind: list(entries.values()) for kind, entries in collected.entries.items()},
        "challenges": [],
        "deletedObjects": [],
        "groups": [],
        "tags": [],
        "userInfo": {"meRefId": 0, "appVersion": SOURCE, "device": "", "systemVersion": ""},
    }
    yield "]," + pack(rest)[1:]


def _game(name: str) -> Json:
    game = games.find(name)
    return {
        "bggName": games.titles()[name],
        "bggYear": 0,
        "cooperative": False,
        "highestWins": True,
        "noPoints": False,
        "usesTeams": False,
        "isBaseGame": 1,
        "isExpansion": 0,
        "minPlayerCount": game.players[0] if game else 1,
        "maxPlayerCount": game.players[-1] if game else 12,
        "minPlayTime": 0,
        "maxPlayTime": 0,
        "minAge": 0,
        "designers": "",
        "urlThumb": "",
        "urlImage": "",
        "rating": 0,
        "preferredImage": 0,
        "copies": [],
    }


def _play(one: Archived, collected: Collected, bgg: Mapping[str, int], zone: str) -> Json:
    """Return the play as JSON for BG Stats, with its date in the time zone `zone`. Games, players and places are added
    to `collected`. A play that came from BG Stats keeps what BG Stats said about it, except what was edited here."""
    play = one.play
    game = missing_games.game_of(play)
    origin: Json = json.loads(play.origin) if play.origin else {"play": {}, "scores": [], "expansions": []}
    is_theirs = play.version == 1 and len(origin["scores"]) == len(play.names)
    row = {
        **origin["play"],
        "uuid": uuid_of(play.key, play.source, play.source_id),
        "gameRefId": collected.game(game, origin.get("game", {}), bgg),
        "playDate": moment(days.local(play.played_at, zone).isoformat()),
        "playDateYmd": int(play.day.replace("-", "")),
        "durationMin": play.minutes or 0,
        "usesTeams": False,
        "ignored": False,
        "comments": "\n".join(part for part in (play.notes, breakdown(play)) if part),
        "expansionPlays": [
            {"gameRefId": collected.expansion(part), "bggId": part.get("play", 0)} for part in origin["expansions"]
        ],
    }
    if play.place or not play.origin:
        row["locationRefId"] = collected.place(play.place or SOURCE, origin.get("place", {}))
    besides = {**OF_EVERY_PLAY, "entryDate": moment(play.saved_at), "modificationDate": moment(play.saved_at)}
    decided: Json = {"manualWinner": is_manual(play.decision)}
    if play.variant and not (is_theirs and play.origin):
        decided["board"] = board(game, play)
    scores = origin["scores"] if is_theirs else [{}] * len(play.names)
    row["playerScores"] = [
        _score(play, seat, collected.player(play.names[seat], score), score) for seat, score in enumerate(scores)
    ]
    return {**besides, **row, **decided, **(origin["play"] if is_theirs else {})}


def is_manual(decision: Decision) -> bool:
    """Return whether the file must name the winners, since they are not just the players with most points.

    BG Stats itself only compares points.
    """
    totals = [seat.total for seat in decision.seats]
    known = [total for total in totals if total is not None]
    by_points = [len(known) == len(totals) and total == max(known) for total in totals]
    return decision.decided_by != "points" or by_points != [bool(seat.winner) for seat in decision.seats]


def _score(play: Play, number: int, player: int, origin: Json) -> Json:
    seat = play.decision.seats[number]
    return {
        "score": "" if seat.total is None else str(seat.total),
        "winner": bool(seat.winner),
        "startPlayer": False,
        "newPlayer": False,
        "rank": seat.rank or 0,
        "seatOrder": number + 1,
        **{name: value for name, value in origin.items() if name not in ("uuid", "isAnonymous")},
        "playerRefId": player,
    }


def still_open(play: Play) -> str:
    """Return a comment that names the players whose score is still to count, or ""."""
    names = [name for name, seat in zip(play.names, play.decision.seats, strict=True) if not seat.final]
    return f"Still to count: {', '.join(names)}." if names else ""


def breakdown(play: Play) -> str:
    """Return each player's points by rule as a comment, since BG Stats stores only totals.

    Scores still to count are named too, unless the play came from BG Stats.
    """
    rules = missing_games.game_of(play).rules
    found = []
    for name, seat in zip(play.names, play.decision.seats, strict=True):
        points: dict[str, int] = {}
        for rule, _, amount in seat.lines:
            points[rule] = points.get(rule, 0) + amount
        if parts := [f"{label} {points[rule]}" for rule, label in rules.items() if rule in points]:
            found.append(f"{name}: {', '.join(parts)}")
    if not play.origin:  # comments that came from BG Stats go back unchanged
        found.append(still_open(play))
    return "\n".join(part for part in found if part)
