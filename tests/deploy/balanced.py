"""Three servers on one database behind Caddy, all of them really running on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.webapp.test_server import free_port, wait_for
from tests.webapp.visitor import Serving, serving

CADDYFILE = ROOT / "deploy" / "Caddyfile"


@dataclass
class Balanced:
    """The address people use, and the servers behind it with what each has written down."""

    site: str
    database: str
    nodes: list[Serving]
    logs: list[Path]
    caddy: subprocess.Popen[bytes]

    @property
    def invitation(self) -> str:
        return self.nodes[0].invitation

    def requests(self, number: int) -> list[dict[str, Any]]:
        """Those that this node has answered, health checks aside."""
        lines = [json.loads(line) for line in self.logs[number].read_text(encoding="utf-8").splitlines()]
        return [line for line in lines if line["route"] != "/readyz"]

    def counts(self) -> Counter[int]:
        return Counter({number: len(self.requests(number)) for number in range(len(self.nodes))})


def caddy_environment(folder: Path, site: str, nodes: str) -> dict[str, str]:
    """Caddy keeps what it keeps in that folder."""
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    admin = {"CADDY_ADMIN": f"127.0.0.1:{free_port()}"}
    return os.environ | home | admin | {"TIDEMARK_SITE": site, "TIDEMARK_NODES": nodes}


@contextmanager
def balanced(database: str, folder: Path, number: int = 3) -> Iterator[Balanced]:
    """What they print and write down lies in the folder."""
    site = f"http://127.0.0.1:{free_port()}"
    ports = [free_port() for _ in range(number)]
    with ExitStack() as stack:
        nodes, logs = [], []
        for port in ports:
            logs.append(folder / f"access-{port}")
            nodes.append(stack.enter_context(node(database, site, port, logs[-1])))
        caddy = stack.enter_context(balancing(folder, site, ports))
        wait_until_all_are_asked(nodes)
        yield Balanced(site, database, nodes, logs, caddy)


@contextmanager
def node(database: str, site: str, port: int, log: Path) -> Iterator[Serving]:
    environment = {"TIDEMARK_PUBLIC_URL": site, "TIDEMARK_PROXY": "1", "TIDEMARK_ACCESS_LOG": str(log)}
    with serving(database, port=port, environment=environment, beside=log.parent) as one:
        yield one


@contextmanager
def balancing(folder: Path, site: str, ports: Sequence[int]) -> Iterator[subprocess.Popen[bytes]]:
    nodes = " ".join(f"127.0.0.1:{port}" for port in ports)
    with (folder / "caddy").open("w") as said:
        caddy = subprocess.Popen(
            ["caddy", "run", "--config", CADDYFILE, "--adapter", "caddyfile"],
            env=caddy_environment(folder, site, nodes),
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for(site, caddy)
        yield caddy
    finally:
        caddy.terminate()
        try:
            caddy.wait(15)
        except subprocess.TimeoutExpired:
            caddy.kill()
            raise


def wait_until_all_are_asked(nodes: Sequence[Serving]) -> None:
    """Until Caddy has asked each whether it is ready."""
    for one in nodes:
        end = time.monotonic() + 20
        while 'route="/readyz"' not in metrics(one):
            assert time.monotonic() < end
            time.sleep(0.1)


def metrics(one: Serving) -> str:
    with urllib.request.urlopen(f"{one.address}/metrics", timeout=10) as answer:
        return str(answer.read().decode())
