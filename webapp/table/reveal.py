"""Reveal the result on all screens at the same time, line by line like a race.

The lines that decide the game come last, and then the places. The server knows when the reveal began, and each page
plays its script from there. A single phone plays it once for itself.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from scorer.contract import UNKNOWN, Game, Json
from scorer.report import rung, verdict
from scorer.result import PlayerResult, Result, is_final, seats_without_points, unplaced
from scorer.sentences import NOTHING, Sentence, listed, printed, say
from webapp.database import Database
from webapp.table import pad, phones
from webapp.table.pad import Row
from webapp.table.tables import Seat, Table, touch
from webapp.template_filters import ordinal

LONGEST_MS = 25_000
EBB, LINE, LINE_PER_PLAYER, HUSH = 1_000, 1_300, 60, 1_100
PLACE, LEVEL, RUNG, FLAG = 600, 1_500, 1_800, 3_000


@dataclass(frozen=True, slots=True)
class Beat:
    """Describe one event of the reveal, `at` ms after its start. Its tuples are in the order of the seats."""

    kind: str  # "ebb" start, "line", "hush" before the last line, "level" tie, "rung" tie-break, "place", "flag"
    at: int
    text: Sentence = NOTHING
    points: tuple[int, ...] = ()  # each player's points in the line
    sums: tuple[int, ...] = ()  # each player's points so far
    cells: tuple[tuple[str, ...], ...] = ()  # each player's squares that it is about
    words: tuple[Sentence, ...] = ()  # each player's tie-break value or place, or NOTHING

    @property
    def plain(self) -> dict[str, Any]:
        """Return the beat as JSON for the page's script, without empty tuples."""
        return {field.name: getattr(self, field.name) for field in fields(self) if getattr(self, field.name) != ()}


@dataclass(frozen=True, slots=True)
class Script:
    """Hold all events of the reveal and its length in ms.

    `full` is how many points fill a gauge. It is above the best score, so that it does not reveal that score.
    """

    beats: tuple[Beat, ...]
    length: int
    full: int


