"""A gateway with its own login: a guest needs only the paths that docs/servers/gateway.md leaves open."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.documents import blocks
from tests.webapp.conftest import Device, Laid

PAGE = ROOT / "docs" / "servers" / "gateway.md"


def paths_left_open() -> list[str]:
    [block] = blocks(PAGE, "text")
    return block.split()


def is_open(path: str) -> bool:
    return any(path == one or (one.endswith("/*") and path.startswith(one[:-1])) for one in paths_left_open())


@pytest.mark.either
def test_a_guest_plays_by_the_paths_that_are_left_open(
    laid: Laid, stranger: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    ask = stranger.client.open

    def noted(*arguments: Any, **options: Any) -> Any:
        answer = ask(*arguments, **options)
        asked.extend(one.request.path for one in (*answer.history, answer))
        return answer

    monkeypatch.setattr(stranger.client, "open", noted)
    laid.seat(stranger, 1)
    stranger.get(f"{laid.path}/seats/1")
    for address in re.findall(r'(?:href|src)="(/(?:static|manifest)[^"#]+)', stranger.page):
        stranger.client.get(address)
    stranger.post(f"{laid.path}/seats/1", {"grid/0/0": "cottage"})
    stranger.client.get(f"{laid.path}/events", buffered=False).close()
    stranger.get(laid.around)
    stranger.client.get(f"{laid.around}/here")
    stranger.get(f"{laid.path}/photo")
    stranger.get(f"{laid.path}/result")
    for address in ("/sw.js", "/offline", "/manifest.webmanifest", "/join"):
        stranger.client.get(address)
    assert len(asked) > 12
    assert [path for path in asked if not is_open(path)] == []
    for closed in ("/", "/club", "/data", "/plays", "/players", "/stats", "/tables", "/metrics"):
        assert not is_open(closed)
