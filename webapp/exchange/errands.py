"""Long imports go on while nobody waits for them: one after the other, in a thread that ends with the last of them.

Exports are written while they are sent; how far each has come, whoever began it may ask for and stop.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from flask import Flask, current_app

from webapp.database import connect
from webapp.exchange import files, imports

MOST_EXPORTS = 200  # that are remembered


class Halted(Exception):
    """An export that somebody has stopped: the file breaks off, and the browser throws it away."""


@dataclass(slots=True)
class Export:
    """A file that is being sent."""

    club_id: int
    total: int
    done: int = 0
    halted: bool = False
    over: bool = False


class Errands:
    """What goes on in the background of one app."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.waiting: list[str] = []
        self.thread: threading.Thread | None = None
        self.exports: dict[str, Export] = {}

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
                with app.app_context():
                    db = connect(app.config["DATABASE"])
                    try:
                        imports.go_on(db, key, files.kept(db, key), _unseen)
                    finally:
                        db.close()
            except Exception:
                app.logger.exception("An import broke off; the next start goes on with it, or its page.")
            finally:
                with self.lock:
                    self.waiting.remove(key)

    def watched(self, ticket: str, export: Export, pieces: Iterator[str]) -> Iterator[str]:
        """The pieces of a file on their way out."""
        with self.lock:
            while len(self.exports) >= MOST_EXPORTS:
                del self.exports[next(iter(self.exports))]
            self.exports[ticket] = export
        for piece in pieces:
            if export.halted:
                raise Halted
            yield piece
        export.over = True


def _unseen(_state: str, _done: int, _total: int) -> None:
    """Whoever looks reads it in the database."""


def errands() -> Errands:
    """Those of the app that answers."""
    return of_app(current_app)


def of_app(app: Flask) -> Errands:
    found: Errands = app.extensions.setdefault("errands", Errands())
    return found


def resume(app: Flask) -> None:
    """At the start of the server: imports that the last one could not end go on, whether or not anybody looks."""
    with closing(connect(app.config["DATABASE"])) as db:
        for key in imports.broken_off(db):
            of_app(app).bring(app, key)
