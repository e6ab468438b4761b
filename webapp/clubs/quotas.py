"""Limit how much a club may store. The server owner can set the limits, such as TIDEMARK_QUOTA_PLAYS.

The command line has no limits.
"""

from __future__ import annotations

from flask import current_app, has_app_context

from scorer.sentences import Sentence, in_sentences, say, say_count
from webapp.database import Database

QUOTAS = {"plays": 500_000, "cards": 20_000, "photos": 20_000, "megabytes": 4_000}  # of photos


class Full(ValueError):
    """Signal that the club may store no more."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


def most(what: str) -> int:
    """Return how many of `what`, such as "plays" or "photos", a club may store; 10**12 on the command line."""
    if not has_app_context():
        return 10**12
    return int(current_app.config.get(f"QUOTA_{what.upper()}", QUOTAS[what]))


def how_to_raise(setting: str) -> Sentence:
    """Return a sentence that tells people which setting the server owner can raise."""
    return say("The server owner can raise {setting}.", setting=setting)


def full_of_plays() -> Sentence:
    limit = say_count(
        "This club has reached its limit of {n} game.", "This club has reached its limit of {n} games.", most("plays")
    )
    return in_sentences([limit, how_to_raise("TIDEMARK_QUOTA_PLAYS")])


def full_of_cards() -> Sentence:
    limit = say_count(
        "This club has reached its limit of {n} card.", "This club has reached its limit of {n} cards.", most("cards")
    )
    return in_sentences([limit, how_to_raise("TIDEMARK_QUOTA_CARDS")])


def check_plays(db: Database, club_id: int, newest: int) -> None:
    """Raise Full if the club has too many games, in the transaction that saved game number `newest`.

    Numbers of games only rise, so a number within the limit needs no query.
    """
    if newest <= most("plays"):
        return
    [plays] = db.execute("SELECT count(*) FROM play_keys WHERE club_id = ?", [club_id]).fetchone()
    if plays > most("plays"):
        raise Full(full_of_plays())


def check_cards(db: Database, club_id: int) -> None:
    """Raise Full if the club has too many cards, in the transaction that added some."""
    [cards] = db.execute("SELECT count(*) FROM box_cards WHERE club_id = ?", [club_id]).fetchone()
    if cards > most("cards"):
        raise Full(full_of_cards())


def has_room_for_photos(db: Database, club_id: int) -> bool:
    """Return whether another photo may be stored, with a game or as a sample."""
    photos, size = db.execute(
        """SELECT count(DISTINCT photos.id), coalesce(sum(length(jpeg)), 0)
        FROM photos JOIN play_keys ON play_keys.id = play_id JOIN pictures ON photo_id = photos.id
        WHERE play_keys.club_id = ?""",
        [club_id],
    ).fetchone()
    sql = "SELECT count(*), coalesce(sum(length(jpeg)), 0) FROM samples WHERE club_id = ?"
    samples, their_size = db.execute(sql, [club_id]).fetchone()
    return bool(photos + samples < most("photos") and size + their_size < most("megabytes") * 10**6)
