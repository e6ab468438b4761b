"""What the page of a game says of the plays that were chosen: of sums, or of the tables that had certain cards.

Sums cannot be kept for every combination of cards. So the tables that had all of them are found by an index, the latest
first, and no more than so many are read, however many there are: the page says from how many it comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer.contract import Game
from webapp import days, looks
from webapp.database import Database, pack
from webapp.statistics import cards, player, times
from webapp.statistics import game as games
from webapp.statistics.game import LineAverage
from webapp.statistics.measures import FEW, Rate, Spread
from webapp.statistics.period import Period
from webapp.statistics.scope import Scope, months
from webapp.statistics.times import Average

MOST_TABLES = 150  # that are read
LOOKED_AT = 2_000  # tables with the rarest of the cards, however few of them fit
MOST_CARDS = 6


@dataclass(frozen=True, slots=True)
class Figures:
    """What is shown of the chosen plays."""

    by_count: list[tuple[int, Spread]]
    over_time: list[Average]
    people: list[dict[str, Any]]
    lines: list[LineAverage]
    seats: list[tuple[int, list[Rate]]]
    tables: int | None = None  # that were read; None for sums of all of them
    since: str = ""  # when the earliest of them was played, if there may be more before it

    @property
    def spread(self) -> Spread:
        return games.spread(self.by_count)


def of_sums(db: Database, scope: Scope, game: Game, dealt: cards.Dealt, played: tuple[str, str]) -> Figures:
    return Figures(
        games.by_player_count(db, scope),
        times.of_club(db, scope, played),
        [row for row in player.standing(db, scope) if row["plays"]],
        games.lines(db, scope, game, dealt),
        games.seats(db, scope),
    )


def known(db: Database, scope: Scope, wanted: Sequence[str]) -> list[str]:
    """Those of the cards in an address that ever lay at a table of the club."""
    sql = "SELECT 1 FROM kept_cards WHERE club_id = ? AND game = ? AND card = ? LIMIT 1"
    each = list(dict.fromkeys(wanted))[:MOST_CARDS]
    return [card for card in each if db.execute(sql, [scope.club_id, scope.game, card]).fetchone()]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one player had at a table that is read."""

    play_id: int
    played_at: str
    seat: int
    player_id: int
    total: int | None
    winner: int
    player_count: int
    is_contest: int  # whether somebody won against others


def of_tables(
    db: Database, scope: Scope, game: Game, dealt: cards.Dealt, wanted: Sequence[str], period: Period, zone: str
) -> Figures:
    """Of the latest tables that had all of these cards."""
    found, since = tables(db, scope, dealt, wanted, period, zone)
    sheets = [
        Sheet(*row)
        for row in db.execute(
            """SELECT play_id, played_at, seat, player_id, total, winner, player_count,
                CASE WHEN player_count > 1 AND max(winner) OVER (PARTITION BY play_id) = 1 THEN 1 ELSE 0 END
            FROM kept_scores WHERE play_id IN (SELECT value FROM numbers_in(?)) ORDER BY play_id, seat""",
            [pack(found)],
        )
    ]
    return Figures(
        _by_count(sheets),
        _over_time(sheets, zone),
        _people(db, scope.club_id, sheets),
        _lines(db, sheets, game),
        _seats(sheets),
        len(found),
        since,
    )


def tables(
    db: Database, scope: Scope, dealt: cards.Dealt, wanted: Sequence[str], period: Period, zone: str
) -> tuple[list[int], str]:
    """The latest plays that had all of these cards, and since when, if there may be more before them."""
    plays = {card: sum(sums[0] for (one, _), sums in dealt.items() if one == card) for card in wanted}
    rarest, *others = sorted(wanted, key=lambda card: plays[card])
    fits, values = _conditions(scope, others)
    within, bounds = _within(period, zone)
    found: list[int] = []
    last = ""
    rows = db.execute(
        f"""SELECT play_id, played_at, {fits} FROM kept_cards AS at
        WHERE club_id = ? AND game = ? AND card = ? {within}
        ORDER BY played_at DESC, play_id DESC LIMIT ?""",
        [*values, scope.club_id, scope.game, rarest, *bounds, LOOKED_AT + 1],
    )
    for number, (play_id, played_at, does_fit) in enumerate(rows):
        if len(found) == MOST_TABLES or number == LOOKED_AT:
            return found, last
        found += [play_id] if does_fit else []
        last = played_at
    return found, ""


