"""Achievements: what is worth telling the others about, each with a threshold that is published and never changes.

Those of one game stand in its folder (`achievements.toml`) and are tied to its lines and boards; those below are for
every game. An achievement is earned by a play, anew by every play that deserves it, and points there.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from scorer import games
from scorer.reading import TOTAL
from scorer.report import forgotten
from scorer.result import Result, is_shared_for_now
from scorer.sentences import Sentence, printed, say
from webapp.database import Database
from webapp.history.careers import NO_BEST, Career, Score
from webapp.history.tallies import CountedPlay, comeback, margin

RUNAWAY = 15  # points ahead
FROM_BEHIND = 8  # points behind on one line, and yet a winner
PLAYED_BEFORE_A_BEST_COUNTS = 5
LINES_TO_SWEEP = 3
STREAKS = {3: "three_in_a_row", 5: "five_in_a_row", 10: "ten_in_a_row"}
PLAYS = {10: "ten_plays", 50: "fifty_plays", 100: "hundred_plays"}


@dataclass(frozen=True, slots=True)
class Achievement:
    """Its id never changes its meaning."""

    id: str
    name: Sentence
    text: Sentence
    game: str = ""  # "" for every game
    total: int | None = None
    line: str = ""
    points: int = 0
    piece: str = ""
    count: int = 0


EVERY_GAME = (
    Achievement("photo_finish", say("Photo finish"), say("Win by a single point")),
    Achievement("by_the_book", say("By the book"), say("Win a tie by the rulebook's tie-break")),
    Achievement("shared_victory", say("Shared waters"), say("Share a victory that nothing in the rules could split")),
    Achievement("runaway", say("Out of sight"), say("Win by {points} points or more", points=RUNAWAY)),
    Achievement(
        "from_behind",
        say("Against the tide"),
        say("Win though {points} points behind somebody on one line", points=FROM_BEHIND),
    ),
    Achievement(
        "clean_sweep",
        say("Clean sweep"),
        say("Win with more than anybody else on every line, three lines at least"),
    ),
    Achievement("new_best", say("New tidemark"), say("Beat your own best, after five plays of the game")),
    Achievement("three_in_a_row", say("Rising tide"), say("Win three in a row in one game")),
    Achievement("five_in_a_row", say("Spring tide"), say("Win five in a row in one game")),
    Achievement("ten_in_a_row", say("Flood"), say("Win ten in a row in one game")),
    Achievement("ten_plays", say("Regular"), say("Play a game ten times")),
    Achievement("fifty_plays", say("Harbour master"), say("Play a game fifty times")),
    Achievement("hundred_plays", say("Part of the quay"), say("Play a game a hundred times")),
)
# These depend on what came before, so they are worked out anew whenever the past changes.
CAREER = frozenset({"new_best", *STREAKS.values(), *PLAYS.values()})


@functools.cache
def of_game(game: str) -> tuple[Achievement, ...]:
    """What the folder of the game publishes; many games may publish nothing."""
    file = files("scorer.games") / game / "achievements.toml"
    if game not in games.names() or not file.is_file():
        return ()
    published = tomllib.loads(file.read_text(encoding="utf-8"))["achievement"]
    return tuple(
        Achievement(
            **{
                **one,
                "id": f"{game}.{one['id']}",
                "name": printed(one["name"]),
                "text": printed(one["text"]),
                "game": game,
            }
        )
        for one in published
    )


def everything() -> tuple[Achievement, ...]:
    return (*EVERY_GAME, *(one for game in games.everything() for one in of_game(game.id)))


def on_sheets(play: CountedPlay) -> Iterator[tuple[int, str]]:
    """Seat and achievement, for all that this play earns by itself."""
    for seat, player in enumerate(play.result["players"]):
        yield from ((seat, one.id) for one in of_game(play.game) if meets(one, play, seat))
        if player["winner"] and play.is_contest and not is_shared_for_now(play.result):
            yield from ((seat, name) for name in for_winning(play, seat))


def meets(one: Achievement, play: CountedPlay, seat: int) -> bool:
    if one.total is not None:
        total = play.totals[seat]
        return total is not None and total >= one.total
    if one.line:
        return play.sums[seat].get(one.line, 0) >= one.points
    return sum(piece == one.piece for _, _, piece in play.squares[seat]) >= one.count


def for_winning(play: CountedPlay, seat: int) -> Iterator[str]:
    """Yield what a winner earns in a game whose victory is settled."""
    ahead = None if play.gaps or play.result["needs"] else margin(play.result)
    beaten = [sums for sums, player in zip(play.sums, play.result["players"], strict=True) if not player["winner"]]
    behind, _ = comeback([] if seat in play.gaps else [play.sums[seat]], beaten)
    if ahead == 1:
        yield "photo_finish"
    if ahead is not None and ahead >= RUNAWAY:
        yield "runaway"
    if is_tie_by_the_rules(play.result):
        yield "shared_victory" if play.result["decided_by"] == "shared" else "by_the_book"
    if behind is not None and behind >= FROM_BEHIND:
        yield "from_behind"
    if not play.gaps and swept(play.sums[seat], [sums for other, sums in enumerate(play.sums) if other != seat]):
        yield "clean_sweep"


def is_tie_by_the_rules(result: Result) -> bool:
    """Return whether a tie at the top was taken through the rulebook's tie-breaks, each of which was known.

    A result from elsewhere, whose tie-breaks nobody asked for, has no version of the rules.
    """
    return result["decided_by"] != "points" and bool(result["rules_version"]) and not forgotten(result)


def swept(mine: Mapping[str, int], theirs: Sequence[Mapping[str, int]]) -> bool:
    """Whether the winner had strictly most on every line that anybody had."""
    rules = set(mine).union(*theirs)
    return (
        TOTAL not in rules
        and len(rules) >= LINES_TO_SWEEP
        and all(mine.get(rule, 0) > max(other.get(rule, 0) for other in theirs) for rule in rules)
    )


def of_career(before: Career, after: Career, score: Score) -> Iterator[str]:
    """What a player earns by this play because of the plays before it."""
    if after.streak > before.streak and after.streak in STREAKS:
        yield STREAKS[after.streak]
    if after.nth in PLAYS:
        yield PLAYS[after.nth]
    has_best = before.nth >= PLAYED_BEFORE_A_BEST_COUNTS and before.best > NO_BEST
    if has_best and score.total is not None and score.total > before.best:
        yield "new_best"


def award(db: Database, plays: Iterable[CountedPlay]) -> None:
    """Write down what these plays earn by themselves."""
    write(db, rows(plays))


def rows(plays: Iterable[CountedPlay]) -> list[tuple[Any, ...]]:
    """The rows of `earned` for what these plays earn by themselves."""
    return [
        (play.id, seat, name, play.player_ids[seat], play.club_id, play.game, play.played_at)
        for play in plays
        for seat, name in on_sheets(play)
    ]


def write(db: Database, earned: Sequence[tuple[Any, ...]]) -> None:
    """Rows of `earned`."""
    if earned:
        db.executemany("INSERT INTO earned VALUES (?, ?, ?, ?, ?, ?, ?)", earned)
