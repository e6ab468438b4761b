"""Award achievements: rare feats, each with a published condition.

Some belong to one title and are in its `achievements.toml`; those below are for every title. An achievement belongs to
the game that earned it. If it depends on one game alone, it is stored when that game is saved. If it depends on earlier
games, it is computed with the standings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from scorer import games
from scorer.about import Achievement
from scorer.contract import UNKNOWN
from scorer.record import TOTAL
from scorer.sentences import say
from webapp.database import Database
from webapp.history.decision import RULES
from webapp.history.play_rows import PlayData, squares_of
from webapp.table import json_paths

if TYPE_CHECKING:
    from webapp.history.standings import Standing

GAMES_BEFORE_A_RECORD = 20
LINES_TO_SWEEP = 4
OTHERS_TO_BEAT = 2  # at least, for feats that are easy against one player
NARROW, NARROW_OTHERS = 2, 3  # points, and how many others
STREAKS = {5: "five_in_a_row", 10: "ten_in_a_row"}
PLAYS = {50: "fifty_plays", 100: "hundred_plays"}
RECORD = "club_record"


EVERY_GAME = (
    Achievement("narrow_win", say("Photo finish"), say("Win against three or more players, all within two points")),
    Achievement("later_tie_break", say("By the book"), say("Win by the second tie-break or a later one")),
    Achievement("shared_victory", say("Shared waters"), say("Tie for the win when no tie-break can decide it")),
    Achievement(
        "twice_as_many",
        say("Out of sight"),
        say("Score at least twice as many points as anybody else, with three or more players"),
    ),
    Achievement(
        "sweep_of_four",
        say("Clean sweep"),
        say("Beat two or more players on every line, with at least four lines"),
    ),
    Achievement(
        RECORD,
        say("New record"),
        say("Beat the club’s best score after at least {games} earlier games", games=GAMES_BEFORE_A_RECORD),
    ),
    Achievement("five_in_a_row", say("Spring tide"), say("Win a game five times in a row")),
    Achievement("ten_in_a_row", say("Flood"), say("Win a game ten times in a row")),
    Achievement("fifty_plays", say("Harbour master"), say("Play a game fifty times")),
    Achievement("hundred_plays", say("Part of the quay"), say("Play a game a hundred times")),
)
# These depend on earlier games, so they are computed again whenever an earlier game changes.
OF_STANDINGS = frozenset({RECORD, *STREAKS.values(), *PLAYS.values()})


def everything() -> tuple[Achievement, ...]:
    """Return the achievements for every title, then those of each title."""
    return (*EVERY_GAME, *(one for game in games.all_games() for one in games.achievements(game.id)))


def award(db: Database, plays: Iterable[PlayData]) -> None:
    """Store the achievements that these games earn, without those that depend on earlier games."""
    write(db, [(play.id, seat, name) for play in plays for seat, name in earned(play)])


def write(db: Database, rows: Sequence[tuple[int, int, str]]) -> None:
    """Store achievements; each row has the id of a saved game, a seat, and the id of an achievement."""
    if rows:
        db.executemany("INSERT INTO achievements (play_id, seat, achievement) VALUES (?, ?, ?)", rows)


def earned(play: PlayData) -> Iterator[tuple[int, str]]:
    """Yield seat and achievement id for all achievements that a game earns without regard to earlier games."""
    game, seats = play.record["game"], play.decision.seats
    sums = [_points_by_rule(seat.lines) for seat in seats]
    published = games.achievements(game)
    pieces: list[Counter[str]] = []
    if any(one.piece for one in published):
        pieces = [Counter(piece for _, _, piece in mine) for mine in squares_of(games.find(game), play.record)]
    for seat, score in enumerate(seats):
        for one in published:
            if one.total is not None:
                is_met = score.total is not None and score.total >= one.total
            elif one.line:
                is_met = sums[seat][one.line] >= one.points
            else:
                is_met = pieces[seat][one.piece] >= one.count
            if is_met:
                yield seat, one.id
        if score.winner and len(seats) > 1:
            yield from ((seat, name) for name in _for_winning(play, seat, sums))


def _points_by_rule(lines: Iterable[tuple[str, str, int]]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for rule, _, points in lines:
        sums[rule] += points
    return sums


def _for_winning(play: PlayData, seat: int, sums: Sequence[Counter[str]]) -> Iterator[str]:
    """Yield the ids of achievements for winning, for the winner at `seat`.

    `sums` has each player's points by rule. Achievements that compare totals are left out if a total is unknown.
    """
    decision = play.decision
    totals = [other.total for other in decision.seats]
    others = [total for number, total in enumerate(totals) if number != seat]
    mine = totals[seat]
    known = [total for total in others if total is not None]
    if mine is not None and len(known) == len(others):
        if len(others) >= NARROW_OTHERS and mine - min(known) <= NARROW:
            yield "narrow_win"
        if len(others) >= OTHERS_TO_BEAT and max(known) > 0 and mine >= 2 * max(known):
            yield "twice_as_many"
        theirs = [one for number, one in enumerate(sums) if number != seat]
        if len(others) >= OTHERS_TO_BEAT and _sweeps(sums[seat], theirs):
            yield "sweep_of_four"
    if decision.basis == RULES and not _is_a_tie_break_forgotten(play):
        if decision.decided_by == "shared":
            yield "shared_victory"
        elif _rung_of(play) > 0:
            yield "later_tie_break"


def _sweeps(mine: Counter[str], theirs: Sequence[Counter[str]]) -> bool:
    """Return whether a player has more points than anybody else on every line, with at least four lines.

    `mine` and `theirs` have points by rule, of the player and of each opponent.
    """
    rules = set(mine).union(*theirs)
    return (
        TOTAL not in rules
        and len(rules) >= LINES_TO_SWEEP
        and all(mine[rule] > max(other[rule] for other in theirs) for rule in rules)
    )


def _rung_of(play: PlayData) -> int:
    """Return which of the title's tie-breaks decided the game, counted from 0. It is -1 if none did, as when points
    decided or the win was shared."""
    game = games.find(play.record["game"])
    ladder = [step.rule for step in game.ladder] if game else []
    decided_by = play.decision.decided_by
    return ladder.index(decided_by) if decided_by in ladder else -1


def _is_a_tie_break_forgotten(play: PlayData) -> bool:
    """Return whether a tie-break is unknown for any player with the highest total."""
    game = games.find(play.record["game"])
    totals = [seat.total for seat in play.decision.seats]
    most = max((total for total in totals if total is not None), default=None)
    tied = [one for one, total in zip(play.record["players"], totals, strict=True) if total == most]
    rungs = [json_paths.steps(step.rule) for step in game.ladder if step.forgettable] if game else []
    return any(json_paths.get(one, rung) == UNKNOWN for one in tied for rung in rungs)


def of_standing(before: Standing, after: Standing) -> Iterator[str]:
    """Yield the ids of achievements that a player earns by a game, given the standings before and after it."""
    if after.streak > before.streak and after.streak in STREAKS:
        yield STREAKS[after.streak]
    if after.plays in PLAYS:
        yield PLAYS[after.plays]
