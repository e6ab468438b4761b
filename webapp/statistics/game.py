"""Compute the page of a title: the spread of scores, where points come from, records and ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from scorer.contract import Game, choices_of
from scorer.record import TOTAL
from scorer.sentences import Sentence, in_a_row
from webapp.database import Database
from webapp.history import Rating
from webapp.statistics.measures import FEW, Average, Spread
from webapp.statistics.scope import Scope, months

MOST_RECORDS = 12  # variants with a record, the most played ones
MOST_RATED = 20
MOST_DRAWN = 12  # score lines
MOST_PLACES = 30
STEPS = 36  # months that fit side by side
L = TypeVar("L")


@dataclass(frozen=True, slots=True)
class Choices:
    """Hold what people can filter games by, such as years; the most played places and variants come first."""

    months: tuple[str, str] = ("", "")  # the first and the last
    years: tuple[str, ...] = ()
    places: tuple[tuple[str, int], ...] = ()
    counts: tuple[int, ...] = ()
    variants: tuple[str, ...] = ()


def choices(db: Database, club_id: int, game: str = "") -> Choices:
    """Return the filter choices among all games of the club, or of one title if `game` is given."""
    scope = Scope(club_id, game)
    rows = db.execute(
        f"""SELECT substr(day, 1, 4), place, player_count, variant, count(*), min(day), max(day) FROM all_plays
        WHERE {scope.where} GROUP BY 1, 2, 3, 4""",
        scope.values,
    ).fetchall()
    if not rows:
        return Choices()
    places, variants = _played([(row[1], row[4]) for row in rows]), _played([(row[3], row[4]) for row in rows])
    return Choices(
        (min(row[5] for row in rows)[:7], max(row[6] for row in rows)[:7]),
        tuple(sorted({row[0] for row in rows}, reverse=True)),
        tuple((place, plays) for place, plays in places if place)[:MOST_PLACES],
        tuple(sorted({row[2] for row in rows})),
        tuple(variant for variant, _ in variants)[:MOST_RECORDS],
    )


def _played(rows: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    sums: dict[str, int] = {}
    for name, plays in rows:
        sums[name] = sums.get(name, 0) + plays
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


@dataclass(frozen=True, slots=True)
class Scores:
    """Hold all scores of a scope. `open` counts the scores not known yet; all other fields leave these out."""

    by_count: list[tuple[int, Spread]]
    over_time: list[Average]
    open: int

    @property
    def spread(self) -> Spread:
        """Return how often each score was reached, whatever the number of players."""
        return Spread.of(chain.from_iterable(one.counts.items() for _, one in self.by_count))


def scores(db: Database, scope: Scope) -> Scores:
    """Return how often each score was reached, by number of players, and the averages over time."""
    rows = db.execute(
        f"""SELECT player_count, substr(day, 1, 7), total, count(*)
        FROM all_plays JOIN all_scores ON play_id = all_plays.id WHERE {scope.where} GROUP BY 1, 2, 3""",
        scope.values,
    ).fetchall()
    found: dict[int, list[tuple[int, int]]] = {}
    for count, _, total, times in rows:
        if total is not None:
            found.setdefault(count, []).append((total, times))
    return Scores(
        [(count, Spread.of(found[count])) for count in sorted(found)],
        over_time([(month, total, times) for _, month, total, times in rows if total is not None]),
        sum(times for *_, total, times in rows if total is None),
    )


def over_time(rows: Sequence[tuple[str, int, int]]) -> list[Average]:
    """Return the average scores of months, or of years if there would be more than `STEPS` months. `rows` have a month,
    a score and how often it was reached. Months and years with fewer than `FEW` scores are left out."""
    if not rows:
        return []
    played = [month for month, _, _ in rows]
    length = 7 if len(months(min(played), max(played))) <= STEPS else 4
    sums: dict[str, list[int]] = {}
    for month, total, times in rows:
        mine = sums.setdefault(month[:length], [0, 0, 0])
        mine[0] += times
        mine[1] += times * total
        mine[2] += times * total * total
    return [Average.of(period, *mine) for period, mine in sorted(sums.items()) if mine[0] >= FEW]


@dataclass(frozen=True, slots=True)
class LineAverage:
    """Hold the points of one line of the score sheet, summed over all `of` score sheets that could have it."""

    rule: str
    label: Sentence
    of: int
    points: int

    @property
    def mean(self) -> float:
        return self.points / self.of if self.of else 0.0


def lines(db: Database, scope: Scope, game: Game, scores: Scores) -> list[LineAverage]:
    """Return the points of each score line, in the order of the score sheet. `scores` are those of the same scope.

    Sheets with only a total are left out. The line of a card in play for everybody counts on the sheets of games that
    had the card.
    """
    points = {
        rule: (sheets, total)
        for rule, sheets, total in db.execute(
            f"""SELECT rule, count(*), sum(points) FROM all_plays JOIN all_lines ON play_id = all_plays.id
            WHERE {scope.where} GROUP BY rule""",
            scope.values,
        )
    }
    plain, _ = points.get(TOTAL, (0, 0))
    with_card = sheets_with_cards(db, scope, bool(plain or scores.open))
    return [
        LineAverage(rule, label, with_card.get(rule, scores.spread.n - plain), points[rule][1])
        for rule, label in game.rules.items()
        if rule in points
    ]


ITEMISED = """total IS NOT NULL AND NOT EXISTS (SELECT 1 FROM all_lines
    WHERE all_lines.play_id = all_scores.play_id AND all_lines.seat = all_scores.seat AND position = 0
    AND rule = 'total')"""


def sheets_with_cards(db: Database, scope: Scope, has_plain: bool) -> dict[str, int]:
    """Return by card id the number of score sheets in games that had the card in play for everybody. Set `has_plain` if
    some sheets have only a total or no score. They do not count, which costs another query."""
    sheets = dict(
        db.execute(
            f"""SELECT card, sum(player_count) FROM all_plays JOIN all_cards ON play_id = all_plays.id
            WHERE {scope.where} AND seat = -1 GROUP BY card""",
            scope.values,
        ).fetchall()
    )
    if not sheets or not has_plain:
        return sheets
    left_out = db.execute(
        f"""SELECT card, count(*) FROM all_plays JOIN all_scores ON all_scores.play_id = all_plays.id
        JOIN all_cards ON all_cards.play_id = all_plays.id AND all_cards.seat = -1
        WHERE {scope.where} AND NOT ({ITEMISED}) GROUP BY card""",
        scope.values,
    )
    for card, plain in left_out:
        sheets[card] -= plain
    return sheets


def most_relevant(lines: Sequence[L], worth: Callable[[L], float]) -> list[L]:
    """Return those `lines` of a score sheet whose `worth` is farthest from 0, at most `MOST_DRAWN`, in their order."""
    if len(lines) <= MOST_DRAWN:
        return list(lines)
    most = sorted(lines, key=lambda line: -abs(worth(line)))[:MOST_DRAWN]
    return [line for line in lines if line in most]


@dataclass(frozen=True, slots=True)
class Record:
    """Hold the best score of one variant and number of players, and who reached it first."""

    player_count: int
    variant: str
    plays: int
    total: int
    player_id: int
    player: str
    key: str
    played_at: str


def records(db: Database, scope: Scope) -> list[Record]:
    """Return the best score for each combination of variant and number of players. The most played combination comes
    first, and there are at most `MOST_RECORDS`."""
    rows = db.execute(
        f"""WITH best AS (
            SELECT player_count AS players, variant AS way, max(total) AS most, count(DISTINCT all_plays.id) AS plays
            FROM all_plays JOIN all_scores ON play_id = all_plays.id WHERE {scope.where} GROUP BY 1, 2
        ), reached AS (
            SELECT best.*, all_plays.id AS play_id, all_plays.played_at, all_scores.seat, player_id, row_number() OVER (
                PARTITION BY players, way ORDER BY all_plays.played_at, all_plays.id, all_scores.seat) AS nth
            FROM best JOIN all_plays ON player_count = players AND variant = way
            JOIN all_scores ON all_scores.play_id = all_plays.id AND total = most WHERE {scope.where}
        )
        SELECT players, way, plays, most, player_id, name, key, reached.played_at
        FROM reached JOIN players ON players.id = player_id JOIN all_plays ON all_plays.id = play_id
        WHERE nth = 1 ORDER BY plays DESC, players, way LIMIT {MOST_RECORDS}""",
        [*scope.values, *scope.values],
    )
    return [Record(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class Rated:
    """Hold a player's rating in a title and the number of games that it is based on."""

    player_id: int
    name: str
    plays: int
    rating: Rating


