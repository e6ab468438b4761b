"""CSV: one row for each player of each play, or one for each line of each score pad; and reading the former back.

We read what spreadsheets make of it: commas, semicolons, tabs or bars between cells, a first line “sep=;”, headings in
any order and capitals, UTF-8 and UTF-16.

We write RFC 4180, UTF-8, every field in quotes. Text that a spreadsheet would take for a formula is made harmless with
an apostrophe (ASVS 1.2.10), wherever a cell may begin: a program that expects semicolons splits a field at them, quotes
or not. Numbers are numbers, so that a score below zero stays one.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, groupby

from scorer.result import label_of
from scorer.sentences import in_a_row, say
from webapp import days
from webapp.database import pack
from webapp.exchange import foreign
from webapp.exchange.files import Moved, Open
from webapp.exchange.foreign import Digest, ForeignPlay, ForeignScore, LeftOut, has_zone, moment, whole
from webapp.exchange.identity import known_as
from webapp.exchange.refusal import Refused
from webapp.history import Archived, archive

SOURCE = "CSV"
PLAYERS = ("play", "date", "game", "player", "total", "rank", "winner", "variant", "place", "minutes", "notes")
LINES = ("play", "date", "game", "player", "position", "rule", "label", "points")
NEEDED = {"date", "game", "player", "total"}
ONLY_LINES = {"rule", "points"}
DELIMITERS = ",;\t|"
SEPARATOR = re.compile(r'"?sep=([^\w\s"]|\t)"?\r?\n?', re.IGNORECASE)  # Excel's own first line
SURPLUS = ""  # the cells of a row for which there are no headings
SIGNS = "=+\\-@＝＋－＠"  # with which formulas begin, in half and full width
# Where a cell may begin, the apostrophes that stand there already, and a sign after them.
BEGINNING = re.compile(rf"^'*(?=[\t\r\n\0])|(?:^|[;,|\t\r\n\0])[ \"]*'*(?=[{SIGNS}])")
BOM = "\ufeff"
YES = {"1", "yes", "true", "x"}
LONGEST_LINE = 256 * 1024  # letters
MOST_PEOPLE = 50_000

EXAMPLE = (
    ("1", "2026-01-31", "Tiny Towns", "Ann", 28, 1, 1, "", "At home", 45, "Ann's first"),
    ("1", "2026-01-31", "Tiny Towns", "Bob", 24, 2, 0, "", "At home", 45, ""),
    ("2", "2026-02-07", "Pier 18", "Bob", 31, 1, 1, "", "", "", ""),
    ("2", "2026-02-07", "Pier 18", "Cid", 31, 2, 0, "", "", "", ""),
)


def rows(lines: Iterable[Iterable[object]]) -> str:
    """Lines of a CSV file."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL)
    for line in lines:
        writer.writerow([safe(value) for value in line])
    return buffer.getvalue()


def safe(value: object) -> object:
    """A value that no spreadsheet runs."""
    return BEGINNING.sub(_with_apostrophe, value) if isinstance(value, str) else value


def _with_apostrophe(found: re.Match[str]) -> str:
    return found[0] + "'"


def meant(text: str) -> str:
    """What stood in a cell before it was made safe."""
    return BEGINNING.sub(lambda found: found[0].removesuffix("'"), text)


def players(scores: Sequence[archive.Scored], titles: dict[str, str], zone: str) -> str:
    """The rows of a play."""
    first = scores[0]
    key = known_as(first.key, first.source, first.source_id)
    when, title = days.written(first.played_at, zone), titles.get(first.game, first.game)
    return rows(
        (
            *(key, when, title, one.name),
            "" if one.total is None else one.total,
            "" if one.rank is None else one.rank,
            *(one.winner, one.variant, one.place),
            "" if one.minutes is None else one.minutes,
            "" if one.seat else one.notes,
        )
        for one in scores
    )


def lines(one: Archived, titles: dict[str, str], zone: str) -> str:
    play = one.play
    key = known_as(play.key, play.source, play.source_id)
    return rows(
        (
            *(key, days.written(play.played_at, zone), titles.get(play.game, play.game), name, position),
            *(rule, str(label_of(play.game, rule, item)), points),
        )
        for name, seat in zip(play.names, play.decision.seats, strict=True)
        for position, (rule, item, points) in enumerate(seat.lines, start=1)
    )


def example() -> str:
    return rows([PLAYERS, *EXAMPLE])


