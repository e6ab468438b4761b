"""Open the pages of a game on a temporary server, with its examples saved as games of a club."""

from __future__ import annotations

import json
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from scorer.check import Example, Report, was
from scorer.contract import Game
from scorer.core import score_as
from scorer.result import can_be_saved
from scorer.sentences import say
from webapp import clubs
from webapp.app import build
from webapp.checking.files import blocked, inline
from webapp.database import connect
from webapp.history import plays

NAMES = tuple(f"Player {number}" for number in range(1, 100))


@dataclass
class Site:
    """Hold an app with one club, and a test client that acts as a device of the club's owner."""

    app: Flask
    client: FlaskClient
    invitation: str
    game: Game
    examples: Sequence[Example]
    report: Report
    seen: list[str] = field(default_factory=list)  # the paths of opened pages

    def get(self, path: str, page: str = "", nothing_asked: int = 200) -> None:
        """Open the page at `path` and note what is wrong with it. Notes name the game's file `page` if there is one.
        `nothing_asked` is a status that is allowed besides 200, such as that of a page without questions."""
        place = self._place(page)
        with self.report.trying(say("This happened on {path}.", path=path)):
            answer = self.client.get(path, follow_redirects=True)
            self.seen.append(path)
            if answer.status_code not in (200, nothing_asked):
                self.report.note(
                    place, say("{path} answers with status {status}.", path=path, status=answer.status_code)
                )
            elif answer.mimetype == "text/html":
                for _, name in inline(answer.get_data(as_text=True)):
                    self.report.note(place, blocked(name))

    def _place(self, page: str) -> tuple[str, int]:
        file = self.report.source.folder / "page" / page
        return self.report.source.at(file) if page and file.is_file() else self.report.source.field()

    def post(self, path: str, **fields: str) -> str:
        """Send a form and return the address it leads to, or ""."""
        with self.report.trying(say("This happened on {path}.", path=path)):
            answer = self.client.post(path, data=fields)
            if answer.status_code < 400:
                return str(answer.location or "")
            self.report.note(
                self._place(""), say("{path} answers with status {status}.", path=path, status=answer.status_code)
            )
        return ""


@contextmanager
def pages(game: Game, examples: Sequence[Example], report: Report) -> Iterator[Site]:
    """Yield a temporary site on which the pages of the game can be tested. Its club has no games yet. The site holds
    the `examples` to save there, and notes what is wrong in `report`."""
    with tempfile.TemporaryDirectory() as folder:
        app = build(
            {
                "DATABASE": str(Path(folder) / "check.db"),
                "SECRET_KEY": secrets.token_hex(),
                "TESTING": True,  # exceptions reach the report
                "WTF_CSRF_ENABLED": False,
            }
        )
        try:
            with closing(connect(app.config["DATABASE"])) as db:
                link = clubs.links(db, clubs.create(db, "Check"))["owner"]
            client = app.test_client()
            client.post(f"/join/{link}")
            yield Site(app, client, f"/join/{link}", game, examples, report)
        finally:
            app.extensions["connections"].close()


def check(site: Site) -> int:
    """Open the pages of the game from setup to statistics, note what is wrong, and return the number of pages."""
    site.get("/")
    table = new_table(site)
    if table:
        for path, page in (("setup", "setup.html"), ("seats/0", "editor.html"), ("facts", ""), ("result", "")):
            site.get(f"{table}/{path}", page)
        if site.game.companion is not None:
            site.get(f"{table}/companion", "companion.html", nothing_asked=404)
    for key in save_examples(site):
        site.get(f"/plays/{key}", "board.html")
        table = site.post(f"/plays/{key}/edit").rpartition("/seats/")[0]
        if table:
            site.get(f"{table}/seats/0", "editor.html")
            site.get(f"{table}/result", "board.html")
    for part in ("", "/boards", "/cards"):
        site.get(f"/stats/games/{site.game.id}{part}")
    for name in ("style.css", "script.js", "art.svg"):
        if (site.report.source.folder / "page" / name).is_file():
            site.get(f"{site.app.static_url_path}/games/{site.game.id}/{name}")
    return len(site.seen)


def new_table(site: Site) -> str:
    """Return the address of a new table with the fewest players that the game needs, or ""."""
    table = site.post("/tables", game=site.game.id).removesuffix("/setup")
    for name in NAMES[: site.game.players[0]] if table else ():
        site.post(f"{table}/setup", new=name)
    return table


def save_examples(site: Site) -> list[str]:
    """Save the examples as games of the club, and return their keys."""
    keys = []
    with closing(connect(site.app.config["DATABASE"])) as db:
        club = clubs.first_club(db)
        for example in site.examples:
            result = score_as(site.game, example.record)
            if club is not None and result["ok"] and can_be_saved(result):
                with site.report.trying(was(example.name)):
                    number = plays.save(db, club, json.loads(json.dumps(example.record)), result)
                    row = db.row("SELECT key FROM play_keys WHERE id = ?", number)
                    keys += [str(row["key"])] if row else []
    return keys
