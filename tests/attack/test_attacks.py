"""Strangers attack Tidemark as we ship it, and those who play notice nothing. `make attack` does so at length."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attack.evening import spend
from tests.attack.sites import SITES
from tests.attack.strangers import ATTACKS, BROKEN_REQUESTS

SECONDS = 3.0
P95_S = 0.3
SLOWER = 8  # times as slow as without an attack, where other tests have the processor


@pytest.mark.parametrize("way", ["systemd unit", "Caddy, three nodes"])
def test_those_who_play_notice_nothing(way: str, tmp_path: Path) -> None:
    with SITES[way](tmp_path) as site:
        quiet = spend(site, [], SECONDS / 2)
        broken = spend(site, [ATTACKS[BROKEN_REQUESTS]], SECONDS)
        everything = spend(site, ATTACKS.values(), SECONDS)
        for seen in (quiet, broken, everything):
            assert (seen.faults, seen.lost) == ([], 0)
        assert broken.attempts >= SECONDS * ATTACKS[BROKEN_REQUESTS].rate / 2
        assert broken.p95 <= max(P95_S, SLOWER * quiet.p95)
        for server in site.servers:
            assert "Traceback" not in server.printed.read_text(encoding="utf-8")
