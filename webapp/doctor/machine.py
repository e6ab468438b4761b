"""Check the computer: settings, memory, open files, room for uploads, the photo reader, and the server's port."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scorer import games
from scorer.sentences import in_a_row, say, say_count
from vision import games as readers
from vision import sandbox
from vision.worker import Pool
from webapp import open_files, settings
from webapp.database import UnusableDatabase, engine_of
from webapp.doctor_check import Finding, fault, fine, warning
from webapp.operator_errors import BadSetting
from webapp.table import events

LEAST_MEMORY = 400 * 2**20  # the server and a photo worker together need so much
UPLOAD = 2**20


def checks(environment: Mapping[str, str], database: str, port: int) -> Iterator[Finding]:
    yield from configuration(environment)
    yield from memory()
    yield from files_open(environment)
    yield from temporary()
    yield from photos()
    yield from packages()
    yield from probe_server(database, port)


def packages() -> Iterator[Finding]:
    """Report installed games that cannot be played."""
    refused = list(games.refused())
    for one in refused:
        do = say("Update or remove that package. Its saved games stay readable.")
        yield warning("games", one.message, do)
    for sentence in readers.refused():
        yield warning("photos", sentence, say("Update or remove that package. Boards can be entered by hand."))
    if not refused:
        yield fine("games", say_count("{n} game installed", "{n} games installed", len(games.ids())))


def configuration(environment: Mapping[str, str]) -> Iterator[Finding]:
    try:
        found = settings.of(environment)
    except BadSetting as trouble:
        yield fault("settings", trouble.message, say("The server can’t start until you fix this."))
        return
    unknown = settings.unknown(environment)
    if unknown:
        yield warning(
            "settings",
            say("Unknown settings: {names}.", names=in_a_row(unknown)),
            say("Check the spelling in docs/servers/settings.md."),
        )
    else:
        yield fine("settings", say("Settings are valid"))
    yield from proxy(found)


def proxy(found: Mapping[str, Any]) -> Iterator[Finding]:
    """Check that the settings about a proxy agree with each other."""
    public, behind = urlsplit(found.get("PUBLIC_URL", "")), bool(found.get("PROXY"))
    slips = list(slips_of_proxy(found, public.scheme, public.hostname or "", behind))
    yield from slips
    if not slips:
        where = say("behind a proxy") if behind else say("without a proxy")
        yield fine("proxy", say("Proxy settings: {where}", where=where))


def slips_of_proxy(found: Mapping[str, Any], scheme: str, host: str, behind: bool) -> Iterator[Finding]:
    if scheme == "https" and not behind:
        yield warning(
            "proxy",
            say("TIDEMARK_PUBLIC_URL is https, but TIDEMARK_PROXY is not set."),
            say("If a proxy on this machine handles HTTPS, set TIDEMARK_PROXY=1."),
        )
    if behind and scheme != "https":
        yield warning(
            "proxy",
            say("TIDEMARK_PROXY is set, but TIDEMARK_PUBLIC_URL is not https."),
            say("Set TIDEMARK_PUBLIC_URL to your https address, or remove TIDEMARK_PROXY."),
        )
    trusted = found.get("TRUSTED_HOSTS")
    if trusted and host and not any(host == one or (one[:1] == "." and host.endswith(one)) for one in trusted):
        yield fault(
            "proxy",
            say(
                "Nobody can open {host}, because TIDEMARK_TRUSTED_HOSTS does not list it.",
                host=host,
            ),
            say("Add this address, or remove TIDEMARK_TRUSTED_HOSTS."),
        )
    if behind and any(ip_network(one, strict=False).prefixlen == 0 for one in found.get("PROXY_FROM", ())):
        yield fault(
            "proxy",
            say("TIDEMARK_PROXY_FROM trusts every address."),
            say("List only the addresses of your proxy."),
        )


def memory() -> Iterator[Finding]:
    try:
        available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                available = int(line.split()[1]) * 1024
    except (AttributeError, OSError, ValueError):  # not every system has these
        return
    said = say("Free memory: {free} MB", free=available // 2**20)
    if available < LEAST_MEMORY:
        yield warning("memory", said, say("Photos need more memory. Close other programs."))
    else:
        yield fine("memory", said)


def files_open(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Check how many files may be open. The server raises the limit itself; nothing is changed here."""
    try:
        listeners = int(settings.of(environment).get("LISTENERS", events.MOST_LISTENERS))
    except BadSetting:  # which has been told
        return
    limit, wanted = open_files.limit(), open_files.needed(listeners)
    if limit >= open_files.NO_LIMIT:
        return
    said = say("Open files allowed: {limit}, for {n} phones", limit=limit, n=listeners)
    if limit < wanted:
        yield warning("open_files", said, open_files.how_to_allow(wanted))
    else:
        yield fine("open_files", said)


