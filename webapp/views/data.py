"""Export a club's data and import games, with questions and progress."""

from __future__ import annotations

import io
import time
from contextlib import closing
from dataclasses import replace

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
from webapp import jobs
from webapp.clubs import access, needs, require
from webapp.database import Database, get_db, new_key
from webapp.downloads import download
from webapp.exchange import (
    Import,
    Outcome,
    Refused,
    club_sqlite,
    corrections,
    differences,
    export_files,
    exports,
    file_formats,
    files,
    foreign,
    import_form,
    import_report,
    imports,
    table_layout,
    table_preview,
    tables_out,
)
from webapp.history import archive, player_profiles
from webapp.page import render_template
from webapp.statistics import results
from webapp.table import samples

blueprint = Blueprint("data", __name__, url_prefix="/data")

MOST_ASKED = 400  # most names that the form asks about; others are matched by name
AT_ONCE_S = 1.0  # a shorter import is finished when its page is shown
MOST_TICKETS = 40  # characters


@blueprint.url_value_preprocessor
def allow_large_import(endpoint: str | None, _: object) -> None:
    """Allow a larger body for an import, after checking the role.

    This comes before the CSRF check, which reads the whole body.
    """
    if endpoint == "data.begin_import":
        current_club("owner")
        request.max_content_length = file_formats.LARGEST + 2**20


def current_club(role: str = "viewer") -> tuple[Database, int]:
    return get_db(), require(access.current(), role).club_id


@blueprint.get("")
@needs("viewer")
def show() -> str:
    return page()


def page(refusal: Sentence = NOTHING) -> str:
    db, club_id = current_club()
    return render_template(
        "data/show.html",
        kinds=export_files.KINDS,
        refusal=refusal,
        ticket=new_key(),
        plays=export_files.plays_of(db, club_id, "json"),
        still_open=archive.open_plays(db, club_id),
        largest=file_formats.LARGEST // 2**20,
        jobs=jobs.latest(db, club_id, 20) if access.may("owner") else [],
        imports=imports,
        has_samples=bool(samples.of_club(db, club_id, most=1)),
    )


# -- exports ---


@blueprint.get("/export/<kind>")
@needs("member")
def export(kind: str) -> Response:
    if kind not in export_files.KINDS:
        abort(404)
    db, club_id = current_club()
    name, media = export_files.KINDS[kind]
    ticket = request.args.get("ticket", "")[:MOST_TICKETS] or new_key()
    job = exports.begin(db, club_id, ticket, export_files.plays_of(db, club_id, kind))
    sending = exports.Sending(current_app._get_current_object(), job)  # type: ignore[attr-defined]
    pieces = export_files.write(db, club_id, kind, "excel" in request.args, sending.note_progress)
    return download(stream_with_context(sending.until_stopped(pieces)), name, media)


@blueprint.get("/sending/<ticket>")
@needs("member")
def sending(ticket: str) -> str:
    """Show how much of the export with this ticket has been sent."""
    db, club_id = current_club("member")
    return render_template("data/sending.html", export=exports.find(db, club_id, ticket), ticket=ticket)


@blueprint.post("/sending/<ticket>/stop")
@needs("member")
def stop_export(ticket: str) -> BaseResponse:
    db, club_id = current_club("member")
    found = exports.find(db, club_id, ticket)
    if found is not None and found.state == "sending":
        exports.stop(db, found)
    return redirect(url_for("data.sending", ticket=ticket), 303)


@blueprint.get("/export/sqlite")
@needs("owner")
def sqlite() -> Response:
    db, club_id = current_club()
    pieces = stream_with_context(club_sqlite.pieces(db, club_id))
    return download(pieces, "tidemark-club.db", "application/vnd.sqlite3")


@blueprint.get("/person/<int:person_id>")
@needs("member")
def person(person_id: int) -> Response:
    """Return all data about one person as a file for that person."""
    db, club_id = current_club()
    found = player_profiles.find(db, person_id) if person_id < 2**63 else None
    if found is None or found.club_id != club_id:
        abort(404)
    pieces = stream_with_context(export_files.person(db, found.id, found.name))
    return download(pieces, f"tidemark-{found.name}.json", "application/json")


@blueprint.get("/example.csv")
@needs("viewer")
def example() -> Response:
    return download(tables_out.example(), "tidemark-example.csv", "text/csv")


# -- imports ---


@blueprint.post("/import")
@needs("owner")
def begin_import() -> BaseResponse | tuple[str, int]:
    """Store the file, recognize its format, and begin the import.

    For a file of another program, people are first asked which players its names mean.
    """
    db, club_id = current_club()
    if imports.under_way(db, club_id):
        flash("under_way")
        return redirect(url_for("data.show"), 303)
    key = imports.begin(db, club_id)
    try:
        one = imports.inspect(db, key, store_upload(db, key), most_lines=file_formats.MOST_LINES)
    except Refused as fault:
        return page(fault.message), 422
    if one.is_running:
        imports.finish(db, key, time.monotonic() + AT_ONCE_S)
    return redirect(url_for("data.status", key=key), 303)


