"""Find, rename and merge players.

A name is stored only with its player, so renaming changes one row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorer.names import folded
from webapp import avatars
from webapp.avatars import PLAIN, Avatar
from webapp.clubs import matches, players
from webapp.database import Database
from webapp.history import merge_players
from webapp.table import renaming


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    club_id: int
    name: str
    avatar: Avatar = PLAIN
    guest: bool = False  # played some games, but is no player of the club


def find(db: Database, player_id: int) -> Person | None:
    found = db.execute(
        "SELECT id, club_id, name, colour, token, guest FROM players WHERE id = ?", [player_id]
    ).fetchone()
    return _person(*found) if found else None


def _person(number: int, club_id: int, name: str, colour: str, token: str, guest: int = 0) -> Person:
    return Person(number, club_id, name, avatars.avatar_of(name, colour, token), bool(guest))


def players_of(db: Database, play_id: int) -> list[Person]:
    """Return the players of a game by seat, with avatars that differ from each other."""
    found = [
        _person(*row)
        for row in db.execute(
            """SELECT players.id, players.club_id, name, colour, token FROM all_scores
            JOIN players ON players.id = player_id WHERE play_id = ? ORDER BY seat""",
            [play_id],
        ).fetchall()
    ]
    worn = avatars.distinct([one.name for one in found], [one.avatar for one in found])
    return [replace(one, avatar=avatar) for one, avatar in zip(found, worn, strict=True)]


def promote_guest(db: Database, person: Person) -> None:
    with db.atomic(person.club_id):
        players.promote_guest(db, person.id)


def change_avatar(db: Database, person: Person, avatar: Avatar) -> None:
    """Change a player's avatar, also in games that are being entered.

    Where another player of such a game has its colour or token, the player gets another one there.
    """
    with db.atomic(person.club_id):
        if there := find(db, person.id):
            players.set_avatar(db, there.id, avatar)
            renaming.set_avatar(db, there.club_id, there.name, avatar)


def by_name(db: Database, club_id: int, name: str) -> Person | None:
    found = db.execute(
        "SELECT id, club_id, name, colour, token FROM players WHERE club_id = ? AND name = ?", [club_id, name]
    ).fetchone()
    return _person(*found) if found else None


def rename(db: Database, person: Person, name: str) -> bool:
    """Rename a player in all saved games; return False if the name is taken or the player is gone."""
    with db.atomic(person.club_id):
        there = find(db, person.id)  # may have been renamed meanwhile
        others = db.query("SELECT name FROM players WHERE club_id = ? AND id <> ?", [person.club_id, person.id])
        if there is None or folded(name) in {folded(other["name"]) for other in others}:
            return False
        players.rename(db, there.id, name)
        matches.rename_player(db, there.club_id, there.name, name)
        renaming.follow(db, there.club_id, there.name, name)
    return True


def merge(db: Database, person: Person, other: Person) -> bool:
    """Merge two names of one person: all games of `person` become those of `other`.

    Return False if both played in one game, or one of them is gone.
    """
    if person.club_id != other.club_id or person.id == other.id:
        return False
    with db.atomic(person.club_id):
        there, into = find(db, person.id), find(db, other.id)
        if there is None or into is None or merge_players.played_together(db, there.id, into.id):
            return False
        matches.rename_player(db, there.club_id, there.name, into.name)
        renaming.follow(db, there.club_id, there.name, into.name)
        merge_players.transfer_games(db, there.club_id, there.id, into.id)
        players.remove(db, [there.id])
    return True