def temporary() -> Iterator[Finding]:
    """Check the folder for temporary files, where uploads are stored while they are read."""
    folder = tempfile.gettempdir()
    try:
        with tempfile.TemporaryFile() as file:
            file.write(bytes(UPLOAD))
            file.flush()
    except OSError as trouble:
        yield fault(
            "temporary",
            say("Tidemark can’t write to {folder}: {reason}.", folder=folder, reason=trouble.strerror or str(trouble)),
            say("Free some space there, or set TMPDIR to another folder."),
        )
    else:
        yield fine("temporary", say("Folder for uploads: {folder}", folder=folder))


def photos() -> Iterator[Finding]:
    if shutil.which("tesseract"):
        yield fine("tesseract", say("Tesseract reads the cards on photos"))
    else:
        yield warning(
            "tesseract",
            say("Tidemark can’t read cards from photos. Everything else works."),
            say("Install the package tesseract-ocr."),
        )
    lacking = sandbox.lacking(sandbox.available())
    if lacking:
        for sentence in lacking:
            yield warning("sandbox", sentence, say("Use a newer Linux to prevent this."))
    else:
        yield fine("sandbox", say("This system can shield the photo reader"))
    pool = Pool()
    try:
        problems = {problem["code"] for problem in pool.read(b"no photo")["problems"]}
    finally:
        pool.close()
    # It has to say itself that this is no photo.
    if problems & {"too_hard", "wait"} or not problems:
        yield fault(
            "photo_worker",
            say("The photo reader does not start."),
            say("Run “tidemark photo FILE” to see why."),
        )
    else:
        yield fine("photo_worker", say("The photo reader runs"))
        yield from guards(pool.workers[0].guards or sandbox.Guards())


def guards(given_up: sandbox.Guards) -> Iterator[Finding]:
    """Report how the process that reads photos is shielded."""
    missing = sandbox.lacking(given_up)
    for sentence in missing:
        if sys.platform.startswith("linux"):
            yield warning("photo_guards", sentence, say("Use a newer Linux to prevent this."))
        else:  # nothing can be done about this
            yield fine("photo_guards", sentence)
    if not missing:
        yield fine("photo_guards", say("The photo reader is shielded"))


def probe_server(database: str | Path, port: int) -> Iterator[Finding]:
    """Report whether a server runs, and if not, whether the port is free."""
    try:
        served = engine_of(database).is_used(database)
    except UnusableDatabase:  # which has been told
        served = False
    answer = answer_at(port)
    if answer == "ok":
        yield from check_files(port)
    elif answer is not None:
        yield warning(
            "server",
            say("Another program uses port {port}.", port=port),
            say("Stop it, or use another --port here and for the server."),
        )
    elif served:
        yield warning(
            "server",
            say("A server uses the database, but none answers on port {port}.", port=port),
            say("Give the server’s port with --port. If the server hangs, restart it."),
        )
    else:
        yield fine("server", say("No server is running; port {port} is free", port=port))


def check_files(port: int) -> Iterator[Finding]:
    """Report whether the server still writes to the files that we see."""
    if answer_at(port, "/readyz", 503) == "the database files were replaced":
        yield fault(
            "server",
            say("The server can’t save, because its database was deleted or replaced."),
            say("Restart the server. Keep other programs away from its files."),
        )
    else:
        yield fine("server", say("A server is running on port {port}", port=port))


def answer_at(port: int, path: str = "/healthz", status: int = 200) -> str | None:
    """Return the answer of the program at this port, "" for another status, or None if nothing listens."""
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
            connection.request("GET", path, headers={"Host": "localhost"})
            response = connection.getresponse()
            return response.read(100).decode("ascii", "replace").strip() if response.status == status else ""
    except (ConnectionRefusedError, socket.gaierror):
        return None
    except (OSError, http.client.HTTPException):
        return ""
