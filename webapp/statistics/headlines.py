"""Write the sentences that open a page of statistics: what was played, and who wins more than luck explains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.sentences import Sentence, in_sentences, say, say_count
from webapp.database import Database
from webapp.statistics import results
from webapp.statistics.club import Played
from webapp.statistics.game import Scores
from webapp.statistics.measures import FEW, Rate
from webapp.statistics.player import FINISHED_AHEAD, Meeting, Results
from webapp.statistics.results import Claim, Standing
from webapp.statistics.significance import Tosses, significant
from webapp.template_filters import mean

LEAST_MEETINGS = 5  # before a first win over somebody is mentioned


def leader(claims: Sequence[Claim]) -> tuple[Claim, bool] | None:
    """Return the claim (a player's wins in a title) that luck explains least, and whether luck is ruled out. Return
    None if nobody in `claims` wins more than an even share."""
    asked = [one for one in claims if one.rate.of >= FEW]
    certain = dict(zip(map(id, asked), significant([one.chance for one in asked]), strict=True))
    ahead = [one for one in asked if one.is_ahead and one.rate.hits > 1]
    if not ahead:
        return None
    first = min(ahead, key=lambda one: (one.chance, -one.rate.hits, one.name))
    return first, certain[id(first)]


def claim_sentence(one: Claim, is_certain: bool, title: str, among_all: bool = False) -> Sentence:
    """Return sentences on how often a player won a title, and on whether that may be luck. `title` is its name.
    `is_certain` says that luck is ruled out, `among_all` that the player was picked among all players."""
    won = say_count(
        "{name} has won {wins} of {n} game of {game}.",
        "{name} has won {wins} of {n} games of {game}.",
        one.rate.of,
        name=one.name,
        wins=one.rate.hits,
        game=title,
    )
    if not is_certain and not among_all:
        return in_sentences([won, say("That may still be luck.")])
    if not is_certain:
        return in_sentences([won, say("Among all players, that may still be luck.")])
    if one.is_ahead:
        return in_sentences([won, say("That is more than luck explains.")])
    return in_sentences([won, say("Bad luck alone doesn’t explain so few wins.")])


def winner_sentences(claims: Sequence[Claim], titles: Mapping[str, str], among_all: bool = True) -> list[Sentence]:
    """Return a list with the sentence about the winner whose wins luck explains least (see `leader`), or an empty list.
    `titles` has the names of titles by id. `among_all` says whether `claims` are those of all players."""
    found = leader(claims)
    return [claim_sentence(*found, titles[found[0].game], among_all)] if found else []


def of_club(played: Sequence[Played], claims: Sequence[Claim], titles: Mapping[str, str]) -> list[Sentence]:
    """Return the sentences that open the page of the club. `played` has its titles, most played first. `claims` has the
    wins of each player, and `titles` the names of titles by id."""
    plays = sum(one.plays for one in played)
    found = [say_count("{n} game was played.", "{n} games were played.", plays)]
    if len(played) > 1 and played[0].plays > played[1].plays:
        most = played[0]
        words = say_count(
            "{game} was played most: {n} time.",
            "{game} was played most: {n} times.",
            most.plays,
            game=titles[most.game],
        )
        found.append(words)
    return found + winner_sentences(claims, titles)


def of_title(plays: int, scores: Scores, claims: Sequence[Claim], titles: Mapping[str, str]) -> list[Sentence]:
    """Return the sentences that open the page of a title with `plays` games. `claims` has the wins of each player, and
    `titles` the names of titles by id."""
    found = [say_count("{n} game was played.", "{n} games were played.", plays)]
    if scores.spread.n:
        found.append(say("The average score is {mean}.", mean=mean(scores.spread.mean)))
    return found + winner_sentences(claims, titles)


def left_out(scores: int, winners: int) -> list[Sentence]:
    """Return sentences on how many scores and winners are not known yet and so not counted."""
    found = []
    if scores:
        found.append(
            say_count(
                "{n} score is not known yet and not included.",
                "{n} scores are not known yet and not included.",
                scores,
            )
        )
    if winners:
        found.append(
            say_count(
                "{n} game without a known winner is not included.",
                "{n} games without a known winner are not included.",
                winners,
            )
        )
    return found


def of_person(
    player: Standing, done: Sequence[Results], met: Sequence[Meeting], titles: Mapping[str, str]
) -> list[Sentence]:
    """Return the sentences that open the page of a player. `done` has the player's results, `met` those against each
    opponent, and `titles` the names of titles by id."""
    plays, contests = sum(one.plays for one in done), sum(one.decided for one in done)
    if contests:
        words = say_count(
            "{name} has won {wins} of {n} game against others.",
            "{name} has won {wins} of {n} games against others.",
            contests,
            name=player.name,
            wins=sum(one.wins for one in done),
        )
    else:
        words = say_count("{name} has played {n} game.", "{name} has played {n} games.", plays, name=player.name)
    claims = _claims_of(player, done, met)
    certain = significant([one.chance for one in claims])
    sure = [one for one, is_certain in zip(claims, certain, strict=True) if is_certain]
    if sure:
        most = min(sure, key=lambda one: one.chance)
        return [words, claim_sentence(most, True, titles[most.game])]
    return [words, *winner_sentences(claims, titles, among_all=False)]


def _claims_of(player: Standing, done: Sequence[Results], met: Sequence[Meeting]) -> list[Claim]:
    """Return the player's wins in each title, with the number that an even share of wins would give. `done` has the
    player's results, `met` those against each opponent."""
    mine: dict[tuple[str, int], Rate] = {}
    for one in done:
        before = mine.get((one.game, one.player_count), Rate(0, 0))
        mine[one.game, one.player_count] = Rate(before.hits + one.wins, before.of + one.decided)
    theirs: dict[tuple[str, int], int] = {}
    for meeting in met:
        size = (meeting.game, meeting.player_count)
        theirs[size] = theirs.get(size, 0) + meeting.their_wins
    by_game: dict[str, list[Tosses]] = {}
    for (game, count), rate in sorted(mine.items()):
        if rate.of:
            share = (rate.hits + theirs.get((game, count), 0)) / (rate.of * count)
            by_game.setdefault(game, []).append(Tosses(rate.hits, rate.of, share))
    claims = [results.claim(game, player, tosses) for game, tosses in by_game.items()]
    return [one for one in claims if one.rate.of >= FEW]


def of_play(db: Database, play_id: int) -> list[Sentence]:
    """Return sentences such as "Ada finished ahead of Bo for the first time in 5 games." There is one for each winner
    and each player whom that winner beat for the first time. The two must have met at least `LEAST_MEETINGS` times
    in this title, this game included."""
    pairs = db.execute(
        """SELECT one.player_id, other.player_id, winner.name, beaten.name
        FROM all_scores AS one JOIN all_scores AS other ON other.play_id = one.play_id AND other.winner = 0
        JOIN players AS winner ON winner.id = one.player_id JOIN players AS beaten ON beaten.id = other.player_id
        WHERE one.play_id = ? AND one.winner = 1 ORDER BY one.seat, other.seat""",
        [play_id],
    ).fetchall()
    now = db.execute("SELECT club_id, game, played_at, id FROM all_plays WHERE id = ?", [play_id]).fetchone()
    found = []
    for who, whom, name, other in pairs:
        if not _was_ahead_before(db, now, who, whom):
            times = _meetings_before(db, now, who, whom) + 1
            words = say_count(
                "{name} finished ahead of {other} for the first time in {n} game.",
                "{name} finished ahead of {other} for the first time in {n} games.",
                times,
                name=name,
                other=other,
            )
            found += [words] if times >= LEAST_MEETINGS else []
    return found


BEFORE = """FROM all_plays JOIN all_scores AS one ON one.play_id = all_plays.id AND one.player_id = ?
    JOIN all_scores AS other ON other.play_id = all_plays.id AND other.player_id = ?
    WHERE club_id = ? AND deleted_at IS NULL AND game = ? AND (played_at, all_plays.id) < (?, ?)"""


def _was_ahead_before(db: Database, now: Sequence[Any], who: int, whom: int) -> bool:
    """Return whether the player `who` finished ahead of the player `whom` in an earlier game of the same title. `now`
    is the present game: its club, title, time and id."""
    ahead = FINISHED_AHEAD.format(one="one", other="other")
    sql = f"SELECT 1 {BEFORE} AND {ahead} ORDER BY played_at DESC, all_plays.id DESC LIMIT 1"
    return db.execute(sql, [who, whom, *now]).fetchone() is not None


def _meetings_before(db: Database, now: Sequence[Any], who: int, whom: int) -> int:
    [times] = db.execute(f"SELECT count(*) {BEFORE}", [who, whom, *now]).fetchone()
    return int(times)
