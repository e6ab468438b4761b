"""The database and its copies: whether they are whole, ours, recent, and nobody else's to read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scorer.sentences import NOTHING, in_a_row, say, say_count
from webapp import backup, clubs, jobs, seal, timekeeper
from webapp.database import Database, Unfit, engine_of
from webapp.exchange import imports
from webapp.finding import FINE, Finding, fault, fine, warning
from webapp.schema import migrations

OLD = timedelta(days=2)
NAMED = 10  # games, of those with somebody else in them


def look_at(address: str | Path) -> Iterator[Finding]:
    try:
        engine = engine_of(address)
        engine.look_at(address)
    except Unfit as trouble:
        yield fault("database", trouble.message, say("The server cannot start like this."))
        return
    found = list(engine.examined(address, migrations.steps))
    yield from found
    if any(one.check == "schema" and one.level == FINE for one in found):
        try:
            with closing(engine.to_read(address)) as db:
                yield the_clock(db)
                yield who_played(db)
                yield from stuck_imports(db)
                yield failed_jobs(db)
        except engine.ERRORS as trouble:
            yield fault("database", engine.refusal_of(address, trouble), say("The server cannot start like this."))
    if engine.exists(address):
        yield from copies(address)


def the_clock(db: Database) -> Finding:
    doubt = timekeeper.glance(db)
    if doubt:
        return fault("clock", timekeeper.in_words(doubt), NOTHING)
    return fine(
        "clock",
        say("The clock agrees with what was seen before: {now} UTC.", now=f"{datetime.now(UTC):%Y-%m-%d %H:%M}"),
    )


def who_played(db: Database) -> Finding:
    """Look for games with a player of another club."""
    foreign = db.execute(
        """SELECT play_keys.key FROM scores JOIN players ON players.id = player_id
        JOIN play_keys ON play_keys.id = play_id
        WHERE players.club_id <> play_keys.club_id GROUP BY play_keys.key ORDER BY play_keys.key"""
    ).fetchall()
    if not foreign:
        return fine("players", say("Everybody plays in games of their own club."))
    return fault(
        "players",
        say_count(
            "In {n} game somebody of another club is a player: {games}.",
            "In {n} games somebody of another club is a player: {games}.",
            len(foreign),
            games=in_a_row([f"/plays/{key}" for (key,) in foreign[:NAMED]]),
        ),
        say("Look in an earlier backup who it was, and edit each game."),
    )


def stuck_imports(db: Database) -> Iterator[Finding]:
    """Yield a warning for each import that has not ended and does not move."""
    found = imports.stuck(db)
    for one in found:
        yield warning(
            "imports",
            say(
                "An import from {source} into {club} has stopped at {done} of {total}: /data/import/{key}.",
                source=one.source,
                club=clubs.name_of(db, one.club_id),
                key=one.key,
                done=one.done,
                total=one.total,
            ),
            say("The running server continues or removes it. If it stays, open that page and stop it."),
        )
    if not found:
        yield fine("imports", say("No import is stuck."))


def failed_jobs(db: Database) -> Finding:
    found = jobs.failed(db)
    if not found:
        return fine("jobs", say("No background work has failed."))
    named = in_a_row([f"{job.kind} ({error})" for job, error in found[:NAMED]])
    return fault(
        "jobs",
        say_count(
            "{n} job in the background failed: {jobs}.",
            "{n} jobs in the background failed: {jobs}.",
            len(found),
            jobs=named,
        ),
        say("Look for the reason in the server’s log and report it. “tidemark recount” tries again."),
    )


def copies(address: str | Path) -> Iterator[Finding]:
    """The daily copies: that there are some, how old the latest is, and that none has changed since."""
    if engine_of(address).folder_of_copies(address) is None:
        theirs = say("Daily copies are left to whoever keeps the database; “tidemark backup FILE” makes one now.")
        yield fine("copies", theirs)
        return
    found = backup.copies_of(address)
    latest = backup.latest(address)
    if latest is None:
        yield warning(
            "copies",
            say("There is no copy beside the database."),
            say("The server makes one a day while it runs; “tidemark backup FILE” makes one now."),
        )
        return
    age = datetime.now(UTC) - latest[1]
    said = say_count(
        "The latest copy is {n} hour old: {file}.",
        "The latest copy is {n} hours old: {file}.",
        max(int(age.total_seconds() // 3600), 0),
        file=latest[0].name,
    )
    if age > OLD:
        yield warning(
            "copies", said, say("The server makes one a day while it runs: look into its log for the reason.")
        )
    else:
        yield fine("copies", said)
    yield from seals(found)


def seals(found: list[Path]) -> Iterator[Finding]:
    states = {copy: seal.state(copy) for copy in found}
    broken = [copy.name for copy, state in states.items() if state is seal.State.BROKEN]
    if broken:
        yield fault(
            "checksums",
            say("{files} are not what was written: the disk may be failing.", files=in_a_row(broken)),
            say("Keep copies on another disk as well, and look after this one."),
        )
        return
    sound = sum(state is seal.State.SOUND for state in states.values())
    yield fine("checksums", say_count("{n} copy has its checksum.", "{n} copies have their checksums.", sound))
