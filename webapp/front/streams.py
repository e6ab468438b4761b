"""Send streams of news (server-sent events) from the event loop, so that a listening phone uses no thread."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

import h11

from webapp.front.pages import Answer, Threads

if TYPE_CHECKING:
    from webapp.front.connection import Connection


class Stream(Protocol):
    """Describe a stream of news (server-sent events), which a page returns in place of a body."""

    beat: float  # when `look` should be called next, by `time.monotonic`

    @property
    def is_over(self) -> bool: ...

    def look(self) -> None:
        """Read news from the database. It is called in a thread."""

    def say(self) -> bytes:
        """Return the bytes to send now, or b"" if there is no news."""

    def wake(self, call: object) -> None:
        """Set the function that the stream calls, from any thread, when there is something to send."""

    def farewell(self) -> bytes:
        """Return the last bytes before the server stops, which tell the phone when to reconnect."""

    def close(self) -> None: ...


async def send_stream(connection: Connection, answer: Answer, threads: Threads) -> None:
    """Send a stream until it ends, the phone has gone, or the server stops."""
    stream: Stream = answer.stream
    loop, woken = asyncio.get_running_loop(), asyncio.Event()
    connection.reader.gone = woken
    stream.wake(lambda: loop.is_closed() or loop.call_soon_threadsafe(woken.set))
    try:
        answer.close()
        data = connection.head_of(answer)
        while not (stream.is_over or connection.front.stopping or connection.reader.at_eof()):
            if time.monotonic() >= stream.beat:
                await threads.run("", stream.look)
            woken.clear()
            if text := stream.say():
                data += connection.wire.send(h11.Data(data=text)) or b""
            await push(connection, data)
            data = b""
            await wait_for_news(woken, stream.beat - time.monotonic())
        if connection.front.stopping:
            data += connection.wire.send(h11.Data(data=stream.farewell())) or b""
        await push(connection, data + (connection.wire.send(h11.EndOfMessage()) or b""))
    finally:
        connection.reader.gone = None
        stream.close()


async def push(connection: Connection, data: bytes) -> None:
    """Send data of a stream. The connection is closed if the phone does not receive it within half a minute."""
    connection.due = time.monotonic() + connection.limits.answer_s
    await connection.send(data)
    connection.due = float("inf")


async def wait_for_news(woken: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(max(seconds, 0)):
            await woken.wait()
    except TimeoutError:
        pass
