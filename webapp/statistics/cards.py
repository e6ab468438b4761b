"""Compute figures of a title's cards: in how many games each was, its points, and whether it helps to win."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scorer import games
from scorer.contract import Game
from scorer.sentences import printed
from webapp.database import Database
from webapp.statistics.game import ITEMISED
from webapp.statistics.measures import FEW, Rate
from webapp.statistics.scope import Scope
from webapp.statistics.significance import Fourfold

DECIDED = "count(winner) FILTER (WHERE player_count > 1)"
WON = "count(*) FILTER (WHERE winner = 1 AND player_count > 1)"


@dataclass(frozen=True, slots=True)
class CardSums:
    """Hold the counts and points of a card, summed over games with the same number of players.

    `tables` counts games, `sheets` the players who could have the card, and `had` those who had it. Scores entered only
    as a total are left out, since their cards are unknown.
    """

    card: str
    player_count: int
    tables: int
    sheets: int
    totals: int
    decided: int
    wins: int
    had: int = 0
    points: int = 0
    pieces: int = 0
    decided_with: int = 0
    wins_with: int = 0

    @property
    def fourfold(self) -> Fourfold:
        return Fourfold(self.wins_with, self.decided_with, self.wins - self.wins_with, self.decided - self.decided_with)


@dataclass(frozen=True, slots=True)
class Card:
    """Hold the counts and points of a card, for each number of players (`by_size`)."""

    id: str
    label: str
    by_size: tuple[CardSums, ...]

    def _sum(self, column: str) -> int:
        return sum(getattr(one, column) for one in self.by_size)

    @property
    def tables(self) -> int:
        return self._sum("tables")

    @property
    def had(self) -> int:
        return self._sum("had")

    @property
    def points(self) -> int:
        return self._sum("points")

    @property
    def mean(self) -> float:
        """Return the average points of the card on score sheets that have it."""
        return self.points / self.had if self.had else 0.0

    @property
    def total(self) -> float:
        """Return the average score of everybody who could have the card."""
        sheets = self._sum("sheets")
        return self._sum("totals") / sheets if sheets else 0.0

    @property
    def use(self) -> Rate:
        return Rate(self.had, self._sum("sheets"))

    @property
    def with_it(self) -> Rate:
        return Rate(self._sum("wins_with"), self._sum("decided_with"))

    @property
    def without_it(self) -> Rate:
        return Rate(self._sum("wins") - self._sum("wins_with"), self._sum("decided") - self._sum("decided_with"))


def label_of(game: Game, card: str) -> str:
    """Return the name of the card with the id `card`: from the title's list, else made from the id."""
    return named(game.id).get(card) or printed(card.partition("/")[2] or card.replace("_", " "))


@functools.cache
def named(game: str) -> dict[str, str]:
    """Return the names of the cards in the title's catalogue, by id."""
    found = games.find(game)
    return {entry.id: entry.name for entry in found.cards.catalogue} if found else {}


def in_play(db: Database, scope: Scope, game: Game) -> list[Card]:
    """Return every card that was in play in the games of the scope; the card in most games comes first."""
    found: dict[str, list[CardSums]] = {}
    for one in sums(db, scope):
        found.setdefault(one.card, []).append(one)
    cards = [Card(card, label_of(game, card), tuple(by_size)) for card, by_size in found.items()]
    return sorted(cards, key=lambda card: (-card.tables, card.id))


def sums(db: Database, scope: Scope) -> list[CardSums]:
    """Return the counts and points of each card, separately for each number of players."""
    common = db.execute(
        f"""SELECT card, player_count, count(*), sum(sheets), sum(totals), sum(decided), sum(wins) FROM (
            SELECT all_plays.id, player_count, count(*) AS sheets, sum(total) AS totals, {DECIDED} AS decided,
                {WON} AS wins
            FROM all_plays JOIN all_scores ON all_scores.play_id = all_plays.id
            WHERE {scope.where} AND {ITEMISED} GROUP BY all_plays.id, player_count
        ) AS played JOIN all_cards ON all_cards.play_id = played.id AND all_cards.seat = -1
        GROUP BY card, player_count""",
        scope.values,
    )
    found = {(row[0], row[1]): list(row[2:]) + [0] * 5 for row in common}
    of_seats = db.execute(
        f"""SELECT all_cards.card, player_count, common.play_id IS NULL, count(DISTINCT all_plays.id), count(*),
            sum(total), {DECIDED}, {WON}, count(all_cards.points), sum(coalesce(all_cards.points, 0)),
            sum(all_cards.pieces), count(winner) FILTER (WHERE player_count > 1 AND all_cards.points IS NOT NULL),
            count(*) FILTER (WHERE winner = 1 AND player_count > 1 AND all_cards.points IS NOT NULL)
        FROM all_plays JOIN all_cards ON all_cards.play_id = all_plays.id AND all_cards.seat >= 0
        JOIN all_scores ON all_scores.play_id = all_plays.id AND all_scores.seat = all_cards.seat
        LEFT JOIN all_cards AS common
        ON common.play_id = all_plays.id AND common.card = all_cards.card AND common.seat = -1
        WHERE {scope.where} AND {ITEMISED} GROUP BY all_cards.card, player_count, common.play_id IS NULL""",
        scope.values,
    )
    for name, count, is_own, *row in of_seats:
        mine = found.setdefault((name, count), [0] * 10)
        for place, amount in enumerate(row):
            if is_own or place >= 5:  # the first five of a common card were counted above
                mine[place] += amount
    return [CardSums(name, count, *row) for (name, count), row in sorted(found.items())]


