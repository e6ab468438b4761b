"""Export and import card boxes: `tidemark cards export` and `tidemark cards import`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from scorer import games
from scorer.cardbox import Conflict
from scorer.contract import Game, Json, Problem
from scorer.sentences import Sentence, in_a_row, say
from webapp.cli.open_database import club_of, opened
from webapp.cli.terminal import Unusable, localized, out
from webapp.database import Database
from webapp.table import cardboxes


@contextmanager
def open_box(path: str, game_id: str, club: str | None) -> Iterator[tuple[Database, Game, int]]:
    """Yield the open database at `path`, the game and the club's id. Raise Unusable if the game has no card box."""
    game = games.find(game_id)
    if game is None or game.cardbox is None:
        known = in_a_row([each.id for each in games.all_games() if each.cardbox])
        raise Unusable(say("Choose one of {options}. You entered {value}.", options=known, value=game_id))
    with opened(path) as db:
        yield db, game, club_of(db, club)


def export_box(path: str, game_id: str, club: str | None) -> int:
    with open_box(path, game_id, club) as (db, game, club_id):
        box, _ = cardboxes.of(game).export(cardboxes.box_of(db, club_id, game))
        print(json.dumps(box, ensure_ascii=False, indent=1))
    return 0


def import_box(path: str, game_id: str, club: str | None, theirs: Json, take_theirs: bool) -> int:
    """Merge the card box `theirs` into the club's; return 0 if every card was imported, otherwise 1.

    With `take_theirs`, cards that the club's box describes differently are replaced by those in `theirs`.
    """
    with open_box(path, game_id, club) as (db, game, club_id):
        tried = cardboxes.of(game).merge(cardboxes.box_of(db, club_id, game), theirs, ())
        chosen = [(conflict.kind, conflict.name) for conflict in tried.conflicts] if take_theirs else []
        merged = cardboxes.take_in(db, club_id, game, theirs, chosen)
    for text in (*map(fault, merged.problems), *map(difference, merged.conflicts)):
        print(localized(text), file=sys.stderr)
    out(
        say(
            "Cards imported: {new} new, {completed} completed, {doubtful} to check.",
            new=len(merged.added),
            completed=len(merged.completed),
            doubtful=len(merged.replaced) or len(merged.conflicts),
        )
    )
    faulty = any(problem.level == "error" for problem in merged.problems)
    return 1 if faulty or merged.conflicts else 0


def fault(problem: Problem) -> Sentence:
    return say("{where}: {message}", where=problem.where or "/", message=problem.message)


def difference(conflict: Conflict) -> Sentence:
    return say("{card} differs in {fields}. Yours was kept.", card=conflict.name, fields=in_a_row(conflict.fields))
