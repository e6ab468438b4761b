"""Say in plain words which differences in the figures are probably no chance, and how sure we are.

The methods are in `significance`. All questions of a page are tested together, and only clear answers are mentioned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scorer.contract import Game
from scorer.sentences import Sentence, say, say_count
from webapp.statistics.cards import Card, label_of
from webapp.statistics.measures import Rate
from webapp.statistics.player import Opponent, Results
from webapp.statistics.significance import (
    Fourfold,
    Tosses,
    association,
    binomial_test,
    significant,
    standardised_shares,
    welch_test,
)
from webapp.template_filters import mean, percent

LEAST = 10  # games of each kind, before they are compared
LEAST_SCORES = 30  # of each kind, before averages are compared
LEAST_TO_DENY = 60  # games in which a difference would have shown
MOST_INSIGHTS = 6
SURE = ((0.001, say("Very sure.")), (0.01, say("Quite sure.")), (1.0, say("Likely, but not certain.")))
NOTHING_SEEN = say("No difference found.")


@dataclass(frozen=True, slots=True)
class Question:
    """Hold a sentence with the probability that chance alone explains what it says."""

    chance: float
    says: Sentence
    rests_on: Sentence


@dataclass(frozen=True, slots=True)
class Insight:
    """Hold a sentence that chance hardly explains, the games that it is based on, and how sure we are."""

    says: Sentence
    rests_on: Sentence
    sure: Sentence


def insights(questions: Sequence[Question]) -> list[Insight]:
    """Return the sentences of those questions whose answer chance hardly explains, surest first."""
    shown = [
        one
        for one, stands_out in zip(questions, significant([one.chance for one in questions]), strict=True)
        if stands_out
    ]
    shown.sort(key=lambda one: one.chance)
    return [
        Insight(one.says, one.rests_on, next(words for bound, words in SURE if one.chance <= bound))
        for one in shown[:MOST_INSIGHTS]
    ]


# -- does starting pay? ---


def of_seats(seats: Iterable[tuple[int, Sequence[Rate]]]) -> list[Insight]:
    """Return what stands out about how often the first player wins, in a list of at most one Insight.

    `seats` has for each number of players the rate of wins of each seat. If many games show no difference, the sentence
    says so.
    """
    strata = [
        Tosses(rates[0].hits, rates[0].of, sum(rate.hits for rate in rates) / sum(rate.of for rate in rates))
        for _, rates in seats
        if rates[0].of
    ]
    rate = Rate(sum(one.hits for one in strata), sum(one.of for one in strata))
    if rate.of < LEAST:
        return []
    chance, fair = binomial_test(strata), sum(one.of * one.chance for one in strata) / rate.of
    says = say(
        "The first player wins {rate} of games. An even share would be {fair}.",
        rate=percent(rate.share),
        fair=percent(fair),
    )
    rests_on = say_count("{hits} of {n} game.", "{hits} of {n} games.", rate.of, hits=rate.hits)
    found = insights([Question(chance, says, rests_on)])
    if not found and chance > 0.2 and rate.of >= LEAST_TO_DENY:
        nothing = say_count("Going first doesn’t help ({n} game).", "Going first doesn’t help ({n} games).", rate.of)
        found.append(Insight(nothing, says, NOTHING_SEEN))
    return found


# -- do cards win? ---


def of_cards(game: Game, cards: Iterable[Card]) -> list[Insight]:
    """Return insights on the cards with which players win more or less often than others at the same tables."""
    return insights([question for card in cards if (question := _winning(game, card)) is not None])


def _winning(game: Game, card: Card) -> Question | None:
    strata = [one.fourfold for one in card.by_size]
    alike = standardised_shares(strata, LEAST)
    if alike is None:
        return None
    # One player wins: is it one with the card more often than the share of players with the card?
    chance = binomial_test(Tosses(one.hits, one.hits + one.other_hits, one.of / one.n) for one in strata if one.n)
    says = say(
        "Players with {card} win {rate} of their games. Players without it win {other}.",
        card=label_of(game, card.id),
        rate=percent(alike[0]),
        other=percent(alike[1]),
    )
    return Question(chance, says, compared(strata))


def compared(strata: Sequence[Fourfold]) -> Sentence:
    """Return a sentence such as "12 scores with this card, 30 without", summed over all numbers of players."""
    return say(
        "{n} scores with this card, {others} without",
        n=sum(one.of for one in strata),
        others=sum(one.other_of for one in strata),
    )


def of_players_cards(name: str, game: Game, by_card: dict[str, list[Fourfold]]) -> list[Insight]:
    """Return insights on the cards with which a player wins more or less often, at tables of the same size. `by_card`
    has the wins with and without each card, for each number of players."""
    asked = []
    for card, strata in by_card.items():
        alike = standardised_shares(strata, LEAST)
        if alike is not None:
            says = say(
                "{name} wins {rate} of {game} games with {card}, and {other} without it.",
                name=name,
                rate=percent(alike[0]),
                game=game.name,
                card=label_of(game, card),
                other=percent(alike[1]),
            )
            asked.append(Question(association(strata), says, compared(strata)))
    return insights(asked)


# -- what is remarkable about a player? ---


def of_player(name: str, played: Sequence[Game], done: Sequence[Results], met: Sequence[Opponent]) -> list[Insight]:
    """Return insights on a player's scores over the years and on results against frequent opponents. `played` has the
    titles, `done` the player's results, and `met` the opponents."""
    asked = [question for game in played for question in _trend(name, game, done)]
    return insights([*asked, *_rivals(name, met)])


