"""The people of the club: who plays how, renaming, and one person under two names made one."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer import games
from scorer.names import folded, tidied
from scorer.reading import name_fault
from scorer.sentences import say
from webapp import looks, telling
from webapp.clubs import access, deeds, needs, require
from webapp.database import get_db
from webapp.exchange import imports
from webapp.history import Person, forgetting, people
from webapp.numbers import number as number_in
from webapp.page import render_template
from webapp.statistics import club as club_statistics
from webapp.statistics import game as game_statistics
from webapp.statistics import insight, times, way_label
from webapp.statistics import player as player_statistics
from webapp.table import at_tables

room = Blueprint("players", __name__, url_prefix="/players")


@room.get("")
@needs("viewer")
def listing() -> str:
    club_id = require(access.current(), "viewer").club_id
    return render_template("players/listing.html", people=player_statistics.roll(get_db(), club_id))


def person_of(number: int, role: str) -> Person:
    person = people.find(get_db(), number)
    if person is None:
        abort(404)
    access.enter(person.club_id, role)
    return person


@room.get("/<int(max=999999999):number>")
def show(number: int) -> str:
    person, db = person_of(number, "viewer"), get_db()
    in_games = player_statistics.in_games(db, person)
    met = player_statistics.opponents(db, person)
    played = club_statistics.played_months(db, person.club_id)
    return render_template(
        "players/show.html",
        person=person,
        names=games.titles(),
        in_games=in_games,
        form=player_statistics.form(db, person),
        tracks={one.game.id: player_statistics.track(db, person, one.game.id) for one in in_games},
        bests={one.game.id: player_statistics.bests(db, person, one.game.id) for one in in_games},
        way_label=way_label,
        lines={one.game.id: player_statistics.lines(db, person, one.game) for one in in_games},
        foremost=lambda found: game_statistics.foremost(found, lambda line: line.mine - line.club),
        insights=insight.of_player(db, person, [one.game for one in in_games]),
        over_time={one.game.id: times.of_player(db, person.id, one.game.id, played) for one in in_games},
        ends=times.first_and_last_of(db, person.id),
        met=met,
        nemesis=player_statistics.nemesis(met),
        minion=player_statistics.minion(met),
        earned=club_statistics.earned_by(db, person.id),
        others=[other for other in player_statistics.roll(db, person.club_id) if other["id"] != person.id],
    )


@room.get("/<int(max=999999999):number>/against/<int(max=999999999):other>")
def against(number: int, other: int) -> str:
    """Two players, game by game."""
    person, opponent = person_of(number, "viewer"), person_of(other, "viewer")
    if person.club_id != opponent.club_id or person.id == opponent.id:
        abort(404)
    db = get_db()
    return render_template(
        "players/against.html",
        person=person,
        opponent=opponent,
        by_game=[
            (game, one)
            for game in games.everything()
            for one in player_statistics.opponents(db, person, game.id)
            if one.id == opponent.id
        ],
        all_games=next((one for one in player_statistics.opponents(db, person) if one.id == opponent.id), None),
    )


@room.post("/<int(max=999999999):number>/name")
def rename(number: int) -> Response:
    db, name = get_db(), tidied(request.form.get("name", ""))
    with db.atomic(db.club_of("players", id=number)):
        person = person_of(number, "member")
        if name_fault(name):
            flash("unwritable")
        elif name == person.name:
            pass
        elif people.rename(db, person, name):
            deeds.note(db, person.club_id, "renamed", person.name, name)
            say_who_is_left(person, name)
        else:
            flash("taken")
    return redirect(url_for("players.show", number=number), 303)


@room.get("/<int(max=999999999):number>/look")
def look(number: int) -> str:
    """Every colour and figure there is."""
    person = person_of(number, "member")
    return render_template(
        "people/look.html",
        wearer=person,
        offers=looks.offers(person.look),
        back=url_for("players.show", number=number),
        problem="",
    )


@room.post("/<int(max=999999999):number>/look")
def wear(number: int) -> Response:
    """The colour or the figure that was tapped, worn from now on, at open tables as far as it is free there."""
    person = person_of(number, "member")
    chosen = looks.chosen(person.look, request.form)
    if chosen is None:
        abort(404)
    people.change_look(get_db(), person, chosen)
    return redirect(url_for("players.show", number=number), 303)


def say_who_is_left(person: Person, name: str) -> None:
    """A table where both names sit keeps them, and would bring the old one back."""
    if folded(name) != folded(person.name) and at_tables.is_seated(get_db(), person.club_id, person.name):
        flash("both_seated")


@room.post("/<int(max=999999999):number>/remove")
def remove(number: int) -> Response:
    """Off the list, for somebody who never played."""
    person = person_of(number, "member")
    if not forgetting.remove(get_db(), person):
        flash("has_played")
        return redirect(url_for("players.show", number=number), 303)
    return redirect(url_for("players.listing"), 303)


@room.post("/<int(max=999999999):number>/forget")
def forget(number: int) -> Response:
    """The name goes from everywhere, the games stay."""
    person = person_of(number, "owner")
    db, somebody = get_db(), telling.tell(say("Somebody"))
    with db.atomic(person.club_id):
        word = forgetting.forget(db, person, somebody, "words" in request.form)
        imports.drop_files(db, person.club_id)  # which may have the name in them
    if word is None:
        return redirect(url_for("players.listing"), 303)
    flash("forgotten")
    return redirect(url_for("play.listing", words=person.name), 303)


@room.post("/<int(max=999999999):number>/merge")
def merge(number: int) -> Response:
    """This name was the other one all along."""
    db = get_db()
    with db.atomic(db.club_of("players", id=number)):
        person = person_of(number, "owner")
        other = person_of(number_in(request.form.get("into")) or 0, "owner")
        merged = people.merge(db, person, other)
        if merged:
            deeds.note(db, person.club_id, "merged", person.name, other.name)
            say_who_is_left(person, other.name)
    if not merged:
        flash("sat_together")
        return redirect(url_for("players.show", number=number), 303)
    return redirect(url_for("players.show", number=other.id), 303)