def script(game: Game, result: Result, unknown: Collection[int] = (), unplaced: Collection[int] = ()) -> Script:
    """Return the events of the reveal of a result.

    `unknown` are the seats with an unknown score, `unplaced` those whose place is unknown too.
    """
    acts = list(_acts(game, result, unknown, unplaced))
    lines = sum(kind == "line" for kind, _, _ in acts)
    others = sum(length for kind, length, _ in acts if kind != "line")
    line = LINE + LINE_PER_PLAYER * len(result["players"])
    line = min(line, (LONGEST_MS - others) // max(lines, 1))
    beats, at = [], 0
    for kind, length, beat in acts:
        beats.append(Beat(kind, at, *beat))
        at += line if kind == "line" else length
    most = max((abs(total) for beat in beats for total in beat.sums), default=0)
    return Script(tuple(beats), at, most * 115 // 1000 * 10 + 10)


Act = tuple[str, int, tuple[Any, ...]]  # kind, length in ms, and the values after `at` in its beat


def _acts(game: Game, result: Result, unknown: Collection[int], unplaced: Collection[int]) -> Iterator[Act]:
    """Yield all events of the reveal, each with its kind, its length in ms and its values. Lines of the score sheet
    have the length 0 at first; `script` sets it later."""
    players = result["players"]
    yield "ebb", EBB, ()
    sums = [0] * len(players)
    told = in_order(pad.rows(game, result), [seat for seat, player in enumerate(players) if player["winner"]])
    for number, row in enumerate(told):
        if number and number == len(told) - 1:
            yield "hush", HUSH, (say("One line is left"),)
        points = tuple(amount or 0 for amount in row.points)
        sums = [so_far + more for so_far, more in zip(sums, points, strict=True)]
        cells = tuple(tuple(dict.fromkeys(cell for line in mine for cell in line["cells"])) for mine in row.lines)
        yield "line", 0, (row.label, points, tuple(sums), cells)
    if len(players) > 1:
        level = _level(players)
        yield from _lower(players, {*unplaced, *level})
        yield from _tie(game, result, level)
    yield "flag", FLAG, (verdict(game, result, unknown),)


def in_order(rows: Sequence[Row], winners: Sequence[int]) -> list[Row]:
    """Return the rows of the score sheet in the order of the reveal: the rows that decide the game come last.

    Rows without points are left out. The deciding rows favour the winners most. There are just enough that the winners
    do not lead before them. All others keep the order of the score sheet.
    """
    left = [row for row in rows if any(row.points)]
    last: list[Row] = []
    while left:
        without = [[other for other in left if other is not row] for row in left]
        pairs = enumerate(zip(left, without, strict=True))
        leads = [(lead(others, winners), -spread(row), -place) for place, (row, others) in pairs]
        found = leads.index(min(leads))
        last.insert(0, left[found])
        left = without[found]
        if leads[found][0] <= 0:
            break
    return left + last


def lead(rows: Sequence[Row], winners: Sequence[int]) -> int:
    """Return by how many points the seats in `winners` lead after these rows of the score sheet. It is negative if they
    are behind, and 0 if all players have won."""
    sums = [0] * len(rows[0].points) if rows else []
    for row in rows:
        sums = [so_far + (amount or 0) for so_far, amount in zip(sums, row.points, strict=True)]
    others = [so_far for seat, so_far in enumerate(sums) if seat not in winners]
    return min((sums[seat] for seat in winners), default=0) - max(others) if others else 0


def spread(row: Row) -> int:
    amounts = [amount or 0 for amount in row.points]
    return max(amounts) - min(amounts)


def _level(players: Sequence[PlayerResult]) -> list[int]:
    """Return the seats tied at the top; an empty list if one player leads or points are still unknown."""
    if not all(is_final(player) for player in players):
        return []
    most = max(player["total"] for player in players)
    level = [seat for seat, player in enumerate(players) if player["total"] == most]
    return level if len(level) > 1 and any(players[seat]["winner"] for seat in level) else []


def _lower(players: Sequence[PlayerResult], but: Collection[int]) -> Iterator[Act]:
    """Yield an event for each place below the winners, the last place first. Places that only seats in `but` have are
    left out."""
    places = {player["rank"] for seat, player in enumerate(players) if not player["winner"] and seat not in but}
    for rank in sorted(places, reverse=True):
        words = tuple(ordinal(rank) if player["rank"] == rank else NOTHING for player in players)
        yield "place", PLACE, (NOTHING, (), (), (), words)


def _tie(game: Game, result: Result, level: Sequence[int]) -> Iterator[Act]:
    """Yield the event that shows that the seats in `level` are tied at the top. Then yield one for each tie-break until
    one decides."""
    if not level:
        return
    players = result["players"]
    names = listed([players[seat]["name"] for seat in level])
    marks = tuple(printed("=") if seat in level else NOTHING for seat in range(len(players)))
    yield "level", LEVEL, (say("{names} are tied", names=names), (), (), (), marks)
    for step in players[level[0]]["tiebreaks"]:
        brought = [_brought(player, step["rule"]) for player in players]
        words = tuple(one if seat in level else NOTHING for seat, one in enumerate(brought))
        yield "rung", RUNG, (rung(game, step["rule"]), (), (), (), words)
        if step["rule"] == result["decided_by"]:
            return


def _brought(player: PlayerResult, rule: str) -> Sentence:
    value = next((step["value"] for step in player["tiebreaks"] if step["rule"] == rule), UNKNOWN)
    return printed("?" if value == UNKNOWN else str(value))


# -- predictions ---


def predict(db: Database, table: Table, seat: Seat) -> None:
    """Save that this phone predicts that the player in `seat` will win."""
    if table.room is not None:
        with db.atomic(table.club_id):
            values = [seat.name, table.room.id, phones.device()]
            db.execute("UPDATE phones SET prediction = ? WHERE room_id = ? AND device = ?", values)
            touch(db, table)


def predictions(db: Database, table: Table) -> dict[str, list[bool]]:
    """Return by player's name a list with an entry for each phone that predicts their win: True for this phone."""
    found: dict[str, list[bool]] = {}
    room_id = table.room.id if table.room else None
    for row in db.query("SELECT device, prediction FROM phones WHERE room_id = ? AND role = 'play'", [room_id]):
        found.setdefault(row["prediction"], []).append(row["device"] == phones.device())
    return found


# -- running the reveal ---


@dataclass(frozen=True, slots=True)
class Show(Script):
    """Hold a running reveal. `elapsed` is the time in ms since it began, as phones' clocks differ."""

    elapsed: int
    unknown: frozenset[int]  # seats with an unknown score
    alone: bool  # a single phone plays it for itself


def show(table: Table, record: Json, result: Result) -> Show | None:
    """Return the reveal while it runs on all screens, or a new one for a single phone; otherwise None. A single phone
    gets one when it opens a result without open questions, unless it edits a saved game."""
    alone = table.phones < 2 and table.revealed_at is None
    if not result["ok"] or table.skipped or table.hides_results:
        return None
    is_edited = table.play_id is not None and table.saved_at is None
    if alone and (is_edited or result["needs"]):  # an edited game needs no reveal, and open questions come first
        return None
    unknown = seats_without_points(record, result) | {
        seat for seat, one in enumerate(result["players"]) if not is_final(one)
    }
    told = script(table.game, result, unknown, unplaced(record, result))
    elapsed = 0 if table.revealed_at is None else max(0, moment() - table.revealed_at)
    return Show(told.beats, told.length, told.full, elapsed, unknown, alone) if elapsed < told.length else None


def begin(db: Database, table: Table) -> None:
    """Begin the reveal on all screens."""
    db.execute("UPDATE tables SET revealed_at = ?, skipped = 0 WHERE id = ?", [moment(), table.id])
    touch(db, table)


def skip(db: Database, table: Table) -> None:
    """Skip the rest of the reveal on all screens."""
    db.execute("UPDATE tables SET skipped = 1 WHERE id = ?", [table.id])
    touch(db, table)


def moment() -> int:
    return time.time_ns() // 1_000_000
