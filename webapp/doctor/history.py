"""Check the database and its copies: whether they are undamaged, ours, recent and private."""

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
NAMED = 10  # at most so many games or jobs are named


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
    return fine("tables", say("All tables exist"))


def the_clock(db: Database) -> Finding:
    doubt = clock_check.current_doubt(db)
    if doubt:
        return fault("clock", clock_check.in_words(doubt), NOTHING)
    return fine(
        "clock",
        say("Clock: {now} UTC", now=f"{datetime.now(UTC):%Y-%m-%d %H:%M}"),
    )


def same_packages(theirs: bytes | None) -> Iterator[Finding]:
    """Compare the installed games with those of the server that started last."""
    if theirs is None:
        return
    here, there = games.installed(), json.loads(theirs)
    found = [
        (name, here.get(name), there.get(name)) for name in sorted({*here, *there}) if here.get(name) != there.get(name)
    ]
    for name, ours, other in found:
        if ours is None:
            said = say(
                "This server lacks “{game}” from {package}, which another server has.",
                game=name,
                package=other,
            )
        elif other is None:
            said = say("Another server lacks “{game}” from {package}, which this server has.", game=name, package=ours)
        else:
            said = say(
                "“{game}” is from {ours} on this server, but from {theirs} on another.",
                game=name,
                theirs=other,
                ours=ours,
            )
        yield warning("packages", said, say("Install the same packages on every server, then restart them all."))
    if not found:
        yield fine("packages", say("All servers have the same games"))


def check_players(db: Database) -> Finding:
    """Search for games with a player from another club."""
    foreign = db.execute(
        """SELECT play_keys.key FROM scores JOIN players ON players.id = player_id
        JOIN play_keys ON play_keys.id = play_id
        WHERE players.club_id <> play_keys.club_id GROUP BY play_keys.key ORDER BY play_keys.key"""
    ).fetchall()
    if not foreign:
        return fine("players", say("All players belong to their clubs"))
    return fault(
        "players",
        say_count(
            "{n} game has a player from another club: {games}.",
            "{n} games have a player from another club: {games}.",
            len(foreign),
            games=in_a_row([f"/plays/{key}" for (key,) in foreign[:NAMED]]),
        ),
        say("Look up the players in an older backup, then edit each game."),
    )


def stuck_jobs(db: Database) -> Iterator[Finding]:
    """Yield a warning for each background job without progress, and a fault if any have failed."""
    found = jobs.stuck(db)
    for job in found:
        yield warning(
            "jobs",
            say(
                "A background job is stuck at {done} of {total}: {kind} {key} of {club}.",
                kind=job.kind,
                key=job.key,
                club=clubs.name_of(db, job.club_id) if job.club_id else say("the server"),
                done=job.done,
                total=job.total or "?",
            ),
            say("A running server continues it. Cancel imports on the page “Your data”."),
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
            say("The server’s log says why. Try “tidemark recount”, or report the problem."),
        )
    if not found and not failed:
        yield fine("jobs", say("No background job is stuck"))


def copies(address: str | Path) -> Iterator[Finding]:
    """Check the daily copies: whether there are any, how old the latest is, and whether one has changed."""
    if engine_of(address).folder_of_copies(address) is None:
        theirs = say("PostgreSQL has no daily backups. Run “tidemark backup FILE” every day.")
        yield fine("copies", theirs)
        return
    found = backup.copies_of(address)
    latest = backup.latest(address)
    if latest is None:
        yield warning(
            "copies",
            say("There is no backup next to the database."),
            say("A running server makes one every day. Or run “tidemark backup FILE”."),
        )
        return
    age = datetime.now(UTC) - latest[1]
    said = say_count(
        "Latest backup: {n} hour old, {file}",
        "Latest backup: {n} hours old, {file}",
        max(int(age.total_seconds() // 3600), 0),
        file=latest[0].name,
    )
    if age > OLD:
        yield warning("copies", said, say("A running server makes one every day. If not, its log says why."))
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
                "Backups are damaged: {files}. The disk may be failing.",
                files=in_a_row(broken),
            ),
            say("Check the disk, and keep copies on another one."),
        )
        return
    sound = sum(state is checksum.State.SOUND for state in states.values())
    yield fine("checksums", say_count("{n} backup checked", "{n} backups checked", sound))
