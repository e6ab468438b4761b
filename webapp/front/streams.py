"""Streams of news: the loop itself passes them on, so that a phone that listens costs no thread."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

import h11

from webapp.front.pages import Answer, Threads

if TYPE_CHECKING:
    from webapp.front.connection import Connection


class Stream(Protocol):
    """Hold what a page hands over instead of a body."""

    beat: float  # when it wants to look into the file again, by `time.monotonic`

    @property
    def is_over(self) -> bool: ...

    def look(self) -> None:
        """Look for news in the file, which takes a thread for a moment."""

    def say(self) -> bytes:
        """Return what is to be said now, nothing if nothing has happened."""

    def wake(self, call: object) -> None:
        """Have this called, from any thread, when there is something to say."""

    def farewell(self) -> bytes:
        """Return what is to be said when we stop: when to come back."""

    def close(self) -> None: ...


async def tell(connection: Connection, answer: Answer, threads: Threads) -> None:
    """Pass on what the stream says until it is over, or the phone has gone, or we stop."""
    stream: Stream = answer.stream
    loop, woken = asyncio.get_running_loop(), asyncio.Event()
    connection.reader.gone = woken
    stream.wake(lambda: loop.is_closed() or loop.call_soon_threadsafe(woken.set))
    try:
        answer.close()
        said = connection.begin(answer)
        while not (stream.is_over or connection.front.stopping or connection.reader.at_eof()):
            if time.monotonic() >= stream.beat:
                await threads.run("", stream.look)
            woken.clear()
            if text := stream.say():
                said += connection.wire.send(h11.Data(data=text)) or b""
            await push(connection, said)
            said = b""
            await news_or(woken, stream.beat - time.monotonic())
        if connection.front.stopping:
            said += connection.wire.send(h11.Data(data=stream.farewell())) or b""
        await push(connection, said + (connection.wire.send(h11.EndOfMessage()) or b""))
    finally:
        connection.reader.gone = None
        stream.close()


async def push(connection: Connection, said: bytes) -> None:
    """Send; a phone that does not take it for half a minute has fallen asleep."""
    connection.due = time.monotonic() + connection.limits.answer_s
    await connection.send(said)
    connection.due = float("inf")


async def news_or(woken: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(max(seconds, 0)):
            await woken.wait()
    except TimeoutError:
        pass
