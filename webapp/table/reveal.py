"""The reveal: everybody sees the result come about at the same moment, as a race told line by line.

What decides comes last, and the places only at the end. The server says how long ago it began, and each page plays its
script from there. A phone that is alone at its table plays it for itself, once.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from scorer.contract import UNKNOWN, Game, Json
from scorer.report import rung, verdict
from scorer.result import PlayerResult, Result, gaps, is_final, unplaced
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
    """Something that happens so many ms after the curtain was raised, to the players in the order of their seats."""

    kind: str  # "ebb" the start, "line", "hush" before the last line, "level" a tie, "rung" of it, "place", "flag"
    at: int
    text: Sentence = NOTHING
    points: tuple[int, ...] = ()  # what the line brings
    sums: tuple[int, ...] = ()  # and what everybody has with it
    cells: tuple[tuple[str, ...], ...] = ()  # squares that it is about
    words: tuple[Sentence, ...] = ()  # what a tie-break or a place says of each, NOTHING of those it is not about

    @property
    def plain(self) -> dict[str, Any]:
        """For the script of the page."""
        return {field.name: getattr(self, field.name) for field in fields(self) if getattr(self, field.name) != ()}


@dataclass(frozen=True, slots=True)
class Script:
    """All beats, how long they take, and the points at which a gauge is full, from which nobody learns the most."""

    beats: tuple[Beat, ...]
    length: int
    full: int


def script(game: Game, result: Result, unknown: Collection[int] = (), unplaced: Collection[int] = ()) -> Script:
    """`unknown` are the seats whose score nobody knows, `unplaced` those of whom the place is not known either."""
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


Act = tuple[str, int, tuple[Any, ...]]  # kind, length, and what follows `at` in its beat


def _acts(game: Game, result: Result, unknown: Collection[int], unplaced: Collection[int]) -> Iterator[Act]:
    """All that happens; how long a line takes is found when all are counted."""
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
    """The lines as they are told: those that bring nobody anything are passed over, those that decide come last.

    These are the lines without which the winners are least ahead, as many as it takes for them not
    to be in front before. All others keep the order of the pad.
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
    """Return how far the winners are ahead of all others by these lines; 0 where all have won."""
    sums = [0] * len(rows[0].points) if rows else []
    for row in rows:
        sums = [so_far + (amount or 0) for so_far, amount in zip(sums, row.points, strict=True)]
    others = [so_far for seat, so_far in enumerate(sums) if seat not in winners]
    return min((sums[seat] for seat in winners), default=0) - max(others) if others else 0


def spread(row: Row) -> int:
    amounts = [amount or 0 for amount in row.points]
    return max(amounts) - min(amounts)


def _level(players: Sequence[PlayerResult]) -> list[int]:
    """The seats that are level at the top, none if one is ahead or points are open."""
    if not all(is_final(player) for player in players):
        return []
    most = max(player["total"] for player in players)
    level = [seat for seat, player in enumerate(players) if player["total"] == most]
    return level if len(level) > 1 and any(players[seat]["winner"] for seat in level) else []


def _lower(players: Sequence[PlayerResult], but: Collection[int]) -> Iterator[Act]:
    """The places below the first, the last of them first, `but` those of which something else is told."""
    places = {player["rank"] for seat, player in enumerate(players) if not player["winner"] and seat not in but}
    for rank in sorted(places, reverse=True):
        words = tuple(ordinal(rank) if player["rank"] == rank else NOTHING for player in players)
        yield "place", PLACE, (NOTHING, (), (), (), words)


def _tie(game: Game, result: Result, level: Sequence[int]) -> Iterator[Act]:
    """Yield who is level at the top, and rung by rung what decides between them."""
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


# -- who is expected to win ---


def predict(db: Database, table: Table, seat: Seat) -> None:
    """Note that whoever has this phone thinks that this player will win."""
    if table.room is not None:
        with db.atomic(table.club_id):
            values = [seat.name, table.room.id, phones.device()]
            db.execute("UPDATE phones SET prediction = ? WHERE room_id = ? AND device = ?", values)
            touch(db, table)


def predictions(db: Database, table: Table) -> dict[str, list[bool]]:
    """Return who was predicted to win: by name, for each phone that said so whether it is this one."""
    found: dict[str, list[bool]] = {}
    room_id = table.room.id if table.room else None
    for row in db.query("SELECT device, prediction FROM phones WHERE room_id = ? AND role = 'play'", [room_id]):
        found.setdefault(row["prediction"], []).append(row["device"] == phones.device())
    return found


# -- when it runs ---


@dataclass(frozen=True, slots=True)
class Show(Script):
    """The reveal while it runs: phones go by the ms since it began, as their clocks differ."""

    elapsed: int
    unknown: frozenset[int]  # seats whose score nobody knows
    alone: bool  # nobody else watches


def show(table: Table, record: Json, result: Result) -> Show | None:
    """The reveal if it is to be seen now."""
    alone = table.phones < 2 and table.revealed_at is None
    if not result["ok"] or table.skipped or table.hides_results:
        return None
    is_edited = table.play_id is not None and table.saved_at is None
    if alone and (is_edited or result["needs"]):  # nothing new, or questions come first
        return None
    unknown = gaps(record, result) | {seat for seat, one in enumerate(result["players"]) if not is_final(one)}
    told = script(table.game, result, unknown, unplaced(record, result))
    elapsed = 0 if table.revealed_at is None else max(0, moment() - table.revealed_at)
    return Show(told.beats, told.length, told.full, elapsed, unknown, alone) if elapsed < told.length else None


def lift(db: Database, table: Table) -> None:
    """Raise the curtain."""
    if table.revealed_at is None:
        _begin(db, table)


def again(db: Database, table: Table) -> None:
    """Show it once more, to everybody."""
    if table.revealed_at is not None:
        _begin(db, table)


def _begin(db: Database, table: Table) -> None:
    db.execute("UPDATE tables SET revealed_at = ?, skipped = 0 WHERE id = ?", [moment(), table.id])
    touch(db, table)


def skip(db: Database, table: Table) -> None:
    """Straight to the result, on every screen."""
    if table.revealed_at is not None and not table.skipped:
        db.execute("UPDATE tables SET skipped = 1 WHERE id = ?", [table.id])
        touch(db, table)


def moment() -> int:
    return time.time_ns() // 1_000_000
