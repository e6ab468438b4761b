"""Compute the achievements in a club: who earned which, when first and last, and how rare each is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scorer.about import Achievement
from scorer.sentences import Sentence, say_count
from webapp.database import Database, pack
from webapp.history import achievements
from webapp.statistics.scope import Scope


@dataclass(frozen=True, slots=True)
class Holder:
    """Hold a player who earned an achievement, and how often."""

    id: int
    name: str
    times: int


@dataclass(frozen=True, slots=True)
class Occasion:
    """Hold a game in which a player earned an achievement."""

    name: str
    key: str
    played_at: str


@dataclass(frozen=True, slots=True)
class Earned:
    """Hold an achievement, the players who earned it, and its first and latest game. Somebody earned it in `games` of
    the `of` saved games in which that was possible."""

    achievement: Achievement
    games: int
    of: int
    holders: list[Holder]
    first: Occasion | None
    latest: Occasion | None

    @property
    def times(self) -> int:
        return sum(one.times for one in self.holders)

    @property
    def rarity(self) -> Sentence:
        return rarity(self.games, self.of)


def rarity(games: int, of: int) -> Sentence:
    return say_count("Earned in {games} of {n} game.", "Earned in {games} of {n} games.", of, games=games)


def of_club(db: Database, club_id: int, player_id: int | None = None) -> list[Earned]:
    """Return all achievements and who in the club earned each.

    With `player_id`, only that player is listed, but `games` and `of` still count all games of the club.
    """
    scope = Scope(club_id)
    plays = dict(
        db.execute(f"SELECT game, count(*) FROM all_plays WHERE {scope.where} GROUP BY game", scope.values).fetchall()
    )
    rows = db.execute(
        f"""SELECT achievement, all_plays.id, player_id
        FROM all_plays JOIN achievements ON achievements.play_id = all_plays.id
        JOIN all_scores ON all_scores.play_id = all_plays.id AND all_scores.seat = achievements.seat
        WHERE {scope.where} ORDER BY played_at, all_plays.id, achievements.seat""",
        scope.values,
    ).fetchall()
    by_name: dict[str, list[tuple[int, int]]] = {}
    in_games: dict[str, set[int]] = {}
    for name, play_id, who in rows:
        in_games.setdefault(name, set()).add(play_id)
        if player_id in (None, who):
            by_name.setdefault(name, []).append((play_id, who))
    people = dict(db.execute("SELECT id, name FROM players WHERE club_id = ?", [club_id]).fetchall())
    moments = _moments(db, [play for those in by_name.values() for play, _ in (those[0], those[-1])])
    found = []
    for one in achievements.everything():
        those = by_name.get(one.id, [])
        times = Counter(who for _, who in those)
        holders = [Holder(who, people[who], often) for who, often in times.items()]
        found.append(
            Earned(
                one,
                len(in_games.get(one.id, ())),
                plays.get(one.game, 0) if one.game else sum(plays.values()),
                sorted(holders, key=lambda holder: (-holder.times, holder.name)),
                Occasion(people[those[0][1]], *moments[those[0][0]]) if those else None,
                Occasion(people[those[-1][1]], *moments[those[-1][0]]) if those else None,
            )
        )
    return found


def _moments(db: Database, play_ids: Sequence[int]) -> dict[int, tuple[str, str]]:
    rows = db.execute(
        "SELECT id, key, played_at FROM all_plays WHERE id IN (SELECT value FROM numbers_in(?))", [pack(play_ids)]
    )
    return {play_id: (key, played_at) for play_id, key, played_at in rows}


def of_player(db: Database, club_id: int, player_id: int) -> list[Earned]:
    """Return a player's achievements, the rarest in the club first."""
    found = [one for one in of_club(db, club_id, player_id) if one.holders]
    return sorted(found, key=lambda one: one.games / one.of)


def in_play(db: Database, play_id: int) -> list[tuple[str, Achievement, Sentence]]:
    """Return the achievements earned in one game: the player's name, the achievement, and a sentence on its rarity."""
    rows = db.execute(
        """SELECT name, achievement FROM achievements JOIN all_scores USING (play_id, seat)
        JOIN players ON players.id = player_id WHERE play_id = ? ORDER BY seat, achievement""",
        [play_id],
    ).fetchall()
    known = {one.id: one for one in achievements.everything()}
    earned = [(name, known[achievement]) for name, achievement in rows if achievement in known]
    if not earned:
        return []
    [club_id, title] = db.execute("SELECT club_id, game FROM all_plays WHERE id = ?", [play_id]).fetchone()
    scope = Scope(club_id, title)
    [plays] = db.execute(f"SELECT count(*) FROM all_plays WHERE {scope.where}", scope.values).fetchone()
    games = dict(
        db.execute(
            f"""SELECT achievement, count(DISTINCT play_id) FROM achievements JOIN all_plays ON all_plays.id = play_id
            WHERE achievement IN (SELECT value FROM words_in(?)) AND {scope.where} GROUP BY achievement""",
            [pack(sorted({one.id for _, one in earned})), *scope.values],
        ).fetchall()
    )
    return [(name, one, rarity(games.get(one.id, 0), plays)) for name, one in earned]
