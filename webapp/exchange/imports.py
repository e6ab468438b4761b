"""Run imports: check the whole file, then save its plays in batches short enough that nobody has to wait.

    coming -> asking -> checking -> saving -> ending -> done   (only files of other programs are `asking`)

Each import is a job (`webapp.jobs`). If it is stopped or finds a fault in its file, it removes what it added. It keeps
each game that another import claims, and each game that somebody has edited, deleted or restored.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from scorer.contract import Json
from scorer.sentences import NOTHING, Sentence, say, say_as, say_count
from webapp import jobs
from webapp.clubs import audit_log, quotas
from webapp.database import Database
from webapp.exchange import club_json, file_formats, files, foreign, identity, import_errors, import_steps, tables
from webapp.exchange.bgg import bgg_ids
from webapp.exchange.foreign import Digest, Matches
from webapp.exchange.import_errors import Refused
from webapp.exchange.import_report import Outcome
from webapp.exchange.table_layout import Layout
from webapp.history import job_steps
from webapp.jobs import Job, Report, SlowSteps, Steps

KIND = "import"
CAN_BE_STOPPED = ("coming", "asking", "checking", "saving")


@dataclass(frozen=True, slots=True)
class Import:
    """Hold the job of an import, and tell pages its state, progress, program, refusal and result."""

    job: Job

    @property
    def key(self) -> str:
        return self.job.key

    @property
    def club_id(self) -> int:
        assert self.job.club_id is not None
        return self.job.club_id

    @property
    def state(self) -> str:
        """Return coming, asking, checking, saving, ending, stopping, failed or done."""
        is_at_step = self.job.state in ("waiting", "running")
        return str(self.job.step.get("at", "coming")) if is_at_step else self.job.state

    @property
    def is_running(self) -> bool:
        return self.job.is_under_way

    @property
    def source(self) -> str:
        return str(self.job.step.get("source", ""))

    @property
    def share(self) -> int:
        """Return how many percent of the import are done."""
        return min(100, 100 * self.job.done // self.job.total) if self.job.total else 0

    @property
    def refusal(self) -> Sentence:
        """Return why the file was refused, or an empty sentence."""
        error = {**self.job.error}
        code = error.pop("code", "")
        return import_errors.sentence_of(code, error) if code in import_errors.SENTENCES else NOTHING

    def result(self) -> Outcome:
        return Outcome(**self.job.step.get("outcome", {}))


def find(db: Database, key: str) -> Import | None:
    job = jobs.find(db, key)
    return Import(job) if job is not None and job.kind == KIND else None


def job_of(db: Database, key: str) -> Job:
    return jobs.get(db, key)


def under_way(db: Database, club_id: int) -> list[str]:
    """Return the keys of the club's imports that are not finished."""
    return [job.key for job in jobs.of_club(db, club_id, KIND)]


def drop_files(db: Database, club_id: int) -> None:
    """Delete the club's imports that wait for their file or for answers, and the reports of finished imports."""
    for job in jobs.latest(db, club_id):
        if job.kind == KIND and job.state in ("waiting", "done"):
            jobs.remove(db, job)


# -- it begins ---


def begin(db: Database, club_id: int) -> str:
    """Add an import that waits for its file, replacing other waiting imports of the club; return its key."""
    with db.atomic(club_id):
        for job in jobs.latest(db, club_id):
            if job.kind == KIND and job.state == "waiting":
                jobs.remove(db, job)
        return jobs.add(db, KIND, club_id, state="waiting").key


def inspect(db: Database, key: str, size: int, wish: Json | None = None, most_lines: int | None = None) -> Import:
    """Recognise the file of an import, then start the import or store questions for people. If the file is refused,
    raise Refused and delete the import. `size` is that of the file. `wish` says how somebody wants a text table to
    be read; `most_lines` limits its length."""
    job = jobs.get(db, key)
    try:
        file = file_formats.recognise(files.import_file(db, job))
        if isinstance(file, tables.File):
            digest: Digest | None = file.survey(files.ignore, wish, most_lines)
        else:
            digest = None if isinstance(file, club_json.File) else file.survey(files.ignore)
    except Refused:
        jobs.remove(db, job)
        raise
    source = digest.source if digest else identity.TIDEMARK
    with db.atomic(job.club_id):
        if digest is None:
            _start(db, job, "checking", source, size)
        else:
            files.keep_notes(db, job, {"digest": asdict(digest)})
            jobs.update(db, jobs.at_step(job, at="asking", source=source))
    return Import(jobs.get(db, key))


