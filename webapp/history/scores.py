"""What is kept of a play besides itself: scores, lines, cards, achievements, the words for search, and its
part of the sums.

All of it is worked out from the play and goes with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webapp.database import Database
from webapp.history import achievements, dealt, wording
from webapp.history.tallies import CountedPlay, Tallies


def put_on(db: Database, plays: Sequence[CountedPlay], tallies: Tallies) -> None:
    """Count these plays; writing the tallies and replaying the game is left to whoever asks."""
    write(db, plays)
    achievements.award(db, plays)
    dealt.add(db, plays)
    wording.add(db, [play.id for play in plays])
    for play in plays:
        tallies.add(play)


def take_off(db: Database, play: CountedPlay, tallies: Tallies) -> None:
    """Count the play no longer. Its lines and achievements go with its scores."""
    tallies.subtract(play)
    dealt.remove(db, play.id)
    wording.remove(db, play.id)
    db.execute("DELETE FROM kept_scores WHERE play_id = ?", [play.id])


def write(db: Database, plays: Sequence[CountedPlay]) -> None:
    score_rows, line_rows = rows(plays)
    db.executemany(
        """INSERT INTO kept_scores (play_id, seat, player_id, club_id, game, played_at, player_count, variant, total,
            rank, winner) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        score_rows,
    )
    db.executemany("INSERT INTO kept_lines VALUES (?, ?, ?, ?, ?, ?)", line_rows)


def rows(plays: Sequence[CountedPlay]) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """The rows of `kept_scores`, careers aside, and of `kept_lines`."""
    scores: list[tuple[Any, ...]] = []
    lines: list[tuple[Any, ...]] = []
    for play in plays:
        players = play.result["players"]
        for seat, (player, player_id) in enumerate(zip(players, play.player_ids, strict=True)):
            place = (play.club_id, play.game, play.played_at, len(players), play.variant)
            rank = None if seat in play.unplaced else player["rank"]
            outcome = (play.totals[seat], rank, int(player["winner"]))
            scores.append((play.id, seat, player_id, *place, *outcome))
            lines += [
                (play.id, seat, position, line["rule"], str(line["label"]), line["points"])
                for position, line in enumerate(player["lines"])
            ]
    return scores, lines
