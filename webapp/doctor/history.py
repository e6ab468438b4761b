"""Check the database and its backups: whether they are undamaged, ours, recent and private."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scorer import games
from scorer.sentences import in_a_row, say, say_count
from webapp import backup, checksum, clock_check, jobs, static_files
from webapp.database import Database, UnusableDatabase, engine_of
from webapp.doctor_check import FINE, Finding, fault, fine, warning
from webapp.schema import migrations, upgrade

OLD = timedelta(days=2)
NAMED = 10  # at most so many games or jobs are named
DAILY = say("A running server makes a backup every day. If it doesn’t, its log says why.")


def checks(address: str | Path) -> Iterator[Finding]:
    try:
        engine = engine_of(address)
        engine.check_address(address)
    except UnusableDatabase as trouble:
        yield fault("database", trouble.message)
        return
    found = list(engine.examined(address, migrations.steps))
    yield from found
    if any(one.check == "schema" and one.level == FINE for one in found):
        try:
            with closing(engine.to_read(address)) as db:
                yield tables(db)
                yield the_clock(db)
                yield stuck_jobs(db)
                yield from same_packages(engine.latest_static_file(db, static_files.PACKAGES))
        except engine.ERRORS as trouble:
            yield fault("database", engine.refusal_of(address, trouble))
    if engine.exists(address):
        yield from copies(address)


def tables(db: Database) -> Finding:
    refusal = upgrade.missing(db)
    return fault("tables", refusal) if refusal else fine("tables")


def the_clock(db: Database) -> Finding:
    doubt = clock_check.current_doubt(db)
    return fault("clock", clock_check.in_words(doubt)) if doubt else fine("clock")


def same_packages(theirs: bytes | None) -> Iterator[Finding]:
    """Report whether the games installed here are those that `theirs` lists, JSON of the server that started last.
    Yield nothing if `theirs` is None."""
    if theirs is None:
        return
    here, there = games.installed(), json.loads(theirs)
    differing = [name for name in sorted({*here, *there}) if here.get(name) != there.get(name)]
    if differing:
        yield warning(
            "packages",
            say("These games differ between your servers: {games}.", games=in_a_row(differing)),
            say("Install the same packages on every server, then restart them all."),
        )
    else:
        yield fine("packages")


def stuck_jobs(db: Database) -> Finding:
    """Return a fault if a background job has failed, a warning if one makes no progress, else a good finding."""
    stuck, failed = jobs.stuck(db), jobs.failed(db)
    if not stuck and not failed:
        return fine("jobs")
    named = [f"{job.kind} {job.done}/{job.total or '?'}" for job in stuck]
    named += [f"{job.kind} ({job.error.get('fault', job.error.get('code', ''))})" for job in failed]
    said = say("These background jobs failed or are stuck: {jobs}.", jobs=in_a_row(named[:NAMED]))
    return (fault if failed else warning)("jobs", said, say("Restart the server. Its log says more."))


def copies(address: str | Path) -> Iterator[Finding]:
    """Check the daily backups of the database at this address. Yield findings on whether there are any, how old the
    latest is, and whether any is damaged."""
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
            DAILY,
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
        yield warning("copies", said, DAILY)
    else:
        yield fine("copies", said)
    yield from seals(found)


def seals(found: list[Path]) -> Iterator[Finding]:
    states = {copy: checksum.state(copy) for copy in found}
    broken = [copy.name for copy, state in states.items() if state is checksum.State.BROKEN]
    if broken:
        yield fault(
            "checksums",
            say("These backups are damaged: {files}.", files=in_a_row(broken)),
            say("Check the disk, and keep copies on another one."),
        )
    else:
        yield fine("checksums")
