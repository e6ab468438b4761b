"""Read text tables such as CSV, of other programs or our own.

A row is a player, a whole game, or a line of a score sheet. A temporary SQLite file sorts the rows by game, so a table
may have any size. A game is left out if its rows leave open who played or won; the preview says so.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby, islice

from scorer.contract import Json
from scorer.names import folded
from scorer.sentences import say
from webapp.database import pack
from webapp.exchange import foreign, table_cells, table_layout
from webapp.exchange.files import Open, ReadProgress
from webapp.exchange.foreign import Digest, ForeignPlay, ForeignScore, LeftOut, has_zone, moment, whole
from webapp.exchange.import_errors import Refused
from webapp.exchange.import_report import Outcome
from webapp.exchange.table_dates import ASK, DAY, read
from webapp.exchange.table_layout import Layout, rank_of
from webapp.exchange.table_preview import Preview, doubts
from webapp.exchange.table_winners import Seat, who_won
from webapp.exchange.table_words import GUESTS, NOTHING, folded_sign

SOURCE = "CSV"
MOST_PEOPLE = 50_000


@dataclass(frozen=True, slots=True)
class Row:
    """Hold a row of a table: its cells by role, and what it says about players. `identity` has all cells by their
    heading; a later import recognises the game by them."""

    cells: Mapping[str, str]
    day: str | None  # in ISO format; None if it can't be read
    seats: tuple[Seat, ...]
    identity: Mapping[str, str]
    is_shifted: bool = False
    is_broken: bool = False  # it may belong to another game


class File:
    """Read a text table."""

    def __init__(self, opened: Open, layout: Layout | None = None) -> None:
        self.opened, self.layout = opened, layout

    def survey(self, on_read: ReadProgress, wish: Mapping[str, Json] | None = None, most: int | None = None) -> Digest:
        """Read the whole table; return the games and players in it, which people are asked to match with ours. `wish`
        is as in `table_layout.of`. If `most` is given, Refused is raised for more lines. `on_read` is called after
        each line, with the number of characters read so far."""
        if most is not None:
            table_cells.check_length(self.opened, most)
        self.layout = layout = table_layout.of(self.opened, on_read, wish or {})
        digest, preview, outcome = Digest(SOURCE), Preview(), Outcome()
        provisional = replace(layout, dates=DAY) if layout.dates == ASK else layout
        for number, cells in enumerate(self._cells(on_read), 1):
            preview.take(number, cells, doubts(cells, provisional))
        for play in () if provisional.fault() else self._plays(provisional, on_read):
            digest.plays += 1
            digest.games.setdefault(play.game, (play.game, None))
            digest.of_game[play.game] = digest.of_game.get(play.game, 0) + 1
            there = digest.seated.setdefault(play.game, [])
            if isinstance(play, LeftOut):
                outcome.note(play.reason, f"{play.game}, {play.example}" if play.game else play.example)
            for score in play.scores if isinstance(play, ForeignPlay) else ():
                if score.player not in digest.players or score.player not in there:
                    there.append(score.player)
                digest.players[score.player] = score.player
            if max(len(digest.players), len(digest.games)) > MOST_PEOPLE:
                raise Refused(
                    say("The file has more than {most} games, players or places. Split it.", most=MOST_PEOPLE)
                )
        digest.table = {
            "layout": layout.to_json(),
            "rows": preview.rows,
            "doubts": preview.doubts,
            "left_out": outcome.to_json(),
        }
        return digest

    def plays(self, on_read: ReadProgress) -> Iterator[ForeignPlay | LeftOut]:
        if self.layout is None:
            self.layout = table_layout.of(self.opened, on_read, {})
        if fault := self.layout.fault():
            raise fault
        yield from self._plays(self.layout, on_read)

    def _plays(self, layout: Layout, on_read: ReadProgress) -> Iterator[ForeignPlay | LeftOut]:
        with closing(sqlite3.connect("")) as sorter:  # "" is a temporary file, which SQLite deletes
            sorter.execute("PRAGMA journal_mode = OFF")
            sorter.execute("CREATE TABLE cells (play TEXT, number INTEGER, cells TEXT)")
            keyed = ((_key(row, layout, at), at, pack(row)) for at, row in enumerate(self._cells(on_read)))
            sorter.executemany("INSERT INTO cells VALUES (?, ?, ?)", keyed)
            found = sorter.execute(
                """SELECT play, cells FROM (
                    SELECT play, cells, number, min(number) OVER (PARTITION BY play) AS first FROM cells
                ) ORDER BY first, number"""
            )
            by_key = groupby(found, key=lambda row: row[0])
            groups = ([_row(json.loads(cells), layout) for _, cells in group] for _, group in by_key)
            for before, rows, after in with_neighbours(groups):
                if layout.is_wide or not any(could_be_one_game(rows, other) for other in (before, after)):
                    yield from games_of(rows, layout)
                else:
                    yield _left_out("torn", rows[0])

    def _cells(self, on_read: ReadProgress) -> Iterator[list[str]]:
        assert self.layout is not None
        every = table_cells.rows(self.opened, self.layout.encoding, self.layout.delimiter, on_read)
        return islice(every, self.layout.skipped, None)


def _cell(cells: Sequence[str], layout: Layout, role: str) -> str:
    return next((cells[column] for column in layout.columns(role) if column < len(cells)), "")


def _key(cells: Sequence[str], layout: Layout, number: int) -> str:
    """Return a key that all rows of one game share. If each row is a whole game, it is the row's `number`."""
    if layout.is_wide:
        return str(number)
    play = _cell(cells, layout, "play")
    date = _cell(cells, layout, "date")
    return pack([play] if play else ["", read(date, layout.dates) or date, _cell(cells, layout, "game")])


