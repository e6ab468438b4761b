"""Tell who asks: a proxy is believed only from where the operator says it stands, and a household counts as one."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask, request

from tests.webapp.engines import place
from webapp import create_app
from webapp.addresses import Proxies, household
from webapp.clubs import Limit
from webapp.database import attempts as in_memory
from webapp.operator_errors import BadSetting

pytestmark = pytest.mark.either

FORWARDED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "scores.example"}


def behind(tmp_path: Path, **settings: object) -> Flask:
    config = {"DATABASE": place(tmp_path / "t.db"), "TESTING": True, "SECRET_KEY": "for the tests", **settings}
    app = create_app(config)

    @app.get("/who")
    def who() -> str:
        return f"{request.remote_addr} {request.scheme} {request.host}"

    return app


def heard(app: Flask, peer: str) -> str:
    return app.test_client().get("/who", headers=FORWARDED, environ_base={"REMOTE_ADDR": peer}).get_data(as_text=True)


@pytest.mark.parametrize(
    ("settings", "peer", "believed"),
    [
        ({}, "127.0.0.1", False),
        ({"PROXY": 1}, "127.0.0.1", True),
        ({"PROXY": 1}, "::1", True),
        ({"PROXY": 1}, "::ffff:127.0.0.1", True),
        ({"PROXY": 1}, "192.0.2.7", False),
        ({"PROXY": 1, "PROXY_FROM": "192.0.2.7, 10.1.0.0/16"}, "10.1.200.3", True),
        ({"PROXY": 1, "PROXY_FROM": "192.0.2.7, 10.1.0.0/16"}, "10.2.0.3", False),
        ({"PROXY": 1, "PROXY_FROM": "192.0.2.7"}, "127.0.0.1", False),
        ({"PROXY": 1, "PROXY_FROM": ["fd00::/8"]}, "fd12::1", True),
    ],
)
def test_only_a_proxy_of_ours_is_believed(
    tmp_path: Path, settings: dict[str, object], peer: str, believed: bool
) -> None:
    plain = f"{peer} http localhost"
    assert heard(behind(tmp_path, **settings), peer) == ("203.0.113.9 https scores.example" if believed else plain)


def test_a_network_that_is_none_is_told_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="TIDEMARK_PROXY_FROM"):
        behind(tmp_path, PROXY=1, PROXY_FROM="caddy")


def test_what_a_stranger_says_of_himself_is_not_counted() -> None:
    proxies = Proxies.parse("127.0.0.1")
    assert proxies.client_address("127.0.0.1", "198.51.100.1, 203.0.113.9") == "203.0.113.9"
    assert proxies.client_address("127.0.0.1", "") == "127.0.0.1"
    assert proxies.client_address("192.0.2.7", "203.0.113.9") == "192.0.2.7"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unknown", "unknown"),
    ],
)
def test_a_household_counts_as_one(address: str, counted: str) -> None:
    assert household(address) == counted


def test_attempts_from_one_household_are_counted_together(app: Flask) -> None:
    def found(number: int) -> int:
        return app.test_client().get("/join/guess", environ_base={"REMOTE_ADDR": f"2001:db8::{number:x}"}).status_code

    assert [found(number) for number in range(31)] == [404] * 30 + [429]
    elsewhere = app.test_client().get("/join/guess", environ_base={"REMOTE_ADDR": "2001:db8:0:1::1"})
    assert elsewhere.status_code == 404


def test_whoever_comes_under_many_names_makes_nobody_remember_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_memory, "MANY", 5)
    limit, attempts = Limit("one", 1, 60), in_memory.Attempts(clock=lambda: 0.0)
    for number in range(50):
        assert attempts.allow(limit, str(number))
    assert len(attempts.seen[limit]) == 5
    assert not attempts.allow(limit, "49")
