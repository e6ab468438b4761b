"""Data: export, import with its questions, the database file, and scoring saved games again."""

from __future__ import annotations

from contextlib import closing

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from scorer import games
from scorer.sentences import NOTHING, Sentence
from webapp import clubs
from webapp.clubs import access, deeds, needs, require
from webapp.database import Database, get_db
from webapp.downloads import download
from webapp.exchange import Foreign, Matches, Refused, bgg_ids, foreign, reading, tables, uploads, whole, writing
from webapp.history import rescore
from webapp.numbers import number
from webapp.statistics import player

room = Blueprint("data", __name__, url_prefix="/data")

LOOKED_AT = 50  # games that a page scores again
MOST_ASKED = 400  # names that a form asks about; the others are matched by name


@room.url_value_preprocessor
def let_in_files(endpoint: str | None, _: object) -> None:
    """A history may be larger than a form. Said this early because the check of the CSRF token reads the form."""
    if endpoint == "data.bring":
        request.max_content_length = reading.LARGEST + 2**20


def here() -> tuple[Database, int]:
    return get_db(), require(access.current(), "viewer").club_id


@room.get("")
@needs("viewer")
def show() -> str:
    return page()


def page(refusal: Sentence = NOTHING) -> str:
    return render_template("data/show.html", kinds=writing.KINDS, refusal=refusal)


@room.get("/export/<kind>")
@needs("member")
def export(kind: str) -> Response:
    if kind not in writing.KINDS:
        abort(404)
    db, club_id = here()
    name, media = writing.KINDS[kind]
    return download("".join(writing.write(db, club_id, kind, "excel" in request.args)), name, media)


@room.get("/export/sqlite")
@needs("owner")
def sqlite() -> Response:
    db, club_id = here()
    return download(writing.sqlite_file(db, club_id), "tidemark-club.db", "application/vnd.sqlite3")


@room.get("/example.csv")
@needs("viewer")
def example() -> Response:
    return download("".join(tables.example()), "tidemark-example.csv", "text/csv")


@room.post("/import")
@needs("owner")
def bring() -> BaseResponse | str | tuple[str, int]:
    """Our own file is taken in at once; for any other, first ask who is who."""
    db, club_id = here()
    try:
        found = reading.understand(sent())
        if found.foreign is None:
            with db.atomic():
                outcome = whole.read(db, club_id, found.club)
                deeds.note(db, club_id, "imported", str(outcome.added))
            return render_template("data/outcome.html", outcome=outcome)
    except Refused as fault:
        return page(fault.message), 422
    return redirect(url_for("data.questions", key=uploads.keep(db, club_id, found.foreign)), 303)


def sent() -> bytes:
    """The file of the form; a large one lies in a file of its own until it is closed."""
    file = request.files.get("file")
    if file is None:
        return b""
    with closing(file):
        content: bytes = file.read()
        return content


def upload_of(key: str) -> Foreign:
    db, club_id = here()
    found = uploads.find(db, club_id, key)
    if found is None:
        abort(404)
    return found


@room.get("/import/<key>")
@needs("owner")
def questions(key: str) -> str:
    """Who is who, and which game is which: asked once."""
    db, club_id = here()
    brought = upload_of(key)
    matches = foreign.matches(db, club_id, brought, bgg_ids())
    ours = [play for play in brought.plays if matches["game", play.game]]
    return render_template(
        "data/questions.html",
        key=key,
        brought=brought,
        matches=matches,
        plays=len(ours),
        seated={score.player for play in ours for score in play.scores},
        most=MOST_ASKED,
        games=games.everything(),
        people=[person["name"] for person in player.roll(db, club_id)],
        tidy=foreign.name,
    )


@room.post("/import/<key>")
@needs("owner")
def take_in(key: str) -> str:
    db, club_id = here()
    brought = upload_of(key)
    with db.atomic():
        outcome = foreign.take_in(db, club_id, brought, answered(db, club_id, brought))
        uploads.forget(db, key)
        deeds.note(db, club_id, "imported", str(outcome.added))
    return render_template("data/outcome.html", outcome=outcome)


def answered(db: Database, club_id: int, brought: Foreign) -> Matches:
    """The matches as the page was filled in; what it did not ask stays as it was guessed."""
    found = foreign.matches(db, club_id, brought, bgg_ids())
    for place, ref in enumerate(brought.games):
        chosen = request.form.get(f"game.{place}")
        if chosen is not None:
            found["game", ref] = chosen if games.find(chosen) else ""
    known = set(clubs.roster(db, club_id))
    for place, (ref, written) in enumerate(brought.players.items()):
        chosen = request.form.get(f"player.{place}")
        if chosen is not None:
            found["player", ref] = chosen if chosen in known else foreign.name(written)
    return found


@room.get("/rescore")
@needs("owner")
def changes() -> str:
    db, club_id = here()
    after = number(request.args.get("after")) or 0
    looked_at = list(rescore.looked_at(db, club_id, False, after, LOOKED_AT))
    return render_template(
        "data/rescore.html",
        names=games.titles(),
        after=after,
        looked_at=len(looked_at),
        last=looked_at[-1]["id"] if len(looked_at) == LOOKED_AT else None,
        changes=[change for row in looked_at if (change := rescore.rescoring_of(row)) is not None],
    )


@room.post("/rescore")
@needs("owner")
def score_again() -> BaseResponse:
    """The games that the page showed, as they come out now."""
    db, club_id = here()
    after = number(request.form.get("after")) or 0
    shown = [change.play_id for change in rescore.outdated(db, club_id, after=after, most=LOOKED_AT)]
    wanted = {number(play_id) for play_id in request.form.getlist("play")}
    rescore.settle(db, club_id, after, LOOKED_AT)
    for play_id in (play_id for play_id in shown if play_id in wanted):
        with db.atomic():  # one by one, so that others have their turn
            rescore.apply(db, [play_id])
            deeds.note(db, club_id, "rescored", play_id=play_id)
    return redirect(url_for("data.changes", after=after), 303)
