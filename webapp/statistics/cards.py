"""Cards: at how many tables each was in play, what it brought, whether it wins, and who builds most of it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

from scorer import games
from scorer.contract import Game
from scorer.sentences import printed
from webapp.database import Database
from webapp.statistics.measures import FEW, Rate
from webapp.statistics.scope import Scope

WON = ("contests", "wins", "built_contests", "built_wins")
SUMS = ("tables", "sheets", "points", "totals", "built", "pieces", *WON)
Dealt = dict[tuple[str, int], list[int]]  # by card and number of players, those sums


@dataclass(frozen=True, slots=True)
class Card:
    """A card at the tables that had it. `sheets` are those of all who could have it, `built` of those who had."""

    id: str
    label: str
    tables: int
    sheets: int
    points: int
    totals: int
    built: int
    pieces: int
    contests: int
    wins: int
    built_contests: int
    built_wins: int

    @property
    def mean(self) -> float:
        """Points on the sheets that had it."""
        return self.points / self.built if self.built else 0.0

    @property
    def total(self) -> float:
        """The average score of everybody at its tables."""
        return self.totals / self.sheets if self.sheets else 0.0

    @property
    def use(self) -> Rate:
        return Rate(self.built, self.sheets)

    @property
    def with_it(self) -> Rate:
        return Rate(self.built_wins, self.built_contests)

    @property
    def without_it(self) -> Rate:
        return Rate(self.wins - self.built_wins, self.contests - self.built_contests)


def label_of(game: Game, card: str) -> str:
    """The words for a card: of the catalogue, or the name it was given."""
    return named(game.id).get(card) or printed(card.partition("/")[2] or card.replace("_", " "))


@functools.cache
def named(game: str) -> dict[str, str]:
    """The cards of the catalogue."""
    found = games.find(game)
    return {entry.id: entry.name for entry in found.catalogue} if found else {}


def dealt(db: Database, scope: Scope, columns: Sequence[str] = SUMS) -> Dealt:
    """The sums of each card by number of players, read once for all that a page asks of them.

    They are added up here: SQLite would sort the rows of all months first, which costs more the fuller the months are.
    """
    found: Dealt = {}
    for card, count, *sums in db.execute(
        f"SELECT card, player_count, {', '.join(columns)} FROM tally_cards WHERE {scope.where}", scope.values
    ):
        held = found.get((card, count))
        found[card, count] = sums if held is None else list(map(add, held, sums))
    return found


def in_play(found: Dealt, game: Game) -> list[Card]:
    """Every card that was in play, the one at most tables first."""
    whole: dict[str, list[int]] = {}
    for (card, _), sums in found.items():
        whole[card] = list(map(add, whole.get(card, [0] * len(SUMS)), sums))
    cards = [Card(card, label_of(game, card), *sums) for card, sums in whole.items()]
    return sorted(cards, key=lambda card: (-card.tables, card.id))


@dataclass(frozen=True, slots=True)
class Builder:
    """Somebody with a card: at how many tables she could have it, and what it brought her."""

    player_id: int
    name: str
    sheets: int
    points: int
    built: int
    pieces: int

    @property
    def mean(self) -> float:
        return self.points / self.sheets

    @property
    def often(self) -> float:
        """Pieces a table, where boards were entered square by square; otherwise the share of tables."""
        return (self.pieces or self.built) / self.sheets


def builders(db: Database, scope: Scope, card: str = "") -> dict[str, list[Builder]]:
    """By card, or of one, who has most of it on average, those with three tables at least; of all plays of the game."""
    found: dict[str, list[Builder]] = {}
    for one, *row in db.execute(
        """SELECT card, player_id, name, sum(sheets), sum(points), sum(built), sum(pieces)
        FROM players JOIN tally_player_cards ON player_id = players.id
        WHERE club_id = ?1 AND game = ?2 AND (CAST(?3 AS INTEGER) IS NULL OR player_count = ?3)
        AND (?4 = '' OR card = ?4)
        GROUP BY card, player_id, name""",
        [scope.club_id, scope.game, scope.players, card],
    ).fetchall():
        builder = Builder(*row)
        if builder.sheets >= FEW:
            found.setdefault(one, []).append(builder)
    return {one: sorted(those, key=lambda who: (-who.often, who.name)) for one, those in found.items()}


def of_player(db: Database, player_id: int, game: str) -> list[dict[str, Any]]:
    """A player's sums of each card, by number of players."""
    return list(
        db.query(
            """SELECT card, player_count, sheets, points, built, pieces, contests, wins, built_contests, built_wins
            FROM tally_player_cards WHERE player_id = ? AND game = ?""",
            [player_id, game],
        )
    )


def chosen(found: Sequence[Card], card: str) -> Card | None:
    return next((one for one in found if one.id == card), None)
