"""Run the server: prepare the database, print the first invitation with its QR code, and serve."""

from __future__ import annotations

import gc
import os
import socket
import sys
from dataclasses import replace
from urllib.parse import urlsplit

import segno

from scorer import games
from scorer.sentences import Sentence, say
from webapp import backup, clock_check, clubs, create_app, jobs, logs, open_files, private_files, purging, settings
from webapp.clock import clock
from webapp.database import Database, connect, local_files, serving
from webapp.exchange import imports
from webapp.front import Front, Limits, listening
from webapp.history import webhook
from webapp.language import of_environment
from webapp.schema import upgrade
from webapp.table import events

SWITCH_S = 0.0005  # with Python's default, ten times as long, pages would wait too long for jobs
EVERY_ADDRESS = "0.0.0.0"  # noqa: S104, only compared with, to print an address that people can type


def serve(database: str, host: str, port: int) -> int:
    """Start the server and run until stopped; return the exit code."""
    upgrade.check_path(database)
    with serving(database):
        return run(database, host, port)


def run(database: str, host: str, port: int) -> int:
    logs.to_stderr()
    address = f"http://{lan_address() if host == EVERY_ADDRESS else host}:{port}"
    app = create_app({"DATABASE": database})
    restrict_files(database)
    misspelled = settings.unknown(os.environ)
    if misspelled:
        print(f"tidemark: {localized(settings.unknown_in_words(misspelled))}", flush=True)
    public = app.config.get("PUBLIC_URL") or address
    if not app.config.get("TRUSTED_HOSTS"):
        # A page elsewhere must not reach us under a name of its own choosing.
        app.config["TRUSTED_HOSTS"] = [*{"localhost", "127.0.0.1", *own_names(), urlsplit(public).hostname or host}]
    try:
        door = listening(host, port)
    except OSError as fault:
        text = say("The server can’t listen on {host}, port {port}: {fault}.", host=host, port=port, fault=str(fault))
        print(f"tidemark: {localized(text)}", file=sys.stderr)
        return 1
    # Open as long as we serve: whenever the last connection closes, SQLite does some expensive cleaning up.
    keeper = connect(database)
    print_address(database, public.rstrip("/"))
    name_refused_games()
    preload()
    steps = {**imports.STEPS, **purging.STEPS, **backup.steps(database), **webhook.steps(app.config)}
    jobs.keep_working(database, steps, (backup.KIND, purging.KIND))
    events.join_nodes(app)
    Front(app, app.extensions["proxies"], connection_limits(app.extensions["feed"])).run(door)
    app.extensions["wire"].close()
    app.extensions["connections"].close()
    keeper.close()
    return 0


def connection_limits(feed: events.Feed) -> Limits:
    """Raise the limit of open files, and return limits of connections that fit it.

    If the system allows too few files, fewer phones get live updates from `feed`.
    """
    limits = Limits()
    wanted = open_files.needed(feed.most)
    files = open_files.raise_limit(wanted - open_files.LEAST_CONNECTIONS + limits.connections)
    if files < wanted:
        print(f"tidemark: {localized(open_files.how_to_allow(files, wanted))}", flush=True)
        feed.most = max(files - open_files.needed(0), 0)
    return replace(limits, connections=min(limits.connections, max(files - feed.most - open_files.SPARE, 50)))


def name_refused_games() -> None:
    """Print which installed games are left out, and why."""
    for refused in games.refused():
        print(f"tidemark: {localized(refused.message)}", file=sys.stderr, flush=True)


def preload() -> None:
    """Load all games now, and never search them for garbage again.

    Doing either during a request would make everybody wait for 30 ms or more.
    """
    games.all_games()
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_S)


def restrict_files(database: str) -> None:
    """Let only the owner of the files read the history, and say so once if others could."""
    narrowed = private_files.restrict_all(local_files(database))
    if narrowed:
        print(f"tidemark: {localized(private_files.in_words(narrowed))}", flush=True)


def print_address(database: str, address: str) -> None:
    """Print the server's address. If there is no club yet, add one and print its link.

    The link of an existing club is not printed, because it would stay in logs.
    """
    db = connect(database)
    try:
        clock_check.check(db)
        if clock.doubt:
            print(f"tidemark: {localized(clock_check.in_words(clock.doubt))}", flush=True)
        at = localized(say("Tidemark is at {address}", address=address))
        print(f"\n{at}", flush=True)
        with db.atomic():  # several nodes may start at the same time
            first = clubs.create(db, localized(say("Our club"))) if clubs.first_club(db) is None else None
        if first is not None:
            show_invitation(db, first, "owner", address)
        else:
            print(localized(say("Run “tidemark link” to print an invitation.")) + "\n", flush=True)
    finally:
        db.close()


def show_invitation(db: Database, club_id: int, role: str, address: str) -> None:
    """Print the club's link for a role as text and as a QR code; `address` is the server's."""
    name, invitation = clubs.name_of(db, club_id), f"{address}/join/{clubs.links(db, club_id)[role]}"
    whose = {
        "owner": say("Join {club} as an owner", club=name),
        "member": say("Join {club}", club=name),
        "viewer": say("Join {club} as a viewer", club=name),
    }[role]
    segno.make(invitation, error="l").terminal(compact=True)
    print(f"{localized(whose)}:\n{invitation}\n", flush=True)


def localized(text: Sentence) -> str:
    """Return the text in the language of the command line."""
    return text.into(of_environment())


def own_names() -> set[str]:
    """Return the names and the address of this machine on its network."""
    name = socket.gethostname().lower()
    return {name, f"{name.removesuffix('.local')}.local", lan_address()}


def lan_address() -> str:
    """Return the address that phones on the same network reach. Nothing is sent: UDP only looks up the route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:  # no network at all
            return "127.0.0.1"
