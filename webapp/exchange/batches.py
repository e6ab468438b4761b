"""Import the plays of a file in batches: save new plays, compare known ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scorer.names import folded
from webapp.database import Database
from webapp.exchange import corrections, differences, identity, import_claims
from webapp.exchange.import_report import Item, Outcome
from webapp.history import NewPlay, archive, plays
from webapp.jobs import Job


class BatchImport:
    """Import one batch of plays after another."""

    def __init__(self, db: Database, job: Job) -> None:
        assert job.club_id is not None
        self.db, self.job, self.club_id, self.source = db, job, job.club_id, job.step["source"]
        self.aliases = identity.plays_by_uuid(db, self.club_id) if self.source == identity.BG_STATS else {}
        people = db.execute("SELECT name FROM players WHERE club_id = ?", [self.club_id]).fetchall()
        self.people = {folded(name) for (name,) in people}
        self.since: dict[str, list[Any]] = dict(job.step.get("since", {}))  # by game, the earliest new play
        self.room = job.step["most"] - archive.count(db, self.club_id)

    def take(self, batch: Sequence[Item], outcome: Outcome) -> bool:
        """Save the new plays of `batch`, and compare the others with ours, in the caller's transaction. What was added,
        known or left out is counted in `outcome`. Return False, and save nothing, if the club would have too many
        plays."""
        known = self._known(batch)
        import_claims.share(self.db, self.job, "play", list(known.values()))
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
            for code, example in item.changes.items():
                outcome.note(code, example)
        return self._save(list({id(one): one for one in new.values()}.values()))

    def _known(self, batch: Sequence[Item]) -> dict[str, int]:
        ids = [one for item in batch for one in item.ids]
        found = archive.known(self.db, self.club_id, ids, identity.SOURCES) if ids else {}
        return {**{one: self.aliases[one] for one in ids if one in self.aliases}, **found}

    def _compare(self, here: int, theirs: NewPlay) -> int:
        """Store how the file's play `theirs` differs from our play with the id `here`; return 1 if it does, else 0."""
        for ours in archive.by_ids(self.db, [here]):
            found = differences.between(ours, theirs, self.source, self.people)
            if found and ours.play.deleted_at is None:
                theirs_kept = differences.packed_difference(ours, theirs, self.source, self.people)
                corrections.add(self.db, self.job, here, theirs_kept, found)
                return 1
        return 0

    def _save(self, new: Sequence[NewPlay]) -> bool:
        self.room -= len(new)
        if new and self.room >= 0:
            elsewhere = archive.taken_keys(self.db, [one.key for one in new if one.key])
            rekeyed = [_rekeyed(one) if one.key in elsewhere else one for one in new]
            with import_claims.claiming_new_players(self.db, self.job):
                ids = plays.save_all(self.db, self.club_id, rekeyed, rebuild=False)
            import_claims.add(self.db, self.job, "play", ids)
            for one, play_id in zip(rekeyed, ids, strict=True):
                game, moment = one.record["game"], [one.played_at, play_id]
                if one.deleted_at is None:
                    self.since[game] = min(self.since.get(game, moment), moment)
        return bool(self.room >= 0)


def _rekeyed(one: NewPlay) -> NewPlay:
    """Return the play without its key, which a play of another club has, so that it gets a new one.

    The old key becomes its source id.
    """
    return replace(one, key="", source=one.source or identity.TIDEMARK, source_id=one.source_id or one.key)
