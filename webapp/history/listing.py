"""Lists of plays: filters, search, and pages that go on from the last play seen, so that page 900 costs what 1 does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from webapp import days
from webapp.database import Database
from webapp.history import plays, remarks
from webapp.history.kept import Play

PAGE = 30


@dataclass(frozen=True, slots=True)
class Listed:
    """A play as lists show it: names by place."""

    id: int
    key: str
    game: str
    played_at: str
    variant: str
    place: str
    minutes: int | None
    margin: int | None
    comeback: int | None
    comeback_rule: str | None
    names: list[str]
    winners: list[str]
    best: int | None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which plays to list; everything left out means all."""

    game: str = ""
    player: int | None = None
    since: str = ""  # days, both included
    until: str = ""
    players: int | None = None
    way: str = ""
    words: str = ""

    def within(self, zone: str) -> Filter:
        """The same with the moments at which the club's days begin and end."""
        return replace(
            self,
            since=days.beginning(self.since, zone) if self.since else "",
            until=days.end(self.until, zone) if self.until else "",
        )

    @property
    def is_on(self) -> bool:
        return self != Filter()


@dataclass(frozen=True, slots=True)
class Page:
    plays: list[Listed]
    older: str  # where the next page begins, "" after the last


def recent(db: Database, club_id: int, limit: int = 20) -> list[Listed]:
    """The latest plays with who played and who won."""
    return page(db, club_id, Filter(), size=limit).plays


def page(db: Database, club_id: int, chosen: Filter, after: str = "", size: int = PAGE, zone: str = "") -> Page:
    """The plays before that place in the list, the latest first."""
    chosen = chosen.within(zone)
    found = (
        _found(db, club_id, chosen, after, size + 1) if chosen.words else _kept(db, club_id, chosen, after, size + 1)
    )
    more = found[size - 1] if len(found) > size else None
    plays = listed(db, [play_id for _, play_id in found[:size]])
    return Page(plays, f"{more[0]}.{more[1]}" if more else "")


def _kept(db: Database, club_id: int, chosen: Filter, after: str, size: int) -> list[tuple[str, int]]:
    """When and which, by the index that leads straight to them."""
    if chosen.player is not None:
        table, column, fixed = "kept_scores", "play_id", {"player_id = ?": chosen.player, "club_id = ?": club_id}
    else:
        table, column, fixed = "kept_plays", "id", {"club_id = ?": club_id}
    parts = [*fixed, *(["deleted_at IS NULL"] if table == "kept_plays" else [])]
    values: list[Any] = list(fixed.values())
    for part, *given in _conditions(chosen, column, after):
        parts.append(part)
        values += given
    rows = db.execute(
        f"""SELECT played_at, {column} FROM {table} WHERE {" AND ".join(parts)}
        ORDER BY played_at DESC, {column} DESC LIMIT ?""",
        [*values, size],
    ).fetchall()
    return [(played_at, play_id) for played_at, play_id in rows]


def _conditions(chosen: Filter, column: str, after: str) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    if chosen.game:
        found.append(("game = ?", chosen.game))
    if chosen.players is not None:
        found.append(("player_count = ?", chosen.players))
    if chosen.way:
        found.append(("instr('|' || variant || '|', ?)", f"|{chosen.way}|"))
    if chosen.since:
        found.append(("played_at >= ?", chosen.since))
    if chosen.until:
        found.append(("played_at < ?", chosen.until))
    place = place_in_list(after)
    if place:
        found.append((f"(played_at, {column}) < (?, ?)", *place))
    return found


def deleted(db: Database, club_id: int, after: str = "", size: int = PAGE) -> tuple[list[Play], str]:
    """The games in the bin, deleted last first, and where the next page begins."""
    place = place_in_list(after)
    before, values = ("AND (deleted_at, id) < (?, ?)", [club_id, *place]) if place else ("", [club_id])
    rows = db.execute(
        f"""SELECT id FROM kept_plays WHERE club_id = ? AND deleted_at IS NOT NULL {before}
        ORDER BY deleted_at DESC, id DESC LIMIT ?""",
        [*values, size + 1],
    ).fetchall()
    found = [play for (play_id,) in rows[:size] if (play := plays.by_id(db, play_id))]
    return found, f"{found[-1].deleted_at}.{found[-1].id}" if len(rows) > size else ""


def place_in_list(after: str) -> tuple[str, int] | None:
    """When and which play, as the link to the next page says it; None if it does not."""
    found = re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)\.([0-9]{1,9})", after)
    try:
        return (found[1], int(found[2])) if found and datetime.fromisoformat(found[1]) else None
    except ValueError:  # 31 February
        return None


def _found(db: Database, club_id: int, chosen: Filter, after: str, size: int) -> list[tuple[str, int]]:
    """The plays whose notes or place have these words, the latest first."""
    question = remarks.question(club_id, chosen.words)
    if not question:
        return []
    place = place_in_list(after)
    before = remarks.number(*place) if place else 2**62
    found: list[tuple[str, int]] = []
    while len(found) < size:
        hits = db.execute(
            "SELECT rowid FROM remarks WHERE remarks MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?",
            [question, before, size],
        ).fetchall()
        if not hits:
            break
        before = hits[-1][0]
        found += _those(db, [remarks.play_id(rowid) for (rowid,) in hits], chosen)
    return found[:size]


def _those(db: Database, ids: Sequence[int], chosen: Filter) -> list[tuple[str, int]]:
    """Those of the plays that the other filters let through."""
    values: list[Any] = list(ids)
    parts = [f"id IN ({', '.join('?' * len(ids))})"]
    for part, *given in _conditions(chosen, "id", ""):
        parts.append(part)
        values += given
    if chosen.player is not None:
        parts.append("id IN (SELECT play_id FROM kept_scores WHERE player_id = ? AND play_id = kept_plays.id)")
        values.append(chosen.player)
    return db.execute(
        f"SELECT played_at, id FROM kept_plays WHERE {' AND '.join(parts)} ORDER BY played_at DESC, id DESC", values
    ).fetchall()


def listed(db: Database, ids: Sequence[int]) -> list[Listed]:
    """These plays, in this order."""
    marks = ", ".join("?" * len(ids))
    scores: dict[int, list[tuple[str, int, int]]] = {play_id: [] for play_id in ids}
    for play_id, *score in db.execute(
        f"""SELECT play_id, players.name, winner, total FROM kept_scores JOIN players ON players.id = player_id
        WHERE play_id IN ({marks}) ORDER BY rank, seat""",
        list(ids),
    ).fetchall():
        scores[play_id].append((score[0], score[1], score[2]))
    plays = {
        row["id"]: Listed(
            **row,
            names=[name for name, _, _ in scores[row["id"]]],
            winners=[name for name, winner, _ in scores[row["id"]] if winner],
            best=next((total for _, winner, total in scores[row["id"]] if winner), None),
        )
        for row in db.query(
            f"""SELECT id, key, game, played_at, variant, place, minutes, margin, comeback, comeback_rule
            FROM kept_plays WHERE id IN ({marks})""",
            list(ids),
        )
    }
    return [plays[play_id] for play_id in ids]
