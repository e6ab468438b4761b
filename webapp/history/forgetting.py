"""Somebody does not want to stand in the history any more: her name goes, what she played stays with the others' games.

The name goes from the list of players, and with it from every game and every earlier version, from what other programs
call her, from files that wait to be read in, from tables that are still being entered, and from the list of who did
what. Words that people wrote themselves (notes, places, names of devices) are gone through if that is wanted, since a
name can be a word too. Copies of the database are not touched.
"""

from __future__ import annotations

from scorer.names import folded
from webapp import looks
from webapp.clubs import deeds, looks_of
from webapp.database import Database
from webapp.history import at_tables, in_words
from webapp.history.people import Person, are_names_being_taken_out


def remove(db: Database, person: Person) -> bool:
    """Take somebody off the list who never played; False if she sits in any game, deleted or changed since."""
    with db.atomic(person.club_id):
        if are_names_being_taken_out(db) or db.row("SELECT 1 FROM kept_seats WHERE player_id = ?", person.id):
            return False
        _unmatch(db, person)
        db.execute("DELETE FROM players WHERE id = ?", [person.id])
        deeds.note(db, person.club_id, "unlisted", person.name)
    return True


def forget(db: Database, person: Person, somebody: str, also_in_words: bool = False) -> str | None:
    """Her name from now on, "Somebody" or with a number; None while old games are still being gone through."""
    word = _forget(db, person, somebody, also_in_words)
    if also_in_words:
        in_words.what_is_short(db, person.club_id)
    return word


def _forget(db: Database, person: Person, somebody: str, also_in_words: bool) -> str | None:
    with db.atomic(person.club_id):
        if are_names_being_taken_out(db):
            return None
        names = db.execute("SELECT name FROM players WHERE club_id = ? AND id <> ?", [person.club_id, person.id])
        taken = {folded(name) for (name,) in names.fetchall()}
        taken |= at_tables.names_beside(db, person.club_id, person.name)
        word, number = somebody, 1
        while folded(word) in taken:
            number += 1
            word = f"{somebody} {number}"
        look = looks.free(word, looks_of(db, person.club_id))  # her own would say who she was
        db.execute(
            "UPDATE players SET name = ?, colour = ?, token = ? WHERE id = ?",
            [word, look.colour, look.token, person.id],
        )
        _unmatch(db, person)
        db.execute("DELETE FROM imports WHERE club_id = ? AND state IN ('coming', 'asking', 'done')", [person.club_id])
        at_tables.follow(db, person.club_id, person.name, word)
        at_tables.wear(db, person.club_id, word, look)
        _in_deeds(db, person)
        deeds.note(db, person.club_id, "forgotten", word)
        if also_in_words:
            in_words.begin(db, person.club_id, person.name, word)
    return word


def _unmatch(db: Database, person: Person) -> None:
    """Files of other programs do not lead to her any more."""
    db.execute(
        "DELETE FROM matches WHERE club_id = ? AND kind = 'player' AND (ours = ? OR theirs = ?)",
        [person.club_id, person.name, person.name],
    )


def _in_deeds(db: Database, person: Person) -> None:
    """What says that she was renamed, made one with somebody or taken off the list goes, also under earlier names."""
    notes = db.execute(
        """SELECT id, about FROM deeds
        WHERE club_id = ? AND what IN ('renamed', 'merged', 'unlisted') ORDER BY at DESC, id DESC""",
        [person.club_id],
    ).fetchall()
    names = {folded(person.name)}
    for number, about in notes:
        before, after = map(folded, deeds.two_names(about))
        if names & {before, after}:
            names |= {before} if after in names else set()
            db.execute("DELETE FROM deeds WHERE id = ?", [number])
