"""CSV: one row for each player of each play, or one for each line of each score pad; and reading the former back.

RFC 4180, UTF-8. Text that a spreadsheet would take for a formula is made harmless with an apostrophe (ASVS 1.2.10);
numbers are numbers, so that a score below zero stays one.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Iterator

from scorer import games
from scorer.sentences import in_a_row, say
from webapp.database import Database
from webapp.exchange.foreign import Foreign, ForeignPlay, ForeignScore, Refused, moment, whole

PLAYERS = ("play", "date", "game", "player", "total", "rank", "winner", "variant", "place", "minutes", "notes")
LINES = ("play", "date", "game", "player", "position", "rule", "label", "points")
NEEDED = {"date", "game", "player", "total"}
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "'")
BOM = "\ufeff"
YES = {"1", "yes", "true", "x"}
MOST_ROWS = 200_000

EXAMPLE = (
    ("1", "2026-01-31", "Tiny Towns", "Ann", 28, 1, 1, "", "At home", 45, "Ann's first"),
    ("1", "2026-01-31", "Tiny Towns", "Bob", 24, 2, 0, "", "At home", 45, ""),
    ("2", "2026-02-07", "Pier 18", "Bob", 31, 1, 1, "", "", "", ""),
    ("2", "2026-02-07", "Pier 18", "Cid", 31, 2, 0, "", "", "", ""),
)


def rows(lines: Iterable[Iterable[object]]) -> Iterator[str]:
    """Lines of a CSV file."""
    for line in lines:
        buffer = io.StringIO()
        csv.writer(buffer).writerow([safe(value) for value in line])
        yield buffer.getvalue()


def safe(value: object) -> object:
    """A value that no spreadsheet runs."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def meant(text: str) -> str:
    """What stood in a cell before it was made safe."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text


def players(db: Database, club_id: int) -> Iterator[str]:
    names = games.titles()
    yield from rows([PLAYERS])
    found = db.execute(
        """SELECT kept_plays.key, kept_plays.played_at, kept_plays.game, players.name, total, rank, winner,
            kept_plays.variant, place, minutes, CASE seat WHEN 0 THEN notes ELSE '' END
        FROM kept_scores JOIN kept_plays ON kept_plays.id = play_id JOIN players ON players.id = player_id
        WHERE kept_plays.club_id = ? AND deleted_at IS NULL ORDER BY kept_plays.played_at, play_id, seat""",
        [club_id],
    )
    yield from rows((key, at, names.get(game, game), *rest) for key, at, game, *rest in found)


def lines(db: Database, club_id: int) -> Iterator[str]:
    names = games.titles()
    yield from rows([LINES])
    found = db.execute(
        """SELECT kept_plays.key, kept_scores.played_at, kept_scores.game, players.name, position + 1, rule, label,
            points
        FROM kept_lines JOIN kept_scores USING (play_id, seat) JOIN kept_plays ON kept_plays.id = play_id
        JOIN players ON players.id = player_id
        WHERE kept_scores.club_id = ? ORDER BY kept_scores.played_at, play_id, seat, position""",
        [club_id],
    )
    yield from rows((key, at, names.get(game, game), *rest) for key, at, game, *rest in found)


def example() -> Iterator[str]:
    return rows([PLAYERS, *EXAMPLE])


def read(text: str) -> Foreign:
    """The plays of a CSV file made like the example."""
    try:
        reader = csv.DictReader(io.StringIO(text.removeprefix(BOM)), strict=True)
        missing = NEEDED - set(reader.fieldnames or ())
        if missing:
            columns = in_a_row(sorted(missing))
            raise Refused(say("The first row has to name the columns; {columns} are not among them.", columns=columns))
        together: dict[tuple[str, ...], list[dict[str, str]]] = {}
        for number, row in enumerate(reader):
            if number >= MOST_ROWS:
                raise Refused(say("That is more than {most} rows: split the file.", most=MOST_ROWS))
            cells = {column: meant(cell).strip() for column, cell in row.items() if column and isinstance(cell, str)}
            key = (cells.get("play", ""), cells["date"], cells["game"]) if set(cells) >= NEEDED else ("",)
            together.setdefault(key, []).append(cells)
    except csv.Error as fault:
        raise Refused(say("This is not a CSV file: {fault}.", fault=str(fault))) from None
    plays = [play(group) for group in together.values()]
    found = [one for one in plays if one is not None]
    seen_games = {one.game: (one.game, None) for one in found}
    people = {score.player: score.player for one in found for score in one.scores}
    return Foreign("CSV", found, seen_games, people, len(plays) - len(found))


def play(group: list[dict[str, str]]) -> ForeignPlay | None:
    """The rows of one play together; None if they tell too little."""
    at = moment(group[0].get("date", ""))
    scores = [
        ForeignScore(row.get("player", ""), whole(row.get("total", "")), row.get("winner", "").lower() in YES)
        for row in group
    ]
    if at is None or any(score.total is None or not score.player for score in scores):
        return None
    first = group[0]
    fingerprint = hashlib.sha256(repr([sorted(row.items()) for row in group]).encode()).hexdigest()[:32]
    return ForeignPlay(
        first.get("play", "") if len(first.get("play", "")) > 6 else fingerprint,
        first["game"],
        at,
        scores,
        whole(first.get("minutes", "")),
        first.get("place", ""),
        "\n".join(row["notes"] for row in group if row.get("notes")),
    )
