"""Run the steps of an import: check its file, save its plays, then add everything else.

checking -> saving -> ending -> done
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from scorer.contract import Json
from webapp import clubs
from webapp.clubs import audit_log
from webapp.database import Database, pack
from webapp.exchange import (
    bgstats_in,
    club_json,
    corrections,
    file_formats,
    files,
    foreign,
    foreign_plays,
    identity,
    import_claims,
)
from webapp.exchange.batches import BatchImport
from webapp.exchange.files import Open
from webapp.exchange.foreign import Digest, Matches
from webapp.exchange.import_errors import Refused, refused
from webapp.exchange.import_report import Item, Outcome
from webapp.history import standings
from webapp.jobs import Job, Step

FIRST = 5  # plays in the first batch; later batches hold the lock for about LOCKED_S
LOCKED_S = 0.025
LEAST, MOST = 16, 200  # in one batch; in a smaller batch the step costs more than its plays
PROGRESS_S = 0.5  # between two notes of the progress


def steps(db: Database, job: Job) -> Iterator[Step | None]:
    """Yield the steps of the current stage of an import, and None where other jobs may take a turn."""
    while job.state == "stopping":
        yield _undo
    stage = {"checking": _check, "saving": _save, "ending": _end}[job.step["at"]]
    try:
        yield from stage(db, job, files.import_file(db, job))
    except Refused as fault:
        yield partial(_refuse, fault)


def _refuse(fault: Refused, _db: Database, job: Job) -> Job:
    return replace(job, state="stopping", error=fault.error)


def _at(job: Job, at: str, **others: Any) -> Job:
    return replace(job, step={**job.step, "at": at}, **others)


def _check(db: Database, job: Job, opened: Open) -> Iterator[Step | None]:
    reported_at, read, count = time.monotonic(), 0, 0

    def on_read(size: int) -> None:
        nonlocal read
        read = size

    def progress(_db: Database, job: Job) -> Job:
        return replace(job, step={**job.step, "checked": count, "respell": file.respell}, done=read)

    file = club_json.File(opened)
    file.respell = job.step.get("respell", False)
    for count in file.check(on_read, job.step.get("checked", 0)):  # noqa: B007, told by `progress`
        if time.monotonic() > reported_at + PROGRESS_S:
            reported_at = time.monotonic()
            yield progress
        else:
            yield None
    if count > job.step["most"]:
        raise refused("full")
    yield progress
    yield from _enter(db, job, file.things(club_json.PEOPLE))
    yield lambda _, job: _at(job, "saving", done=0, total=count)


def _enter(db: Database, job: Job, things: Iterator[club_json.Thing]) -> Iterator[Step | None]:
    """Yield steps that add `things`: players, cards and whatever else is no play. What exists already stays, so a step
    can be repeated."""
    assert job.club_id is not None
    entering, together = club_json.ClubImport(db, job.club_id), [FIRST]

    def take(batch: Sequence[club_json.Thing], db: Database, job: Job) -> Job:
        start = time.monotonic()
        with import_claims.claiming_new_players(db, job):
            entering.take(batch)
        import_claims.share_people(db, job, [person["name"] for kind, person in batch if kind == "players"])
        together[0] = fitting(together[0], time.monotonic() - start)
        return job

    while batch := list(islice(things, together[0])):
        yield partial(take, batch)


def _save(db: Database, job: Job, opened: Open) -> Iterator[Step | None]:
    taking, together = BatchImport(db, job), [FIRST]
    items = _items(db, job, opened)
    for _ in islice(items, job.done):  # saved already
        yield None

    def take(batch: Sequence[Item], db: Database, job: Job) -> Job:
        start, outcome = time.monotonic(), Outcome(**json.loads(pack(job.step["outcome"])))
        if not taking.take(batch, outcome):
            return _refuse(refused("full"), db, job)
        audit_log.update_entry(db, job.step["audit_id"], str(outcome.added))
        together[0] = fitting(together[0], time.monotonic() - start)
        step = {**job.step, "outcome": outcome.to_json(), "since": dict(taking.since)}
        return replace(job, step=step, done=job.done + len(batch))

    while batch := list(islice(items, together[0])):
        yield partial(take, batch)
    yield lambda _, job: _at(job, "ending")


def _items(db: Database, job: Job, opened: Open) -> Iterator[Item]:
    notes = files.notes(db, job)
    file = file_formats.recognise(opened, notes.get("digest"))
    if isinstance(file, club_json.File):
        return file.items(job.step["respell"])
    if isinstance(file, bgstats_in.File):
        file.survey(files.ignore)  # `plays` needs the names that it reads
    assert job.club_id is not None
    digest, zone = Digest.from_json(notes["digest"]), clubs.zone_of(db, job.club_id)
    return foreign_plays.items(job.step["source"], digest, file.plays(files.ignore), _answers(notes), zone)


def _answers(notes: Json) -> Matches:
    return {(kind, theirs): ours for kind, theirs, ours in notes.get("answers", ())}


def _end(db: Database, job: Job, opened: Open) -> Iterator[Step | None]:
    """Yield the steps that end an import: add what refers to plays, update standings, and end its claims. `opened`
    opens the file."""
    if job.step["source"] == identity.TIDEMARK:
        yield from _enter(db, job, club_json.File(opened).things(club_json.THINGS))
    for game, (played_at, play_id) in job.step.get("since", {}).items():
        yield partial(_rate, game, (played_at, play_id))
    while import_claims.has_any(db, job):
        yield import_claims.settle
    yield _done


def _rate(game: str, since: tuple[str, int], db: Database, job: Job) -> Job:
    """Update the standings of a game from the moment `since` on; doing so twice changes nothing. Return the job as it
    was, to be continued."""
    assert job.club_id is not None
    standings.update(db, job.club_id, game, since)
    return job


def _done(db: Database, job: Job) -> Job:
    assert job.club_id is not None
    foreign.remember(db, job.club_id, job.step["source"], _answers(files.notes(db, job)))
    files.drop(db, job)
    return replace(job, state="done", step={name: job.step[name] for name in ("source", "outcome")})


def fitting(plays: int, took: float) -> int:
    """Return how many plays to save in the next batch, so that a batch takes about LOCKED_S.

    The last batch had `plays` plays and took `took` seconds. The number grows by about a quarter at most, and stays
    between LEAST and MOST.
    """
    return max(LEAST, min(MOST, plays * 5 // 4 + 1, int(plays * LOCKED_S / max(took, 0.001))))


def _undo(db: Database, job: Job) -> Job | None:
    """Remove some of the rows that the import added, and return the job to continue.

    At the end, update standings and return None; an import of a refused file stays, marked as done.
    """
    if removed := import_claims.withdraw(db, job):
        return replace(job, done=max(0, job.done - removed))
    for game, (played_at, play_id) in job.step.get("since", {}).items():  # some plays of the title may stay
        _rate(game, (played_at, play_id), db, job)
    audit_log.withdraw(db, job.step.get("audit_id"))
    if not job.error:
        return None
    files.drop(db, job)
    corrections.forget(db, job)
    return replace(job, state="done", step={"source": job.step["source"]})
