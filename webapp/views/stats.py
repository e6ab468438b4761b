"""Statistics: the club, each game, each year, what was earned, and how we count."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, render_template, request

from scorer import games
from scorer.sentences import Sentence
from webapp.clubs import access, needs, require
from webapp.database import Database, get_db
from webapp.history import achievements
from webapp.numbers import number
from webapp.statistics import Scope
from webapp.statistics import club as club_statistics
from webapp.statistics import game as game_statistics
from webapp.statistics import player as player_statistics
from webapp.table import kinds

room = Blueprint("stats", __name__, url_prefix="/stats")


def here() -> tuple[Database, int]:
    return get_db(), require(access.current(), "viewer").club_id


@room.get("")
@needs("viewer")
def show() -> str:
    db, club_id = here()
    return render_template(
        "stats/show.html",
        names=games.titles(),
        rules=rule_labels(),
        played=club_statistics.played(db, Scope(club_id)),
        months=club_statistics.by_month(db, club_id),
        years=club_statistics.years(db, club_id),
        people=player_statistics.roll(db, club_id),
        closest=club_statistics.closest(db, club_id),
        comebacks=club_statistics.comebacks(db, club_id),
    )


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
    scope = chosen(Scope(club_id, name), all_ways)
    return render_template(
        "stats/game.html",
        game=found,
        scope=scope,
        ways=all_ways,
        counts=sorted({way["player_count"] for way in all_ways}),
        variants=list(dict.fromkeys(way["variant"] for way in all_ways))[: game_statistics.MOST_RECORDS],
        way_label=lambda variant: game_statistics.way_label(found, variant),
        spread=game_statistics.spread(db, scope),
        by_count=game_statistics.by_player_count(db, scope),
        lines=game_statistics.lines(db, scope, found),
        seats=game_statistics.seats(db, scope),
        records=game_statistics.records(db, club_id, name),
        ratings=game_statistics.ratings(db, club_id, name),
        boards=[shown for painted in kinds.painted(found.inputs) if (shown := board(db, scope, painted))],
    )


def chosen(scope: Scope, ways: list[dict[str, Any]]) -> Scope:
    """What the page was asked to look at, as far as the club has played it."""
    players = number(request.args.get("players"))
    variant = request.args.get("variant")
    return Scope(
        scope.club_id,
        scope.game,
        players if any(way["player_count"] == players for way in ways) else None,
        variant if any(way["variant"] == variant for way in ways) else None,
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
    return render_template("stats/year.html", year=found, names=games.titles(), rules=rule_labels(), years=years)


@room.get("/achievements")
@needs("viewer")
def earned() -> str:
    db, club_id = here()
    return render_template("stats/achievements.html", names=games.titles(), earned=club_statistics.earned(db, club_id))


@room.get("/how")
@needs("viewer")
def how() -> str:
    return render_template("stats/how.html", names=games.titles(), achievements=achievements.everything())
