"""Show the club's players and their statistics; rename, merge and remove them."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer import games
from scorer.contract import Game
from scorer.names import folded, tidied
from scorer.record import name_fault
from scorer.sentences import say
from webapp import avatars, i18n
from webapp.clubs import access, audit_log, needs, require
from webapp.database import get_db
from webapp.exchange import imports
from webapp.history import Person, forget_player, player_profiles
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.statistics import (
    Scope,
    achievement_holders,
    cards,
    headlines,
    insight,
    most_relevant,
    results,
    variant_label,
)
from webapp.statistics import player as statistics
from webapp.table import renaming

blueprint = Blueprint("players", __name__, url_prefix="/players")


@blueprint.get("")
@needs("viewer")
def listing() -> str:
    club_id = require(access.current(), "viewer").club_id
    guests = [one for one in results.people(get_db(), club_id).values() if one.guest]
    return render_template(
        "players/listing.html", people=statistics.standings_of_club(get_db(), club_id), guests=guests
    )


def person_of(number: int, role: str) -> Person:
    person = player_profiles.find(get_db(), number)
    if person is None:
        abort(404)
    access.enter(person.club_id, role)
    return person


@blueprint.get("/<int(max=999999999):number>")
def show(number: int) -> str:
    person, db = person_of(number, "viewer"), get_db()
    known = results.people(db, person.club_id)
    done, meetings = statistics.results_of(db, person), statistics.meetings(db, person)
    in_titles, met = statistics.title_records(db, person, done), statistics.opponents(known, meetings)
    names = games.titles()
    return render_template(
        "players/show.html",
        person=person,
        names=names,
        has_played=bool(done),
        in_titles=in_titles,
        headline=headlines.of_person(known[person.id], done, meetings, names) if done else [],
        left_out=headlines.left_out(sum(one.open for one in in_titles), 0),
        form=statistics.latest_games(db, person),
        insights=insight.of_player(person.name, [one.game for one in in_titles], done, met),
        met=met,
        nemesis=statistics.nemesis(met),
        favourite=statistics.favourite(met),
        earned=achievement_holders.of_player(db, person.club_id, person.id) if done else [],
        others=[other for other in known.values() if other.id != person.id],
        opened=next((more_about(person, one.game) for one in in_titles if is_open(one.game)), None),
    )


def is_open(game: Game) -> bool:
    """Return whether the address asks for the details about this game to be open on the player's page."""
    return request.args.get("open") == f"more-{game.id}"


def more_about(person: Person, game: Game) -> dict[str, Any]:
    """Return the template values for the details about one game on a player's page, by name. They are its results over
    time, ratings, best results, lines of the score sheet and insights about cards."""
    db, scope = get_db(), Scope(person.club_id, game.id)
    lines = statistics.lines(db, person, game)
    by_card = cards.of_player(db, scope, person.id) if game.cards.in_play else {}
    return {
        "game": game,
        "over_time": statistics.scores_over_time(statistics.results_of(db, person, game.id)),
        "track": statistics.rating_history(db, person, game.id),
        "bests": statistics.bests(db, person, game.id),
        "way_label": variant_label,
        "lines": most_relevant(lines, lambda line: line.mine - line.club),
        "card_insights": insight.of_players_cards(person.name, game, by_card),
    }


@blueprint.get("/<int(max=999999999):number>/games/<name>")
def game_details(number: int, name: str) -> str:
    """Return the details about one game on a player's page."""
    person, game = person_of(number, "viewer"), games.find(name)
    if game is None:
        abort(404)
    return render_template("players/_game.html", person=person, **more_about(person, game))


@blueprint.get("/<int(max=999999999):number>/against/<int(max=999999999):other>")
def against(number: int, other: int) -> str:
    """Compare two players, game by game."""
    person, opponent = person_of(number, "viewer"), person_of(other, "viewer")
    if person.club_id != opponent.club_id or person.id == opponent.id:
        abort(404)
    db = get_db()
    known, meetings = results.people(db, person.club_id), statistics.meetings(db, person, opponent.id)
    return render_template(
        "players/against.html",
        person=person,
        opponent=opponent,
        by_game=[
            (game, one)
            for game in games.all_games()
            for one in statistics.opponents(known, [met for met in meetings if met.game == game.id])
        ],
        all_games=next(iter(statistics.opponents(known, meetings)), None),
    )


