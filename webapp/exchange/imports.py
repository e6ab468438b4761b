"""Imports, a piece at a time: first the whole file is looked at, then its plays come in, some at once, in transactions
so short that nobody waits for them. How far it has come is on disk with every piece: after a power cut it goes on, and
stopping takes out again what it has brought.

    asking -> checking -> saving -> ending -> done   (a file of another program asks who is who first)
                    \\-> stopping -> gone             (refused or stopped: nothing is left of it)

Stopping an import keeps every game that something else vouches for: another import that found it here, or a person
who edited, deleted or restored it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice

from scorer.contract import Json
from scorer.names import folded
from webapp import clubs
from webapp.clubs import deeds, quotas
from webapp.database import Database, ago, insist, new_key, now, pack
from webapp.exchange import bgstats_in, differences, foreign, identity, reading, whole
from webapp.exchange.bgg import bgg_ids
from webapp.exchange.files import Moved, Open
from webapp.exchange.foreign import Digest, Matches
from webapp.exchange.outcome import Item, Outcome
from webapp.exchange.refusal import Refused
from webapp.history import NewPlay, archive, forgetting, plays

FIRST = 5  # plays that come in together; from then on as many as keep others waiting no longer than this
LOCKED_S = 0.025
LEAST, MOST = 4, 200
UNDONE = 4  # plays that are taken out again together
KEPT_DAYS = 7  # what became of an import can be looked at so long
ABANDONED_S = 90  # without a sign of life, an import whose file is not with us is over
UNREAD_S = 3600  # the same before its file was looked at, which may take long
STUCK_S = 600  # without a sign of life, an import needs somebody to look at it
LONGEST_S = 86400  # an import that takes longer does too: it may fail again and again at one place
RUNNING = ("checking", "saving", "ending", "stopping")
IS_RUNNING = "state IN ('checking', 'saving', 'ending', 'stopping')"
SIGN_OF_LIFE_S = 0.5
Bar = Callable[[str, int, int], None]  # hears the state, how much is done, and of how much


@dataclass(frozen=True, slots=True)
class Import:
    """An import as it stands."""

    key: str
    club_id: int
    state: str
    source: str
    done: int
    total: int
    plays: int
    digest: Json
    answers: Json
    outcome: Json
    refusal: str
    audit_id: int | None
    updated_at: str

    @property
    def is_running(self) -> bool:
        return self.state in RUNNING

    @property
    def share(self) -> int:
        """How much of it is done, in a hundred."""
        return min(100, 100 * self.done // self.total) if self.total else 0

    @property
    def matches(self) -> Matches:
        return {(kind, theirs): ours for kind, theirs, ours in self.answers}

    def result(self) -> Outcome:
        return Outcome(**self.outcome)

    def survey(self) -> Digest:
        titles = {ref: (title, number) for ref, (title, number) in self.digest["games"].items()}
        return Digest(**{**self.digest, "games": titles})

    def why(self) -> str:
        return self.refusal


def drop_files(db: Database, club_id: int) -> None:
    """Delete files that wait for answers, and reports of those that are done."""
    db.execute("DELETE FROM imports WHERE club_id = ? AND state IN ('coming', 'asking', 'done')", [club_id])


def find(db: Database, key: str) -> Import | None:
    row = db.row(f"SELECT {', '.join(Import.__dataclass_fields__)} FROM imports WHERE key = ?", key)
    if row is None:
        return None
    return Import(**{**row, **{name: json.loads(row[name]) for name in ("digest", "answers", "outcome")}})


def under_way(db: Database, club_id: int) -> list[str]:
    """The keys of the club's imports that are not over."""
    return [
        key
        for (key,) in db.execute(f"SELECT key FROM imports WHERE club_id = ? AND {IS_RUNNING}", [club_id]).fetchall()
    ]


def broken_off(db: Database) -> list[str]:
    """The keys of all imports that are not over and whose files are here."""
    return [
        key
        for (key,) in db.execute(
            f"""SELECT key FROM imports WHERE {IS_RUNNING}
            AND EXISTS (SELECT 1 FROM import_pieces WHERE import_key = key) ORDER BY created_at, key"""
        ).fetchall()
    ]


