"""What a play adds to the club's tallies. Pages read those, so they cost the same after ten games and after 100,000.

Every tally is a sum over plays, so a play that changes or goes is taken off again exactly. Whatever depends on the
order of plays (streaks, ratings) is in `chronicle`. Definitions in words: the page "How we count".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scorer import games
from scorer.contract import Game, Json
from scorer.report import totals
from webapp.database import Database
from webapp.table import kinds, paths

Key = tuple[Any, ...]
Sums = tuple[int, ...]
Change = tuple[str, Key, Sums]

# table: the columns of its key, the columns that are summed; the first sum is 0 when there is nothing left.
TALLIES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tally_plays": (("club_id", "game", "player_count", "variant"), ("plays", "timed", "minutes")),
    "tally_months": (("club_id", "month", "game"), ("plays", "timed", "minutes")),
    "tally_totals": (("club_id", "game", "player_count", "variant", "total"), ("sheets",)),
    "tally_seats": (("club_id", "game", "player_count", "seat"), ("plays", "wins")),
    "tally_lines": (("club_id", "game", "player_count", "variant", "rule"), ("sheets", "points")),
    "tally_squares": (("club_id", "game", "board", "piece", "cell"), ("squares",)),
    "tally_players": (("player_id", "year", "game"), ("plays", "contests", "wins", "points")),
    "tally_player_lines": (("player_id", "game", "rule"), ("sheets", "points")),
    "tally_pairs": (("player_id", "opponent_id", "game"), ("won", "lost", "tied")),
}


@dataclass(frozen=True, slots=True)
class Counted:
    """A play as far as it counts."""

    id: int
    club_id: int
    game: str
    played_at: str
    minutes: int | None
    record: Json
    result: Json
    player_ids: tuple[int, ...]

    @property
    def variant(self) -> str:
        return variant_of(self.record)

    @property
    def is_contest(self) -> bool:
        return len(self.player_ids) > 1


def variant_of(record: Json) -> str:
    """How this table played the game, as `path=value` with | between; "" for the ways of the first game."""
    game = games.find(record["game"])
    if game is None:
        return ""
    ways = []
    for asked in (asked for asked in game.inputs if asked.name in game.variants):
        value = paths.get(record.get("table", {}), paths.steps(asked.name))
        if value is paths.ABSENT or value == asked.default:
            continue
        ways += [f"{asked.name}={one}" for one in (sorted(value) if isinstance(value, list) else [value])]
    return "|".join(ways)


def changes(play: Counted) -> Iterator[Change]:
    """All that the play adds to the tallies."""
    players, way = play.result["players"], play.variant
    club, game, count = play.club_id, play.game, len(players)
    time = (0, 0) if play.minutes is None else (1, play.minutes)
    yield "tally_plays", (club, game, count, way), (1, *time)
    yield "tally_months", (club, play.played_at[:7], game), (1, *time)
    for seat, (player, player_id) in enumerate(zip(players, play.player_ids, strict=True)):
        won = int(player["winner"] and play.is_contest)
        yield "tally_totals", (club, game, count, way, player["total"]), (1,)
        if play.is_contest:
            yield "tally_seats", (club, game, count, seat), (1, int(player["winner"]))
        year = play.played_at[:4]
        yield "tally_players", (player_id, year, game), (1, int(play.is_contest), won, player["total"])
        for rule, points in totals(player["lines"]).items():
            yield "tally_lines", (club, game, count, way, rule), (1, points)
            yield "tally_player_lines", (player_id, game, rule), (1, points)
    yield from pairs(play)
    yield from squares(play)


def pairs(play: Counted) -> Iterator[Change]:
    """Everybody against everybody: whoever is placed below you, you have beaten."""
    ranks = list(zip(play.player_ids, (player["rank"] for player in play.result["players"]), strict=True))
    for player, rank in ranks:
        for opponent, other in ranks:
            if player != opponent:
                outcome = (int(rank < other), int(rank > other), int(rank == other))
                yield "tally_pairs", (player, opponent, play.game), outcome


def squares(play: Counted) -> Iterator[Change]:
    """What lay on each square of every painted board."""
    game = games.find(play.game)
    for seat in range(len(play.record["players"])):
        for board, cell, piece in placed(game, play.record, seat):
            yield "tally_squares", (play.club_id, play.game, board, piece, cell), (1,)


def placed(game: Game | None, record: Json, seat: int) -> Iterator[tuple[str, str, str]]:
    """Board, square and piece, for each square of a player's boards."""
    boards = kinds.painted(game.inputs) if game else []
    shown = game.shows(record, seat) if game and boards and game.shows else {}
    for board in boards:
        name = board.asked.name
        value = shown.get(name, paths.get(record["players"][seat], paths.steps(name)))
        if value is not paths.ABSENT:
            yield from ((name, cell, piece) for cell, piece in board.placed(value))