class File:
    """A CSV file made like the example. Its rows are sorted by plays in a file of their own, so it may be any size."""

    def __init__(self, opened: Open) -> None:
        self.opened = opened

    def survey(self, moved: Moved) -> Digest:
        """Read it through; what has to be asked about it."""
        digest = Digest(SOURCE)
        for play in self.plays(moved):
            digest.plays += 1
            digest.games.setdefault(play.game, (play.game, None))
            digest.of_game[play.game] = digest.of_game.get(play.game, 0) + 1
            there = digest.seated.setdefault(play.game, [])
            for score in play.scores if isinstance(play, ForeignPlay) else ():
                if score.player not in digest.players or score.player not in there:
                    there.append(score.player)
                digest.players[score.player] = score.player
            if max(len(digest.players), len(digest.games)) > MOST_PEOPLE:
                raise Refused(say("The file names more than {most} games, players or places.", most=MOST_PEOPLE))
        return digest

    def plays(self, moved: Moved) -> Iterator[ForeignPlay | LeftOut]:
        with closing(sqlite3.connect("")) as sorter:  # a file that SQLite makes and takes away
            sorter.execute("PRAGMA journal_mode = OFF")
            sorter.execute("CREATE TABLE cells (play TEXT, number INTEGER, cells TEXT)")
            sorter.executemany("INSERT INTO cells VALUES (?, ?, ?)", self._cells(moved))
            found = sorter.execute(
                """SELECT cells.play, cells FROM cells
                JOIN (SELECT play, min(number) AS first FROM cells GROUP BY play) AS plays ON plays.play = cells.play
                ORDER BY first, number"""
            )
            for _, group in groupby(found, key=lambda row: row[0]):
                yield play([json.loads(cells) for _, cells in group])

    def _cells(self, moved: Moved) -> Iterator[tuple[str, int, str]]:
        """Each row with what tells its play from others."""
        try:
            encoding = self._encoding()
            with self.opened() as raw, io.TextIOWrapper(raw, encoding=encoding, newline="") as text:
                reader = _rows(_lines(text, moved))
                headings = [_heading(cell) for cell in next(reader, [])]
                _check_headings(headings)
                for number, row in enumerate(row for row in reader if row):
                    cells = {column: meant(cell).strip() for column, cell in zip(headings, row, strict=False) if column}
                    if any(cell.strip() for cell in row[len(headings) :]):
                        cells[SURPLUS] = "".join(row[len(headings) :])
                    key = [cells.get("play", ""), cells.get("date", ""), cells.get("game", "")]
                    yield (pack(key if set(cells) >= NEEDED else [*key, number]), number, pack(cells))
        except csv.Error as fault:
            raise Refused(say("This is not a CSV file: {fault}.", fault=str(fault))) from None
        except UnicodeDecodeError:
            raise Refused(say("The file is not text in UTF-8. From Excel, save as “CSV UTF-8”.")) from None

    def _encoding(self) -> str:
        with self.opened() as raw:
            mark = raw.read(2)
        return "utf-16" if mark in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE} else "utf-8-sig"


def _rows(lines: Iterator[str]) -> Iterator[list[str]]:
    """Yield the rows, the headings first, split at whatever separates the cells here."""
    first = next(lines, "")
    named = SEPARATOR.fullmatch(first)
    if named:
        delimiter = named[1]
    else:
        delimiter = max(DELIMITERS, key=lambda one: len(NEEDED & _headings(first, one)))
        lines = chain([first], lines)
    return csv.reader(lines, delimiter=delimiter, strict=True)


def _headings(line: str, delimiter: str) -> set[str]:
    return set(map(_heading, next(csv.reader([line], delimiter=delimiter), ())))


def _heading(cell: str) -> str:
    """Return the name of one of our columns in small letters, and any other as it is written."""
    written = meant(cell).strip()
    return written.lower() if written.lower() in {*PLAYERS, *LINES} else written


def _check_headings(headings: Sequence[str]) -> None:
    missing = NEEDED - set(headings)
    if missing and set(headings) >= ONLY_LINES:
        raise Refused(
            say("This file has a row for each line of a score pad. Choose the CSV file with a row for each player.")
        )
    if missing:
        raise Refused(
            say("The first row must name the columns. Not found: {columns}.", columns=in_a_row(sorted(missing)))
        )
    twice = sorted({one for one in headings if one in PLAYERS and headings.count(one) > 1})
    if twice:
        raise Refused(say("Several columns have the same name: {columns}. Keep one.", columns=in_a_row(twice)))


def _lines(text: io.TextIOWrapper, moved: Moved) -> Iterator[str]:
    size = 0
    while line := text.readline(LONGEST_LINE):
        size += len(line)
        moved(size)
        if len(line) == LONGEST_LINE:
            raise Refused(say("A line of the file is longer than {most} letters.", most=LONGEST_LINE))
        yield line.replace("\0", "")


def play(group: list[dict[str, str]]) -> ForeignPlay | LeftOut:
    """The rows of one play together; none if they tell too little."""
    first = group[0]
    game, written = first.get("game", "")[:100], first.get("date", "")
    at = moment(written)
    scores = [_score(row) for row in group]
    reasons = (
        ("shifted", any(SURPLUS in row for row in group)),  # nobody can tell under which heading a cell belongs
        ("no_game", not game),
        ("no_date", at is None),
        ("no_score", any("total" not in row for row in group)),
        ("nobody", any(not row.get("player") for row in group)),
    )
    for reason, applies in reasons:
        if applies:
            return LeftOut(reason, written[:20] or "?", game)
    assert at is not None
    fingerprint = hashlib.sha256(repr([sorted(row.items()) for row in group]).encode()).hexdigest()[:32]
    return ForeignPlay(
        first["play"][:64] if len(first.get("play", "")) > 6 else fingerprint,
        game,
        at,
        scores,
        whole(first.get("minutes", "")),
        first.get("place", ""),
        "\n".join(row["notes"] for row in group if row.get("notes"))[:2000],
        tuple(way.split("=")[-1].replace("_", " ") for way in first.get("variant", "")[:500].split("|") if way),
        not has_zone(written),
    )


def _score(row: dict[str, str]) -> ForeignScore:
    won = row.get("winner", "")
    is_winner = won.lower() in YES or whole(won) == 1
    return foreign.score(row.get("player", "")[:200], row.get("total", ""), is_winner, row.get("rank", ""))
