"""Slow down servers and browsers on purpose, to find tests that read a page too early."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from webapp.front.connection import Connection

SEED = 1


def pages(span: str) -> pytest.MonkeyPatch:
    """Delay each answer, and the second half of each page: "400" by 400 ms, "0-900" at random. The caller undoes it."""
    least, _, most = span.partition("-")
    chance, slowly = Random(SEED), pytest.MonkeyPatch()
    answer, send = Connection.answer, Connection.send

    async def while_passes() -> None:
        await asyncio.sleep(chance.uniform(int(least), int(most or least)) / 1000)

    async def answer_late(connection: Connection, *given: Any) -> bool:
        await while_passes()
        return await answer(connection, *given)

    async def send_in_two(connection: Connection, said: bytes) -> None:
        half = len(said) // 2 if b"text/html" in said[:2000] else 0
        if half:
            await send(connection, said[:half])
            await while_passes()
        await send(connection, said[half:])

    slowly.setattr(Connection, "answer", answer_late)
    slowly.setattr(Connection, "send", send_in_two)
    return slowly


@contextmanager
def rest_held_back(before: str) -> Iterator[None]:
    """Send each page up to these words, and the rest only when the block ends."""
    over, send = threading.Event(), Connection.send

    async def send_in_two(connection: Connection, said: bytes) -> None:
        cut = said.find(before.encode()) if b"text/html" in said[:2000] else -1
        if cut > 0:
            await send(connection, said[:cut])
            while not over.is_set():
                await asyncio.sleep(0.01)
        await send(connection, said[max(cut, 0) :])

    with pytest.MonkeyPatch.context() as slowly:
        slowly.setattr(Connection, "send", send_in_two)
        try:
            yield
        finally:
            over.set()


def phones(browser: Browser, times: int) -> None:
    """Slow down the processor of every new page so many times."""

    def opened(page: Page) -> None:
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": times})

    def begun(context: BrowserContext) -> None:
        context.on("page", opened)

    browser.on("context", begun)