def _conditions(scope: Scope, others: Sequence[str]) -> tuple[str, list[Any]]:
    """What a table with the rarest card has to fit besides."""
    parts: list[tuple[str, Any]] = []
    if scope.place:
        parts.append(("place = ?", scope.place))
    if scope.players is not None:
        parts.append(("player_count = ?", scope.players))
    if scope.variant is not None:
        parts.append(("variant = ?", scope.variant))
    for card in others:
        parts.append(("EXISTS (SELECT 1 FROM kept_cards WHERE play_id = at.play_id AND card = ?)", card))
    return " AND ".join(part for part, _ in parts) or "1", [value for _, value in parts]


def _within(period: Period, zone: str) -> tuple[str, list[str]]:
    """From the first day of the first month to the last of the last."""
    if not period.first:
        return "", []
    last = period.last
    after = f"{int(last[:4]) + last.endswith('-12'):04}-{int(last[5:]) % 12 + 1:02}-01"
    bounds = [days.beginning(f"{period.first}-01", zone), days.beginning(after, zone)]
    return "AND played_at >= ? AND played_at < ?", bounds


def _by_count(sheets: Sequence[Sheet]) -> list[tuple[int, Spread]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for sheet in sheets:
        if sheet.total is not None:
            found.setdefault(sheet.player_count, []).append((sheet.total, 1))
    return [(count, Spread.of(found[count])) for count in sorted(found)]


def _over_time(sheets: Sequence[Sheet], zone: str) -> list[Average]:
    """By month, or by year where months would not fit."""
    known = [(days.day_of(one.played_at, zone), one.total) for one in sheets if one.total is not None]
    days_known = [day for day, _ in known]
    fit = not known or len(months(min(days_known), max(days_known))) <= times.STEPS
    found: dict[str, list[int]] = {}
    for day, total in known:
        found.setdefault(day[: 7 if fit else 4], []).append(total)
    return [
        Average.of(period, len(totals), sum(totals), sum(total * total for total in totals))
        for period, totals in sorted(found.items())
        if len(totals) >= FEW
    ]


def _people(db: Database, club_id: int, sheets: Sequence[Sheet]) -> list[dict[str, Any]]:
    """As `player.standing` tells it."""
    sums: dict[int, tuple[int, int, int]] = {}
    for one in sheets:
        plays, contests, wins = sums.get(one.player_id, (0, 0, 0))
        sums[one.player_id] = (plays + 1, contests + one.is_contest, wins + one.is_contest * one.winner)
    sql = "SELECT id, name, colour, token FROM players WHERE club_id = ?"
    rows = [
        {
            "id": player_id,
            "name": name,
            "look": looks.worn(name, colour, token),
            "plays": sums[player_id][0],
            "contests": sums[player_id][1],
            "wins": sums[player_id][2],
            "rate": Rate(sums[player_id][2], sums[player_id][1]),
        }
        for player_id, name, colour, token in db.execute(sql, [club_id]).fetchall()
        if player_id in sums
    ]
    return sorted(rows, key=lambda row: (-row["plays"], row["name"]))


def _seats(sheets: Sequence[Sheet]) -> list[tuple[int, list[Rate]]]:
    found: dict[int, dict[int, tuple[int, int]]] = {}
    for one in sheets:
        if one.is_contest:
            seats = found.setdefault(one.player_count, {})
            wins, plays = seats.get(one.seat, (0, 0))
            seats[one.seat] = (wins + one.winner, plays + 1)
    return [(count, [Rate(*seats[seat]) for seat in sorted(seats)]) for count, seats in sorted(found.items())]


def _lines(db: Database, sheets: Sequence[Sheet], game: Game) -> list[LineAverage]:
    """What each line brought, of a card's line at the tables that had it; sheets of totals alone have no lines."""
    ids = pack(list(dict.fromkeys(one.play_id for one in sheets)))
    rows = db.execute(
        "SELECT play_id, seat, rule, points FROM kept_lines WHERE play_id IN (SELECT value FROM numbers_in(?))", [ids]
    ).fetchall()
    plain = {(play_id, seat) for play_id, seat, rule, _ in rows if rule not in game.rules}
    itemised = [one for one in sheets if one.total is not None and (one.play_id, one.seat) not in plain]
    at_table = Counter(one.play_id for one in itemised)
    in_play: dict[str, int] = {}
    for play_id, card in db.execute(
        "SELECT play_id, card FROM kept_cards WHERE play_id IN (SELECT value FROM numbers_in(?))", [ids]
    ):
        in_play[card] = in_play.get(card, 0) + at_table[play_id]
    those: dict[str, set[tuple[int, int]]] = {}
    sums: dict[str, int] = {}
    for play_id, seat, rule, points in rows:
        those.setdefault(rule, set()).add((play_id, seat))
        sums[rule] = sums.get(rule, 0) + points
    return [
        LineAverage(rule, label, len(those[rule]), in_play.get(rule, len(itemised)), sums[rule])
        for rule, label in game.rules.items()
        if rule in those
    ]