def _start(db: Database, job: Job, at: str, source: str, total: int) -> None:
    """Start an import at the stage `at`; note who started it and how many plays the club may have. `source` is the
    program that wrote the file, and `total` its number of plays."""
    assert job.club_id is not None
    audit_id, most = audit_log.note(db, job.club_id, "imported", "0"), quotas.most("plays")
    step = {"at": at, "source": source, "audit_id": audit_id, "most": most, "outcome": {}}
    jobs.update(db, replace(job, state="running", step=step, done=0, total=total))


def survey(db: Database, one: Import) -> Digest:
    """Return the games and players in the file, which people are asked to match with ours."""
    return Digest.from_json(files.notes(db, one.job)["digest"])


def guessed(db: Database, one: Import) -> Matches:
    return foreign.matches(db, one.club_id, survey(db, one), bgg_ids())


def answer(db: Database, one: Import, found: Matches) -> None:
    """Store people's answers and start saving plays. `found` says which game or player of ours each one in the file is.
    If a text table still can't be read, raise Refused and delete the import."""
    table = survey(db, one).table if one.state == "asking" else None
    if table and (fault := Layout.from_json(table["layout"]).fault()):
        jobs.remove(db, one.job)
        raise fault
    with db.atomic(one.club_id):
        job = jobs.get(db, one.key)
        if job.state == "waiting" and job.step.get("at") == "asking":
            notes = files.notes(db, job)
            files.keep_notes(db, job, {**notes, "answers": [[*asked, ours] for asked, ours in found.items()]})
            _start(db, job, "saving", one.source, notes["digest"]["plays"])


def stop(db: Database, key: str) -> None:
    """Stop an import, whichever server runs it, and remove what it has added; do nothing once all plays are saved."""
    job = jobs.find(db, key)
    with db.atomic(job.club_id if job else 0):
        job = jobs.find(db, key)
        if job is not None and job.step.get("at", "coming") in CAN_BE_STOPPED:
            jobs.remove(db, job) if job.state == "waiting" else jobs.stop(db, job)


# -- it runs ---


STEPS: Steps = {KIND: SlowSteps(import_steps.steps), **job_steps.STEPS}


def finish(db: Database, key: str, until: float = float("inf"), report: Report | None = None) -> Import | None:
    """Run an import to its end or until the time `until` (by `time.monotonic`). Return it, or None if it no longer
    exists. `report` is called with its job before each step."""
    job = jobs.finish_one(db, STEPS, key, until, report)
    return Import(job) if job is not None else None


# -- jobs in words ---

NAMES = {
    "export": say("Export"),
    "zone": say("Changing the time zone"),
    "words": say("Deleting a name from notes and places"),
}


def name_of(job: Job) -> Sentence:
    """Return a job's name for people, such as "Export", whatever its kind."""
    if job.kind == "import":
        return say("Import from {source}", source=Import(job).source)
    return NAMES.get(job.kind, say("Updating skill and streaks"))


def progress_of(job: Job) -> Sentence:
    """Return a text on how far a job of any kind has come, such as "50% done"."""
    one, is_import = Import(job), job.kind == "import"
    if job.state == "failed":
        return say("stopped by an error")
    if job.error:
        return say("file not accepted") if is_import else say("stopped")
    if job.state == "done":
        added = one.result().added if is_import else 0
        return say_count("{n} game added", "{n} games added", added) if is_import else say_as("job", "done")
    waiting = {"waiting": say("waiting for your answers"), "stopping": say("stopping")}
    return waiting.get(job.state) or (say("{share}% done", share=one.share) if one.share else say("under way"))
