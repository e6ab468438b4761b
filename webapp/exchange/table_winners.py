"""Find out from a text table who won a game. Nobody wins because of a cell that can't be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scorer.names import folded
from webapp.exchange import foreign
from webapp.exchange.foreign import whole
from webapp.exchange.table_layout import rank_of
from webapp.exchange.table_words import AND, NO, NOTHING, YES, folded_sign

BETWEEN_NAMES = re.compile(rf"[,;/&+|\n]|\s(?:{'|'.join(sorted(AND))})\s")


@dataclass(frozen=True, slots=True)
class Seat:
    """Hold what a table says about one player of a game, as written there."""

    player: str
    total: str = ""
    rank: str = ""
    winner: str = ""
    lines: tuple[tuple[str, str, str], ...] = ()  # rule, label, points


def who_won(seats: Sequence[Seat], named: str, has_words: bool) -> list[bool] | None:
    """Return for each player of a game whether they won; None if that is unreadable or contradictory.

    `named` is the cell of a column that names the winners. `has_words` says that the table has a column for winners or
    ranks; then equal totals are a tie only if that column says so.
    """
    names = [folded(seat.player) for seat in seats]
    won, lost = _seats_named(named, names), set[int]()
    for number, seat in enumerate(seats):
        is_yes, is_no = _is(seat.winner, YES, 1), _is(seat.winner, NO, 0)
        if won is None or ((is_yes or is_no) and folded(seat.winner) in names):
            return None
        if is_no:
            lost.add(number)
        elif is_yes:
            won.add(number)
        else:
            found = _seats_named(seat.winner, names)
            won = None if found is None else won | found
    if won is None or won & lost or not all(rank_of(seats[number].rank) in (None, 1) for number in won):
        return None
    best = set[int]() if won else _best(seats, has_words)
    return None if best is None or best & lost else [number in won for number in range(len(seats))]


def _is(text: str, words: frozenset[str], number: int) -> bool:
    return bool(text) and (folded_sign(text) in words or whole(text) == number)


def _seats_named(text: str, names: Sequence[str]) -> set[int] | None:
    """Return the seats of the players that the cell `text` names, or None if that is not clear. `names` are the folded
    names of all players by seat."""
    if not text or (folded_sign(text) in NO | NOTHING and folded(text) not in names):
        return set()
    found = {folded(text)} if folded(text) in names else {folded(part) for part in BETWEEN_NAMES.split(text)}
    if not all(names.count(name) == 1 for name in found):
        return None
    return {number for number, name in enumerate(names) if name in found}


def _best(seats: Sequence[Seat], has_words: bool) -> set[int] | None:
    """Return the seats that won by rank or total, or None if the table leaves that open. `has_words` says that the
    table has a column for winners or ranks."""
    ranks = [rank_of(seat.rank) for seat in seats]
    totals = [foreign.score("", seat.total, False, None).total for seat in seats]
    known = [total for total in totals if total is not None]
    is_known = len(known) == len(totals)
    most = {number for number, total in enumerate(totals) if len(totals) == 1 or (is_known and total == max(known))}
    if not any(seat.rank for seat in seats):
        return None if has_words and len(most) > 1 else most
    first = {number for number, rank in enumerate(ranks) if rank == 1}
    return first if first and (None not in ranks or first == most) else None
