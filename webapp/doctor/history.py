"""The database and its copies: whether they are whole, ours, recent, and nobody else's to read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scorer import games
from scorer.sentences import NOTHING, in_a_row, say, say_count
from webapp import backup, checksum, clock_check, clubs, jobs, static_files
from webapp.database import Database, UnusableDatabase, engine_of
from webapp.doctor_check import FINE, Finding, fault, fine, warning
from webapp.schema import migrations, upgrade

OLD = timedelta(days=2)
NAMED = 10  # games, of those with somebody else in them


def checks(address: str | Path) -> Iterator[Finding]:
    try:
        engine = engine_of(address)
        engine.check_address(address)
    except UnusableDatabase as trouble:
        yield fault("database", trouble.message, say("The server can’t start until you fix this."))
        return
    found = list(engine.examined(address, migrations.steps))
    yield from found
    if any(one.check == "schema" and one.level == FINE for one in found):
        try:
            with closing(engine.to_read(address)) as db:
                yield tables(db)
                yield the_clock(db)
                yield check_players(db)
                yield from stuck_jobs(db)
                yield from same_packages(engine.laid_out_last(db, static_files.PACKAGES))
        except engine.ERRORS as trouble:
            yield fault(
                "database", engine.refusal_of(address, trouble), say("The server can’t start until you fix this.")
            )
    if engine.exists(address):
        yield from copies(address)


def tables(db: Database) -> Finding:
    refusal = upgrade.missing(db)
    if refusal:
        return fault("tables", refusal, say("The server can’t start until you fix this."))
    return fine("tables", say("The database has all its tables."))


def the_clock(db: Database) -> Finding:
    doubt = clock_check.glance(db)
    if doubt:
        return fault("clock", clock_check.in_words(doubt), NOTHING)
    return fine(
        "clock",
        say("The clock is right: {now} UTC.", now=f"{datetime.now(UTC):%Y-%m-%d %H:%M}"),
    )


def same_packages(theirs: bytes | None) -> Iterator[Finding]:
    """Compare the games of packages that are installed here with those of the server that was started last."""
    if theirs is None:
        return
    here, there = games.installed(), json.loads(theirs)
    found = [
        (name, here.get(name), there.get(name)) for name in sorted({*here, *there}) if here.get(name) != there.get(name)
    ]
    for name, ours, other in found:
        if ours is None:
            said = say(
                "Another server has “{game}” from {package}, which is missing here.",
                game=name,
                package=other,
            )
        elif other is None:
            said = say("Another server lacks “{game}” of {package}, which is here.", game=name, package=ours)
        else:
            said = say(
                "Another server has “{game}” of {theirs}. Here it is of {ours}.",
                game=name,
                theirs=other,
                ours=ours,
            )
        yield warning("packages", said, say("Install the same packages on every server, then restart all servers."))
    if not found:
        yield fine("packages", say("All servers have the same games."))


def check_players(db: Database) -> Finding:
    """Look for games with a player of another club."""
    foreign = db.execute(
        """SELECT play_keys.key FROM scores JOIN players ON players.id = player_id
        JOIN play_keys ON play_keys.id = play_id
        WHERE players.club_id <> play_keys.club_id GROUP BY play_keys.key ORDER BY play_keys.key"""
    ).fetchall()
    if not foreign:
        return fine("players", say("Every game has only players of its own club."))
    return fault(
        "players",
        say_count(
            "In {n} game somebody of another club is a player: {games}.",
            "In {n} games somebody of another club is a player: {games}.",
            len(foreign),
            games=in_a_row([f"/plays/{key}" for (key,) in foreign[:NAMED]]),
        ),
        say("Find the right player in an older backup, then edit each game."),
    )


def stuck_jobs(db: Database) -> Iterator[Finding]:
    """Yield a warning for each job in the background that makes no progress, and a fault for those that failed."""
    found = jobs.stuck(db)
    for job in found:
        yield warning(
            "jobs",
            say(
                "A background job is stuck: {kind} {key} of {club}, {done} of {total} done.",
                kind=job.kind,
                key=job.key,
                club=clubs.name_of(db, job.club_id) if job.club_id else say("the server"),
                done=job.done,
                total=job.total or "?",
            ),
            say("The running server continues it. An import can be stopped on the page of the club’s data."),
        )
    failed = jobs.failed(db)
    if failed:
        errors = [f"{job.kind} ({job.error.get('fault', job.error.get('code', ''))})" for job in failed]
        named = in_a_row(errors[:NAMED])
        yield fault(
            "jobs",
            say_count(
                "{n} background job failed: {jobs}.",
                "{n} background jobs failed: {jobs}.",
                len(failed),
                jobs=named,
            ),
            say("The server’s log has the reason. Try again with “tidemark recount”, or report the problem."),
        )
    if not found and not failed:
        yield fine("jobs", say("No background job is stuck or has failed."))


def copies(address: str | Path) -> Iterator[Finding]:
    """The daily copies: that there are some, how old the latest is, and that none has changed since."""
    if engine_of(address).folder_of_copies(address) is None:
        theirs = say("Tidemark makes no daily backups of PostgreSQL. Run “tidemark backup FILE” to make one.")
        yield fine("copies", theirs)
        return
    found = backup.copies_of(address)
    latest = backup.latest(address)
    if latest is None:
        yield warning(
            "copies",
            say("There is no backup next to the database."),
            say("A running server makes one every day. Run “tidemark backup FILE” to make one now."),
        )
        return
    age = datetime.now(UTC) - latest[1]
    said = say_count(
        "The latest backup is {n} hour old: {file}.",
        "The latest backup is {n} hours old: {file}.",
        max(int(age.total_seconds() // 3600), 0),
        file=latest[0].name,
    )
    if age > OLD:
        yield warning(
            "copies", said, say("A running server makes one every day. If it didn’t, its log has the reason.")
        )
    else:
        yield fine("copies", said)
    yield from seals(found)


def seals(found: list[Path]) -> Iterator[Finding]:
    states = {copy: checksum.state(copy) for copy in found}
    broken = [copy.name for copy, state in states.items() if state is checksum.State.BROKEN]
    if broken:
        yield fault(
            "checksums",
            say(
                "These backups are damaged: {files}. The disk may be failing.",
                files=in_a_row(broken),
            ),
            say("Check this disk, and keep backups on another one too."),
        )
        return
    sound = sum(state is checksum.State.SOUND for state in states.values())
    yield fine(
        "checksums", say_count("{n} backup has the right checksum.", "{n} backups have the right checksums.", sound)
    )
