"""Data: export, import with its questions and its progress, the database file, and scoring saved games again."""

from __future__ import annotations

import time
from contextlib import closing

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    flash,
    redirect,
    request,
    stream_with_context,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from scorer import games
from scorer.sentences import NOTHING, Sentence
from webapp import clubs
from webapp.clubs import access, deeds, needs, require
from webapp.database import Database, get_db, new_key
from webapp.downloads import download
from webapp.exchange import (
    Import,
    Matches,
    Refused,
    differences,
    errands,
    files,
    foreign,
    imports,
    outcome,
    own_file,
    reading,
    tables,
    writing,
)
from webapp.history import people, rescore
from webapp.numbers import number
from webapp.page import render_template
from webapp.statistics import results

room = Blueprint("data", __name__, url_prefix="/data")

LOOKED_AT = 50  # games that a page scores again
MOST_ASKED = 400  # names that a form asks about; the others are matched by name
AT_ONCE_S = 1.0  # an import that takes no longer is over when its page comes
UNDONE_AT_ONCE = 100  # plays
MOST_TICKETS = 40  # letters


@room.url_value_preprocessor
def let_in_files(endpoint: str | None, _: object) -> None:
    """A history may be larger than a form. Asked for rights this early because the CSRF check reads the whole body."""
    if endpoint == "data.bring":
        here("owner")
        request.max_content_length = reading.LARGEST + 2**20


def here(role: str = "viewer") -> tuple[Database, int]:
    return get_db(), require(access.current(), role).club_id


@room.get("")
@needs("viewer")
def show() -> str:
    return page()


def page(refusal: Sentence = NOTHING) -> str:
    db, club_id = here()
    return render_template(
        "data/show.html",
        kinds=writing.KINDS,
        refusal=refusal,
        ticket=new_key(),
        plays=writing.plays_of(db, club_id, "json"),
        largest=reading.LARGEST // 2**20,
        club_id=club_id,
        imports=imports.latest(db, club_id) if access.may("owner") else [],
    )


# -- out ---


@room.get("/export/<kind>")
@needs("member")
def export(kind: str) -> Response:
    if kind not in writing.KINDS:
        abort(404)
    db, club_id = here()
    name, media = writing.KINDS[kind]
    ticket = request.args.get("ticket", "")[:MOST_TICKETS] or new_key()
    sent = errands.Export(ticket, club_id, writing.plays_of(db, club_id, kind))

    def told(done: int) -> None:
        sent.done = done

    pieces = writing.write(db, club_id, kind, "excel" in request.args, told)
    watched = errands.errands().watched(sent, pieces)
    return download(stream_with_context(watched), name, media)


def export_of(ticket: str) -> errands.Export | None:
    """The file that this club is being sent under that ticket."""
    _, club_id = here("member")
    return errands.errands().export_of(club_id, ticket)


@room.get("/sending/<ticket>")
@needs("member")
def sending(ticket: str) -> str:
    """How far a file has been written that is being sent."""
    return render_template("data/sending.html", export=export_of(ticket), ticket=ticket)


@room.post("/sending/<ticket>/stop")
@needs("member")
def halt(ticket: str) -> BaseResponse:
    found = export_of(ticket)
    if found is not None:
        errands.errands().halt(found)
    return redirect(url_for("data.sending", ticket=ticket), 303)


@room.get("/export/sqlite")
@needs("owner")
def sqlite() -> Response:
    db, club_id = here()
    pieces = stream_with_context(own_file.pieces(db, club_id))
    return download(pieces, "tidemark-club.db", "application/vnd.sqlite3")


@room.get("/person/<int:person_id>")
@needs("member")
def person(person_id: int) -> Response:
    """What is kept of one person, for that person."""
    db, club_id = here()
    found = people.find(db, person_id) if person_id < 2**63 else None
    if found is None or found.club_id != club_id:
        abort(404)
    pieces = stream_with_context(writing.person(db, found.id, found.name))
    return download(pieces, f"tidemark-{found.name}.json", "application/json")


@room.get("/example.csv")
@needs("viewer")
def example() -> Response:
    return download(tables.example(), "tidemark-example.csv", "text/csv")


# -- in ---


@room.post("/import")
@needs("owner")
def bring() -> BaseResponse | tuple[str, int]:
    """Keep the file, see what it is, and begin; a file of another program asks first who is who."""
    db, club_id = here()
    if imports.under_way(db, club_id):
        flash("under_way")
        return redirect(url_for("data.show"), 303)
    key = imports.begin(db, club_id)
    try:
        one = imports.look(db, key, files.kept(db, key), keep(db, key))
    except Refused as fault:
        return page(fault.message), 422
    if one.is_running:
        begin(one.key)
    return redirect(url_for("data.status", key=key), 303)


