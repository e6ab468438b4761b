"""List plays by filters and search. A page begins after the last play seen, so page 900 costs as much as page 1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any

from webapp import days
from webapp.database import Database
from webapp.history import saved_plays, search
from webapp.history.saved_plays import Play
from webapp.history.standings import Moment

PAGE = 30
FEW_GAMES = 2_000  # of a player; if there are no more, all of them are checked
MOST_CHECKED = 1_000  # plays that a page checks at most, however few of them fit
OPEN = "(final = 0 OR (winner IS NULL AND all_plays.player_count > 1))"  # a score that can still be completed
MOST_CHECKED_WITH_WORDS, AT_ONCE = 300, 60


@dataclass(frozen=True, slots=True)
class Listed:
    """Hold a play as lists show it, with names by rank."""

    id: int
    key: str
    game: str
    played_at: str
    variant: str
    place: str
    minutes: int | None
    margin: int | None
    names: list[str]
    winners: list[str]
    best: int | None


@dataclass(frozen=True, slots=True)
class Filter:
    """Choose which saved games to list; a field with its default value lets all games through."""

    game: str = ""
    player: int | None = None
    since: str = ""  # days, both included
    until: str = ""
    players: int | None = None
    way: str = ""
    words: str = ""
    open: bool = False  # only those with a score that is still to count, or without a known winner

    def within(self, zone: str) -> Filter:
        """Return the filter with its days replaced by the moments at which they begin and end in this time zone."""
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
    looked_back: str = ""  # the moment where the search ended before the page was full


def recent(db: Database, club_id: int, limit: int = 20) -> list[Listed]:
    return page(db, club_id, Filter(), size=limit).plays


def page(db: Database, club_id: int, chosen: Filter, after: str = "", size: int = PAGE, zone: str = "") -> Page:
    """Return a page of at most `size` games that the filter `chosen` lets through, latest first. `after` is "" or the
    `older` of the page before; `zone` is the time zone of the filter's days."""
    chosen = chosen.within(zone)
    query = _by_words if chosen.words else _by_filter
    found, end = query(db, club_id, chosen, place_in_list(after), size + 1)
    more = found[size - 1] if len(found) > size else end
    plays = listed(db, [play_id for _, play_id in found[:size]])
    return Page(plays, f"{more[0]}.{more[1]}" if more else "", end[0] if end and len(found) <= size else "")


def _by_filter(
    db: Database, club_id: int, chosen: Filter, before: Moment | None, size: int
) -> tuple[list[Moment], Moment | None]:
    """Return time and id of up to `size` games before `before` that fit, and where the search gave up. The latter is
    the time and id of the last game checked, or None if it did not give up. An index finds title, player and days.
    All other conditions are checked game by game, up to `MOST_CHECKED` games."""
    fixed, values = ["club_id = ?", "deleted_at IS NULL"], [club_id]
    leading, fitting = _conditions(chosen, before)
    if chosen.player is not None:
        if _has_few_games(db, chosen.player):
            leading += [("id IN (SELECT play_id FROM all_scores WHERE player_id = ?)", chosen.player), *fitting]
            fitting = []
        else:
            has_played = "EXISTS (SELECT 1 FROM all_scores WHERE play_id = all_plays.id AND player_id = ?)"
            fitting.append((has_played, chosen.player))
    for part, *given in leading:
        fixed.append(part)
        values += given
    fits = " AND ".join(part for part, *_ in fitting) or "1"
    rows = db.execute(
        f"""SELECT played_at, id, {fits} FROM all_plays WHERE {" AND ".join(fixed)}
        ORDER BY played_at DESC, id DESC LIMIT ?""",
        [*(value for _, *given in fitting for value in given), *values, MOST_CHECKED if fitting else size],
    )
    found, looked_at, moment = [], 0, None
    for played_at, play_id, does_fit in rows:
        moment, looked_at = (played_at, play_id), looked_at + 1
        found += [moment] if does_fit else []
        if len(found) == size:
            return found, None
    return found, moment if looked_at == MOST_CHECKED else None


def _has_few_games(db: Database, player_id: int) -> bool:
    sql = f"SELECT count(*) FROM (SELECT 1 FROM all_scores WHERE player_id = ? LIMIT {FEW_GAMES + 1}) AS few"
    return bool(db.execute(sql, [player_id]).fetchone()[0] <= FEW_GAMES)


Condition = tuple[Any, ...]  # SQL and its values


