"""Tell what comes over the wire before somebody new sees her first page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Response

pytestmark = pytest.mark.either

LARGEST = 60_000  # bytes, headers included
MOST = 6


def test_the_first_view_is_light_and_takes_few_requests(phone: Callable[..., Page], site: str) -> None:
    """The manifest, which browsers fetch by themselves, counts as well; the service worker comes after the view."""
    came: list[Response] = []
    page = phone()
    page.on("response", lambda response: came.append(response) if response.url.startswith("http") else None)
    page.goto(site, wait_until="networkidle")
    page.evaluate("document.fonts.ready")
    assert all(response.url.startswith(site) for response in came)
    sizes = [response.request.sizes() for response in came]
    loaded = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    beside = re.findall(r'<link rel="(?:icon|manifest)" href="(/[^"]+)"', page.content())
    loaded += sum(len(page.request.get(site + address).body()) for address in beside)
    assert loaded <= LARGEST
    assert len(came) + len(beside) <= MOST, [response.url for response in came]
