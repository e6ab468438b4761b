"""What is old goes for good, once a day while we serve: deleted games, forgotten tables, notes of who did what.

Nothing goes while the clock is in doubt. Doing it twice changes nothing.
"""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

from scorer.sentences import say
from webapp import clubs, timekeeper
from webapp.clock import clock
from webapp.database import Database, Unfit, connect, errors, insist
from webapp.history import plays
from webapp.language import of_environment
from webapp.table import rooms, tables

HOUR_S = 3600.0


def purge(db: Database) -> bool:
    """Let go what is old; False if the clock does not allow it today."""
    if not timekeeper.may_forget(db):
        return False
    with db.sole("purging") as mine:
        if mine:  # or another node is just doing it
            rooms.end_those_left_alone(db)
            tables.clear_forgotten(db)
            plays.purge(db)
            clubs.deeds.purge(db)
            clubs.devices.purge(db)
    return True


class Purger:
    """Looks again and again: rooms left alone end within the hour, what is old goes once on each day of the clock."""

    def __init__(self, database: str | Path) -> None:
        self.database = database
        self.done_on = ""
        self.stop = threading.Event()

    def look(self) -> None:
        today = clock.wall().date().isoformat()
        with closing(connect(self.database)) as db:
            if today != self.done_on:
                if insist(lambda: purge(db)):
                    self.done_on = today
            elif timekeeper.may_forget(db):
                insist(lambda: rooms.end_those_left_alone(db))

    def watch(self) -> None:
        """At once, and then every hour: the machine may have slept over midnight, or the clock been in doubt."""
        while True:
            try:
                self.look()
            except errors(OSError, Unfit) as fault:  # a full disk must not end the watch
                news = say("nothing old was deleted today: {reason}", reason=str(fault))
                print(f"tidemark: {news.into(of_environment())}", flush=True)
            if self.stop.wait(HOUR_S):
                return


def keep_purging(database: str | Path) -> Purger:
    """In a thread of its own, until it is told to stop."""
    purger = Purger(database)
    threading.Thread(target=purger.watch, name="purging", daemon=True).start()
    return purger
