"""Search the words of notes and places.

An index finds the games with the rarest word, which are then checked for the other words. A page checks a limited
number of games and says where it stopped.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from webapp.database import Database, pack
from webapp.history.standings import Moment

LONGEST = 40  # letters of a word that are stored
MOST_WORDS = 8
MOST_FORMS = 40  # words with the same beginning, looked up one by one
COUNTED = 200  # plays with a word; counting more is not worth it
LAST = "\U0010ffff"


def words_of(text: str) -> list[str]:
    """Return the different words of a text in lower case without accents."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(one))
    return list(dict.fromkeys(word[:LONGEST] for word in re.findall(r"\w+", plain)))


def add(db: Database, play_ids: Sequence[int]) -> None:
    if found := rows(db, play_ids):
        db.executemany("INSERT INTO search_words VALUES (?, ?, ?, ?)", found)


def rows(db: Database, play_ids: Sequence[int]) -> list[tuple[int, str, int, str]]:
    """Return the rows of the table `search_words` for these games: game, word of its notes or place, club, time."""
    found = db.execute(
        """SELECT id, notes || ' ' || place, club_id, played_at FROM all_plays
        WHERE id IN (SELECT value FROM numbers_in(?)) AND (notes <> '' OR place <> '') AND deleted_at IS NULL""",
        [pack(list(play_ids))],
    ).fetchall()
    return [(play_id, word, club, played_at) for play_id, text, club, played_at in found for word in words_of(text)]


def remove(db: Database, play_id: int) -> None:
    db.execute("DELETE FROM search_words WHERE play_id = ?", [play_id])


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """Hold the words to search for. `forms` are the club's words that begin with the rarest of them.

    Without forms, all games of the club are checked.
    """

    club_id: int
    words: list[str]
    forms: list[str]


def search_terms(db: Database, club_id: int, text: str) -> SearchTerms | None:
    """Return the terms for finding games with all words of the text, or None if no game has them. A word also matches
    longer words that begin with it."""
    words = words_of(text)[:MOST_WORDS]
    if not words:
        return None
    candidates = []
    for word in words:
        forms = _forms(db, club_id, word)
        if not forms:
            return None
        if len(forms) < MOST_FORMS:
            candidates.append((_plays(db, club_id, forms), forms))
    return SearchTerms(club_id, words, min(candidates, default=(0, []))[1])


def _forms(db: Database, club_id: int, beginning: str) -> list[str]:
    """Return the words in the club's notes and places that begin with `beginning`, at most `MOST_FORMS`."""
    found: list[str] = []
    after = beginning
    while len(found) < MOST_FORMS:
        [word] = db.execute(
            f"SELECT min(word) FROM search_words WHERE club_id = ? AND word {'>' if found else '>='} ? AND word < ?",
            [club_id, after, beginning + LAST],
        ).fetchone()
        if word is None:
            break
        found.append(word)
        after = word
    return found


def _plays(db: Database, club_id: int, forms: Sequence[str]) -> int:
    """Return how many plays have one of these words, at most `COUNTED`."""
    [plays] = db.execute(
        f"""SELECT count(*) FROM (SELECT 1 FROM search_words
        WHERE club_id = ? AND word IN ({", ".join("?" * len(forms))}) LIMIT {COUNTED}) AS found""",
        [club_id, *forms],
    ).fetchone()
    return int(plays)


def latest(db: Database, what: SearchTerms, before: Moment | None, since: str) -> Iterator[Moment]:
    """Yield time and id of the games that may have the words of `what`, latest first. They were played before the
    moment `before`, if it is given, and not earlier than `since`."""
    if what.forms:
        source = "search_words WHERE club_id = ? AND word = ?"
        each = [_moments(db, source, "play_id", [what.club_id, form], before, since) for form in what.forms]
    else:
        source = "all_plays WHERE club_id = ? AND deleted_at IS NULL"
        each = [_moments(db, source, "id", [what.club_id], before, since)]
    for moment, _ in groupby(heapq.merge(*each, reverse=True)):
        yield moment


def _moments(
    db: Database, source: str, column: str, values: Sequence[Any], before: Moment | None, since: str
) -> Iterator[Moment]:
    until = f"AND (played_at, {column}) < (?, ?)" if before else ""
    cursor = db.execute(
        f"""SELECT played_at, {column} FROM {source} AND played_at >= ? {until}
        ORDER BY played_at DESC, {column} DESC""",
        [*values, since, *(before or ())],
    )
    return ((played_at, play_id) for played_at, play_id in cursor)


def conditions(what: SearchTerms) -> Iterator[tuple[str, str, str]]:
    """Yield for each word of `what` an SQL condition on `all_plays`, and the two values for its question marks."""
    for word in what.words:
        yield (
            "EXISTS (SELECT 1 FROM search_words WHERE play_id = all_plays.id AND word >= ? AND word < ?)",
            word,
            word + LAST,
        )