def _conditions(chosen: Filter, before: Moment | None) -> tuple[list[Condition], list[Condition]]:
    """Return the SQL conditions of the filter `chosen`: those for an index, and those to check game by game. If
    `before` is given, only games before that moment fit."""
    leading: list[Condition] = []
    fitting: list[Condition] = []
    if chosen.game:
        leading.append(("game = ?", chosen.game))
    if chosen.since:
        leading.append(("played_at >= ?", chosen.since))
    if chosen.until:
        leading.append(("played_at < ?", chosen.until))
    if before:
        leading.append(("(played_at, id) < (?, ?)", *before))
    if chosen.players is not None:
        fitting.append(("player_count = ?", chosen.players))
    if chosen.way:
        fitting.append(("instr('|' || variant || '|', ?) > 0", f"|{chosen.way}|"))
    if chosen.open:
        fitting.append((f"EXISTS (SELECT 1 FROM all_scores WHERE play_id = all_plays.id AND {OPEN})",))
    return leading, fitting


def deleted(db: Database, club_id: int, after: str = "", size: int = PAGE) -> tuple[list[Play], str]:
    """Return a page of deleted games, last deleted first, and the `after` of the next page ("" if none)."""
    place = place_in_list(after)
    before, values = ("AND (deleted_at, id) < (?, ?)", [club_id, *place]) if place else ("", [club_id])
    read = db.query(
        f"""SELECT {saved_plays.COLUMNS} FROM all_plays WHERE club_id = ? AND deleted_at IS NOT NULL {before}
        ORDER BY deleted_at DESC, id DESC LIMIT ?""",
        [*values, size + 1],
    )
    rows = saved_plays.of_rows(db, read)
    found = rows[:size]
    return found, f"{found[-1].deleted_at}.{found[-1].id}" if len(rows) > size else ""


def place_in_list(after: str) -> tuple[str, int] | None:
    """Return time and id of the game after which a page begins, or None if `after` is empty or malformed."""
    found = re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)\.([0-9]{1,9})", after)
    try:
        return (found[1], int(found[2])) if found and datetime.fromisoformat(found[1]) else None
    except ValueError:  # 31 February
        return None


def _by_words(
    db: Database, club_id: int, chosen: Filter, before: Moment | None, size: int
) -> tuple[list[Moment], Moment | None]:
    """Return time and id of up to `size` games before `before` that fit the filter, which has words. Notes and place of
    a game must contain all of them. Also return where the search gave up, as `_by_filter` does."""
    what = search.search_terms(db, club_id, chosen.words)
    if what is None:
        return [], None
    if chosen.until:
        before = min(before or (chosen.until, 0), (chosen.until, 0))
    found: list[Moment] = []
    moments = search.latest(db, what, before, chosen.since)
    for _ in range(MOST_CHECKED_WITH_WORDS // AT_ONCE):
        some = list(islice(moments, AT_ONCE))
        found += _filtered(db, [play_id for _, play_id in some], chosen, what)
        if len(found) >= size or len(some) < AT_ONCE:
            return found[:size], None
    return found, some[-1]


def _filtered(db: Database, ids: Sequence[int], chosen: Filter, what: search.SearchTerms) -> list[Moment]:
    """Return time and id of those games in `ids` that have all words of `what` and fit the filter `chosen`."""
    leading, fitting = _conditions(chosen, None)
    parts, values = [f"id IN ({', '.join('?' * len(ids))})"], list(ids)
    for part, *given in [*leading, *fitting, *search.conditions(what)]:
        parts.append(part)
        values += given
    if chosen.player is not None:
        parts.append("id IN (SELECT play_id FROM all_scores WHERE player_id = ? AND play_id = all_plays.id)")
        values.append(chosen.player)
    return db.execute(
        f"SELECT played_at, id FROM all_plays WHERE {' AND '.join(parts)} ORDER BY played_at DESC, id DESC", values
    ).fetchall()


def listed(db: Database, ids: Sequence[int]) -> list[Listed]:
    """Return what lists show of the games with these ids, in the same order."""
    marks = ", ".join("?" * len(ids))
    scores: dict[int, list[tuple[str, int, int]]] = {play_id: [] for play_id in ids}
    for play_id, *score in db.execute(
        f"""SELECT play_id, players.name, winner, total FROM all_scores JOIN players ON players.id = player_id
        WHERE play_id IN ({marks}) ORDER BY rank IS NULL, rank, seat""",
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
            f"""SELECT id, key, game, played_at, variant, place, minutes, margin
            FROM all_plays WHERE id IN ({marks})""",
            list(ids),
        )
    }
    return [plays[play_id] for play_id in ids]