def stuck(db: Database) -> list[Import]:
    """The imports of all clubs that have not ended and show no sign of life, or take more than a day."""
    keys = db.execute(
        f"SELECT key FROM imports WHERE {IS_RUNNING} AND (updated_at < ? OR created_at < ?) ORDER BY created_at, key",
        [ago(days=STUCK_S / 86400), ago(days=LONGEST_S / 86400)],
    ).fetchall()
    return [found for (key,) in keys if (found := find(db, key)) is not None]


def latest(db: Database, club_id: int) -> list[Import]:
    """The club's imports of these days, the last one first."""
    keys = db.execute("SELECT key FROM imports WHERE club_id = ? ORDER BY created_at DESC, key", [club_id]).fetchall()
    return [found for (key,) in keys[:10] if (found := find(db, key)) is not None]


# -- it begins ---


def begin(db: Database, club_id: int) -> str:
    """A new import, whose file is still to come; what was left of older ones goes."""
    key = new_key()
    with db.atomic(club_id):
        unasked = db.execute(
            "SELECT key FROM imports WHERE club_id = ? AND state IN ('asking', 'coming')", [club_id]
        ).fetchall()
        for (old,) in unasked:
            forget(db, old)
        db.execute("DELETE FROM imports WHERE created_at < ? AND state = 'done'", [ago(days=KEPT_DAYS)])
        db.execute(
            """INSERT INTO imports (key, club_id, state, source, created_at, updated_at)
            VALUES (?, ?, 'coming', '', ?, ?)""",
            [key, club_id, now(), now()],
        )
    return key


def look(db: Database, key: str, opened: Open, size: int) -> Import:
    """Find out what the file is, and whether anybody has to be asked about it. A file that is none goes at once."""
    try:
        file = reading.understand(opened)
        digest = None if isinstance(file, whole.File) else file.survey(_alive(db, key))
    except Refused:
        forget(db, key)
        raise
    state, source = ("checking", identity.TIDEMARK) if digest is None else ("asking", digest.source)
    with db.atomic(db.club_of("imports", key=key)):
        _change(db, key, state=state, source=source, total=size, digest=pack(asdict(digest) if digest else {}))
        if state == "checking":
            _note(db, key)
    found = find(db, key)
    assert found is not None
    return found


def _note(db: Database, key: str) -> None:
    """Write down who does it, while that is known; how many games it has brought is added with every piece."""
    club_id = db.club_of("imports", key=key)
    audit_id = deeds.note(db, club_id, "imported", "0")
    db.execute("UPDATE imports SET audit_id = ? WHERE key = ?", [audit_id, key])


def answer(db: Database, one: Import, found: Matches) -> None:
    """Who is who, as somebody has said: the plays may come in."""
    answers = [[kind, theirs, ours] for (kind, theirs), ours in found.items()]
    total = one.digest["plays"]
    with db.atomic(one.club_id):
        if _change(db, one.key, "asking", state="saving", answers=pack(answers), done=0, total=total, plays=total):
            _note(db, one.key)


def guessed(db: Database, one: Import) -> Matches:
    return foreign.matches(db, one.club_id, one.survey(), bgg_ids())


def forget(db: Database, key: str) -> None:
    """As if it had never begun."""
    with db.atomic(db.club_of("imports", key=key)):
        one = find(db, key)
        if one is not None:
            deeds.withdraw(db, one.audit_id)
        db.execute("DELETE FROM imports WHERE key = ?", [key])


# -- it goes on ---


def go_on(db: Database, key: str, opened: Open | None, bar: Bar, until: float = float("inf")) -> None:
    """Bring it to its end, or as far as it comes until then (by `time.monotonic`), unless somebody else is at it.

    Without its file it can only be taken out again, once it has been stopped.
    """
    with db.sole(f"import {key}") as mine:
        if mine:
            insist(lambda: _go_on(db, key, opened, bar, until))


def _go_on(db: Database, key: str, opened: Open | None, bar: Bar, until: float) -> None:
    try:
        if opened is not None:
            _bring(db, key, opened, bar, until)
    except (Refused, quotas.Full) as fault:
        _change(db, key, refusal=str(fault.message))
        stop(db, key)
    one = find(db, key)
    if one is not None and one.state == "stopping":
        _undo(db, one, bar)


