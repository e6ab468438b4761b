"""Read and write the players of a club: their names and avatars."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from scorer.names import folded, tidied
from webapp import avatars
from webapp.avatars import Avatar
from webapp.database import Database, now

RECENT = 300  # games that are searched for who played last


def roster(db: Database, club_id: int) -> list[str]:
    """Return the names of the club's players, those who played last first."""
    rows = db.query(
        f"""WITH recent AS (
            SELECT id, played_at FROM plays WHERE club_id = ?1 ORDER BY played_at DESC LIMIT {RECENT}
        ), latest AS (
            SELECT player_id, max(recent.played_at) AS at FROM recent JOIN scores ON play_id = recent.id
            GROUP BY player_id
        )
        SELECT name FROM players LEFT JOIN latest ON player_id = players.id WHERE players.club_id = ?1 AND guest = 0
        ORDER BY at DESC NULLS LAST, players.id""",
        [club_id],
    )
    return [row["name"] for row in rows]


def last_players(db: Database, club_id: int, most: int) -> list[str]:
    """Return the players of the club's latest game, in seat order and at most `most` of them."""
    rows = db.query(
        """SELECT player FROM scores WHERE play_id = (
            SELECT id FROM plays WHERE club_id = ? ORDER BY played_at DESC, id DESC LIMIT 1
        ) ORDER BY seat LIMIT ?""",
        [club_id, most],
    )
    return [row["player"] for row in rows]


def avatars_of(db: Database, club_id: int) -> list[Avatar]:
    """Return the avatars of all players and guests of the club."""
    rows = db.execute("SELECT name, colour, token FROM players WHERE club_id = ? ORDER BY id", [club_id])
    return [avatars.avatar_of(*row) for row in rows.fetchall()]


def avatars_at_table(
    db: Database, club_id: int, names: Sequence[str], there: Mapping[str, Avatar] | None = None
) -> list[Avatar]:
    """Return a different avatar for each of these players. `there` has, by name, the avatars of those who already sit
    at the table. Others get theirs from the club, or a new one that is rare in it. If two conflict, the earlier
    player keeps theirs."""
    there = there or {}
    rows = db.execute("SELECT name, colour, token FROM players WHERE club_id = ? ORDER BY id", [club_id]).fetchall()
    own = {name: avatars.avatar_of(name, colour, token) for name, colour, token in rows}
    return avatars.distinct(names, [there.get(name) or own.get(name) for name in names], list(own.values()))


class People:
    """Find or add players by name, with each name looked up once while games are saved.

    A new player gets the avatar in `worn`, or a free one. New names in `guests` become guests instead of players.
    """

    def __init__(
        self, db: Database, club_id: int, worn: Mapping[str, Avatar] | None = None, guests: Collection[str] = ()
    ) -> None:
        self.db, self.club_id, self.worn, self.guests = db, club_id, worn or {}, guests
        self._ids: dict[str, int | None] = {}  # None: nobody has this name
        self._looks: avatars.TakenAvatars | None = None
        self._spellings: dict[str, str] | None = None  # by folded name

    def look_up(self, names: Sequence[str]) -> None:
        """Look up with one query the ids of those names that have not been looked up before."""
        unknown = [name for name in names if name not in self._ids]
        if unknown:
            marks = ", ".join("?" * len(unknown))
            sql = f"SELECT name, id FROM players WHERE club_id = ? AND name IN ({marks})"
            self._ids.update(dict.fromkeys(unknown))
            self._ids.update(self.db.execute(sql, [self.club_id, *unknown]).fetchall())

    def spelling(self, name: str) -> str:
        """Return the name as the club spells it, or unchanged if nobody has it."""
        if self._known(name) is not None:
            return name
        if self._spellings is None:
            self._spellings = {}
            for row in self.db.query("SELECT name FROM players WHERE club_id = ? ORDER BY id", [self.club_id]):
                self._spellings.setdefault(folded(row["name"]), row["name"])
        return self._spellings.get(folded(name), name)

    def id_of(self, name: str) -> int:
        """Return the id of the player with exactly this name, who is added if missing."""
        known = self._known(name)
        if known is None:
            avatar = self.worn.get(name) or self._free(name)
            if self._looks is not None:
                self._looks.add(avatar)
            row = {"club_id": self.club_id, "name": name, "created_at": now(), "guest": int(name in self.guests)}
            known = self.db.insert("players", **row, colour=avatar.colour, token=avatar.token)
            self._ids[name] = known
            if self._spellings is not None:
                self._spellings.setdefault(folded(name), name)
        return known

    def _free(self, name: str) -> Avatar:
        if self._looks is None:
            self._looks = avatars.TakenAvatars(avatars_of(self.db, self.club_id))
        return self._looks.free(name)

    def _known(self, name: str) -> int | None:
        self.look_up([name])
        return self._ids[name]


def spelling(db: Database, club_id: int, name: str) -> str:
    """Return the name as the club spells it. If nobody has it, return it with single blanks between its words."""
    return People(db, club_id).spelling(tidied(name))


def player_id(db: Database, club_id: int, name: str) -> int:
    """Return the id of the club's player with this name, who is added if missing."""
    people = People(db, club_id)
    return people.id_of(people.spelling(name))


def add(db: Database, club_id: int, name: str, created_at: str, avatar: Avatar, is_guest: bool) -> None:
    """Add a player or a guest from a file, unless the name exists."""
    db.execute(
        """INSERT INTO players (club_id, name, created_at, colour, token, guest) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING""",
        [club_id, name, created_at, avatar.colour, avatar.token, int(is_guest)],
    )


def rename(db: Database, player_id: int, name: str) -> None:
    db.execute("UPDATE players SET name = ? WHERE id = ?", [name, player_id])


def promote_guest(db: Database, player_id: int) -> None:
    """Make a guest a player of the club."""
    db.execute("UPDATE players SET guest = 0 WHERE id = ?", [player_id])


def set_avatar(db: Database, player_id: int, avatar: Avatar) -> None:
    db.execute("UPDATE players SET colour = ?, token = ? WHERE id = ?", [avatar.colour, avatar.token, player_id])


def remove(db: Database, player_ids: Sequence[int]) -> None:
    """Delete these players. The caller has checked that they are in no game."""
    db.executemany("DELETE FROM players WHERE id = ?", [(player_id,) for player_id in player_ids])
