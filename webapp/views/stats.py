"""Statistics: the club, each game, each year, what was earned, and how we count."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response

from scorer import games
from scorer.reading import MAX_NAME
from scorer.sentences import Sentence, say, say_count
from webapp import days
from webapp.clubs import access, needs, require
from webapp.database import Database, get_db
from webapp.downloads import download
from webapp.history import achievements
from webapp.numbers import number
from webapp.page import render_template
from webapp.picture import Poster, drawn
from webapp.statistics import Period, Scope, cards, figures, insight, periods, times
from webapp.statistics import club as club_statistics
from webapp.statistics import game as game_statistics
from webapp.statistics import player as player_statistics
from webapp.table import kinds
from webapp.telling import tell

room = Blueprint("stats", __name__, url_prefix="/stats")


def here() -> tuple[Database, int]:
    return get_db(), require(access.current(), "viewer").club_id


@room.get("")
@needs("viewer")
def show() -> str:
    db, club_id = here()
    period, narrow = asked_for(db, club_id)
    scope = Scope(club_id, **narrow)
    return render_template(
        "stats/show.html",
        names=games.titles(),
        rules=rule_labels(),
        period=period,
        scope=scope,
        places=times.places(db, club_id),
        played=club_statistics.played(db, scope),
        months=club_statistics.by_month(db, scope),
        years=club_statistics.years(db, club_id),
        people=player_statistics.standing(db, scope),
        insights=insight.of_club(db, scope),
        weekdays=times.weekdays(db, club_id),
        ends=times.first_and_last(db, club_id),
        company=times.company(db, club_id),
        closest=club_statistics.closest(db, club_id),
        comebacks=club_statistics.comebacks(db, club_id),
    )


def asked_for(db: Database, club_id: int) -> tuple[Period, dict[str, Any]]:
    """The period, the place and the number of players in the address."""
    given = request.args
    played = club_statistics.played_months(db, club_id)
    today = days.today(access.zone())
    period = periods.asked(given.get("period", ""), given.get("since", ""), given.get("until", ""), today, played)
    players = number(given.get("players"))
    within = players if players is not None and 0 < players < 10 else None
    return period, {"periods": period.parts, "place": given.get("place", "")[:MAX_NAME], "players": within}


def rule_labels() -> dict[str, dict[str, Sentence]]:
    return {game.id: dict(game.rules) for game in games.everything()}


@room.get("/games/<name>")
@needs("viewer")
def game(name: str) -> str:
    found = games.find(name)
    if found is None:
        abort(404)
    db, club_id = here()
    all_ways = game_statistics.ways(db, club_id, name)
    period, narrow = asked_for(db, club_id)
    # A form cannot tell "no variant" from "any": in addresses the first game goes by a name of its own.
    variant = {"first": ""}.get(request.args.get("variant", ""), request.args.get("variant") or None)
    known = any(way["variant"] == variant for way in all_ways)
    scope = Scope(club_id, name, variant=variant if known else None, **narrow)
    dealt, played = cards.dealt(db, scope), club_statistics.played_months(db, club_id)
    in_play = cards.in_play(dealt, found)
    wanted = figures.known(db, scope, request.args.getlist("card"))
    if wanted:
        shown = figures.of_tables(db, scope, found, dealt, wanted, period, access.zone())
    else:
        shown = figures.of_sums(db, scope, found, dealt, played)
    return render_template(
        "stats/game.html",
        game=found,
        scope=scope,
        period=period,
        years=club_statistics.years(db, club_id),
        places=times.places(db, club_id),
        ways=all_ways,
        counts=sorted({way["player_count"] for way in all_ways}),
        variants=list(dict.fromkeys(way["variant"] for way in all_ways))[: game_statistics.MOST_RECORDS],
        way_label=lambda variant: game_statistics.way_label(found, variant),
        shown=shown,
        drawn_lines=game_statistics.foremost(shown.lines, lambda line: line.mean),
        cards=in_play,
        wanted=[(card, cards.label_of(found, card)) for card in wanted],
        card=cards.chosen(in_play, wanted[0]) if len(wanted) == 1 else None,
        at_all_tables=game_statistics.spread(game_statistics.by_player_count(db, scope)) if wanted else shown.spread,
        builders=cards.builders(db, scope, "".join(wanted)) if in_play and len(wanted) < 2 else {},
        insights=[] if wanted else insight.of_game(db, scope, found, dealt),
        records=game_statistics.records(db, club_id, name),
        ratings=game_statistics.ratings(db, club_id, name),
        weekdays=times.weekdays(db, club_id, game=name),
        ends=times.first_and_last(db, club_id, name),
        boards=[one for painted in kinds.painted(found.inputs) if (one := board(db, scope, painted))],
    )


def board(db: Database, scope: Scope, painted: kinds.Painted) -> dict[str, Any] | None:
    """The pieces of a board, and the heat map of the one that was asked for or of the most built."""
    built = game_statistics.pieces(db, scope, painted)
    if not built:
        return None
    wanted = request.args.get(f"piece.{painted.asked.name}")
    piece = next((one for one in built if str(one.choice.value) == wanted), built[0])
    heat = game_statistics.heat(db, scope, painted, str(piece.choice.value), piece.boards)
    return {"asked": painted.asked, "built": built, "piece": piece, "heat": heat}


@room.get("/years/<year>")
@needs("viewer")
def year(year: str) -> str:
    db, club_id = here()
    found = club_statistics.year_of(db, club_id, year) if len(year) == 4 and year.isdecimal() else None
    if found is None:
        abort(404)
    years = club_statistics.years(db, club_id)
    busiest = times.busiest(db, club_id, year)
    return render_template(
        "stats/year.html",
        year=found,
        facts=club_statistics.facts(found, games.titles(), busiest),
        names=games.titles(),
        rules=rule_labels(),
        years=years,
        calendar=times.calendar(db, club_id, year),
        weekdays=times.weekdays(db, club_id, year),
    )


@room.get("/years/<year>/tidemark.png")
@needs("viewer")
def picture(year: str) -> Response:
    """The year on a poster, to be shared."""
    db, club_id = here()
    found = club_statistics.year_of(db, club_id, year) if len(year) == 4 and year.isdecimal() else None
    if found is None:
        abort(404)
    poster = Poster(
        str(tell(say("{year} in review", year=year))),
        access.club_name(),
        str(found.plays),
        str(tell(say_count("play", "plays", found.plays))),
        [
            (str(tell(what)), str(tell(value)), str(tell(more)))
            for what, value, more in club_statistics.facts(found, games.titles(), times.busiest(db, club_id, year))
        ],
        times.calendar(db, club_id, year),
    )
    return download(drawn(poster), f"tidemark-{year}.png", "image/png")


@room.get("/achievements")
@needs("viewer")
def earned() -> str:
    db, club_id = here()
    return render_template("stats/achievements.html", names=games.titles(), earned=club_statistics.earned(db, club_id))


@room.get("/how")
@needs("viewer")
def how() -> str:
    return render_template(
        "stats/how.html",
        names=games.titles(),
        achievements=achievements.everything(),
        most_tables=figures.MOST_TABLES,
    )