def _bring(db: Database, key: str, opened: Open, bar: Bar, until: float) -> None:
    one = find(db, key)
    if one is not None and one.state == "checking":
        _check(db, one, opened, bar)
        one = find(db, key)
    if one is not None and one.state == "saving":
        _save(db, one, opened, bar, until)
        one = find(db, key)
    if one is not None and one.state == "ending":
        _end(db, one, opened)
        bar("done", one.done, one.total)


class Stopped(Exception):
    """Somebody does not want it any more."""


def stop(db: Database, key: str) -> None:
    """Ask it to stop, whoever is at it; what it has brought is taken out again."""
    with db.atomic(db.club_of("imports", key=key)):
        db.execute(
            "UPDATE imports SET state = 'stopping' WHERE key = ? AND state IN ('asking', 'checking', 'saving')", [key]
        )


def _check(db: Database, one: Import, opened: Open, bar: Bar) -> None:
    last = 0.0

    def moved(read: int) -> None:
        nonlocal last
        if time.monotonic() - last < SIGN_OF_LIFE_S:
            return
        last = time.monotonic()
        if not _change(db, one.key, "checking", done=read):
            raise Stopped
        bar("checking", read, one.total)

    try:
        count = whole.File(opened).check(moved)
    except Stopped:
        return
    if count > quotas.most("plays"):
        raise Refused(quotas.full_of_plays())
    if _enter(db, one, opened, whole.PEOPLE):
        _change(db, one.key, "checking", state="saving", done=0, total=count, plays=count)


def _enter(db: Database, one: Import, opened: Open, kinds: Collection[str]) -> bool:
    """Take in what is no play, read while nobody waits; False if the import is not in that state any more."""
    entering, together = whole.Entering(db, one.club_id), FIRST
    things = whole.File(opened).things(kinds)
    while batch := list(islice(things, together)):
        with db.atomic(one.club_id):
            start = time.monotonic()
            if not _change(db, one.key, one.state):
                return False
            before = _last_player(db)
            entering.take(batch)
            _trace(db, one.key, "player", before + 1, _last_player(db))
            _vouch_for_people(db, one, [person for kind, person in batch if kind == "players"])
            together = fitting(together, time.monotonic() - start)
    return True


def _alive(db: Database, key: str) -> Moved:
    """Return a listener that shows, while a file is read, that its import is at work."""
    last = time.monotonic()

    def moved(_read: int) -> None:
        nonlocal last
        if time.monotonic() - last > SIGN_OF_LIFE_S:
            last = time.monotonic()
            _change(db, key)

    return moved


def _save(db: Database, one: Import, opened: Open, bar: Bar, until: float) -> None:
    taking = Taking(db, one)
    zone = clubs.zone_of(db, one.club_id)
    items = islice(_items(one, opened, zone, _alive(db, one.key)), one.done, None)
    done, outcome, together = one.done, Outcome(**one.outcome), FIRST
    while batch := list(islice(items, together)):
        with db.atomic(one.club_id):
            start = time.monotonic()
            if not _change(db, one.key, "saving", done=done + len(batch)):
                return
            taking.take(batch, outcome)
            _change(db, one.key, outcome=pack(outcome.to_json()))
            deeds.tell_more(db, one.audit_id, str(outcome.added))
            together = fitting(together, time.monotonic() - start)
        done += len(batch)
        bar("saving", done, one.total)
        if time.monotonic() > until:
            return
    _change(db, one.key, "saving", state="ending")


def _end(db: Database, one: Import, opened: Open) -> None:
    """All plays are in: what else the file tells comes after them, once however often this begins."""
    if one.source == identity.TIDEMARK:
        _enter(db, one, opened, whole.THINGS)
    with db.atomic(one.club_id):
        if _change(db, one.key, "ending", state="done", digest="{}", answers="[]"):
            _release(db, one)
            foreign.remember(db, one.club_id, one.source, one.matches)
            for table in ("import_pieces", "import_traces"):
                db.execute(f"DELETE FROM {table} WHERE import_key = ?", [one.key])


