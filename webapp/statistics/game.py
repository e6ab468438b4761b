"""One game in one club: how scores spread, where points come from, which seat wins, what is built where, who leads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from scorer.contract import Choice, Game
from scorer.sentences import Sentence, in_a_row
from webapp.database import Database
from webapp.history import Rating, careers
from webapp.statistics import cards
from webapp.statistics.measures import Rate, Spread
from webapp.statistics.scope import Scope
from webapp.table import kinds

MOST_RECORDS = 12  # of the ways of playing that are played most
MOST_RATED = 20
MOST_DRAWN = 12  # lines of the pad
L = TypeVar("L")


def ways(db: Database, club_id: int, game: str) -> list[dict[str, Any]]:
    """Player counts and variants that were played, the most played first."""
    return list(
        db.query(
            """SELECT player_count, variant, plays, timed, minutes FROM tally_plays
            WHERE club_id = ? AND place = '' AND period = '' AND game = ? AND variant <> '*'
            ORDER BY plays DESC, player_count, variant""",
            [club_id, game],
        )
    )


def by_player_count(db: Database, scope: Scope) -> list[tuple[int, Spread]]:
    """The totals of each player count by itself, read in the order in which they are kept."""
    found: dict[int, list[tuple[int, int]]] = {}
    for count, total, sheets in db.execute(
        f"SELECT player_count, total, sheets FROM tally_totals WHERE {scope.where}", scope.values
    ):
        found.setdefault(count, []).append((total, sheets))
    return [(count, Spread.of(found[count])) for count in sorted(found)]


def spread(by_count: Sequence[tuple[int, Spread]]) -> Spread:
    """The totals of all player counts together."""
    return Spread.of(chain.from_iterable(one.counts.items() for _, one in by_count))


@dataclass(frozen=True, slots=True)
class LineAverage:
    """A line of the pad: on how many sheets it stood, and what it brought to all that could have it on average."""

    rule: str
    label: str
    sheets: int
    of: int
    points: int

    @property
    def mean(self) -> float:
        return self.points / self.of if self.of else 0.0


def lines(db: Database, scope: Scope, game: Game, dealt: cards.Dealt) -> list[LineAverage]:
    """Where points come from: of a card's line, on the sheets of tables where the card was in play.

    Games of which only totals are known have no lines and are left out.
    """
    found: dict[str, tuple[int, int]] = {}
    for rule, sheets, points in db.execute(
        f"SELECT rule, sheets, points FROM tally_lines WHERE {scope.where}", scope.values
    ):
        held = found.get(rule, (0, 0))
        found[rule] = (held[0] + sheets, held[1] + points)
    [scores] = db.execute(f"SELECT coalesce(sum(sheets), 0) FROM tally_plays WHERE {scope.where}", scope.values)
    itemised = scores[0] - sum(sheets for rule, (sheets, _) in found.items() if rule not in game.rules)
    in_play = {card.id: card.sheets for card in cards.in_play(dealt, game)}
    return [
        LineAverage(rule, label, found[rule][0], in_play.get(rule, itemised), found[rule][1])
        for rule, label in game.rules.items()
        if rule in found
    ]


def foremost(lines: Sequence[L], worth: Callable[[L], float]) -> list[L]:
    """The lines that tell most, in the order of the pad, where all of them would make a long drawing."""
    if len(lines) <= MOST_DRAWN:
        return list(lines)
    most = sorted(lines, key=lambda line: -abs(worth(line)))[:MOST_DRAWN]
    return [line for line in lines if line in most]


def seats(db: Database, scope: Scope) -> list[tuple[int, list[Rate]]]:
    """By player count, the rate of victories of each seat."""
    found: dict[int, list[Rate]] = {}
    for count, wins, plays in db.execute(
        f"""SELECT player_count, sum(wins), sum(plays) FROM tally_seats WHERE {scope.where}
        GROUP BY player_count, seat ORDER BY player_count, seat""",
        scope.values,
    ).fetchall():
        found.setdefault(count, []).append(Rate(wins, plays))
    return list(found.items())


@dataclass(frozen=True, slots=True)
class Record:
    """The best total of one way of playing, who holds it and since when."""

    player_count: int
    variant: str
    plays: int
    total: int
    player_id: int
    player: str
    key: str
    played_at: str


def records(db: Database, club_id: int, game: str) -> list[Record]:
    """Whoever reached a total first holds the record."""
    return [
        Record(way["player_count"], way["variant"], way["plays"], **row)
        for way in ways(db, club_id, game)[:MOST_RECORDS]
        for row in db.query(
            """SELECT total, player_id, players.name AS player, kept_plays.key, kept_scores.played_at
            FROM kept_scores JOIN players ON players.id = player_id JOIN kept_plays ON kept_plays.id = play_id
            WHERE kept_scores.club_id = ? AND kept_scores.game = ? AND kept_scores.player_count = ?
            AND kept_scores.variant = ? AND total IS NOT NULL ORDER BY total DESC, kept_scores.played_at LIMIT 1""",
            [club_id, game, way["player_count"], way["variant"]],
        )
    ]


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's skill in a game and how many plays it rests on."""

    player_id: int
    name: str
    nth: int
    rating: Rating


