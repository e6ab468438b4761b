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
from scorer.sentences import say
from vision import games as readers
from vision import sandbox
from vision.worker import Pool
from webapp import open_files, settings
from webapp.database import UnusableDatabase, engine_of, replaced_files
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
    """Report installed games that can't be played, or whose photos can't be read."""
    refused = list(games.refused())
    do = say("Update or remove that package.")
    for one in refused:
        yield warning("games", one.message, do)
    for sentence in readers.refused():
        yield warning("photos", sentence, do)
    if not refused:
        yield fine("games")


def configuration(environment: Mapping[str, str]) -> Iterator[Finding]:
    try:
        found = settings.of(environment)
    except BadSetting as trouble:
        yield fault("settings", trouble.message)
        return
    unknown = settings.unknown(environment)
    yield warning("settings", settings.unknown_in_words(unknown)) if unknown else fine("settings")
    yield from proxy(found)


def proxy(found: Mapping[str, Any]) -> Iterator[Finding]:
    """Check that those settings in `found` that are about a proxy don't contradict each other."""
    public, behind = urlsplit(found.get("PUBLIC_URL", "")), bool(found.get("PROXY"))
    slips = list(slips_of_proxy(found, public.scheme, public.hostname or "", behind))
    yield from slips
    if not slips:
        yield fine("proxy")


def slips_of_proxy(found: Mapping[str, Any], scheme: str, host: str, behind: bool) -> Iterator[Finding]:
    if behind != (scheme == "https"):
        yield warning(
            "proxy",
            say("A proxy with HTTPS needs TIDEMARK_PROXY and an https TIDEMARK_PUBLIC_URL. Without one, set neither."),
        )
    trusted = found.get("TRUSTED_HOSTS")
    if trusted and host and not any(host == one or (one[:1] == "." and host.endswith(one)) for one in trusted):
        yield fault(
            "proxy",
            say("Nobody can open {host}. Add it to TIDEMARK_TRUSTED_HOSTS.", host=host),
        )
    if behind and any(ip_network(one, strict=False).prefixlen == 0 for one in found.get("PROXY_FROM", ())):
        yield fault(
            "proxy",
            say("TIDEMARK_PROXY_FROM trusts every address. List only your proxy’s."),
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
    """Check whether this process may open as many files as the server needs. The server raises the limit itself;
    nothing is changed here. Yield nothing if there is no limit."""
    try:
        listeners = int(settings.of(environment).get("LISTENERS", events.MOST_LISTENERS))
    except BadSetting:  # already reported
        return
    limit, wanted = open_files.limit(), open_files.needed(listeners)
    if limit >= open_files.NO_LIMIT:
        return
    yield warning("open_files", open_files.how_to_allow(limit, wanted)) if limit < wanted else fine("open_files")


def temporary() -> Iterator[Finding]:
    """Check that files can be written to the folder for temporary files, which uploads need."""
    folder = tempfile.gettempdir()
    try:
        with tempfile.TemporaryFile() as file:
            file.write(bytes(UPLOAD))
            file.flush()
    except OSError as trouble:
        yield fault(
            "temporary",
            say("can’t write {file}: {fault}.", file=folder, fault=trouble.strerror or str(trouble)),
            say("Free some space there, or set TMPDIR to another folder."),
        )
    else:
        yield fine("temporary")


def photos() -> Iterator[Finding]:
    if shutil.which("tesseract"):
        yield fine("tesseract")
    else:
        yield warning("tesseract", say("To read cards from photos, install the package tesseract-ocr."))
    pool = Pool()
    try:
        problems = {problem["code"] for problem in pool.read(b"no photo")["problems"]}
    finally:
        pool.close()
    # A working reader answers that this is no photo.
    if problems & {"too_hard", "wait"} or not problems:
        yield fault(
            "photo_worker",
            say("The photo reader does not start."),
            say("Run “tidemark photo FILE” to see why."),
        )
    else:
        yield fine("photo_worker")
        yield guards(pool.workers[0].guards or sandbox.Guards())


def guards(given_up: sandbox.Guards) -> Finding:
    """Report whether the process that reads photos is kept from other files and the network. `given_up` says which of
    these restrictions hold."""
    missing = sandbox.lacking(given_up)
    # Nothing can be done about this elsewhere.
    return warning("photo_guards", missing) if missing and sys.platform.startswith("linux") else fine("photo_guards")


def probe_server(database: str | Path, port: int) -> Iterator[Finding]:
    """Report whether a server answers on the port, and if not, whether the port is free. Warn if another program has
    the port, or if a server uses the `database` but does not answer there."""
    try:
        served = engine_of(database).is_used(database)
    except UnusableDatabase:  # already reported
        served = False
    answer = answer_at(port)
    if answer == "ok":
        yield check_files(database, port)
    elif answer is not None:
        yield warning(
            "server",
            say("Another program uses port {port}. Stop it, or use another --port.", port=port),
        )
    elif served:
        yield warning(
            "server",
            say("The server doesn’t answer on port {port}. Restart it, or use another --port.", port=port),
        )
    else:
        yield fine("server")


def check_files(database: str | Path, port: int) -> Finding:
    """Return a fault if the server on this port says that its database files were replaced, else a good finding."""
    if answer_at(port, "/readyz", 503) == "the database files were replaced":
        return fault("server", replaced_files.in_words(database))
    return fine("server")


def answer_at(port: int, path: str = "/healthz", status: int = 200) -> str | None:
    """Return what the program at this port answers to a request for `path`, or None if nothing listens. Return "" if it
    fails or answers with another status than `status`."""
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
            connection.request("GET", path, headers={"Host": "localhost"})
            response = connection.getresponse()
            return response.read(100).decode("ascii", "replace").strip() if response.status == status else ""
    except (ConnectionRefusedError, socket.gaierror):
        return None
    except (OSError, http.client.HTTPException):
        return ""