def _trend(name: str, game: Game, done: Sequence[Results]) -> Iterator[Question]:
    """Yield the question whether the player's average in the latest year differs from that of the years before. It is
    about the most played combination of number of players and variant. Yield nothing if either side has fewer than
    `LEAST_SCORES` scores. `done` has the player's results."""
    groups: dict[tuple[int, str], dict[str, list[int]]] = {}
    for one in done:
        if one.game == game.id and one.total is not None:
            sums = groups.setdefault((one.player_count, one.variant), {}).setdefault(one.month[:4], [0, 0, 0])
            for place, amount in enumerate((1, one.total, one.total**2)):
                sums[place] += one.plays * amount
    if not groups:
        return
    most = max(sorted(groups), key=lambda group: sum(scores for scores, *_ in groups[group].values()))
    *earlier, (year, now) = sorted(groups[most].items())
    before = [sum(sums[place] for _, sums in earlier) for place in range(3)]
    if min(now[0], before[0]) < LEAST_SCORES:
        return
    means = now[1] / now[0], before[1] / before[0]
    variances = [max(0.0, sums[2] / sums[0] - (sums[1] / sums[0]) ** 2) for sums in (now, before)]
    yield Question(
        welch_test(means[0], variances[0], now[0], means[1], variances[1], before[0]),
        say(
            "Since {year}, {name} has averaged {mean} in {game}. Before that, the average was {other}.",
            name=name,
            mean=mean(means[0]),
            game=game.name,
            year=year,
            other=mean(means[1]),
        ),
        say_count(
            "{now} newer scores, {n} older ones, with {players} players",
            "{now} newer scores, {n} older ones, with {players} players",
            before[0],
            now=now[0],
            players=most[0],
        ),
    )


def _rivals(name: str, met: Sequence[Opponent]) -> Iterator[Question]:
    """Yield a question for each opponent with at least `LEAST` games: who of the two finishes ahead more often? Ties
    don't count."""
    for one in met:
        decided = one.won + one.lost
        if decided >= LEAST:
            rate = Rate(max(one.won, one.lost), decided)
            ahead, behind = (name, one.name) if one.won >= one.lost else (one.name, name)
            yield Question(
                binomial_test([Tosses(one.won, decided, 0.5)]),
                say(
                    "{ahead} finishes ahead of {behind} in {rate} of their games.",
                    ahead=ahead,
                    behind=behind,
                    rate=percent(rate.share),
                ),
                say_count(
                    "{hits} of {n} game, not counting ties.",
                    "{hits} of {n} games, not counting ties.",
                    rate.of,
                    hits=rate.hits,
                ),
            )
