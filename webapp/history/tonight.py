"""Sum up the games played in a room tonight: the result of each, and a ranking of the players over all.

Points of different games can't be added. The ranking counts wins (also shared ones), then opponents beaten: the second
of four players has beaten two.
"""

from __future__ import annotations

from dataclasses import dataclass

from webapp import avatars
from webapp.avatars import Avatar
from webapp.database import Database
from webapp.table import Room


@dataclass(frozen=True, slots=True)
class Place:
    """Hold the result of one player in a game."""

    player: int
    name: str
    avatar: Avatar
    total: int | None
    rank: int | None
    winner: bool


@dataclass(frozen=True, slots=True)
class Played:
    """Represent a game of tonight, with its players by rank."""

    key: str
    game: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """Hold a player's rank, games, wins and opponents beaten over tonight's games so far."""

    rank: int
    name: str
    avatar: Avatar
    games: int
    won: int
    beaten: int


@dataclass(frozen=True, slots=True)
class Tonight:
    """Hold tonight's games in the order in which they were saved, and the standings, best first."""

    games: tuple[Played, ...]
    standings: tuple[Standing, ...]


def add(db: Database, room: Room, play_id: int) -> None:
    """Note that the game was played in the room."""
    db.execute(
        "INSERT INTO room_plays (room_id, play_id) VALUES (?, ?) ON CONFLICT (room_id, play_id) DO NOTHING",
        [room.id, play_id],
    )


def summary(db: Database, room: Room) -> Tonight:
    played: dict[tuple[str, str], list[Place]] = {}
    for row in db.query(
        """SELECT all_plays.key, all_plays.game, player_id, players.name, colour, token, total, rank, winner
        FROM room_plays JOIN all_plays ON all_plays.id = room_plays.play_id
        JOIN all_scores ON all_scores.play_id = all_plays.id JOIN players ON players.id = player_id
        WHERE room_id = ? AND deleted_at IS NULL ORDER BY all_plays.id, COALESCE(rank, 99), seat""",
        [room.id],
    ):
        avatar = avatars.avatar_of(row["name"], row["colour"], row["token"])
        place = Place(row["player_id"], row["name"], avatar, row["total"], row["rank"], bool(row["winner"]))
        played.setdefault((row["key"], row["game"]), []).append(place)
    games = tuple(Played(key, game, tuple(places)) for (key, game), places in played.items())
    return Tonight(games, tuple(_standings(games)))


def _standings(games: tuple[Played, ...]) -> list[Standing]:
    counted: dict[int, tuple[Place, int, int, int]] = {}
    for game in games:
        for place in game.places:
            _, times, won, beaten = counted.get(place.player, (place, 0, 0, 0))
            behind = sum(1 for other in game.places if place.rank and other.rank and other.rank > place.rank)
            counted[place.player] = (place, times + 1, won + (place.winner and len(game.places) > 1), beaten + behind)
    scores = sorted(((won, beaten) for _, _, won, beaten in counted.values()), reverse=True)
    found = [
        Standing(scores.index((won, beaten)) + 1, place.name, place.avatar, times, won, beaten)
        for place, times, won, beaten in counted.values()
    ]
    return sorted(found, key=lambda one: (one.rank, one.name))
