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
from webapp.database import Database, pack
from webapp.history import at_tables, in_words, merging, people
from webapp.history.people import Person


def remove(db: Database, person: Person) -> bool:
    """Take somebody off the list who never played; False if she sits in any game, deleted or changed since, or will."""
    with db.atomic(person.club_id):
        there = people.find(db, person.id)  # as she is called by now
        if there is None or people.are_names_being_taken_out(db):
            return False
        plays = db.row("SELECT 1 FROM kept_seats WHERE player_id = ?", there.id) is not None
        if plays or there.id in merging.are_becoming(db, there.club_id):
            return False
        _unmatch(db, there)
        db.execute("DELETE FROM players WHERE id = ?", [there.id])
        deeds.note(db, there.club_id, "unlisted", there.name)
    return True


def take_out(db: Database, club_id: int, first: int, last: int) -> None:
    """In the caller's transaction, whoever of these numbers came with an import that was stopped, and sits nowhere."""
    db.execute(
        """DELETE FROM players WHERE id BETWEEN ? AND ? AND club_id = ?
        AND id NOT IN (SELECT value FROM numbers_in(?))
        AND NOT EXISTS (SELECT 1 FROM kept_seats WHERE player_id = players.id)""",
        [first, last, club_id, pack(sorted(merging.are_becoming(db, club_id)))],
    )


def forget(db: Database, person: Person, somebody: str, also_in_words: bool = False) -> str | None:
    """Her name from now on, "Somebody" or with a number; None while old games are still being gone through.

    Or if she is nobody any more.
    """
    word = _forget(db, person, somebody, also_in_words)
    if also_in_words:
        in_words.what_is_short(db, person.club_id)
    return word


def _forget(db: Database, named: Person, somebody: str, also_in_words: bool) -> str | None:
    with db.atomic(named.club_id):
        person = people.find(db, named.id)  # as she is called by now
        if person is None or people.are_names_being_taken_out(db):
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
