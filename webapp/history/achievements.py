"""Achievements: what is worth telling the others about, each with a threshold that is published and never changes.

Those of one game stand in its folder (`achievements.toml`) and are tied to its lines and boards; those below are for
every game. An achievement is earned by a play, anew by every play that deserves it, and points there.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files

from scorer import games
from scorer.contract import Json
from scorer.report import totals
from webapp.database import Database
from webapp.history.chronicle import Score, Standing
from webapp.history.counting import Counted, comeback, margin, placed

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
    name: str
    text: str
    game: str = ""  # "" for every game
    total: int | None = None
    line: str = ""
    points: int = 0
    piece: str = ""
    count: int = 0


EVERY_GAME = (
    Achievement("photo_finish", "Photo finish", "Win by a single point"),
    Achievement("by_the_book", "By the book", "Win a tie by the rulebook's tie-break"),
    Achievement("shared_victory", "Shared waters", "Share a victory that nothing in the rules could split"),
    Achievement("runaway", "Out of sight", f"Win by {RUNAWAY} points or more"),
    Achievement("from_behind", "Against the tide", f"Win though {FROM_BEHIND} points behind somebody on one line"),
    Achievement("clean_sweep", "Clean sweep", "Win with more than anybody else on every line, three lines at least"),
    Achievement("new_best", "New tidemark", "Beat your own best, after five plays of the game"),
    Achievement("three_in_a_row", "Rising tide", "Win three in a row in one game"),
    Achievement("five_in_a_row", "Spring tide", "Win five in a row in one game"),
    Achievement("ten_in_a_row", "Flood", "Win ten in a row in one game"),
    Achievement("ten_plays", "Regular", "Play a game ten times"),
    Achievement("fifty_plays", "Harbour master", "Play a game fifty times"),
    Achievement("hundred_plays", "Part of the quay", "Play a game a hundred times"),
)
# These depend on what came before, so they are told anew whenever the past changes.
CAREER = frozenset({"new_best", *STREAKS.values(), *PLAYS.values()})


@functools.cache
def of_game(game: str) -> tuple[Achievement, ...]:
    """What the folder of the game publishes; many games may publish nothing."""
    file = files("scorer.games") / game / "achievements.toml"
    if game not in games.names() or not file.is_file():
        return ()
    told = tomllib.loads(file.read_text(encoding="utf-8"))["achievement"]
    return tuple(Achievement(**{**one, "id": f"{game}.{one['id']}", "game": game}) for one in told)


def everything() -> tuple[Achievement, ...]:
    return (*EVERY_GAME, *(one for game in games.everything() for one in of_game(game.id)))


def on_sheets(play: Counted) -> Iterator[tuple[int, str]]:
    """Seat and achievement, for all that this play earns by itself."""
    for seat, player in enumerate(play.result["players"]):
        sums = totals(player["lines"])
        for one in of_game(play.game):
            if meets(one, play, seat, sums):
                yield seat, one.id
        if player["winner"] and play.is_contest:
            yield from ((seat, id) for id in for_winning(play, player))


def meets(one: Achievement, play: Counted, seat: int, sums: dict[str, int]) -> bool:
    if one.total is not None:
        return bool(play.result["players"][seat]["total"] >= one.total)
    if one.line:
        return sums.get(one.line, 0) >= one.points
    squares = placed(games.find(play.game), play.record, seat)
    return sum(piece == one.piece for _, _, piece in squares) >= one.count


def for_winning(play: Counted, winner: Json) -> Iterator[str]:
    ahead, decided_by = margin(play.result), play.result["decided_by"]
    behind, _ = comeback({"players": [winner, *(p for p in play.result["players"] if not p["winner"])]})
    if ahead == 1:
        yield "photo_finish"
    if ahead is not None and ahead >= RUNAWAY:
        yield "runaway"
    if decided_by == "shared":
        yield "shared_victory"
    elif decided_by != "points" and decided_by is not None:
        yield "by_the_book"
    if behind is not None and behind >= FROM_BEHIND:
        yield "from_behind"
    if swept(winner, [player for player in play.result["players"] if player is not winner]):
        yield "clean_sweep"


def swept(winner: Json, others: list[Json]) -> bool:
    """Whether the winner had strictly most on every line that anybody had."""
    mine, theirs = totals(winner["lines"]), [totals(player["lines"]) for player in others]
    rules = set(mine).union(*theirs)
    return len(rules) >= LINES_TO_SWEEP and all(
        mine.get(rule, 0) > max(other.get(rule, 0) for other in theirs) for rule in rules
    )


def of_career(before: Standing, after: Standing, score: Score) -> Iterator[str]:
    """What a player earns by this play because of the plays before it."""
    if after.streak > before.streak and after.streak in STREAKS:
        yield STREAKS[after.streak]
    if after.nth in PLAYS:
        yield PLAYS[after.nth]
    if before.nth >= PLAYED_BEFORE_A_BEST_COUNTS and score.total > before.best:
        yield "new_best"


def award(db: Database, plays: Iterable[Counted]) -> None:
    """Write down what these plays earn by themselves."""
    rows = [
        (play.id, seat, id, play.player_ids[seat], play.club_id, play.game, play.played_at)
        for play in plays
        for seat, id in on_sheets(play)
    ]
    db.conn.executemany("INSERT INTO earned VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