def margin(result: Json) -> int | None:
    """How far the winner was ahead of the best of those who did not win; None when nobody could lose."""
    players = result["players"]
    if len(players) < 2:
        return None
    best = max(player["total"] for player in players if player["winner"])
    return best - max((player["total"] for player in players if not player["winner"]), default=best)


def comeback(result: Json) -> tuple[int | None, str | None]:
    """The most points that a winner was behind somebody beaten on a single line of the pad, and the line."""
    sums = [(player["winner"], totals(player["lines"])) for player in result["players"]]
    winners, others = [mine for won, mine in sums if won], [mine for won, mine in sums if not won]
    behind = [(theirs[rule] - mine.get(rule, 0), rule) for mine in winners for theirs in others for rule in theirs]
    most, rule = max(behind, default=(0, ""))
    return (most, rule) if most > 0 else (None, None)


class Tallies:
    """Gathers changes and writes them in one go: one play's when a game is saved, thousands' when all is recounted."""

    def __init__(self) -> None:
        self.sums: dict[str, dict[Key, list[int]]] = {table: defaultdict(list) for table in TALLIES}

    def add(self, play: Counted, sign: int = 1) -> None:
        for table, key, amounts in changes(play):
            held = self.sums[table][key]
            if held:
                for index, amount in enumerate(amounts):
                    held[index] += sign * amount
            else:
                held.extend(sign * amount for amount in amounts)

    def write(self, db: Database) -> None:
        for table, sums in self.sums.items():
            changed = [(*key, *amounts) for key, amounts in sums.items() if any(amounts)]
            if changed:
                add_up(db, table, changed)
            sums.clear()


def add_up(db: Database, table: str, rows: Sequence[Key]) -> None:
    """Put the amounts onto the sums; what has come to nothing goes."""
    keys, amounts = TALLIES[table]
    marks = ", ".join("?" * (len(keys) + len(amounts)))
    more = ", ".join(f"{column} = {column} + excluded.{column}" for column in amounts)
    db.conn.executemany(f"INSERT INTO {table} VALUES ({marks}) ON CONFLICT DO UPDATE SET {more}", rows)
    emptied = [row[: len(keys)] for row in rows if min(row[len(keys) :]) < 0]
    where = " AND ".join([*(f"{key} = ?" for key in keys), *(f"{column} = 0" for column in amounts)])
    db.conn.executemany(f"DELETE FROM {table} WHERE {where}", emptied)


def write_scores(db: Database, plays: Iterable[Counted]) -> None:
    """The rows of `kept_scores` and `kept_lines`."""
    scores, lines = [], []
    for play in plays:
        players, way = play.result["players"], play.variant
        for seat, (player, player_id) in enumerate(zip(players, play.player_ids, strict=True)):
            place = (play.club_id, play.game, play.played_at, len(players), way)
            outcome = (player["total"], player["rank"], int(player["winner"]))
            scores.append((play.id, seat, player_id, *place, *outcome))
            lines += [
                (play.id, seat, position, line["rule"], line["label"], line["points"])
                for position, line in enumerate(player["lines"])
            ]
    db.conn.executemany(
        """INSERT INTO kept_scores (play_id, seat, player_id, club_id, game, played_at, player_count, variant, total,
            rank, winner) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        scores,
    )
    db.conn.executemany("INSERT INTO kept_lines VALUES (?, ?, ?, ?, ?, ?)", lines)
