"""Store the cards that a club has described once, to pick them again at later tables."""

from __future__ import annotations

import json
from collections.abc import Collection

from scorer.cardbox import Box, CardBox, Key, Merge
from scorer.contract import Game, Json
from webapp.clubs import quotas
from webapp.database import Database, pack
from webapp.table.json_paths import Edit, lists_on


def of(game: Game) -> CardBox:
    """Return the object that reads and merges card boxes of the game. The game must have card boxes."""
    assert game.cardbox is not None, f"{game.name} has a list of its cards"
    return game.cardbox


def box_of(db: Database, club_id: int, game: Game) -> Box:
    box = of(game).empty()
    rows = db.query("SELECT kind, card FROM box_cards WHERE club_id = ? AND game = ? ORDER BY id", [club_id, game.id])
    for row in rows:
        box.setdefault(row["kind"], []).append(json.loads(row["card"]))
    return box


def keep(db: Database, club_id: int, game: Game, box: Box) -> None:
    """Replace the cards in the club's card box of a game by those in `box`."""
    with db.atomic(club_id):
        db.execute("DELETE FROM box_cards WHERE club_id = ? AND game = ?", [club_id, game.id])
        for kind in of(game).kinds:
            for item in box[kind]:
                db.insert("box_cards", club_id=club_id, game=game.id, kind=kind, name=item["name"], card=pack(item))
        quotas.check_cards(db, club_id)


def add(db: Database, club_id: int, game: str, kind: str, name: str, card: Json) -> None:
    """Add a card from an imported file to the club's card box, unless that has one of this name. `kind` is a kind of
    the box, such as "town_cards", and `card` is the whole card."""
    db.execute(
        "INSERT INTO box_cards (club_id, game, kind, name, card) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [club_id, game, kind, name, pack(card)],
    )


def take_in(db: Database, club_id: int, game: Game, theirs: Json, take_theirs: Collection[Key] = ()) -> Merge:
    """Merge another group's card box, `theirs`, into the club's, and return the outcome. `take_theirs` names cards by
    kind and name, such as ("town_cards", "Gull house"); these replace the club's. Nothing changes if either box has
    a fault."""
    with db.atomic(club_id):
        merged = of(game).merge(box_of(db, club_id, game), theirs, take_theirs)
        if any((merged.added, merged.completed, merged.replaced)):
            keep(db, club_id, game, merged.box)
    return merged


def describe(db: Database, club_id: int, game: Game, kind: str, thing: Json) -> bool:
    """Save a card that was described at a table (`thing`) into the club's card box. Return whether it was valid. `kind`
    is a kind of the box, such as "town_cards"."""
    if kind not in of(game).kinds:
        return False
    item, _ = of(game).described(kind, thing)
    if item is None:
        return False
    with db.atomic(club_id):
        merged = of(game).put(box_of(db, club_id, game), kind, item)
        keep(db, club_id, game, merged.box)
    return True


def forget(db: Database, club_id: int, game: Game, kind: str, name: str) -> None:
    if kind in of(game).kinds:
        with db.atomic(club_id):
            keep(db, club_id, game, of(game).remove(box_of(db, club_id, game), kind, name))


def rename(db: Database, club_id: int, game: Game, kind: str, name: str, to: str) -> Merge | None:
    """Rename the card `name` in the club's box, unless the new name `to` is refused. Return the merge, whose `problems`
    say why a name is refused, or None for an unknown `kind`."""
    if kind not in of(game).kinds:
        return None
    with db.atomic(club_id):
        renamed = of(game).rename(box_of(db, club_id, game), kind, name, to)
        if not renamed.problems:
            keep(db, club_id, game, renamed.box)
    return renamed


def pressed(buttons: Collection[str], words: int) -> list[list[str]]:
    """Return the values of pressed buttons, but only those that are JSON lists of exactly `words` texts. A button's
    value may be `["town_cards", "streets/0/1"]`, which has two."""
    found = lists_on(buttons)
    return [parts for parts in found if len(parts) == words and all(isinstance(part, str) for part in parts)]


def picked(box: Box, buttons: Collection[str]) -> list[Edit]:
    """Return the cards that pressed buttons pick from the box, each with the path at which to put it.

    The value of such a button has a path, a kind and a name: `["streets/0/-", "town_cards", "Gull house"]`.
    """
    return [
        (path, item)
        for path, kind, name in pressed(buttons, 3)
        for item in box.get(kind, ())
        if isinstance(item, dict) and item["name"] == name
    ]
