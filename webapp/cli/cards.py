"""Card boxes on the command line: `tidemark cards export` and `tidemark cards import`."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from scorer import games
from scorer.contract import Game, Json
from webapp import clubs
from webapp.database import Database, connect
from webapp.schema import migrations
from webapp.table import cardboxes


@contextlib.contextmanager
def opened(path: str, game_id: str, club: int | None) -> Iterator[tuple[Database, Game, int]]:
    """The database, the game and the club that are meant; LookupError in words for one that is not there."""
    game = games.find(game_id)
    if game is None or game.cardbox is None:
        boxed = ", ".join(each.id for each in games.everything() if each.cardbox)
        raise LookupError(f"{game_id} has no card box; games that have one: {boxed}")
    if not Path(path).is_file():
        raise LookupError(f"there is no database {path}")
    db = connect(path)
    try:
        migrations.steps.apply(db)
        club_id = clubs.first_club(db) if club is None else club
        if club_id is None or not clubs.name_of(db, club_id):
            raise LookupError("there is no such club")
        yield db, game, club_id
    finally:
        db.close()


def export_box(path: str, game_id: str, club: int | None) -> int:
    with opened(path, game_id, club) as (db, game, club_id):
        box, _ = cardboxes.of(game).export(cardboxes.box_of(db, club_id, game))
        print(json.dumps(box, ensure_ascii=False, indent=1))
    return 0


def import_box(path: str, game_id: str, club: int | None, theirs: Json, take_theirs: bool) -> int:
    """Merge a box into the club's: 0 if all of it was taken, 1 if something was not."""
    with opened(path, game_id, club) as (db, game, club_id):
        tried = cardboxes.of(game).merge(cardboxes.box_of(db, club_id, game), theirs, ())
        chosen = [(conflict.kind, conflict.name) for conflict in tried.conflicts] if take_theirs else []
        merged = cardboxes.take_in(db, club_id, game, theirs, chosen)
    for problem in merged.problems:
        print(f"{problem.where or '/'}: {problem.message}", file=sys.stderr)
    for conflict in merged.conflicts:
        print(f"{conflict.name} differs in {', '.join(conflict.fields)}; ours was kept", file=sys.stderr)
    print(f"{len(merged.added)} new, {len(merged.completed)} completed, {len(merged.replaced)} replaced")
    faulty = any(problem.level == "error" for problem in merged.problems)
    return 1 if faulty or merged.conflicts else 0
