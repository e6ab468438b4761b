"""Run Tidemark on this machine in each of the ways that the documentation recommends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.deploy import shut_in
from tests.deploy.balanced import balanced
from tests.webapp.cluster import Cluster
from tests.webapp.engines import order_at
from tests.webapp.visitor import Serving, Visitor, serving


@dataclass(frozen=True)
class Site:
    """Hold the address that people use, the servers behind it, and a member of its club."""

    address: str
    servers: list[Serving]
    member: Visitor

    def said(self) -> str:
        """Return the last lines that the servers and Caddy printed."""
        printed = [server.printed for server in self.servers]
        everything = [*printed, *(caddy for caddy in {one.parent / "caddy" for one in printed} if caddy.exists())]
        return "\n".join(line for one in everything for line in one.read_text(encoding="utf-8").splitlines()[-20:])

    def kill_all_but_one(self) -> None:
        for server in self.servers[1:]:
            server.process.kill()
            server.process.wait()


def site_of(address: str, servers: list[Serving]) -> Site:
    member = Visitor(address)
    member.come_in(servers[0].invitation)
    return Site(address, servers, member)


@contextmanager
def bare(folder: Path) -> Iterator[Site]:
    with serving(folder / "t.db") as server:
        yield site_of(server.address, [server])


@contextmanager
def as_unit(folder: Path) -> Iterator[Site]:
    with serving(folder / "t.db", behind=shut_in.as_unit(folder)) as server:
        yield site_of(server.address, [server])


@contextmanager
def behind_caddy(folder: Path) -> Iterator[Site]:
    with balanced(str(folder / "t.db"), folder, 1) as site:
        yield site_of(site.site, site.nodes)


@contextmanager
def three_nodes(folder: Path) -> Iterator[Site]:
    """Run three servers with the limits of `compose.yaml`."""
    cluster = Cluster()
    try:
        order_at(cluster, "CREATE DATABASE shared")
        cluster.folder.chmod(0o711)  # its socket is for others, too
        with balanced(cluster.address("shared"), folder, behind=shut_in.as_container(folder, cluster.folder)) as site:
            yield site_of(site.site, site.nodes)
    finally:
        cluster.close()


SITES: dict[str, Callable[[Path], AbstractContextManager[Site]]] = {
    "bare": bare,
    "systemd unit": as_unit,
    "Caddy": behind_caddy,
    "Caddy, three nodes": three_nodes,
}
