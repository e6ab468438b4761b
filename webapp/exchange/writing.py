"""Writes a club's history out: which kinds there are, and each of them piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, TypeVar

from scorer import games
from webapp import clubs
from webapp.database import Database, pack
from webapp.exchange import bgstats_out, tables, whole
from webapp.exchange.bgg import bgg_ids
from webapp.history import Archived, archive, people

# kind: the name of the file and its media type
KINDS = {
    "json": ("tidemark.json", "application/json"),
    "players": ("tidemark-players.csv", "text/csv"),
    "lines": ("tidemark-lines.csv", "text/csv"),
    "bgstats": ("tidemark-bgstats.json", "application/json"),
}
T = TypeVar("T")
Told = Callable[[int], None]  # hears how many plays have been written


def kind_of(file_name: str) -> str:
    """What the ending of a file's name asks for."""
    if file_name.endswith(".csv"):
        return "players"
    return "bgstats" if file_name.endswith((".bgsplay", ".bgstats.json")) else "json"


def plays_of(db: Database, club_id: int, kind: str) -> int:
    """How many plays the file will have."""
    view = "play_keys" if kind == "json" else "plays"  # our own file has deleted games too
    [count] = db.execute(f"SELECT count(*) FROM {view} WHERE club_id = ?", [club_id]).fetchone()
    return int(count)


def write(db: Database, club_id: int, kind: str, excel: bool = False, told: Told = lambda _: None) -> Iterator[str]:
    """The file in pieces. Excel takes a CSV file for UTF-8 only if it begins with a mark."""
    if excel and kind in {"players", "lines"}:
        yield tables.BOM
    plays = _told(archive.each(db, club_id, deleted=kind == "json"), told)
    if kind in {"players", "lines"}:
        titles = {name: str(title) for name, title in games.titles().items()}
        zone = clubs.zone_of(db, club_id)
        yield tables.rows([tables.PLAYERS if kind == "players" else tables.LINES])
        if kind == "players":
            outcomes = _told(archive.outcomes(db, club_id), told)
            yield from _gathered(tables.players(one, titles, zone) for one in outcomes)
        else:
            yield from _gathered(tables.lines(one, titles, zone) for one in plays)
    elif kind == "bgstats":
        yield from _gathered(bgstats_out.collection(db, club_id, plays, bgg_ids()))
    else:
        yield whole.head(db, club_id)
        yield from _gathered(_in_lines(map(whole.written, plays)))
        yield "\n]}\n"


def _told(plays: Iterator[T], told: Told) -> Iterator[T]:
    for number, one in enumerate(plays, start=1):
        yield one
        told(number)


def _in_lines(values: Iterator[Any]) -> Iterator[str]:
    before = "\n"
    for value in values:
        yield before + pack(value)
        before = ",\n"


def _gathered(pieces: Iterator[str]) -> Iterator[str]:
    """The same text in pieces that are worth sending."""
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= 64 * 1024:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)


def person(db: Database, player_id: int, name: str, told: Told = lambda _: None) -> Iterator[str]:
    """What is kept of one person: her look, and her games with her own board, lines and place; of others how many."""
    found = people.find(db, player_id)
    look = asdict(found.look) if found else {}
    yield pack({"format": "tidemark person", "version": 1, "name": name, **look})[:-1] + ',"plays":['
    plays = _told(archive.of_player(db, player_id), told)
    yield from _gathered(_in_lines(part for one in plays for part in _of_person(one, player_id)))
    yield "\n]}\n"


def _of_person(one: Archived, player_id: int) -> Iterator[Any]:
    play, fields = one.play, ("key", "game", "played_at", "saved_at", "place", "minutes")
    for seat, score in enumerate(play.decision.seats):
        if play.player_ids[seat] == player_id:
            yield {
                **{field: getattr(play, field) for field in fields},
                "players": len(play.decision.seats),
                "end_state": play.record["players"][seat],
                "score": {"name": play.names[seat], **whole.score(score)},
                "notes": play.notes,
            }