def _row(cells: list[str], layout: Layout) -> Row:
    width = len(layout.headings)
    is_shifted = len(cells) != width
    names = {column: role for column, role in enumerate(layout.roles) if role and layout.roles.count(role) == 1}
    identity = {
        names.get(column, heading): cell
        for column, (heading, cell) in enumerate(zip(layout.headings, cells, strict=False))
        if heading
    }
    texts = {role: _cell(cells, layout, role) for role in table_layout.ROLES}
    seats = () if is_shifted else tuple(_seats(cells, layout))
    day = read(texts["date"], layout.dates)
    is_broken = is_shifted or day is None or not all(folded(seat.player) for seat in seats)
    return Row(texts, day, seats, identity, is_shifted, is_broken)


def _seats(cells: Sequence[str], layout: Layout) -> Iterator[Seat]:
    if "named" in layout.roles:
        for column in layout.columns("named"):
            if folded_sign(cells[column]) not in NOTHING and cells[column]:
                yield Seat(layout.headings[column], cells[column])
        return
    columns = {role: layout.columns(role) for role in table_layout.OF_PLAYERS}
    count = len(columns["player"])
    for number in range(count):
        one = {role: cells[found[number]] for role, found in columns.items() if len(found) == count}
        if count == 1 or any(one.values()):
            line = tuple(_cell(cells, layout, role) for role in ("rule", "label", "points"))
            yield Seat(**one, lines=((line[0], line[1], line[2]),) if line[0] else ())


def with_neighbours(groups: Iterable[list[Row]]) -> Iterator[tuple[list[Row], list[Row], list[Row]]]:
    """Yield each group of rows between the groups before and after it, which are empty at the ends."""
    before: list[Row] = []
    rows: list[Row] = []
    for after in groups:
        if rows:
            yield before, rows, after
        before, rows = rows, after
    if rows:
        yield before, rows, []


def could_be_one_game(rows: Sequence[Row], others: Sequence[Row]) -> bool:
    """Return whether a mistake may have split one game into these two groups of rows.

    The groups must have no player in common. Also, a row must be unreadable, or they have the same day and one group is
    a single row.
    """
    if not others or not _names(rows).isdisjoint(_names(others)):
        return False
    is_same_day = rows[0].day == others[0].day
    return any(one.is_broken for one in (*rows, *others)) or (is_same_day and 1 in (len(rows), len(others)))


def games_of(rows: Sequence[Row], layout: Layout) -> Iterator[ForeignPlay | LeftOut]:
    """Yield the games in rows that share a key, usually one, or LeftOut if the games can't be told apart."""
    parts: list[list[Row]] = []
    for row in rows:
        if parts and (row.day, row.cells["game"]) == (parts[-1][0].day, parts[-1][0].cells["game"]):
            is_known = not _names([row]).isdisjoint(_names(parts[-1]))
            is_next = is_known and not row.cells["play"] and not layout.is_of_lines
        else:
            is_next = True
        if is_next:
            parts.append([])
        parts[-1].append(row)
    people = [_names(part) for part in parts]
    is_clear = not any(row.is_broken for row in rows)
    are_games = len(parts) == 1 or (
        is_clear and (all(one and one == people[0] for one in people) or all(len(one) > 1 for one in people))
    )
    if layout.is_wide or are_games:
        yield from (_play(part, layout) for part in parts)
    else:
        yield _left_out("torn", rows[0])


