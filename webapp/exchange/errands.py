"""Long imports go on while nobody waits for them: one after the other, in a thread that ends with the last of them.

Exports are written while they are sent; how far each has come, whoever began it may ask for and stop, at any node.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

from flask import Flask, current_app

from webapp.database import borrowed, errors, pack
from webapp.exchange import files, imports

MOST_EXPORTS = 200  # that are remembered
RESUME_S = 60.0  # between two looks for imports that somebody else could not end
TOLD_S = 0.5  # between two words to other nodes of how far an export has come
SENDING, HALT = "sending", "halt"  # what nodes tell each other of an export

Others = Callable[[str, Iterable[str]], object]


class Halted(Exception):
    """An export that somebody has stopped: the file breaks off, and the browser throws it away."""


@dataclass(slots=True)
class Export:
    """A file that is being sent, by us or by another node."""

    ticket: str
    club_id: int
    total: int
    done: int = 0
    over: bool = False
    halted: bool = False

    def packed(self) -> str:
        """How far it is, as one word."""
        return quote(pack([self.ticket, self.club_id, self.total, self.done, self.over]))


class Errands:
    """What goes on in the background of one app."""

    def __init__(self, others: Others) -> None:
        self.others = others
        self.lock = threading.Lock()
        self.waiting: list[str] = []
        self.thread: threading.Thread | None = None
        self.exports: dict[tuple[int, str], Export] = {}

    def bring(self, app: Flask, key: str) -> None:
        """See to it that this import goes on."""
        with self.lock:
            if key not in self.waiting:
                self.waiting.append(key)
            if self.thread is None:
                self.thread = threading.Thread(target=self._run, args=[app], name="imports", daemon=True)
                self.thread.start()

    def _run(self, app: Flask) -> None:
        while True:
            with self.lock:
                if not self.waiting:
                    self.thread = None
                    return
                key = self.waiting[0]
            try:
                with app.app_context(), borrowed(app) as db:
                    imports.go_on(db, key, files.still_kept(db, key), _unseen)
            except Exception:
                app.logger.exception("An import broke off; the next start goes on with it, or its page.")
            finally:
                with self.lock:
                    self.waiting.remove(key)

    # -- exports ---

    def watched(self, export: Export, pieces: Iterator[str]) -> Iterator[str]:
        """The pieces of a file on their way out."""
        self._remember(export)
        told = time.monotonic()
        for piece in pieces:
            if export.halted:
                raise Halted
            yield piece
            if time.monotonic() >= told + TOLD_S:
                told = time.monotonic()
                self.others(SENDING, [export.packed()])
        export.over = True
        self.others(SENDING, [export.packed()])

    def _remember(self, export: Export) -> None:
        with self.lock:
            while len(self.exports) >= MOST_EXPORTS:
                del self.exports[next(iter(self.exports))]
            self.exports[export.club_id, export.ticket] = export

    def export_of(self, club_id: int, ticket: str) -> Export | None:
        return self.exports.get((club_id, ticket))

    def halt(self, export: Export) -> None:
        """Whoever sends it breaks off."""
        export.halted = True
        self.others(HALT, [export.packed()])

    def heard_of_sending(self, exports: Iterable[str]) -> None:
        """Other nodes have come so far; who hears two words at once does not know which is the later one."""
        for packed in exports:
            ticket, club_id, total, done, over = json.loads(unquote(packed))
            known = self.export_of(club_id, ticket)
            if known is None:
                self._remember(Export(ticket, club_id, total, done, over))
            else:
                known.done, known.over = max(known.done, done), known.over or over

    def heard_of_halting(self, exports: Iterable[str]) -> None:
        for packed in exports:
            ticket, club_id, *_ = json.loads(unquote(packed))
            known = self.export_of(club_id, ticket)
            if known is not None:
                known.halted = True


def _unseen(_state: str, _done: int, _total: int) -> None:
    """Whoever looks reads it in the database."""


def errands() -> Errands:
    """Those of the app that answers."""
    return of_app(current_app)


def of_app(app: Flask) -> Errands:
    found: Errands = app.extensions["errands"]
    return found


def resume(app: Flask) -> None:
    """Imports that somebody else could not end go on, whether or not anybody looks; without their file they expire."""
    with borrowed(app) as db:
        imports.clear_abandoned(db, _unseen)
        for key in imports.broken_off(db):
            of_app(app).bring(app, key)


def keep_resuming(app: Flask) -> threading.Event:
    """At the start of the server and then every minute, as another node may have gone: until the event is set."""
    stop = threading.Event()

    def watch() -> None:
        while True:
            try:
                resume(app)
            except errors(OSError) as fault:
                app.logger.error("Imports could not be looked for: %s", fault)
            if stop.wait(RESUME_S):
                return

    threading.Thread(target=watch, name="resuming", daemon=True).start()
    return stop