def fitting(plays: int, took: float) -> int:
    """How many plays to take next, if so many have held the lock so long: a quarter more at most.

    Never very few either: a busy machine would do little but begin and end.
    """
    return max(LEAST, min(MOST, plays * 5 // 4 + 1, int(plays * LOCKED_S / max(took, 0.001))))


def _items(one: Import, opened: Open, zone: str, moved: Moved) -> Iterator[Item]:
    file = reading.understand(opened)
    if isinstance(file, whole.File):
        return file.items()
    if isinstance(file, bgstats_in.File):
        file.survey(moved)  # which number stands for whom
    return foreign.items(one.source, one.survey(), file.plays(moved), one.matches, zone)


class Taking:
    """What is needed to take in one batch after the other."""

    def __init__(self, db: Database, one: Import) -> None:
        self.db, self.one = db, one
        self.aliases = identity.aliases(db, one.club_id) if one.source == identity.BG_STATS else {}
        self.people = {
            folded(name) for (name,) in db.execute("SELECT name FROM players WHERE club_id = ?", [one.club_id])
        }
        self.room = quotas.most("plays") - archive.count(db, one.club_id)

    def take(self, batch: Sequence[Item], outcome: Outcome) -> None:
        """In the caller's transaction: what is new comes in, what is known is compared."""
        known = self._known(batch)
        _vouch(self.db, self.one, "play", known.values(), outcome)
        new: dict[str, NewPlay] = {}
        for item in batch:
            if item.new is None:
                outcome.note(item.reason, item.example)
                continue
            here = next((known[one] for one in item.ids if one in known), None)
            if here is not None or any(one in new for one in item.ids):
                outcome.known += 1
                if here is not None:
                    outcome.differs += self._compare(here, item.new)
                continue
            new.update(dict.fromkeys(item.ids, item.new))
            outcome.added += 1
            for code, example in item.mended.items():
                outcome.note(code, example)
        self._save(list({id(one): one for one in new.values()}.values()))

    def _known(self, batch: Sequence[Item]) -> dict[str, int]:
        ids = [one for item in batch for one in item.ids]
        found = archive.known(self.db, self.one.club_id, ids, identity.SOURCES) if ids else {}
        return {**{one: self.aliases[one] for one in ids if one in self.aliases}, **found}

    def _compare(self, here: int, theirs: NewPlay) -> int:
        """Note how the play differs from ours, if it does."""
        source = self.one.source
        for ours in archive.by_ids(self.db, [here]):
            found = differences.between(ours, theirs, source, self.people)
            if found and ours.play.deleted_at is None:
                self.db.upsert(
                    "import_differences",
                    ("import_key", "play_id"),
                    import_key=self.one.key,
                    play_id=here,
                    theirs=differences.kept(ours, theirs, source, self.people),
                    differences=pack(found),
                )
                return 1
        return 0

    def _save(self, new: Sequence[NewPlay]) -> None:
        if not new:
            return
        self.room -= len(new)
        if self.room < 0:
            raise Refused(quotas.full_of_plays())
        elsewhere = archive.taken_keys(self.db, [one.key for one in new if one.key])
        before = _last_player(self.db)
        ids = plays.save_all(self.db, self.one.club_id, [_rekeyed(one) if one.key in elsewhere else one for one in new])
        _trace(self.db, self.one.key, "play", min(ids), max(ids))
        _trace(self.db, self.one.key, "player", before + 1, _last_player(self.db))


def _rekeyed(one: NewPlay) -> NewPlay:
    """A play that another club of this file has too gets a key of its own, and remembers the other."""
    return replace(one, key="", source=one.source or identity.TIDEMARK, source_id=one.source_id or one.key)


def _last_player(db: Database) -> int:
    [last] = db.execute("SELECT coalesce(max(id), 0) FROM players").fetchone()
    return int(last)


def _trace(db: Database, key: str, kind: str, first: int, last: int) -> None:
    if first <= last:
        db.execute("INSERT INTO import_traces VALUES (?, ?, ?, ?)", [key, kind, first, last])


def _retrace(db: Database, key: str, first: int, last: int) -> None:
    """Of these plays those up to the last are still to be taken out."""
    db.execute(
        "UPDATE import_traces SET last = ? WHERE import_key = ? AND kind = 'play' AND first = ?", [last, key, first]
    )
    db.execute("DELETE FROM import_traces WHERE import_key = ? AND kind = 'play' AND last < first", [key])


def _change(db: Database, key: str, state_before: str = "", **columns: str | int) -> bool:
    """Change what stands of it, with a sign of life; False if it is no longer in that state."""
    sets = "".join(f"{column} = ?, " for column in columns)
    with db.atomic(db.club_of("imports", key=key)):
        changed = db.execute(
            f"UPDATE imports SET {sets}updated_at = ? WHERE key = ? AND ? IN ('', state)",
            [*columns.values(), now(), key, state_before],
        )
        return changed.rowcount == 1


# -- vouched for by another import ---


def _others(db: Database, one: Import) -> list[str]:
    """The keys of the club's other imports that have not ended: what they have brought may still be taken out."""
    return [key for key in under_way(db, one.club_id) if key != one.key]


def _vouch(db: Database, one: Import, kind: str, numbers: Collection[int], outcome: Outcome) -> None:
    """Note which of these were brought by an import that has not ended: if that one is stopped, they stay."""
    others = _others(db, one) if numbers else []
    if others:
        marks = ", ".join("?" * len(others))
        brought = db.execute(
            f"""SELECT DISTINCT wanted.value FROM numbers_in(?) AS wanted
            JOIN import_traces ON wanted.value BETWEEN first AND last
            WHERE kind = ? AND import_key IN ({marks}) ORDER BY 1""",
            [pack(sorted(numbers)), kind, *others],
        ).fetchall()
        spans = outcome.found.setdefault(kind, [])
        for (number,) in brought:
            if spans and spans[-1][1] == number - 1:
                spans[-1][1] = number
            else:
                spans.append([number, number])


def _vouch_for_people(db: Database, one: Import, people: Sequence[Json]) -> None:
    if people and _others(db, one):
        names = {folded(person["name"]) for person in people}
        roll = db.execute("SELECT id, name FROM players WHERE club_id = ?", [one.club_id]).fetchall()
        [(kept,)] = db.execute("SELECT outcome FROM imports WHERE key = ?", [one.key]).fetchall()
        outcome = Outcome(**json.loads(kept))
        _vouch(db, one, "player", [number for number, name in roll if folded(name) in names], outcome)
        _change(db, one.key, outcome=pack(outcome.to_json()))


def _release(db: Database, one: Import) -> None:
    """It has ended well: what it found belongs to no other import any more, and stays whatever becomes of those."""
    [(kept,)] = db.execute("SELECT outcome FROM imports WHERE key = ?", [one.key]).fetchall()
    outcome = Outcome(**json.loads(kept))
    for other in _others(db, one) if outcome.found else []:
        for kind, spans in outcome.found.items():
            for first, last in _traces(db, other, kind):
                left = list(_without(first, last, spans))
                if left != [(first, last)]:
                    db.execute(
                        "DELETE FROM import_traces WHERE import_key = ? AND kind = ? AND first = ?",
                        [other, kind, first],
                    )
                    for span in left:
                        _trace(db, other, kind, *span)
    outcome.found = {}
    _change(db, one.key, outcome=pack(outcome.to_json()))


def _traces(db: Database, key: str, kind: str) -> list[tuple[int, int]]:
    """The numbers, from and to, of what an import has brought; the last first."""
    return db.execute(
        "SELECT first, last FROM import_traces WHERE import_key = ? AND kind = ? ORDER BY first DESC", [key, kind]
    ).fetchall()


def _without(first: int, last: int, spans: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield what is left of the numbers from first to last outside these spans."""
    for start, end in sorted((span[0], span[1]) for span in spans):
        if first <= end and start <= last:
            if first < start:
                yield first, start - 1
            first = max(first, end + 1)
    if first <= last:
        yield first, last


def _found_by_others(db: Database, one: Import, kind: str) -> list[list[int]]:
    """Return what the club's other imports have found here so far and would keep."""
    rows = db.execute(
        "SELECT outcome FROM imports WHERE club_id = ? AND key <> ? AND state IN ('checking', 'saving', 'ending')",
        [one.club_id, one.key],
    ).fetchall()
    return [span for (outcome,) in rows for span in json.loads(outcome).get("found", {}).get(kind, ())]


# -- without a trace ---


def _undo(db: Database, one: Import, bar: Bar) -> None:
    """Take out again what it brought and nothing else vouches for, the last first; then it is gone.

    Unless there is something to tell.
    """
    left = _traces(db, one.key, "play")
    for number, (first, last) in enumerate(left):
        for some in range(last, first - 1, -UNDONE):
            with db.atomic(one.club_id):
                plays.remove(db, one.club_id, _unvouched(db, one, max(first, some - UNDONE + 1), some))
                _retrace(db, one.key, first, some - UNDONE)
        bar("stopping", number + 1, len(left))
    for first, last in _traces(db, one.key, "player"):
        with db.atomic(one.club_id):
            for span in _without(first, last, _found_by_others(db, one, "player")):
                forgetting.remove_newcomers(db, one.club_id, *span)
    with db.atomic(one.club_id):
        if one.refusal:
            for table in ("import_pieces", "import_traces", "import_differences"):
                db.execute(f"DELETE FROM {table} WHERE import_key = ?", [one.key])
            deeds.withdraw(db, one.audit_id)
            _change(db, one.key, state="done", digest="{}", answers="[]", outcome="{}")
        else:
            forget(db, one.key)


def _unvouched(db: Database, one: Import, first: int, last: int) -> list[int]:
    """Return the plays from first to last, in the caller's transaction, that nobody but this import stands for."""
    numbers = [
        play_id
        for start, end in _without(first, last, _found_by_others(db, one, "play"))
        for play_id in range(start, end + 1)
    ]
    rows = db.execute(
        """SELECT play.id FROM numbers_in(?) AS wanted JOIN play_keys AS play ON play.id = wanted.value
        JOIN imports ON imports.key = ?
        WHERE NOT (play.version > 1 AND play.saved_at >= imports.created_at)
        AND coalesce(play.deleted_at, '') < imports.created_at
        AND NOT EXISTS (SELECT 1 FROM audit_log WHERE audit_log.play_id = play.id)
        ORDER BY play.id DESC""",
        [pack(numbers), one.key],
    ).fetchall()
    return [play_id for (play_id,) in rows]


def clear_abandoned(db: Database, bar: Bar) -> None:
    """Take out what imports have left whose process has ended in their middle, and whose file is not here.

    One that had all its plays in stays: of the rest that is missing, nothing is worth so much as they are.
    """
    gone = db.execute(
        f"""SELECT key FROM imports WHERE ({IS_RUNNING} AND updated_at < ? OR state = 'coming' AND updated_at < ?)
        AND NOT EXISTS (SELECT 1 FROM import_pieces WHERE import_key = key)""",
        [ago(days=ABANDONED_S / 86400), ago(days=UNREAD_S / 86400)],
    ).fetchall()
    for (key,) in gone:
        with db.sole(f"import {key}") as mine:
            if mine:
                _abandon(db, key, bar)


def _abandon(db: Database, key: str, bar: Bar) -> None:
    if _change(db, key, "ending", state="done", digest="{}", answers="[]"):
        one = find(db, key)
        if one is not None:
            with db.atomic(one.club_id):
                _release(db, one)
    stop(db, key)
    one = find(db, key)
    if one is not None and one.state != "done":
        _undo(db, one, bar)


# -- corrections made elsewhere ---


@dataclass(frozen=True, slots=True)
class Correction:
    """A play that is told differently elsewhere."""

    play_id: int
    key: str
    game: str
    played_at: str
    differences: list[list[str]]


def corrections(db: Database, key: str, most: int = 50) -> list[Correction]:
    rows = db.query(
        """SELECT play_id, plays.key, game, played_at, differences FROM import_differences
        JOIN plays ON plays.id = play_id WHERE import_key = ? ORDER BY play_id LIMIT ?""",
        [key, most],
    )
    return [Correction(**{**row, "differences": json.loads(row["differences"])}) for row in rows]


def settle(db: Database, key: str, shown: Sequence[int], taken: Sequence[int]) -> None:
    """Of the plays that were shown, take theirs or keep ours, as was chosen."""
    for play_id in shown:
        with db.atomic(db.club_of("imports", key=key)):
            row = db.row(
                "SELECT theirs, differences FROM import_differences WHERE import_key = ? AND play_id = ?", key, play_id
            )
            if row is not None and play_id in taken:
                for deed in differences.take(db, play_id, json.loads(row["theirs"]), json.loads(row["differences"])):
                    deeds.note_of_game(db, play_id, deed)
            db.execute("DELETE FROM import_differences WHERE import_key = ? AND play_id = ?", [key, play_id])
