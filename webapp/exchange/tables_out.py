"""Write CSV files with a row for each player of a play, or a row for each line of the score sheets.

The format is RFC 4180 in UTF-8 with all fields in quotes. Text that a spreadsheet would run as a formula gets an
apostrophe (ASVS 1.2.10). This happens wherever a cell may begin, as programs that expect semicolons ignore our quotes.
Numbers stay numbers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from scorer import games
from scorer.contract import Game
from scorer.result import label_of
from webapp import days
from webapp.exchange.identity import original_key
from webapp.history import Archived, SeatScore, archive

PLAYERS = ("play", "date", "game", "player", "total", "rank", "winner", "variant", "place", "minutes", "notes", "open")
# The last four belong to the player, so that a player without a line is not lost when the file is read back.
LINES = ("play", "date", "game", "player", "position", "rule", "label", "points", "total", "rank", "winner", "open")
OPEN = "still to count"  # the total is then empty
SIGNS = "=+\\-@＝＋－＠"  # a formula begins with one of these, in half or full width
# The beginning of a cell that a spreadsheet would run, with any apostrophes it has already.
BEGINNING = re.compile(rf"^'*(?=[\t\r\n\0])|(?:^|[;,|\t\r\n\0])[ \"]*'*(?=[{SIGNS}])")
BOM = "\ufeff"


def rows(lines: Iterable[Iterable[object]]) -> str:
    """Return CSV text with a row for each of `lines`, which hold the values of its cells."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL)
    for line in lines:
        writer.writerow([safe(value) for value in line])
    return buffer.getvalue()


def safe(value: object) -> object:
    """Return the value with an apostrophe wherever a spreadsheet would read a formula."""
    return BEGINNING.sub(_with_apostrophe, value) if isinstance(value, str) else value


def _with_apostrophe(found: re.Match[str]) -> str:
    return found[0] + "'"


def without_apostrophes(text: str) -> str:
    """Return the text of a cell as it was before `safe` changed it."""
    return BEGINNING.sub(lambda found: found[0].removesuffix("'"), text)


def players(scores: Sequence[archive.Scored], titles: dict[str, str], zone: str) -> str:
    """Return the CSV rows of a play, one for each player. `titles` has the names of titles by id; `zone` is the time
    zone for the date."""
    first = scores[0]
    key = original_key(first.key, first.source, first.source_id)
    when, title = days.with_offset(first.played_at, zone), titles.get(first.game, first.game)
    return rows(
        (
            *(key, when, title, one.name),
            *map(_or_blank, (one.total, one.rank, one.winner)),
            *(one.variant, one.place, _or_blank(one.minutes)),
            "" if one.seat else one.notes,
            "" if one.final else OPEN,
        )
        for one in scores
    )


def lines(one: Archived, titles: dict[str, str], zone: str) -> str:
    """Return the CSV rows of a play, one for each line of each player's score sheet. A player without lines has one row
    without a rule. `titles` has the names of titles by id; `zone` is the time zone for the date."""
    play = one.play
    game, key = games.find(play.game), original_key(play.key, play.source, play.source_id)
    about = (key, days.with_offset(play.played_at, zone), titles.get(play.game, play.game))
    return rows(
        (*about, name, *line, *map(_or_blank, (seat.total, seat.rank, seat.winner)), "" if seat.final else OPEN)
        for name, seat in zip(play.names, play.decision.seats, strict=True)
        for line in _lines(game, seat)
    )


def _lines(game: Game | None, seat: SeatScore) -> Iterator[tuple[object, ...]]:
    for position, (rule, item, points) in enumerate(seat.lines, start=1):
        yield position, rule, str(label_of(game, rule, item)), points
    if not seat.lines:
        yield "", "", "", ""


def _or_blank(value: int | None) -> int | str:
    return "" if value is None else int(value)


def example() -> str:
    """Return a small CSV file to fill in, with titles that are installed."""
    first, *_, last = [game.name for game in games.all_games()]
    plays = (
        ("1", "2026-01-31", first, "Ann", 28, 1, 1, "", "At home", 45, "Ann's first", ""),
        ("1", "2026-01-31", first, "Bob", 24, 2, 0, "", "At home", 45, "", ""),
        ("2", "2026-02-07", last, "Bob", 31, 1, 1, "", "", "", "", ""),
        ("2", "2026-02-07", last, "Cid", 31, 2, 0, "", "", "", "", ""),
    )
    return rows([PLAYERS, *plays])