def _names(rows: Sequence[Row]) -> set[str]:
    return {folded(seat.player) for row in rows for seat in row.seats if folded_sign(seat.player) not in GUESTS}


def _left_out(reason: str, row: Row) -> LeftOut:
    return LeftOut(reason, row.cells["date"][:20] or "?", row.cells["game"][:100])


def _play(rows: Sequence[Row], layout: Layout) -> ForeignPlay | LeftOut:
    """Return the play in the rows of one game, or LeftOut if they say too little or contradict each other."""
    first = rows[0]
    day, at = first.day, moment(first.day)
    seats = _by_player(rows) if layout.is_of_lines else [seat for row in rows for seat in row.seats]
    names = [folded(seat.player) for seat in seats if folded_sign(seat.player) not in GUESTS]
    has_words = not {"winner", "rank"}.isdisjoint(layout.roles)
    named = first.cells["winner"] if len(layout.columns("winner")) == 1 and layout.is_wide else ""
    won = who_won(seats, named, has_words)
    reasons = (
        ("shifted", any(row.is_shifted for row in rows)),
        ("no_game", "game" in layout.roles and not first.cells["game"]),
        ("no_date", at is None),
        ("nobody", not seats or not all(folded(seat.player) for seat in seats)),
        ("torn", len(set(names)) < len(names) or (won is not None and _has_odd_twins(rows, seats, won, layout))),
        ("torn", any(seat.lines and whole(seat.total) not in (None, _sum(seat)) for seat in seats)),
        ("winner", won is None),
    )
    for reason, applies in reasons:
        if applies:
            return _left_out(reason, first)
    assert day is not None
    assert at is not None
    assert won is not None
    fingerprint = hashlib.sha256(repr([sorted(row.identity.items()) for row in rows]).encode()).hexdigest()[:32]
    cells = first.cells
    return ForeignPlay(
        cells["play"][:64] if len(cells["play"]) > 6 else fingerprint,
        cells["game"][:100],
        at,
        [_score(seat, winner) for seat, winner in zip(seats, won, strict=True)],
        whole(cells["minutes"]),
        cells["place"],
        "\n".join(dict.fromkeys(row.cells["notes"] for row in rows if row.cells["notes"]))[:2000],
        tuple(way.strip() for way in cells["variant"][:500].split("|") if way.strip()),
        by_the_clock=not has_zone(day),
    )


def _has_odd_twins(rows: Sequence[Row], seats: Sequence[Seat], won: Sequence[bool], layout: Layout) -> bool:
    """Return whether a game has equal rows that may be a mistake. If rows are lines of score sheets, any equal rows may
    be one; otherwise only equal rows of winners."""
    counts = Counter(repr(row.identity) for row in rows)
    if layout.is_wide or layout.is_of_lines:
        return layout.is_of_lines and len(counts) < len(rows)
    totals = [_score(seat, winner).total for seat, winner in zip(seats, won, strict=True)]
    most = max((total for total in totals if total is not None), default=None)
    wins = [
        winner or rank_of(seat.rank) == 1 or (total == most and not any(won))
        for seat, winner, total in zip(seats, won, totals, strict=True)
    ]
    # A row with too many or too few cells has no seat; its game is left out for that.
    return any(winner and counts[repr(row.identity)] > 1 for row, winner in zip(rows, wins, strict=False))


def _sum(seat: Seat) -> int | None:
    """Return the points of all of a player's lines together, or None if some can't be read."""
    points = [whole(one) for _, _, one in seat.lines]
    return None if None in points else sum(one for one in points if one is not None)


def _by_player(rows: Sequence[Row]) -> list[Seat]:
    """Return a seat for each player in these rows, with the lines of all rows of that player."""
    seats: dict[str, Seat] = {}
    for row in rows:
        for seat in row.seats:
            before = seats.get(seat.player)
            seats[seat.player] = replace(seat, lines=(before.lines if before else ()) + seat.lines)
    return list(seats.values())


def _score(seat: Seat, winner: bool) -> ForeignScore:
    return foreign.score(seat.player[:200], seat.total, winner, rank_of(seat.rank), _lines(seat))


def _lines(seat: Seat) -> tuple[tuple[str, str, int], ...]:
    found = [(rule[:60], label[:200], whole(points)) for rule, label, points in seat.lines]
    lines = tuple((rule, label, points) for rule, label, points in found if points is not None)
    return lines if len(lines) == len(found) else ()
