"""Tell another program that a game was saved, by a signed request to the address that the server owner has set.

The request is sent by a job, so a crash loses nothing. The receiver may get a message twice and recognises it by `id`.
After four attempts within eleven minutes the message is dropped.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from typing import Any

from flask import current_app

from webapp import jobs
from webapp.database import Database, ago
from webapp.jobs import Job, SlowSteps, Step

KIND = "webhook"
EVENT = "game saved"
PAUSES_S = (10, 60, 600)  # before each further attempt
MOST_WAITING = 100  # messages of a club; no more are added
TIMEOUT_S, LONGEST_S = 5.0, 10.0  # of silence from the receiver, and in all
LOOK_EVERY_S = 0.02

log = logging.getLogger("tidemark")


def add(db: Database, club_id: int, play_id: int) -> None:
    """Add a job that tells the other program about a saved game, in the caller's transaction.

    Do nothing if the server owner has set no address, or if too many messages wait.
    """
    if current_app.config.get("WEBHOOK") and len(jobs.of_club(db, club_id, KIND)) < MOST_WAITING:
        jobs.add(db, KIND, club_id, {"play": play_id})


def steps(config: Mapping[str, Any]) -> dict[str, SlowSteps]:
    """Return the function that sends a message, by the kind of job. `config` has the address and the secret; without an
    address, messages are dropped."""
    address, secret = config.get("WEBHOOK", ""), config.get("WEBHOOK_SECRET", "")

    def send(db: Database, job: Job) -> Iterator[Step | None]:
        body = message(db, job)
        if not (address and body):
            yield done
        else:
            sending = Sending(address, secret, job.key, body)
            sending.start()
            until = time.monotonic() + LONGEST_S
            while sending.is_alive() and time.monotonic() < until:
                sending.join(LOOK_EVERY_S)
                yield None
            yield done if sending.was_taken else later

    return {KIND: SlowSteps(send)}


def message(db: Database, job: Job) -> bytes:
    """Return the message, as JSON, about the saved game of the job; empty bytes if it has been deleted since."""
    play = db.row("SELECT key, game, club, played_at, saved_at FROM plays WHERE id = ?", job.subject["play"])
    if play is None:
        return b""
    scores = db.query(
        "SELECT player AS name, total, rank FROM scores WHERE play_id = ? ORDER BY seat", [job.subject["play"]]
    )
    content = {"event": EVENT, "id": job.key, "play": play.pop("key"), **play, "players": list(scores)}
    return json.dumps(content, ensure_ascii=False).encode()


def signature(secret: str, moment: str, body: bytes) -> str:
    """Return "sha256=" and the hexadecimal HMAC of `moment`, a dot and the message's `body`. It is made with the shared
    `secret`, which proves who sent the message."""
    return "sha256=" + hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuse redirects: players' names go only to the address that was set."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Sending(threading.Thread):
    """Send a message in a thread of its own, so that other jobs don't wait."""

    def __init__(self, address: str, secret: str, key: str, body: bytes) -> None:
        super().__init__(name="webhook", daemon=True)
        moment = str(int(time.time()))
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Tidemark",
            "X-Tidemark-Id": key,
            "X-Tidemark-Time": moment,
            "X-Tidemark-Signature": signature(secret, moment, body),
        }
        self.request = urllib.request.Request(address, body, headers)  # noqa: S310, http or https by `settings`
        self.was_taken = False

    def run(self) -> None:
        try:
            with urllib.request.build_opener(NoRedirects).open(self.request, timeout=TIMEOUT_S):
                self.was_taken = True
        except (OSError, HTTPException) as fault:
            log.warning("The webhook did not take a message: %s", type(fault).__name__)


def done(_db: Database, _job: Job) -> None:
    return None


def later(_db: Database, job: Job) -> Job | None:
    attempt = job.step.get("attempt", 0)
    if attempt == len(PAUSES_S):
        log.warning("The webhook has not taken a message %s times, so it is dropped.", attempt + 1)
        return None
    return jobs.at_step(job, attempt=attempt + 1, not_before=ago(days=-PAUSES_S[attempt] / 86400))
