"""Forget a player: the name is replaced, and the games stay for the other players.

The name disappears from the list of players, so from every game and version. It also disappears from names of other
programs, from waiting imports, from games still being entered and from the audit log. On request it also disappears
from notes, places and names of devices, where the same letters may be an ordinary word. Backups are not changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.names import folded
from webapp import avatars
from webapp.clubs import audit_log, avatars_of, matches, players
from webapp.database import Database, pack
from webapp.history import forget_in_texts, player_profiles
from webapp.history.player_profiles import Person
from webapp.table import renaming


def remove(db: Database, person: Person) -> bool:
    """Delete a player who is in no game or version, not even a deleted one. The audit log notes it. Return False, and
    change nothing, if the player is in one or no longer exists."""
    with db.atomic(person.club_id):
        there = player_profiles.find(db, person.id)  # may have been renamed meanwhile
        if there is None or _has_played(db, there.id):
            return False
        matches.forget(db, there.club_id, there.name)
        players.remove(db, [there.id])
        audit_log.note(db, there.club_id, "unlisted", there.name)
    return True


def _has_played(db: Database, player_id: int) -> bool:
    return any(
        db.row(f"SELECT 1 FROM {table} WHERE player_id = ?", player_id) is not None
        for table in ("all_scores", "version_scores")
    )


def remove_newcomers(db: Database, club_id: int, ids: Sequence[int]) -> None:
    """Remove those of the players `ids` who are in no game or version, in the caller's transaction."""
    rows = db.execute(
        """SELECT id FROM players WHERE id IN (SELECT value FROM numbers_in(?)) AND club_id = ?
        AND NOT EXISTS (SELECT 1 FROM all_scores WHERE player_id = players.id)
        AND NOT EXISTS (SELECT 1 FROM version_scores WHERE player_id = players.id)""",
        [pack(list(ids)), club_id],
    )
    players.remove(db, [player_id for (player_id,) in rows.fetchall()])


def forget(db: Database, person: Person, somebody: str, also_in_words: bool = False) -> str | None:
    """Replace a player's name by `somebody`, with a number if that is taken, and give a new avatar.

    Return the new name, or None if the player is gone. `also_in_words` replaces the name in notes, places and names of
    devices, too.
    """
    with db.atomic(person.club_id):
        there = player_profiles.find(db, person.id)  # may have been renamed meanwhile
        if there is None:
            return None
        word = _free_word(db, there, somebody)
        avatar = avatars.free(word, avatars_of(db, there.club_id))  # the old one would show who it was
        players.rename(db, there.id, word)
        players.set_avatar(db, there.id, avatar)
        matches.forget(db, there.club_id, there.name)
        _forget_origins(db, there.id)
        renaming.follow(db, there.club_id, there.name, word)
        renaming.set_avatar(db, there.club_id, word, avatar)
        audit_log.forget_name(db, there.club_id, there.name)
        audit_log.note(db, there.club_id, "forgotten", word)
        if also_in_words:
            forget_in_texts.begin(db, there.club_id, there.name, word)
    if also_in_words:
        forget_in_texts.run_short_steps(db, there.club_id)
    return word


def _forget_origins(db: Database, player_id: int) -> None:
    """Delete what other programs said about the player's games, in the caller's transaction."""
    db.execute(
        """UPDATE all_plays SET origin = '' WHERE origin <> '' AND id IN (
            SELECT play_id FROM all_scores WHERE player_id = ?1
            UNION SELECT play_id FROM version_scores WHERE player_id = ?1)""",
        [player_id],
    )


def _free_word(db: Database, person: Person, somebody: str) -> str:
    names = db.execute("SELECT name FROM players WHERE club_id = ? AND id <> ?", [person.club_id, person.id])
    taken = {folded(name) for (name,) in names.fetchall()} | renaming.names_beside(db, person.club_id, person.name)
    word, number = somebody, 1
    while folded(word) in taken:
        number += 1
        word = f"{somebody} {number}"
    return word