def ratings(db: Database, club_id: int, game: str) -> list[Rated]:
    """Return the best-rated players of a title, best first, at most `MOST_RATED`. They are compared by `Rating.low`,
    the skill minus twice the doubt."""
    rows = db.execute(
        """SELECT player_id, name, plays, skill, doubt FROM standings JOIN players ON players.id = player_id
        WHERE standings.club_id = ? AND game = ?""",
        [club_id, game],
    ).fetchall()
    found = [Rated(number, name, plays, Rating(skill, doubt)) for number, name, plays, skill, doubt in rows]
    return sorted(found, key=lambda rated: (-rated.rating.low, rated.name))[:MOST_RATED]


def variant_label(game: Game | None, variant: str) -> Sentence:
    """Return the words for a variant, such as "Town Hall, Fortune", or "" for the basic game.

    A choice that the title no longer has is shown by its value.
    """
    labels: dict[str, str] = {
        f"{asked.name}={choice.value}": choice.label
        for asked in (game.inputs if game else ())
        for choice in choices_of(asked)
    }
    return in_a_row(
        [labels.get(option, option.split("=")[-1].replace("_", " ")) for option in variant.split("|") if option]
    )


def variants(db: Database, club_id: int, game: str) -> list[str]:
    """Return the different options in all variants that the club has played of this title, sorted. Each is a text such
    as "path=value"."""
    found: set[str] = set()
    after = ""
    while variant := db.execute(
        """SELECT min(variant) FROM all_plays
        WHERE club_id = ? AND deleted_at IS NULL AND game = ? AND variant > ?""",
        [club_id, game, after],
    ).fetchone()[0]:
        found.update(variant.split("|"))
        after = variant
    return sorted(found)
