"""Long work in small steps: what it is stands in the file, so whoever opens it next goes on where the last one stopped.

No step keeps the file to itself for longer than others like to wait. The server has a thread for it, and a command
finishes what is begun before it answers. Merges come before careers are told again, which they would only upset.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.sentences import say
from webapp.database import Database, Unfit, connect, errors, insist
from webapp.history import ending, in_words, merging, naming_anew, recount, replay, zones
from webapp.history.chores import noted, taken

WORK = "work"  # what only one does at a time
WAIT_S = 0.1  # between two looks whether it has been done
LOOK_EVERY_S = 2.0  # for work that other processes have begun
MOST_PAUSE_S = 0.05
AFTER_A_FAULT_S = 30.0
BESIDE = 20  # slices of careers that are told between two looks of a recount
SMALL = 2_000  # plays that are worth waiting for at the start

Tell = Callable[[str, int, int | None], None]  # what is done, how much of it, of how much


@dataclass(frozen=True, slots=True)
class Chore:
    id: int
    kind: str
    club_id: int | None
    about: dict[str, Any]
    done: int
    total: int | None


@dataclass(frozen=True, slots=True)
class Progress:
    """What of a club is being counted anew, and how far: "careers" (of a game), "merge", "zone" or "recount"."""

    kind: str
    game: str
    done: int
    total: int | None


def progress(db: Database, club_id: int) -> list[Progress]:
    """What its pages should say of figures that are not right yet."""
    careers = [Progress("careers", one.game, one.done, one.total) for one in replay.under_way(db, club_id)]
    others = [chore for chore in chores(db, club_id) if chore.kind in {"merge", "recount", "zone"}]
    return careers + [Progress(chore.kind, "", chore.done, chore.total) for chore in others]


URGENT = ("club", "merge")


def chores(db: Database, club_id: int | None = None) -> list[Chore]:
    """What is begun and not done, the urgent first: of a club, or of all of them."""
    only = "" if club_id is None else "WHERE club_id = ? OR club_id IS NULL"
    rows = db.query(
        f"""SELECT id, kind, club_id, about, done, total FROM chores {only}
        ORDER BY kind NOT IN ('club', 'merge'), kind <> 'names', id""",
        [] if club_id is None else [club_id],
    )
    return [Chore(**{**row, "about": json.loads(row["about"])}) for row in rows]


def step(db: Database, tell: Tell | None = None) -> bool:
    """One step of what comes first; False if there is nothing to do."""
    waiting = chores(db)
    urgent = [chore for chore in waiting if chore.kind in URGENT]
    if not urgent and replay.go_on(db):
        return True
    if not waiting:
        return False
    chore = (urgent or waiting)[0]
    if chore.kind == "recount":
        _count(db, chore, tell)
        return True
    if chore.kind == "names":  # whose texts are read before anybody has to wait
        noted(db, chore.id, chore.club_id, chore.about, _take_names_out(db, chore.about))
    else:
        taken(db, chore.id, chore.club_id, chore.about, STEPS[chore.kind])
    if tell is not None:
        tell(chore.kind, chore.done, chore.total)
    return True


STEPS = {"club": ending.go_on, "merge": merging.go_on, "words": in_words.go_on, "zone": zones.go_on}


def _take_names_out(db: Database, about: dict[str, Any]) -> dict[str, Any] | None:
    last = naming_anew.go_on(db, about.get("after", 0))
    if last is None:
        with db.atomic():
            naming_anew.end(db)
        return None
    return {"after": last, "done": about.get("done", 0) + naming_anew.FEW}


def _count(db: Database, chore: Chore, tell: Tell | None) -> None:
    """A recount looks at one moment of the file from beginning to end; a restart begins it again."""

    def told(done: int, total: int) -> None:
        if tell is not None:
            tell("recount", done, total)

    recount.recount(db, tell=told)
    with db.atomic(0):
        db.execute("DELETE FROM chores WHERE id = ?", [chore.id])


def finish(db: Database, tell: Tell | None = None) -> None:
    """Do all that is begun, or wait until whoever is at it has done it."""
    while True:
        with db.sole(WORK) as mine:
            if mine:
                while step(db, tell):
                    pass
                return
        if not is_due(db):
            return
        time.sleep(WAIT_S)


def is_due(db: Database) -> bool:
    """Whether anything is begun and not done."""
    return bool(chores(db)) or db.row("SELECT 1 FROM retellings LIMIT 1") is not None


def finish_what_is_short(db: Database) -> None:
    """At the start of the pages: small files are put in order at once, others while people look at them."""
    [plays] = db.execute("SELECT count(*) FROM (SELECT 1 FROM kept_plays LIMIT ?) AS few", [SMALL + 1]).fetchone()
    if plays <= SMALL:
        with db.sole(WORK) as mine:
            while mine and step(db):
                pass


def keep_at_it(database: str | Path) -> threading.Event:
    """Do what is begun in a thread of its own, until the event is set."""
    stop = threading.Event()

    def watch() -> None:
        while not stop.is_set():
            try:
                with closing(connect(database)) as db, closing(connect(database)) as beside:
                    keep_on_alone(db, beside, stop)
            except errors(OSError, Unfit) as fault:  # must not end the service; a full disk may have room later
                print(f"tidemark: {say('work in the background is put off: {fault}', fault=str(fault))}", flush=True)
                stop.wait(AFTER_A_FAULT_S)

    threading.Thread(target=watch, name="work", daemon=True).start()
    return stop


def keep_on_alone(db: Database, beside: Database, stop: threading.Event) -> None:
    """One does it; the others look now and then whether it has ended."""
    while not stop.is_set():
        with db.sole(WORK) as mine:
            if mine:
                keep_on(db, beside, stop)
        stop.wait(LOOK_EVERY_S)


def keep_on(db: Database, beside: Database, stop: threading.Event) -> None:
    """Step after step, with room for others in between."""

    def meanwhile(kind: str, done: int, _: int | None) -> None:
        """A recount takes long and holds its own connection: say how far it is, and go on with careers beside it."""
        if kind == "recount":
            with beside.atomic(0):
                beside.execute("UPDATE chores SET done = ? WHERE kind = 'recount'", [done])
            for _step in range(BESIDE):
                if not replay.go_on(beside):
                    break

    while not stop.is_set():
        start = time.monotonic()
        more = insist(lambda: step(db, meanwhile))
        took = time.monotonic() - start
        stop.wait(min(took, MOST_PAUSE_S) if more else LOOK_EVERY_S)