@dataclass(frozen=True, slots=True)
class Builder:
    """Hold how often a player has a card: `sheets` are the games in which that was possible, `had` those in which it
    happened. `pieces` is the number of pieces of the card in all of them."""

    player_id: int
    name: str
    sheets: int
    had: int
    pieces: int

    @property
    def often(self) -> float:
        """Return how often the player has the card: pieces per game, or if no pieces are known, the share of games."""
        return (self.pieces or self.had) / self.sheets


def most_often(db: Database, scope: Scope, card: Card) -> Builder | None:
    """Return the player who has the card in the largest share of games, with these figures.

    Only players with at least three games count. Return None if everybody always has the card, or if two players lead.
    """
    rows = db.execute(
        f"""SELECT players.id, name, count(*), count(mine.points), sum(coalesce(mine.pieces, 0))
        FROM all_plays JOIN all_cards ON all_cards.play_id = all_plays.id AND all_cards.card = ?
        AND all_cards.seat = -1 JOIN all_scores ON all_scores.play_id = all_plays.id
        LEFT JOIN all_cards AS mine
        ON mine.play_id = all_plays.id AND mine.card = all_cards.card AND mine.seat = all_scores.seat
        JOIN players ON players.id = player_id
        WHERE {scope.where} AND {ITEMISED} GROUP BY players.id, name""",
        [card.id, *scope.values],
    ).fetchall()
    found = sorted((Builder(*row) for row in rows if row[2] >= FEW), key=lambda who: -who.often)
    is_had_by_all = card.use.hits == card.use.of
    if len(found) < 2 or is_had_by_all or found[0].often == found[1].often:
        return None
    return found[0]


def of_player(db: Database, scope: Scope, player_id: int) -> dict[str, list[Fourfold]]:
    """Return by card a player's wins with and without it, one `Fourfold` for each number of players.

    Only cards that were in play for everybody count.
    """
    with_it = "FILTER (WHERE mine.points IS NOT NULL)"
    rows = db.execute(
        f"""SELECT all_cards.card, player_count, count(*) FILTER (WHERE winner = 1 AND mine.points IS NOT NULL),
            count(winner) {with_it}, count(*) FILTER (WHERE winner = 1), count(winner)
        FROM all_scores JOIN all_plays ON all_plays.id = all_scores.play_id
        JOIN all_cards ON all_cards.play_id = all_plays.id AND all_cards.seat = -1
        LEFT JOIN all_cards AS mine
        ON mine.play_id = all_plays.id AND mine.card = all_cards.card AND mine.seat = all_scores.seat
        WHERE player_id = ? AND player_count > 1 AND {scope.where} AND {ITEMISED}
        GROUP BY all_cards.card, player_count ORDER BY all_cards.card, player_count""",
        [player_id, *scope.values],
    )
    return _by_card((card, hits, of, wins - hits, decided - of) for card, _, hits, of, wins, decided in rows)


def _by_card(rows: Iterable[Sequence[Any]]) -> dict[str, list[Fourfold]]:
    found: dict[str, list[Fourfold]] = {}
    for card, *numbers in rows:
        found.setdefault(card, []).append(Fourfold(*numbers))
    return found


def known(db: Database, scope: Scope, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return those card ids in `wanted` that exist: in the title's catalogue, or in a saved game of the club."""
    names = named(scope.game)
    seen = (
        "SELECT 1 FROM all_plays JOIN all_cards ON play_id = all_plays.id "
        "WHERE club_id = ? AND deleted_at IS NULL AND game = ? AND card = ? LIMIT 1"
    )
    return tuple(
        card
        for card in dict.fromkeys(wanted)
        if card in names or db.execute(seen, [scope.club_id, scope.game, card]).fetchone()
    )
