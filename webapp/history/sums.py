"""What a play adds to the sums, told as rows: each table with its key and what is added to it.

Most sums are cells of a cube: a place or anywhere (""), a period or ever (""), a game, a number of players, a way of
playing or any ("*"). A play stands in one cell for each of its periods (ever, its year, its quarter, its month), here
and anywhere, by its way and by any, so that a page finds a year in one cell and any span of months in at most four
months, six quarters and the years between them, however many ways there are. Players and cards have cells of their own.
What is kept in smaller sums is told by the key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import TYPE_CHECKING, Any

from scorer.contract import CardInPlay
from scorer.reading import TOTAL
from scorer.result import PlayerResult, ResultLine

if TYPE_CHECKING:
    from webapp.history.tallies import CountedPlay

Key = tuple[Any, ...]
Sums = tuple[int, ...]
Increment = tuple[str, Key, Sums]  # the table, the row, and what is added to it

ANY = ""  # of places: anywhere; of periods: ever
ANY_WAY = "*"  # of ways of playing, where "" is that of the first game
CELL = ("place", "period", "variant", "game", "player_count")
WON = ("contests", "wins")

# table: the columns of its key, the columns that are summed.
TALLIES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tally_plays": (("club_id", *CELL), ("plays", "timed", "minutes", "sheets", "points", "squared")),
    "tally_totals": (("club_id", *CELL, "total"), ("sheets",)),
    "tally_seats": (("club_id", *CELL, "seat"), ("plays", "wins")),
    "tally_lines": (("club_id", *CELL, "rule"), ("sheets", "points")),
    "tally_cards": (
        ("club_id", *CELL, "card"),
        ("tables", "sheets", "points", "totals", "built", "pieces", *WON, "built_contests", "built_wins"),
    ),
    "tally_players": (("player_id", *CELL), ("plays", *WON, "points", "squared", "sheets")),
    "tally_player_lines": (("player_id", "game", "rule"), ("sheets", "points")),
    "tally_player_cards": (
        ("player_id", "game", "player_count", "card"),
        ("sheets", "points", "built", "pieces", *WON, "built_contests", "built_wins"),
    ),
    "tally_pairs": (("player_id", "opponent_id", "game"), ("won", "lost", "tied")),
    "tally_squares": (("club_id", "game", "board", "piece", "cell"), ("squares",)),
    "tally_days": (("club_id", "day"), ("plays",)),
    "tally_weekdays": (("club_id", "period", "game", "weekday"), ("plays",)),
    "tally_places": (("club_id", "period", "place"), ("plays",)),
}
# The kinds of sum that may grow smaller though nothing was taken off.
SIGNED = frozenset({"points", "totals"})


def increments(play: CountedPlay) -> Iterator[Increment]:
    """All that the play adds to the tallies."""
    cells = cells_of(play)
    yield from of_plays(play, cells)
    yield from of_sheets(play, cells)
    yield from of_players(play, cells)
    yield from of_cards(play, cells)
    yield from pairs(play)
    yield "tally_days", (play.club_id, play.day), (1,)
    for period in (ANY, play.day[:4]):
        yield "tally_weekdays", (play.club_id, period, play.game, play.weekday), (1,)
    for place, period in product(places_of(play), periods_of(play)):
        yield "tally_places", (play.club_id, period, place), (1,)
    for (board, cell, piece), squares in Counter(chain.from_iterable(play.squares)).items():
        yield "tally_squares", (play.club_id, play.game, board, piece, cell), (squares,)


def cells_of(play: CountedPlay) -> list[Key]:
    """The cells in which the play stands, without whose they are."""
    what = (play.game, len(play.player_ids))
    return [
        (place, period, way, *what)
        for place, period, way in product(places_of(play), periods_of(play), (ANY_WAY, play.variant))
    ]


def places_of(play: CountedPlay) -> tuple[str, ...]:
    return (ANY, play.place) if play.place else (ANY,)


def periods_of(play: CountedPlay) -> tuple[str, ...]:
    year, month = play.day[:4], play.day[:7]
    return ANY, year, f"{year}Q{(int(month[5:]) + 2) // 3}", month


def of_plays(play: CountedPlay, cells: Sequence[Key]) -> Iterator[Increment]:
    totals = [total for total in play.totals if total is not None]
    time = (0, 0) if play.minutes is None else (1, play.minutes)
    amounts = (1, *time, len(totals), sum(totals), sum(total * total for total in totals))
    for cell in cells:
        yield "tally_plays", (play.club_id, *cell), amounts


def of_sheets(play: CountedPlay, cells: Sequence[Key]) -> Iterator[Increment]:
    """Totals, seats and lines, first brought together for the whole table: it stands in several cells."""
    players = play.result["players"]
    times = Counter(total for total in play.totals if total is not None)
    lines: dict[str, tuple[int, int]] = {}
    for mine in play.sums:
        for rule, points in mine.items():
            sheets, before = lines.get(rule, (0, 0))
            lines[rule] = (sheets + 1, before + points)
    for cell in cells:
        whose = (play.club_id, *cell)
        for total, sheets in times.items():
            yield "tally_totals", (*whose, total), (sheets,)
        for rule, amounts in lines.items():
            yield "tally_lines", (*whose, rule), amounts
        if play.is_contest:
            for seat, player in enumerate(players):
                yield "tally_seats", (*whose, seat), (1, int(player["winner"]))


def of_players(play: CountedPlay, cells: Sequence[Key]) -> Iterator[Increment]:
    for seat, (player, player_id) in enumerate(zip(play.result["players"], play.player_ids, strict=True)):
        total, known = (0, 0) if seat in play.gaps else (player["total"], 1)
        amounts = (1, *won(play, player), total, total * total, known)
        for cell in cells:
            yield "tally_players", (player_id, *cell), amounts
        for rule, points in play.sums[seat].items():
            yield "tally_player_lines", (player_id, play.game, rule), (1, points)


def won(play: CountedPlay, player: PlayerResult) -> tuple[int, int]:
    """Whether the game could be won, and whether the player has."""
    return int(play.is_contest), int(player["winner"] and play.is_contest)


def of_cards(play: CountedPlay, cells: Sequence[Key]) -> Iterator[Increment]:
    """What each card in play brought to those who could have it. Of whom only the total is known, cards say nothing."""
    for card in play.cards:
        sheets: Sums = (0,) * 9
        for seat, (player, player_id) in enumerate(zip(play.result["players"], play.player_ids, strict=True)):
            if card.seat not in (None, seat) or TOTAL in play.sums[seat] or seat in play.gaps:
                continue
            lines = [line for line in player["lines"] if is_of(line, card)]
            built = int(bool(lines))
            contest, victory = won(play, player)
            points = sum(line["points"] for line in lines)
            pieces = sum(piece == card.id for _, _, piece in play.squares[seat])
            mine = (1, points, player["total"], built, pieces, contest, victory, built * contest, built * victory)
            sheets = tuple(map(int.__add__, sheets, mine))
            whose = (player_id, play.game, len(play.player_ids), card.id)
            yield "tally_player_cards", whose, (*mine[:2], *mine[3:])
        if sheets[0]:
            for cell in cells:
                yield "tally_cards", (play.club_id, *cell, card.id), (1, *sheets)


def is_of(line: ResultLine, card: CardInPlay) -> bool:
    return line["rule"] == card.rule and card.label in ("", str(line["label"]))


def pairs(play: CountedPlay) -> Iterator[Increment]:
    """Everybody against everybody: whoever is placed below you, you have beaten."""
    ranks = [
        (seat, player_id, player["rank"])
        for seat, (player, player_id) in enumerate(zip(play.result["players"], play.player_ids, strict=True))
    ]
    for seat, player, rank in ranks:
        for facing, opponent, other in ranks:
            if player != opponent and is_known_who_was_ahead(play, seat, facing):
                outcome = (int(rank < other), int(rank > other), int(rank == other))
                yield "tally_pairs", (player, opponent, play.game), outcome


def is_known_who_was_ahead(play: CountedPlay, *seats: int) -> bool:
    """Between two with points, always; where one has a gap, if both places were told, or that one of them won."""
    if (play.gaps - set(play.result.get("told", ()))).isdisjoint(seats):
        return True
    winners = [seat for seat in seats if play.result["players"][seat]["winner"]]
    return len(winners) == 1 and winners[0] in play.result.get("told", ())
