"""Compute again what is derived from saved games: cards, achievements, search words, ratings and streaks."""

from __future__ import annotations

from collections.abc import Callable

from scorer import games
from webapp import clubs, days
from webapp.database import Database, pack
from webapp.history import achievements, play_rows, saved_plays, search, standings
from webapp.history.play_rows import PlayData
from webapp.history.saved_plays import Play

Report = Callable[[int, int], None]

# The tables and (in COLUMNS) the columns of `all_plays` that follow from records and decisions.
DERIVED = ("all_cards", "achievements", "search_words", "ratings", "standings")
KNOWN = "WHERE play_id IN (SELECT id FROM all_plays WHERE game IN (SELECT value FROM words_in(?)))"
COLUMNS = ("day", "variant", "margin", "player_count")


def rebuild(db: Database, repair: bool = True, report: Report | None = None) -> list[str]:
    """Compute again everything that follows from saved games; return the names of the tables that were wrong. This is
    one transaction; without `repair` it is rolled back. After every 100 games, `report` is called with the numbers
    of games done and of all games."""
    with db.atomic():
        before = {table: _content(db, table) for table in DERIVED}
        wrong = ["all_plays"] if _rebuild(db, report) else []
        wrong += [table for table in DERIVED if _content(db, table) != before[table]]
        if not repair and wrong:
            raise _Rollback(wrong)
    return wrong


class _Rollback(Exception):
    def __init__(self, wrong: list[str]) -> None:
        self.wrong = wrong
        super().__init__()


def check(db: Database, report: Report | None = None) -> list[str]:
    """Return the names of the tables that `rebuild` would change, and change nothing. `report` is as in `rebuild`."""
    try:
        return rebuild(db, repair=False, report=report)
    except _Rollback as found:
        return found.wrong


def _rebuild(db: Database, report: Report | None) -> bool:
    names = [pack(games.ids())]
    for table in DERIVED:
        db.execute(
            f"DELETE FROM {table} {KNOWN if table == 'all_cards' else ''}", names if table == "all_cards" else []
        )
    [total] = db.execute("SELECT count(*) FROM all_plays").fetchone()
    done, changed = 0, False
    for (club_id,) in db.execute("SELECT id FROM clubs ORDER BY id").fetchall():
        zone = clubs.zone_of(db, club_id)
        for play in saved_plays.each(db, club_id, deleted=True):
            changed |= _rebuild_play(db, play, zone)
            done += 1
            if report is not None and done % 100 == 0:
                report(done, total)
        titles = db.execute("SELECT DISTINCT game FROM all_plays WHERE club_id = ?", [club_id]).fetchall()
        for (game,) in titles:
            standings.rebuild(db, club_id, game)
    return changed


def _rebuild_play(db: Database, play: Play, zone: str) -> bool:
    """Write the rows that follow from a game; return whether computed columns of the game itself were wrong. `zone` is
    the club's time zone, for its day. If the game's package is missing, its cards and columns stay as they are."""
    one = PlayData(play.id, play.record, play.decision, play.player_ids)
    achievements.award(db, [one])
    search.add(db, [play.id])
    if games.find(play.game) is None:
        return False
    db.executemany(f"INSERT INTO all_cards ({play_rows.CARDS}) VALUES (?, ?, ?, ?, ?)", list(play_rows.card_rows(one)))
    columns = (
        days.day_of(play.played_at, zone),
        play_rows.variant_of(play.record),
        play.decision.margin,
        len(play.decision.seats),
    )
    names = ", ".join(COLUMNS)
    if db.execute(f"SELECT {names} FROM all_plays WHERE id = ?", [play.id]).fetchone() == columns:
        return False
    db.execute(f"UPDATE all_plays SET {', '.join(f'{name} = ?' for name in COLUMNS)} WHERE id = ?", [*columns, play.id])
    return True


def _content(db: Database, table: str) -> int:
    """Return a digest of a table's rows that does not depend on their order."""
    return hash(frozenset(db.execute(f"SELECT * FROM {table}").fetchall()))


def update_labels(db: Database) -> None:
    """Write the table of all rules' English labels, which the SQL view `lines` uses, if it is out of date."""
    rows = [(game.id, rule, str(label)) for game in games.all_games() for rule, label in game.rules.items()]
    if set(db.execute("SELECT game, rule, label FROM rules").fetchall()) != set(rows):
        with db.atomic(0):
            db.execute("DELETE FROM rules")
            db.executemany("INSERT INTO rules (game, rule, label) VALUES (?, ?, ?)", rows)
