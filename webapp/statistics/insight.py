"""Insights: what the sums show beyond chance, in plain words, with how sure one can be. Methods: `chance`.

All questions that a page asks are asked together, and only what stands out among all of them is told. Of a question
that everybody asks, whether starting pays, it is also told when nothing is to be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scorer import games
from scorer.contract import Game
from scorer.sentences import Sentence, say, say_count
from webapp.database import Database
from webapp.history import Person
from webapp.statistics import cards, club
from webapp.statistics import player as players
from webapp.statistics.chance import Fourfold, Tosses, apart, association, shares, shares_alike, surprising
from webapp.statistics.measures import Rate
from webapp.statistics.scope import Scope
from webapp.words import mean, percent

LEAST = 10  # games of each kind, or there is nothing to compare
LEAST_SCORES = 30  # of each kind, before averages are compared
LEAST_TO_DENY = 60  # games in which a difference would have shown
MOST_TOLD = 6
SURE = ((0.001, say("very sure")), (0.01, say("quite sure")), (1.0, say("likely, not certain")))


@dataclass(frozen=True, slots=True)
class Question:
    """Something that was looked at: how likely chance alone explains it, and what to say if that is unlikely."""

    chance: float
    says: Sentence
    rests_on: Sentence


@dataclass(frozen=True, slots=True)
class Insight:
    says: Sentence
    rests_on: Sentence
    sure: Sentence


NOTHING_SEEN = say("nothing to be seen")


def told(questions: Sequence[Question], most: int = MOST_TOLD) -> list[Insight]:
    """What stands out among all that was asked, the surest first."""
    kept = [
        one
        for one, stands_out in zip(questions, surprising([one.chance for one in questions]), strict=True)
        if stands_out
    ]
    kept.sort(key=lambda one: one.chance)
    return [
        Insight(one.says, one.rests_on, next(words for bound, words in SURE if one.chance <= bound))
        for one in kept[:most]
    ]


def of_player(db: Database, person: Person, played: Sequence[Game]) -> list[Insight]:
    """What is remarkable about somebody's games."""
    asked: list[Question] = []
    years = club.years(db, person.club_id)
    for game in played:
        asked += builds(db, person, game)
        asked += trend(db, person, game, years)
    asked += rivals(db, person)
    return told(asked)


def builds(db: Database, person: Person, game: Game) -> Iterator[Question]:
    """Does she win more often with a card than without it? Compared among tables of the same size."""
    by_card: dict[str, list[Fourfold]] = {}
    for row in cards.of_player(db, person.id, game.id):
        table = Fourfold(
            row["built_wins"],
            row["built_contests"],
            row["wins"] - row["built_wins"],
            row["contests"] - row["built_contests"],
        )
        by_card.setdefault(row["card"], []).append(table)
    for card, strata in by_card.items():
        alike = shares_alike(strata, LEAST)
        if alike:
            yield Question(
                association(strata),
                say(
                    "{name} wins {rate} of {game} with {card}, {other} without.",
                    name=person.name,
                    rate=percent(alike[0]),
                    game=game.name,
                    card=cards.label_of(game, card),
                    other=percent(alike[1]),
                ),
                say(
                    "{n} games with it and {others} without, compared at tables of the same size",
                    n=sum(one.of for one in strata),
                    others=sum(one.other_of for one in strata),
                ),
            )


def trend(db: Database, person: Person, game: Game, years: Sequence[str]) -> Iterator[Question]:
    """Are her scores of the latest year other than before? Compared at the table size she plays most."""
    rows = db.execute(
        f"""SELECT player_count, variant, period, sheets, points, squared FROM tally_players
        WHERE player_id = ? AND place = '' AND period IN ({", ".join("?" * len(years))}) AND variant <> '*'
        AND game = ? ORDER BY period""",
        [person.id, *years, game.id],
    ).fetchall()
    ways: dict[tuple[int, str], int] = {}
    for count, variant, _, scores, *_ in rows:
        ways[count, variant] = ways.get((count, variant), 0) + scores
    if not ways:
        return
    most = max(ways, key=lambda way: ways[way])
    each = [(row[2], *row[3:]) for row in rows if (row[0], row[1]) == most]
    latest, *_ = each[-1]
    now, before = each[-1][1:], [sum(column) for column in zip(*(year[1:] for year in each[:-1]), strict=True)]
    if len(each) < 2 or min(now[0], before[0]) < LEAST_SCORES:
        return
    means = now[1] / now[0], before[1] / before[0]
    variances = now[2] / now[0] - means[0] ** 2, before[2] / before[0] - means[1] ** 2
    yield Question(
        apart(means[0], variances[0], now[0], means[1], variances[1], before[0]),
        say(
            "{name} scores {mean} in {game} since {year}, {other} before.",
            name=person.name,
            mean=mean(means[0]),
            game=game.name,
            year=latest,
            other=mean(means[1]),
        ),
        say_count(
            "{now} scores and {n} before, with {players} at the table and the same way of playing",
            "{now} scores and {n} before, with {players} at the table and the same way of playing",
            before[0],
            now=now[0],
            players=most[0],
        ),
    )