def store_upload(db: Database, key: str) -> int:
    """Store the uploaded file or the pasted text for the import `key`. Return its size in bytes."""
    text = request.form.get("text", "")
    if text.strip():
        return files.keep(db, imports.job_of(db, key), io.BytesIO(text.encode()))
    file = request.files.get("file")
    if file is None:
        return 0
    with closing(file):
        return files.keep(db, imports.job_of(db, key), file.stream)


def import_of(key: str) -> Import:
    db, club_id = current_club()
    found = imports.find(db, key)
    if found is None or found.club_id != club_id:
        abort(404)
    return found


@blueprint.get("/import/<key>")
@needs("owner")
def status(key: str) -> str:
    """Show an import: its questions, its progress, or its outcome."""
    one = import_of(key)
    if one.state == "asking":
        return questions(one)
    if one.is_running or one.state == "failed":
        return render_template("data/progress.html", one=one)
    return render_template(
        "data/outcome.html",
        one=one,
        outcome=one.result(),
        words=import_report,
        corrections=corrections.of_import(get_db(), one.job),
        fields=differences.FIELDS,
        names=games.titles(),
    )


def questions(one: Import) -> str:
    """Return the page that asks which players and games the file means, and how to read a text table."""
    db, club_id = current_club()
    brought, matches = imports.survey(db, one), imports.guessed(db, one)
    layout = layout_of(brought)
    ours = [ref for ref in brought.games if matches["game", ref]]
    return render_template(
        "data/questions.html",
        key=one.key,
        brought=brought,
        matches=matches,
        plays=sum(brought.of_game.get(ref, 0) for ref in ours),
        seated={ref for game in ours for ref in brought.seated.get(game, ())},
        most=MOST_ASKED,
        games=games.all_games(),
        people=[person.name for person in results.people(db, club_id).values()],
        tidy=foreign.name,
        layout=layout,
        fault=layout.fault() if layout else None,
        missing=[table_layout.ROLES.get(role, role) for role in layout.missing()] if layout else [],
        table=brought.table,
        left_out=list(Outcome(**brought.table["left_out"]).counted(import_report.REASONS)) if layout else [],
        roles=table_layout.ROLES,
        doubts=table_preview.DOUBTS,
        orders=table_layout.ORDERS,
        encodings=table_layout.ENCODINGS,
    )


def layout_of(brought: foreign.Digest) -> table_layout.Layout | None:
    """Return how an imported text table is read, such as its columns; None if the file is no text table."""
    return table_layout.Layout.from_json(brought.table["layout"]) if brought.table else None


@blueprint.post("/import/<key>")
@needs("owner")
def answer_questions(key: str) -> BaseResponse:
    one = import_of(key)
    if one.state == "asking":
        db, club_id = current_club()
        found, before = import_form.matches(db, club_id, one, request.form), layout_of(imports.survey(db, one))
        if before is not None:
            wish = import_form.layout(before, request.form)
            if wish != {name: getattr(before, name) for name in wish} | {"roles": list(before.roles)}:
                one = imports.inspect(db, key, 0, wish)
            after = layout_of(imports.survey(db, one))
            if after is None or after.fault() or replace(before, dates=after.dates) != after:
                return redirect(url_for("data.status", key=key), 303)
            found = imports.guessed(db, one) | found
        imports.answer(db, one, found)
        imports.finish(db, key, time.monotonic() + AT_ONCE_S)
    return redirect(url_for("data.status", key=key), 303)


@blueprint.post("/import/<key>/stop")
@needs("owner")
def stop(key: str) -> BaseResponse:
    """Cancel an import and remove the games that it has added."""
    one = import_of(key)
    imports.stop(get_db(), one.key)
    found = imports.finish(get_db(), key, time.monotonic() + AT_ONCE_S)
    if found is None:
        flash("stopped")
        return redirect(url_for("data.show"), 303)
    return redirect(url_for("data.status", key=key), 303)


@blueprint.post("/import/<key>/differences")
@needs("owner")
def settle(key: str) -> BaseResponse:
    """For each game that the file has in a different version, keep our version or replace it by the file's."""
    one = import_of(key)
    shown = [found.play_id for found in corrections.of_import(get_db(), one.job)]
    taken = [play_id for play_id in shown if request.form.get(f"play.{play_id}") == "theirs"]
    answered_of = [play_id for play_id in shown if f"play.{play_id}" in request.form]
    corrections.resolve(get_db(), one.job, answered_of, taken)
    flash("settled")
    return redirect(url_for("data.status", key=key), 303)
