"""Where the tests keep databases: in files or, with `--engine postgres`, on a server that they start themselves."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from tests.webapp.cluster import Cluster
from webapp.schema.opening import opened

TEMPLATE = "fresh"  # with its schema, to be copied

on_server = False
given: dict[str, str] = {}  # by path, the name of its database


def place(path: str | Path) -> str:
    """The address of the database that would lie at that path."""
    if not on_server or str(path).startswith("postgresql://"):
        return str(path)
    name = given.get(str(path))
    if not name:
        name = given[str(path)] = f"t{len(given)}"
        order(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    return cluster().address(name)


def clear(folder: Path) -> None:
    """What would have lain in that folder goes."""
    for path, name in given.items():
        if Path(path).is_relative_to(folder) and name:
            order(f"DROP DATABASE {name} WITH (FORCE)")
            given[path] = ""


@cache
def cluster() -> Cluster:
    """The server, started for the first test that wants it."""
    started = Cluster()
    order_at(started, f"CREATE DATABASE {TEMPLATE}")
    opened(started.address(TEMPLATE)).close()
    return started


@cache
def desk(at: Cluster) -> Any:
    import psycopg

    return psycopg.connect(at.address("postgres"), autocommit=True)


def order_at(at: Cluster, statement: str) -> None:
    desk(at).execute(statement)


def order(statement: str) -> None:
    order_at(cluster(), statement)


def stop() -> None:
    if cluster.cache_info().currsize:
        desk(cluster()).close()
        cluster().close()
        cluster.cache_clear()
        desk.cache_clear()
