"""Log errors and, optionally, requests, without any secret or name.

A request is logged by its route, such as "/at/<token>", and not by its address. An error is logged with its kind and
its lines of code; the values in its message and everything the request brought are hidden.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import IO, Any

from flask import Flask, Request, Response, current_app, g, has_request_context, request

from scorer.sentences import say
from webapp import private_files
from webapp.clock import now
from webapp.metrics import Requests
from webapp.operator_errors import BadSetting

HIDDEN = "…"
NOWHERE = "(no such page)"
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
# Tokens and keys have at least twelve characters, among them a digit or a capital; our words don't.
TOKEN = re.compile(r"(?<![\w.-])(?=[\w-]*[0-9A-Z])[\w-]{12,}(?:\.[\w-]+)*")
QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|“[^”\n]*”")
KIND = re.compile(r"[\w.]*(?:Error|Exception|Warning|Exit|Refusal)")
SHORTEST = 3  # characters of a value to mask; shorter ones are in every line


def route() -> str:
    """Return the route of the request, which has placeholders instead of values."""
    return request.url_rule.rule if request.url_rule else NOWHERE


def install(app: Flask) -> None:
    """Time and count every request, and log it if that is wanted."""
    requests = app.extensions["requests"] = Requests()
    access = app.extensions["access log"] = access_log(app.config.get("ACCESS_LOG"))
    app.logger.addFilter(MaskingFilter())

    def begin() -> None:
        g.began, g.route = time.perf_counter(), route()
        requests.begin(g.route)

    def note(response: Response) -> Response:
        if "began" in g and response.status_code != HTTPStatus.CONTINUE:  # the answer to "may I send a body?"
            seconds, method = time.perf_counter() - g.began, method_of(request)
            requests.answered(method, g.route, response.status_code, seconds)
            if access:
                access.info(line(method, response, seconds))
        return response

    def end(_: BaseException | None) -> None:
        if "route" in g:
            requests.end(g.pop("route"))

    app.before_request(begin)
    app.after_request(note)
    app.teardown_request(end)


def method_of(request: Request) -> str:
    return request.method if request.method in METHODS else "other"


def line(method: str, response: Response, seconds: float) -> str:
    return json.dumps(
        {
            "time": now(),
            "address": request.remote_addr or "",
            "method": method,
            "route": g.route,
            "status": response.status_code,
            "ms": round(seconds * 1000, 1),
            "bytes": response.content_length,
        },
        ensure_ascii=False,
    )


# -- the access log ---


class PrivateFile(WatchedFileHandler):
    """Write to a file that only its owner can read, and open a new one when somebody has moved it away."""

    def _open(self) -> IO[Any]:  # type: ignore[override]
        return open(self.baseFilename, self.mode, encoding=self.encoding, opener=private_files.opener)


def access_log(where: str | None) -> logging.Logger | None:
    """Return a logger that writes a line of JSON for each request to the file `where` ("-" is standard output). Return
    None without `where`."""
    if not where:
        return None
    logger = logging.Logger("access")
    try:
        handler = logging.StreamHandler(sys.stdout) if where == "-" else PrivateFile(where, encoding="utf-8")
    except OSError as fault:
        why = say("can’t write {file}: {fault}.", file=where, fault=fault.strerror or str(fault))
        raise BadSetting(say("{variable} is wrong: {why}", variable="TIDEMARK_ACCESS_LOG", why=why)) from None
    if where != "-":
        private_files.restrict(Path(where))
    logger.addHandler(handler)
    return logger


# -- faults ---


class MaskingFilter(logging.Filter):
    """Mask secrets and names in a log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = masked(record.getMessage()), ()
        if record.exc_info:
            record.exc_text = traceback_text(record.exc_info[1])
            record.exc_info = None
        return True


def to_stderr() -> None:
    """Write all logs to standard error, masked."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("tidemark: %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(MaskingFilter())
    logging.getLogger().addHandler(handler)


def traceback_text(fault: BaseException | None) -> str:
    """Return the traceback of an error without the values in its message, or "" for no error."""
    if fault is None:
        return ""
    parts = traceback.TracebackException.from_exception(fault).format()
    return "".join(part if part.startswith("  File ") else _kind(part) for part in parts).rstrip()


def _kind(part: str) -> str:
    """Return a part of a traceback with the error's message masked, but with the name of the error's class."""
    kind, colon, said = part.partition(": ")
    if not KIND.fullmatch(kind):
        kind, colon, said = "", "", part
    return kind + colon + masked(QUOTED.sub(HIDDEN, said))


def masked(text: str) -> str:
    """Return the text with the values of the current request, and anything that looks like a token, hidden."""
    if has_request_context():
        for brought in (request.full_path, request.path):
            if len(brought) > 1:
                text = text.replace(brought, route())
        for value in sorted(set(values_of(request)), key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", HIDDEN, text)
    return TOKEN.sub(HIDDEN, text)


def values_of(request: Request) -> Iterator[str]:
    """Yield the values of three or more characters in the address, the cookies, and the headers Authorization and
    Referer. Values of the form are among them only if it has been read."""
    sent: Iterable[str] = (
        *map(str, (request.view_args or {}).values()),
        *request.args.values(),
        *request.cookies.values(),
        *(request.form.values() if "form" in vars(request) else ()),
        *(request.headers.get(name, "") for name in ("Authorization", "Referer", "Cookie")),
    )
    return (value for value in sent if len(value) >= SHORTEST)


def requests() -> Requests:
    """Return the request counters of the current app."""
    found: Requests = current_app.extensions["requests"]
    return found
