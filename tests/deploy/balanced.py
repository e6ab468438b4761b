"""Run three servers on one database behind Caddy on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.webapp.test_server import free_port, wait_for
from tests.webapp.visitor import Serving, serving

CADDYFILE = ROOT / "deploy" / "Caddyfile"


@dataclass
class Balanced:
    """Hold the address that people use, and the servers behind it with their logs."""

    site: str
    database: str
    folder: Path
    ports: list[int]
    stack: ExitStack
    nodes: list[Serving] = field(default_factory=list)
    behind: Sequence[str] = ()  # stands before the command of each server

    @cached_property
    def invitation(self) -> str:
        """Return the invitation that is printed once, at the first start."""
        return self.nodes[0].invitation

    def log(self, number: int) -> Path:
        return self.folder / f"access-{self.ports[number]}"

    def start(self, number: int, program: Path = ROOT) -> Serving:
        environment = {
            "TIDEMARK_PUBLIC_URL": self.site,
            "TIDEMARK_PROXY": "1",
            "TIDEMARK_ACCESS_LOG": str(self.log(number)),
        }
        return self.stack.enter_context(
            serving(
                self.database,
                folder=program,
                port=self.ports[number],
                environment=environment,
                beside=self.folder,
                behind=self.behind,
            )
        )

    def restart(self, number: int, program: Path = ROOT) -> None:
        """Restart a server, perhaps in another version, and wait until Caddy sends it requests."""
        process = self.nodes[number].process
        process.terminate()
        assert process.wait(60) == 0
        self.nodes[number] = self.start(number, program)
        before, end = len(self.requests(number)), time.monotonic() + 60
        while len(self.requests(number)) < before + 5:
            assert time.monotonic() < end
            time.sleep(0.1)

    def requests(self, number: int) -> list[dict[str, Any]]:
        """Return the requests that this node has answered, without health checks and our first visit."""
        lines = [json.loads(line) for line in self.log(number).read_text(encoding="utf-8").splitlines()]
        return [line for line in lines if line["route"] not in {"/readyz", "/api/v1/games"}]

    def counts(self) -> Counter[int]:
        return Counter({number: len(self.requests(number)) for number in range(len(self.nodes))})


def caddy_environment(folder: Path, site: str, nodes: str) -> dict[str, str]:
    """Return an environment in which Caddy stores its files in this folder."""
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    admin = {"CADDY_ADMIN": f"127.0.0.1:{free_port()}"}
    return os.environ | home | admin | {"TIDEMARK_SITE": site, "TIDEMARK_NODES": nodes}


@contextmanager
def balanced(database: str, folder: Path, number: int = 3, behind: Sequence[str] = ()) -> Iterator[Balanced]:
    """Yield the running site. Its logs and output are in the folder."""
    with ExitStack() as stack:
        ports = [free_port() for _ in range(number)]
        site = Balanced(f"http://127.0.0.1:{free_port()}", database, folder, ports, stack, behind=behind)
        site.nodes.extend(site.start(n) for n in range(number))
        stack.enter_context(balancing(folder, site.site, ports))
        wait_until_all_are_asked(site.nodes)
        assert site.invitation
        yield site


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
            caddy.wait(60)
        except subprocess.TimeoutExpired:
            caddy.kill()
            raise


def wait_until_all_are_asked(nodes: Sequence[Serving]) -> None:
    """Wait until Caddy has asked each server whether it is ready."""
    for one in nodes:
        end = time.monotonic() + 60
        while 'route="/readyz"' not in metrics(one):
            assert time.monotonic() < end
            time.sleep(0.1)


def metrics(one: Serving) -> str:
    with urllib.request.urlopen(f"{one.address}/metrics", timeout=60) as answer:
        return str(answer.read().decode())
