"""Serve one connection: read a request, answer it, and wait for the next one."""

from __future__ import annotations

import asyncio
import time
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Any

import h11

from webapp.front.pages import READY, Answer, BadRequest, environ_of, log, page
from webapp.front.preflight import ask
from webapp.spool import AGAIN_S, COUNTED, NoRoom

if TYPE_CHECKING:
    from webapp.front.front import Front

PIECE = 64 * 1024  # bytes read or sent at a time
FOREVER = float("inf")
EMPTY_LINE = b"\r\n"
PHRASES = {status.value: status.phrase.encode() for status in HTTPStatus}


class Gone(Exception):
    """Raised when the client has closed the connection, or sent only a part of a request."""


class Receiver(asyncio.StreamReader):
    """Receive data. It sets the event `gone` when the client has closed the connection."""

    gone: asyncio.Event | None = None

    def feed_eof(self) -> None:
        super().feed_eof()
        self.wake()

    def set_exception(self, exc: Exception) -> None:
        super().set_exception(exc)
        self.wake()

    def wake(self) -> None:
        if self.gone is not None:
            self.gone.set()


class Connection:
    """Serve one connection from its first byte to its last. It is closed when the moment `due` has passed."""

    def __init__(self, front: Front, reader: Receiver, writer: asyncio.StreamWriter) -> None:
        self.front, self.limits, self.reader, self.writer = front, front.limits, reader, writer
        self.wire = h11.Connection(h11.SERVER, front.limits.head)
        self.peer = str((writer.get_extra_info("peername") or ("unknown",))[0])
        self.due = FOREVER

    # -- one request after another ---

    async def serve(self) -> None:
        try:
            within = self.limits.head_s
            while await self.serve_one(within):
                self.wire.start_next_cycle()
                within = self.limits.idle_s
        except (Gone, OSError, asyncio.CancelledError):
            pass
        except Exception:
            log.exception("A connection failed")
        finally:
            self.writer.close()
            if self.writer.transport.get_write_buffer_size():  # give a slow client time to receive the rest
                asyncio.get_running_loop().call_later(self.limits.answer_s, self.writer.transport.abort)

    async def serve_one(self, within: float) -> bool:
        """Read a request, which must begin in `within` seconds, and answer it.

        Return whether the connection stays open for another.
        """
        self.front.add_waiting(self)
        try:
            request = await self.read_head(within)
            if request is None:
                return False
            environ = environ_of(request, self.peer, self.front.address)
            who = self.front.household_of(self.peer, environ.get("HTTP_X_FORWARDED_FOR", ""))
            environ[COUNTED] = self.front.accounts.counted(who)
            refusal = await self.preflight(request, environ, who)
            if isinstance(refusal, Answer):
                return await self.refuse_with(refusal)
            body = await self.read_body(environ, refusal)
        except h11.RemoteProtocolError as fault:
            return await self.refuse(fault.error_status_hint)
        except BadRequest as fault:
            return await self.refuse(fault.status)
        except NoRoom:
            return await self.refuse(503)
        finally:
            self.front.remove_waiting(self)
        return await self.answer(environ, body, who)

    async def read_head(self, within: float) -> h11.Request | None:
        self.due = time.monotonic() + within
        may_be_empty = True  # some old clients send an empty line before a request (RFC 9112, 2.2)
        while True:
            begun, ended = self.wire.trailing_data
            if may_be_empty and begun.startswith(EMPTY_LINE):
                may_be_empty = False
                self.restart_parsing(begun.removeprefix(EMPTY_LINE))
            half = may_be_empty and begun == EMPTY_LINE[:1] and not ended
            try:
                event = h11.NEED_DATA if half else self.wire.next_event()
            except ValueError:  # a Content-Length of thousands of digits
                raise BadRequest(400) from None
            if isinstance(event, h11.Request):
                if event.http_version not in (b"1.0", b"1.1"):
                    raise BadRequest(505)
                if not event.method.isupper():
                    raise BadRequest(501)  # methods are case-sensitive and all in capitals
                names = [name for name, _ in event.headers]
                if b"transfer-encoding" in names and (b"content-length" in names or event.http_version == b"1.0"):
                    raise BadRequest(400)  # two lengths: a proxy may have used the other one
                return event
            if event is not h11.NEED_DATA:
                return None
            was_silent = self.is_silent
            self.wire.receive_data(await self.reader.read(PIECE))
            if was_silent and not self.is_silent:
                self.due = time.monotonic() + self.limits.head_s

    def restart_parsing(self, begun: bytes) -> None:
        """Start parsing the next request again, with the bytes `begun`, which have arrived already."""
        self.wire = h11.Connection(h11.SERVER, self.limits.head)
        if begun:
            self.wire.receive_data(begun)

    @property
    def is_silent(self) -> bool:
        """Return whether nothing of the next request has arrived yet."""
        return not self.wire.trailing_data[0]

    async def preflight(self, request: h11.Request, environ: dict[str, Any], who: str) -> Answer | int:
        """Return how many bytes the body of a request may have, or the application's answer that refuses it. The
        application is asked only if the body is large or of unknown length. `who` names the household of the client,
        which is everybody behind one address."""
        length = environ.get("CONTENT_LENGTH", "")
        large = length.isdecimal() and int(length) > self.limits.unasked
        allowed: Answer | int = self.limits.unasked
        if large or any(name == b"transfer-encoding" for name, _ in request.headers):
            self.due = FOREVER
            allowed = await self.front.pages.run(who, ask, self.front.app, environ, self.limits.unasked)
        if self.wire.they_are_waiting_for_100_continue and not isinstance(allowed, Answer):
            await self.send(self.wire.send(h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue")))
        return allowed

    async def read_body(self, environ: dict[str, Any], most: int) -> IO[bytes]:
        """Receive the whole body of a request into a file and return it. A body of more than `most` bytes raises
        BadRequest; a client that is too slow is cut off."""
        body: IO[bytes] = environ[COUNTED]()
        size, started = 0, time.monotonic()
        try:
            while True:
                self.due = started + self.limits.body_s + size / self.limits.least_speed
                event = self.wire.next_event()
                if isinstance(event, h11.EndOfMessage):
                    break
                if isinstance(event, h11.Data):
                    if size + len(event.data) > most:
                        raise BadRequest(413)
                    size += body.write(event.data)
                elif event is h11.NEED_DATA:
                    self.wire.receive_data(await self.reader.read(PIECE))
                else:
                    raise Gone
        except BaseException:
            body.close()
            raise
        environ["CONTENT_LENGTH"] = str(size)
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        body.seek(0)
        environ["wsgi.input"] = body
        return body

    # -- answers ---

    async def answer(self, environ: dict[str, Any], body: IO[bytes], who: str) -> bool:
        self.due = FOREVER
        try:
            answer = await self.front.pages.run(who, page, self.front.app, {**environ, READY: self.front.is_ready})
        except NoRoom:
            return await self.refuse(503)
        except Exception:
            log.exception("A page failed")
            return await self.refuse(500)
        finally:
            body.close()
        if answer.stream is not None:
            await self.front.stream_news(self, answer)
            return self.can_continue
        await self.send_answer(answer, bare=environ["REQUEST_METHOD"] == "HEAD")
        return self.can_continue

    @property
    def can_continue(self) -> bool:
        return self.wire.our_state is h11.DONE and self.wire.their_state is h11.DONE and not self.front.stopping

    async def send_answer(self, answer: Answer, bare: bool) -> None:
        """Send an answer to a request in pieces, or with `bare` only its headers."""
        assert answer.body is not None
        started, sent = time.monotonic(), 0
        has_length = any(name.lower() == b"content-length" for name, _ in answer.headers)
        if not has_length and answer.status not in (204, 304):
            answer.headers.append((b"Content-Length", b"%d" % answer.size))
        with answer.body as body:
            data = self.head_of(answer, closing=self.front.stopping)
            while part := b"" if bare else body.read(PIECE):
                data += self.wire.send(h11.Data(data=part)) or b""
                self.due = started + self.limits.answer_s + sent / self.limits.least_speed
                await self.send(data)
                sent, data = sent + len(part), b""
        await self.send(data + (self.wire.send(h11.EndOfMessage()) or b""))

    def head_of(self, answer: Answer, closing: bool = False) -> bytes:
        headers = [*answer.headers, (b"Date", today(int(time.time())))]
        if closing:
            headers.append((b"Connection", b"close"))
        reason = PHRASES.get(answer.status, b"")
        return self.wire.send(h11.Response(status_code=answer.status, headers=headers, reason=reason)) or b""

    async def send(self, data: bytes) -> None:
        if data:
            self.writer.write(data)
            await self.writer.drain()

    async def refuse(self, status: int) -> bool:
        """Answer with a status and its standard phrase, then close the connection and return False."""
        text = PHRASES[status] + b"\n"
        headers = [(b"Content-Type", b"text/plain"), (b"Content-Length", b"%d" % len(text))]
        if status == 503:
            headers.append((b"Retry-After", b"%d" % AGAIN_S))
        return await self.close_connection(Answer(status, headers), text)

    async def refuse_with(self, answer: Answer) -> bool:
        """Send the answer by which the application refuses the body of a request, then close the connection and return
        False."""
        assert answer.body is not None
        with answer.body as body:
            text = body.read()
        answer.headers = [(name, value) for name, value in answer.headers if name.lower() != b"content-length"]
        answer.headers.append((b"Content-Length", b"%d" % len(text)))
        return await self.close_connection(answer, text)

    async def close_connection(self, answer: Answer, text: bytes) -> bool:
        self.due = time.monotonic() + self.limits.linger_s
        if self.wire.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return False
        data = self.head_of(answer, closing=True)
        await self.send(data + (self.wire.send(h11.Data(data=text)) or b""))
        if self.writer.can_write_eof():
            self.writer.write_eof()
        while await self.reader.read(PIECE):  # closing with unread data would lose the answer
            pass
        return False

    def time_out(self) -> None:
        """Close the connection because its time is over. In the middle of a request, answer 408 first."""
        if self.wire.our_state in (h11.IDLE, h11.SEND_RESPONSE) and not self.is_idle:
            headers = [(b"Connection", b"close"), (b"Content-Length", b"0")]
            data = self.wire.send(h11.Response(status_code=408, headers=headers, reason=b"Request Timeout"))
            self.writer.write(data or b"")
            self.writer.close()
            self.due = time.monotonic() + self.limits.linger_s
        else:
            self.abort()

    @property
    def is_idle(self) -> bool:
        return self.wire.their_state is h11.IDLE and self.is_silent

    def abort(self) -> None:
        self.due = FOREVER
        self.writer.transport.abort()


@lru_cache(maxsize=2)
def today(second: int) -> bytes:
    return formatdate(second, usegmt=True).encode()