def keep(db: Database, key: str) -> int:
    """Keep the file of the form until it has been taken in; its size."""
    file = request.files.get("file")
    if file is None:
        return 0
    with closing(file):
        return files.keep(db, key, file.stream)


def begin(key: str) -> None:
    """What is short is done at once, the rest in the background."""
    db = get_db()
    imports.go_on(db, key, files.still_kept(db, key), seen, time.monotonic() + AT_ONCE_S)
    found = imports.find(db, key)
    if found is not None and found.is_running:
        errands.errands().bring(current_app._get_current_object(), key)  # type: ignore[attr-defined]


def seen(_state: str, _done: int, _total: int) -> None:
    """The page reads it in the database."""


def import_of(key: str) -> Import:
    db, club_id = here()
    found = imports.find(db, key)
    if found is None or found.club_id != club_id:
        abort(404)
    return found


@room.get("/import/<key>")
@needs("owner")
def status(key: str) -> str:
    """Questions before it begins, progress while it goes on, and what came of it."""
    one = import_of(key)
    if one.state == "asking":
        return questions(one)
    if one.is_running:
        errands.errands().bring(current_app._get_current_object(), key)  # type: ignore[attr-defined]
        return render_template("data/progress.html", one=one)
    return render_template(
        "data/outcome.html",
        one=one,
        outcome=one.result(),
        words=outcome,
        corrections=imports.corrections(get_db(), key),
        fields=differences.FIELDS,
        names=games.titles(),
    )


def questions(one: Import) -> str:
    """Who is who, and which game is which: asked once."""
    db, club_id = here()
    brought, matches = one.survey(), imports.guessed(db, one)
    ours = [ref for ref in brought.games if matches["game", ref]]
    return render_template(
        "data/questions.html",
        key=one.key,
        brought=brought,
        matches=matches,
        plays=sum(brought.of_game.get(ref, 0) for ref in ours),
        seated={ref for game in ours for ref in brought.seated.get(game, ())},
        most=MOST_ASKED,
        games=games.everything(),
        people=[person.name for person in results.people(db, club_id).values()],
        tidy=foreign.name,
    )


@room.post("/import/<key>")
@needs("owner")
def take_in(key: str) -> BaseResponse:
    one = import_of(key)
    if one.state == "asking":
        db, club_id = here()
        imports.answer(db, one, answered(db, club_id, one))
        begin(key)
    return redirect(url_for("data.status", key=key), 303)


@room.post("/import/<key>/stop")
@needs("owner")
def stop(key: str) -> BaseResponse:
    """Take out again what it has brought, and forget it."""
    one = import_of(key)
    imports.stop(get_db(), one.key)
    if one.done <= UNDONE_AT_ONCE:
        imports.go_on(get_db(), one.key, files.still_kept(get_db(), one.key), seen)
    found = imports.find(get_db(), key)
    if found is None:
        flash("stopped")
        return redirect(url_for("data.show"), 303)
    return redirect(url_for("data.status", key=key), 303)


@room.post("/import/<key>/differences")
@needs("owner")
def settle(key: str) -> BaseResponse:
    """Take theirs or keep ours, game by game."""
    one = import_of(key)
    shown = [found.play_id for found in imports.corrections(get_db(), one.key)]
    taken = [play_id for play_id in shown if request.form.get(f"play.{play_id}") == "theirs"]
    answered_of = [play_id for play_id in shown if f"play.{play_id}" in request.form]
    imports.settle(get_db(), one.key, answered_of, taken)
    flash("settled")
    return redirect(url_for("data.status", key=key), 303)


def answered(db: Database, club_id: int, one: Import) -> Matches:
    """The matches as the page was filled in; what it did not ask stays as it was guessed."""
    found, brought = imports.guessed(db, one), one.survey()
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


# -- better rules ---


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
        last=looked_at[-1].id if len(looked_at) == LOOKED_AT else None,
        changes=[change for play in looked_at if (change := rescore.rescoring_of(play)) is not None],
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
        with db.atomic(club_id):  # one by one, so that others have their turn
            rescore.apply(db, [play_id])
            deeds.note(db, club_id, "rescored", play_id=play_id)
    return redirect(url_for("data.changes", after=after), 303)
