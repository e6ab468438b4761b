"""Write a club's history in one of several file formats, piece by piece."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, TypeVar

from scorer import games
from scorer.contract import Json
from webapp import avatars, clubs
from webapp.database import Database, pack
from webapp.exchange import bgstats_out, club_json, tables_out
from webapp.exchange.bgg import bgg_ids
from webapp.history import Archived, Version, archive, player_profiles

# For each kind, the name of the file and its media type.
KINDS = {
    "json": ("tidemark.json", "application/json"),
    "players": ("tidemark-players.csv", "text/csv"),
    "lines": ("tidemark-lines.csv", "text/csv"),
    "bgstats": ("tidemark-bgstats.json", "application/json"),
}
T = TypeVar("T")
Progress = Callable[[int], None]  # called with the number of plays written so far


def kind_of(file_name: str) -> str:
    """Return the kind of export that a file of this name holds: "players" for CSV, else "bgstats" or "json"."""
    if file_name.endswith(".csv"):
        return "players"
    return "bgstats" if file_name.endswith((".bgsplay", ".bgstats.json")) else "json"


def plays_of(db: Database, club_id: int, kind: str) -> int:
    view = "play_keys" if kind == "json" else "plays"  # our own file has deleted games too
    [count] = db.execute(f"SELECT count(*) FROM {view} WHERE club_id = ?", [club_id]).fetchone()
    return int(count)


def write(
    db: Database, club_id: int, kind: str, excel: bool = False, progress: Progress = lambda _: None
) -> Iterator[str]:
    """Yield in pieces the export of this `kind`, a key of `KINDS` such as "json". `progress` is called after each play
    with the number of plays written so far. `excel` adds a byte order mark, without which Excel does not recognise a
    CSV file as UTF-8."""
    if excel and kind in {"players", "lines"}:
        yield tables_out.BOM
    plays = _counted(archive.each(db, club_id, deleted=kind == "json"), progress)
    if kind in {"players", "lines"}:
        titles = {name: str(title) for name, title in games.titles().items()}
        zone = clubs.zone_of(db, club_id)
        yield tables_out.rows([tables_out.PLAYERS if kind == "players" else tables_out.LINES])
        if kind == "players":
            outcomes = _counted(archive.outcomes(db, club_id), progress)
            yield from _gathered(tables_out.players(one, titles, zone) for one in outcomes)
        else:
            yield from _gathered(tables_out.lines(one, titles, zone) for one in plays)
    elif kind == "bgstats":
        yield from _gathered(bgstats_out.collection(db, club_id, plays, bgg_ids()))
    else:
        yield _head(db, club_id)
        yield from _gathered(_in_lines(map(_written, plays)))
        yield "\n]}\n"


def _head(db: Database, club_id: int) -> str:
    """Return the JSON of the club up to the list of its plays."""
    club = {
        "format": club_json.FORMAT,
        "version": club_json.VERSION,
        "club": clubs.name_of(db, club_id),
        "players": [
            {"name": name, "created_at": at, "guest": bool(guest), **asdict(avatars.avatar_of(name, colour, token))}
            for name, at, guest, colour, token in db.execute(
                "SELECT name, created_at, guest, colour, token FROM players WHERE club_id = ? ORDER BY id", [club_id]
            ).fetchall()
        ],
        "remembered": {
            row["game"]: json.loads(row["setup"])
            for row in db.query("SELECT game, setup FROM remembered WHERE club_id = ? ORDER BY game", [club_id])
        },
        "cards": [
            {**row, "card": json.loads(row["card"])}
            for row in db.query(
                "SELECT game, kind, name, card FROM box_cards WHERE club_id = ? ORDER BY game, kind, name", [club_id]
            )
        ],
        "matches": list(
            db.query(
                "SELECT source, kind, theirs, ours FROM matches WHERE club_id = ? ORDER BY source, kind, theirs",
                [club_id],
            )
        ),
        "deeds": clubs.audit_log.exported(db, club_id),
    }
    return pack(club)[:-1] + ',"plays":['


def _written(one: Archived) -> Json:
    """Return the play as JSON with all its versions."""
    return {
        **{name: getattr(one.play, name) for name in club_json.PLAIN},
        **({"origin": one.play.origin} if one.play.origin else {}),
        "deleted_at": one.play.deleted_at,
        **_version(one.play),
        "versions": [{"version": old.version, "saved_at": old.saved_at, **_version(old)} for old in one.versions],
    }


def _version(one: Version) -> Json:
    """Return a version as JSON: its record and its decision."""
    decision = one.decision
    return {
        "basis": decision.basis,
        "rules_version": decision.rules_version,
        "decided_by": decision.decided_by,
        "record": one.record,
        "scores": [asdict(seat) for seat in decision.seats],
    }


def _counted(plays: Iterator[T], progress: Progress) -> Iterator[T]:
    for number, one in enumerate(plays, start=1):
        yield one
        progress(number)


def _in_lines(values: Iterator[Any]) -> Iterator[str]:
    before = "\n"
    for value in values:
        yield before + pack(value)
        before = ",\n"


def _gathered(pieces: Iterator[str]) -> Iterator[str]:
    """Join the pieces into larger ones, of at least 64 KiB."""
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= 64 * 1024:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)


def person(db: Database, player_id: int, name: str, progress: Progress = lambda _: None) -> Iterator[str]:
    """Yield in pieces, as JSON, what is stored about a player: `name`, avatar and the player's part of each game.
    `progress` is called after each game, with the number of games written so far."""
    found = player_profiles.find(db, player_id)
    avatar = asdict(found.avatar) if found else {}
    yield pack({"format": "tidemark person", "version": 1, "name": name, **avatar})[:-1] + ',"plays":['
    plays = _counted(archive.of_player(db, player_id), progress)
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
                "score": {"name": play.names[seat], **asdict(score)},
                "notes": play.notes,
            }
