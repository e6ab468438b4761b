"""Show statistics: the club, each game, each year, achievements, and how we count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, request, url_for
from werkzeug.wrappers import Response

from scorer import games
from scorer.contract import Game
from scorer.record import MAX_NAME
from scorer.sentences import say, say_count
from webapp import days
from webapp.clubs import access, needs, require
from webapp.database import Database, get_db
from webapp.downloads import download
from webapp.i18n import translate
from webapp.numbers import number
from webapp.page import render_template
from webapp.picture import Poster, draw_poster
from webapp.statistics import (
    MOST_CARDS,
    Period,
    Scope,
    achievement_holders,
    boards,
    cards,
    club,
    headlines,
    insight,
    periods,
    results,
)
from webapp.statistics import game as titles
from webapp.statistics import year as years
from webapp.table import kinds

blueprint = Blueprint("stats", __name__, url_prefix="/stats")
MOST_PLAYERS = 20


def current_club() -> tuple[Database, int]:
    return get_db(), require(access.current(), "viewer").club_id


@blueprint.get("")
@needs("viewer")
def show() -> str:
    db, club_id = current_club()
    choices = titles.choices(db, club_id)
    period, narrow = asked_for(choices)
    scope = Scope(club_id, **narrow)
    people, found = results.people(db, club_id), results.by_seat(db, scope)
    played = club.played(db, scope)
    return render_template(
        "stats/show.html",
        names=games.titles(),
        period=period,
        scope=scope,
        choices=choices,
        headline=headlines.of_club(played, results.claims(people, found), games.titles()),
        left_out=headlines.left_out(results.still_to_count(db, scope), results.undecided(found)),
        played=played,
        months=club.by_month(db, scope),
        insights=seats_of_titles(found),
        places=club.places(db, scope),
        ends=club.first_and_latest(db, scope),
        closest=club.closest(db, scope),
        opened=opened(),
        address=address("stats.show", period, scope),
        part=address("stats.company", period, scope),
        **company_of(db, scope, found, "company" in opened()),
    )


def seats_of_titles(found: list[results.SeatResults]) -> list[tuple[Game, list[insight.Insight]]]:
    """Return pairs of a game and [an Insight on whether going first helps], without games whose results don't tell."""
    by_title = ((game, [one for one in found if one.game == game.id]) for game in games.all_games())
    by_game = [(game, insight.of_seats(results.seats(those))) for game, those in by_title]
    return [(game, insights) for game, insights in by_game if insights]


def company_of(db: Database, scope: Scope, found: list[results.SeatResults], is_open: bool) -> dict[str, Any]:
    """Return up to eight most frequent players ("people") and, if `is_open`, games by pair of their ids ("met")."""
    known = results.people(db, scope.club_id)
    people = [one for one in results.standings(known, found) if one.plays][: club.MOST_PEOPLE]
    return {"people": people, "met": club.played_together(db, scope, people) if is_open else {}}


@blueprint.get("/company")
@needs("viewer")
def company() -> str:
    """Return the part of the club's page about who plays with whom."""
    db, club_id = current_club()
    _, narrow = asked_for(titles.choices(db, club_id))
    scope = Scope(club_id, **narrow)
    return render_template("stats/_company.html", **company_of(db, scope, results.by_seat(db, scope), is_open=True))


def asked_for(choices: titles.Choices) -> tuple[Period, dict[str, Any]]:
    """Return the period in the address, and the other parts of its filter, as arguments of `Scope`."""
    given = request.args
    today = days.today(access.zone())
    period = periods.requested(
        given.get("period", ""), given.get("since", ""), given.get("until", ""), today, choices.months
    )
    players = number(given.get("players"))
    within = players if players is not None and 0 < players <= MOST_PLAYERS else None
    place = given.get("place", "")[:MAX_NAME]
    return period, {"first": period.first_day, "last": period.last_day, "place": place, "players": within}


def opened() -> set[str]:
    """Return the names of the parts of the page that are open, such as "cards"."""
    return set(request.args.getlist("open"))


def is_narrow(period: Period, scope: Scope) -> bool:
    """Return whether the filter of `period` and `scope` leaves out some of the club's games."""
    return bool(period.chosen or scope.place or scope.players or scope.variant is not None or scope.cards)


def address(endpoint: str, period: Period, scope: Scope, **more: Any) -> str:
    """Return the address of the page or part `endpoint` with the filter of `period` and `scope`."""
    is_range = period.chosen == periods.RANGE
    return url_for(
        endpoint,
        name=scope.game or None,
        period=period.chosen or None,
        since=period.first if is_range else None,
        until=period.last if is_range else None,
        place=scope.place or None,
        players=scope.players,
        variant="first" if scope.variant == "" else scope.variant,
        card=scope.cards or None,
        **more,
    )


def title_asked_for(name: str) -> tuple[Database, Game, titles.Choices, Period, Scope]:
    """Return the database, the game `name`, the filters that it offers, and the period and scope in the address."""
    game = games.find(name)
    if game is None:
        abort(404)
    db, club_id = current_club()
    choices = titles.choices(db, club_id, name)
    period, narrow = asked_for(choices)
    # A form sends "" for any variant, so addresses call the variant "" "first".
    given = request.args.get("variant", "")
    variant = "" if given == "first" else given or None
    scope = Scope(club_id, name, variant=variant if variant in choices.variants else None, **narrow)
    wanted = cards.known(db, scope, request.args.getlist("card")[:MOST_CARDS])
    return db, game, choices, period, replace(scope, cards=wanted)