def ratings(db: Database, club_id: int, game: str) -> list[Rated]:
    """The club's players by what their skill is at least, with 95 % certainty."""
    people = db.execute("SELECT id, name FROM players WHERE club_id = ?", [club_id]).fetchall()
    found = [
        Rated(player_id, name, career.nth, career.rating)
        for player_id, name in people
        if (career := careers.find(db, player_id, game)) is not None
    ]
    return sorted(found, key=lambda rated: -rated.rating.low)[:MOST_RATED]


@dataclass(frozen=True, slots=True)
class Built:
    """A piece, and how many of it lie on a board on average."""

    choice: Choice
    squares: int
    boards: int

    @property
    def mean(self) -> float:
        return self.squares / self.boards if self.boards else 0.0


def pieces(db: Database, scope: Scope, board: kinds.Painted) -> list[Built]:
    """The pieces of a board, the most-built first; the squares left empty, the first of the palette, last."""
    rows = db.execute(
        "SELECT piece, sum(squares) FROM tally_squares WHERE club_id = ? AND game = ? AND board = ? GROUP BY piece",
        [scope.club_id, scope.game, board.asked.name],
    ).fetchall()
    # Every board has something, if only nothing, on its first square; not every board is equally long.
    [boards] = db.execute(
        """SELECT coalesce(sum(squares), 0) FROM tally_squares
        WHERE club_id = ? AND game = ? AND board = ? AND cell = ?""",
        [scope.club_id, scope.game, board.asked.name, board.cells()[0][0]],
    ).fetchone()
    by_value = {str(choice.value): choice for choice in board.asked.choices}
    empty = str(board.asked.choices[0].value)
    built = [Built(by_value[piece], times, boards) for piece, times in rows if piece in by_value]
    return sorted(built, key=lambda one: (str(one.choice.value) == empty, -one.squares, one.choice.label))


def heat(db: Database, scope: Scope, board: kinds.Painted, piece: str, boards: int) -> list[list[tuple[str, float]]]:
    """For each square its name and the share of boards that have the piece there."""
    rows = db.execute(
        "SELECT cell, squares FROM tally_squares WHERE club_id = ? AND game = ? AND board = ? AND piece = ?",
        [scope.club_id, scope.game, board.asked.name, piece],
    ).fetchall()
    times = dict(rows)
    return [[(cell, times.get(cell, 0) / boards if boards else 0.0) for cell in row] for row in board.cells()]


def way_label(game: Game | None, variant: str) -> Sentence:
    """The words for a variant: "Town Hall, Fortune"; "" for the first game's.

    A choice that the game no longer has goes by its value.
    """
    labels: dict[str, str] = {
        f"{asked.name}={choice.value}": choice.label
        for asked in (game.inputs if game else ())
        for choice in asked.choices
    }
    return in_a_row([labels.get(way, way.split("=")[-1].replace("_", " ")) for way in variant.split("|") if way])


def every_way(variants: Sequence[str]) -> list[str]:
    """The single ways that these variants are made of, for a filter."""
    return sorted({way for variant in variants for way in variant.split("|") if way})
