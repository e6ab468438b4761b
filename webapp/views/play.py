"""Show saved games, edit them, delete and restore them, and play them again."""

from __future__ import annotations

import hashlib
from datetime import date, datetime, timedelta
from typing import Any

import flask
from flask import Blueprint, abort, current_app, flash, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorer import games
from scorer.contract import Game
from scorer.core import load, score_as
from scorer.record import MAX_NAME
from scorer.result import can_be_saved
from scorer.sentences import Sentence, say
from webapp import days, i18n, template_filters
from webapp.clubs import access, audit_log, needs, require
from webapp.database import Database, get_db, pack
from webapp.downloads import download
from webapp.exchange import bgg_ids, bgstats_out
from webapp.history import (
    LONGEST_GAME,
    LONGEST_NOTES,
    YEARS,
    Filter,
    Play,
    Version,
    archive,
    decision_of,
    listing,
    missing_games,
    player_profiles,
    plays,
    saved_plays,
)
from webapp.numbers import number
from webapp.page import render_template
from webapp.statistics import achievement_holders, headlines, results, variant_label
from webapp.statistics import game as game_statistics
from webapp.table import pad, photos, relevant_inputs, result_page, result_picture, samples, tables

blueprint = Blueprint("play", __name__, url_prefix="/plays")


def play_of(key: str, role: str, scored: bool = False) -> tuple[Play, Game]:
    """Return a saved session and the game that was played, or answer 404 or 403 if this device lacks the role. With
    `scored`, answer 404 if the game is not installed."""
    play = saved_plays.find(get_db(), key)
    if play is None or (scored and games.find(play.game) is None):
        abort(404)
    access.enter(play.club_id, role)
    return play, missing_games.game_of(play)


@blueprint.get("", endpoint="listing")
@needs("viewer")
def filtered() -> str:
    db, club_id = get_db(), require(access.current(), "viewer").club_id
    chosen = filter_asked_for()
    return render_template(
        "play/listing.html",
        page=listing.page(db, club_id, chosen, request.args.get("after", ""), zone=access.zone()),
        chosen=chosen,
        kept={name: value for name, value in request.args.items() if value and name != "after"},
        names=games.titles(),
        games=games.all_games(),
        people=results.people(db, club_id).values(),
        ways=variants_played(db, club_id),
    )


def filter_asked_for() -> Filter:
    """Return the filter in the address. Invalid values are ignored."""
    given = request.args
    return Filter(
        game=given.get("game", ""),
        player=number(given.get("player")),
        since=day(given.get("since", "")),
        until=day(given.get("until", "")),
        players=number(given.get("players")),
        way=given.get("way", ""),
        words=given.get("words", "")[:100],
        open=given.get("open") == "1",
    )


