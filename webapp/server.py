"""Runs the pages: prepares the file, prints the first invitation with its QR code, and serves."""

from __future__ import annotations

import os
import socket
import sys
from urllib.parse import urlsplit

import segno

from scorer.sentences import Sentence, in_a_row, say
from webapp import backup, clubs, create_app, logs, occupied, private, settings, timekeeper
from webapp.clock import clock
from webapp.database import connect
from webapp.front import Front, listening
from webapp.history import plays as history
from webapp.history import work
from webapp.language import of_environment
from webapp.schema import opening
from webapp.table import tables

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104, only compared with: whoever listens everywhere is told an address to type


def serve(database: str, host: str, port: int) -> int:
    """Start, tell where, and run until stopped."""
    opening.look_at_path(database)
    with occupied.used(database):
        return run(database, host, port)


def run(database: str, host: str, port: int) -> int:
    logs.to_stderr()
    address = f"http://{lan_address() if host == EVERY_ADDRESS else host}:{port}"
    app = create_app({"DATABASE": database})
    narrow(database)
    misspelled = settings.unknown(os.environ)
    if misspelled:
        print(f"tidemark: {here(say('nothing is known of {names}.', names=in_a_row(misspelled)))}", flush=True)
    public = app.config.get("PUBLIC_URL") or address
    if not app.config.get("TRUSTED_HOSTS"):
        # A page elsewhere must not reach us under a name of its own choosing.
        app.config["TRUSTED_HOSTS"] = [*{"localhost", "127.0.0.1", *own_names(), urlsplit(public).hostname or host}]
    try:
        door = listening(host, port)
    except OSError as fault:
        text = say("Nobody can come in at {host}, port {port}: {fault}.", host=host, port=port, fault=str(fault))
        print(f"tidemark: {here(text)}", file=sys.stderr)
        return 1
    # Kept for as long as we serve: whenever the last connection closes, SQLite tidies up at some expense.
    keeper = connect(database)
    greet(database, public.rstrip("/"))
    backup.keep_copies(database)
    work.keep_at_it(database)
    Front(app, app.extensions["proxies"]).run(door)
    keeper.close()
    return 0


def narrow(database: str) -> None:
    """Nobody else reads the history; say so once where others could."""
    narrowed = private.narrow_all(private.of_database(database))
    if narrowed:
        files = in_a_row(narrowed)
        print(f"tidemark: {here(say('others could read {files}; now only you can.', files=files))}", flush=True)


def greet(database: str, address: str) -> None:
    """Clear what is long forgotten, make the first club if there is none, and print the way in."""
    db = connect(database)
    try:
        if timekeeper.may_forget(db):
            tables.clear_forgotten(db)
            history.purge(db)
        elif clock.doubt:
            print(f"tidemark: {here(timekeeper.in_words(clock.doubt))}", flush=True)
        club_id = clubs.first_club(db) or clubs.found(db, here(say("Our club")))
        invitation = f"{address}/join/{clubs.links(db, club_id)['owner']}"
        name = clubs.name_of(db, club_id)
    finally:
        db.close()
    segno.make(invitation, error="l").terminal(compact=True)
    where = here(say("Tidemark is at {address}", address=address))
    whose = here(say("Your invitation to {club}, as its owner:", club=name))
    print(f"\n{where}\n{whose}\n{invitation}\n", flush=True)


def here(text: Sentence) -> str:
    """The text in the language of whoever starts the server."""
    return text.into(of_environment())


def own_names() -> set[str]:
    """What this machine is called on its network, with the name that phones find by themselves."""
    name = socket.gethostname().lower()
    return {name, f"{name.removesuffix('.local')}.local", lan_address()}


def lan_address() -> str:
    """The address that phones on the same network reach. Nothing is sent: a UDP socket only looks up the route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:  # no network at all
            return "127.0.0.1"