def rivals(db: Database, person: Person) -> Iterator[Question]:
    """Is she ahead of somebody more often than behind? What is level says nothing."""
    for one in players.opponents(db, person):
        decided = one.won + one.lost
        if decided >= LEAST:
            rate = Rate(max(one.won, one.lost), decided)
            ahead, behind = (person.name, one.name) if one.won >= one.lost else (one.name, person.name)
            yield Question(
                shares([Tosses(one.won, decided, 0.5)]),
                say("{ahead} finishes ahead of {behind} {rate}.", ahead=ahead, behind=behind, rate=percent(rate.share)),
                say_count(
                    "{hits} of {n} meeting that was not level",
                    "{hits} of {n} meetings that were not level",
                    rate.of,
                    hits=rate.hits,
                ),
            )


def of_game(db: Database, scope: Scope, game: Game, dealt: cards.Dealt) -> list[Insight]:
    """What is remarkable about a game in the club: whether starting pays, and which cards win."""
    start = starting(db, scope)
    asked = [*([start[0]] if start else []), *winning_cards(game, dealt)]
    found = told(asked)
    if start and start[0].chance > 0.2 and start[1].of >= LEAST_TO_DENY:
        says = say_count(
            "Starting player advantage: none to be seen in {n} game.",
            "Starting player advantage: none to be seen in {n} games.",
            start[1].of,
        )
        rests_on = say(
            "the first seat wins {rate}, fair would be {fair}", rate=percent(start[1].share), fair=percent(start[2])
        )
        found.append(Insight(says, rests_on, NOTHING_SEEN))
    return found


def starting(db: Database, scope: Scope) -> tuple[Question, Rate, float] | None:
    """Does the first seat win more than its share? Compared with the others at tables of the same size."""
    strata = [
        Tosses(seats[0][0], seats[0][1], sum(wins for wins, _ in seats) / sum(plays for _, plays in seats))
        for seats in seat_sums(db, scope).values()
    ]
    hits, of = sum(one.hits for one in strata), sum(one.of for one in strata)
    fair = sum(one.of * one.chance for one in strata)
    if of < LEAST:
        return None
    rate = Rate(hits, of)
    question = Question(
        shares(strata),
        say(
            "The first seat wins {rate}; fair would be {fair}.",
            rate=percent(rate.share),
            fair=percent(fair / of),
        ),
        say_count("{hits} of {n} game", "{hits} of {n} games", of, hits=hits),
    )
    return question, rate, fair / of


def seat_sums(db: Database, scope: Scope) -> dict[int, list[tuple[int, int]]]:
    """By number of players, the victories and plays of each seat."""
    found: dict[int, list[tuple[int, int]]] = {}
    for count, wins, plays in db.execute(
        f"""SELECT player_count, sum(wins), sum(plays) FROM tally_seats WHERE {scope.where}
        GROUP BY player_count, seat ORDER BY player_count, seat""",
        scope.values,
    ).fetchall():
        found.setdefault(count, []).append((wins, plays))
    return found


def winning_cards(game: Game, dealt: cards.Dealt) -> Iterator[Question]:
    """Do those who have a card win more often than those at the same tables who have not?"""
    by_card: dict[str, list[Fourfold]] = {}
    for (card, _), (*_, contests, wins, built, built_wins) in sorted(dealt.items()):
        by_card.setdefault(card, []).append(Fourfold(built_wins, built, wins - built_wins, contests - built))
    for card, strata in by_card.items():
        alike = shares_alike(strata, LEAST)
        if alike:
            yield Question(
                # One at the table wins: is it one of those who have the card more often than their number says?
                shares(Tosses(one.hits, one.hits + one.other_hits, one.of / one.n) for one in strata if one.n),
                say(
                    "Players with {card} win {rate}, players without it {other}.",
                    card=cards.label_of(game, card),
                    rate=percent(alike[0]),
                    other=percent(alike[1]),
                ),
                say(
                    "{n} score sheets with it and {others} without, compared at tables of the same size",
                    n=sum(one.of for one in strata),
                    others=sum(one.other_of for one in strata),
                ),
            )


def of_club(db: Database, scope: Scope) -> list[tuple[Game, list[Insight]]]:
    """By game, for those of which the chosen plays have something to tell."""
    found = []
    for game in games.everything():
        of_one = replace(scope, game=game.id)
        found.append((game, of_game(db, of_one, game, cards.dealt(db, of_one, cards.WON))))
    return [(game, insights) for game, insights in found if insights]