@blueprint.post("/<int(max=999999999):number>/name")
def rename(number: int) -> Response:
    db, name = get_db(), tidied(request.form.get("name", ""))
    with db.atomic(db.club_of("players", id=number)):
        person = person_of(number, "member")
        if name_fault(name):
            flash("unwritable")
        elif name == person.name:
            pass
        elif player_profiles.rename(db, person, name):
            audit_log.note(db, person.club_id, "renamed", person.name, name)
            warn_if_both_seated(person, name)
        else:
            flash("taken")
    return redirect(url_for("players.show", number=number), 303)


@blueprint.post("/<int(max=999999999):number>/welcome")
def promote_guest(number: int) -> Response:
    """Make a guest a player of the club."""
    player_profiles.promote_guest(get_db(), person_of(number, "member"))
    return redirect(url_for("players.show", number=number), 303)


@blueprint.get("/<int(max=999999999):number>/look")
def avatar(number: int) -> str:
    """Show all colours and figures to choose from."""
    person = person_of(number, "member")
    return render_template(
        "people/avatar.html",
        wearer=person,
        offers=avatars.offers(person.avatar),
        back=url_for("players.show", number=number),
        problem="",
    )


@blueprint.post("/<int(max=999999999):number>/look")
def change_avatar(number: int) -> Response:
    """Save the chosen colour or figure, also at open tables where it is free."""
    person = person_of(number, "member")
    chosen = avatars.chosen(person.avatar, request.form)
    if chosen is None:
        abort(404)
    player_profiles.change_avatar(get_db(), person, chosen)
    return redirect(url_for("players.show", number=number), 303)


def warn_if_both_seated(person: Person, name: str) -> None:
    """Tell the user if a player was renamed to `name`, but keeps the old name at an open table.

    That happens where another player has the new name.
    """
    if folded(name) != folded(person.name) and renaming.is_seated(get_db(), person.club_id, person.name):
        flash("both_seated")


@blueprint.post("/<int(max=999999999):number>/remove")
def remove(number: int) -> Response:
    """Remove a player who is in no game. Otherwise change nothing and say that the player has played."""
    person = person_of(number, "member")
    if not forget_player.remove(get_db(), person):
        flash("has_played")
        return redirect(url_for("players.show", number=number), 303)
    return redirect(url_for("players.listing"), 303)


@blueprint.post("/<int(max=999999999):number>/forget")
def forget(number: int) -> Response:
    """Remove a player's name everywhere, and keep the games."""
    person = person_of(number, "owner")
    db, somebody = get_db(), i18n.translate(say("Somebody"))
    with db.atomic(person.club_id):
        word = forget_player.forget(db, person, somebody, "words" in request.form)
        imports.drop_files(db, person.club_id)  # these may contain the name
    if word is None:
        return redirect(url_for("players.listing"), 303)
    flash("forgotten")
    return redirect(url_for("play.listing", words=person.name), 303)


@blueprint.post("/<int(max=999999999):number>/merge")
def merge(number: int) -> Response:
    """Give all games of this player to the posted one, who stays; refuse if both played in one game."""
    db = get_db()
    with db.atomic(db.club_of("players", id=number)):
        person = person_of(number, "owner")
        other = person_of(number_in(request.form.get("into")) or 0, "owner")
        merged = player_profiles.merge(db, person, other)
        if merged:
            audit_log.note(db, person.club_id, "merged", person.name, other.name)
            warn_if_both_seated(person, other.name)
    if not merged:
        flash("sat_together")
        return redirect(url_for("players.show", number=number), 303)
    return redirect(url_for("players.show", number=other.id), 303)