@blueprint.get("/games/<name>")
@needs("viewer")
def game(name: str) -> str:
    db, found, choices, period, scope = title_asked_for(name)
    scores, by_seat = titles.scores(db, scope), results.by_seat(db, scope)
    people = results.people(db, scope.club_id)
    standings = [one for one in results.standings(people, by_seat) if one.plays]
    seats = results.seats(by_seat)
    spread = scores.spread
    lines = titles.lines(db, scope, found, scores)
    plays = sum(one.plays for one in by_seat if one.seat == 0)
    return render_template(
        "stats/game.html",
        game=found,
        scope=scope,
        period=period,
        choices=choices,
        is_narrow=is_narrow(period, scope),
        way_label=lambda variant: titles.variant_label(found, variant),
        plays=plays,
        headline=headlines.of_title(plays, scores, results.claims(people, by_seat), games.titles()),
        left_out=headlines.left_out(scores.open, results.undecided(by_seat)),
        scores=scores,
        spread=spread,
        people=standings,
        lines=titles.most_relevant([line for line in lines if line.points], lambda line: line.mean),
        line_count=len(lines),
        seats=seats,
        insights=insight.of_seats(seats),
        records=titles.records(db, scope),
        ratings=titles.ratings(db, scope.club_id, name),
        ends=club.first_and_latest(db, scope),
        wanted=[(card, cards.label_of(found, card)) for card in scope.cards],
        has_cards=found.cards.in_play is not None,
        has_boards=bool(kinds.painted(found.inputs)),
        opened=opened(),
        address=address("stats.game", period, scope),
        cards_part=address("stats.cards_of", period, scope),
        boards_part=address("stats.boards_of", period, scope),
        **(cards_shown(db, period, scope, found) if "cards" in opened() else {}),
        **(boards_shown(db, scope, found) if "boards" in opened() else {}),
    )


def cards_shown(db: Database, period: Period, scope: Scope, found: Game) -> dict[str, Any]:
    """Return values for the part about cards on the page of the game `found`: "cards", "card_insights" and so on."""
    in_play = cards.in_play(db, scope, found)
    card = next((one for one in in_play if scope.cards == (one.id,)), None)
    return {
        "cards": [one for one in in_play if one.points],
        "with_card": lambda one: address("stats.game", period, replace(scope, cards=(*scope.cards, one.id))),
        "card": card,
        "most_often": cards.most_often(db, scope, card) if card else None,
        "card_insights": [] if scope.cards else insight.of_cards(found, in_play),
    }


def boards_shown(db: Database, scope: Scope, found: Game) -> dict[str, Any]:
    """Return {"boards": ...}: statistics of boards of the game `found`, limited by pieces that the address names."""
    wanted = {name.removeprefix("piece."): value for name, value in request.args.items() if name.startswith("piece.")}
    return {"boards": boards.of_title(db, scope, found, wanted)}


@blueprint.get("/games/<name>/cards")
@needs("viewer")
def cards_of(name: str) -> str:
    """Return the part about cards on the statistics page of the game `name`."""
    db, found, _, period, scope = title_asked_for(name)
    return render_template("stats/_cards.html", game=found, scope=scope, **cards_shown(db, period, scope, found))


@blueprint.get("/games/<name>/boards")
@needs("viewer")
def boards_of(name: str) -> str:
    """Return the part about boards on the statistics page of the game `name`."""
    db, found, _, period, scope = title_asked_for(name)
    return render_template(
        "stats/_boards.html",
        game=found,
        address=address("stats.game", period, scope),
        boards_part=address("stats.boards_of", period, scope),
        **boards_shown(db, scope, found),
    )


@blueprint.get("/years/<name>")
@needs("viewer")
def year(name: str) -> str:
    found, choices = year_of(name)
    return render_template(
        "stats/year.html",
        year=found,
        facts=years.facts(found, games.titles()),
        names=games.titles(),
        years=choices.years,
    )


def year_of(name: str) -> tuple[years.Year, titles.Choices]:
    """Return the club's review of the year `name`, and the filters for statistics. Answer 404 without games."""
    db, club_id = current_club()
    found = years.of_club(db, club_id, name) if periods.is_year(name) else None
    if found is None:
        abort(404)
    return found, titles.choices(db, club_id)


@blueprint.get("/years/<name>/tidemark.png")
@needs("viewer")
def picture(name: str) -> Response:
    """Return the review of the year `name` as a poster for sharing."""
    found, _ = year_of(name)
    poster = Poster(
        str(translate(say("{year} in review", year=name))),
        access.club_name(),
        str(found.plays),
        str(translate(say_count("game", "games", found.plays))),
        [
            (str(translate(what)), str(translate(value)), str(translate(more)))
            for what, value, more in years.facts(found, games.titles())
        ],
        found.calendar,
    )
    return download(draw_poster(poster), f"tidemark-{name}.png", "image/png")


@blueprint.get("/achievements", endpoint="earned")
@needs("viewer")
def all_earned() -> str:
    db, club_id = current_club()
    return render_template(
        "stats/achievements.html", names=games.titles(), earned=achievement_holders.of_club(db, club_id)
    )


@blueprint.get("/how")
@needs("viewer")
def how() -> str:
    return render_template("stats/how.html")