def day(text: str) -> str:
    """Return the day in the text, such as "2026-11-18"; "" if it is malformed or not from 1900 to 2999."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return ""
    return found.isoformat() if found.year in YEARS else ""


def variants_played(db: Database, club_id: int) -> list[tuple[str, Sentence]]:
    """Return pairs of a variant, such as an expansion, that the club has played, and its label."""
    return [
        (variant, say("{game}: {way}", game=game.name, way=variant_label(game, variant)))
        for game in games.all_games()
        for variant in game_statistics.variants(db, club_id, game.id)
    ]


@blueprint.get("/bin")
@needs("member")
def deleted() -> str:
    """Show the deleted games that can still be restored."""
    found, older = listing.deleted(get_db(), require(access.current(), "member").club_id, request.args.get("after", ""))
    return render_template(
        "play/deleted.html",
        who=audit_log.last_actions(get_db(), [play.id for play in found], "deleted"),
        plays=found,
        older=older,
        names=games.titles(),
        until=until,
        days_kept=plays.UNDO_DAYS,
    )


def until(play: Play) -> str:
    """Return the moment until which a deleted game can be restored, such as "2026-11-18T20:15:00Z"."""
    assert play.deleted_at is not None
    return (datetime.fromisoformat(play.deleted_at) + timedelta(days=plays.UNDO_DAYS)).strftime(days.MOMENT)


@blueprint.get("/<key>")
def show(key: str) -> str:
    play, game = play_of(key, "viewer")
    seated = player_profiles.players_of(get_db(), play.id)
    return render_template(
        "play/show.html",
        play=play,
        is_playable=games.find(play.game) is not None,
        photographs=photos.of_play(get_db(), play.id),
        permission=samples.PERMISSION,
        unanswered=samples.asked_of_play(get_db(), play.id) if access.may("member") else [],
        versions=versions_of(play),
        people={person.name: person.id for person in seated},
        looks=[person.avatar for person in seated],
        earned=achievement_holders.in_play(get_db(), play.id),
        news=headlines.of_play(get_db(), play.id),
        audit_log=audit_log.of_play(get_db(), play.id),
        **shown_of(game, play),
    )


@blueprint.get("/<key>/<any(wide, tall):shape>.png")
def picture(key: str, shape: str) -> Response:
    """Return the result as a picture for sharing; its `shape` is "wide" or "tall"."""
    play, game = play_of(key, "viewer")
    worn = [person.avatar for person in player_profiles.players_of(get_db(), play.id)]
    return result_picture.answer(
        shown_of(game, play),
        worn,
        template_filters.day(days.day_of(play.played_at, access.zone())),
        shape,
    )


def shown_of(game: Game, one: Play | Version) -> dict[str, Any]:
    """Return the values that pages show of a saved game, from a cache if possible. If it has a valid score, `drawn` is
    the HTML of the reasons for it, such as the score sheet."""
    cache = current_app.extensions["results"]
    content = pack([game.id, game.version, one.record, repr(one.decision), i18n.language_tag()])
    key = hashlib.sha256(content.encode(errors="replace")).digest()
    values: dict[str, Any] | None = cache.get(key)
    if values is None:
        result = one.outcome.result
        values = result_page.shown(game, load(game, one.record), result)
        values |= {"differs": one.outcome.differs, "forgotten": pad.forgotten(game, result)}
        if result["ok"]:
            values["drawn"] = Markup(flask.render_template("play/_drawn.html", **values))  # noqa: S704, of our own template
        cache[key] = values
    return values


def versions_of(play: Play) -> list[Version]:
    """Return the earlier versions of a saved game, latest first."""
    return saved_plays.versions(get_db(), [play.id]).get(play.id, [])[::-1]


@blueprint.get("/<key>/versions/<int:number>")
def version(key: str, number: int) -> str:
    """Show an earlier version of a saved game."""
    play, game = play_of(key, "viewer")
    old = next((one for one in versions_of(play) if one.version == number), None)
    if old is None:
        abort(404)
    shown = shown_of(game, old)
    return render_template("play/version.html", play=play, number=number, **shown)


@blueprint.post("/<key>/edit")
def edit(key: str) -> Response:
    db = get_db()
    with db.atomic(db.club_of("play_keys", key=key)):  # keeps players from being renamed meanwhile
        play, game = play_of(key, "member", scored=True)
        table = tables.reopen(db, play.club_id, game, play.record, play.id)
    return redirect(url_for("table.show", key=table, number=0), 303)


@blueprint.post("/<key>/settle")
def settle(key: str) -> Response:
    """Save answers to questions that were still open when the game was saved."""
    db = get_db()
    with db.atomic(db.club_of("play_keys", key=key)):
        play, game = play_of(key, "member", scored=True)
        asked = [*pad.questions(game, load(game, play.record), play.result), *pad.forgotten(game, play.result)]
        record = pad.with_answers(play.record, asked, request.form)
        result = score_as(game, record)
        if not can_be_saved(result):
            flash("unsettled")
        elif record != play.record:
            plays.edit(db, play, record, decision_of(record, result))
            audit_log.note(db, play.club_id, "corrected", play_id=play.id)
    return redirect(url_for("play.show", key=key), 303)


@blueprint.post("/<key>/notes")
def note(key: str) -> Response:
    """Save the notes, place, length and day of a game."""
    play, _ = play_of(key, "member")
    given = request.form
    minutes = number(given["minutes"]) if "minutes" in given else play.minutes
    on = day(given.get("day", ""))
    said = (
        given.get("notes", play.notes).strip()[:LONGEST_NOTES],
        given.get("place", play.place).strip()[:MAX_NAME],
        minutes if minutes is not None and 0 < minutes <= LONGEST_GAME else None,
        days.on_day(play.played_at, on, access.zone()) if on and on != play.day else play.played_at,
    )
    if said != (play.notes, play.place, play.minutes, play.played_at):
        with get_db().atomic(play.club_id) as db:
            plays.describe(db, play, *said)
            audit_log.note(db, play.club_id, "described", play_id=play.id)
    return redirect(url_for("play.show", key=key), 303)


@blueprint.get("/<key>/sheet")
def sheet(key: str) -> str:
    """Show the score sheet for printing on one page."""
    play, game = play_of(key, "viewer")
    shown = shown_of(game, play)
    return render_template("play/sheet.html", play=play, **shown)


@blueprint.get("/<key>/bgstats")
def bgstats(key: str) -> Response:
    """Redirect to the app BG Stats with the data of the game. The address of this page fits into a QR code, the address
    to which it redirects does not."""
    play, _ = play_of(key, "viewer")
    return redirect(bgstats_out.create_play(get_db(), play, bgg_ids()), 302)


@blueprint.get("/<key>/play.bgsplay")
def bgsplay(key: str) -> Response:
    play, _ = play_of(key, "viewer")
    [one] = archive.by_ids(get_db(), [play.id])
    content = bgstats_out.play_file(get_db(), one, bgg_ids())
    return download(content, f"tidemark-{play.day}-{play.key}.bgsplay", "application/json")


@blueprint.post("/<key>/again")
def again(key: str) -> Response:
    """Start a game with the same players and options and empty boards."""
    play, game = play_of(key, "member", scored=True)
    names = [player["name"] for player in play.record["players"]]
    table = tables.add(get_db(), play.club_id, game, relevant_inputs.lasting(game, load(game, play.record)), names)
    return redirect(url_for("setup.show", key=table), 303)


@blueprint.post("/<key>/delete")
def delete(key: str) -> Response:
    db = get_db()
    with db.atomic(db.club_of("play_keys", key=key)):
        play, _ = play_of(key, "member")
        if play.deleted_at is None:
            plays.delete(db, play)
            audit_log.note(db, play.club_id, "deleted", play_id=play.id)
    flash("deleted")
    return redirect(url_for("play.show", key=key), 303)


@blueprint.post("/<key>/restore")
def restore(key: str) -> Response:
    db = get_db()
    with db.atomic(db.club_of("play_keys", key=key)):
        play, _ = play_of(key, "member")
        if play.deleted_at is not None:
            plays.restore(db, play)
            audit_log.note(db, play.club_id, "restored", play_id=play.id)
    flash("restored")
    if "from_bin" in request.form:
        return redirect(url_for("play.deleted"), 303)
    return redirect(url_for("play.show", key=key), 303)
