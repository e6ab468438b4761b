"""Write the rows of a saved game that lists and statistics read: scores, lines and cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scorer import games
from scorer.contract import CardInPlay, Game, Json
from scorer.record import TOTAL
from webapp.database import Database
from webapp.history.decision import Decision, SeatScore
from webapp.table import json_paths, kinds

Square = tuple[str, str, str]  # a board, one of its squares, and the piece on it
COMMON = -1  # the seat of a card that everybody may use

SCORES = "play_id, seat, player_id, total, rank, winner, final"
LINES = "play_id, seat, position, rule, item, points"
CARDS = "play_id, card, seat, points, pieces"


@dataclass(frozen=True, slots=True)
class PlayData:
    """Hold a saved game's id, record, decision and players, from which its database rows are made."""

    id: int
    record: Json
    decision: Decision
    player_ids: Sequence[int]


def write(db: Database, plays: Sequence[PlayData]) -> None:
    for table, columns, rows_of in (
        ("all_scores", SCORES, score_rows),
        ("all_lines", LINES, line_rows),
        ("all_cards", CARDS, card_rows),
    ):
        rows = [row for play in plays for row in rows_of(play)]
        marks = ", ".join("?" * len(columns.split(",")))
        if rows:
            db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)


def remove(db: Database, play_id: int) -> None:
    for table in ("all_scores", "all_lines", "all_cards"):
        db.execute(f"DELETE FROM {table} WHERE play_id = ?", [play_id])


def counted_rows(record: Json, decision: Decision) -> int:
    """Return how many rows a game would add to the database.

    If the record is malformed, the game's code may raise any error.
    """
    play = PlayData(0, record, decision, range(len(decision.seats)))
    return len([*score_rows(play), *line_rows(play), *card_rows(play)]) + len(variant_of(record))


def score_rows(play: PlayData) -> Iterator[tuple[Any, ...]]:
    for seat, (score, player_id) in enumerate(zip(play.decision.seats, play.player_ids, strict=True)):
        winner = None if score.winner is None else int(score.winner)
        yield play.id, seat, player_id, score.total, score.rank, winner, int(score.final)


def line_rows(play: PlayData) -> Iterator[tuple[Any, ...]]:
    for seat, score in enumerate(play.decision.seats):
        for position, (rule, item, points) in enumerate(score.lines):
            yield play.id, seat, position, rule, item, points


def card_rows(play: PlayData) -> Iterator[tuple[Any, ...]]:
    game = games.find(play.record["game"])
    cards = list(dict.fromkeys(game.cards.in_play(play.record))) if game and game.cards.in_play else []
    if not cards:
        return
    pieces = [[piece for _, _, piece in squares] for squares in squares_of(game, play.record)]
    for card in cards:
        if card.seat is None:
            yield play.id, card.id, COMMON, None, 0
        for seat, score in enumerate(play.decision.seats):
            points = points_of(card, score)
            if card.seat == seat or (card.seat is None and points is not None):
                yield play.id, card.id, seat, points, pieces[seat].count(card.id)


def points_of(card: CardInPlay, score: SeatScore) -> int | None:
    """Return the points that a player got for a card, or None if no line of the player is about it."""
    if any(rule == TOTAL for rule, _, _ in score.lines):
        return None
    found = [points for rule, item, points in score.lines if rule == card.rule and card.item in ("", item)]
    return sum(found) if found else None


def squares_of(game: Game | None, record: Json) -> list[list[Square]]:
    """Return for each seat the boards' squares that have a piece, as tuples of board, square and piece."""
    boards = kinds.painted(game.inputs) if game else []
    return [list(_placed(game, boards, record, seat)) for seat in range(len(record["players"]))]


def _placed(game: Game | None, boards: Sequence[kinds.Painted], record: Json, seat: int) -> Iterator[Square]:
    shown = game.editor.shows(record, seat) if game and boards and game.editor.shows else {}
    for board in boards:
        name = board.asked.name
        value = shown.get(name, json_paths.get(record["players"][seat], json_paths.steps(name)))
        if value is not json_paths.ABSENT:
            yield from ((name, cell, piece) for cell, piece in board.placed(value))


def variant_of(record: Json) -> str:
    """Return the options that the game was played with, such as "path=value|path=value"; defaults are left out."""
    game = games.find(record["game"])
    if game is None:
        return ""
    options = []
    for asked in (asked for asked in game.inputs if asked.is_variant):
        value = json_paths.get(record.get("table", {}), json_paths.steps(asked.name))
        if value is json_paths.ABSENT or value == asked.default:
            continue
        options += [f"{asked.name}={one}" for one in (sorted(value) if isinstance(value, list) else [value])]
    return "|".join(options)
